/* Calls under a controller that does as it is told. */
#include "common.h"
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* --- the I/O of an application ---------------------------------------------------------------- */

static void the_first_call_attaches_and_posts(void **state)
{
    (void)state;
    struct wire_message attach;
    fake_wait_heard(&fake, WIRE_POST, 1);
    assert_int_equal(fake_heard(&fake, WIRE_ATTACH, &attach), 1);
    assert_string_equal(attach.attach.name, "tester");
    assert_true(attach.attach.nodes == 3);
    assert_int_equal(atomic_load(&fake.usage->phase), PHASE_OPEN);
    assert_int_equal(atomic_load(&fake.usage->slots[0].pid), getpid());
}

static void while_it_is_open_there_is_no_further_message(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; i++)
        call(4096);
    nap(20);
    assert_int_equal(fake_heard(&fake, WIRE_POST, NULL), 1);
}

static void a_call_after_it_was_closed_posts_again(void **state)
{
    (void)state;
    fake_wait_heard(&fake, WIRE_POST, 1);
    atomic_store(&fake.usage->phase, PHASE_PAUSED);
    call(1);
    fake_wait_heard(&fake, WIRE_POST, 2);
    atomic_store(&fake.usage->phase, PHASE_IDLE);
    call(1);
    fake_wait_heard(&fake, WIRE_POST, 3);
    struct wire_message post;
    fake_heard(&fake, WIRE_POST, &post);
    assert_true(post.post.begun == 0 && post.post.volume == 0);
}

static void calls_and_bytes_are_counted(void **state)
{
    (void)state;
    struct session *session = session_get();
    uint64_t before = fake_moved(&fake), calls = atomic_load(&fake.usage->calls);
    session_enter(session);
    assert_int_equal(busy(), 1);
    session_acquire(session, 100, true);
    session_moved(session, 60);
    session_exit(session, 40);
    assert_int_equal(busy(), 0);
    assert_int_equal(fake_moved(&fake) - before, 100);
    assert_int_equal(atomic_load(&fake.usage->calls) - calls, 1);
    session_closed(session);
    session_escaped(session, 7);
    assert_int_equal(atomic_load(&fake.usage->closed), 1);
    assert_int_equal(atomic_load(&fake.usage->escaped), 7);
}

static void all_bytes_that_are_seen_are_known(void **state)
{
    (void)state;
    struct session *session = session_get();
    struct page_slot *slot = &fake.usage->slots[0];
    uint64_t moved = atomic_load(&slot->moved), passed = atomic_load(&slot->passed);
    call(100);
    session_passed(session, 20);
    session_escaped(session, 7); /* the kernel does not count a mapping either */
    assert_int_equal(atomic_load(&slot->moved) - moved, 100);
    assert_int_equal(atomic_load(&slot->passed) - passed, 20);
}

static void a_call_that_was_left_by_longjmp_is_mended_by_the_next(void **state)
{
    (void)state;
    session_enter(session_get()); /* and never exits */
    call(1);
    assert_int_equal(busy(), 0);
}

static void a_handler_that_writes_does_not_disturb(void **state)
{
    (void)state;
    struct session *session = session_get();
    session_enter(session);
    call(10); /* as a signal handler would */
    session_exit(session, 5);
    assert_int_equal(busy(), 0);
}

/* --- waiting ---------------------------------------------------------------------------------- */

static void a_paced_application_gets_its_rate(void **state)
{
    (void)state;
    struct session *session = session_get();
    fake_grant(&fake, PAGE_PACED, 10e6);
    assert_true(session_limited(session));
    uint64_t start_date = fake_now();
    for (int i = 0; i < 1000; i++)
        call(2000);
    /* 2 MB at 10 MB/s take 200 ms; what was not claimed before is a burst of 4 ms. */
    double seconds = 1e-9 * (double)(fake_now() - start_date);
    assert_true(seconds > 0.194);
    assert_true(seconds < 0.5);
}

static void a_large_transfer_is_cut_into_pieces(void **state)
{
    (void)state;
    struct session *session = session_get();
    fake_grant(&fake, PAGE_PACED, 1e9);
    session_enter(session);
    /* 16 times 2.5 ms of 1 GB/s, but never a call that must stay whole. */
    assert_int_equal(session_acquire(session, 100000000, false), 40000000);
    assert_int_equal(session_acquire(session, 50000000, true), 50000000);
    assert_int_equal(session_acquire(session, 5, false), 5);
    assert_int_equal(session_acquire(session, 0, false), 0);
    session_exit(session, 0);
}

