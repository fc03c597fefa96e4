/* Pages that come through the socket, in programs where libc's functions for mappings are not what
 * they were, and where the kernel refuses. */
#include "client/tie.h"
#include "common.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* --- libc's functions, replaced --------------------------------------------------------------- */

static _Atomic int refusing; /* no new mapping */

#ifndef __SANITIZE_THREAD__ /* which needs them itself, before anything is ready */
/* As UCX has it: the fifth argument is dropped. */
void *mremap(void *at, size_t size, size_t new_size, int flags, ...)
{
    return (void *)syscall(SYS_mremap, at, size, new_size, flags, NULL);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (atomic_load(&refusing)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}

int madvise(void *at, size_t size, int advice)
{
    (void)at, (void)size, (void)advice;
    errno = EINVAL;
    return -1;
}
#endif

static void a_session_attaches_where_these_functions_were_replaced(void **state)
{
    (void)state;
    session_detach(session_get());
    nap(250);
    atomic_store(&refusing, 1);
    call_until_controlled();
    atomic_store(&refusing, 0);
    fake_grant(&fake, PAGE_PACED, 10e6);
    call(1);
    assert_true(call(1000000) > 50 * MS); /* 1 MB at 10 MB/s, less 4 ms of burst */
    assert_int_equal(busy(), 0);
    assert_true(fake_moved(&fake) >= 1000000);
}

/* --- the kernel refuses ----------------------------------------------------------------------- */

/* From now on an mremap fails, into this place only if it is not NULL. */
static bool forbid_moving(const void *place)
{
    uint32_t half = (uint32_t)(uintptr_t)place;
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mremap, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[4])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, half, 0, place ? 1 : 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof steps / sizeof *steps, steps};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

enum { FINE, CONTROLLED, SHARED, SLOW, NO_FILTER = 77 };

/* In a child: calls pass, and what it has for pages is nobody else's. */
static int run_refused(const void *place)
{
    struct session *session = session_get();
    if (!forbid_moving(place))
        return NO_FILTER;
    for (int i = 0; i < 3; i++) {
        if (call(1000000) > 500 * MS)
            return SLOW;
        nap(210);
    }
    if (session_controlled(session))
        return CONTROLLED;
    session->usage->slots[9].moved = 77;
    atomic_store(&session->usage->slots[9].busy, 77);
    return session->grant->magic != 0 ? SHARED : FINE;
}

static void assert_refused_child_runs(const void *place)
{
    struct wire_message failed;
    fake_grant(&fake, PAGE_PACED, 1e3); /* 1 MB would take a thousand seconds */
    pid_t pid = fork();
    if (pid == 0)
        _exit(run_refused(place));
    int status = -1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == NO_FILTER) {
        print_message("no system call can be forbidden here\n");
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), FINE);
    assert_true(fake_heard(&fake, WIRE_FAILED, &failed) > 0);
    assert_int_equal(failed.failed.why, WIRE_FAILED_MAPPING);
    assert_int_equal(fake.usage->slots[9].moved, 0);
    assert_int_equal(atomic_load(&fake.usage->slots[9].busy), 0);
    assert_true(session_controlled(session_get())); /* the parent is as it was */
    assert_int_equal(session_get()->grant->magic, PAGE_MAGIC);
}

static void a_process_that_may_not_map_its_pages_says_so_and_runs(void **state)
{
    (void)state;
    assert_refused_child_runs(NULL);
}

static void half_of_its_pages_is_none(void **state)
{
    (void)state;
    assert_refused_child_runs(session_get()->grant);
}

static void a_process_that_gets_other_pages_says_so(void **state)
{
    (void)state;
    struct wire_message failed;
    session_detach(session_get());
    atomic_store(&fake.careless, 1);
    nap(250);
    call(1);
    fake_wait_heard(&fake, WIRE_FAILED, 1);
    fake_heard(&fake, WIRE_FAILED, &failed);
    assert_int_equal(failed.failed.why, WIRE_FAILED_PAGES);
    assert_false(session_controlled(session_get()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_CONTROLLER(a_session_attaches_where_these_functions_were_replaced),
        WITH_CONTROLLER(a_process_that_may_not_map_its_pages_says_so_and_runs),
        WITH_CONTROLLER(half_of_its_pages_is_none),
        WITH_CONTROLLER(a_process_that_gets_other_pages_says_so),
    };
    join_as_tester();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_path();
    return failed;
}
