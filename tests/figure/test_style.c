#include "figure/style.h"
#include "policy/policy.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static bool same(struct style a, struct style b)
{
    return strcmp(a.colour, b.colour) == 0 && a.dash == b.dash && a.marker == b.marker;
}

/* Without their colours. */
static void no_two_strategies_look_alike(void **state)
{
    (void)state;
    for (size_t i = 0; policy_all[i]; i++)
        for (size_t k = 0; k < i; k++) {
            struct style a = style_of(policy_all[i]), b = style_of(policy_all[k]);
            if (a.dash == b.dash && a.marker == b.marker)
                fail_msg("%s looks like %s", policy_all[i], policy_all[k]);
        }
}

/* A name that the table does not have would give a colour by chance. */
static void every_strategy_is_in_the_table(void **state)
{
    (void)state;
    for (size_t i = 0; policy_registry[i]; i++) {
        char variant[256];
        snprintf(variant, sizeof variant, "%s:no-such-key=1", policy_registry[i]->name);
        if (!same(style_of(variant), style_of(policy_registry[i]->name)))
            fail_msg("%s is not in the table", policy_registry[i]->name);
    }
}

static void parameters_that_make_no_other_strategy_keep_the_style(void **state)
{
    (void)state;
    assert_true(same(style_of("set-10:x=1"), style_of("set-10")));
    assert_true(same(style_of("min-max:gamma=0.5,x"), style_of("min-max:gamma=0.5")));
    assert_false(same(style_of("min-max:gamma=0.5,priority"), style_of("min-max:gamma=0.5")));
    assert_true(same(style_of("set-100"), style_of("set-100"))); /* not set-10 */
    assert_false(same(style_of("set-100"), style_of("set-10")));
}

static void any_name_has_a_valid_style(void **state)
{
    (void)state;
    static const char *const names[] = {"", ":", ",", "./plug-in.so:a=1", "\xff\n", "bound"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct style style = style_of(names[i]);
        assert_int_equal(style.colour[0], '#');
        assert_in_range(style.dash, 0, STYLE_DASHES - 1);
        assert_in_range(style.marker, 1, STYLE_MARKERS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_strategies_look_alike),
        cmocka_unit_test(every_strategy_is_in_the_table),
        cmocka_unit_test(parameters_that_make_no_other_strategy_keep_the_style),
        cmocka_unit_test(any_name_has_a_valid_style),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
