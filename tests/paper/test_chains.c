#include "chains.h"
#include "common.h"

/* As many instances as the thesis has (Table II.1). */
enum { INSTANCES = 1000 };

static void uniform_jobs_run_far_from_hrr_under_best_effort_and_near_it_under_fifo(void **state)
{
    (void)state;
    uniform_compare(INSTANCES);
}

static void noise_helps_best_effort_but_it_stays_behind_fifo(void **state)
{
    (void)state;
    uniform_compare_noisy(INSTANCES);
}

static void lists_beat_periodic_orders_at_low_weight_and_most_remaining_everywhere(void **state)
{
    (void)state;
    general_compare(INSTANCES);
}

static void noise_of_50_percent_costs_periodic_orders_a_little_and_lists_nothing(void **state)
{
    (void)state;
    general_compare_noisy(INSTANCES, .5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_jobs_run_far_from_hrr_under_best_effort_and_near_it_under_fifo),
        cmocka_unit_test(noise_helps_best_effort_but_it_stays_behind_fifo),
        cmocka_unit_test(lists_beat_periodic_orders_at_low_weight_and_most_remaining_everywhere),
        cmocka_unit_test(noise_of_50_percent_costs_periodic_orders_a_little_and_lists_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
