#include "sim/sim.h"
#include "support/small.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PLUGIN(name) WEIR_PLUGIN_DIR "/" name ".so"

static struct small small;

static void the_example_serves_the_smallest_first(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "v10")->facts.nodes = 8;
    small_add(&small, 4, "v8")->facts.nodes = 1;
    small_add(&small, 10, "w1 v10")->facts.nodes = 2;
    /* 0: the second 4, the first 6. 1: the second 4, the third 6, the first nothing. 2: the
     * second is done; the third has 4 left at 10. 2.4: the first has 4 left. */
    small_expect(&small, PLUGIN("smallest_first"),
                 (const char *const[]){"0 io@6 1 wait 2.4 io@10 2.8", "0 io@4 2",
                                       "0 work 1 io@6 2 io@10 2.4"});
    /* 0: the first. 1: the third. 2: the second, at 4. */
    small_expect(&small, PLUGIN("smallest_first") ":largest",
                 (const char *const[]){"0 io@10 1", "0 wait 2 io@4 4", "0 work 1 io@10 2"});
}

/* Without being asked to check. */
static void expect_stop(const char *name, const char *says)
{
    struct err err = {0};
    struct policy *policy = policy_open(name, &err);
    assert_non_null(policy);
    struct outcome *outcome = sim_run(&small.workload, policy, NULL, &err);
    assert_null(outcome);
    if (!strstr(err.text, says))
        fail_msg("%s", err.text);
    policy_free(policy);
}

static void a_plug_in_that_breaks_a_rule_is_stopped(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w1 v10 w1 v10");
    small_add(&small, 10, "w1 v10 w1 v10");
    small_add(&small, 10, "w3 v10 w1 v10");
    expect_stop(PLUGIN("wild"), "at 1 s: granted bandwidth to application 4294967295 of 3");
    expect_stop(PLUGIN("double"), "at 1 s: application 'app': granted 20 bytes/s, can take 10");
    expect_stop(PLUGIN("double") ":all",
                "at 1 s: granted 20 bytes/s in all, the file system has 10");
}

static void a_plug_in_that_changes_what_it_is_shown_is_found_out(void **state)
{
    (void)state;
    static const char *const names[] = {PLUGIN("meddles") ":what=1", PLUGIN("meddles") ":what=2",
                                        PLUGIN("meddles") ":what=3", PLUGIN("meddles") ":what=4",
                                        PLUGIN("meddles") ":what=5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        small_init(&small, 10);
        small_add(&small, 5, "w1 v10 w1 v10 w3");
        small_add(&small, 5, "w1 v10 w1 v10 w4");
        expect_stop(names[i], "");
    }
    small_init(&small, 10);
    small_add(&small, 5, "w1 v10 w1 v10 w3");
    small_add(&small, 5, "w1 v10 w1 v10 w4");
    outcome_free(small_run(&small, PLUGIN("meddles") ":what=0", NULL));
}

static void expect_error(const char *text, const char *says)
{
    struct err err = {0};
    assert_null(policy_open(text, &err));
    if (!strstr(err.text, says))
        fail_msg("%s", err.text);
}

static void a_plug_in_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    expect_error(PLUGIN("old_abi"), "is built for version 7 of the strategy interface, not 6");
    expect_error(PLUGIN("no_symbol"), "does not define the symbol 'weir_policy'");
    expect_error(PLUGIN("no_decide"), "lacks a name or a decide function");
    expect_error(PLUGIN("many_params"), "has more than 8 parameters");
    expect_error(PLUGIN("smallest_first") ":bigest", "unknown parameter 'bigest'");
    expect_error(WEIR_SOURCE_DIR "/LICENSE", "cannot be loaded");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_serves_the_smallest_first),
        cmocka_unit_test(a_plug_in_that_breaks_a_rule_is_stopped),
        cmocka_unit_test(a_plug_in_that_changes_what_it_is_shown_is_found_out),
        cmocka_unit_test(a_plug_in_that_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
