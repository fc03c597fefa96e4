/* What the papers prove about the strategies, on the instances with which they prove it. */
#include "base/random.h"
#include "metric/metric.h"
#include "policy/exclusive.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct small small;

static struct weir_metrics measure(const char *policy)
{
    struct weir_metrics metrics;
    struct outcome *outcome = small_run(&small, policy, NULL);
    metrics_compute(&small.workload, outcome, &metrics);
    outcome_free(outcome);
    return metrics;
}

/* --- thesis, chapter II ----------------------------------------------------------------------- */

/* The optimal makespan of uniform jobs (a, b)^n_i (thesis II.B, lemma 2 and proposition 2): with l
 * jobs of the largest n, S the sum of all n_i, and S - l = q (n - 1) + r,
 *     a + l b + (n - 1 - r) max(a + b, q b) + r max(a + b, (q + 1) b). */
static double best_makespan(double a, double b, const uint32_t *n, uint32_t jobs)
{
    uint32_t longest = 0, l = 0, sum = 0;
    for (uint32_t i = 0; i < jobs; i++)
        longest = n[i] > longest ? n[i] : longest;
    for (uint32_t i = 0; i < jobs; i++) {
        l += n[i] == longest;
        sum += n[i];
    }
    if (longest == 1)
        return a + l * b;
    uint32_t q = (sum - l) / (longest - 1), r = (sum - l) % (longest - 1);
    return a + l * b + (longest - 1 - r) * fmax(a + b, q * b) + r * fmax(a + b, (q + 1) * b);
}

static void add_uniform(double a, double b, const uint32_t *n, uint32_t jobs)
{
    struct iteration list[SMALL_ITERATIONS];
    for (uint32_t k = 0; k < SMALL_ITERATIONS; k++)
        list[k] = (struct iteration){a, b};
    small_init(&small, 1);
    for (uint32_t i = 0; i < jobs; i++)
        small_add_list(&small, 1, list, n[i]);
}

static void periodic_reaches_the_optimum_of_equal_uniform_jobs(void **state)
{
    (void)state;
    for (uint32_t index = 0; index < 200; index++) {
        struct random dice = random_at(1, index, 0);
        double a = random_between(&dice, 0.1, 10), b = random_between(&dice, 0.1, 4);
        uint32_t jobs = 1 + random_below(&dice, 8), times = 1 + random_below(&dice, 10), n[8];
        for (uint32_t i = 0; i < jobs; i++)
            n[i] = times;
        add_uniform(a, b, n, jobs);
        /* Here q = l and r = 0: a + l b and then n - 1 rounds of max(a + b, l b). */
        double expected = a + jobs * b + (times - 1) * fmax(a + b, jobs * b);
        expect_near(best_makespan(a, b, n, jobs), expected, 1e-12);
        for (int o = 0; exclusive_periodic_orders[o]; o++) {
            char policy[64];
            snprintf(policy, sizeof(policy), "periodic:order=%s", exclusive_periodic_orders[o]);
            expect_near(measure(policy).makespan, expected, 1e-9);
        }
    }
}

static void no_exclusive_strategy_beats_the_optimum_of_uniform_jobs(void **state)
{
    (void)state;
    uint32_t attained = 0;
    for (uint32_t index = 0; index < 300; index++) {
        struct random dice = random_at(2, index, 0);
        double a = random_between(&dice, 0.1, 10), b = random_between(&dice, 0.1, 4);
        uint32_t jobs = 2 + random_below(&dice, 5), n[8];
        for (uint32_t i = 0; i < jobs; i++)
            n[i] = 1 + random_below(&dice, 8);
        add_uniform(a, b, n, jobs);
        double bound = best_makespan(a, b, n, jobs), best = INFINITY;
        for (int i = 0; policy_all[i]; i++) {
            if (!strstr(policy_all[i], ":order="))
                continue;
            double makespan = measure(policy_all[i]).makespan;
            if (makespan < bound * (1 - 1e-9))
                fail_msg("%s: %.17g is below %.17g", policy_all[i], makespan, bound);
            best = fmin(best, makespan);
        }
        attained += best <= bound * (1 + 1e-9);
    }
    /* The bound is no idle one: most of the time one of the orders reaches it. */
    assert_true(attained >= 200);
}

static void list_scheduling_may_take_twice_the_optimum(void **state)
{
    (void)state;
    /* Theorem 3: J1 = (0, 1), J2 = (e, e)(1, 0). Every list serves J1 at 0, since it is alone, then
     * J2 at 1, which then works until 2 + e. To wait for J2, which has more to do, takes 1 + 2e. */
    for (double e = 0.25; e > 1e-4; e /= 4) {
        small_init(&small, 1);
        small_add_list(&small, 1, (struct iteration[]){{0, 1}}, 1);
        small_add_list(&small, 1, (struct iteration[]){{e, e}, {1, 0}}, 2);
        for (int i = 0; exclusive_list_orders[i]; i++) {
            char policy[64];
            snprintf(policy, sizeof(policy), "list:order=%s", exclusive_list_orders[i]);
            expect_near(measure(policy).makespan, 2 + e, 1e-12);
        }
        expect_near(measure("periodic:order=most-remaining").makespan, 1 + 2 * e, 1e-12);
    }
}

