#include "plan/persched.h"
#include "base/mem.h"
#include "plan/attempt.h"
#include "plan/bound.h"
#include "plan/periods.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Published tolerances: what counts as better in the sweep, and as the same when the period is
 * shortened. */
#define BETTER          1e-6
#define SAME_EFFICIENCY 2e-5

/* A period must be much longer than RIBBON_SAME, or all times in it are the same; and its pattern
 * must fit into memory. */
#define SHORTEST       0.1
#define MOST_INSTANCES 4e6

/* Ours. Patterns this close to the best are worth refining; plans this close are equally good. */
#define PROMISING 2e-3
#define AS_GOOD   1e-3
/* The search ends this close to the bound, or when it has cost this many steps (see attempt.c), or
 * after this many rounds, each with other offsets. */
#define CLOSE_ENOUGH 1e-5
#define BUDGET       5e8
#define ROUNDS       40
/* Up to this part of the steps may go into plans that are only as good, to find the one that is
 * best in the other objective too. */
#define OTHER_PART 0.25
/* A period in which all bandwidth is used would hardly leave room for the last application. */
#define ROOMY 1.1
/* Patterns tried side by side; the result depends on it, so it is not the number of threads. */
enum { BATCH = 24, KEPT = 64 };

const struct persched persched_defaults = {
    .max_factor = 10, .epsilon = 0.01, .effort = 1, .jobs = 1};

struct search {
    const struct tasks *tasks;
    const struct persched *options;
    struct attempt_pool pool;
    uint32_t *by_value;          /* see bounds_order */
    double shortest;             /* period */
    double target, other_target; /* the best scores possible, in both objectives */
    struct attempt kept[KEPT];
    size_t kept_count;
    double best;          /* score so far, 0 = none */
    double at_least;      /* score of the published plan, if it is valid */
    double budget, spent; /* steps */
    size_t batch;         /* attempts at a time, at most BATCH */
};

/* Larger is better. */
static double persched_score(const struct search *search, const struct attempt *attempt)
{
    if (!(attempt->work > 0))
        return 0;
    return search->options->objective == PLAN_SYS_EFFICIENCY ? attempt->work / attempt->rules.period
                                                             : 1 / attempt->dilation;
}

static double persched_other_score(const struct search *search, const struct attempt *attempt)
{
    return search->options->objective == PLAN_SYS_EFFICIENCY
               ? 1 / attempt->dilation
               : attempt->work / attempt->rules.period;
}

/* --- the published search -------------------------------------------------------------------- */

/* Published: round(1000 (1 + epsilon) T) / 1000. Where a millisecond is much, that would be T. */
static double persched_next_period(const struct search *search, double period)
{
    double growth = 1 + search->options->epsilon, rounded = round(1000 * growth * period) / 1000;
    return rounded > period ? rounded : growth * period;
}

/* Whether no plan of this period that can be followed is better: then only the patterns that cannot
 * be followed, which the published program takes too, are tried to the end. The same digits, many
 * times faster. */
static bool persched_is_hopeless(const struct search *search, const struct attempt *best,
                                 double period)
{
    return periods_bound(search->tasks, search->by_value, search->options->objective, period) <=
           persched_score(search, best) + BETTER;
}

static int persched_sweep(struct search *search, struct attempt *best)
{
    double longest = search->options->max_factor * search->shortest, period = search->shortest;
    size_t batch_size = search->pool.count < BATCH ? search->pool.count : BATCH;
    while (period <= longest) {
        struct attempt batch[BATCH];
        size_t count = 0;
        for (; period <= longest && count < batch_size;
             period = persched_next_period(search, period))
            batch[count++] =
                (struct attempt){.rules = {.period = period,
                                           .hopeless = persched_is_hopeless(search, best, period)}};
        if (attempt_pool_run(&search->pool, batch, count))
            return -1;
        for (size_t i = 0; i < count; i++)
            if (persched_score(search, &batch[i]) > persched_score(search, best) + BETTER)
                *best = batch[i];
    }
    return 0;
}

/* Shortens the period of the sweep's best while the work stays the same. It is compared with that
 * of the sweep, not with that of the step before, or many small losses would pass; and by what it
 * is worth in SysEfficiency, so an instance of an application that hardly counts may be lost. */
static int persched_shrink(struct search *search, const struct attempt *swept, struct attempt *best)
{
    double epsilon = search->options->epsilon, period = swept->rules.period;
    double step = (period - period / (1 + epsilon)) * epsilon;
    *best = *swept;
    best->rules.hopeless = false;
    for (;;) {
        struct attempt shorter = *best;
        shorter.rules.period -= step;
        if (attempt_pool_run(&search->pool, &shorter, 1))
            return -1;
        double lost = fabs(shorter.work - swept->work) / shorter.rules.period;
        if (!(shorter.work > 0 && lost < SAME_EFFICIENCY))
            return 0;
        *best = shorter;
    }
}

