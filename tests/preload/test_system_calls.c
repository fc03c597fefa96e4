/* Requests that a program hands to the kernel by system calls, or by libraries that it loads late.
 */
#include "common.h"
#include <dlfcn.h>
#include <errno.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
/* after what it needs */
#include <cmocka.h>

enum { SIZE = 10000, PLACES = 4 };
static char data[SIZE];

static void assert_escaped(double before, double bytes)
{
    double escaped = ask_application().escaped - before;
    if (escaped != bytes)
        fail_msg("%.0f bytes escaped, not %.0f", escaped, bytes);
}

/* --- io_uring --------------------------------------------------------------------------------- */

struct ring {
    int fd;
    char *memory;
    unsigned *tail, *array;
    struct io_uring_sqe *requests;
};

static void *map(int fd, size_t size, off_t offset)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
    assert_true(at != MAP_FAILED);
    return at;
}

static size_t memory_size(const struct io_uring_params *made)
{
    return made->sq_off.array + made->sq_entries * sizeof(unsigned);
}

static struct ring make_ring(struct io_uring_params *made)
{
    struct ring ring = {.fd = (int)syscall(SYS_io_uring_setup, PLACES, made)};
    if (ring.fd < 0) {
        print_message("the kernel refuses an io_uring: %s\n", strerror(errno));
        assert_true(errno == ENOSYS || errno == EPERM);
        skip();
    }
    ring.memory = map(ring.fd, memory_size(made), IORING_OFF_SQ_RING);
    ring.requests = map(ring.fd, made->sq_entries * sizeof *ring.requests, (off_t)IORING_OFF_SQES);
    ring.tail = (unsigned *)(void *)(ring.memory + made->sq_off.tail);
    ring.array = (unsigned *)(void *)(ring.memory + made->sq_off.array);
    return ring;
}

static void drop_ring(const struct ring *ring, const struct io_uring_params *made)
{
    munmap(ring->requests, made->sq_entries * sizeof *ring->requests);
    munmap(ring->memory, memory_size(made));
    close(ring->fd);
}

/* Requests stand in the reverse order of their places. */
static void add_write(const struct ring *ring, int fd, unsigned bytes)
{
    unsigned place = *ring->tail % PLACES, index = PLACES - 1 - place;
    ring->requests[index] = (struct io_uring_sqe){
        .opcode = IORING_OP_WRITE, .fd = fd, .addr = (uintptr_t)data, .len = bytes};
    ring->array[place] = index;
    __atomic_store_n(ring->tail, *ring->tail + 1, __ATOMIC_RELEASE);
}

static int enter(const struct ring *ring, unsigned n)
{
    return (int)syscall(SYS_io_uring_enter, ring->fd, n, n, IORING_ENTER_GETEVENTS, NULL, 0);
}

static void what_enters_a_ring_by_a_system_call_escapes_once(void **unused)
{
    (void)unused;
    struct io_uring_params made = {0};
    struct ring ring = make_ring(&made);
    int fd = open_new(on_store("file")), aside = open_new(off_store("aside"));
    double before = ask_application().escaped;
    add_write(&ring, fd, 1000);
    add_write(&ring, aside, 50);
    add_write(&ring, fd, 3000);
    assert_int_equal(enter(&ring, 2), 2);
    assert_escaped(before, 1000);
    assert_int_equal(enter(&ring, 1), 1);
    assert_escaped(before, 1000 + 3000);
    assert_int_equal(enter(&ring, 0), 0);
    for (unsigned i = 0; i < 3; i++) /* past the last place */
        add_write(&ring, fd, SIZE);
    assert_int_equal(enter(&ring, 3), 3);
    assert_escaped(before, 1000 + 3000 + 3 * SIZE);
    close(aside);
    close(fd);
    drop_ring(&ring, &made);
}

/* The kernel stops behind a request that it does not understand. */
static void what_the_kernel_leaves_behind_is_not_counted_again(void **unused)
{
    (void)unused;
    struct io_uring_params made = {0};
    struct ring ring = make_ring(&made);
    int fd = open_new(on_store("file"));
    double before = ask_application().escaped;
    add_write(&ring, fd, 1000);
    ring.requests[ring.array[0]].opcode = UINT8_MAX;
    add_write(&ring, fd, 2000);
    add_write(&ring, fd, 4000);
    assert_int_equal(enter(&ring, 3), 1);
    assert_int_equal(enter(&ring, 1), 1);
    assert_int_equal(enter(&ring, 1), 1);
    assert_escaped(before, 2000 + 4000);
    close(fd);
    drop_ring(&ring, &made);
}

static void a_ring_that_was_unmapped_is_not_looked_at(void **unused)
{
    (void)unused;
    struct io_uring_params made = {0};
    struct ring ring = make_ring(&made);
    int fd = open_new(on_store("file"));
    double before = ask_application().escaped;
    add_write(&ring, fd, 1000);
    add_write(&ring, fd, 1000);
    errno = 0;
    munmap(ring.requests, made.sq_entries * sizeof *ring.requests);
    assert_int_equal(enter(&ring, 1), 1);
    munmap(ring.memory, memory_size(&made));
    assert_int_equal(enter(&ring, 1), 1);
    assert_int_equal(errno, 0);
    assert_escaped(before, 0);
    close(ring.fd);
    assert_int_equal(enter(&ring, 1), -1);
    assert_int_equal(errno, EBADF);
    close(fd);
}

