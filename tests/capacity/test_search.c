#include "base/mem.h"
#include "capacity/search.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { COUNTS = 2048 };

/* Which counts are good enough, and how often each was tried. The value of a count is itself. */
static bool good[COUNTS];
static int tried[COUNTS];

static int probe(void *context, uint32_t count, double *value, struct err *err)
{
    const uint32_t *broken = context;
    assert_true(count < COUNTS);
    tried[count]++;
    if (broken && count == *broken)
        return err_set(err, "broken");
    *value = count;
    return good[count];
}

static void set_good(uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i <= last; i++)
        good[i] = true;
}

static void reset(void)
{
    memset(good, 0, sizeof good);
    memset(tried, 0, sizeof tried);
}

static struct capacity_search_result find(uint32_t most)
{
    struct capacity_search_result result = {0};
    struct capacity_search search = {.most = most, .probe = probe};
    assert_int_equal(search_largest(&search, &result, NULL), 0);
    return result;
}

static void every_boundary_is_found_whatever_the_most(void **state)
{
    (void)state;
    for (uint32_t most = 0; most <= 70; most++)
        for (uint32_t last = 0; last <= 75; last++) {
            reset();
            set_good(1, last);
            struct capacity_search_result result = find(most);
            assert_int_equal(result.count, last < most ? last : most);
            assert_int_equal(result.again, 0);
            assert_true(result.value == result.count);
            if (last < most)
                assert_true(result.next == last + 1);
            else
                assert_true(isnan(result.next));
        }
}

static void no_count_is_tried_twice_or_above_the_most(void **state)
{
    (void)state;
    reset();
    set_good(1, 700);
    struct capacity_search_result result = find(1000);
    uint32_t probes = 0;
    for (uint32_t i = 0; i < COUNTS; i++) {
        assert_true(tried[i] <= 1);
        assert_true(tried[i] == 0 || i <= 1000);
        probes += (uint32_t)tried[i];
    }
    assert_int_equal(result.probes, probes);
    /* 1 to 512 and 1000 (11), bisection of [512, 1000] (at most 9), 4 on either side. */
    assert_true(probes <= 11 + 9 + 2 * SEARCH_MARGIN);
}

static void a_gap_that_is_met_ends_the_search_below_it(void **state)
{
    (void)state;
    reset();
    set_good(1, 40);
    good[37] = false; /* 40 is found first, then 37 among the four below */
    struct capacity_search_result result = find(1000);
    assert_int_equal(result.count, 36);
    assert_true(result.next == 37);
    assert_int_equal(result.again, 40);
}

static void gaps_below_gaps_lead_further_down(void **state)
{
    (void)state;
    reset();
    set_good(1, 40);
    good[38] = good[35] = good[31] = false;
    struct capacity_search_result result = find(1000);
    assert_int_equal(result.count, 30);
    /* 31 + 4 = 35 is the last that is looked at. */
    assert_int_equal(result.again, 34);
}

static void a_gap_below_the_most_is_seen_too(void **state)
{
    (void)state;
    reset();
    set_good(1, 20);
    good[18] = false;
    struct capacity_search_result result = find(20);
    assert_int_equal(result.count, 17);
    assert_true(result.next == 18);
    assert_int_equal(result.again, 20);
}

/* All 2^11 patterns of the counts from 1 to 11. */
static void for_up_to_seven_the_answer_is_the_first_that_is_not_good_less_one(void **state)
{
    (void)state;
    for (uint32_t pattern = 0; pattern < 1u << 11; pattern++) {
        reset();
        for (uint32_t i = 1; i <= 11; i++)
            good[i] = pattern >> (i - 1) & 1;
        struct capacity_search_result result = find(11);
        uint32_t first = 1;
        while (first <= 11 && good[first])
            first++;
        if (result.count <= 7)
            assert_int_equal(result.count, first - 1);
        for (uint32_t i = 1; i <= SEARCH_MARGIN && i < result.count; i++)
            assert_true(good[result.count - i]);
    }
}

static void nothing_is_measured_to_find_that_one_is_good_but_one(void **state)
{
    (void)state;
    reset();
    good[1] = true;
    struct capacity_search_result result = find(1);
    assert_int_equal(result.count, 1);
    assert_int_equal(result.probes, 1);
    assert_int_equal(tried[0], 0);
}

static void nobody_is_measured_if_one_is_too_many(void **state)
{
    (void)state;
    reset();
    struct capacity_search_result result = find(1000);
    assert_int_equal(result.count, 0);
    assert_int_equal(tried[0], 1);
    assert_true(result.value == 0 && result.next == 1);
}

static void a_probe_that_fails_ends_the_search_wherever_it_is(void **state)
{
    (void)state;
    for (uint32_t broken = 0; broken <= 40; broken++) {
        struct err err = {0};
        struct capacity_search_result result;
        struct capacity_search search = {.most = 1000, .probe = probe, .context = &broken};
        reset();
        set_good(1, 33);
        int status = search_largest(&search, &result, &err);
        assert_int_equal(status, tried[broken] ? -1 : 0);
        assert_string_equal(err.text, tried[broken] ? "broken" : "");
    }
}

static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    for (long n = 0;; n++) {
        struct err err = {0};
        struct capacity_search_result result;
        struct capacity_search search = {.most = 1000, .probe = probe};
        reset();
        set_good(1, 33);
        mem_fail_after(n);
        int status = search_largest(&search, &result, &err);
        mem_fail_after(-1);
        if (status == 0)
            break;
        assert_string_equal(err.text, "out of memory");
        assert_true(n < 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_boundary_is_found_whatever_the_most),
        cmocka_unit_test(no_count_is_tried_twice_or_above_the_most),
        cmocka_unit_test(a_gap_that_is_met_ends_the_search_below_it),
        cmocka_unit_test(gaps_below_gaps_lead_further_down),
        cmocka_unit_test(a_gap_below_the_most_is_seen_too),
        cmocka_unit_test(for_up_to_seven_the_answer_is_the_first_that_is_not_good_less_one),
        cmocka_unit_test(nothing_is_measured_to_find_that_one_is_good_but_one),
        cmocka_unit_test(nobody_is_measured_if_one_is_too_many),
        cmocka_unit_test(a_probe_that_fails_ends_the_search_wherever_it_is),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
