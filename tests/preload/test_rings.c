/* What a program hands to the kernel through liburing is counted as escaped, through libaio as
 * moved; and nothing else changes. */
#include "common.h"
#ifdef WEIR_HAS_RINGS
#include <errno.h>
#include <fcntl.h>
#include <libaio.h>
#include <liburing.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
/* after what it needs */
#include <cmocka.h>

enum { SIZE = 10000, PLACES = 8 };
static char data[SIZE];

/* Skips the test where the kernel gives no such ring. */
static void make_ring(struct io_uring *ring, unsigned flags)
{
    int result = io_uring_queue_init(PLACES, ring, flags);
    if (result == -ENOSYS || result == -EPERM || (flags && result == -EINVAL)) {
        print_message("the kernel refuses an io_uring: %s\n", strerror(-result));
        skip();
    }
    assert_int_equal(result, 0);
}

static int next_result(struct io_uring *ring)
{
    struct io_uring_cqe *done;
    assert_int_equal(io_uring_wait_cqe(ring, &done), 0);
    int result = done->res;
    io_uring_cqe_seen(ring, done);
    return result;
}

static void assert_escapes(struct wire_app before, double bytes)
{
    struct wire_app after = ask_application();
    if (after.escaped - before.escaped != bytes)
        fail_msg("%.0f bytes escaped, not %.0f", after.escaped - before.escaped, bytes);
    assert_true(after.moved == before.moved);
}

/* --- every way to submit ---------------------------------------------------------------------- */

static int by_submit(struct io_uring *ring)
{
    return io_uring_submit(ring);
}

static int by_submit_and_wait(struct io_uring *ring)
{
    return io_uring_submit_and_wait(ring, 1);
}

static int by_submit_and_get_events(struct io_uring *ring)
{
    return io_uring_submit_and_get_events(ring);
}

static int by_submit_and_wait_timeout(struct io_uring *ring)
{
    struct io_uring_cqe *done;
    struct __kernel_timespec long_enough = {.tv_sec = 60};
    return io_uring_submit_and_wait_timeout(ring, &done, 1, &long_enough, NULL);
}

static void escapes_once(void **state)
{
    int (*submit)(struct io_uring *) = (int (*)(struct io_uring *))(uintptr_t)*state;
    struct io_uring ring;
    struct stat status;
    make_ring(&ring, 0);
    int fd = open_new(on_store("file"));
    struct wire_app before = ask_application();
    /* Thrice as often as there are places, two at a time. */
    for (int i = 0; i < 3 * PLACES; i += 2) {
        io_uring_prep_write(io_uring_get_sqe(&ring), fd, data, SIZE, (__u64)i * SIZE);
        io_uring_prep_write(io_uring_get_sqe(&ring), fd, data, SIZE, (__u64)(i + 1) * SIZE);
        errno = 17;
        assert_int_equal(submit(&ring), 2);
        assert_int_equal(errno, 17);
        assert_int_equal(next_result(&ring), SIZE);
        assert_int_equal(next_result(&ring), SIZE);
    }
    assert_int_equal(io_uring_submit(&ring), 0);
    assert_escapes(before, 3.0 * PLACES * SIZE);
    assert_int_equal(fstat(fd, &status), 0);
    assert_int_equal(status.st_size, 3 * PLACES * SIZE);
    close(fd);
    io_uring_queue_exit(&ring);
}

/* --- requests --------------------------------------------------------------------------------- */

