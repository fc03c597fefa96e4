/* Stores that lose bandwidth by the number of their users, and whose bandwidth varies: the
 * simulator agrees with a second one, which is as plain as the definitions; every strategy keeps
 * the rules; and no bound is passed. */
#include "bound/bound.h"
#include "bound/most.h"
#include "common.h"
#include "metric/metric.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

/* --- the plain simulator -----------------------------------------------------------------------
 */

/* One application: what is left of its phase, and what it has done. */
struct plain_app {
    double work, bytes, posted, progress, rate, completion;
    uint32_t iteration;
    bool waits, over; /* in an I/O; at its end */
};

struct plain {
    struct plain_app apps[SMALL_APPS];
    uint32_t count;
    double now;
};

static double g(uint32_t k)
{
    const struct curve *curve = &small.store.curve;
    if (curve->count == 0)
        return 1 / (1 + curve->slope * (k - 1));
    return curve->factors[(k < curve->count ? k : curve->count) - 1];
}

/* h now, and when it changes next. */
static double h(double now, double *next)
{
    const struct health *health = &small.store.health;
    double factor = 1, base = 0;
    *next = INFINITY;
    if (health->count == 0)
        return 1;
    for (;;) {
        for (uint32_t i = 0; i < health->count; i++) {
            double at = base + health->changes[i].at;
            if (at > now + 1e-9) {
                *next = at;
                return factor;
            }
            factor = health->changes[i].factor;
        }
        if (!(health->period > 0))
            return factor;
        base += health->period;
    }
}

static double bmax_of(uint32_t id)
{
    return small.apps[id].facts.bmax;
}

/* Starts the next phase that takes time. */
static void plain_next(struct plain *plain, uint32_t id)
{
    struct plain_app *own = &plain->apps[id];
    if (own->bytes <= 0)
        own->waits = false;
    while (own->work <= 0 && own->bytes <= 0) {
        if (own->iteration == small.apps[id].facts.iterations) {
            own->over = true;
            own->completion = plain->now;
            return;
        }
        struct iteration it = app_iteration(&small.apps[id], own->iteration++);
        own->work = it.work;
        own->bytes = it.volume;
    }
    if (own->work <= 0 && !own->waits)
        own->posted = plain->now;
    own->waits = own->work <= 0;
}

typedef double plain_key(const struct plain *plain, uint32_t id);

static double key_post(const struct plain *plain, uint32_t id)
{
    return plain->apps[id].posted;
}

static double key_span(const struct plain *plain, uint32_t id)
{
    return plain->apps[id].bytes / bmax_of(id);
}

static double key_yield(const struct plain *plain, uint32_t id)
{
    double lost = plain->now - plain->apps[id].progress;
    return plain->now > 0 ? 1 - lost / plain->now : 0;
}

/* Serves by the key while one more adds to the total; NULL = all at once, in proportion. */
static void plain_share(struct plain *plain, plain_key *key, double bandwidth)
{
    double all = 0, used = 0;
    uint32_t waiting = 0, served = 0;
    for (uint32_t id = 0; id < plain->count; id++) {
        plain->apps[id].rate = 0;
        all += plain->apps[id].waits ? bmax_of(id) : 0;
        waiting += plain->apps[id].waits;
    }
    for (uint32_t id = 0; !key && id < plain->count; id++)
        if (plain->apps[id].waits)
            plain->apps[id].rate = bmax_of(id) * fmin(1, bandwidth * g(waiting) / all);
    while (key && served < waiting && bandwidth * g(served + 1) - used > 1e-9 * bandwidth) {
        uint32_t best = UINT32_MAX;
        for (uint32_t id = 0; id < plain->count; id++)
            if (plain->apps[id].waits && plain->apps[id].rate == 0 &&
                (best == UINT32_MAX || weir_before(key(plain, id), id, key(plain, best), best)))
                best = id;
        plain->apps[best].rate = fmin(bmax_of(best), bandwidth * g(++served) - used);
        used += bmax_of(best);
    }
}

/* One event: all move at their rates until the first of them, or the store, changes. */
static bool plain_step(struct plain *plain, plain_key *key)
{
    double until, bandwidth = small.workload.platform.bandwidth * h(plain->now, &until);
    bool running = false;
    plain_share(plain, key, bandwidth);
    for (uint32_t id = 0; id < plain->count; id++) {
        const struct plain_app *own = &plain->apps[id];
        running |= !own->over;
        if (!own->over && !own->waits)
            until = fmin(until, plain->now + own->work);
        else if (!own->over && own->rate > 0)
            until = fmin(until, plain->now + own->bytes / own->rate);
    }
    double span = until - plain->now;
    for (uint32_t id = 0; running && id < plain->count; id++) {
        struct plain_app *own = &plain->apps[id];
        double *left = own->waits ? &own->bytes : &own->work;
        double volume = own->over ? 0 : app_iteration(&small.apps[id], own->iteration - 1).volume;
        if (own->over)
            continue;
        *left -= span * (own->waits ? own->rate : 1);
        own->progress += span * (own->waits ? own->rate / bmax_of(id) : 1);
        if (*left <= 1e-9 * (own->waits ? volume : 1))
            *left = 0;
    }
    plain->now = until;
    for (uint32_t id = 0; running && id < plain->count; id++)
        if (!plain->apps[id].over)
            plain_next(plain, id);
    return running;
}

