/* APIO (Zha and Shen 2022) against online strategies, on many seeds. */
#include "apio.h"
#include "common.h"

static const struct apio_study study = {30, 2.045};

static void with_the_published_bandwidth_apio_is_as_good_as_min_max(void **state)
{
    (void)state;
    apio_as_published(&study);
}

static void under_load_apio_beats_plans_and_loses_to_online_strategies(void **state)
{
    (void)state;
    apio_congested(&study, 0.8);
    apio_congested(&study, 1);
    apio_congested(&study, 1.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_the_published_bandwidth_apio_is_as_good_as_min_max),
        cmocka_unit_test(under_load_apio_beats_plans_and_loses_to_online_strategies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
