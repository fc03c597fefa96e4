/* Several stores and limits: schedules worked out by hand, and random ones against a second, plain
 * simulator. */
#include "base/random.h"
#include "format/format.h"
#include "gen/gen.h"
#include "metric/metric.h"
#include "sim/sim.h"
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

static struct scenario *scenario;
static struct workload *workload;
static struct outcome *outcome;

static void forget(void)
{
    outcome_free(outcome);
    workload_free(workload);
    scenario_free(scenario);
    outcome = NULL;
    workload = NULL;
    scenario = NULL;
}

static void load(const char *text)
{
    struct err err;
    forget();
    scenario = format_find("scenario", &err)->parse(text, strlen(text), "text", NULL, &err);
    if (!scenario)
        fail_msg("%s", err.text);
    workload = workload_realise(scenario, &err);
    if (!workload)
        fail_msg("%s", err.text);
}

static void run_with(const char *policy, struct sim_options options)
{
    struct err err;
    struct policy *opened = policy_open(policy, &err);
    options.check = true;
    outcome_free(outcome);
    outcome = sim_run(workload, opened, &options, &err);
    policy_free(opened);
    if (!outcome)
        fail_msg("%s: %s", policy, err.text);
}

static void run(const char *policy)
{
    run_with(policy, (struct sim_options){0});
}

static void ends(uint32_t id, double completion, double stretch)
{
    struct weir_app_metrics metrics;
    metrics_compute_app(workload, outcome, id, &metrics);
    expect_near(metrics.completion, completion, 1e-9);
    expect_near(metrics.stretch, stretch, 1e-9);
}

#define TWO                                                                                        \
    "platform: {nodes: 8, bandwidth: 10}\n"                                                        \
    "stores: [/one, {path: /two, bandwidth: 5}]\n"                                                 \
    "applications:\n"

/* 4 s of work, 20 / 10, 10 / 5: 8 s. */
static void each_io_takes_the_time_of_its_store(void **state)
{
    (void)state;
    load(TWO "  - {nodes: 1, phases: [{work: 4}, {write: 20}, {read: 10, store: /two/x}]}\n");
    expect_near(app_ideal(&workload->apps[0]), 8, 1e-15);
    for (int i = 0; policy_all[i]; i++) {
        run(policy_all[i]);
        ends(0, 8, 1);
    }
}

static void stores_do_not_disturb_each_other(void **state)
{
    (void)state;
    load(TWO "  - {nodes: 1, phases: [{work: 4}, {write: 20}, {read: 10, store: /two}]}\n"
             "  - {nodes: 1, store: /two, phases: [{work: 4}, {write: 10}, {io: 20, store: /one}]}\n");
    run("fcfs");
    ends(0, 8, 1);
    ends(1, 8, 1);
    run("fair-share");
    ends(1, 8, 1);
}

/* Both on the first store at 4: the first moves until 6, the second until 8, then 2 s elsewhere. */
static void a_wait_on_one_store_delays_the_next(void **state)
{
    struct weir_store_metrics stores[STORE_CHANNELS];
    (void)state;
    load(TWO
         "  - {count: 2, nodes: 1, phases: [{work: 4}, {write: 20}, {read: 10, store: /two}]}\n");
    run("fcfs");
    ends(0, 8, 1);
    ends(1, 10, 1.25);
    expect_near(workload->pressures[0], 40 / 8. / 10, 1e-12);
    expect_near(workload->pressures[1], 20 / 8. / 5, 1e-12);
    expect_near(workload->io_pressure, 0.5, 1e-12);
    metrics_compute_stores(workload, outcome, stores);
    assert_string_equal(stores[0].name, "/one");
    assert_string_equal(stores[1].name, "/two");
    /* 40 of 100 bytes, 20 of 50; on the first store one of them takes 4 s for 2 s. */
    expect_near(stores[0].bytes, 40, 1e-9);
    expect_near(stores[0].busy, 0.4, 1e-9);
    expect_near(stores[0].io_slowdown, sqrt(2), 1e-9);
    expect_near(stores[1].busy, 0.4, 1e-9);
    expect_near(stores[1].io_slowdown, 1, 1e-9);
}

