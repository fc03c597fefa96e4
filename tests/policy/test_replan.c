/* replan, played by hand: what it learns, when it asks for a plan, follows it, and stops. */
#include "policy/policy.h"
#include "policy/replan.h"
#include "policy/strategies.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Two applications on 10 bytes/s, every 4 s: each works for 2 s and moves 20 bytes at 10, in turn.
 * Alone an iteration takes 4 s, so no plan is better. */
static struct plan_piece pieces[] = {{2, 4, 10}, {4, 6, 10}};
static struct plan_instance instances[] = {{0, 0, 1}, {2, 1, 1}};
static struct plan_app plan_apps[] = {{0, 1}, {1, 1}};
static const struct plan alternate = {.period = 4,
                                      .count = 2,
                                      .apps = plan_apps,
                                      .instances = instances,
                                      .pieces = pieces,
                                      .instance_count = 2,
                                      .piece_count = 2};

enum { APPS = 3 };

/* A host with time made by the test. */
static struct {
    struct policy *policy;
    void *state;
    struct weir_app facts[APPS];
    struct weir_run runs[APPS];
    uint32_t active[APPS];
    struct weir_grant list[APPS];
    struct weir_view view;
    struct weir_grants grants;
    double ends[APPS]; /* of the last I/O of each */
    /* The planner: */
    const struct plan *plan;
    bool ready;
    uint64_t asked;
    struct task tasks[APPS];
    uint32_t task_count;
} host;

static uint64_t host_ask(void *context, const struct planner_question *question)
{
    (void)context;
    host.task_count = question->tasks->count;
    memcpy(host.tasks, question->tasks->list, host.task_count * sizeof *host.tasks);
    return ++host.asked;
}

static bool host_answer(void *context, uint64_t number, const struct plan **plan)
{
    (void)context;
    *plan = host.plan;
    return host.ready && number == host.asked;
}

static const struct planner planner = {.ask = host_ask, .answer = host_answer};

static void open_host(const char *text)
{
    struct err err = {0};
    memset(&host, 0, sizeof host);
    host.policy = policy_open(text, &err);
    if (!host.policy)
        fail_msg("%s", err.text);
    const struct weir_policy_ops *ops = host.policy->ops;
    host.state = calloc(1, ops->state_size + APPS * ops->app_size);
    host.plan = &alternate;
    host.ready = true;
    host.view = (struct weir_view){.bandwidth = 10,
                                   .horizon = INFINITY,
                                   .runs = host.runs,
                                   .active = host.active,
                                   .count = APPS};
    ops->init(host.state, &(struct weir_setup){.bandwidth = 10,
                                               .horizon = INFINITY,
                                               .capacity = APPS,
                                               .params = host.policy->params,
                                               .planner = &planner});
}

static int close_host(void **state)
{
    (void)state;
    free(host.state);
    policy_free(host.policy);
    memset(&host, 0, sizeof host);
    return 0;
}

static const struct replan *replan(void)
{
    return host.state;
}

static void join(uint32_t app)
{
    host.facts[app] = (struct weir_app){.nodes = 1, .bmax = 10, .release = host.view.now};
    host.runs[app] = (struct weir_run){.app = &host.facts[app], .state = WEIR_WORKING};
    host.ends[app] = host.view.now;
    host.policy->ops->joined(host.state, &host.view, app);
}

static void activate(uint32_t app)
{
    host.runs[app].state = WEIR_ACTIVE;
    host.runs[app].since = host.view.now;
    host.active[host.view.active_count++] = app;
    host.view.active_bmax += 10;
    host.policy->ops->posted(host.state, &host.view, app);
}

static void deactivate(uint32_t app)
{
    uint32_t at = 0;
    while (host.active[at] != app)
        at++;
    host.active[at] = host.active[--host.view.active_count];
    host.view.active_bmax -= 10;
    host.policy->ops->completed(host.state, &host.view, app);
    host.runs[app].state = WEIR_WORKING;
}

static void post(double now, uint32_t app, double volume)
{
    host.view.now = now;
    host.runs[app].posted = now;
    host.runs[app].volume = host.runs[app].remaining = volume;
    host.runs[app].work = now - host.ends[app];
    activate(app);
}

static void end(double now, uint32_t app)
{
    struct weir_run *run = &host.runs[app];
    host.view.now = host.ends[app] = now;
    run->remaining = 0;
    deactivate(app);
    run->done_work += run->work;
    run->finished++;
}

static void leave(uint32_t app)
{
    host.runs[app].state = WEIR_ABSENT;
    host.policy->ops->left(host.state, &host.view, app);
}