/* Calls of so many pieces of 64 KiB, which take 6.6 ms each. At 10 MB/s they are worth as much,
 * which is more than the burst of 4 ms. What comes in meanwhile is not lost, so that little is
 * waited for besides; else it would be 2.6 ms each, 40 % more in all. */
static void move_slowly(int calls, int pieces)
{
    struct session *session = session_get();
    uint64_t inside = 0, start_date = fake_now();
    for (int i = 0; i < calls; i++) {
        session_enter(session);
        for (int piece = 0; piece < pieces; piece++) {
            assert_int_equal(session_acquire(session, 65536, false), 65536);
            uint64_t begin = fake_now();
            nanosleep(&(struct timespec){0, 6553600}, NULL);
            inside += fake_now() - begin;
        }
        session_exit(session, (size_t)pieces * 65536);
    }
    assert_true((double)(fake_now() - start_date) < 1.15 * (double)inside + 10e6);
}

static void a_store_as_slow_as_the_grant_costs_nothing(void **state)
{
    (void)state;
    fake_grant(&fake, PAGE_PACED, 10e6);
    move_slowly(1, 40);
    nap(50);
    move_slowly(40, 1);
}

/* 20 MB at 100 MB/s are worth 200 ms, of which 2.5 are waited for before them. */
static void a_large_call_begins_soon_and_lasts_as_long_as_it_is_worth(void **state)
{
    (void)state;
    struct session *session = session_get();
    fake_grant(&fake, PAGE_PACED, 100e6);
    uint64_t start_date = fake_now();
    session_enter(session);
    assert_int_equal(session_acquire(session, 20000000, true), 20000000);
    assert_true(fake_now() - start_date < 100 * MS);
    session_exit(session, 20000000);
    assert_true(fake_now() - start_date > 190 * MS);
}

static void a_call_that_takes_as_long_as_it_is_worth_waits_for_no_more(void **state)
{
    (void)state;
    struct session *session = session_get();
    fake_grant(&fake, PAGE_PACED, 100e6);
    session_enter(session);
    session_acquire(session, 20000000, true);
    nap(210);
    uint64_t start_date = fake_now();
    session_exit(session, 20000000);
    assert_true(fake_now() - start_date < 50 * MS);
}

static void what_a_call_did_not_move_is_given_back(void **state)
{
    (void)state;
    struct session *session = session_get();
    fake_grant(&fake, PAGE_PACED, 1e6);
    call(1);
    double used = fake_used(&fake);
    session_enter(session);
    session_acquire(session, 1000000000, true); /* 1000 s */
    session_exit(session, 1000);
    assert_true(fake_used(&fake) - used < 100000); /* a part of it may have been lost before */
    session_enter(session);
    session_acquire(session, 1000, true);
    used = fake_used(&fake);
    session_exit(session, 5000); /* and more is charged */
    assert_true(fake_used(&fake) == used + 4000);
}

static void a_call_without_a_ticket_is_free(void **state)
{
    (void)state;
    struct session *session = session_get();
    session_enter(session);
    session_acquire(session, 10000, true); /* while nothing is limited */
    fake_grant(&fake, PAGE_PACED, 1e6);
    double used = fake_used(&fake);
    session_exit(session, 10000);
    assert_true(fake_used(&fake) == used);
}

static bool refuses(void)
{
    return false;
}

static void who_took_no_ticket_gets_nothing_back(void **state)
{
    (void)state;
    struct session *session = session_get();
    fake_grant(&fake, PAGE_HOLD, 0);
    double used = fake_used(&fake);
    session_ask(session, refuses);
    session_enter(session);
    session_acquire(session, 10000, true);
    session_exit(session, 0);
    session_ask(session, NULL);
    assert_true(fake_used(&fake) == used);
}

