/* Controllers that go and come, and what programs do to descriptors, threads and processes. */
#include "common.h"
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* --- without a controller --------------------------------------------------------------------- */

static void without_a_controller_everything_passes(void **state)
{
    (void)state;
    struct session *session = session_get();
    uint64_t start_date = fake_now();
    for (int i = 0; i < 10000; i++) {
        session_enter(session);
        session_operation(session);
        assert_int_equal(session_acquire(session, 1 << 20, false), 1 << 20);
        session_exit(session, 1 << 20);
    }
    session_begin(session, 1);
    session_end(session);
    assert_true(fake_now() - start_date < 500 * MS);
    assert_false(session_controlled(session));
    assert_false(session_limited(session));
    assert_false(session_owns(-1));
}

/* --- fail open -------------------------------------------------------------------------------- */

static void when_the_controller_is_killed_a_waiter_passes_at_once(void **state)
{
    (void)state;
    fake_grant(&fake, PAGE_HOLD, 0);
    fake_kill(&fake);
    assert_true(call(1 << 20) < 200 * MS);
    assert_false(session_controlled(session_get()));
    assert_true(call(1 << 20) < 200 * MS);
}

static void when_the_controller_hangs_a_waiter_passes_after_a_second(void **state)
{
    (void)state;
    fake_grant(&fake, PAGE_HOLD, 0);
    atomic_store(&fake.hung, 1);
    uint64_t time = call(1 << 20);
    assert_true(time > 500 * MS);
    assert_true(time < 2000 * MS);
    assert_true(call(1 << 20) < 200 * MS);
    /* It goes on: it is in charge again. */
    atomic_store(&fake.hung, 0);
    nap(50);
    fake_grant(&fake, PAGE_PACED, 10e6);
    call(1);
    assert_true(call(1000000) > 50 * MS);
}

/* As in a time namespace, whose clock may be behind or ahead. */
static void with_another_clock_a_process_runs_free_and_says_so(void **state)
{
    (void)state;
    const int64_t displaced[] = {5000 * (int64_t)MS, -5000 * (int64_t)MS};
    struct wire_message failed;
    for (uint32_t i = 0; i < 2; i++) {
        session_detach(session_get());
        atomic_store(&fake.displaced, displaced[i]);
        nap(250);
        fake_grant(&fake, PAGE_HOLD, 0);
        assert_true(call(1 << 20) < 400 * MS);
        fake_wait_heard(&fake, WIRE_FAILED, i + 1);
        fake_heard(&fake, WIRE_FAILED, &failed);
        assert_int_equal(failed.failed.why, WIRE_FAILED_CLOCK);
    }
    /* With the same clock it does not. */
    session_detach(session_get());
    atomic_store(&fake.displaced, 0);
    nap(250);
    fake_grant(&fake, PAGE_PACED, 1e9);
    call(1);
    assert_true(session_controlled(session_get()));
    nap(20);
    assert_int_equal(fake_heard(&fake, WIRE_FAILED, NULL), 2);
}

static void a_restarted_controller_takes_it_back(void **state)
{
    (void)state;
    struct session *session = session_get();
    session_begin(session, 1000);
    call(400);
    fake_grant(&fake, PAGE_PACED, 1e6);
    fake_kill(&fake);
    nap(80); /* its heartbeat is late: the process looks at the socket */
    call(100);
    assert_false(session_controlled(session));
    fake_stop(&fake);
    fake_start(&fake, fake_path);
    uint64_t start_date = fake_now();
    call_until_controlled();
    assert_true(fake_now() - start_date < 1000 * MS);
    /* It hears of the I/O that is under way, and of what is left of it: 1000 - 400 and what passed
     * while nobody counted. */
    struct wire_message post;
    fake_wait_heard(&fake, WIRE_POST, 1);
    fake_heard(&fake, WIRE_POST, &post);
    assert_true(post.post.begun == 1 && post.post.volume <= 600 && post.post.volume > 0);
    session_end(session);
    fake_wait_heard(&fake, WIRE_END, 1);
    assert_int_equal(busy(), 0);
}

static void what_it_moves_without_a_controller_is_counted_by_the_next(void **state)
{
    (void)state;
    const uint32_t away = 1 << 20; /* far more than the calls of a byte until it is back */
    call(1);
    fake_grant(&fake, PAGE_PACED, 1e9);
    fake_kill(&fake);
    for (int i = 0; i < 1000 && session_controlled(session_get()); i++) {
        nap(10);
        call(1); /* until it notices */
    }
    assert_false(session_controlled(session_get()));
    call(away);
    fake_stop(&fake);
    fake_start(&fake, fake_path);
    call_until_controlled();
    uint64_t moved = 0;
    for (int slot = 0; slot < PAGE_SLOTS; slot++)
        moved += fake.usage->slots[slot].moved;
    assert_true(moved >= away && moved < 2 * (uint64_t)away);
}

