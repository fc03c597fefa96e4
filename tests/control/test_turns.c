/* Which calls start when the store has room, worked out by hand. Bytes are in MB. */
#include "control/turns.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct turns *turns;

static int make_turns(void **state)
{
    struct err err;
    (void)state;
    turns = turns_new(50, &err);
    return turns ? 0 : -1;
}

static int free_turns(void **state)
{
    (void)state;
    turns_free(turns);
    return 0;
}

static void see(double now, uint32_t id, struct turns_calls calls)
{
    struct err err;
    calls.large = true;
    assert_int_equal(turns_see(turns, now, id, &calls, &err), 0);
}

static uint32_t next(double now, double reserved)
{
    return turns_next(turns, now, (struct turns_store){.bandwidth = 50, .reserved = reserved});
}

static void a_waiting_call_starts_when_the_one_in_the_store_has_passed(void **state)
{
    (void)state;
    see(0, 0, (struct turns_calls){.started = 100, .inside = 60, .rate = 25, .most = 50});
    see(0, 1, (struct turns_calls){.ahead = 10, .rate = 25, .most = 50});
    assert_true(turns_any(turns) && turns_has(turns, 0) && turns_has(turns, 1));
    assert_int_equal(next(0, 0), TURNS_NONE);
    /* 60 MB take 1.2 s at 50 MB/s, whatever its application is granted; 1 ms does not matter. */
    assert_true(fabs(turns_due(turns) - 1.199) < 1e-9);
    assert_int_equal(next(1.19, 0), TURNS_NONE);
    assert_int_equal(next(1.199, 0), 1);
    assert_false(turns_any(turns));
    assert_true(turns_due(turns) == INFINITY);
}

static void the_one_that_is_the_least_ahead_goes_first(void **state)
{
    (void)state;
    see(0, 3, (struct turns_calls){.ahead = 30, .rate = 20, .most = 50});
    see(0, 2, (struct turns_calls){.ahead = 25, .rate = 5, .most = 50});
    see(0, 1, (struct turns_calls){.ahead = 1, .rate = 0, .most = 50});
    /* After half a second they are 20 and 22.5 ahead. One that is granted nothing does not start.
     */
    assert_int_equal(next(0.5, 0), 3);
    assert_int_equal(next(0.5, 0), TURNS_NONE); /* it is about to start */
    turns_grant(turns, 0.6, 1, 10);
    assert_int_equal(next(0.6, 0), 1);
}

static void equals_go_by_their_number(void **state)
{
    (void)state;
    for (uint32_t id = 3; id-- > 0;)
        see(0, id, (struct turns_calls){.ahead = 10, .rate = 10, .most = 50});
    assert_int_equal(next(0, 0), 0);
}

static void small_calls_count_by_their_bytes_and_grants(void **state)
{
    (void)state;
    struct turns_calls small = {.rate = 40, .most = 50};
    struct err err;
    see(0, 0, (struct turns_calls){.ahead = 90, .rate = 1, .most = 50});
    assert_int_equal(turns_see(turns, 0, 1, &small, &err), 0);
    small.started = 10;
    assert_int_equal(turns_see(turns, 0, 1, &small, &err), 0);
    assert_false(turns_has(turns, 1));
    /* 10 MB take .2 s, unless what they are granted leaves room beside them. */
    assert_int_equal(next(0.1, 50), TURNS_NONE);
    assert_int_equal(next(0.1, 40), 0);
    see(0.1, 0, (struct turns_calls){.started = 20, .ahead = 80, .rate = 1, .most = 50});
    /* 5 and 20 MB more take .5 s. The small ones are behind then, by .5 s of their grants. */
    assert_int_equal(next(0.59, 40), TURNS_NONE);
    assert_int_equal(turns_see(turns, 0.61, 1, &small, &err), 0);
    assert_int_equal(next(0.61, 40), TURNS_NONE);
    turns_rest(turns, 1);
    assert_int_equal(next(0.61, 40), 0);
}

static void slow_applications_share_the_store(void **state)
{
    (void)state;
    see(0, 0, (struct turns_calls){.started = 100, .inside = 100, .rate = 10, .most = 20});
    see(0, 1, (struct turns_calls){.ahead = 5, .rate = 15, .most = 20});
    see(0, 2, (struct turns_calls){.ahead = 9, .rate = 10, .most = 20});
    see(0, 3, (struct turns_calls){.ahead = 10, .rate = 10, .most = 20});
    /* 20 of 50 are used: another, and another, but 60 are more than there is. */
    assert_int_equal(next(0, 0), 1);
    assert_int_equal(next(0, 0), 2);
    assert_int_equal(next(0, 0), TURNS_NONE);
}