/* A later ring with the same number begins anew. */
static void a_ring_replaces_the_one_whose_number_it_has(void **unused)
{
    (void)unused;
    int fd = open_new(on_store("file")), number = -1;
    for (int i = 0; i < 3; i++) {
        struct io_uring_params made = {0};
        struct ring ring = make_ring(&made);
        assert_true(number < 0 || ring.fd == number);
        number = ring.fd;
        double before = ask_application().escaped;
        add_write(&ring, fd, 1000);
        assert_int_equal(enter(&ring, 1), 1);
        assert_escaped(before, 1000);
        drop_ring(&ring, &made);
    }
    close(fd);
}

/* --- native asynchronous I/O ------------------------------------------------------------------ */

static struct iocb write_block(int fd, unsigned bytes)
{
    return (struct iocb){.aio_lio_opcode = IOCB_CMD_PWRITE,
                         .aio_fildes = (unsigned)fd,
                         .aio_buf = (uintptr_t)data,
                         .aio_nbytes = bytes};
}

static aio_context_t make_context(void)
{
    aio_context_t context = 0;
    assert_int_equal(syscall(SYS_io_setup, 2, &context), 0);
    return context;
}

static void drop_context(aio_context_t context, long n)
{
    struct io_event events[2];
    assert_int_equal(syscall(SYS_io_getevents, context, n, 2, events, NULL), n);
    assert_int_equal(syscall(SYS_io_destroy, context), 0);
}

static void what_is_submitted_by_a_system_call_escapes(void **unused)
{
    (void)unused;
    aio_context_t context = make_context();
    int fd = open_new(on_store("file")), aside = open_new(off_store("aside"));
    struct wire_app before = ask_application();
    struct iocb one = write_block(fd, SIZE), other = write_block(aside, 100);
    struct iocb *both[] = {&one, &other};
    assert_int_equal(syscall(SYS_io_submit, context, 2, both), 2);
    assert_escaped(before.escaped, SIZE);
    assert_true(ask_application().moved == before.moved);
    /* What the kernel refuses does not count. */
    assert_int_equal(syscall(SYS_io_submit, 0, 2, both), -1);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(syscall(SYS_io_submit, context, 2, NULL), -1);
    assert_int_equal(errno, EFAULT);
    assert_escaped(before.escaped, SIZE);
    close(aside);
    close(fd);
    drop_context(context, 2);
}

/* The kernel stops before a request that it does not understand. */
static void what_is_submitted_again_escapes_once(void **unused)
{
    (void)unused;
    aio_context_t context = make_context();
    int fd = open_new(on_store("file"));
    double before = ask_application().escaped;
    struct iocb one = write_block(fd, 1000), other = write_block(fd, 2000);
    struct iocb *both[] = {&one, &other};
    other.aio_reserved2 = 1;
    assert_int_equal(syscall(SYS_io_submit, context, 2, both), 1);
    assert_escaped(before, 1000);
    other.aio_reserved2 = 0;
    assert_int_equal(syscall(SYS_io_submit, context, 1, both + 1), 1);
    assert_escaped(before, 1000 + 2000);
    close(fd);
    drop_context(context, 2);
}

/* --- libraries that are loaded late, or never ------------------------------------------------- */

typedef int io_submit_function(aio_context_t context, long n, struct iocb **list);
typedef int ring_submit_function(void *ring);

static void a_hook_without_its_library_says_that_there_is_none(void **unused)
{
    (void)unused;
    io_submit_function *submit = (io_submit_function *)(uintptr_t)dlsym(RTLD_DEFAULT, "io_submit");
    ring_submit_function *submit_ring =
        (ring_submit_function *)(uintptr_t)dlsym(RTLD_DEFAULT, "io_uring_submit");
    assert_non_null(submit);
    assert_non_null(submit_ring);
    errno = 17;
    assert_int_equal(submit(0, 0, NULL), -ENOSYS);
    assert_int_equal(submit_ring(NULL), -ENOSYS);
    assert_int_equal(errno, 17);
}

/* As a plug-in does that is linked with it: its calls arrive at the hook. */
static void a_hook_finds_a_library_that_was_loaded_late(void **unused)
{
    (void)unused;
    void *library = dlopen("libaio.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        print_message("there is no libaio.so.1\n");
        skip();
    }
    io_submit_function *submit = (io_submit_function *)(uintptr_t)dlsym(RTLD_DEFAULT, "io_submit");
    aio_context_t context = make_context();
    int fd = open_new(on_store("file"));
    double before = ask_application().moved;
    struct iocb block = write_block(fd, SIZE), *list[] = {&block};
    assert_int_equal(submit(context, 1, list), 1);
    assert_counted(before, SIZE);
    drop_context(context, 1);
    /* The hook keeps it. */
    dlclose(library);
    assert_int_equal(submit(0, 1, list), -EINVAL);
    close(fd);
}

static int test_all(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_enters_a_ring_by_a_system_call_escapes_once),
        cmocka_unit_test(what_the_kernel_leaves_behind_is_not_counted_again),
        cmocka_unit_test(a_ring_that_was_unmapped_is_not_looked_at),
        cmocka_unit_test(a_ring_replaces_the_one_whose_number_it_has),
        cmocka_unit_test(what_is_submitted_by_a_system_call_escapes),
        cmocka_unit_test(what_is_submitted_again_escapes_once),
        cmocka_unit_test(a_hook_without_its_library_says_that_there_is_none),
        cmocka_unit_test(a_hook_finds_a_library_that_was_loaded_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
    (void)argc;
    return run_controlled(argv, (const char *const[]){"bandwidth: 1 GB/s", NULL}, test_all);
}
