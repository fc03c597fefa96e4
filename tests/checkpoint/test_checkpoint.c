/* Intervals of applications that share a file system. */
#include "checkpoint/checkpoint.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;
static struct failures failures[3];
static struct checkpoint_part parts[3];

static struct checkpoint_study study_of(const struct policy *policy)
{
    assert_int_equal(
        workload_set_window(&small.workload, (struct window){.kind = WINDOW_NONE}, NULL), 0);
    return (struct checkpoint_study){&small.workload, policy, failures, NULL};
}

static double expected_of(const struct checkpoint_study *study, double interval)
{
    struct checkpoint_result result;
    struct checkpoint_part trial[3] = {{.interval = interval}};
    assert_int_equal(checkpoint_try(study, trial, &result, NULL), 0);
    return trial[0].expected;
}

/* Work of 100,000 s with checkpoints of 100 s, and a failure every 20,000 s. */
static void alone_it_is_dalys(void **state)
{
    (void)state;
    struct policy *policy = policy_open("fcfs", NULL);
    small_init(&small, 1);
    small_repeat(small_add(&small, 1, "w1000 v100"), 100);
    failures[0] = (struct failures){20000, 100};
    struct checkpoint_study study = study_of(policy);
    parts[0] = (struct checkpoint_part){0};
    assert_int_equal(checkpoint_best(&study, 0, parts, NULL), 0);
    expect_near(parts[0].cost, 100, 1e-9);
    expect_near(parts[0].interval / interval_daly(100, 20000), 1, 0.02);
    policy_free(policy);
}

/* 99 parts of 1,000 s and one of 500 s: as much work as before, and a checkpoint after each. */
static void the_work_stays_the_same(void **state)
{
    (void)state;
    struct checkpoint_result result;
    struct policy *policy = policy_open("fcfs", NULL);
    small_init(&small, 1);
    small_repeat(small_add(&small, 1, "w995 v10"), 100);
    failures[0] = (struct failures){1e15, 0};
    struct checkpoint_study study = study_of(policy);
    parts[0] = (struct checkpoint_part){.interval = 1000};
    assert_int_equal(checkpoint_try(&study, parts, &result, NULL), 0);
    expect_near(parts[0].expected, 99500 + 100 * 10, 1e-9);
    expect_near(result.wasted, 1000, 1e-6);
    expect_near(result.others, 0, 1e-9);
    policy_free(policy);
}

/* The least of a fine grid, and of equal parts. */
static double least_of(const struct checkpoint_study *study, double from, double to)
{
    double work = small.apps[0].facts.total_work, least = INFINITY;
    for (double interval = from; interval < to; interval *= 1.003)
        least = fmin(least, expected_of(study, interval));
    for (int count = 1; count <= 60; count++)
        least = fmin(least, expected_of(study, work / count));
    return least;
}

/* Against every interval of a fine grid. */
static void contended_it_is_the_best_of_all(void **state)
{
    (void)state;
    static const char *const policies[] = {"fair-share", "fcfs", "surplus"};
    for (int i = 0; i < 3; i++) {
        struct policy *policy = policy_open(policies[i], NULL);
        small_init(&small, 1);
        small_add(&small, 1, "w1000 v100 x40");
        small_add(&small, 1, "w700 v300 x40");
        small_repeat(small_add(&small, 1, "w150 v60"), 190);
        failures[0] = (struct failures){15000, 100};
        struct checkpoint_study study = study_of(policy);
        for (int k = 0; k < 3; k++)
            parts[k] = (struct checkpoint_part){0};
        assert_int_equal(checkpoint_best(&study, 0, parts, NULL), 0);
        assert_true(parts[0].cost > 101); /* not as alone */
        assert_true(parts[0].expected <= 1.0005 * least_of(&study, 200, 16000));
        policy_free(policy);
    }
}

/* 1,800 s of work, and a failure in a day: one checkpoint of 60 s at the end is best. */
static void a_short_job_writes_one_checkpoint(void **state)
{
    (void)state;
    struct policy *policy = policy_open("fcfs", NULL);
    small_init(&small, 1);
    small_repeat(small_add(&small, 1, "w600 v60"), 3);
    failures[0] = (struct failures){86400, 60};
    struct checkpoint_study study = study_of(policy);
    parts[0] = (struct checkpoint_part){0};
    assert_int_equal(checkpoint_best(&study, 0, parts, NULL), 0);
    expect_near(parts[0].interval, 1800, 1e-9);
    policy_free(policy);
}

