#include "base/agenda.h"
#include "base/mem.h"
#include "base/random.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void an_empty_agenda_has_no_date(void **state)
{
    (void)state;
    struct agenda agenda;
    assert_int_equal(agenda_init(&agenda, 5), 0);
    assert_true(agenda_date(&agenda) == INFINITY);
    assert_true(agenda_first(&agenda) < 5);
    agenda_fini(&agenda);
}

static void one_slot_is_enough(void **state)
{
    (void)state;
    struct agenda agenda;
    assert_int_equal(agenda_init(&agenda, 1), 0);
    agenda_set(&agenda, 0, 3);
    assert_int_equal(agenda_first(&agenda), 0);
    assert_true(agenda_date(&agenda) == 3);
    agenda_set(&agenda, 0, INFINITY);
    assert_true(agenda_date(&agenda) == INFINITY);
    agenda_fini(&agenda);
}

static void equal_dates_go_to_the_lower_slot(void **state)
{
    (void)state;
    struct agenda agenda;
    assert_int_equal(agenda_init(&agenda, 6), 0);
    agenda_set(&agenda, 5, 1);
    assert_int_equal(agenda_first(&agenda), 5);
    agenda_set(&agenda, 2, 1);
    assert_int_equal(agenda_first(&agenda), 2);
    agenda_set(&agenda, 3, 1);
    assert_int_equal(agenda_first(&agenda), 2);
    agenda_set(&agenda, 2, 2);
    assert_int_equal(agenda_first(&agenda), 3);
    agenda_fini(&agenda);
}

/* Few distinct dates, so that ties are common, and every kind of change: earlier, later, away. */
static void compare_with_a_search(uint32_t slots)
{
    struct agenda agenda;
    double dates[70];
    struct random random = random_at(1, slots, 0);
    assert_int_equal(agenda_init(&agenda, slots), 0);
    for (uint32_t i = 0; i < slots; i++)
        dates[i] = INFINITY;
    for (int step = 0; step < 5000; step++) {
        uint32_t slot = random_below(&random, slots), date = random_below(&random, 12);
        dates[slot] = date == 0 ? INFINITY : (double)date - 1;
        if (date == 0 && random_below(&random, 2))
            agenda_clear(&agenda, slot);
        else
            agenda_set(&agenda, slot, dates[slot]);
        uint32_t first = 0;
        for (uint32_t i = 1; i < slots; i++)
            first = dates[i] < dates[first] ? i : first;
        assert_true(agenda_date(&agenda) == dates[first]);
        if (dates[first] < INFINITY)
            assert_int_equal(agenda_first(&agenda), first);
    }
    agenda_fini(&agenda);
}

static void the_first_is_always_what_a_search_finds(void **state)
{
    (void)state;
    for (uint32_t slots = 1; slots <= 70; slots++)
        compare_with_a_search(slots);
}

static void running_out_of_memory_leaves_nothing(void **state)
{
    (void)state;
    struct agenda agenda;
    int n = 0, result;
    do {
        mem_fail_after(n++);
        result = agenda_init(&agenda, 100);
    } while (result != 0 && n < 10);
    mem_fail_after(-1);
    assert_int_equal(n, 3); /* two allocations, so the third try succeeds */
    agenda_fini(&agenda);
    assert_int_equal(agenda_init(&agenda, UINT32_MAX), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_agenda_has_no_date),
        cmocka_unit_test(one_slot_is_enough),
        cmocka_unit_test(equal_dates_go_to_the_lower_slot),
        cmocka_unit_test(the_first_is_always_what_a_search_finds),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
