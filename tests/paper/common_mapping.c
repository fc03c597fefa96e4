#include "common.h"
#include "gen/family.h"
#include "gen/gen.h"
#include "mapping.h"
#include "metric/map_metric.h"
#include "sim/mapped.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- one run --------------------------------------------------------------------------------- */

enum { FIFTHS = 5 };

struct result {
    struct map_metrics metrics;
    double fifths[FIFTHS]; /* efficiency in each fifth of the run */
};

static struct workload *draw(const char *name, double load, uint64_t seed,
                             struct scenario **scenario)
{
    struct err err = {""};
    const struct family *family = family_find(name, &err);
    double values[FAMILY_MOST_PARAMS];
    if (!family)
        fail_msg("%s", err.text);
    family_defaults(family, values);
    values[0] = load; /* the first parameter of all these families */
    *scenario = family_make(family, values, seed, &err);
    if (!*scenario)
        fail_msg("%s", err.text);
    return realise(*scenario, WINDOW_NONE);
}

static struct result map(const struct workload *workload, const struct map_rules *rules,
                         enum map_order order, const double *random)
{
    struct err err = {""};
    struct result result;
    struct map_jobs jobs;
    struct policy *policy = policy_open("list:order=fifo", &err);
    if (map_jobs_init(&jobs, workload, false, &err) != 0)
        fail_msg("%s", err.text);
    map_jobs_order(&jobs, order, random);
    struct mapping *mapping = sim_map(&jobs, rules, policy, NULL, &err);
    if (!mapping)
        fail_msg("%s", err.text);
    assert_int_equal(map_metrics_compute(workload, mapping, &result.metrics), 0);
    for (int i = 0; i < FIFTHS; i++) {
        double shares[USAGE_KINDS],
            span[] = {mapping->makespan * i / FIFTHS, mapping->makespan * (i + 1) / FIFTHS};
        map_usage(workload, mapping, span, shares);
        result.fifths[i] = shares[USAGE_WORK] + shares[USAGE_IO];
    }
    mapping_free(mapping);
    map_jobs_fini(&jobs);
    policy_free(policy);
    return result;
}

/* --- packs and First-Fit --------------------------------------------------------------------- */

enum { FIRST_FIT, ONE, ALPHA, KINDS };
enum { SIZES = 3 };

static const struct {
    uint32_t io_nodes;
    double published, low, high; /* packs / First-Fit, and what an independent trial found */
} sizes[SIZES] = {{1, 1.09, 1.12, 1.20}, {3, 0.71, 0.66, 0.80}, {5, 0.53, 0.47, 0.59}};

/* Sums over the workloads; those of node time are relative to First-Fit's makespan. */
struct tally {
    double log_makespan[SIZES]; /* S = 1 / First-Fit */
    double stretch[KINDS], packs[KINDS], useful[KINDS], delayed[KINDS], idle[KINDS];
    int unhelped; /* where S = alpha has no smaller stretch than First-Fit */
    int count;
};

static struct map_metrics make_packs(const struct workload *workload, int kind, uint32_t io_nodes)
{
    const double sensitivities[KINDS] = {INFINITY, 1, workload_io_load(workload)};
    const struct map_rules rules = {
        .method = MAP_METHOD_PACKS, .sensitivity = sensitivities[kind], .io_nodes = io_nodes};
    return map(workload, &rules, MAP_ORDER_MAX, NULL).metrics;
}

/* Packs do not depend on the number of I/O nodes, nor does what happens in them. */
static void tally_packs(const struct workload *workload, struct tally *tally)
{
    struct map_metrics one[KINDS];
    for (int kind = 0; kind < KINDS; kind++)
        one[kind] = make_packs(workload, kind, 1);
    for (int kind = 0; kind < KINDS; kind++) {
        tally->stretch[kind] += one[kind].pack_stretch;
        tally->packs[kind] += one[kind].packs;
        tally->useful[kind] += one[kind].useful / one[FIRST_FIT].makespan;
        tally->delayed[kind] += one[kind].delayed / one[FIRST_FIT].makespan;
        tally->idle[kind] += one[kind].idle / one[FIRST_FIT].makespan;
    }
    tally->unhelped += one[ALPHA].pack_stretch >= one[FIRST_FIT].pack_stretch;
    tally->log_makespan[0] += log(one[ONE].makespan / one[FIRST_FIT].makespan);
    for (int i = 1; i < SIZES; i++)
        tally->log_makespan[i] += log(make_packs(workload, ONE, sizes[i].io_nodes).makespan /
                                      make_packs(workload, FIRST_FIT, sizes[i].io_nodes).makespan);
    tally->count++;
}