static void plain_run(struct plain *plain, plain_key *key)
{
    *plain = (struct plain){.count = small.workload.count};
    for (uint32_t id = 0; id < plain->count; id++)
        plain_next(plain, id);
    for (int steps = 0; plain_step(plain, key); steps++)
        assert_true(steps < 100000);
}

/* Where two keys are nearly the same, rounding may order them in one way or the other. */
static void it_agrees_with_a_plain_simulator(void **state)
{
    static const struct {
        const char *name;
        plain_key *key;
    } pairs[] = {{"fair-share", NULL},
                 {"fcfs", key_post},
                 {"greedy-com", key_span},
                 {"greedy-yield", key_yield}};
    static const unsigned flags[] = {DICE_CURVE, DICE_HEALTH, DICE_CURVE | DICE_HEALTH,
                                     DICE_CURVE | DICE_FULL};
    static struct plain plain;
    uint32_t runs = 0, others = 0;
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (uint32_t seed = 0; seed < 1200; seed++) {
            dice_roll(&small, seed, flags[seed % 4]);
            struct outcome *outcome = small_run(&small, pairs[i].name, NULL);
            bool same = true;
            plain_run(&plain, pairs[i].key);
            for (uint32_t id = 0; id < plain.count; id++)
                same &= fabs(outcome->apps[id].completion - plain.apps[id].completion) <=
                        1e-6 * fmax(1, plain.apps[id].completion);
            if (!same && i < 2)
                fail_msg("%s, seed %u: %.17g, plainly %.17g", pairs[i].name, seed,
                         outcome->apps[0].completion, plain.apps[0].completion);
            runs++;
            others += !same;
            outcome_free(outcome);
        }
    if (others > runs / 200)
        fail_msg("%u of %u runs differ", others, runs);
}

/* --- rules and bounds --------------------------------------------------------------------------
 */

static void every_strategy_keeps_the_rules_and_passes_no_bound(void **state)
{
    (void)state;
    for (int i = 0; policy_all[i]; i++) {
        struct err err;
        struct policy *policy = policy_open(policy_all[i], &err);
        assert_non_null(policy);
        for (uint32_t seed = 0; seed < 60; seed++) {
            struct bounds bounds;
            struct weir_metrics metrics;
            unsigned which = seed % 3 == 0   ? DICE_CURVE
                             : seed % 3 == 1 ? DICE_HEALTH
                                             : DICE_CURVE | DICE_HEALTH;
            dice_roll(&small, seed,
                      which | DICE_RELEASES | DICE_WINDOW | (seed % 4 == 0 ? DICE_GRID : 0));
            struct outcome *outcome = small_run_policy(&small, policy, NULL);
            metrics_compute(&small.workload, outcome, &metrics);
            assert_int_equal(bounds_find(&small.workload, &bounds, NULL), 0);
            if (metrics.min_yield > bounds.min_yield * (1 + 1e-7) ||
                metrics.efficiency > bounds.efficiency * (1 + 1e-7) ||
                metrics.makespan < bounds.makespan * (1 - 1e-7))
                fail_msg("%s, seed %u: MinYield %.9g of %.9g, Efficiency %.9g of %.9g, makespan "
                         "%.9g of %.9g",
                         policy_all[i], seed, metrics.min_yield, bounds.min_yield,
                         metrics.efficiency, bounds.efficiency, metrics.makespan, bounds.makespan);
            outcome_free(outcome);
        }
        policy_free(policy);
    }
}

static void many_applications_keep_the_rules(void **state)
{
    (void)state;
    for (int i = 0; policy_all[i]; i++)
        for (uint32_t seed = 0; seed < 3; seed++) {
            dice_roll(&small, seed, DICE_MANY | DICE_CURVE | DICE_HEALTH | DICE_WINDOW);
            outcome_free(small_run(&small, policy_all[i], NULL));
        }
}

/* B* by trying every k. */
static void the_most_that_can_be_moved_is_the_best_over_all_numbers(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 2000; seed++) {
        struct most most;
        double best = 0, sorted[SMALL_APPS], sum = 0;
        dice_roll(&small, seed, DICE_CURVE | (seed % 10 == 0 ? DICE_MANY : 0));
        uint32_t count = small.workload.count;
        double health = 0.1 + seed % 20 / 10.0;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t at = i;
            for (; at > 0 && sorted[at - 1] < bmax_of(i); at--)
                sorted[at] = sorted[at - 1];
            sorted[at] = bmax_of(i);
        }
        for (uint32_t k = 1; k <= count; k++) {
            sum += sorted[k - 1];
            best = fmax(best, fmin(sum, 10 * health * g(k)));
        }
        assert_int_equal(most_init(&most, &small.workload, NULL), 0);
        if (platform_curve(&small.workload.platform))
            expect_near(most_bandwidth(&most, health), best, 1e-12);
        else
            expect_near(most_bandwidth(&most, health), 10 * health, 1e-12);
        most_fini(&most);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_agrees_with_a_plain_simulator),
        cmocka_unit_test(every_strategy_keeps_the_rules_and_passes_no_bound),
        cmocka_unit_test(many_applications_keep_the_rules),
        cmocka_unit_test(the_most_that_can_be_moved_is_the_best_over_all_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
