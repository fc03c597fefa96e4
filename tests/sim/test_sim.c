#include "base/mem.h"
#include "sim/sim.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct small small;

/* --- strategies that misbehave ---------------------------------------------------------------- */

static void refuse(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    (void)self;
    (void)view;
    (void)grants;
}

static void exceed_bmax(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    (void)self;
    weir_grant(grants, view->active[0], 2 * view->runs[view->active[0]].app->bmax);
}

static void exceed_bandwidth(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    (void)self;
    for (uint32_t i = 0; i < view->active_count; i++)
        weir_grant(grants, view->active[i], view->runs[view->active[i]].app->bmax);
}

static void halve(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    (void)self;
    for (uint32_t i = 0; i < view->active_count; i++)
        weir_grant(grants, view->active[i], view->bandwidth / 2 / view->active_count);
}

typedef void decision(void *, const struct weir_view *, struct weir_grants *);

/* One of the library is checked when asked to be, a foreign one in any case. */
static void expect_failure(decision *decide, uint32_t flags, const char *says)
{
    const struct weir_policy_ops ops = {
        .abi = WEIR_POLICY_ABI, .flags = flags, .name = "bad", .decide = decide};
    char name[] = "bad";
    for (int foreign = 0; foreign < 2; foreign++) {
        const struct policy policy = {.ops = &ops, .name = name, .foreign = foreign};
        const struct sim_options options = {.check = !foreign};
        struct err err = {0};
        small_init(&small, 10);
        small_add(&small, 6, "w1 v12");
        small_add(&small, 6, "w1 v12");
        struct outcome *outcome = sim_run(&small.workload, &policy, &options, &err);
        outcome_free(outcome);
        assert_null(outcome);
        if (!strstr(err.text, says))
            fail_msg("%s", err.text);
    }
}

static void a_broken_promise_is_an_error(void **state)
{
    (void)state;
    expect_failure(refuse, 0, "stalled at 1 s: 2 applications are never granted bandwidth");
    expect_failure(exceed_bmax, 0, "at 1 s: application 'app': granted 12 bytes/s, can take 6");
    expect_failure(exceed_bandwidth, 0,
                   "at 1 s: granted 12 bytes/s in all, the file system has 10");
    expect_failure(halve, WEIR_WORK_CONSERVING,
                   "at 1 s: granted 5 bytes/s in all, 10 could be used");
}

static void an_order_of_posts_is_kept(void **state)
{
    (void)state;
    uint32_t ids[] = {0, 1, 0, 1};
    const struct sim_order order = {ids, 4};
    small_init(&small, 10);
    small_add(&small, 10, "w2 v10 w2 v10");
    small_add(&small, 10, "w1 v20 w3 v5");
    small.order = &order;
    /* The second is ready at 1, but waits for the first, which posts at 2. */
    small_expect(&small, "fcfs",
                 (const char *const[]){"0 work 2 io@10 3 work 5 io@10 6",
                                       "0 work 2 wait 3 io@10 5 work 8 io@10 8.5"});
}

static void an_order_of_posts_decides_ties(void **state)
{
    (void)state;
    uint32_t ids[] = {2, 0, 1};
    const struct sim_order order = {ids, 3};
    small_init(&small, 10);
    for (int i = 0; i < 3; i++)
        small_add(&small, 10, "w2 v10");
    small.order = &order;
    small_expect(&small, "fcfs",
                 (const char *const[]){"0 work 2 wait 3 io@10 4", "0 work 2 wait 4 io@10 5",
                                       "0 work 2 io@10 3"});
}

static void the_order_of_posts_is_recorded(void **state)
{
    (void)state;
    static const uint32_t expected[] = {1, 0, 0, 1};
    struct err err = {0};
    struct sim_order order;
    const struct sim_options options = {.posted = &order};
    struct policy *policy = policy_open("fcfs", &err);
    small_init(&small, 10);
    small_add(&small, 10, "w2 v10 w1 v10");
    small_add(&small, 10, "w1 v20 w3 v5");
    struct outcome *outcome = sim_run(&small.workload, policy, &options, &err);
    assert_non_null(outcome);
    assert_int_equal(order.count, 4);
    assert_memory_equal(order.ids, expected, sizeof expected);
    free(order.ids);
    outcome_free(outcome);
    policy_free(policy);
}

