#include "base/decimal.h"
#include "base/random.h"
#include "decimals.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void a_million_texts_are_read_as_strtod_does(void **state)
{
    (void)state;
    decimals_compare(1, 1000000);
}

/* The odd part of a middle has 54 bits. It is a multiple of 5^e for e >= 0, so 5^e < 2^54 and e <
 * 24; for e < 0 it is at most the mantissa / 5^-e, so 5^-e < 1e17 / 2^53 and e > -2. */
static void all_numbers_of_17_digits_are_decided_but_for_middles(void **state)
{
    (void)state;
    struct random random = random_at(2, 0, 0);
    char text[64];
    for (int exponent = -323; exponent <= 291; exponent++) {
        for (int i = 0; i < 100; i++) {
            uint64_t mantissa = 10000000000000000 + (uint64_t)(9e16 * random_uniform(&random));
            double found = decimal_value(mantissa, exponent);
            snprintf(text, sizeof text, "%llue%d", (unsigned long long)mantissa, exponent);
            bool middles = exponent > -2 && exponent < 24;
            assert_true(found == strtod(text, NULL) || (isnan(found) && middles));
        }
    }
}

static void a_middle_between_two_doubles_is_left_to_others(void **state)
{
    (void)state;
    assert_true(isnan(decimal_value(9007199254740993, 0))); /* 2^53 + 1 */
    assert_true(decimal_value(9007199254740993001, -3) == 0x1p53 + 2);
    assert_true(decimal_value(9007199254740992999, -3) == 0x1p53);
    assert_true(isnan(decimal_value(90071992547409930, -1)));
    assert_true(decimal_value(90071992547409920, -1) == 0x1p53); /* no middle, but exact */
}

static void what_is_not_a_normal_double_is_left_to_others(void **state)
{
    (void)state;
    assert_true(decimal_value(22250738585072014, -324) == 0x1p-1022);
    assert_true(isnan(decimal_value(22250738585072011, -324)));
    assert_true(isnan(decimal_value(5, -324)));
    assert_true(decimal_value(17976931348623157, 292) == 0x1.fffffffffffffp1023);
    assert_true(isnan(decimal_value(17976931348623159, 292))); /* rounds to 2^1024 */
    assert_true(isnan(decimal_value(1, 309)));
    assert_true(isnan(decimal_value(1, 100000)));
    assert_true(isnan(decimal_value(UINT64_MAX, -100000)));
    assert_true(decimal_value(0, 100000) == 0 && decimal_value(0, -100000) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_texts_are_read_as_strtod_does),
        cmocka_unit_test(all_numbers_of_17_digits_are_decided_but_for_middles),
        cmocka_unit_test(a_middle_between_two_doubles_is_left_to_others),
        cmocka_unit_test(what_is_not_a_normal_double_is_left_to_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
