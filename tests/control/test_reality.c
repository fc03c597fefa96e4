/* What happens only in reality: I/Os pause, turn out longer, and are not moved as granted. */
#include "common.h"
#include "control/check.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

/* A controller of applications 0 and 2, each of which could take all of the bandwidth. */
static struct control *start_two(const struct policy *policy)
{
    struct control *control = start_control(policy);
    control_join(control, 0, 0, &control_apps[0], 0);
    control_join(control, 0, 2, &control_apps[2], 0);
    return control;
}

static void a_paused_io_keeps_its_place_and_its_bytes(void **state)
{
    (void)state;
    struct policy *policy = open_policy("fcfs");
    struct control *control = start_two(policy);
    const struct weir_view *view = control_view(control, 0);
    post_io(control, 0, 0, 50);
    post_io(control, 1, 2, 50);
    control_decide(control, 1);
    assert_true(control_rate(control, 0) == 10 && control_rate(control, 2) == 0);

    control_pause(control, 3, 0); /* has moved 10 * 2 since the decision */
    control_decide(control, 3);
    assert_true(control_paused(control, 0));
    assert_int_equal(view->runs[0].state, WEIR_WORKING);
    assert_int_equal(view->active_count, 1);
    assert_true(control_rate(control, 2) == 10);

    control_resume(control, 4, 0);
    control_decide(control, 4);
    assert_false(control_paused(control, 0));
    /* First come, first served: it was posted at 0. */
    assert_true(control_rate(control, 0) == 10 && control_rate(control, 2) == 0);
    assert_true(is_near(control_next(control), 4 + 30.0 / 10));
    /* It waited for a second before the decision, and worked for another while it was paused. */
    assert_true(is_near(weir_lost(control_view(control, 4), &view->runs[0]), 1));
    control_free(control);
    policy_free(policy);
}

static void a_paused_io_can_be_complete(void **state)
{
    (void)state;
    struct policy *policy = open_policy("fcfs");
    struct control *control = start_control(policy);
    const struct weir_view *view = control_view(control, 0);
    control_join(control, 0, 0, &control_apps[0], 0);
    post_io(control, 0, 0, 50);
    control_decide(control, 0);
    control_pause(control, 4, 0);
    control_complete(control, 5, 0);
    assert_false(control_paused(control, 0));
    assert_int_equal(view->runs[0].finished, 1);
    assert_int_equal(view->active_count, 0);
    post_io(control, 6, 0, 20);
    control_decide(control, 6);
    assert_true(control_rate(control, 0) == 10);
    /* One that is paused may also leave. */
    control_pause(control, 7, 0);
    control_leave(control, 8, 0);
    assert_int_equal(view->runs[0].state, WEIR_ABSENT);
    control_free(control);
    policy_free(policy);
}

static void the_smallest_io_can_be_paused(void **state)
{
    (void)state;
    struct policy *policy = open_policy("fcfs");
    struct control *control = start_control(policy);
    control_join(control, 0, 0, &control_apps[0], 0);
    post_io(control, 0, 0, 5e-324);
    control_decide(control, 0);
    control_observe(control, 1, 0, (struct control_seen){.moved = 1});
    control_pause(control, 1, 0);
    assert_true(control_paused(control, 0));
    control_resume(control, 2, 0);
    control_resize(control, 2, 0, 5e-324);
    control_pause(control, 3, 0);
    assert_true(control_paused(control, 0));
    control_free(control);
    policy_free(policy);
}

static void what_was_moved_really_corrects_the_prediction(void **state)
{
    (void)state;
    static const char *const policies[] = {"fcfs", "fair-share"}; /* own and shared grants */
    for (int i = 0; i < 2; i++) {
        struct policy *policy = open_policy(policies[i]);
        struct control *control = start_control(policy);
        const struct weir_view *view = control_view(control, 0);
        control_join(control, 0, 0, &control_apps[0], 0);
        post_io(control, 0, 0, 50);
        control_decide(control, 0);
        assert_true(is_near(control_next(control), 5));
        /* After 3 s 15 bytes were moved, not 30: 35 are left, and 1.5 s were lost. */
        control_observe(control, 3, 0, (struct control_seen){.moved = 15, .lost = 1.5});
        assert_true(is_near(control_next(control), 3 + 3.5));
        assert_true(is_near(weir_lost(control_view(control, 3), &view->runs[0]), 1.5));
        /* All of it and more: it is due, but not below nothing. */
        control_observe(control, 4, 0, (struct control_seen){.moved = 60, .lost = 1.5});
        assert_int_equal(control_due(control, 4), 0);
        assert_true(view->runs[0].remaining > 0);
        control_free(control);
        policy_free(policy);
    }
}