/* --- 002, section 5 --------------------------------------------------------------------------- */

/* Example 2: window [0, 1], m fresh applications that all post 2/m. Half of them, A, then work for
 * 1; the others, B, for alpha = eps / (m/2 - 1), and then post 1. */
static void add_example_2(uint32_t m, double eps, const bool *is_b)
{
    double volume = 2.0 / m, alpha = eps / (m / 2.0 - 1);
    const struct iteration a[] = {{0, volume}, {1, 0}}, b[] = {{0, volume}, {alpha, 1}};
    small_init(&small, 1);
    for (uint32_t i = 0; i < m; i++)
        small_add_list(&small, 1, is_b[i] ? b : a, 2);
    small_window(&small, 0, 1);
}

/* The first application of category A that completes its I/O, or m. */
static uint32_t first_of_a_done(uint32_t m, const char *policy, const bool *is_b)
{
    struct timeline timeline = {0};
    uint32_t found = m;
    double time = 1;
    outcome_free(small_run(&small, policy, &timeline));
    for (size_t i = 0; i < timeline.count; i++) {
        const struct segment *segment = &timeline.segments[i];
        if (segment->kind == SEGMENT_WORK && !is_b[segment->app] && segment->start < time) {
            found = segment->app;
            time = segment->start;
        }
    }
    timeline_fini(&timeline);
    return found;
}

/* Nobody can tell A from B, so the adversary decides it when an I/O is completed: it is of B. */
static void play_example_2(uint32_t m, double eps, const char *policy)
{
    bool is_b[SMALL_APPS] = {false};
    for (uint32_t next = 0, count = 0; next < m; count++) {
        add_example_2(m, eps, is_b);
        next = first_of_a_done(m, policy, is_b);
        assert_true(count <= m / 2);
        is_b[next] = next < m;
    }
}

static void serving_one_after_the_other_starves_in_example_2(void **state)
{
    (void)state;
    static const char *const serial[] = {"fcfs", "greedy-yield", "greedy-com",
                                         "look-ahead-greedy-yield", "set-10"};
    double eps = 1e-3;
    for (uint32_t m = 4; m <= 64; m += 2) {
        bool upper[SMALL_APPS];
        for (uint32_t i = 0; i < m; i++)
            upper[i] = i >= m / 2;
        for (size_t i = 0; i < sizeof(serial) / sizeof(*serial); i++) {
            play_example_2(m, eps, serial[i]);
            struct weir_metrics metrics = measure(serial[i]);
            assert_true(metrics.min_yield == 0);
            /* All progress is 1 s of I/O in all, and at most m/2 - 1 times alpha of work. */
            assert_true(metrics.efficiency <= (1 + eps) / m * (1 + 1e-9));
            assert_true(metrics.utilization <= eps / m * (1 + 1e-9));
        }
        /* Had it served A: the i-th (from 0) is done at (i+1) 2/m and loses i 2/m, so the sum of
         * progress is m/2 - (2/m) (m/2)(m/2 - 1)/2 = m/4 + 1/2. Work alone is 2/m less each. */
        add_example_2(m, eps, upper);
        struct weir_metrics knowing = measure("fcfs");
        expect_near(knowing.efficiency, (m / 2.0 + 1) / (2 * m), 1e-9);
        expect_near(knowing.utilization, (m - 2.0) / (4 * m), 1e-9);
        assert_true(knowing.efficiency > m / 4.0 * (1 + eps) / m);
    }
}

static void sharing_is_the_best_for_the_weakest_in_example_2(void **state)
{
    (void)state;
    for (uint32_t m = 4; m <= 64; m += 2) {
        add_example_2(m, 1e-3, (bool[SMALL_APPS]){false});
        /* Everybody has moved 1/m bytes, and nobody is done. */
        static const char *const sharing[] = {"fair-share", "best-effort", "best-next-event"};
        for (size_t i = 0; i < sizeof(sharing) / sizeof(*sharing); i++) {
            struct weir_metrics metrics = measure(sharing[i]);
            expect_near(metrics.min_yield, 1.0 / m, 1e-9);
            expect_near(metrics.efficiency, 1.0 / m, 1e-9);
            expect_near(metrics.utilization, 0, 1e-9);
        }
    }
}