static int persched_search_paper(struct search *search, struct attempt *best)
{
    struct attempt swept = {.dilation = INFINITY};
    *best = swept;
    if (persched_sweep(search, &swept))
        return -1;
    if (!(swept.work > 0))
        return 0;
    /* For Dilation only line 15 of the algorithm, the choice among the sweep's patterns, is another
     * (003 section 4.4); the shrink keeps SysEfficiency, so it has no place there. */
    if (search->options->objective == PLAN_DILATION) {
        *best = swept;
        best->rules.hopeless = false;
    } else if (persched_shrink(search, &swept, best))
        return -1;
    if (search->options->claim) {
        search->options->claim->sys_efficiency = swept.work / best->rules.period;
        search->options->claim->dilation = swept.dilation / swept.rules.period * best->rules.period;
    }
    return 0;
}

/* --- ours ------------------------------------------------------------------------------------ */

/* Keeps the Pareto front of both objectives, but only of what is about as good as the best in the
 * chosen one: a little less of it may buy much of the other. If the front is full, the new one is
 * dropped. */
static void persched_keep(struct search *search, const struct attempt *attempt)
{
    double own = persched_score(search, attempt), other = persched_other_score(search, attempt);
    if (own <= 0 || own < search->best * (1 - AS_GOOD))
        return;
    search->best = fmax(search->best, own);
    size_t left = 0;
    for (size_t i = 0; i < search->kept_count; i++) {
        const struct attempt *old = &search->kept[i];
        double first = persched_score(search, old), second = persched_other_score(search, old);
        if (first >= own && second >= other)
            return;
        bool beaten = own >= first && other >= second;
        if (!beaten && first >= search->best * (1 - AS_GOOD))
            search->kept[left++] = *old;
    }
    search->kept_count = left;
    if (left < KEPT)
        search->kept[search->kept_count++] = *attempt;
}

/* The plan that is best in the other objective, of those that are about as good as the best in the
 * chosen one and not worse than the published one. */
static const struct attempt *persched_choose(const struct search *search)
{
    const struct attempt *chosen = NULL;
    for (size_t i = 0; i < search->kept_count; i++) {
        const struct attempt *attempt = &search->kept[i];
        if (persched_score(search, attempt) >= search->at_least &&
            (!chosen ||
             persched_other_score(search, attempt) > persched_other_score(search, chosen)))
            chosen = attempt;
    }
    return chosen;
}

/* The search goes on after it has reached the bound of the chosen objective, for a part of its
 * budget, in case the other one can be improved. */
static bool persched_is_over(const struct search *search)
{
    if (search->spent > search->budget ||
        (search->options->stop && search->options->stop(search->options->context)))
        return true;
    if (search->best < search->target * (1 - CLOSE_ENOUGH))
        return false;
    return search->spent > OTHER_PART * search->budget ||
           persched_other_score(search, persched_choose(search)) >=
               search->other_target * (1 - CLOSE_ENOUGH);
}

static int persched_try(struct search *search, struct attempt *batch, size_t count)
{
    if (attempt_pool_run(&search->pool, batch, count))
        return -1;
    for (size_t i = 0; i < count; i++) {
        search->spent += batch[i].cost;
        persched_keep(search, &batch[i]);
    }
    return 0;
}

/* One round over all periods that could be better, the most promising first. As they are sorted by
 * bound, the first one that cannot be better ends the round: as in branch and bound, most periods
 * are never tried. */
static int persched_round(struct search *search, const struct periods *periods, uint32_t offset)
{
    struct attempt batch[BATCH];
    size_t count = 0;
    for (size_t i = 0; i < periods->count; i++) {
        const struct candidate *period = &periods->list[i];
        if (period->bound <= search->best * (1 - AS_GOOD) ||
            (period->bound <= search->best * (1 + BETTER) &&
             search->spent > OTHER_PART * search->budget))
            break;
        for (int pick = 0; pick < PATTERN_PICKS; pick++) {
            struct attempt attempt = {.rules = {period->length, pick, true, offset, false},
                                      .cost_limit = search->budget / BATCH};
            if (search->options->objective == PLAN_SYS_EFFICIENCY)
                attempt.refine_efficiency = search->best * (1 - PROMISING);
            else if (search->best > 0)
                attempt.refine_dilation = (1 + PROMISING) / search->best;
            batch[count++] = attempt;
        }
        if (count + PATTERN_PICKS <= search->batch)
            continue;
        if (persched_try(search, batch, count))
            return -1;
        count = 0;
        if (persched_is_over(search))
            return 0;
    }
    return persched_try(search, batch, count);
}

/* The published search comes first, so that ours is never worse. Its plan counts if it can be
 * followed. */
