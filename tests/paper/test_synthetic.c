#include "common.h"
#include "synthetic.h"

static void eight_instances_at_high_pressure_lie_within_the_sampling_error(void **state)
{
    (void)state;
    synthetic_compare(8, 1.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_instances_at_high_pressure_lie_within_the_sampling_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
