#include "base/random.h"
#include "policy/fill.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define LEVEL(amount, ...)                                                                         \
    fill_level((const struct fill_part[]){__VA_ARGS__},                                            \
               sizeof((const struct fill_part[]){__VA_ARGS__}) / sizeof(struct fill_part), amount)

static void without_limits_the_weights_divide_the_amount(void **state)
{
    (void)state;
    assert_true(LEVEL(12, {1, 100}, {2, 100}, {3, 100}) == 2);
}

static void what_one_cannot_use_goes_to_the_others_by_their_weights(void **state)
{
    (void)state;
    /* 12 / 6 = 2, of which the first can use 1; 11 / 5 = 2.2. */
    assert_true(LEVEL(12, {1, 1}, {2, 100}, {3, 100}) == 11. / 5);
    /* Then the second has 4.4 and can use 4.2: 6.8 / 3. */
    assert_true(fabs(LEVEL(12, {1, 1}, {2, 4.2}, {3, 100}) - 6.8 / 3) < 1e-12);
}

static void limits_that_fit_need_no_level(void **state)
{
    (void)state;
    assert_true(LEVEL(12, {1, 1}, {2, 4}, {3, 7}) == INFINITY);
    assert_true(fill_level(NULL, 0, 12) == INFINITY);
    assert_true(LEVEL(11.9, {1, 1}, {2, 4}, {3, 7}) < INFINITY);
}

static void the_parts_add_up_to_the_amount(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 20000; seed++) {
        struct random dice = random_at(seed, 0, 0);
        struct fill_part parts[8];
        uint32_t count = 1 + random_below(&dice, 8);
        double limits = 0, used = 0;
        for (uint32_t i = 0; i < count; i++) {
            parts[i].weight = pow(10, random_between(&dice, -6, 6));
            parts[i].most = random_between(&dice, 0, 10);
            limits += parts[i].most;
        }
        double amount = limits * random_between(&dice, 0, 1);
        double level = fill_level(parts, count, amount);
        for (uint32_t i = 0; i < count; i++)
            used += fmin(parts[i].most, parts[i].weight * level);
        if (!(fabs(used - amount) <= 1e-9 * amount))
            fail_msg("seed %u: %.17g of %.17g", seed, used, amount);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_limits_the_weights_divide_the_amount),
        cmocka_unit_test(what_one_cannot_use_goes_to_the_others_by_their_weights),
        cmocka_unit_test(limits_that_fit_need_no_level),
        cmocka_unit_test(the_parts_add_up_to_the_amount),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