static int persched_keep_published(struct search *search)
{
    struct attempt published;
    if (persched_search_paper(search, &published))
        return -1;
    if (!(published.work > 0))
        return 0;
    struct plan *plan = pattern_plan(&search->pool.patterns[0], published.rules);
    if (!plan)
        return -1;
    errno = 0;
    bool valid = plan_validate(plan, search->tasks, NULL) == 0;
    bool exhausted = !valid && errno == ENOMEM;
    plan_free(plan);
    if (valid) {
        persched_keep(search, &published);
        search->at_least = persched_score(search, &published);
    }
    return exhausted ? -1 : 0;
}

/* One pattern that has room for every application if any pattern has, so that a search that is
 * stopped early has a plan: the shortest period, or what one instance of each takes of the
 * bandwidth. */
static int persched_keep_simple(struct search *search)
{
    double bytes = 0;
    for (uint32_t i = 0; i < search->tasks->count; i++)
        bytes += search->tasks->list[i].volume;
    double period = fmax(search->shortest, ROOMY * bytes / search->tasks->bandwidth);
    struct attempt simple = {.rules = {.period = period, .valid = true}};
    return persched_try(search, &simple, 1);
}

static int persched_search_best(struct search *search, struct attempt *best)
{
    struct periods periods;
    int failed;
    if (periods_init(&periods, search->tasks, search->by_value, search->options,
                     search->shortest)) {
        periods_fini(&periods);
        return -1;
    }
    /* Large patterns are tried one period at a time, to look at the time limit in between. */
    search->batch = periods.sweepable ? BATCH : PATTERN_PICKS;
    failed = periods.sweepable ? persched_keep_published(search) : persched_keep_simple(search);
    search->pool.stop = search->options->stop;
    search->pool.context = search->options->context;
    for (uint32_t round = 0; round < ROUNDS && !failed && !persched_is_over(search); round++)
        failed = persched_round(search, &periods, round);
    periods_fini(&periods);
    const struct attempt *chosen = persched_choose(search);
    *best = chosen ? *chosen : (struct attempt){0};
    return failed;
}

/* --- both ------------------------------------------------------------------------------------ */

static int persched_prepare(struct search *search)
{
    struct plan_bounds bounds;
    search->by_value = mem_alloc(search->tasks->count, sizeof(*search->by_value));
    if (!search->by_value || bounds_compute(search->tasks, &bounds) ||
        attempt_pool_init(&search->pool, search->tasks, search->options->jobs))
        return -1;
    bounds_order(search->tasks, search->by_value);
    bool efficiency = search->options->objective == PLAN_SYS_EFFICIENCY;
    double targets[] = {1 / bounds.dilation_bandwidth, bounds.sys_efficiency_bandwidth};
    search->target = targets[efficiency];
    search->other_target = targets[!efficiency];
    search->shortest = search->options->min_period;
    for (uint32_t i = 0; i < search->tasks->count && !(search->options->min_period > 0); i++)
        search->shortest =
            fmax(search->shortest, search->tasks->list[i].work + search->tasks->list[i].io);
    return 0;
}

/* Refuses what no search can handle: periods so short that times in them cannot be told apart, and
 * patterns with too many instances. */
static int persched_refuse(const struct search *search, struct err *err)
{
    bool paper = search->options->search == PLAN_SEARCH_PAPER;
    double length = search->shortest * (paper ? search->options->max_factor : 1);
    double instances = periods_instances(search->tasks, length);
    if (search->shortest < SHORTEST)
        return err_set(err, "a period of %g s is too short to be planned, expected at least %g s",
                       search->shortest, SHORTEST);
    if (!(instances <= MOST_INSTANCES))
        return err_set(err, "a period of %g s holds %.3g instances, expected at most %.0f", length,
                       instances, MOST_INSTANCES);
    return 0;
}

struct plan *persched_plan(const struct tasks *tasks, const struct persched *options,
                           struct err *err)
{
    struct search search = {.tasks = tasks, .options = options, .budget = options->effort * BUDGET};
    struct attempt best = {0};
    struct plan *plan = NULL;
    int failed = persched_prepare(&search);
    if (!failed && persched_refuse(&search, err))
        goto out;
    if (!failed)
        failed = options->search == PLAN_SEARCH_PAPER ? persched_search_paper(&search, &best)
                                                      : persched_search_best(&search, &best);
    if (!failed && best.work > 0)
        plan = pattern_plan(&search.pool.patterns[0], best.rules);
    if (!failed && !(best.work > 0))
        err_set(err,
                "no period tried from %.9g to %.9g s has room for an instance of every application",
                search.shortest, options->max_factor * search.shortest);
    else if (!plan)
        err_memory(err);
out:
    attempt_pool_fini(&search.pool);
    free(search.by_value);
    return plan;
}
