/* What strategies lose when they know less than a simulation can tell them. */
#include "paper/experiment.h"
#include "paper/findings.h"
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
