#include "base/mem.h"
#include "plan/bound.h"
#include "plan/pattern.h"
#include "plan/persched.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct task task(double nodes, double work, double volume, double bmax)
{
    return (struct task){"app", nodes, work, volume, bmax, volume / bmax, 0};
}

/* Random applications that want about `load` times the bandwidth. */
static struct tasks random_tasks(struct task *list, uint32_t count, uint32_t seed, double load)
{
    struct tasks tasks = {.list = list, .count = count, .bandwidth = 100};
    uint32_t dice = seed * 2654435761u + 1;
    for (uint32_t i = 0; i < count; i++) {
        dice = dice * 1664525u + 1013904223u;
        double length = 10 + (dice >> 8) % 300, bmax = 20 + (dice >> 16) % 100;
        bmax = fmin(bmax, 100);
        double part = fmin(0.9, load * 100 / (count * bmax));
        list[i] = task(1 + dice % 8, length * (1 - part), length * part * bmax, bmax);
        tasks.nodes += list[i].nodes;
    }
    return tasks;
}

static struct plan *make(const struct tasks *tasks, struct persched options)
{
    struct err err = {0};
    struct plan *plan = persched_plan(tasks, &options, &err);
    if (!plan || plan_validate(plan, tasks, &err))
        fail_msg("%s", err.text);
    return plan;
}

static void alone_an_application_has_one_instance_after_the_other(void **state)
{
    (void)state;
    /* 6 s of work, 40 bytes at 10 bytes/s: one instance every 10 s, all the time. */
    struct task list[] = {task(3, 6, 40, 10)};
    struct tasks tasks = {.list = list, .count = 1, .bandwidth = 10, .nodes = 3};
    struct plan *plan = make(&tasks, persched_defaults);
    assert_true(fabs(plan_sys_efficiency(plan, &tasks) - 0.6) < 1e-6);
    assert_true(fabs(plan_max_dilation(plan, &tasks) - 1) < 1e-6);
    plan_free(plan);
}

static void bounds_respect_the_bandwidth(void **state)
{
    (void)state;
    /* Two of 5 s work and 50 bytes at up to 10 bytes/s, on 10 bytes/s: each wants the file system
     * half of the time, and together they just fit. A third one does not. Without contention each
     * works half of the time; with it 2/3 of that. */
    struct task list[] = {task(1, 5, 50, 10), task(1, 5, 50, 10), task(1, 5, 50, 10)};
    struct tasks tasks = {.list = list, .count = 2, .bandwidth = 10, .nodes = 2};
    struct plan_bounds bounds;
    assert_int_equal(bounds_compute(&tasks, &bounds), 0);
    assert_true(bounds.sys_efficiency == 0.5 && bounds.sys_efficiency_bandwidth == 0.5);
    assert_true(bounds.dilation_bandwidth == 1);
    tasks.count = 3;
    tasks.nodes = 3;
    assert_int_equal(bounds_compute(&tasks, &bounds), 0);
    assert_true(bounds.sys_efficiency == 0.5);
    assert_true(fabs(bounds.sys_efficiency_bandwidth - 1.0 / 3) < 1e-12);
    assert_true(fabs(bounds.dilation_bandwidth - 1.5) < 1e-12);
}

static void check_plans_of(uint32_t seed)
{
    struct task list[6];
    struct tasks tasks = random_tasks(list, 2 + seed % 5, seed, 0.3 + 0.1 * (seed % 12));
    struct plan_bounds bounds;
    assert_int_equal(bounds_compute(&tasks, &bounds), 0);
    for (int objective = 0; objective < 2; objective++) {
        struct persched options = persched_defaults;
        struct err err = {0};
        options.objective = objective;
        options.max_factor = 3;
        struct plan *best = make(&tasks, options);
        options.search = PLAN_SEARCH_PAPER;
        struct plan *paper = persched_plan(&tasks, &options, &err);
        double ours = plan_sys_efficiency(best, &tasks);
        double dilation = plan_max_dilation(best, &tasks);
        assert_true(ours <= bounds.sys_efficiency_bandwidth * (1 + 1e-9));
        assert_true(dilation >= bounds.dilation_bandwidth * (1 - 1e-9));
        if (paper && plan_validate(paper, &tasks, NULL) == 0)
            assert_true(objective == PLAN_DILATION
                            ? dilation <= plan_max_dilation(paper, &tasks) * (1 + 1e-9)
                            : ours >= plan_sys_efficiency(paper, &tasks) * (1 - 1e-9));
        plan_free(best);
        plan_free(paper);
    }
}