static void check_packs(const struct tally *tally)
{
    static const char *const names[KINDS] = {"First-Fit", "S = 1", "S = alpha"};
    double n = tally->count;
    printf("packs with S = 1 / First-Fit, geometric means over %d workloads\n"
           "I/O nodes  makespan: thesis, ours\n",
           tally->count);
    for (int i = 0; i < SIZES; i++) {
        double ours = exp(tally->log_makespan[i] / n);
        printf("%9u            %.2f   %.3f\n", sizes[i].io_nodes, sizes[i].published, ours);
        assert_true(ours >= sizes[i].low && ours <= sizes[i].high);
    }
    printf(
        "\n1 I/O node  stretch   packs   useful  delayed  idle   (time / First-Fit's makespan)\n");
    for (int kind = 0; kind < KINDS; kind++)
        printf("%-10s %8.3f %7.2f %8.3f %8.3f %.3f\n", names[kind], tally->stretch[kind] / n,
               tally->packs[kind] / n, tally->useful[kind] / n, tally->delayed[kind] / n,
               tally->idle[kind] / n);
    printf("S = alpha brings no stretch gain in %d of %d workloads\n\n", tally->unhelped,
           tally->count);
    assert_true(tally->stretch[ONE] / n < 2.2);
    assert_true(tally->stretch[ONE] < tally->stretch[FIRST_FIT] / 2);
    assert_true(tally->packs[ONE] > tally->packs[FIRST_FIT]);
    /* Time goes from delay to idleness. */
    assert_true(tally->delayed[ONE] < tally->delayed[FIRST_FIT] / 2);
    assert_true(tally->idle[ONE] > tally->idle[FIRST_FIT]);
    /* Here the thesis differs: it sees the stretch improved most of the time. */
    assert_true(tally->stretch[ALPHA] >= tally->stretch[FIRST_FIT] * 0.99);
    assert_true(tally->unhelped > 0.9 * tally->count);
}

void mapping_compare_packs(int instances, int step)
{
    struct tally tally = {0};
    for (int k = 0; k < 39; k += step)
        for (int i = 0; i < instances; i++) {
            struct scenario *scenario;
            struct workload *workload =
                draw("packs", 0.5 + 0.25 * k, (uint64_t)(1000 * k + i), &scenario);
            tally_packs(workload, &tally);
            workload_free(workload);
            scenario_free(scenario);
        }
    check_packs(&tally);
}

/* --- lists and packs ------------------------------------------------------------------------- */

enum { LIST, MAX, CHAR, RANDOM, WAYS };
static const struct {
    const char *name;
    enum map_method method;
    enum map_order order;
} ways[WAYS] = {{"list", MAP_METHOD_LIST, MAP_ORDER_ARRIVAL},
                {"packs max", MAP_METHOD_PACKS, MAP_ORDER_MAX},
                {"packs char", MAP_METHOD_PACKS, MAP_ORDER_CHAR},
                {"packs random", MAP_METHOD_PACKS, MAP_ORDER_RANDOM}};

enum { LOADS = 4 };

/* Means over the workloads of one family, by load and way; `idle` is a share. */
struct means {
    struct result list[LOADS][WAYS];
};

static void add(struct result *mean, const struct result *one, double share)
{
    mean->metrics.efficiency += share * one->metrics.efficiency;
    mean->metrics.max_stretch += share * one->metrics.max_stretch;
    mean->metrics.mean_stretch += share * one->metrics.mean_stretch;
    mean->metrics.idle += share * one->metrics.idle / one->metrics.makespan;
    for (int i = 0; i < FIFTHS; i++)
        mean->fifths[i] += share * one->fifths[i];
}

static void map_all_ways(struct result *means, const struct workload *workload, uint64_t seed,
                         bool backfill, double share)
{
    double *random = malloc(workload->count * sizeof *random);
    assert_non_null(random);
    gen_shuffle(seed, random, workload->count);
    for (int way = 0; way < WAYS; way++) {
        const struct map_rules rules = {
            .method = ways[way].method, .sensitivity = 1, .backfill = backfill, .io_nodes = 1};
        struct result result = map(workload, &rules, ways[way].order, random);
        add(&means[way], &result, share);
    }
    free(random);
}

