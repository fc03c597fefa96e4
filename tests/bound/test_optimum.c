/* The best schedules of workloads that are small enough to be understood. */
#include "bound/bound.h"
#include "bound/optimum.h"
#include "support/small.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

/* Sets the window from 0 to the end, none if that is 0, and finds the optimum. */
static struct optimum find(double end, uint64_t most)
{
    struct optimum optimum;
    struct window window = {.kind = end > 0 ? WINDOW_FIXED : WINDOW_NONE, .end = end};
    assert_int_equal(workload_set_window(&small.workload, window, NULL), 0);
    const struct optimum_effort effort = {.most = most};
    assert_int_equal(optimum_find(&small.workload, &effort, &optimum, NULL), 0);
    return optimum;
}

static void expect_optimum(struct optimum optimum, double yield)
{
    assert_true(optimum.proved);
    expect_near(optimum.reached, yield, 2 * OPTIMUM_GAP);
    expect_near(optimum.bound, yield, 2 * OPTIMUM_GAP);
}

static void one_of_two_that_collide_waits(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "v1 w9");
    small_add(&small, 1, "v1 w9");
    expect_optimum(find(4, 1000), 1 - 1.0 / 4); /* a second of four */
    expect_optimum(find(0, 1000), 10.0 / 11);   /* of a run: 11 s instead of 10 */
}

static void ios_that_do_not_end_share_what_is_left(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "v10");
    small_add(&small, 1, "v10");
    expect_optimum(find(4, 1000), 0.5); /* both have moved 2 bytes of 4 */
}

static void equal_ones_meet_only_once(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "v1 w1 v1 w1 v1 w1 v1");
    small_add(&small, 1, "v1 w1 v1 w1 v1 w1 v1");
    struct optimum optimum = find(8, 10000);
    /* One of them waits for a second, and they never meet again. */
    expect_optimum(optimum, 1 - 1.0 / 8);
}

static void what_came_before_counts(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_age(small_add(&small, 1, "v1 w9"), 10, 9);
    small_add(&small, 1, "v1 w9");
    /* The old one has lost 1 of 10 s: as the second it would have lost 2 of 14 at the end, the new
     * one 0 of 4; as the first 1 of 14, and the new one 1 of 4. */
    expect_optimum(find(4, 1000), 1 - 2.0 / 14);
}

static void too_few_decisions_leave_bounds(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w1.1 v2 w2.3 v3 x6");
    small_add(&small, 10, "w1.7 v2 w1.9 v1 x6");
    small_add(&small, 10, "w0.7 v1 w2.1 v2 x6");
    small_add(&small, 10, "w2.6 v4 w3.1 v2 x6");
    small_add(&small, 10, "w1.3 v2 w1.6 v2 x6");
    struct optimum few = find(16, 50), more = find(16, 20000);
    assert_false(few.proved);
    assert_true(few.reached <= more.reached && more.bound <= few.bound);
    assert_true(more.reached <= more.bound);
}

static void what_cannot_be_searched_is_refused(void **state)
{
    (void)state;
    const struct optimum_effort effort = {.most = 10};
    struct optimum optimum;
    struct err err;
    small_init(&small, 10);
    small_add(&small, 5, "v1");
    assert_int_equal(optimum_find(&small.workload, &effort, &optimum, &err), -1);
    small_init(&small, 10);
    for (int i = 0; i <= OPTIMUM_APPLICATIONS; i++)
        small_add(&small, 10, "v1");
    assert_int_equal(optimum_find(&small.workload, &effort, &optimum, &err), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_of_two_that_collide_waits),
        cmocka_unit_test(ios_that_do_not_end_share_what_is_left),
        cmocka_unit_test(equal_ones_meet_only_once),
        cmocka_unit_test(what_came_before_counts),
        cmocka_unit_test(too_few_decisions_leave_bounds),
        cmocka_unit_test(what_cannot_be_searched_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