static void fair_share_is_m_times_worse_for_a_fresh_application_among_old_ones(void **state)
{
    (void)state;
    for (uint32_t m = 2; m <= 64; m *= 2) {
        small_init(&small, 1);
        small_add(&small, 1, "v1");
        for (uint32_t i = 1; i < m; i++)
            small_age(small_add(&small, 1, "v1"), 1e6, 1e6);
        small_window(&small, 0, 1);
        /* The fresh one gets 1/m of the window; served alone it gets all, and the others hardly
         * notice: 1 s lost in a million. */
        expect_near(measure("fair-share").min_yield, 1.0 / m, 1e-9);
        expect_near(measure("greedy-yield").min_yield, 1 - 1 / (1e6 + 1), 1e-9);
        expect_near(measure("best-next-event").min_yield, 1 - 1 / (1e6 + 1), 1e-6);
    }
}

static void an_old_starved_application_costs_all_the_others_their_efficiency(void **state)
{
    (void)state;
    static const char *const victims[] = {"fcfs",
                                          "set-10",
                                          "greedy-yield",
                                          "look-ahead-greedy-yield",
                                          "periodic-greedy-yield",
                                          "best-next-event"};
    double eps = 1e-6;
    for (uint32_t m = 2; m <= 64; m *= 2) {
        small_init(&small, 1);
        struct app *old = small_add(&small, 1, "v2");
        small_age(old, (double)m * m, 0);
        small.rare[0].waiting = 0.5;
        for (uint32_t i = 1; i < m; i++)
            small_age(small_add(&small, 1, "v0.000001 w2"), 1, 1);
        small_window(&small, 0, 1);
        /* The old one holds the file system for the whole window: 1 s of progress out of m. */
        for (size_t i = 0; i < sizeof(victims) / sizeof(*victims); i++)
            expect_near(measure(victims[i]).efficiency, 1.0 / m, 1e-9);
        /* The others first: the i-th loses i eps, the old one (m - 1) eps. */
        double lost = (m - 1) * (m - 2) / 2.0 * eps + (m - 1) * eps;
        expect_near(measure("greedy-com").efficiency, (m - lost) / m, 1e-9);
    }
}

static void frequent_decisions_synchronise_equals_and_halve_their_yield(void **state)
{
    (void)state;
    /* m fresh applications, (I/O 1, work m - 1) x K. Decided all the time, all share until m, then
     * all work: a period of 2m - 1 for m of progress. One after the other they get out of step
     * once: the last loses m - 1 s in all. */
    enum { m = 4, K = 8 };
    const struct iteration one = {m - 1, 1};
    struct iteration list[K + 1];
    for (int k = 0; k <= K; k++)
        list[k] = one;
    list[0].work = 0;
    list[K].volume = 0;
    small_init(&small, 1);
    for (int i = 0; i < m; i++)
        small_add_list(&small, 1, list, K + 1);
    small_window(&small, 0, K * (2 * m - 1));
    expect_near(measure("periodic-greedy-yield:delta=0.001").min_yield, m / (2.0 * m - 1), 2e-3);
    /* fcfs finishes: K m of progress after K m + m - 1 seconds. */
    expect_near(measure("fcfs").min_yield, K * m / (K * m + m - 1.0), 1e-9);
}

static void best_next_event_looks_no_further_than_the_next_event(void **state)
{
    (void)state;
    for (uint32_t m = 4; m <= 16; m *= 2) {
        double a = 1000.0 / (m - 2), eps = a / 500;
        const struct iteration victim[] = {{a, a / 100}, {1000, 0}}, quick = {eps, eps};
        small_init(&small, 1);
        for (uint32_t i = 2; i < m; i++)
            small_add_list(&small, 1, victim, 2);
        small_repeat(small_add_list(&small, 1, &quick, 1), 500 * m);
        small_repeat(small_add_list(&small, 1, &quick, 1), 500 * m);
        small.apps[m - 1].facts.release = eps;
        small_window(&small, 0, 1000);
        /* Two quick ones in antiphase: one of them is always about to complete, so that the next
         * event is best if it gets nearly everything. The victims work for a and then hardly move:
         * a / T = 1 / (m - 2). Served in turn they wait for (m - 2) a / 100 = 10 s at most. */
        double yield = measure("best-next-event").min_yield;
        assert_true(yield >= 1.0 / (m - 2) && yield <= 1.2 / (m - 2));
        assert_true(measure("fcfs").min_yield >= 1 - 11 / 1000.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(periodic_reaches_the_optimum_of_equal_uniform_jobs),
        cmocka_unit_test(no_exclusive_strategy_beats_the_optimum_of_uniform_jobs),
        cmocka_unit_test(list_scheduling_may_take_twice_the_optimum),
        cmocka_unit_test(serving_one_after_the_other_starves_in_example_2),
        cmocka_unit_test(sharing_is_the_best_for_the_weakest_in_example_2),
        cmocka_unit_test(fair_share_is_m_times_worse_for_a_fresh_application_among_old_ones),
        cmocka_unit_test(an_old_starved_application_costs_all_the_others_their_efficiency),
        cmocka_unit_test(best_next_event_looks_no_further_than_the_next_event),
        cmocka_unit_test(frequent_decisions_synchronise_equals_and_halve_their_yield),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