static void an_unlimited_process_notices_a_restart_too(void **state)
{
    (void)state;
    fake_stop(&fake);
    fake_start(&fake, fake_path);
    for (int i = 0; i < 1000 && fake_heard(&fake, WIRE_ATTACH, NULL) == 0; i++) {
        call(1 << 20);
        nap(1);
    }
    fake_wait_heard(&fake, WIRE_ATTACH, 1);
}

static void a_controller_that_does_not_answer_costs_a_moment_once(void **state)
{
    (void)state;
    session_detach(session_get());
    atomic_store(&fake.mute, 1);
    nap(300);
    assert_true(call(1) < 400 * MS);
    assert_false(session_controlled(session_get()));
    for (int i = 0; i < 30; i++) {
        assert_true(call(1) < 150 * MS);
        nap(5);
    }
    assert_int_equal(fake_heard(&fake, WIRE_ATTACH, NULL), 2);
    atomic_store(&fake.mute, 0);
}

static void a_full_socket_neither_blocks_nor_loses_an_end(void **state)
{
    (void)state;
    struct session *session = session_get();
    fake_wait_heard(&fake, WIRE_POST, 1);
    atomic_store(&fake.hung, 1);
    nap(20);
    uint64_t begin = fake_now();
    for (int i = 0; i < 2000; i++) {
        session_begin(session, 1);
        session_end(session);
    }
    assert_true(fake_now() - begin < 2000 * MS);
    session_begin(session, 5000);
    atomic_store(&fake.hung, 0);
    call_until_controlled();
    /* Whoever attaches anew says that one I/O is under way. */
    struct wire_message post;
    nap(50);
    fake_heard(&fake, WIRE_POST, &post);
    assert_true(post.post.begun == 1 && post.post.volume >= 4000);
    assert_true(fake_heard(&fake, WIRE_ATTACH, NULL) >= 2);
    fake_wait_peers(&fake, 1); /* the old connection is over */
}

static void a_page_that_could_shrink_is_not_taken(void **state)
{
    (void)state;
    session_detach(session_get());
    atomic_store(&fake.careless, 1);
    nap(250);
    call(1);
    fake_wait_heard(&fake, WIRE_ATTACH, 2);
    assert_false(session_controlled(session_get()));
}

/* --- descriptors, threads, processes ---------------------------------------------------------- */

static int own_socket(void)
{
    for (int fd = 0; fd < 1100; fd++)
        if (session_owns(fd))
            return fd;
    return -1;
}

static void the_socket_keeps_out_of_the_way(void **state)
{
    (void)state;
    int fd = own_socket();
    assert_true(fd >= 64);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    int next = dup(0);
    assert_true(next < 64);
    close(next);
}

static void a_program_that_closed_it_is_not_written_to(void **state)
{
    (void)state;
    int fd = own_socket(), pair[2];
    char bytes[WIRE_MOST];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
    assert_int_equal(dup2(pair[1], fd), fd); /* the number now belongs to the program */
    atomic_store(&fake.usage->phase, PHASE_PAUSED);
    fake_grant(&fake, PAGE_PACED, 1e9);
    nap(30);
    call(10);
    call_until_controlled();
    assert_int_not_equal(own_socket(), fd);
    assert_true(recv(pair[0], bytes, sizeof bytes, MSG_DONTWAIT) < 0);
    assert_int_equal(send(fd, "x", 1, 0), 1); /* and it was not closed */
    close(fd);
    close(pair[0]);
    close(pair[1]);
}

static void what_a_program_receives_is_not_taken_from_it(void **state)
{
    (void)state;
    int pair[2];
    char byte = 0;
    session_detach(session_get());
    atomic_store(&fake.mute, 1);
    nap(250);
    call(1); /* asks, and goes on without an answer */
    int fd = own_socket();
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
    assert_int_equal(send(pair[0], "x", 1, 0), 1);
    assert_int_equal(dup2(pair[1], fd), fd);
    nap(40);
    call(1);
    assert_int_equal(recv(fd, &byte, 1, MSG_DONTWAIT), 1);
    assert_int_equal(byte, 'x');
    close(fd);
    close(pair[0]);
    close(pair[1]);
}

static void *call_often(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2000; i++)
        call(4096);
    return NULL;
}

static void threads_that_begin_at_once_attach_once(void **state)
{
    (void)state;
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    session_detach(session_get());
    fake_wait_peers(&fake, 0);
    nap(250);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call_often, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(fake_heard(&fake, WIRE_ATTACH, NULL), 2); /* `start` was the first */
    assert_int_equal(busy(), 0);
}

static _Atomic int stop_calling;

static void *call_and_wait(void *unused)
{
    (void)unused;
    while (!atomic_load(&stop_calling)) {
        call(4096);
        nap(1);
    }
    return NULL;
}