static void an_io_of_another_volume_goes_on_from_its_old_post(void **state)
{
    (void)state;
    struct policy *policy = open_policy("greedy-com");
    struct control *control = start_two(policy);
    post_io(control, 0, 0, 10);
    post_io(control, 0, 2, 20);
    control_decide(control, 0);
    assert_true(control_rate(control, 0) == 10); /* the shorter one */
    control_resize(control, 0.5, 0, 40);
    control_decide(control, 0.5);
    /* 35 bytes are left of it: now the other one is shorter. */
    assert_true(control_rate(control, 0) == 0 && control_rate(control, 2) == 10);
    const struct weir_view *view = control_view(control, 0.5);
    assert_true(is_near(weir_remaining(view, &view->runs[0]), 35));
    assert_true(view->runs[0].posted == 0 && view->runs[0].volume == 40);
    /* And back: 8 of which 5 are moved. */
    control_resize(control, 0.5, 0, 8);
    control_decide(control, 0.5);
    assert_true(is_near(weir_remaining(view, &view->runs[0]), 3));
    assert_true(control_rate(control, 0) == 10);
    control_free(control);
    policy_free(policy);
}

/* The volume doubles each time; what was expected at first keeps its turn for it up to four times
 * that: at 10 and 20 bytes it counts as about to end, at 40 its 40 others are more than 20. */
static void an_io_beyond_its_estimate_keeps_its_turn_for_a_while(void **state)
{
    (void)state;
    struct policy *policy = open_policy("greedy-com");
    struct control *control = start_two(policy);
    post_io(control, 0, 0, 10);
    post_io(control, 0, 2, 20);
    control_decide(control, 0);
    const struct weir_view *view = control_view(control, 0);
    const double times[] = {1, 2, 4}, expected[] = {0, 0, 40};
    for (int i = 0; i < 3; i++) {
        assert_true(control_rate(control, 0) == 10);
        control_exceed(control, times[i], 0, 20 * times[i]);
        control_decide(control, times[i]);
        view = control_view(control, times[i]);
        assert_true(is_near(weir_expected(view, &view->runs[0]), expected[i]));
    }
    assert_true(control_rate(control, 0) == 0 && control_rate(control, 2) == 10);
    assert_true(view->runs[0].guessed && view->runs[0].volume == 80);
    control_free(control);
    policy_free(policy);
}

static void set_10_does_not_count_an_io_twice_that_paused(void **state)
{
    (void)state;
    struct policy *policy = open_policy("set-10");
    struct control *control = start_two(policy);
    /* Both are new; with the first set's order the earlier one is served, whatever pauses. */
    post_io(control, 0, 0, 1000);
    post_io(control, 1, 2, 1000);
    control_pause(control, 2, 0);
    control_resume(control, 3, 0);
    control_decide(control, 3);
    /* Were its second post a second iteration, it would be in the set of 100 s and get less. */
    assert_true(control_rate(control, 0) == 10 && control_rate(control, 2) == 0);
    control_free(control);
    policy_free(policy);
}

static void periodic_waits_for_the_one_that_paused_in_its_turn(void **state)
{
    (void)state;
    struct policy *policy = open_policy("periodic");
    struct control *control = start_two(policy);
    post_io(control, 0, 0, 100);
    post_io(control, 1, 2, 100);
    control_decide(control, 1);
    assert_true(control_rate(control, 0) == 10 && control_rate(control, 2) == 0);
    control_pause(control, 2, 0);
    control_decide(control, 2);
    assert_true(control_rate(control, 2) == 0);
    control_complete(control, 3, 0);
    control_decide(control, 3);
    assert_true(control_rate(control, 2) == 10);
    control_free(control);
    policy_free(policy);
}