static void decide(double now)
{
    host.view.now = now;
    host.grants = (struct weir_grants){.list = host.list, .capacity = APPS, .wake = INFINITY};
    host.policy->ops->decide(host.state, &host.view, &host.grants);
}

static double rate(uint32_t app)
{
    for (uint32_t i = 0; i < host.grants.count; i++)
        if (host.list[i].app == app)
            return host.list[i].rate;
    return 0;
}

/* Both applications do the same at the same time: 2 s of work, `io` seconds of I/O with 20 bytes.
 */
static void iterate(double *now, double work, double io)
{
    for (uint32_t app = 0; app < 2; app++)
        post(*now + work, app, 20);
    decide(host.view.now);
    for (uint32_t app = 0; app < 2; app++)
        end(*now + work + io, app);
    *now += work + io;
}

/* Two that share the bandwidth for three iterations of 6 s, instead of 4. */
static double learn(const char *policy)
{
    double now = 0;
    open_host(policy);
    join(0);
    join(1);
    for (int i = 0; i < 3; i++)
        iterate(&now, 2, 4);
    return now;
}

/* ... and now have a plan. */
static double learn_and_follow(const char *policy)
{
    double now = learn(policy);
    post(now + 2, 0, 20);
    decide(now + 2);
    assert_int_equal(replan()->stage, REPLAN_FOLLOWING);
    return now;
}

/* --- learning --------------------------------------------------------------------------------- */

static void it_asks_for_a_plan_of_the_means_when_all_have_repeated_themselves(void **state)
{
    (void)state;
    double now = learn("replan");
    assert_int_equal(host.asked, 0);
    host.ready = false;
    post(now + 2, 0, 20);
    decide(now + 2);
    assert_int_equal(host.asked, 1);
    assert_int_equal(replan()->stage, REPLAN_ASKING);
    assert_int_equal(host.task_count, 2);
    for (uint32_t i = 0; i < 2; i++)
        assert_true(host.tasks[i].work == 2 && host.tasks[i].volume == 20 && host.tasks[i].io == 2);
    decide(now + 2.5); /* it does not ask twice */
    assert_int_equal(host.asked, 1);
}

static void a_plan_waits_for_as_many_iterations_as_asked(void **state)
{
    (void)state;
    double now = learn("replan:stable=4");
    post(now + 2, 0, 20);
    decide(now + 2);
    assert_int_equal(host.asked, 0);
}

static void there_is_no_plan_while_iterations_vary(void **state)
{
    (void)state;
    double now = 0;
    open_host("replan");
    join(0);
    join(1);
    for (int i = 0; i < 6; i++)
        iterate(&now, i % 2 ? 2 : 3, 4); /* 1 s of 4.5 is more than a tenth */
    post(now + 2, 0, 20);
    decide(now + 2);
    assert_int_equal(host.asked, 0);
}

static void an_iteration_without_io_is_part_of_the_next(void **state)
{
    (void)state;
    open_host("replan:stable=1");
    join(0);
    host.runs[0].done_work = 5; /* the host counts one that has no I/O */
    host.ends[0] = 5;
    post(7, 0, 20);
    end(9, 0);
    assert_true(habit_mean(&replan()->learners[0].habit, 1).work == 7);
}

static void a_few_bytes_are_part_of_the_work(void **state)
{
    (void)state;
    double now = learn("replan");
    post(now + 1, 0, 0.1);
    end(now + 1, 0);
    post(now + 2, 0, 20);
    end(now + 4, 0);
    struct iterated last = habit_mean(&replan()->learners[0].habit, 1);
    assert_true(last.work == 2 && last.volume == 20);
    assert_int_equal(replan()->learners[0].habit.count, 4);
}

static void an_application_that_falls_silent_does_not_keep_the_others_from_a_plan(void **state)
{
    (void)state;
    double now = 0;
    open_host("replan");
    for (uint32_t app = 0; app < APPS; app++)
        join(app);
    post(1, 2, 20); /* the third has one I/O, and works from then on */
    decide(1);
    end(2, 2);
    for (int i = 0; i < 3; i++)
        iterate(&now, 2, 4);
    post(now + 2, 0, 20);
    decide(now + 2); /* at 20, 18 s after its I/O: that is longer than two iterations of 6 s */
    assert_int_equal(host.asked, 1);
    assert_int_equal(host.task_count, 2);
    end(now + 4, 0);
    post(now + 5, 2, 20); /* it is back */
    assert_int_equal(replan()->stage, REPLAN_LEARNING);
}

/* --- following -------------------------------------------------------------------------------- */

