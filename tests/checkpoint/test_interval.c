/* The interval of one application alone: formulas. */
#include "checkpoint/interval.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* C = 60 s, M = 1 d: sqrt(2 * 60 * 86400) = 3219.94; * (1 + sqrt(60/172800)/3 + 60/172800/9) - 60.
 */
static void young_and_daly_are_as_published(void **state)
{
    (void)state;
    expect_near(interval_young(60, 86400), 3219.9379, 1e-7);
    expect_near(interval_daly(60, 86400), 3219.9379 * (1 + 0.018633900 / 3 + 3.4722222e-4 / 9) - 60,
                1e-7);
    expect_near(interval_daly(200, 100), 100, 1e-12);
}

/* Daly's series is near the exact minimum, which no neighbour beats. */
static void the_best_interval_is_the_least(void **state)
{
    (void)state;
    for (double cost = 1; cost < 1e4; cost *= 3) {
        const struct failures failures = {86400, cost};
        double best = interval_best(&failures, cost);
        double least = interval_expected(&failures, 1e6, best, cost);
        expect_near(best / interval_daly(cost, 86400), 1, 3e-3);
        assert_true(least <= interval_expected(&failures, 1e6, best * 1.001, cost));
        assert_true(least <= interval_expected(&failures, 1e6, best / 1.001, cost));
    }
}

/* Hardly any failure: the work and its checkpoints. And e - 1 instead of 1 when tau + C = M. */
static void the_expected_time_is_dalys(void **state)
{
    (void)state;
    expect_near(interval_expected(&(struct failures){1e15, 0}, 1000, 100, 10), 1100, 1e-9);
    expect_near(interval_expected(&(struct failures){100, 0}, 1000, 90, 10),
                100 * (2.718281828459045 - 1) * 1000 / 90, 1e-12);
    expect_near(interval_expected(&(struct failures){100, 100}, 1000, 90, 10),
                2.718281828459045 * 100 * (2.718281828459045 - 1) * 1000 / 90, 1e-12);
    assert_true(isinf(interval_expected(&(struct failures){100, 0}, 1000, 0, 10)));
}

/* 1,000 s in parts of 300 s: three whole ones, and 100 s. */
static void whole_checkpoints_are_counted(void **state)
{
    (void)state;
    const struct failures failures = {100, 0};
    expect_near(interval_count(1000, 300), 4, 0);
    expect_near(interval_count(900, 300), 3, 0);
    expect_near(interval_count(900, 1000), 1, 0);
    expect_near(interval_expected_whole(&(struct failures){1e15, 0}, 1000, 300, 10), 1040, 1e-9);
    expect_near(interval_expected_whole(&failures, 180, 90, 10),
                interval_expected(&failures, 180, 90, 10), 1e-12);
    expect_near(interval_expected_whole(&failures, 90, 1000, 10), 100 * (2.718281828459045 - 1),
                1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(young_and_daly_are_as_published),
        cmocka_unit_test(the_best_interval_is_the_least),
        cmocka_unit_test(the_expected_time_is_dalys),
        cmocka_unit_test(whole_checkpoints_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
