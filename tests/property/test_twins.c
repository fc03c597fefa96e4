/* Fast strategies give what their plain definitions give. */
#include "common.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

static void compare(const struct twin *twin, const struct policy *fast, const struct policy *naive,
                    uint32_t seed)
{
    struct outcome *a = small_run_policy(&small, fast, NULL);
    struct outcome *b = small_run_policy(&small, naive, NULL);
    for (uint32_t id = 0; id < small.workload.count; id++) {
        double x = a->apps[id].completion, y = b->apps[id].completion;
        if (!(fabs(x - y) <= 1e-9 * fmax(1, y)) && !(isnan(x) && isnan(y)))
            fail_msg("%s, seed %u, application %u: %.17g, naively %.17g", twin->name, seed, id, x,
                     y);
        x = a->apps[id].lost;
        y = b->apps[id].lost;
        if (!(fabs(x - y) <= 1e-8 * fmax(1, y)))
            fail_msg("%s, seed %u, application %u: %.17g s lost, naively %.17g", twin->name, seed,
                     id, x, y);
    }
    outcome_free(a);
    outcome_free(b);
}

static void play(unsigned flags, uint32_t scenarios)
{
    for (const struct twin *twin = twins; twin->name; twin++) {
        struct err err;
        struct policy *fast = policy_open(twin->name, &err);
        struct policy *naive = policy_wrap(&twin->ops, NULL, &err);
        assert_true(fast && naive);
        for (uint32_t seed = 0; seed < scenarios; seed++) {
            dice_roll(&small, seed, flags);
            compare(twin, fast, naive, seed);
        }
        policy_free(fast);
        policy_free(naive);
    }
}

static void they_agree_on_arbitrary_scenarios(void **state)
{
    (void)state;
    play(DICE_RELEASES | DICE_WINDOW, 1500);
}

static void they_agree_when_there_are_many_ties(void **state)
{
    (void)state;
    play(DICE_GRID | DICE_IDENTICAL | DICE_RELEASES | DICE_WINDOW, 1500);
}

static void they_agree_when_everybody_saturates_the_file_system(void **state)
{
    (void)state;
    play(DICE_FULL | DICE_GRID | DICE_IDENTICAL, 1500);
}

static void they_agree_when_there_are_many_applications(void **state)
{
    (void)state;
    play(DICE_MANY | DICE_RELEASES | DICE_WINDOW, 40);
    play(DICE_MANY | DICE_GRID | DICE_IDENTICAL, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_agree_on_arbitrary_scenarios),
        cmocka_unit_test(they_agree_when_there_are_many_ties),
        cmocka_unit_test(they_agree_when_everybody_saturates_the_file_system),
        cmocka_unit_test(they_agree_when_there_are_many_applications),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
