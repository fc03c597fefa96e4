/* APIO (Zha and Shen 2022) against online strategies, on a few seeds. */
#include "apio.h"
#include "common.h"

static const struct apio_study study = {3, 4.303};

static void with_the_published_bandwidth_apio_is_as_good_as_min_max(void **state)
{
    (void)state;
    apio_as_published(&study);
}

static void under_load_apio_beats_plans_and_loses_to_online_strategies(void **state)
{
    (void)state;
    apio_congested(&study, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_the_published_bandwidth_apio_is_as_good_as_min_max),
        cmocka_unit_test(under_load_apio_beats_plans_and_loses_to_online_strategies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
