#include "common.h"
#include "synthetic.h"

static void fifty_instances_per_pressure_lie_within_the_sampling_error(void **state)
{
    (void)state;
    synthetic_compare(50, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fifty_instances_per_pressure_lie_within_the_sampling_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