/* 10^7 s of work and checkpoints of 10 us: the best would be 1.3 s, of which there are too many. */
static void intervals_that_are_too_short_are_left_out(void **state)
{
    (void)state;
    struct policy *policy = policy_open("fcfs", NULL);
    small_init(&small, 1);
    small_repeat(small_add(&small, 1, "w100000 v0.00001"), 100);
    failures[0] = (struct failures){86400, 1};
    struct checkpoint_study study = study_of(policy);
    parts[0] = (struct checkpoint_part){0};
    expect_near(checkpoint_shortest(&small.apps[0]), 10, 1e-12);
    assert_int_equal(checkpoint_best(&study, 0, parts, NULL), 0);
    expect_near(parts[0].interval, 10, 1e-9);
    policy_free(policy);
}

/* A checkpoint of 100 s never ends if there is a failure every 0.1 s. */
static void failures_may_be_too_frequent(void **state)
{
    (void)state;
    struct err err;
    struct policy *policy = policy_open("fcfs", NULL);
    small_init(&small, 1);
    small_repeat(small_add(&small, 1, "w1000 v100"), 3);
    failures[0] = (struct failures){0.1, 100};
    struct checkpoint_study study = study_of(policy);
    parts[0] = (struct checkpoint_part){0};
    assert_int_equal(checkpoint_best(&study, 0, parts, &err), -1);
    failures[0] = (struct failures){0};
    policy_free(policy);
}

/* Two applications, against every pair of a grid. */
static void together_two_are_as_good_as_any_pair(void **state)
{
    (void)state;
    static const char *const policies[] = {"fair-share", "fcfs"};
    for (int i = 0; i < 2; i++) {
        struct policy *policy = policy_open(policies[i], NULL);
        struct checkpoint_result result, trial;
        double least = INFINITY;
        small_init(&small, 1);
        small_add(&small, 1, "w1000 v200 x10");
        small_add(&small, 1, "w900 v300 x12");
        struct checkpoint_study study = study_of(policy);
        failures[0] = (struct failures){8000, 200};
        failures[1] = (struct failures){12000, 300};
        assert_int_equal(checkpoint_settle(&study, parts, &result, NULL), 0);
        for (double x = 400; x < 10100; x *= 1.03)
            for (double y = 400; y < 10900; y *= 1.03) {
                struct checkpoint_part pair[3] = {{.interval = x}, {.interval = y}};
                assert_int_equal(checkpoint_try(&study, pair, &trial, NULL), 0);
                least = fmin(least, trial.wasted);
            }
        assert_true(result.wasted <= 1.002 * least);
        failures[0] = failures[1] = (struct failures){0};
        policy_free(policy);
    }
}

static void together_they_waste_no_more_than_as_if_alone(void **state)
{
    (void)state;
    struct policy *policy = policy_open("fair-share", NULL);
    struct checkpoint_result before, after;
    small_init(&small, 1);
    small_add(&small, 1, "w1000 v200 x30");
    small_add(&small, 1, "w900 v300 x30");
    small_add(&small, 1, "w800 v250 x40");
    struct checkpoint_study study = study_of(policy);
    for (uint32_t id = 0; id < 3; id++) {
        failures[id] = (struct failures){10000, 100};
        parts[id] = (struct checkpoint_part){
            .interval = interval_best(&failures[id], checkpoint_alone(&small.apps[id]))};
    }
    assert_int_equal(checkpoint_try(&study, parts, &before, NULL), 0);
    assert_int_equal(checkpoint_settle(&study, parts, &after, NULL), 0);
    assert_true(after.wasted < 0.98 * before.wasted);
    for (uint32_t id = 0; id < 3; id++)
        failures[id] = (struct failures){0};
    policy_free(policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_it_is_dalys),
        cmocka_unit_test(the_work_stays_the_same),
        cmocka_unit_test(contended_it_is_the_best_of_all),
        cmocka_unit_test(a_short_job_writes_one_checkpoint),
        cmocka_unit_test(intervals_that_are_too_short_are_left_out),
        cmocka_unit_test(failures_may_be_too_frequent),
        cmocka_unit_test(together_two_are_as_good_as_any_pair),
        cmocka_unit_test(together_they_waste_no_more_than_as_if_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
