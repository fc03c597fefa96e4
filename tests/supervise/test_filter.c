/* The calls that the filter stops are those that the supervisor understands. */
#include "supervise/filter.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void calls_are_recognised_by_their_numbers(void **state)
{
    bool small;
    (void)state;
#if defined __x86_64__
    assert_int_equal(filter_judge(AUDIT_ARCH_X86_64, SYS_pwrite64, &small), FILTER_WRITE_AT);
    assert_false(small);
    assert_int_equal(filter_judge(AUDIT_ARCH_X86_64, SYS_getpid, &small), FILTER_NONE);
    /* 3 is read in a 32-bit program, and close in others. */
    assert_int_equal(filter_judge(AUDIT_ARCH_I386, 3, &small), FILTER_READ);
    assert_true(small);
    assert_int_equal(filter_judge(AUDIT_ARCH_X86_64, 3, &small), FILTER_NONE);
#else
    assert_int_equal(filter_judge(AUDIT_ARCH_AARCH64, SYS_pwrite64, &small), FILTER_WRITE_AT);
#endif
}

/* Sets the filter and closes the listener: then data calls fail, and all others are made. */
static int try_without_listener(void)
{
    char byte;
    int fd = open("/dev/zero", O_RDONLY), listener = filter_set();
    if (listener < 0)
        return 77;
    if (filter_set() != -EBUSY)
        return 1;
    close(listener);
    if (read(fd, &byte, 1) != -1 || errno != ENOSYS)
        return 2;
    return getppid() > 0 && lseek(fd, 0, SEEK_SET) == 0 && close(fd) == 0 ? 0 : 3;
}

static void only_data_calls_need_the_listener(void **state)
{
    int status = 0;
    (void)state;
    if (filter_check())
        skip();
    pid_t child = fork();
    if (child == 0)
        _exit(try_without_listener());
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_are_recognised_by_their_numbers),
        cmocka_unit_test(only_data_calls_need_the_listener),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
