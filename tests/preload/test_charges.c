/* A call is charged for what it can move, not for what it asks. */
#include "common.h"
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
/* after what it needs */
#include <cmocka.h>

enum { KIB = 1024, GIB = 1 << 30, PIECE = 64 * KIB, PIECES = 10 };
static char data[PIECE];

/* --- through pipes ---------------------------------------------------------------------------- */

static void *send_pieces(void *out)
{
    for (int i = 0; i < PIECES; i++) {
        rest(0.01);
        assert_int_equal(write(*(int *)out, data, PIECE), PIECE);
    }
    close(*(int *)out);
    return NULL;
}

/* 640 KiB at 60 MB/s take 11 ms, and the writer 100 ms; 1 GiB takes 18 s. */
static void a_splice_from_an_empty_pipe_costs_what_comes(void **unused)
{
    (void)unused;
    int ends[2], fd = open_new(on_store("spliced"));
    pthread_t writer;
    size_t sum = 0;
    assert_int_equal(pipe(ends), 0);
    double before = ask_application().moved, start = seconds();
    assert_int_equal(pthread_create(&writer, NULL, send_pieces, &ends[1]), 0);
    for (ssize_t moved; (moved = splice(ends[0], NULL, fd, NULL, GIB, 0)) > 0;)
        sum += (size_t)moved;
    pthread_join(writer, NULL);
    assert_int_equal(sum, PIECES * PIECE);
    assert_true(seconds() - start < 2);
    assert_counted(before, (double)sum);
    close(ends[0]);
    close(fd);
}

static void what_goes_into_a_pipe_is_at_most_what_it_holds(void **unused)
{
    (void)unused;
    int ends[2], fd = open_new(on_store("large"));
    assert_int_equal(ftruncate(fd, GIB), 0);
    assert_int_equal(pipe(ends), 0);
    double start = seconds();
    for (int i = 0; i < 20; i++) {
        ssize_t moved = i % 2 ? sendfile(ends[1], fd, NULL, GIB / 2)
                              : splice(fd, NULL, ends[1], NULL, GIB / 2, 0);
        assert_int_equal(moved, PIECE);
        assert_int_equal(read(ends[0], data, PIECE), PIECE);
    }
    assert_true(seconds() - start < 2);
    close(ends[0]);
    close(ends[1]);
    close(fd);
}

/* --- past the end ----------------------------------------------------------------------------- */

static ssize_t finish(struct aiocb *block)
{
    const struct aiocb *list[] = {block};
    while (aio_error(block) == EINPROGRESS)
        aio_suspend(list, 1, NULL);
    return aio_return(block);
}

static void what_is_past_the_end_costs_nothing_to_read(void **unused)
{
    (void)unused;
    static char space[1 << 20];
    int fd = open_new(on_store("short"));
    assert_int_equal(ftruncate(fd, KIB), 0);
    struct aiocb block = {.aio_fildes = fd, .aio_buf = space, .aio_nbytes = sizeof space};
    struct aiocb *list[] = {&block, NULL};
    double before = ask_application().moved, start = seconds();
    for (int i = 0; i < 200; i++) { /* asked for, it would be 400 MiB: 7 s */
        block.aio_offset = i == 0 ? KIB - 100 : KIB + i;
        assert_int_equal(aio_read(&block), 0);
        assert_int_equal(finish(&block), i == 0 ? 100 : 0);
        block.aio_lio_opcode = LIO_READ;
        assert_int_equal(lio_listio(LIO_WAIT, list, 2, NULL), 0);
        assert_int_equal(aio_return(&block), i == 0 ? 100 : 0);
    }
    assert_true(seconds() - start < 3);
    assert_counted(before, 200);
    close(fd);
}

/* --- what fails ------------------------------------------------------------------------------- */

static void what_the_kernel_refuses_costs_nothing(void **unused)
{
    (void)unused;
    int fd = open_new(on_store("refused"));
    const size_t negative = (size_t)-1;
    double before = ask_application().moved, start = seconds();
    for (int i = 0; i < 10; i++) { /* 2 GiB of each would take 36 s */
        errno = 0;
        assert_int_equal(write(fd, data, *(volatile const size_t *)&negative), -1);
        assert_true(errno == EINVAL || errno == EFAULT);
        assert_int_equal(read(fd, data, *(volatile const size_t *)&negative), -1);
        assert_int_equal(pwrite(fd, data, *(volatile const size_t *)&negative, 0), -1);
        assert_int_equal(pread(fd, data, 10, INT64_MAX), -1);
    }
    assert_true(seconds() - start < 2);
    assert_counted(before, 0);
    close(fd);
}

static int test_all(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_splice_from_an_empty_pipe_costs_what_comes),
        cmocka_unit_test(what_goes_into_a_pipe_is_at_most_what_it_holds),
        cmocka_unit_test(what_is_past_the_end_costs_nothing_to_read),
        cmocka_unit_test(what_the_kernel_refuses_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
    (void)argc;
    return run_controlled(argv, (const char *const[]){"bandwidth: 60 MB/s", NULL}, test_all);
}
