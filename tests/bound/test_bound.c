/* Bounds of workloads that are small enough to be understood. */
#include "bound/bound.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

/* Sets the window from 0 to the end, none if that is 0, and finds the bounds. */
static struct bounds find(double end)
{
    struct bounds bounds;
    struct window window = {.kind = end > 0 ? WINDOW_FIXED : WINDOW_NONE, .end = end};
    assert_int_equal(workload_set_window(&small.workload, window, NULL), 0);
    assert_int_equal(bounds_find(&small.workload, &bounds, NULL), 0);
    return bounds;
}

static double find_efficiency(double min_yield)
{
    double efficiency;
    assert_int_equal(bounds_efficiency(&small.workload, min_yield, &efficiency, NULL), 0);
    return efficiency;
}

static void applications_that_never_meet_lose_nothing(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "w2 v1 x3");
    small_add(&small, 1, "v1 w2 x3")->facts.release = 0.5;
    struct bounds bounds = find(0);
    expect_near(bounds.min_yield, 1, 1e-12);
    expect_near(bounds.max_stretch, 1, 1e-12);
    expect_near(bounds.makespan, 9.5, 1e-12);
}

/* The first has 1e-6 s of work and has waited for 20 s: its yield is 1e-6 / 20.000001 whatever
 * happens. With that the last may lose 2.6e8 s, a time that is rounded by more bytes than two
 * sums of 110 may differ. */
static void a_tiny_yield_is_not_refused_because_of_rounding(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_age(small_add(&small, 10, "w0.000001"), 20, 0);
    small_age(small_add(&small, 10, "v0.001"), 20, 20);
    small_add(&small, 10, "v0.001 v0.001")->facts.release = 1000;
    small_age(small_add(&small, 10, "v55 v55 w2"), 20, 0);
    struct bounds bounds = find(0);
    assert_true(bounds.min_yield >= 1e-6 / 20.000001 * (1 - 1e-9));
}

/* One ends at 1 and the other at 2, or both at 2. */
static void of_two_equal_transfers_one_ends_late(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "v1");
    small_add(&small, 1, "v1");
    struct bounds bounds = find(0);
    expect_near(bounds.max_stretch, 2, 1e-8);
    expect_near(bounds.makespan, 2, 1e-12);
    assert_true(isnan(find(5).max_stretch));
    expect_near(find(5).min_yield, 0.5, 1e-8);
    assert_true(isnan(find(5).makespan));
}

/* Two that move bytes all the time share one that moves half as many. */
static void a_saturated_window_is_shared(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "v2");
    small_add(&small, 1, "v2");
    struct bounds bounds = find(2);
    expect_near(bounds.min_yield, 0.5, 1e-8);
    expect_near(bounds.efficiency, 0.5, 1e-8);
    assert_true(isnan(find_efficiency(0.6)));
    expect_near(find_efficiency(0.5 - 1e-6), 0.5, 1e-8);
}

/* 2 of 4 bytes are not moved. Those of the one with fewer nodes cost less, unless its yield has to
 * be at least 1/4: then it may lose 1.5 s, and the other loses 0.5 s of 3 nodes. */
static void efficiency_is_lost_where_it_costs_least(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "v2");
    small_add(&small, 1, "v2")->facts.nodes = 3;
    expect_near(find(2).efficiency, (8 - 2) / 8.0, 1e-8);
    expect_near(find_efficiency(0.25), (8 - 1.5 - 3 * 0.5) / 8, 1e-8);
}

/* It lost 2 of its 4 seconds before time 0, and loses nothing more: 1 - 2/8. The other is as old,
 * lost nothing, and can lose all of the contention. */
static void what_was_lost_before_counts(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_age(small_add(&small, 1, "w4"), 4, 2);
    expect_near(find(4).min_yield, 0.75, 1e-8);
    small_age(small_add(&small, 1, "v4"), 4, 4);
    expect_near(find(4).min_yield, 0.75, 1e-8);
    expect_near(find(4).efficiency, 1, 1e-8);
}

/* The second could wait for 3 s and still end in time: nothing is lost. */
static void an_end_within_the_window_costs_nothing(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "v3");
    small_add(&small, 1, "v1");
    /* 4 node seconds of progress in 2 nodes * 4 s */
    expect_near(find(4).efficiency, 4 / 8.0, 1e-8);
}

static void a_window_that_begins_later_has_no_bound_on_efficiency(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "v4");
    struct window window = {.kind = WINDOW_FIXED, .start = 1, .end = 4};
    struct bounds bounds;
    assert_int_equal(workload_set_window(&small.workload, window, NULL), 0);
    assert_int_equal(bounds_find(&small.workload, &bounds, NULL), 0);
    assert_true(isnan(bounds.efficiency));
    expect_near(bounds.min_yield, 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(applications_that_never_meet_lose_nothing),
        cmocka_unit_test(a_tiny_yield_is_not_refused_because_of_rounding),
        cmocka_unit_test(of_two_equal_transfers_one_ends_late),
        cmocka_unit_test(a_saturated_window_is_shared),
        cmocka_unit_test(efficiency_is_lost_where_it_costs_least),
        cmocka_unit_test(what_was_lost_before_counts),
        cmocka_unit_test(an_end_within_the_window_costs_nothing),
        cmocka_unit_test(a_window_that_begins_later_has_no_bound_on_efficiency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
