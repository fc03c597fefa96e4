/* What strategies know of volumes and progress changes what they decide, but not what is moved. */
#include "gen/gen.h"
#include "sim/sim.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

#define EXPECT(policy, ...) small_expect(&small, policy, (const char *const[]){__VA_ARGS__})

static const struct knowledge means = {.volumes = KNOWLEDGE_MEAN};
static const struct knowledge roughly = {.volumes = KNOWLEDGE_WITHIN, .part = 0.3};

static struct workload *believe(const struct knowledge *knowledge)
{
    struct err err;
    struct workload *expected = workload_believe(&small.workload, knowledge, &err);
    assert_non_null(expected);
    small.expected = expected;
    return expected;
}

static void volumes_are_learnt_and_corrected(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "v30");
    small_add(&small, 10, "v4");
    EXPECT("greedy-com", "0 wait 0.4 io@10 3.4", "0 io@10 0.4");
    /* Both are taken for what they move alone in one second, 10 bytes: the first goes first. 1: it
     * has moved 10, so 10 more are expected, as many as the other has. 2: it has moved 20, and 20
     * more are expected: the other goes first, and ends before it was expected to. */
    struct workload *expected = believe(&means);
    small.blind = true;
    EXPECT("greedy-com", "0 io@10 2 wait 2.4 io@10 3.4", "0 wait 2 io@10 2.4");
    workload_free(expected);
}

static void an_io_beyond_its_estimate_keeps_its_turn(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "v10 w1 v40");
    small_add(&small, 10, "w1 v10 w1.5 v15");
    small.blind = true;
    /* Each has a first I/O of 10 bytes, as expected. 2: the second one of the first application is
     * taken for 10 bytes, too. 3: it has moved them and goes on: 0 are left of what was expected.
     * 3.5: the other comes with 10 expected bytes, and waits for it, though 20 would have been left
     * at 3 if its volume had just doubled. */
    struct workload *expected = believe(&means);
    static const char *const strategies[] = {"greedy-com", "critical-yield", "clearing", NULL};
    for (int i = 0; strategies[i]; i++)
        EXPECT(strategies[i], "0 io@10 1 work 2 io@10 6",
               "0 work 1 io@10 2 work 3.5 wait 6 io@10 7.5");
    workload_free(expected);
}

static void a_mean_is_that_of_the_earlier_ios(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 5, "v30 w1 v10 w1 w1 v7");
    struct workload *expected = believe(&means);
    const double volumes[] = {5, 30, 0, 20};
    for (uint32_t k = 0; k < 4; k++)
        expect_near(app_iteration(&expected->apps[0], k).volume, volumes[k], 1e-12);
    workload_free(expected);
}

static void progress_may_be_old(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w2.5 v10");
    small_add(&small, 10, "v10");
    small_add(&small, 10, "v10 w0.5 v10");
    /* 2.5: the third has lost a second, the first none. */
    EXPECT("greedy-yield", "0 work 2.5 wait 3.5 io@10 4.5", "0 io@10 1",
           "0 wait 1 io@10 2 work 2.5 io@10 3.5");
    small.progress_age = 1; /* seen at 1 */
    EXPECT("greedy-yield", "0 work 2.5 wait 3.5 io@10 4.5", "0 io@10 1",
           "0 wait 1 io@10 2 work 2.5 io@10 3.5");
    small.progress_age = 10; /* as of 0, when none had lost anything */
    EXPECT("greedy-yield", "0 work 2.5 io@10 3.5", "0 io@10 1",
           "0 wait 1 io@10 2 work 2.5 wait 3.5 io@10 4.5");
}

static void start_mix(void)
{
    small_init(&small, 10);
    small_add(&small, 10, "w1 v10 w2 v40 w1 v3");
    small_add(&small, 4, "v7 w3 v11 x6");
    small_add(&small, 7, "w0.3 v2 x20");
    small_add(&small, 10, "v25 w2 v1 w1 v60")->facts.release = 1.7;
    for (uint32_t id = 0; id < small.workload.count; id++)
        app_profile(&small.apps[id]);
}

/* small_run checks that exactly the bytes of every I/O are moved, and that rules are kept. */
static void every_strategy_moves_every_byte(void **state)
{
    (void)state;
    const struct knowledge *known[] = {&means, &roughly};
    for (int i = 0; i < 4; i++)
        for (size_t p = 0; policy_all[p]; p++) {
            start_mix();
            struct workload *expected = believe(known[i % 2]);
            small.progress_age = i < 2 ? 0 : 2;
            outcome_free(small_run(&small, policy_all[p], NULL));
            workload_free(expected);
        }
}

static void a_strategy_that_uses_no_volumes_does_the_same(void **state)
{
    (void)state;
    static const char *const policies[] = {"fcfs", "fair-share", "best-effort"};
    for (int i = 0; i < 3; i++) {
        start_mix();
        struct outcome *exact = small_run(&small, policies[i], NULL);
        struct workload *expected = believe(&means);
        struct outcome *estimated = small_run(&small, policies[i], NULL);
        for (uint32_t id = 0; id < small.workload.count; id++)
            expect_near(estimated->apps[id].completion, exact->apps[id].completion, 1e-9);
        outcome_free(exact);
        outcome_free(estimated);
        workload_free(expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_are_learnt_and_corrected),
        cmocka_unit_test(an_io_beyond_its_estimate_keeps_its_turn),
        cmocka_unit_test(a_mean_is_that_of_the_earlier_ios),
        cmocka_unit_test(progress_may_be_old),
        cmocka_unit_test(every_strategy_moves_every_byte),
        cmocka_unit_test(a_strategy_that_uses_no_volumes_does_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
