/* Signals, jumps and cancelled threads in the middle of a call; descriptors behind its back. */
#include "client/kernel.h"
#include "common.h"
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
/* after what it needs */
#include <cmocka.h>

enum { LARGE = 8000000 }; /* 20 ms at 400 MB/s */

static char data[LARGE];
static volatile sig_atomic_t signals;

static void count_signal(int signal)
{
    (void)signal;
    signals++;
}

/* --- signals and jumps ------------------------------------------------------------------------ */

static void set_alarm(long microseconds, long again)
{
    struct itimerval timer = {{0, again}, {0, microseconds}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void signals_do_not_interrupt_a_write(void **unused)
{
    (void)unused;
    struct sigaction action = {.sa_handler = count_signal}; /* without SA_RESTART */
    sigaction(SIGALRM, &action, NULL);
    int fd = open_new(on_store("signals"));
    signals = 0;
    set_alarm(1000, 1000);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(write(fd, data, LARGE), LARGE);
        assert_int_equal(pread(fd, data, LARGE, 0), LARGE);
    }
    set_alarm(0, 0);
    assert_true(signals > 10);
    close(fd);
}

static sigjmp_buf out;
static volatile int written; /* by the handler */

static void jump_out(int signal)
{
    (void)signal;
    siglongjmp(out, 1);
}

/* The controller must not believe that the calls are still under way. */
static void jumps_out_of_writes_leave_nothing_behind(void **unused)
{
    (void)unused;
    volatile int fd = open_new(on_store("jumps")), jumps = 0;
    signal(SIGALRM, jump_out);
    while (jumps < 20) {
        if (sigsetjmp(out, 1) == 0) {
            set_alarm(3000, 0);
            for (;;)
                if (write(fd, data, LARGE) != LARGE)
                    fail();
        }
        jumps++;
    }
    signal(SIGALRM, SIG_DFL);
    close(fd);
    assert_comes_to_rest();
}

static void write_in_handler(int signal)
{
    (void)signal;
    if (pwrite(written, "x", 1, 0) == 1)
        signals++;
}

static void a_signal_handler_may_write_in_the_middle_of_a_write(void **unused)
{
    (void)unused;
    written = open_new(on_store("handler"));
    int fd = open_new(on_store("interrupted"));
    signal(SIGALRM, write_in_handler);
    signals = 0;
    set_alarm(2000, 2000);
    for (int i = 0; i < 5; i++)
        assert_int_equal(write(fd, data, LARGE), LARGE);
    set_alarm(0, 0);
    signal(SIGALRM, SIG_DFL);
    assert_true(signals > 3);
    close(fd);
    close(written);
}

static void *write_for_ever(void *fd)
{
    for (;;)
        pwrite(*(int *)fd, data, LARGE, 0);
    return NULL;
}

static void a_thread_may_be_cancelled_in_a_write(void **unused)
{
    (void)unused;
    int fd = open_new(on_store("cancelled"));
    pthread_t thread;
    void *result;
    assert_int_equal(pthread_create(&thread, NULL, write_for_ever, &fd), 0);
    rest(0.05);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert_ptr_equal(result, PTHREAD_CANCELED);
    close(fd);
    assert_comes_to_rest();
}

/* --- descriptors ------------------------------------------------------------------------------ */

static void a_program_may_close_everything(void **unused)
{
    (void)unused;
    pid_t child = fork();
    if (child == 0) {
        bool was_open[1024];
        for (int i = 3; i < 1024; i++)
            was_open[i] = fcntl(i, F_GETFD) >= 0;
        int fd = open(on_store("closed"), O_RDWR | O_CREAT, 0600);
        bool right = write(fd, data, 1000) == 1000;
        for (int i = 3; i < 1024; i++) /* the session's is not for it to see, nor to close */
            right = right && (close(i) == 0) == (was_open[i] || i == fd);
        right = right && close_range(3, ~0U, 0) == 0;
        for (int i = 3; i < 1024; i++) /* every number is taken, the session's too */
            right = right && dup(STDERR_FILENO) >= 0;
        for (int i = 3; i < 1024; i++)
            right = right && close(i) == 0;
        fd = open(on_store("closed"), O_RDWR | O_CREAT, 0600);
        for (int i = 0; i < 20; i++)
            right = right && write(fd, data, 1000) == 1000;
        _exit(right ? 0 : 1);
    }
    assert_int_equal(reap(child), 0);
}

static void who_has_become_a_pipe_does_not_wait_for_a_grant(void **unused)
{
    (void)unused;
    int ends[2], fd = open_new(on_store("number"));
    assert_int_equal(write(fd, data, 1000), 1000);
    assert_comes_to_rest(); /* so that who moves bytes has to wait, and is looked at again */
    double before = ask_application().moved;
    /* Closed as libc itself closes what it opened: past the hooks. */
    assert_int_equal(KERNEL_CALL(SYS_close, fd), 0);
    assert_int_equal(pipe(ends), 0);
    assert_true(ends[0] == fd || ends[1] == fd);
    assert_int_equal(write(ends[1], data, 1000), 1000);
    assert_int_equal(read(ends[0], data, 1000), 1000);
    assert_counted(before, 0);
    close(ends[0]);
    close(ends[1]);
}

static int test_all(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_do_not_interrupt_a_write),
        cmocka_unit_test(jumps_out_of_writes_leave_nothing_behind),
        cmocka_unit_test(a_signal_handler_may_write_in_the_middle_of_a_write),
        cmocka_unit_test(a_thread_may_be_cancelled_in_a_write),
        cmocka_unit_test(a_program_may_close_everything),
        cmocka_unit_test(who_has_become_a_pipe_does_not_wait_for_a_grant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
    (void)argc;
    const char *const stores[] = {"bandwidth: 400 MB/s", "bandwidth: 400 MB/s, pieces: 1 MB", NULL};
    return run_controlled(argv, stores, test_all);
}