/* --- what is reported ------------------------------------------------------------------------- */

static void events_are_releases_posts_completions_and_timers(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "w1 v2");
    small_add(&small, 1, "w1 v2");
    struct outcome *outcome = small_run(&small, "greedy-yield", NULL);
    /* Two of each. Decisions at 1 (both post) and 3 (the first is done, the other goes on): at 0
     * and 5 nobody is active. */
    assert_int_equal(outcome->events, 6);
    assert_int_equal(outcome->decisions, 2);
    assert_true(outcome->start == 0 && outcome->end == 5);
    outcome_free(outcome);
    outcome = small_run(&small, "periodic-greedy-yield:delta=1", NULL);
    /* Timers at 2, 3 and 4, where the first is done as well. */
    assert_int_equal(outcome->events, 9);
    assert_int_equal(outcome->decisions, 4);
    outcome_free(outcome);
}

static void a_run_begins_with_the_first_release(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "w1 v2")->facts.release = 5;
    small_add(&small, 1, "w1 v2")->facts.release = 3;
    struct outcome *outcome = small_run(&small, "fcfs", NULL);
    assert_true(outcome->start == 3 && outcome->end == 8);
    outcome_free(outcome);
}

static void a_window_cuts_what_goes_on_and_measures_from_its_start(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w2 v20 w9");
    small_age(small_add(&small, 10, "v30 w4"), 10, 4);
    small_add(&small, 10, "w1")->facts.release = 20;
    small_window(&small, 1, 7);
    /* fcfs: the second transfers until 3, works until 7; the first works until 2, waits until 3,
     * transfers until 5 and works on. The third is not there yet. */
    struct outcome *outcome = small_run(&small, "fcfs", NULL);
    const struct app_outcome *first = &outcome->apps[0], *second = &outcome->apps[1];
    assert_true(outcome->start == 1 && outcome->end == 7);
    assert_true(isnan(first->completion) && second->completion == 7);
    assert_true(isnan(outcome->apps[2].completion));
    expect_near(first->lost, 1, 1e-12);
    expect_near(outcome->spans[0].lost, 1, 1e-12);
    expect_near(second->lost, 6, 1e-12); /* from before */
    expect_near(outcome->spans[1].lost, 0, 1e-12);
    expect_near(outcome->spans[0].work, 1 + 2, 1e-12);
    expect_near(outcome->spans[1].work, 4, 1e-12);
    expect_near(first->done_work, 2, 1e-12);
    expect_near(first->done_ideal, 4, 1e-12);
    outcome_free(outcome);
}

static void what_happens_at_one_instant_is_decided_at_once(void **state)
{
    (void)state;
    /* 0.1 * 3 and 0.3 differ in the last bit, but both post at the same instant; the lower index
     * goes first, though it posts a bit later. */
    small_init(&small, 1);
    small_add(&small, 1, "w0.1 w0.1 w0.1 v1");
    small_add(&small, 1, "w0.3 v1");
    struct outcome *outcome = small_run(&small, "fcfs", NULL);
    expect_near(outcome->apps[0].completion, 1.3, 1e-12);
    expect_near(outcome->apps[1].completion, 2.3, 1e-12);
    assert_int_equal(outcome->decisions, 2);
    outcome_free(outcome);
}