/* Reads and writes are two bandwidths: neither waits. */
static void reads_and_writes_can_be_apart(void **state)
{
    (void)state;
    load("stores: [{path: /a, read: 10, write: 5, policy: fcfs}]\n"
         "applications:\n"
         "  - {nodes: 1, phases: [{read: 20}]}\n"
         "  - {nodes: 1, phases: [{write: 20}]}\n"
         "  - {nodes: 1, io: 10}\n");
    run("fair-share");
    ends(0, 2, 1);
    ends(1, 4, 1);
    ends(2, 6, 3); /* the store has its own strategy */
}

/* 2 of its limit; the others divide 18: a limit is no weight. With a weight of 2 the first would
 * have 2 / 4 of 20 without its limit, and has 2 all the same. */
static void a_limit_lowers_the_bandwidth_not_the_weight(void **state)
{
    (void)state;
    load("platform: {nodes: 4, bandwidth: 20}\n"
         "limits: [{name: slow, bandwidth: 2}]\n"
         "applications:\n"
         "  - {name: slow, nodes: 1, io: 20}\n"
         "  - {name: x, count: 2, nodes: 1, io: 90}\n");
    run("fair-share");
    ends(0, 10, 1);
    ends(1, 10, 90 / 9 / 4.5);
    ends(2, 10, 90 / 9 / 4.5);
}

/* ada has 6 in all: 3 each, and 6 for the one that is left after 2 s: 6 + 24 / 6. eve has 4, then 4
 * again, since what ada leaves is no part of her limit. */
static void the_limit_of_a_user_is_divided_among_those_in_io(void **state)
{
    (void)state;
    load("platform: {nodes: 4, bandwidth: 100}\n"
         "limits: [{user: ada, bandwidth: 6}, {user: eve, bandwidth: 4}]\n"
         "applications:\n"
         "  - {nodes: 1, user: ada, io: 6}\n"
         "  - {nodes: 1, user: ada, io: 30}\n"
         "  - {nodes: 1, user: eve, io: 40}\n");
    static const char *const policies[] = {"fair-share", "fcfs", "greedy-com", "critical-yield"};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        run(policies[i]);
        ends(0, 2, 2); /* alone it would have 6 */
        ends(1, 6, 6 / 5.);
        ends(2, 10, 1);
    }
}

/* ada's weight of 3 goes to one that is in I/O, or is divided: 30 of 40, then 15 and 15. */
static void the_weight_of_a_user_is_divided_too(void **state)
{
    (void)state;
    load("platform: {nodes: 4, bandwidth: 40}\n"
         "limits: [{user: ada, weight: 3}]\n"
         "applications:\n"
         "  - {nodes: 1, user: ada, phases: [{io: 60}]}\n"
         "  - {nodes: 1, user: ada, phases: [{work: 1}, {io: 30}]}\n"
         "  - {nodes: 1, user: eve, io: 30}\n");
    run("fair-share");
    /* 0 to 1: 30 and 10. Then 15, 15, 10: at 3 all three have moved 60, 30 and 30. */
    expect_near(outcome->apps[0].completion, 3, 1e-6);
    expect_near(outcome->apps[1].completion, 3, 1e-6);
    expect_near(outcome->apps[2].completion, 3, 1e-6);
}

/* The end is noticed 1 s late on the store where it was, whatever comes next: the second has its
 * bandwidth from 3 on. */
static void an_end_is_noticed_late_where_it_was(void **state)
{
    (void)state;
    load(TWO "  - {nodes: 1, phases: [{write: 20}, {work: 2}, {read: 10, store: /two}]}\n"
             "  - {nodes: 1, phases: [{write: 20}]}\n");
    run_with("fcfs", (struct sim_options){.release_latency = 1});
    ends(0, 6, 1);
    ends(1, 5, 2.5);
    /* A post elsewhere tells at once. */
    load(TWO "  - {nodes: 1, phases: [{write: 20}, {read: 10, store: /two}]}\n"
             "  - {nodes: 1, phases: [{write: 20}]}\n");
    run_with("fcfs", (struct sim_options){.release_latency = 1});
    ends(0, 4, 1);
    ends(1, 4, 2);
}

/* --- random scenarios against a plain simulator ------------------------------------------------ */

enum { APPS = 5, PHASES = 6, STORES = 3, CASES = 300 };

struct plain_io {
    double work, volume;
    int store;
};

struct plain_app {
    struct plain_io ios[PHASES];
    double bmax[STORES], done, worked, left, posted, rate;
    int next;
    bool active;
};

