/* What strategies lose when they know less than a simulation can tell them. */
#include "paper/findings.h"
#include "paper/result.h"
#include "paper/run.h"
#include <stdio.h>

enum { MIN_YIELD, EFFICIENCY, LOST_YIELD };
static const char *const knowledge_columns[] = {"MinYield", "Efficiency",
                                                "MinYield - that with everything known", NULL};
enum { SYNTHETIC, TRILAB, NERSC, NERSC_10, GROUPS };
static const char *const knowledge_groups[] = {"synthetic, W 1.0", "TRILAB, m4", "NERSC, m4",
                                               "NERSC, m10", NULL};
enum { ALL_KNOWN, WITHIN, MEAN, LATE, LATER };
static const char *const knowledge_places[] = {"exact", "30 %", "mean", "60 s late", "late", NULL};

static const struct knowledge_source {
    const struct family *family;
    const char *params;
    uint32_t quick, full; /* seeds */
} knowledge_sources[GROUPS] = {
    [SYNTHETIC] = {&family_synthetic, "pressure=1", 1, 20},
    [TRILAB] = {&family_apex_trilab, "machine=4 data=paper", 1, 10},
    [NERSC] = {&family_apex_nersc, "machine=4 data=paper", 1, 10},
    [NERSC_10] = {&family_apex_nersc, "machine=10 data=paper", 1, 10},
};

static uint32_t knowledge_seeds(uint32_t group, bool quick)
{
    return quick ? knowledge_sources[group].quick : knowledge_sources[group].full;
}

static uint32_t knowledge_units(bool quick)
{
    uint32_t units = 0;
    for (uint32_t group = 0; group < GROUPS; group++)
        units += knowledge_seeds(group, quick);
    return units;
}

struct knowledge_unit {
    uint16_t group;
    struct samples *samples;
};

/* The mean over the applications of the length of an iteration alone. */
static double knowledge_iteration(const struct workload *workload)
{
    double sum = 0;
    for (uint32_t i = 0; i < workload->count; i++)
        sum += app_ideal(&workload->apps[i]) / workload->apps[i].facts.iterations;
    return sum / workload->count;
}

static int knowledge_window(const struct workload *workload, void *context, struct err *err)
{
    const struct knowledge_unit *unit = context;
    const struct knowledge kinds[] = {
        [ALL_KNOWN] = {0},
        [WITHIN] = {.volumes = KNOWLEDGE_WITHIN, .part = 0.3},
        [MEAN] = {.volumes = KNOWLEDGE_MEAN},
        [LATE] = {.age = 60},
        [LATER] = {.age = 0.1 * knowledge_iteration(workload)},
    };
    for (uint16_t i = 0; i < OURS_STRATEGIES; i++) {
        double most = 0;
        for (int kind = ALL_KNOWN; kind <= LATER; kind++) {
            struct weir_metrics metrics;
            const struct trial trial = {.workload = workload, .knowledge = kinds[kind]};
            if (paper_measure_trial(&trial, findings_series[i], &metrics, err) < 0)
                return -1;
            most = kind == ALL_KNOWN ? metrics.min_yield : most;
            const struct sample sample = {.group = unit->group,
                                          .series = i,
                                          .x = kind,
                                          .values = {[MIN_YIELD] = metrics.min_yield,
                                                     [EFFICIENCY] = metrics.efficiency,
                                                     [LOST_YIELD] = metrics.min_yield - most}};
            if (samples_add(unit->samples, &sample, err) < 0)
                return -1;
        }
    }
    return 0;
}

static int knowledge_run(uint32_t number, bool quick, struct samples *samples, struct err *err)
{
    uint16_t group = 0;
    for (; number >= knowledge_seeds(group, quick); group++)
        number -= knowledge_seeds(group, quick);
    const struct knowledge_source *of = &knowledge_sources[group];
    const struct subject_source source = {of->family, of->params, FINDINGS_SEED + number};
    struct knowledge_unit unit = {group, samples};
    if (of->family->schedule)
        return subject_each_window(&source, knowledge_window, &unit, err);
    return subject_each_draw(&source, knowledge_window, &unit, err);
}

const struct experiment experiment_knowledge = {
    .workloads = "the family synthetic with W = 1, 20 windows, and the 20 longest windows of 10 "
                 "schedules of APEX, data of the paper; seeds from 1001 on; the quick run has one "
                 "seed. Volumes are known exactly, up to 30 % too large or too small, or as the "
                 "mean of the application's earlier ones; or progress is known up to 60 s late, or "
                 "('late') up to a tenth of the mean iteration",
    .series = findings_series,
    .columns = knowledge_columns,
    .groups = knowledge_groups,
    .x = "known",
    .places = knowledge_places,
    .quick_time = 1,
    .full_time = 16,
    .units = knowledge_units,
    .run = knowledge_run,
};

