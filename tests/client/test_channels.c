/* A process with sessions for several channels of its controller. */
#include "client/session.h"
#include "client/tie.h"
#include "common.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { OTHER = 2 };

static void call_on(uint32_t channel, size_t bytes)
{
    struct session *session = session_of(channel);
    session_enter(session);
    assert_int_equal(session_acquire(session, bytes, true), bytes);
    session_exit(session, bytes);
}

static int start_other(void **state)
{
    (void)state;
    fake_start(&fake, fake_path);
    session_init(session_of(OTHER), NULL);
    for (int i = 0; i < 2000 && !session_controlled(session_of(OTHER)); i++) {
        call_on(OTHER, 1);
        nap(1);
    }
    fake_wait_peers(&fake, 2);
    return 0;
}

static int leave_other(void **state)
{
    session_detach(session_of(OTHER));
    return leave(state);
}

static uint32_t busy_on(uint32_t channel)
{
    return fake.usage->slots[session_of(channel)->slot].busy;
}

static void a_channel_has_its_own_connection_beside_that_of_the_first(void **state)
{
    (void)state;
    struct wire_message attach;
    assert_int_equal(fake_heard(&fake, WIRE_ATTACH, &attach), 2);
    assert_int_equal(attach.attach.channel, OTHER); /* the first one came first */
    assert_string_equal(attach.attach.name, "tester");
    assert_true(session_controlled(session_get()));
    assert_true(session_of(0) == session_get());
    assert_int_equal(session_count(), OTHER + 1);
    assert_int_not_equal(tie_held(session_get()), tie_held(session_of(OTHER)));
    assert_true(session_owns(session_get()->socket) && session_owns(session_of(OTHER)->socket));
    assert_false(session_owns(fake.listener));
    assert_false(session_controlled(session_of(1))); /* never begun */
    call_on(1, 100);
}

static void what_moves_on_any_channel_is_known_on_the_first(void **state)
{
    (void)state;
    const struct page_slot *first = &fake.usage->slots[session_get()->slot];
    uint64_t moved = first->moved, passed = first->passed;
    call_on(OTHER, 1000);
    call_on(0, 10);
    assert_int_equal(first->moved - moved, 10);
    assert_int_equal(first->passed - passed, 1000);
    assert_int_equal(fake.usage->slots[session_of(OTHER)->slot].passed, 0);
}

/* At 10 MB/s the first 64 KiB may move at once; the rest of 200 kB is paid for in 20 ms. */
static void a_call_rests_while_another_one_is_made(void **state)
{
    (void)state;
    struct session_call rest;
    struct session *first = session_get(), *other = session_of(OTHER);
    fake_grant(&fake, PAGE_PACED, 10e6);
    uint64_t start = fake_now();
    session_enter(first);
    session_acquire(first, 200000, true);
    session_set_aside(&rest);
    assert_int_equal(busy_on(0), 1);
    session_enter(other);
    session_exit(other, 0);
    assert_int_equal(busy_on(OTHER), 0);
    assert_true(fake_now() - start < 19000000);
    session_take_back(&rest);
    session_exit(first, 200000);
    assert_true(fake_now() - start > 15000000);
    assert_int_equal(busy_on(0), 0);
}

static void a_call_that_was_left_is_mended_by_one_on_another_channel(void **state)
{
    (void)state;
    session_enter(session_get()); /* and never exits */
    assert_int_equal(busy_on(0), 1);
    session_enter(session_of(OTHER));
    assert_int_equal(busy_on(0), 0);
    session_exit(session_of(OTHER), 0);
    assert_int_equal(busy_on(OTHER), 0);
}

/* 100 kB that weir_io_pace has paid for on the first channel. */
static void what_was_paid_for_in_advance_counts_on_the_first_channel_only(void **state)
{
    (void)state;
    fake_grant(&fake, PAGE_PACED, 100e6);
    assert_int_equal(session_prepay(session_get(), 100000), 100000);
    double before = fake_used(&fake);
    call_on(OTHER, 50000);
    assert_true(fake_used(&fake) - before >= 50000);
    before = fake_used(&fake);
    call_on(0, 100000);
    assert_true(fake_used(&fake) - before < 1);
}

#define WITH_TWO(test) cmocka_unit_test_setup_teardown(test, start_other, leave_other)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TWO(a_channel_has_its_own_connection_beside_that_of_the_first),
        WITH_TWO(what_moves_on_any_channel_is_known_on_the_first),
        WITH_TWO(a_call_rests_while_another_one_is_made),
        WITH_TWO(a_call_that_was_left_is_mended_by_one_on_another_channel),
        WITH_TWO(what_was_paid_for_in_advance_counts_on_the_first_channel_only),
    };
    join_as_tester();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove_path();
    return failed;
}
