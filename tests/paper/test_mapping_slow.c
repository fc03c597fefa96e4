#include "common.h"
#include "mapping.h"

static void packs_against_first_fit_on_all_loads(void **state)
{
    (void)state;
    mapping_compare_packs(10, 1);
}

static void lists_against_packs_on_jobs_as_on_mira(void **state)
{
    (void)state;
    for (int backfill = 0; backfill < 2; backfill++) {
        mapping_compare_lists(MAPPING_MN, 10, backfill);
        mapping_compare_lists(MAPPING_MB, 10, backfill);
    }
}

static void lists_against_packs_on_jobs_of_all_kinds(void **state)
{
    (void)state;
    mapping_compare_lists(MAPPING_NU, 5, true);
    mapping_compare_lists(MAPPING_BU, 5, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs_against_first_fit_on_all_loads),
        cmocka_unit_test(lists_against_packs_on_jobs_as_on_mira),
        cmocka_unit_test(lists_against_packs_on_jobs_of_all_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