#define STRATEGIES (SERIES(OURS_STRATEGIES) - 1)
#define AT(place)  .from = (place)-0.1, .to = (place) + 0.1
/* Ours against greedy-yield, which asks for no volume. */
#define AGAINST_GREEDY(text_, column_, group_, ours_, relation_)                                   \
    .text = text_, .measured = "its MinYield - greedy-yield's",                                    \
    .ours = {column_, group_, SERIES(ours_)},                                                      \
    .against = {column_, group_, SERIES(OURS_GREEDY_YIELD)}, .operation = CLAIM_DIFFERENCE,        \
    .relation = relation_

static const struct claim knowledge_claims[] = {
    {AGAINST_GREEDY("volumes within 30 % suffice: critical-yield is ahead of greedy-yield on "
                    "synthetic windows",
                    MIN_YIELD, SYNTHETIC, OURS_CRITICAL, CLAIM_AT_LEAST),
     AT(WITHIN), .full = true},
    {AGAINST_GREEDY("the same on TRILAB", MIN_YIELD, TRILAB, OURS_CRITICAL, CLAIM_AT_LEAST),
     AT(WITHIN), .full = true},
    {AGAINST_GREEDY("the same on NERSC, m4", MIN_YIELD, NERSC, OURS_CRITICAL, CLAIM_AT_LEAST),
     AT(WITHIN), .full = true},
    {AGAINST_GREEDY("the same on NERSC, m10", MIN_YIELD, NERSC_10, OURS_CRITICAL, CLAIM_AT_LEAST),
     AT(WITHIN), .full = true},
    {AGAINST_GREEDY("means of earlier I/Os suffice on TRILAB, whose I/Os are alike", MIN_YIELD,
                    TRILAB, OURS_CRITICAL, CLAIM_AT_LEAST),
     AT(MEAN), .full = true},
    {AGAINST_GREEDY("not best: with means of earlier I/Os greedy-yield has the higher MinYield on "
                    "NERSC, m4, where the I/Os of a job are unlike",
                    MIN_YIELD, NERSC, OURS_CRITICAL, CLAIM_AT_MOST),
     AT(MEAN), .full = true},
    {AGAINST_GREEDY("progress known late by a tenth of an iteration hurts greedy-yield more than "
                    "critical-yield: NERSC, m4",
                    LOST_YIELD, NERSC, OURS_CRITICAL, CLAIM_AT_LEAST),
     AT(LATER), .full = true},
    {.text = "progress known 60 s late costs critical-yield nothing: NERSC, m10",
     .measured = "its MinYield - that with everything known",
     .ours = {LOST_YIELD, NERSC_10, SERIES(OURS_CRITICAL)},
     AT(LATE),
     .relation = CLAIM_IS,
     .tolerance = 0.002},
    {.text = NULL},
};

#define CHART(group_, title_)                                                                      \
    {                                                                                              \
        .title = title_, .y = "change of MinYield", .kind = CHART_BARS, .column = LOST_YIELD,      \
        .group = group_, .intervals = true,                                                        \
        .series = SERIES(OURS_GREEDY_YIELD) | SERIES(OURS_LOOK_AHEAD) | SERIES(OURS_FLOOR) |       \
                  SERIES(OURS_CRITICAL) | SERIES(OURS_SURPLUS)                                     \
    }
#define TABLE(column_, group_, title_)                                                             \
    {                                                                                              \
        .title = title_, .column = column_, .group = group_, .series = STRATEGIES,                 \
        .intervals = true                                                                          \
    }

const struct result result_findings_knowledge = {
    .name = "findings-knowledge",
    .title = "what strategies lose if they know less",
    .experiment = EXPERIMENT_knowledge,
    .note =
        "A simulation can tell a strategy the exact volume of an I/O when it is posted; a live "
        "controller knows the mean of earlier ones. greedy-yield, which needs volumes least, is "
        "the measure: on synthetic windows and on TRILAB our "
        "strategies stay ahead of it with estimates. On NERSC the two to four I/Os of a job are "
        "unlike, means mislead, and greedy-yield and periodic-greedy-yield are better. Progress "
        "that is known late matters only if it is late by a good part of an iteration.",
    .charts = (const struct chart[]){CHART(SYNTHETIC, "synthetic, W = 1"),
                                     CHART(TRILAB, "TRILAB, m4"),
                                     CHART(NERSC, "NERSC, m4"),
                                     CHART(NERSC_10, "NERSC, m10"),
                                     {.title = NULL}},
    .tables = (const struct chart[]){TABLE(MIN_YIELD, SYNTHETIC, "synthetic, W = 1"),
                                     TABLE(EFFICIENCY, SYNTHETIC, "synthetic, W = 1"),
                                     TABLE(MIN_YIELD, TRILAB, "TRILAB, m4"),
                                     TABLE(EFFICIENCY, TRILAB, "TRILAB, m4"),
                                     TABLE(MIN_YIELD, NERSC, "NERSC, m4"),
                                     TABLE(EFFICIENCY, NERSC, "NERSC, m4"),
                                     TABLE(MIN_YIELD, NERSC_10, "NERSC, m10"),
                                     TABLE(EFFICIENCY, NERSC_10, "NERSC, m10"),
                                     {.title = NULL}},
    .claims = knowledge_claims,
};