static void list_does_not_interrupt_an_io_that_turns_out_larger(void **state)
{
    (void)state;
    struct policy *policy = open_policy("list:order=shortest-io");
    struct control *control = start_two(policy);
    post_io(control, 0, 0, 10);
    control_decide(control, 0);
    post_io(control, 0.5, 2, 20);
    control_resize(control, 0.5, 0, 40); /* the other one is shorter now, but not served yet */
    control_decide(control, 0.5);
    assert_true(control_rate(control, 0) == 10 && control_rate(control, 2) == 0);
    /* While it pauses the file system is free for others, which are not interrupted either. */
    control_pause(control, 1, 0);
    control_decide(control, 1);
    control_resume(control, 2, 0);
    control_decide(control, 2);
    assert_true(control_rate(control, 0) == 0 && control_rate(control, 2) == 10);
    /* One that leaves is not waited for, nor the next of its number taken for it. */
    control_leave(control, 2, 0);
    control_join(control, 2, 0, &control_apps[0], 0);
    post_io(control, 2, 0, 30);
    control_complete(control, 3, 2);
    control_join(control, 3, 1, &control_apps[1], 0);
    post_io(control, 3, 1, 5);
    control_decide(control, 3);
    assert_true(control_rate(control, 0) == 0 && control_rate(control, 1) == 5);
    control_free(control);
    policy_free(policy);
}

/* --- another controller takes over -------------------------------------------------------------
 */

static void another_strategy_takes_over_where_the_old_one_was(void **state)
{
    (void)state;
    struct policy *fcfs = open_policy("fcfs"), *fair = open_policy("fair-share");
    struct control *old = start_control(fcfs), *control = start_control(fair);
    control_join(old, 0, 0, &control_apps[0], 0);
    control_join(old, 0, 1, &control_apps[1], 4);
    control_join(old, 2, 2, &control_apps[2], 0);
    post_io(old, 2, 0, 100);
    post_io(old, 3, 2, 100);
    control_decide(old, 3);
    control_pause(old, 4, 2);
    control_decide(old, 4);
    control_adopt(control, 6, old);
    control_free(old);
    policy_free(fcfs);

    control_decide(control, 6);
    const struct weir_view *view = control_view(control, 6);
    assert_int_equal(view->active_count, 1);
    assert_true(is_near(weir_remaining(view, &view->runs[0]), 100 - 30));
    assert_true(control_rate(control, 0) == 10);
    assert_int_equal(view->runs[1].state, WEIR_WORKING);
    assert_true(view->runs[1].lost == 4);
    assert_true(control_paused(control, 2));
    control_resume(control, 6, 2);
    control_decide(control, 6);
    assert_true(control_rate(control, 0) == 5 && control_rate(control, 2) == 5);
    assert_true(view->runs[2].posted == 3);
    control_free(control);
    policy_free(fair);
}

/* --- everything at random, under every strategy ------------------------------------------------
 */

enum { APPS = 12, STEPS = 4000 };

struct chaos {
    struct policy *policy;
    struct control *control;
    struct weir_app apps[APPS];
    uint64_t seed;
    double now;
};

static double draw(struct chaos *chaos)
{
    chaos->seed = chaos->seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(chaos->seed >> 11) / 9007199254740992.0;
}

static void start_chaos(struct chaos *chaos, const char *name)
{
    const struct weir_setup setup = {.bandwidth = 10, .horizon = INFINITY, .capacity = APPS};
    struct err err;
    *chaos = (struct chaos){.policy = open_policy(name), .seed = 7};
    chaos->control = control_new(chaos->policy, &setup, &err);
    assert_non_null(chaos->control);
    for (uint32_t id = 0; id < APPS; id++)
        chaos->apps[id] = (struct weir_app){
            .nodes = 1 + id, .bmax = 1 + 8 * draw(chaos), .weight = 1, .release = 0};
}

static void take_over(struct chaos *chaos)
{
    const struct weir_setup setup = {
        .bandwidth = 9 + 6 * draw(chaos), .horizon = INFINITY, .capacity = APPS};
    struct err err;
    struct control *next = control_new(chaos->policy, &setup, &err);
    assert_non_null(next);
    control_adopt(next, chaos->now, chaos->control);
    control_free(chaos->control);
    chaos->control = next;
}

static void change_active(struct chaos *chaos, uint32_t id, const struct weir_run *run)
{
    double what = draw(chaos);
    struct control *control = chaos->control;
    if (what < 0.3)
        control_pause(control, chaos->now, id);
    else if (what < 0.5)
        control_observe(control, chaos->now, id,
                        (struct control_seen){.moved = run->volume * 1.1 * draw(chaos),
                                              .lost = chaos->now * draw(chaos)});
    else if (what < 0.7)
        control_resize(control, chaos->now, id, run->volume * (0.5 + draw(chaos)));
    else if (what < 0.95)
        control_complete(control, chaos->now, id);
    else
        control_leave(control, chaos->now, id);
}