static void a_plan_is_followed_from_its_answer_on(void **state)
{
    (void)state;
    double now = learn_and_follow("replan");
    /* The plan begins at 20. The I/O posted then takes the slot [18, 20): its clock is 0.6 s late
     * after it, and it should end at 20.6. The other one, at 20.5, takes [20, 22): 22.15. */
    assert_true(rate(0) == 10 && host.grants.wake == INFINITY);
    post(now + 2.5, 1, 20);
    decide(now + 2.5);
    assert_true(rate(0) == 10 && rate(1) == 0);
    expect_near(replan()->follow.followers[0].deadline, now + 2.6, 1e-12);
    expect_near(replan()->follow.followers[1].deadline, now + 4.15, 1e-12);
}

static void a_plan_that_promises_no_more_is_not_followed(void **state)
{
    (void)state;
    double now = 0;
    open_host("replan");
    join(0);
    join(1);
    for (int i = 0; i < 3; i++)
        iterate(&now, 2, 2); /* as if each were alone */
    post(now + 2, 0, 20);
    decide(now + 2);
    assert_int_equal(host.asked, 1);
    assert_int_equal(replan()->stage, REPLAN_DECLINED);
    decide(now + 3);
    assert_int_equal(host.asked, 1);
    decide(2 * now + 4); /* the same time again has passed: the online strategy is better known */
    assert_int_equal(host.asked, 2);
}

static void applications_that_differ_by_noise_are_planned_alike(void **state)
{
    (void)state;
    double now = 0;
    open_host("replan");
    join(0);
    join(1);
    for (int i = 0; i < 3; i++) {
        post(now + 2, 0, 20);
        post(now + 2.1, 1, 20.4);
        decide(host.view.now);
        end(now + 5.9, 0);
        end(now + 6, 1);
        now += 6;
        host.ends[0] = now; /* both work from the same time on */
    }
    post(now + 2, 0, 20);
    decide(now + 2);
    assert_int_equal(host.asked, 1);
    for (uint32_t i = 0; i < 2; i++)
        assert_true(fabs(host.tasks[i].work - 2.05) < 1e-9 &&
                    fabs(host.tasks[i].volume - 20.2) < 1e-9 &&
                    fabs(host.tasks[i].io - 2.02) < 1e-9);
}

static void a_plan_that_does_not_keep_its_promise_is_dropped(void **state)
{
    (void)state;
    double now = learn_and_follow("replan"), last = now + 4;
    post(now + 2.5, 1, 20);
    end(last, 0);
    end(last, 1);
    /* Iterations of 6 s online, 4 s as planned, and 7 s as it turns out. The plan began at 20, and
     * is judged after three of the longest iterations, at 38. */
    for (int i = 0; i < 2; i++) {
        iterate(&last, 2, 5);
        assert_int_equal(replan()->stage, REPLAN_FOLLOWING);
    }
    post(last + 2, 0, 20);
    decide(last + 2);
    assert_int_equal(replan()->stage, REPLAN_DECLINED);
    assert_int_equal(host.asked, 1);
    assert_true(host.view.now == 38 && replan()->again == 38 + 18);
}

static void without_a_plan_the_online_strategy_goes_on(void **state)
{
    (void)state;
    double now = learn("replan");
    host.plan = NULL;
    post(now + 2, 1, 20);
    decide(now + 2);
    assert_int_equal(replan()->stage, REPLAN_DECLINED);
    assert_true(rate(1) == 10);
}

static void an_io_that_pauses_keeps_its_slot(void **state)
{
    (void)state;
    double now = learn_and_follow("replan");
    struct slot taken = replan()->follow.followers[0].slot;
    host.view.now = now + 4.5;
    host.runs[0].remaining = 15;
    deactivate(0);
    assert_int_equal(replan()->learners[0].habit.count, 3);
    host.view.now = now + 5;
    activate(0);
    assert_false(slot_before(taken, replan()->follow.followers[0].slot));
    assert_int_equal(replan()->stage, REPLAN_FOLLOWING);
}

static void an_io_that_comes_late_does_not_wait(void **state)
{
    (void)state;
    double now = learn_and_follow("replan");
    end(now + 3, 0);
    post(now + 7, 1, 20); /* its slot is [24, 26), now = 18 */
    decide(now + 7);
    assert_true(rate(1) == 10 && host.grants.wake == INFINITY);
}

static void it_stops_when_an_application_comes(void **state)
{
    (void)state;
    double now = learn_and_follow("replan");
    join(2);
    assert_int_equal(replan()->stage, REPLAN_FOLLOWING);
    post(now + 3, 2, 20);
    decide(now + 3);
    assert_int_equal(replan()->stage, REPLAN_LEARNING);
    assert_int_equal(host.asked, 1);
}