static void no_call_waits_longer_than_the_controller_lets_it(void **state)
{
    (void)state;
    struct session *session = session_get();
    fake_set_patience(&fake, 100 * MS);
    fake_grant(&fake, PAGE_HOLD, 0);
    uint64_t time = call(1000);
    assert_true(time > 90 * MS && time < 1000 * MS);
    fake_grant(&fake, PAGE_PACED, 1e6);
    time = call(100000000); /* 100 s */
    assert_true(time > 90 * MS && time < 1000 * MS);
    fake_limit_operations(&fake, 0.001);
    uint64_t start_date = fake_now();
    for (int i = 0; i < 3; i++)
        session_operation(session);
    assert_true(fake_now() - start_date < 2000 * MS);
}

static void a_call_that_is_left_by_a_jump_waits_for_nothing(void **state)
{
    (void)state;
    struct session *session = session_get();
    fake_grant(&fake, PAGE_PACED, 1e6);
    session_enter(session);
    session_acquire(session, 100000000, true);
    uint64_t start_date = fake_now();
    session_abandon(session);
    assert_true(fake_now() - start_date < 100 * MS);
    assert_int_equal(busy(), 0);
}

static void *let_go(void *unused)
{
    (void)unused;
    nap(100);
    fake_grant(&fake, PAGE_PACED, 1e9);
    return NULL;
}

static void who_is_held_waits_for_the_grant_and_takes_no_ticket(void **state)
{
    (void)state;
    pthread_t thread;
    fake_grant(&fake, PAGE_HOLD, 0);
    double used = fake_used(&fake);
    assert_int_equal(pthread_create(&thread, NULL, let_go, NULL), 0);
    uint64_t time = call(1000);
    pthread_join(thread, NULL);
    assert_true(time > 90 * MS);
    assert_true(fake_used(&fake) == used + 1000);
    assert_int_equal(atomic_load(&fake.usage->waiters), 0);
}

static void *call_once(void *unused)
{
    (void)unused;
    call(1000);
    return NULL;
}

/* The controller may think that the application is stopped, or quiet. */
static void a_waiter_whose_io_was_closed_posts_again(void **state)
{
    (void)state;
    pthread_t thread;
    fake_wait_heard(&fake, WIRE_POST, 1);
    fake_grant(&fake, PAGE_HOLD, 0);
    assert_int_equal(pthread_create(&thread, NULL, call_once, NULL), 0);
    nap(30);
    atomic_store(&fake.usage->phase, PHASE_PAUSED);
    fake_wait_heard(&fake, WIRE_POST, 2);
    fake_grant(&fake, PAGE_OPEN, 0);
    pthread_join(thread, NULL);
}

static _Atomic int questions;

static bool says_no(void)
{
    atomic_fetch_add(&questions, 1);
    return false;
}

static void who_must_not_wait_is_asked_before(void **state)
{
    (void)state;
    struct session *session = session_get();
    fake_grant(&fake, PAGE_PACED, 1e6);
    session_ask(session, says_no);
    assert_true(call(1000000) < 500 * MS); /* instead of a second */
    assert_int_equal(atomic_load(&questions), 1);
    /* A payment in advance belongs to no call, so nobody is asked. */
    fake_grant(&fake, PAGE_PACED, 100e6);
    assert_int_equal(session_prepay(session, 50000), 50000);
    assert_int_equal(atomic_load(&questions), 1);
    session_ask(session, NULL);
}

static void operations_have_a_limit_of_their_own(void **state)
{
    (void)state;
    struct session *session = session_get();
    fake_limit_operations(&fake, 100);
    uint64_t start_date = fake_now();
    for (int i = 0; i < 20; i++) {
        session_enter(session);
        session_operation(session);
        session_exit(session, 0);
    }
    /* 20 of them at 100/s, of which a burst of at most 1.4 may be at once. */
    assert_true(fake_now() - start_date > 180 * MS);
    assert_true(call(1 << 20) < 100 * MS); /* bytes are not limited */
}

static void metadata_alone_is_no_io(void **state)
{
    (void)state;
    session_detach(session_get());
    nap(250);
    atomic_store(&fake.usage->phase, PHASE_IDLE);
    fake_limit_operations(&fake, 10);
    uint64_t start_date = fake_now();
    for (int i = 0; i < 4; i++)
        session_operation(session_get());
    assert_true(fake_now() - start_date > 150 * MS);
    assert_int_equal(fake_heard(&fake, WIRE_ATTACH, NULL), 2);
    assert_int_equal(atomic_load(&fake.usage->phase), PHASE_IDLE);
}