static void every_kind_of_read_and_write_escapes(void **unused)
{
    (void)unused;
    struct io_uring ring;
    struct iovec vector[] = {{data, 1000}, {data + 1000, 2000}}, all = {data, SIZE};
    make_ring(&ring, 0);
    assert_int_equal(io_uring_register_buffers(&ring, &all, 1), 0);
    int fd = open_new(on_store("file"));
    struct wire_app before = ask_application();
    io_uring_prep_write(io_uring_get_sqe(&ring), fd, data, SIZE, 0);
    io_uring_prep_writev(io_uring_get_sqe(&ring), fd, vector, 2, 0);
    io_uring_prep_write_fixed(io_uring_get_sqe(&ring), fd, data, 4000, 0, 0);
    assert_int_equal(io_uring_submit_and_wait(&ring, 3), 3);
    assert_escapes(before, SIZE + 3000 + 4000);
    io_uring_prep_read(io_uring_get_sqe(&ring), fd, data, SIZE, 0);
    io_uring_prep_readv(io_uring_get_sqe(&ring), fd, vector, 2, 0);
    io_uring_prep_read_fixed(io_uring_get_sqe(&ring), fd, data, 4000, 0, 0);
    assert_int_equal(io_uring_submit_and_wait(&ring, 6), 3);
    assert_escapes(before, 2 * (SIZE + 3000 + 4000));
    for (int i = 0; i < 6; i++)
        assert_true(next_result(&ring) >= 3000);
    close(fd);
    io_uring_queue_exit(&ring);
}

static void what_is_not_on_the_store_or_moves_nothing_does_not_count(void **unused)
{
    (void)unused;
    struct io_uring ring;
    make_ring(&ring, 0);
    int aside = open_new(off_store("aside")), fd = open_new(on_store("file"));
    struct wire_app before = ask_application();
    io_uring_prep_write(io_uring_get_sqe(&ring), aside, data, SIZE, 0);
    io_uring_prep_nop(io_uring_get_sqe(&ring));
    io_uring_prep_fsync(io_uring_get_sqe(&ring), fd, 0);
    assert_int_equal(io_uring_submit_and_wait(&ring, 3), 3);
    assert_escapes(before, 0);
    close(aside);
    close(fd);
    io_uring_queue_exit(&ring);
}

/* Registered file 0 is not descriptor 0, which is on the store. */
static void the_number_of_a_registered_file_is_not_taken_for_a_descriptor(void **unused)
{
    (void)unused;
    struct io_uring ring;
    make_ring(&ring, 0);
    int input = dup(STDIN_FILENO), fd = open_new(on_store("file"));
    int aside = open_new(off_store("aside"));
    assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(io_uring_register_files(&ring, &aside, 1), 0);
    struct wire_app before = ask_application();
    struct io_uring_sqe *request = io_uring_get_sqe(&ring);
    io_uring_prep_write(request, 0, data, SIZE, 0);
    request->flags |= IOSQE_FIXED_FILE;
    assert_int_equal(io_uring_submit(&ring), 1);
    assert_int_equal(next_result(&ring), SIZE);
    assert_escapes(before, 0);
    dup2(input, STDIN_FILENO);
    close(input);
    close(aside);
    close(fd);
    io_uring_queue_exit(&ring);
}

