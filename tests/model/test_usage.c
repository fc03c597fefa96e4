#include "model/usage.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double sum(const struct usage *usage, enum usage_kind kind)
{
    double total = 0;
    for (int i = 0; i < USAGE_PARTS; i++)
        total += usage->parts[i][kind];
    return total;
}

/* Three nodes from 0.5 to 2.25 are 1.5, 3 and 0.75 node seconds in parts of a second. */
static void node_time_goes_to_the_parts_it_lies_in(void **state)
{
    (void)state;
    struct usage usage;
    usage_init(&usage, 0, 1);
    usage_add(&usage, USAGE_IO, (const double[]){0.5, 2.25}, 3);
    assert_true(usage.parts[0][USAGE_IO] == 1.5);
    assert_true(usage.parts[1][USAGE_IO] == 3);
    assert_true(usage.parts[2][USAGE_IO] == 0.75);
    assert_true(sum(&usage, USAGE_WORK) == 0);
}

/* 1000 s need parts of 8 s: the first 127 of 128 parts of 4 s end at 508. Then [3, 4) and [4, 5)
 * lie in the same part. */
static void parts_become_longer_and_keep_their_sums(void **state)
{
    (void)state;
    struct usage usage;
    usage_init(&usage, 0, 1);
    usage_add(&usage, USAGE_WORK, (const double[]){3, 5}, 1);
    usage_add(&usage, USAGE_DELAYED, (const double[]){127, 128}, 2);
    assert_true(usage.width == 1);
    usage_add(&usage, USAGE_WORK, (const double[]){999, 1000}, 1);
    assert_true(usage.width == 8);
    assert_true(usage.parts[0][USAGE_WORK] == 2);
    assert_true(usage.parts[124][USAGE_WORK] == 1);
    assert_true(usage.parts[15][USAGE_DELAYED] == 2);
    assert_true(sum(&usage, USAGE_WORK) == 3);
}

static void parts_count_from_the_start(void **state)
{
    (void)state;
    struct usage usage;
    usage_init(&usage, 1000, 1);
    usage_add(&usage, USAGE_IO, (const double[]){1000.5, 1001}, 2);
    assert_true(usage.width == 1);
    assert_true(usage.parts[0][USAGE_IO] == 1);
}

static void nothing_lasts_no_time(void **state)
{
    (void)state;
    struct usage usage;
    usage_init(&usage, 0, 1);
    usage_add(&usage, USAGE_WORK, (const double[]){128, 128}, 1);
    assert_true(sum(&usage, USAGE_WORK) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(node_time_goes_to_the_parts_it_lies_in),
        cmocka_unit_test(parts_become_longer_and_keep_their_sums),
        cmocka_unit_test(parts_count_from_the_start),
        cmocka_unit_test(nothing_lasts_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