static void change(struct chaos *chaos, uint32_t id)
{
    struct control *control = chaos->control;
    const struct weir_run *run = &control_view(control, chaos->now)->runs[id];
    chaos->apps[id].release = run->state == WEIR_ABSENT ? chaos->now : chaos->apps[id].release;
    if (run->state == WEIR_ABSENT)
        control_join(control, chaos->now, id, &chaos->apps[id], 0);
    else if (run->state == WEIR_ACTIVE)
        change_active(chaos, id, run);
    else if (!control_paused(control, id))
        control_post(control, chaos->now, id,
                     (struct control_io){1 + 50 * draw(chaos), draw(chaos), chaos->now, false});
    else if (draw(chaos) < 0.7)
        control_resume(control, chaos->now, id);
    else
        control_complete(control, chaos->now, id);
}

/* Some time passes, and a few things happen. */
static void stir(struct chaos *chaos)
{
    chaos->now += draw(chaos);
    for (int i = 0; i < 3; i++)
        change(chaos, (uint32_t)(APPS * draw(chaos)));
    if (draw(chaos) < 0.01)
        take_over(chaos);
}

static void end_chaos(struct chaos *chaos)
{
    control_free(chaos->control);
    policy_free(chaos->policy);
}

static void every_strategy_keeps_the_rules_whatever_happens(void **state)
{
    (void)state;
    for (size_t p = 0; policy_all[p]; p++) {
        struct chaos chaos;
        struct err err = {0};
        uint32_t app;
        start_chaos(&chaos, policy_all[p]);
        for (int step = 0; step < STEPS; step++) {
            stir(&chaos);
            control_decide(chaos.control, chaos.now);
            if (check_rules(chaos.control, chaos.policy, chaos.now, &app, &err) != 0)
                fail_msg("%s, application %u: %s", policy_all[p], app, err.text);
        }
        end_chaos(&chaos);
    }
}

/* The one that needs the least time alone for what remains, of those that have no rate yet. */
static uint32_t find_shortest(const struct weir_view *view, const double *rates)
{
    uint32_t first = CONTROL_NONE;
    double least = INFINITY;
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        double span = weir_remaining(view, &view->runs[id]) / view->runs[id].app->bmax;
        if (rates[id] < 0 && weir_before(span, id, least, first)) {
            first = id;
            least = span;
        }
    }
    return first;
}

static void expect_shortest_first(const struct chaos *chaos)
{
    const struct weir_view *view = control_view(chaos->control, chaos->now);
    double rates[APPS], left = view->bandwidth;
    for (uint32_t id = 0; id < APPS; id++)
        rates[id] = -1;
    for (uint32_t id; (id = find_shortest(view, rates)) != CONTROL_NONE; left -= rates[id]) {
        rates[id] = fmin(view->runs[id].app->bmax, left);
        if (!is_near(control_rate(chaos->control, id), rates[id]))
            fail_msg("at %g s application %u has %g bytes/s, expected %g", chaos->now, id,
                     control_rate(chaos->control, id), rates[id]);
    }
}

/* It keeps its order from one decision to the next, in which nothing may be taken for moved that
 * was only granted. */
static void greedy_com_serves_the_shortest_first_whatever_happens(void **state)
{
    (void)state;
    struct chaos chaos;
    start_chaos(&chaos, "greedy-com");
    for (int step = 0; step < STEPS; step++) {
        stir(&chaos);
        for (uint32_t id; (id = control_due(chaos.control, chaos.now)) != CONTROL_NONE;)
            control_complete(chaos.control, chaos.now, id);
        control_decide(chaos.control, chaos.now);
        expect_shortest_first(&chaos);
    }
    end_chaos(&chaos);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_paused_io_keeps_its_place_and_its_bytes),
        cmocka_unit_test(a_paused_io_can_be_complete),
        cmocka_unit_test(the_smallest_io_can_be_paused),
        cmocka_unit_test(what_was_moved_really_corrects_the_prediction),
        cmocka_unit_test(an_io_of_another_volume_goes_on_from_its_old_post),
        cmocka_unit_test(an_io_beyond_its_estimate_keeps_its_turn_for_a_while),
        cmocka_unit_test(set_10_does_not_count_an_io_twice_that_paused),
        cmocka_unit_test(periodic_waits_for_the_one_that_paused_in_its_turn),
        cmocka_unit_test(list_does_not_interrupt_an_io_that_turns_out_larger),
        cmocka_unit_test(another_strategy_takes_over_where_the_old_one_was),
        cmocka_unit_test(every_strategy_keeps_the_rules_whatever_happens),
        cmocka_unit_test(greedy_com_serves_the_shortest_first_whatever_happens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
