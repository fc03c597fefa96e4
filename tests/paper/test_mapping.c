#include "common.h"
#include "mapping.h"

static void packs_against_first_fit_on_ten_loads(void **state)
{
    (void)state;
    mapping_compare_packs(1, 4);
}

static void lists_against_packs_on_jobs_as_on_mira(void **state)
{
    (void)state;
    mapping_compare_lists(MAPPING_MN, 3, true);
    mapping_compare_lists(MAPPING_MB, 3, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs_against_first_fit_on_ten_loads),
        cmocka_unit_test(lists_against_packs_on_jobs_as_on_mira),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