static void print_means(const char *name, const struct means *means, bool backfill)
{
    printf("%s, backfilling %s\nload                efficiency  ... in each fifth of the run       "
           "  max, mean stretch   idle\n",
           name, backfill ? "on" : "off");
    for (int load = 0; load < LOADS; load++)
        for (int way = 0; way < WAYS; way++) {
            const struct result *mean = &means->list[load][way];
            printf("%.1f  %-13s %11.3f ", 0.2 * (load + 1), ways[way].name,
                   mean->metrics.efficiency);
            for (int i = 0; i < FIFTHS; i++)
                printf(" %.3f", mean->fifths[i]);
            printf("  %9.3f %6.3f %9.3f\n", mean->metrics.max_stretch, mean->metrics.mean_stretch,
                   mean->metrics.idle);
        }
    putchar('\n');
}

/* What the thesis says of all four families, and holds. */
static void check_common(const struct means *means, bool backfill)
{
    for (int load = 0; load < LOADS; load++) {
        const struct result *at = means->list[load];
        /* The list is as busy in its middle as in its beginning. */
        assert_near(at[LIST].fifths[2], at[LIST].fifths[0], 0.05);
        if (load == 0)
            continue; /* hardly anybody is ever delayed */
        /* It is the less busy the more I/O there is. */
        assert_true(at[LIST].metrics.efficiency < means->list[load - 1][LIST].metrics.efficiency);
        /* Packs by length are delayed less, and at high loads pay with idle nodes. */
        assert_true(at[MAX].metrics.mean_stretch < at[LIST].metrics.mean_stretch);
        if (load >= 2 && backfill)
            assert_true(at[MAX].metrics.idle > at[LIST].metrics.idle);
    }
}

/* Jobs as on Mira. The thesis has the list ahead at low loads and packs by length at high ones. */
static void check_mira(const struct means *means, bool backfill)
{
    const struct result *low = means->list[0], *high = means->list[LOADS - 1];
    assert_true(low[MAX].metrics.efficiency > low[LIST].metrics.efficiency);
    if (backfill)
        assert_true(high[MAX].metrics.efficiency < high[LIST].metrics.efficiency);
    else
        assert_true(high[MAX].metrics.efficiency > high[LIST].metrics.efficiency);
    for (int load = 0; load < LOADS; load++) {
        const struct result *at = means->list[load];
        /* Other orders waste nodes, and packs run out of jobs towards the end. */
        assert_true(at[RANDOM].metrics.efficiency < at[MAX].metrics.efficiency);
        assert_true(at[MAX].fifths[4] < at[MAX].fifths[0]);
    }
    /* The thesis has the mean stretch of random packs below that of packs by length. */
    assert_true(high[RANDOM].metrics.mean_stretch > high[MAX].metrics.mean_stretch);
}

/* Jobs of all kinds alike: packs of a similar period disturb each other least. At a load of 0.2 the
 * average job wants more nodes than there are, so each has all of them. */
static void check_uniform(const struct means *means)
{
    for (int load = 2; load < LOADS; load++) {
        const struct result *at = means->list[load];
        for (int way = 0; way < WAYS; way++) {
            if (way == CHAR)
                continue;
            assert_true(at[CHAR].metrics.mean_stretch < at[way].metrics.mean_stretch);
            assert_true(at[CHAR].metrics.efficiency > at[way].metrics.efficiency);
        }
    }
}

void mapping_compare_lists(enum mapping_family family, int instances, bool backfill)
{
    static const char *const names[] = {[MAPPING_MN] = "mira-normal",
                                        [MAPPING_MB] = "mira-binormal",
                                        [MAPPING_NU] = "uniform-normal",
                                        [MAPPING_BU] = "uniform-binormal"};
    static struct means means;
    means = (struct means){0};
    for (int load = 0; load < LOADS; load++)
        for (int i = 0; i < instances; i++) {
            struct scenario *scenario;
            struct workload *workload =
                draw(names[family], 0.2 * (load + 1), (uint64_t)(1000 * (load + 1) + i), &scenario);
            map_all_ways(means.list[load], workload, scenario->seed, backfill, 1.0 / instances);
            workload_free(workload);
            scenario_free(scenario);
        }
    print_means(names[family], &means, backfill);
    check_common(&means, backfill);
    if (family == MAPPING_MN || family == MAPPING_MB)
        check_mira(&means, backfill);
    else
        check_uniform(&means);
}
