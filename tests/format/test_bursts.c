#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "format/bursts.h"
#include <math.h>

static void add(struct bursts *bursts, double start, double end, double volume)
{
    assert_int_equal(bursts_add(bursts, start, end, volume), 0);
}

static void expect(const struct bursts *bursts, size_t k, double start, double end, double volume)
{
    assert_true(bursts->list[k].start == start && bursts->list[k].end == end);
    assert_true(bursts->list[k].volume == volume);
}

static void accesses_of_any_order_join_across_short_gaps(void **state)
{
    (void)state;
    struct bursts bursts = {0};
    add(&bursts, 10, 11, 1);
    add(&bursts, 0, 1, 2);
    add(&bursts, 0.5, 0.7, 4); /* inside the one before */
    add(&bursts, 1.2, 3, 8);   /* 0.2 s behind it */
    add(&bursts, 11, 12, 16);  /* touches the first */
    bursts_cluster(&bursts, 0.25);
    assert_int_equal(bursts.count, 2);
    expect(&bursts, 0, 0, 3, 14);
    expect(&bursts, 1, 10, 12, 17);
    bursts_fini(&bursts);
}

static void the_gap_lies_within_the_largest_relative_step(void **state)
{
    (void)state;
    struct bursts bursts = {0};
    struct gap gap;
    /* Pauses of 0.01, 0.5, 0.4, 200 and 300 s. From 0.05 to 0.4 is a factor of 8, from 0.5 to 200
     * one of 400, and sqrt(0.5 * 200) = 10. */
    const double pauses[] = {0.01, 0.5, 0.4, 200, 300};
    double date = 0;
    add(&bursts, 0, 1, 1);
    for (int i = 0; i < 5; i++) {
        date += 1 + pauses[i];
        add(&bursts, date, date + 1, 1);
    }
    assert_int_equal(bursts_find_gap(&bursts, &gap), 0);
    assert_true(fabs(gap.length - 10) < 1e-9);
    assert_true(fabs(gap.below - 0.5) < 1e-9 && fabs(gap.above - 200) < 1e-9);
    bursts_cluster(&bursts, gap.length);
    assert_int_equal(bursts.count, 3);
    assert_true(bursts.list[0].volume == 4);
    bursts_fini(&bursts);
}

static void pauses_of_50_ms_never_separate_phases(void **state)
{
    (void)state;
    struct bursts bursts = {0};
    struct gap gap;
    for (int i = 0; i < 10; i++)
        add(&bursts, i * 0.04, i * 0.04 + 0.001, 1);
    assert_int_equal(bursts_find_gap(&bursts, &gap), 0);
    assert_true(gap.length == 0.05 && isinf(gap.above));
    assert_int_equal(bursts.count, 1);
    bursts_fini(&bursts);
}

static void a_million_accesses_keep_their_phases_in_bounded_memory(void **state)
{
    (void)state;
    enum { PHASES = 100, EACH = 10000 };
    struct bursts bursts = {0};
    struct gap gap;
    /* Each takes 1 ms and is followed by a pause of 1 ms, so a phase lasts 20 s; one begins every
     * 100 s. Accesses come across phases, as they would from a file per rank. */
    for (int k = 0; k < EACH; k++)
        for (int i = PHASES - 1; i >= 0; i--)
            add(&bursts, 100.0 * i + 0.002 * k, 100.0 * i + 0.002 * k + 0.001, 3);
    assert_true(bursts.capacity * sizeof *bursts.list <= 16 << 20);
    assert_int_equal(bursts_find_gap(&bursts, &gap), 0);
    assert_true(gap.above > 79 && gap.above < 81);
    bursts_cluster(&bursts, gap.length);
    assert_int_equal(bursts.count, PHASES);
    for (int i = 0; i < PHASES; i++)
        assert_true(bursts.list[i].volume == 3.0 * EACH);
    bursts_fini(&bursts);
}

static void a_failing_allocation_is_reported(void **state)
{
    (void)state;
    struct bursts bursts = {0};
    struct gap gap;
    mem_fail_after(0);
    assert_int_equal(bursts_add(&bursts, 0, 1, 1), -1);
    mem_fail_after(-1);
    add(&bursts, 0, 1, 1);
    add(&bursts, 2, 3, 1);
    mem_fail_after(0);
    assert_int_equal(bursts_find_gap(&bursts, &gap), -1);
    mem_fail_after(-1);
    bursts_fini(&bursts);
}

static void pauses_are_not_busy(void **state)
{
    (void)state;
    struct bursts bursts = {0};
    add(&bursts, 0, 4, 1);
    add(&bursts, 1, 2, 1); /* within the first */
    add(&bursts, 3, 5, 1); /* overlaps it */
    add(&bursts, 8, 9, 1);
    add(&bursts, 6, 7, 1); /* before the last */
    bursts_cluster(&bursts, 1);
    assert_int_equal(bursts.count, 1);
    assert_true(bursts.list->end == 9 && bursts.list->volume == 5);
    assert_true(bursts.list->busy == 5 + 1 + 1);
    bursts_fini(&bursts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pauses_are_not_busy),
        cmocka_unit_test(accesses_of_any_order_join_across_short_gaps),
        cmocka_unit_test(the_gap_lies_within_the_largest_relative_step),
        cmocka_unit_test(pauses_of_50_ms_never_separate_phases),
        cmocka_unit_test(a_million_accesses_keep_their_phases_in_bounded_memory),
        cmocka_unit_test(a_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests_name("format/bursts", tests, NULL, NULL);
}