static struct plain_app plain[APPS];
static double bandwidths[STORES];

/* Its progress: what it has done, each part at the speed that it has alone. */
static double plain_key(const struct plain_app *app, double now)
{
    const struct plain_io *io = &app->ios[app->next];
    double alone = app->bmax[io->store];
    double progress = app->done + app->worked + (io->volume - app->left) / alone;
    return now > 0 ? (progress + app->left / alone) / now : 0;
}

/* Gives what is left in an order: of posts, or of critical yields. */
static void plain_order(int store, double now, bool by_yield)
{
    double left = bandwidths[store];
    bool served[APPS] = {false};
    for (int turn = 0; turn < APPS; turn++) {
        int first = -1;
        for (int i = 0; i < APPS; i++) {
            if (served[i] || !plain[i].active || plain[i].ios[plain[i].next].store != store)
                continue;
            double key = by_yield ? plain_key(&plain[i], now) : plain[i].posted;
            double best = first < 0    ? INFINITY
                          : by_yield ? plain_key(&plain[first], now)
                                     : plain[first].posted;
            if (first < 0 || key < best * (1 - 1e-12))
                first = i;
        }
        if (first < 0)
            return;
        served[first] = true;
        plain[first].rate = fmin(left, plain[first].bmax[store]);
        left -= plain[first].rate;
    }
}

static void plain_share(int store)
{
    double all = 0;
    for (int i = 0; i < APPS; i++)
        if (plain[i].active && plain[i].ios[plain[i].next].store == store)
            all += plain[i].bmax[store];
    for (int i = 0; i < APPS; i++)
        if (plain[i].active && plain[i].ios[plain[i].next].store == store)
            plain[i].rate = plain[i].bmax[store] * fmin(1, bandwidths[store] / all);
}

static void plain_decide(const char *policy, double now, const bool changed[STORES])
{
    for (int s = 0; s < STORES; s++) {
        if (!changed[s])
            continue;
        if (strcmp(policy, "fair-share") == 0)
            plain_share(s);
        else
            plain_order(s, now, strcmp(policy, "critical-yield") == 0);
    }
}

/* The first event: an end of work or of an I/O. */
static double plain_next(int *who)
{
    double first = INFINITY;
    for (int i = 0; i < APPS; i++) {
        const struct plain_app *app = &plain[i];
        if (app->next == PHASES)
            continue;
        double wait = app->active ? app->left / app->rate : app->ios[app->next].work - app->worked;
        if (wait < first) {
            first = wait;
            *who = i;
        }
    }
    return first;
}

static void plain_run(const char *policy, double completions[APPS])
{
    double now = 0;
    for (int who = 0;;) {
        double step = plain_next(&who);
        bool changed[STORES] = {false};
        if (step == INFINITY)
            return;
        now += step;
        for (int i = 0; i < APPS; i++) {
            if (plain[i].active)
                plain[i].left -= plain[i].rate * step;
            else
                plain[i].worked += step;
        }
        struct plain_app *app = &plain[who];
        struct plain_io *io = &app->ios[app->next];
        changed[io->store] = true;
        if (app->active) {
            app->done += io->work + io->volume / app->bmax[io->store];
            app->worked = app->rate = 0;
            app->active = false;
            if (++app->next == PHASES)
                completions[who] = now;
        } else {
            app->worked = io->work;
            app->left = io->volume;
            app->posted = now;
            app->active = true;
        }
        plain_decide(policy, now, changed);
    }
}

/* Draws applications into `plain`, and the same as a scenario. */
static void draw(uint64_t seed, char *text, size_t size)
{
    struct random random = random_at(seed, 1, 0);
    size_t used = 0;
#define PRINT(...) used += (size_t)snprintf(text + used, size - used, __VA_ARGS__)
    memset(plain, 0, sizeof plain);
    for (int s = 0; s < STORES; s++)
        bandwidths[s] = random_between(&random, 2, 10);
    PRINT("platform: {nodes: 100, node_bandwidth: 1, bandwidth: %.17g}\nstores: [/a, {path: /b, "
          "read: %.17g, write: %.17g}]\napplications:\n",
          bandwidths[0], bandwidths[1], bandwidths[2]);
    for (int i = 0; i < APPS; i++) {
        int nodes = 1 + (int)random_between(&random, 0, 8);
        PRINT("  - {nodes: %d, phases: [", nodes);
        for (int s = 0; s < STORES; s++)
            plain[i].bmax[s] = fmin(nodes, bandwidths[s]);
        for (int k = 0; k < PHASES; k++) {
            static const char *const words[STORES] = {"io: %.17g, store: /a",
                                                      "read: %.17g, store: /b",
                                                      "write: %.17g, store: /b"};
            struct plain_io *io = &plain[i].ios[k];
            *io = (struct plain_io){random_between(&random, 0.1, 5),
                                    random_between(&random, 0.1, 30),
                                    (int)random_between(&random, 0, STORES)};
            PRINT("%s{work: %.17g, ", k ? ", " : "", io->work);
            PRINT(words[io->store], io->volume);
            PRINT("}");
        }
        PRINT("]}\n");
    }
#undef PRINT
}