static void those_that_leave_take_nobody_with_them(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    for (uint32_t id = 0; id < MANY; id++)
        see(0, id, (struct turns_calls){.ahead = 1 + id, .rate = 1, .most = 50});
    for (uint32_t id = 0; id < MANY; id++)
        if (id % 3 != 1)
            turns_forget(turns, 0, id);
    turns_forget(turns, 0, MANY); /* never seen */
    for (uint32_t id = 0; id < MANY; id++)
        assert_true(turns_has(turns, id) == (id % 3 == 1));
    see(0, 0, (struct turns_calls){.ahead = 5000, .rate = 1, .most = 50});
    assert_true(turns_has(turns, 0));
    assert_int_equal(next(0, 0), 1); /* the least ahead */
}

static void nobody_passes_its_own_limit(void **state)
{
    (void)state;
    /* Four calls at once of 10 MB each take 8 s at 5 MB/s, although they have returned. */
    see(0, 1, (struct turns_calls){.rate = 4, .most = 5});
    see(0, 1, (struct turns_calls){.started = 40, .ahead = 40, .rate = 4, .most = 5});
    assert_int_equal(next(7.9, 0), TURNS_NONE);
    assert_int_equal(next(8.1, 0), 1);
}

static void one_that_rests_or_leaves_is_not_let_in(void **state)
{
    (void)state;
    see(0, 0, (struct turns_calls){.ahead = 10, .rate = 10, .most = 50});
    see(0, 1, (struct turns_calls){.ahead = 11, .rate = 10, .most = 50});
    turns_rest(turns, 0);
    turns_forget(turns, 0, 1);
    turns_rest(turns, 7);
    turns_grant(turns, 0, 7, 1);
    turns_forget(turns, 0, 7);
    assert_int_equal(next(1, 0), TURNS_NONE);
}

/* A call has returned at .5, and is not counted yet; the next look sees it, and the one that
 * follows. 120 MB began in all, and pass in 2.4 s. */
static void bytes_begin_once(void **state)
{
    (void)state;
    see(0, 0, (struct turns_calls){.rate = 50, .most = 50});
    see(0, 0, (struct turns_calls){.started = 60, .inside = 60, .rate = 50, .most = 50});
    see(0.5, 0, (struct turns_calls){.rate = 50, .most = 50});
    see(0.5, 0, (struct turns_calls){.started = 120, .inside = 60, .rate = 50, .most = 50});
    see(0.5, 1, (struct turns_calls){.ahead = 10, .rate = 25, .most = 50});
    assert_int_equal(next(2.39, 0), TURNS_NONE);
    assert_int_equal(next(2.41, 0), 1);
}

/* The store is slower than it is said to be. */
static void a_call_is_in_the_store_until_it_returns(void **state)
{
    (void)state;
    see(0, 0, (struct turns_calls){.rate = 50, .most = 50});
    see(0, 0, (struct turns_calls){.started = 50, .inside = 50, .rate = 50, .most = 50});
    assert_int_equal(next(2, 0), TURNS_NONE);
    assert_true(turns_has(turns, 0) && turns_busy(turns));
    see(2, 0, (struct turns_calls){.started = 50, .rate = 50, .most = 50});
    assert_false(turns_has(turns, 0) || turns_busy(turns));
}

/* What is left at 1e9 s takes less time than there is between two dates. */
static void a_rest_by_rounding_has_passed(void **state)
{
    (void)state;
    see(1e9, 0, (struct turns_calls){.rate = 50, .most = 50});
    see(1e9, 0, (struct turns_calls){.started = 0.05 + 1e-6, .rate = 0, .most = 50});
    see(1e9, 1, (struct turns_calls){.ahead = 10, .rate = 25, .most = 50});
    assert_int_equal(next(1e9, 0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_waiting_call_starts_when_the_one_in_the_store_has_passed,
                                        make_turns, free_turns),
        cmocka_unit_test_setup_teardown(the_one_that_is_the_least_ahead_goes_first, make_turns,
                                        free_turns),
        cmocka_unit_test_setup_teardown(equals_go_by_their_number, make_turns, free_turns),
        cmocka_unit_test_setup_teardown(small_calls_count_by_their_bytes_and_grants, make_turns,
                                        free_turns),
        cmocka_unit_test_setup_teardown(slow_applications_share_the_store, make_turns, free_turns),
        cmocka_unit_test_setup_teardown(those_that_leave_take_nobody_with_them, make_turns,
                                        free_turns),
        cmocka_unit_test_setup_teardown(nobody_passes_its_own_limit, make_turns, free_turns),
        cmocka_unit_test_setup_teardown(one_that_rests_or_leaves_is_not_let_in, make_turns,
                                        free_turns),
        cmocka_unit_test_setup_teardown(bytes_begin_once, make_turns, free_turns),
        cmocka_unit_test_setup_teardown(a_call_is_in_the_store_until_it_returns, make_turns,
                                        free_turns),
        cmocka_unit_test_setup_teardown(a_rest_by_rounding_has_passed, make_turns, free_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