static void plans_are_valid_within_the_bounds_and_never_worse_than_published(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 12; seed++)
        check_plans_of(seed);
    /* Here a plan that is as good as the best in the other objective is worse than the published. */
    check_plans_of(228);
}

static bool stop_at_once(void *context)
{
    (void)context;
    return true;
}

static void a_search_that_is_stopped_has_the_published_plan(void **state)
{
    (void)state;
    struct task list[5];
    struct tasks tasks = random_tasks(list, 5, 7, 0.9);
    struct persched options = persched_defaults;
    options.stop = stop_at_once;
    struct plan *stopped = make(&tasks, options);
    options.stop = NULL;
    struct plan *whole = make(&tasks, options);
    options.search = PLAN_SEARCH_PAPER;
    struct plan *paper = make(&tasks, options);
    assert_true(stopped->period == paper->period);
    assert_true(plan_sys_efficiency(whole, &tasks) >= plan_sys_efficiency(stopped, &tasks));
    plan_free(stopped);
    plan_free(whole);
    plan_free(paper);
}

static void no_room_for_everybody_is_an_error(void **state)
{
    (void)state;
    /* In one period of 10 s nobody but the first finds room. */
    struct task list[] = {task(1, 1, 90, 10), task(1, 1, 90, 10)};
    struct tasks tasks = {.list = list, .count = 2, .bandwidth = 10, .nodes = 2};
    struct persched options = persched_defaults;
    struct err err = {0};
    options.max_factor = 0.5;
    options.min_period = 10;
    assert_null(persched_plan(&tasks, &options, &err));
    assert_non_null(strstr(err.text, "room for an instance of every application"));
}

static void what_no_search_would_survive_is_refused(void **state)
{
    (void)state;
    /* In microseconds; and one of 1e9 s beside one of 1 s. */
    struct task list[] = {task(1, 1e-6, 9e-6, 10), task(1, 1e9, 9, 10), task(1, 0.1, 9, 10)};
    struct tasks short_ones = {.list = list, .count = 1, .bandwidth = 10, .nodes = 1};
    struct tasks far_apart = {.list = list + 1, .count = 2, .bandwidth = 10, .nodes = 2};
    struct persched options = persched_defaults;
    for (int search = PLAN_SEARCH_BEST; search <= PLAN_SEARCH_PAPER; search++) {
        struct err err = {0};
        options.search = (enum plan_search)search;
        assert_null(persched_plan(&short_ones, &options, &err));
        assert_non_null(strstr(err.text, "too short to be planned"));
        assert_null(persched_plan(&far_apart, &options, &err));
        assert_non_null(strstr(err.text, "instances, expected at most 4000000"));
    }
}

static void a_failing_allocation_is_an_error(void **state)
{
    (void)state;
    struct task list[3];
    struct tasks tasks = random_tasks(list, 3, 3, 0.8);
    struct persched options = persched_defaults;
    options.max_factor = 1.2;
    for (long n = 0;; n++) {
        struct err err = {0};
        mem_fail_after(n);
        struct plan *plan = persched_plan(&tasks, &options, &err);
        mem_fail_after(-1);
        if (plan) {
            plan_free(plan);
            assert_true(n > 5);
            return;
        }
        assert_string_equal(err.text, "out of memory");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_an_application_has_one_instance_after_the_other),
        cmocka_unit_test(bounds_respect_the_bandwidth),
        cmocka_unit_test(plans_are_valid_within_the_bounds_and_never_worse_than_published),
        cmocka_unit_test(a_search_that_is_stopped_has_the_published_plan),
        cmocka_unit_test(no_room_for_everybody_is_an_error),
        cmocka_unit_test(what_no_search_would_survive_is_refused),
        cmocka_unit_test(a_failing_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