static void a_plain_simulator_agrees(void **state)
{
    static const char *const policies[] = {"fcfs", "fair-share", "critical-yield"};
    static char text[1 << 16];
    (void)state;
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        for (size_t p = 0; p < sizeof policies / sizeof *policies; p++) {
            double completions[APPS];
            draw(seed, text, sizeof text);
            plain_run(policies[p], completions);
            load(text);
            run(policies[p]);
            for (uint32_t i = 0; i < APPS; i++)
                expect_near(outcome->apps[i].completion, completions[i], 1e-9);
        }
    }
}

/* Splitting one store in two costs something; a split that does not follow the demand costs more. */
static void a_split_store_serves_less_well(void **state)
{
    static const char *const splits[] = {
        "stores: [{path: /a, bandwidth: 1}, {path: /a/x, bandwidth: 1}]",
        "stores: [{path: /a, bandwidth: .5}, {path: /b, bandwidth: .5}]",
        "stores: [{path: /a, bandwidth: .7}, {path: /b, bandwidth: .3}]"};
    double yields[3];
    (void)state;
    for (int split = 0; split < 3; split++) {
        static char text[1 << 18];
        struct random random = random_at(7, 1, 0);
        struct weir_metrics metrics;
        size_t used = (size_t)snprintf(text, sizeof text, "window: {end: 4000}\n%s\napplications:\n",
                                       splits[split]);
        for (int i = 0; i < 40; i++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "  - {nodes: 1, phases: [");
            for (int k = 0; k < 80; k++)
                used += (size_t)snprintf(
                    text + used, sizeof text - used, "{work: %.9g}, {io: 1, store: %s}, ",
                    random_between(&random, 10, 90),
                    random_between(&random, 0, 2) < 1 || split == 0 ? "/a" : "/b");
            used += (size_t)snprintf(text + used, sizeof text - used, "{work: 1}]}\n");
        }
        load(text);
        run("critical-yield");
        metrics_compute(workload, outcome, &metrics);
        yields[split] = metrics.min_yield;
    }
    assert_true(yields[0] > yields[1] + 0.005);
    assert_true(yields[1] > yields[2] + 0.05);
}

static void every_strategy_runs_on_several_stores(void **state)
{
    static char text[1 << 16];
    (void)state;
    for (int i = 0; policy_all[i]; i++)
        /* In a fixed order, each of two may wait for the other's turn on another store. */
        for (uint64_t seed = 1; seed <= 5 && !strstr(policy_all[i], "periodic"); seed++) {
            draw(seed, text, sizeof text);
            load(text);
            run(policy_all[i]);
            run_with(policy_all[i], (struct sim_options){.release_latency = 0.1});
        }
}

static int finish(void **state)
{
    (void)state;
    forget();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_io_takes_the_time_of_its_store),
        cmocka_unit_test(stores_do_not_disturb_each_other),
        cmocka_unit_test(a_wait_on_one_store_delays_the_next),
        cmocka_unit_test(reads_and_writes_can_be_apart),
        cmocka_unit_test(a_limit_lowers_the_bandwidth_not_the_weight),
        cmocka_unit_test(the_limit_of_a_user_is_divided_among_those_in_io),
        cmocka_unit_test(the_weight_of_a_user_is_divided_too),
        cmocka_unit_test(an_end_is_noticed_late_where_it_was),
        cmocka_unit_test(a_plain_simulator_agrees),
        cmocka_unit_test(every_strategy_runs_on_several_stores),
        cmocka_unit_test(a_split_store_serves_less_well),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
