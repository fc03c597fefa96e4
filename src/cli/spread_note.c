#include "cli/spread_note.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/cli.h"
#include "gen/gen.h"
#include "trial/trial.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    REPEATS = 2,
    MOST_EVENTS = 1000000 /* in all repeats together: a quarter of a second */
};

/* A smaller difference, relative, is not visible in a table. No difference is so large that it
 * cannot be chance: 1e-9 was seen to move a largest stretch by 22 %. */
static const double spread_visible = 5e-5;

/* The strategies of a study, and what became of those that were repeated. */
struct spread {
    const struct study *study;
    const struct policies *policies;
    const struct selection *selection;
    bool *near;                    /* it is one of the pairs that differ least, and is repeated */
    struct weir_metrics *repeated; /* by strategy and repeat */
    double budget;                 /* events that more repeats may have */
    double nearest;                /* relative distance of `pair` */
    size_t pair[2];
};

static double spread_value(const struct spread *spread, size_t policy,
                           const struct measure *measure)
{
    return measure_of(measure, &spread->study->rows.list[policy].metrics);
}

static bool spread_may_repeat(const struct policy *policy)
{
    return !policy->foreign && !(policy->ops->flags & WEIR_NEEDS_PLAN);
}

/* Whether two that may be repeated differ. */
static bool spread_differ(const struct spread *spread, size_t a, size_t b,
                          const struct measure *measure)
{
    double x = spread_value(spread, a, measure), y = spread_value(spread, b, measure);
    double difference = fabs(x - y), size = fmax(fabs(x), fabs(y));
    return measure->sense != METRIC_INFO && difference > spread_visible * size &&
           spread_may_repeat(spread->policies->list[a]) &&
           spread_may_repeat(spread->policies->list[b]);
}

/* Calls `visit` for pairs that differ until it returns true; returns whether it did. */
static bool spread_find(struct spread *spread,
                        bool (*visit)(struct spread *spread, size_t a, size_t b,
                                      const struct measure *measure))
{
    for (size_t k = 0; k < spread->selection->count; k++)
        for (size_t a = 0; a < spread->policies->count; a++)
            for (size_t b = a + 1; b < spread->policies->count; b++) {
                const struct measure *measure = spread->selection->measures[k];
                if (spread_differ(spread, a, b, measure) && visit(spread, a, b, measure))
                    return true;
            }
    return false;
}

/* What the repeats of a strategy cost: what its run has cost. */
static double spread_cost(const struct spread *spread, size_t policy)
{
    return REPEATS * spread->study->rows.list[policy].metrics.events;
}

/* The nearest pair so far that is not repeated yet and can be. */
static bool spread_prefer(struct spread *spread, size_t a, size_t b, const struct measure *measure)
{
    double x = spread_value(spread, a, measure), y = spread_value(spread, b, measure);
    double distance = fabs(x - y) / fmax(fabs(x), fabs(y));
    double cost = (spread->near[a] ? 0 : spread_cost(spread, a)) +
                  (spread->near[b] ? 0 : spread_cost(spread, b));
    if (cost > 0 && cost <= spread->budget && distance < spread->nearest) {
        spread->nearest = distance;
        spread->pair[0] = a;
        spread->pair[1] = b;
    }
    return false;
}

/* Chooses what is repeated: the nearest pairs first, as far as the budget goes. Returns whether
 * there is any. */
static bool spread_choose(struct spread *spread)
{
    bool any = false;
    spread->budget = MOST_EVENTS;
    for (;;) {
        spread->nearest = INFINITY;
        spread_find(spread, spread_prefer);
        if (!isfinite(spread->nearest))
            return any;
        for (int i = 0; i < 2; i++) {
            size_t policy = spread->pair[i];
            spread->budget -= spread->near[policy] ? 0 : spread_cost(spread, policy);
            spread->near[policy] = any = true;
        }
    }
}

/* 0, or -1 when a run fails: then nothing can be told. */
static int spread_repeat(struct spread *spread, const struct sim_options *options, size_t repeat)
{
    struct workload *workload =
        workload_perturb(spread->study->workload, GEN_ENSEMBLE, repeat + 1, NULL);
    int status = workload ? 0 : -1;
    for (size_t p = 0; status == 0 && p < spread->policies->count; p++) {
        struct row row;
        if (!spread->near[p])
            continue;
        status = trial_run(&(struct trial){.workload = workload,
                                           .policy = spread->policies->list[p],
                                           .knowledge = spread->study->knowledge,
                                           .options = *options},
                           &row, NULL);
        if (status == 0)
            spread->repeated[p * REPEATS + repeat] = row.metrics;
        row_fini(&row);
    }
    workload_free(workload);
    return status;
}

/* How far the repeats are from the run at most. */
static double spread_of(const struct spread *spread, size_t policy, const struct measure *measure)
{
    double most = 0, value = spread_value(spread, policy, measure);
    for (size_t i = 0; i < REPEATS; i++) {
        const struct weir_metrics *metrics = &spread->repeated[policy * REPEATS + i];
        most = fmax(most, fabs(measure_of(measure, metrics) - value));
    }
    return most;
}

static bool spread_tell(struct spread *spread, size_t a, size_t b, const struct measure *measure)
{
    if (!spread->near[a] || !spread->near[b])
        return false;
    double x = spread_value(spread, a, measure), y = spread_value(spread, b, measure);
    double moved = spread_of(spread, a, measure) + spread_of(spread, b, measure);
    if (fabs(x - y) > moved)
        return false;
    char text[512];
    double percent = 100 / fmax(fabs(x), fabs(y));
    snprintf(text, sizeof text,
             "Note: %s of %.100s and %.100s differs by %g %%, and 1e-9 in the input moves it by "
             "up to %g %%. Means of many runs tell more: weir compare.",
             measure->name, spread->policies->list[a]->name, spread->policies->list[b]->name,
             text_round(percent * fabs(x - y), 2), text_round(percent * moved, 2));
    putchar('\n');
    help_wrap(stdout, text, 0, 0);
    return true;
}

bool spread_note_print(const struct study *study, const struct policies *policies,
                       const struct sim_options *options, const struct selection *selection)
{
    struct spread spread = {.study = study,
                            .policies = policies,
                            .selection = selection,
                            .near = mem_alloc(policies->count, sizeof *spread.near),
                            .repeated =
                                mem_alloc(policies->count, sizeof *spread.repeated * REPEATS)};
    int status = spread.near && spread.repeated ? 0 : -1;
    if (status == 0 && !spread_choose(&spread))
        status = -1;
    for (size_t i = 0; i < REPEATS && status == 0; i++)
        status = spread_repeat(&spread, options, i);
    bool told = status == 0 && spread_find(&spread, spread_tell);
    free(spread.near);
    free(spread.repeated);
    return told;
}
