#include "answer/intervals.h"
#include "base/mem.h"
#include "base/stage.h"
#include <math.h>
#include <stdlib.h>

/* The curve in the table. */
enum { CURVE = 9 };

int intervals_init(struct intervals *it, const struct workload *workload,
                   const struct policy *policy, struct err *err)
{
    it->workload = workload;
    it->failures = mem_alloc(workload->count, sizeof *it->failures);
    it->parts = mem_alloc(workload->count, sizeof *it->parts);
    it->study = (struct checkpoint_study){workload, policy, it->failures, stage_host()->show};
    return it->failures && it->parts ? 0 : err_memory(err);
}

void intervals_fini(struct intervals *it)
{
    free(it->failures);
    free(it->parts);
    free(it->given);
    free(it->shown.lines);
    free(it->curve.lines);
}

static void intervals_fill(const struct intervals *it, uint32_t id,
                           const struct checkpoint_part *part, struct advice *line)
{
    const struct app *app = &it->workload->apps[id];
    app_label(app, line->name, APP_LABEL);
    line->interval = part->interval;
    line->cost = part->cost;
    line->overhead = 100 * (part->expected / app->facts.total_work - 1);
    line->alone = interval_best(&it->failures[id], checkpoint_alone(app));
}

/* The time that the others need alone, in seconds. */
static double intervals_others_alone(const struct intervals *it)
{
    const struct workload *workload = it->workload;
    double alone = 0;
    for (uint32_t id = 0; id < workload->count; id++)
        alone += id == it->id ? 0 : app_ideal(&workload->apps[id]);
    return alone;
}

/* Judges one interval. 0, or -1 with err. */
static int intervals_judge(struct intervals *it, double interval, struct advice *line,
                           struct err *err)
{
    it->parts[it->id].interval = interval;
    if (checkpoint_try(&it->study, it->parts, &it->after, err) < 0)
        return -1;
    intervals_fill(it, it->id, &it->parts[it->id], line);
    line->others = it->alone > 0 ? 100 * it->after.others / it->alone : NAN;
    return 0;
}

/* The line with the least overhead: that of the interval that was found, unless another is better.
 */
static uint32_t intervals_pick(const struct advice_list *list, uint32_t found)
{
    uint32_t best = found;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->lines[i].overhead < list->lines[best].overhead)
            best = i;
    return best;
}

/* Judges a curve of `count` intervals around the best. Those longer than the work are left out, as
 * are those that would make too many checkpoints, or with which the work would never be done. 0, or
 * -1 with err. */
static int intervals_draw_curve(struct intervals *it, double best, int count,
                                struct advice_list *list, struct err *err)
{
    const struct app *app = &it->workload->apps[it->id];
    uint32_t place = 0;
    for (int i = 0; i < count; i++) {
        double interval = best * exp2(4.0 * i / (count - 1) - 2);
        if (interval > app->facts.total_work * (1 + 1e-12))
            break;
        if (interval < checkpoint_shortest(app))
            continue;
        struct advice *line = &list->lines[list->count];
        if (intervals_judge(it, interval, line, err) < 0)
            return -1;
        place = i == count / 2 ? list->count : place;
        list->count += isfinite(line->overhead);
    }
    list->best = intervals_pick(list, place);
    return 0;
}

static int intervals_compare_numbers(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Judges the intervals that were given, with the best among them. 0, or -1 with err. */
static int intervals_judge_given(struct intervals *it, double best, struct err *err)
{
    struct advice_list *list = &it->shown;
    size_t next = 0;
    bool own_shown = false;
    qsort(it->given, it->given_count, sizeof *it->given, intervals_compare_numbers);
    while (next < it->given_count || !own_shown) {
        bool own = !own_shown && (next == it->given_count || best <= it->given[next]);
        double interval = own ? best : it->given[next];
        struct advice *line = &list->lines[list->count];
        if (intervals_judge(it, interval, line, err) < 0)
            return -1;
        line->overhead = isfinite(line->overhead) ? line->overhead : NAN;
        list->best = own ? list->count : list->best;
        list->count++;
        own_shown |= own;
        next += !own || (next < it->given_count && best == it->given[next]);
    }
    list->best = intervals_pick(list, list->best);
    return 0;
}

/* 0, or -1 when memory is out. */
static int intervals_make_room(struct advice_list *list, size_t count, struct err *err)
{
    list->lines = mem_alloc(count, sizeof *list->lines);
    return list->lines ? 0 : err_memory(err);
}

int intervals_advise(struct intervals *it, bool curve, struct err *err)
{
    it->alone = intervals_others_alone(it);
    if (intervals_make_room(&it->shown, CURVE + it->given_count + 1, err) < 0 ||
        intervals_make_room(&it->curve, INTERVALS_FINE, err) < 0 ||
        checkpoint_best(&it->study, it->id, it->parts, err) < 0)
        return -1;
    double best = it->parts[it->id].interval;
    if (curve && intervals_draw_curve(it, best, INTERVALS_FINE, &it->curve, err) < 0)
        return -1;
    return it->given_count > 0 ? intervals_judge_given(it, best, err)
                               : intervals_draw_curve(it, best, CURVE, &it->shown, err);
}

int intervals_settle(struct intervals *it, struct err *err)
{
    const struct workload *workload = it->workload;
    for (uint32_t id = 0; id < workload->count; id++)
        if (it->failures[id].between > 0)
            it->parts[id].interval =
                fmin(fmax(checkpoint_shortest(&workload->apps[id]),
                          interval_best(&it->failures[id], checkpoint_alone(&workload->apps[id]))),
                     workload->apps[id].facts.total_work);
    if (intervals_make_room(&it->shown, workload->count, err) < 0 ||
        checkpoint_try(&it->study, it->parts, &it->before, err) < 0 ||
        checkpoint_settle(&it->study, it->parts, &it->after, err) < 0)
        return -1;
    for (uint32_t id = 0; id < workload->count; id++)
        if (it->parts[id].interval > 0)
            intervals_fill(it, id, &it->parts[id], &it->shown.lines[it->shown.count++]);
    return 0;
}
