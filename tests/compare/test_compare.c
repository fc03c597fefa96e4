#include "base/mem.h"
#include "compare/compare.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct policy *policies[2];
static struct experiment_source source;

static int open_all(void **state)
{
    (void)state;
    struct err err = {0};
    policies[0] = policy_open("fair-share", &err);
    policies[1] = policy_open("fcfs", &err);
    int status = source_open(&source, "synthetic:applications=9,small=3", &err);
    return policies[0] && policies[1] && status == 0 ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    policy_free(policies[0]);
    policy_free(policies[1]);
    source_fini(&source);
    return 0;
}

static const char *values[] = {"1x", "2x"};
static const struct sweep sweep = {.path = "bandwidth", .values = values, .count = 2};

static struct compare_task question(void)
{
    return (struct compare_task){.sources = &source,
                                 .source_count = 1,
                                 .sweeps = &sweep,
                                 .sweep_count = 1,
                                 .policies = policies,
                                 .policy_count = 2,
                                 .baseline = 0,
                                 .seeds = 4,
                                 .ensemble = 2};
}

static void cases_are_combined_and_named(void **state)
{
    (void)state;
    struct compare_task asked = question();
    struct comparison comparison;
    char label[128];
    assert_int_equal(compare_init(&comparison, &asked, NULL), 0);
    assert_int_equal(comparison.count, 2);
    assert_int_equal(comparison.members, 8);
    assert_false(comparison.cases[0].ensemble);
    assert_true(comparison.cases[0].windowed);
    assert_int_equal(comparison.cases[1].first, 4);
    assert_string_equal(compare_label(&comparison, 1, false, label, sizeof label),
                        "synthetic:applications=9,small=3, bandwidth=2x");
    assert_string_equal(compare_label(&comparison, 1, true, label, sizeof label), "bandwidth=2x");
    compare_fini(&comparison);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    struct compare_task asked = question();
    struct comparison one, four;
    assert_int_equal(compare_init(&one, &asked, NULL), 0);
    assert_int_equal(compare_init(&four, &asked, NULL), 0);
    assert_int_equal(compare_run(&one, &(struct compare_options){.jobs = 1}, NULL), 0);
    assert_int_equal(compare_run(&four, &(struct compare_options){.jobs = 4}, NULL), 0);
    assert_memory_equal(one.metrics, four.metrics, one.members * 2 * sizeof *one.metrics);
    compare_fini(&one);
    compare_fini(&four);
}

/* Twice the bandwidth delays less, and a strategy does not differ from itself. */
static void measures_belong_to_their_case_and_strategy(void **state)
{
    (void)state;
    struct compare_task asked = question();
    struct comparison comparison;
    const struct measure *measure = measure_find("min_yield", NULL);
    assert_int_equal(compare_init(&comparison, &asked, NULL), 0);
    assert_int_equal(compare_run(&comparison, &(struct compare_options){.jobs = 2}, NULL), 0);
    struct compare_cell slow = compare_measure(&comparison, 0, 0, measure);
    struct compare_cell fast = compare_measure(&comparison, 1, 0, measure);
    assert_int_equal(slow.value.count, 4);
    assert_true(fast.value.mean > slow.value.mean);
    assert_int_equal(slow.difference.equal, 4);
    struct compare_cell fcfs = compare_measure(&comparison, 0, 1, measure);
    assert_true(fabs(fcfs.difference.difference.mean - (fcfs.value.mean - slow.value.mean)) <
                1e-12);
    compare_fini(&comparison);
}

static void an_error_names_what_fails(void **state)
{
    (void)state;
    struct compare_task asked = question();
    struct comparison comparison;
    struct err err = {0};
    static const char *none[] = {"2x"};
    const struct sweep wrong = {.path = "applications.nobody.work", .values = none, .count = 1};
    asked.sweeps = &wrong;
    assert_int_equal(compare_init(&comparison, &asked, &err), -1);
    assert_non_null(strstr(err.text, "nobody"));
    compare_fini(&comparison);
    asked = question();
    asked.seeds = COMPARE_MOST_RUNS;
    assert_int_equal(compare_init(&comparison, &asked, &err), -1);
    assert_non_null(strstr(err.text, "too many"));
    compare_fini(&comparison);
}

/* Whichever thread fails first, the first member that fails is named. Under a thread sanitizer this
 * shows whether threads that fail at once write one error. */
static void of_members_that_fail_at_once_the_first_is_named(void **state)
{
    (void)state;
    struct compare_task asked = question();
    struct comparison comparison;
    struct err err = {0};
    struct policy *both[] = {policies[0], policy_open(WEIR_PLUGIN_DIR "/wild.so", &err)};
    assert_non_null(both[1]);
    asked.policies = both;
    asked.seeds = 64;
    assert_int_equal(compare_init(&comparison, &asked, &err), 0);
    assert_int_equal(compare_run(&comparison, &(struct compare_options){.jobs = 8}, &err), -1);
    assert_non_null(strstr(err.text, "seed 1:"));
    compare_fini(&comparison);
    policy_free(both[1]);
}

static void running_out_of_memory_is_an_error_and_leaks_nothing(void **state)
{
    (void)state;
    struct compare_task asked = question();
    asked.seeds = 1;
    for (long n = 0, done = 0; !done; n++) {
        struct comparison comparison;
        struct err err = {0};
        mem_fail_after(n);
        done = compare_init(&comparison, &asked, &err) == 0 &&
               compare_run(&comparison, &(struct compare_options){.jobs = 1}, &err) == 0;
        mem_fail_after(-1);
        assert_true(done || strstr(err.text, "out of memory"));
        compare_fini(&comparison);
        assert_true(n < 10000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_are_combined_and_named),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(measures_belong_to_their_case_and_strategy),
        cmocka_unit_test(an_error_names_what_fails),
        cmocka_unit_test(of_members_that_fail_at_once_the_first_is_named),
        cmocka_unit_test(running_out_of_memory_is_an_error_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