static void a_descriptor_that_a_request_closes_is_forgotten(void **unused)
{
    (void)unused;
    struct io_uring ring;
    int ends[2];
    make_ring(&ring, 0);
    int fd = open_new(on_store("file"));
    assert_int_equal(write(fd, data, SIZE), SIZE);
    assert_comes_to_rest();
    io_uring_prep_close(io_uring_get_sqe(&ring), fd);
    assert_int_equal(io_uring_submit(&ring), 1);
    assert_int_equal(next_result(&ring), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(ends[0], fd);
    struct wire_app before = ask_application();
    io_uring_prep_write(io_uring_get_sqe(&ring), ends[0], data, 100, 0);
    assert_int_equal(io_uring_submit(&ring), 1);
    assert_int_equal(next_result(&ring), 100);
    assert_escapes(before, 0);
    close(ends[0]);
    close(ends[1]);
    io_uring_queue_exit(&ring);
}

static void requests_of_128_bytes_escape_too(void **unused)
{
    (void)unused;
    struct io_uring ring;
    make_ring(&ring, IORING_SETUP_SQE128);
    int fd = open_new(on_store("file"));
    struct wire_app before = ask_application();
    for (int i = 1; i <= 3; i++)
        io_uring_prep_write(io_uring_get_sqe(&ring), fd, data, (unsigned)i * 1000, 0);
    assert_int_equal(io_uring_submit(&ring), 3);
    for (int i = 1; i <= 3; i++)
        assert_true(next_result(&ring) > 0);
    assert_escapes(before, 1000 + 2000 + 3000);
    close(fd);
    io_uring_queue_exit(&ring);
}

static void a_bad_vector_fails_as_without_control(void **unused)
{
    (void)unused;
    struct io_uring ring;
    make_ring(&ring, 0);
    int fd = open_new(on_store("file"));
    struct wire_app before = ask_application();
    const struct iovec *nowhere = (const struct iovec *)(uintptr_t)4096;
    io_uring_prep_writev(io_uring_get_sqe(&ring), fd, nowhere, 2, 0);
    io_uring_prep_write(io_uring_get_sqe(&ring), -1, data, SIZE, 0);
    int first = io_uring_submit(&ring); /* the kernel may stop at what it refuses */
    if (first == 1)
        assert_int_equal(io_uring_submit(&ring), 1);
    assert_true(first == 1 || first == 2);
    assert_int_equal(next_result(&ring), -EFAULT);
    assert_int_equal(next_result(&ring), -EBADF);
    assert_escapes(before, 0);
    close(fd);
    io_uring_queue_exit(&ring);
}

/* The kernel has its own way to them. */
static void requests_that_cannot_be_read_are_not_looked_at(void **unused)
{
    (void)unused;
    static const uintptr_t places[] = {0, 64, 4096, 4097, UINTPTR_MAX - 63};
    struct io_uring ring;
    make_ring(&ring, 0);
    struct wire_app before = ask_application();
    struct io_uring_sqe *requests = ring.sq.sqes;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        io_uring_prep_nop(io_uring_get_sqe(&ring));
        ring.sq.sqes = (struct io_uring_sqe *)places[i];
        assert_int_equal(io_uring_submit(&ring), 1);
        ring.sq.sqes = requests;
        assert_int_equal(next_result(&ring), 0);
    }
    assert_escapes(before, 0);
    io_uring_queue_exit(&ring);
}

/* --- a liburing that uses libc's syscall ------------------------------------------------------ */

static void *map(int fd, size_t size, off_t offset)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
    assert_true(at != MAP_FAILED);
    return at;
}

/* As that one makes it. */
static int make_ring_by_syscall(struct io_uring *ring)
{
    struct io_uring_params made = {0};
    int fd = (int)syscall(SYS_io_uring_setup, PLACES, &made);
    assert_true(fd >= 0);
    size_t size = made.sq_off.array + made.sq_entries * sizeof(unsigned);
    char *memory = map(fd, size, IORING_OFF_SQ_RING);
    void *requests = map(fd, PLACES * sizeof(struct io_uring_sqe), (off_t)IORING_OFF_SQES);
    *ring = (struct io_uring){.ring_fd = fd, .enter_ring_fd = fd, .sq.sqes = requests};
    ring->sq.khead = (unsigned *)(void *)(memory + made.sq_off.head);
    ring->sq.ktail = (unsigned *)(void *)(memory + made.sq_off.tail);
    ring->sq.kring_mask = (unsigned *)(void *)(memory + made.sq_off.ring_mask);
    ring->sq.kring_entries = (unsigned *)(void *)(memory + made.sq_off.ring_entries);
    ring->sq.kflags = (unsigned *)(void *)(memory + made.sq_off.flags);
    ring->sq.array = (unsigned *)(void *)(memory + made.sq_off.array);
    ring->sq.ring_mask = made.sq_entries - 1;
    ring->sq.ring_entries = made.sq_entries;
    for (unsigned i = 0; i < made.sq_entries; i++)
        ring->sq.array[i] = i;
    return fd;
}

/* This one does not; so it is kept from entering, which is then done in its place. */
static void what_enters_through_both_hooks_escapes_once(void **unused)
{
    (void)unused;
    struct io_uring ring;
    make_ring(&ring, 0);
    io_uring_queue_exit(&ring);
    int number = make_ring_by_syscall(&ring), fd = open_new(on_store("file"));
    struct wire_app before = ask_application();
    for (int i = 0; i < 3 * PLACES; i++) {
        io_uring_prep_write(io_uring_get_sqe(&ring), fd, data, 1000, 0);
        ring.enter_ring_fd = -1;
        assert_int_equal(io_uring_submit(&ring), -EBADF);
        assert_int_equal(syscall(SYS_io_uring_enter, number, 1, 0, 0, NULL, 0), 1);
    }
    assert_escapes(before, 3 * PLACES * 1000);
    close(fd);
    close(number);
}