static void threads_survive_controllers_that_come_and_go(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call_and_wait, NULL), 0);
    for (int i = 0; i < 5; i++) {
        fake_grant(&fake, i % 2 ? PAGE_HOLD : PAGE_PACED, 1e6);
        nap(30);
        fake_stop(&fake);
        nap(30);
        fake_start(&fake, fake_path);
        fake_wait_heard(&fake, WIRE_ATTACH, 1);
    }
    atomic_store(&stop_calling, 1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(busy(), 0);
}

static void run_child(pid_t pid)
{
    int status = -1;
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void *call_once(void *unused)
{
    (void)unused;
    call(1);
    return NULL;
}

/* One thread waits for the controller's answer, which does not come; another leaves. What the
 * program opens then is not the first one's to read. */
static void a_thread_that_leaves_takes_no_socket_from_another(void **state)
{
    (void)state;
    struct session *session = session_get();
    pthread_t thread;
    int pair[2];
    char byte = 0;
    session_detach(session);
    atomic_store(&fake.mute, 1);
    nap(250);
    assert_int_equal(pthread_create(&thread, NULL, call_once, NULL), 0);
    fake_wait_heard(&fake, WIRE_ATTACH, 2);
    int number = own_socket();
    session_detach(session);
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
    int copy = fcntl(pair[0], F_DUPFD, number);
    assert_int_equal(send(pair[1], "x", 1, 0), 1);
    pthread_join(thread, NULL);
    assert_int_equal(recv(copy, &byte, 1, MSG_DONTWAIT), 1);
    assert_int_equal(byte, 'x');
    assert_int_equal(fcntl(number, F_GETFD) >= 0, copy == number); /* and in the end it is closed */
    close(copy);
    close(pair[0]);
    close(pair[1]);
    atomic_store(&fake.mute, 0);
}

static void a_child_attaches_for_itself(void **state)
{
    (void)state;
    uint32_t number = (uint32_t)own_socket();
    pid_t pid = fork();
    if (pid == 0) {
        bool left = fcntl((int)number, F_GETFD) < 0; /* of its parent's connection */
        call(1);
        bool own = session_controlled(session_get());
        _exit(left && own ? 0 : 1);
    }
    run_child(pid);
    fake_wait_heard(&fake, WIRE_ATTACH, 2);
    fake_wait_peers(&fake, 1);
    assert_int_equal(atomic_load(&fake.usage->slots[1].pid), pid);
}

/* As no library function can see: only the kernel's wiped page tells. */
static void a_child_of_a_bare_system_call_attaches_too(void **state)
{
    (void)state;
    pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) {
        call(1);
        syscall(SYS_exit_group, session_controlled(session_get()) ? 0 : 1);
    }
    run_child(pid);
    fake_wait_heard(&fake, WIRE_ATTACH, 2);
}

static void a_child_does_not_end_what_its_parent_began(void **state)
{
    (void)state;
    struct session *session = session_get();
    session_begin(session, 100);
    pid_t pid = fork();
    if (pid == 0) {
        call(1);
        session_end(session);
        _exit(0);
    }
    run_child(pid);
    nap(20);
    assert_int_equal(fake_heard(&fake, WIRE_END, NULL), 0);
    session_end(session);
    fake_wait_heard(&fake, WIRE_END, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_controller_everything_passes),
        WITH_CONTROLLER(when_the_controller_is_killed_a_waiter_passes_at_once),
        WITH_CONTROLLER(when_the_controller_hangs_a_waiter_passes_after_a_second),
        WITH_CONTROLLER(with_another_clock_a_process_runs_free_and_says_so),
        WITH_CONTROLLER(a_restarted_controller_takes_it_back),
        WITH_CONTROLLER(what_it_moves_without_a_controller_is_counted_by_the_next),
        WITH_CONTROLLER(an_unlimited_process_notices_a_restart_too),
        WITH_CONTROLLER(a_controller_that_does_not_answer_costs_a_moment_once),
        WITH_CONTROLLER(a_full_socket_neither_blocks_nor_loses_an_end),
        WITH_CONTROLLER(a_page_that_could_shrink_is_not_taken),
        WITH_CONTROLLER(the_socket_keeps_out_of_the_way),
        WITH_CONTROLLER(a_program_that_closed_it_is_not_written_to),
        WITH_CONTROLLER(what_a_program_receives_is_not_taken_from_it),
        WITH_CONTROLLER(threads_that_begin_at_once_attach_once),
        WITH_CONTROLLER(threads_survive_controllers_that_come_and_go),
        WITH_CONTROLLER(a_thread_that_leaves_takes_no_socket_from_another),
        WITH_CONTROLLER(a_child_attaches_for_itself),
        WITH_CONTROLLER(a_child_of_a_bare_system_call_attaches_too),
        WITH_CONTROLLER(a_child_does_not_end_what_its_parent_began),
    };
    join_as_tester();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_path();
    return failed;
}