static void errno_stays_as_it_was(void **state)
{
    (void)state;
    fake_grant(&fake, PAGE_PACED, 1e6);
    fake_limit_operations(&fake, 100);
    struct session *session = session_get();
    atomic_store(&fake.usage->phase, PHASE_PAUSED);
    errno = 4711;
    call(5000);
    session_operation(session);
    session_begin(session, 10);
    session_end(session);
    fake_kill(&fake);
    nap(30);
    call(5000);
    call(5000);
    session_detach(session);
    assert_int_equal(errno, 4711);
}

/* --- explicit I/O ----------------------------------------------------------------------------- */

static void an_explicit_io_is_posted_with_its_volume_and_ended(void **state)
{
    (void)state;
    struct session *session = session_get();
    struct wire_message message;
    session_begin(session, 5000);
    fake_wait_heard(&fake, WIRE_POST, 2);
    fake_heard(&fake, WIRE_POST, &message);
    assert_true(message.post.volume == 5000 && message.post.begun == 1);
    call(3000);
    call(1000);
    session_end(session);
    fake_wait_heard(&fake, WIRE_END, 1);
    session_end(session); /* nothing to end */
    nap(20);
    assert_int_equal(fake_heard(&fake, WIRE_END, NULL), 1);
}

/* At a rate of 1 MB/s a burst is 4 kB, so 50 kB that are paid twice would be seen. */
static void what_was_paid_in_advance_is_not_paid_again(void **state)
{
    (void)state;
    struct session *session = session_get();
    fake_grant(&fake, PAGE_PACED, 1e6);
    call(1);
    uint64_t moved = fake_moved(&fake);
    assert_int_equal(session_prepay(session, 50000), 50000);
    double paid = fake_used(&fake);
    call(30000);
    call(20000);
    assert_true(fake_used(&fake) == paid);
    assert_int_equal(fake_moved(&fake) - moved, 50000);
    call(3000); /* but this was not */
    assert_true(fake_used(&fake) >= paid + 3000);
    assert_int_equal(fake_moved(&fake) - moved, 53000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_CONTROLLER(the_first_call_attaches_and_posts),
        WITH_CONTROLLER(while_it_is_open_there_is_no_further_message),
        WITH_CONTROLLER(a_call_after_it_was_closed_posts_again),
        WITH_CONTROLLER(calls_and_bytes_are_counted),
        WITH_CONTROLLER(all_bytes_that_are_seen_are_known),
        WITH_CONTROLLER(a_call_that_was_left_by_longjmp_is_mended_by_the_next),
        WITH_CONTROLLER(a_handler_that_writes_does_not_disturb),
        WITH_CONTROLLER(a_paced_application_gets_its_rate),
        WITH_CONTROLLER(a_large_transfer_is_cut_into_pieces),
        WITH_CONTROLLER(a_store_as_slow_as_the_grant_costs_nothing),
        WITH_CONTROLLER(a_large_call_begins_soon_and_lasts_as_long_as_it_is_worth),
        WITH_CONTROLLER(a_call_that_takes_as_long_as_it_is_worth_waits_for_no_more),
        WITH_CONTROLLER(what_a_call_did_not_move_is_given_back),
        WITH_CONTROLLER(a_call_without_a_ticket_is_free),
        WITH_CONTROLLER(who_took_no_ticket_gets_nothing_back),
        WITH_CONTROLLER(no_call_waits_longer_than_the_controller_lets_it),
        WITH_CONTROLLER(a_call_that_is_left_by_a_jump_waits_for_nothing),
        WITH_CONTROLLER(who_is_held_waits_for_the_grant_and_takes_no_ticket),
        WITH_CONTROLLER(a_waiter_whose_io_was_closed_posts_again),
        WITH_CONTROLLER(who_must_not_wait_is_asked_before),
        WITH_CONTROLLER(operations_have_a_limit_of_their_own),
        WITH_CONTROLLER(metadata_alone_is_no_io),
        WITH_CONTROLLER(errno_stays_as_it_was),
        WITH_CONTROLLER(an_explicit_io_is_posted_with_its_volume_and_ended),
        WITH_CONTROLLER(what_was_paid_in_advance_is_not_paid_again),
    };
    join_as_tester();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_path();
    return failed;
}