/* --- libaio ----------------------------------------------------------------------------------- */

static void what_libaio_hands_over_is_counted_once(void **unused)
{
    (void)unused;
    io_context_t context = 0;
    struct iovec vector[] = {{data, 1000}, {data + 1000, 2000}};
    struct iocb one, other, *both[] = {&one, &other};
    struct io_event events[2];
    assert_int_equal(io_setup(2, &context), 0);
    int fd = open_new(on_store("file"));
    struct wire_app before = ask_application();
    io_prep_pwrite(&one, fd, data, SIZE, 0);
    io_prep_pwritev(&other, fd, vector, 2, 0);
    errno = 17;
    assert_int_equal(io_submit(context, 2, both), 2);
    assert_int_equal(errno, 17);
    assert_int_equal(io_getevents(context, 2, 2, events, NULL), 2);
    assert_counted(before.moved, SIZE + 3000);
    assert_true(ask_application().escaped == before.escaped);
    close(fd);
    io_destroy(context);
}

static void what_libaio_reads_past_the_end_costs_nothing(void **unused)
{
    (void)unused;
    static char space[1 << 20];
    io_context_t context = 0;
    struct iovec vector[] = {{space, sizeof space}};
    struct iocb one, other, *both[] = {&one, &other};
    struct io_event events[2];
    assert_int_equal(io_setup(2, &context), 0);
    int fd = open_new(on_store("short"));
    assert_int_equal(ftruncate(fd, 1000), 0);
    double before = ask_application().moved, start = seconds();
    for (int i = 0; i < 5000; i++) { /* asked for, it would be 10 GB: 10 s */
        io_prep_pread(&one, fd, space, sizeof space, i == 0 ? 900 : 1000 + i);
        io_prep_preadv(&other, fd, vector, 1, 1000);
        assert_int_equal(io_submit(context, 2, both), 2);
        assert_int_equal(io_getevents(context, 2, 2, events, NULL), 2);
    }
    assert_true(seconds() - start < 5);
    assert_counted(before, 100);
    close(fd);
    io_destroy(context);
}

#define ESCAPES(name)                                                                              \
    {                                                                                              \
        "bytes_handed_over_" #name "_escape_once", escapes_once, NULL, NULL,                       \
            (void *)(uintptr_t)(name)                                                              \
    }

static int test_all(void)
{
    const struct CMUnitTest tests[] = {
        ESCAPES(by_submit),
        ESCAPES(by_submit_and_wait),
        ESCAPES(by_submit_and_get_events),
        ESCAPES(by_submit_and_wait_timeout),
        cmocka_unit_test(every_kind_of_read_and_write_escapes),
        cmocka_unit_test(what_is_not_on_the_store_or_moves_nothing_does_not_count),
        cmocka_unit_test(the_number_of_a_registered_file_is_not_taken_for_a_descriptor),
        cmocka_unit_test(a_descriptor_that_a_request_closes_is_forgotten),
        cmocka_unit_test(requests_of_128_bytes_escape_too),
        cmocka_unit_test(a_bad_vector_fails_as_without_control),
        cmocka_unit_test(requests_that_cannot_be_read_are_not_looked_at),
        cmocka_unit_test(what_enters_through_both_hooks_escapes_once),
        cmocka_unit_test(what_libaio_hands_over_is_counted_once),
        cmocka_unit_test(what_libaio_reads_past_the_end_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else /* there is no liburing or no libaio to link with */
static int test_all(void)
{
    return 77;
}
#endif

int main(int argc, char **argv)
{
    (void)argc;
    return run_controlled(argv, (const char *const[]){"bandwidth: 1 GB/s", NULL}, test_all);
}
