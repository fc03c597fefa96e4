#include "base/mem.h"
#include "model/parties.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char *const texts[] = {"eve", NULL, "ada", "eve", "bob", "ada", NULL};
enum { COUNT = sizeof texts / sizeof *texts };

static void equal_names_have_equal_numbers_by_first_appearance(void **state)
{
    (void)state;
    struct parties parties, copy;
    struct arena arena = {0};
    uint32_t numbers[COUNT];
    static const uint32_t expected[COUNT] = {1, 0, 2, 1, 3, 2, 0};
    assert_int_equal(parties_number(&parties, texts, numbers, COUNT, &arena), 0);
    assert_memory_equal(numbers, expected, sizeof numbers);
    assert_int_equal(parties.count, 3);
    assert_string_equal(party_name(&parties, 1), "eve");
    assert_string_equal(party_name(&parties, 3), "bob");
    assert_null(party_name(&parties, 0));
    assert_int_equal(parties_copy(&copy, &parties, &arena), 0);
    assert_string_equal(party_name(&copy, 2), "ada");
    arena_fini(&arena);
}

static void without_names_there_are_no_parties(void **state)
{
    (void)state;
    struct parties parties;
    struct arena arena = {0};
    uint32_t number = 7;
    assert_int_equal(parties_number(&parties, &texts[1], &number, 1, &arena), 0);
    assert_int_equal(parties.count, 0);
    assert_int_equal(number, 0);
    arena_fini(&arena);
}

static void a_failed_allocation_is_reported(void **state)
{
    (void)state;
    for (long n = 0; n < 2; n++) {
        struct parties parties;
        struct arena arena = {0};
        uint32_t numbers[COUNT];
        mem_fail_after(n);
        assert_int_equal(parties_number(&parties, texts, numbers, COUNT, &arena), -1);
        mem_fail_after(-1);
        arena_fini(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_names_have_equal_numbers_by_first_appearance),
        cmocka_unit_test(without_names_there_are_no_parties),
        cmocka_unit_test(a_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