static void very_large_and_very_small_numbers_come_to_an_end(void **state)
{
    (void)state;
    static const double sizes[] = {1e-15, 1e-6, 1, 1e9, 1e18};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
        for (int p = 0; policy_all[p]; p++) {
            double s = sizes[i];
            const struct iteration list[] = {{s, 3e9}, {1e-12, 1}, {7, 1e15 * s}};
            small_init(&small, 1e10);
            small_add_list(&small, 1e10, list, 3);
            small_add_list(&small, 7e9, list, 3);
            small_add_list(&small, 1, (struct iteration[]){{s / 3, 1e-3}, {s, s}}, 2);
            struct outcome *outcome = small_run(&small, policy_all[p], NULL);
            assert_true(outcome->events < 2000);
            outcome_free(outcome);
        }
}

static double last_progress;
static int progress_calls;

static void transfers_shorter_than_rounding_can_tell_come_to_an_end(void **state)
{
    (void)state;
    /* At 1 s a time tells spans of 0.33 ns only roughly: neither I/O may seem shorter than the
     * other in turn. */
    for (const char *const *policy = policy_all; *policy; policy++) {
        small_init(&small, 3e9);
        small_add(&small, 3e9, "w1 v1");
        small_add(&small, 3e9, "w1 v1");
        small_add(&small, 2e9, "w1 v1");
        struct outcome *outcome = small_run(&small, *policy, NULL);
        expect_near(outcome->end, 1, 1e-8);
        outcome_free(outcome);
    }
}

static void note_progress(void *context, double done)
{
    assert_ptr_equal(context, &small);
    assert_true(done >= 0 && done <= 1);
    last_progress = done;
    progress_calls++;
}

static void progress_is_told(void **state)
{
    (void)state;
    const struct iteration one = {1e-3, 1e-3};
    struct err err;
    struct policy *policy = policy_open("fcfs", &err);
    const struct sim_options options = {.progress = note_progress, .context = &small};
    small_init(&small, 1);
    small_repeat(small_add_list(&small, 1, &one, 1), 100000);
    outcome_free(sim_run(&small.workload, policy, &options, &err));
    assert_true(progress_calls >= 3 && last_progress > 0.5);
    /* In a window it is the part of the time that has passed: 1e5 / 65536 = 1.5 reports. */
    small_window(&small, 0, 100);
    last_progress = 0;
    outcome_free(sim_run(&small.workload, policy, &options, &err));
    assert_true(last_progress > 0.5);
    outcome_free(sim_run(&small.workload, policy, NULL, &err));
    policy_free(policy);
}

/* --- memory ----------------------------------------------------------------------------------- */

static void a_failing_allocation_is_an_error(void **state)
{
    (void)state;
    struct err err;
    struct policy *policy = policy_open("greedy-com", &err);
    long n = 0;
    small_init(&small, 10);
    for (int i = 0; i < 5; i++)
        small_add(&small, 10, "w1 v9 w2 v1");
    for (struct outcome *outcome = NULL; !outcome; n++) {
        struct timeline timeline = {0};
        const struct sim_options options = {.check = true, .timeline = &timeline};
        err = (struct err){0};
        mem_fail_after(n);
        outcome = sim_run(&small.workload, policy, &options, &err);
        mem_fail_after(-1);
        if (!outcome)
            assert_non_null(strstr(err.text, "out of memory"));
        outcome_free(outcome);
        timeline_fini(&timeline);
    }
    assert_true(n > 15);
    policy_free(policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_order_of_posts_is_kept),
        cmocka_unit_test(an_order_of_posts_decides_ties),
        cmocka_unit_test(the_order_of_posts_is_recorded),
        cmocka_unit_test(a_broken_promise_is_an_error),
        cmocka_unit_test(events_are_releases_posts_completions_and_timers),
        cmocka_unit_test(a_run_begins_with_the_first_release),
        cmocka_unit_test(a_window_cuts_what_goes_on_and_measures_from_its_start),
        cmocka_unit_test(what_happens_at_one_instant_is_decided_at_once),
        cmocka_unit_test(very_large_and_very_small_numbers_come_to_an_end),
        cmocka_unit_test(transfers_shorter_than_rounding_can_tell_come_to_an_end),
        cmocka_unit_test(progress_is_told),
        cmocka_unit_test(a_failing_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
