#include "chains.h"
#include "common.h"

enum { INSTANCES = 10000 };

static void the_findings_on_uniform_jobs_hold_for_ten_times_as_many(void **state)
{
    (void)state;
    uniform_compare(INSTANCES);
    uniform_compare_noisy(INSTANCES);
}

static void the_findings_on_general_jobs_hold_for_ten_times_as_many(void **state)
{
    (void)state;
    general_compare(INSTANCES);
    general_compare_noisy(INSTANCES, .2);
    general_compare_noisy(INSTANCES, .5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_findings_on_uniform_jobs_hold_for_ten_times_as_many),
        cmocka_unit_test(the_findings_on_general_jobs_hold_for_ten_times_as_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