static void it_plans_again_when_one_leaves(void **state)
{
    (void)state;
    double now = 0;
    open_host("replan");
    for (uint32_t app = 0; app < APPS; app++)
        join(app);
    host.plan = NULL;
    /* The first iteration of the third application is shorter than its others. */
    for (int i = 0; i < 4; i++) {
        post(now + 2, 2, 20);
        end(now + 2.5, 2);
        iterate(&now, 2, 4);
    }
    /* It has asked at 20, before their fourth I/Os. Iterations take 6 s, and so long passes between
     * two questions. */
    assert_int_equal(host.asked, 1);
    assert_int_equal(host.task_count, 3);
    leave(2);
    assert_int_equal(replan()->stage, REPLAN_LEARNING);
    host.plan = &alternate;
    decide(25.9);
    assert_int_equal(host.asked, 1);
    decide(26.1);
    assert_int_equal(host.asked, 2);
    assert_int_equal(host.task_count, 2);
    assert_int_equal(replan()->stage, REPLAN_FOLLOWING);
}

static void it_stops_when_one_works_longer_and_longer(void **state)
{
    (void)state;
    double now = learn_and_follow("replan");
    host.ready = false;
    /* 20 % of 4 s more: the mean of the last three is within 10 % once, and not twice. */
    end(now + 4, 0);
    post(now + 6.8, 0, 20);
    end(now + 8.8, 0);
    assert_int_equal(replan()->stage, REPLAN_FOLLOWING);
    post(now + 11.6, 0, 20);
    end(now + 13.6, 0);
    assert_int_equal(replan()->stage, REPLAN_LEARNING);
}

static void a_little_noise_does_not_stop_it(void **state)
{
    (void)state;
    double now = learn_and_follow("replan"), noise[] = {0.1, -0.1, 0.05, 0.12, -0.08, 0.1};
    double last = now + 4;
    end(last, 0);
    for (int i = 0; i < 6; i++) {
        post(last + 2 + noise[i], 0, 20 * (1 + noise[i] / 5));
        decide(host.view.now);
        end(last + 4, 0);
        last += 4;
    }
    assert_int_equal(replan()->stage, REPLAN_FOLLOWING);
    assert_int_equal(host.asked, 1);
}

/* --- the strategy inside ---------------------------------------------------------------------- */

static void every_online_strategy_fits_and_decides_by_the_view(void **state)
{
    (void)state;
    for (int i = 0; online_names[i]; i++) {
        struct err err = {0};
        struct policy *policy = policy_open(online_names[i], &err);
        assert_non_null(policy);
        assert_true(policy->ops->state_size <= ONLINE_STATE);
        assert_true(policy->ops->app_size <= ONLINE_APP);
        assert_false(policy->ops->flags & (WEIR_INCREMENTAL | WEIR_SHARES | WEIR_NEEDS_PLAN));
        policy_free(policy);
        char text[64];
        snprintf(text, sizeof text, "replan:online=%s", online_names[i]);
        learn_and_follow(text);
        post(host.view.now, 1, 20);
        decide(host.view.now);
        assert_true(rate(0) + rate(1) == 10);
        close_host(NULL);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, close_host)
    const struct CMUnitTest tests[] = {
        TEST(it_asks_for_a_plan_of_the_means_when_all_have_repeated_themselves),
        TEST(a_plan_waits_for_as_many_iterations_as_asked),
        TEST(there_is_no_plan_while_iterations_vary),
        TEST(an_iteration_without_io_is_part_of_the_next),
        TEST(a_few_bytes_are_part_of_the_work),
        TEST(an_application_that_falls_silent_does_not_keep_the_others_from_a_plan),
        TEST(a_plan_is_followed_from_its_answer_on),
        TEST(a_plan_that_promises_no_more_is_not_followed),
        TEST(applications_that_differ_by_noise_are_planned_alike),
        TEST(a_plan_that_does_not_keep_its_promise_is_dropped),
        TEST(without_a_plan_the_online_strategy_goes_on),
        TEST(an_io_that_pauses_keeps_its_slot),
        TEST(an_io_that_comes_late_does_not_wait),
        TEST(it_stops_when_an_application_comes),
        TEST(it_plans_again_when_one_leaves),
        TEST(it_stops_when_one_works_longer_and_longer),
        TEST(a_little_noise_does_not_stop_it),
        TEST(every_online_strategy_fits_and_decides_by_the_view),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
