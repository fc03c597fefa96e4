#include "base/mem.h"
#include "base/units.h"
#include "report/gantt.h"
#include "report/plan_report.h"
#include <math.h>
#include <stdlib.h>

/* --- one period as a timeline ---------------------------------------------------------------- */

/* Which part of an application's round of length T, which begins somewhere in [0, T), is being
 * written: first what lies after the end of the period and so comes first in the next one, then
 * the rest. So the segments come in order. */
struct round {
    struct timeline *timeline;
    double period;
    double shift; /* from the times of the plan to those of the round */
    bool wrapped;
    uint32_t app;
};

static int plan_gantt_add(const struct round *round, double start, double end,
                          enum segment_kind kind, double rate)
{
    double from = round->wrapped ? round->period : 0;
    start = fmax(start + round->shift - from, 0);
    end = fmin(end + round->shift - from, round->period);
    if (!(end > start))
        return 0;
    return timeline_add(
        round->timeline,
        (struct segment){
            .start = start, .end = end, .rate = rate, .app = round->app, .kind = (uint32_t)kind});
}

/* An instance: its work, its I/O, and the waiting up to `next`, the work after it. */
static int add_instance(const struct round *round, const struct plan *plan,
                        const struct plan_instance *instance, double work, double next)
{
    double time = instance->start + work;
    int status = plan_gantt_add(round, instance->start, time, SEGMENT_WORK, 0);
    for (size_t i = 0; i < instance->count && status == 0; i++) {
        const struct plan_piece *piece = &plan->pieces[instance->first + i];
        status = plan_gantt_add(round, time, piece->start, SEGMENT_WAIT, 0);
        if (status == 0)
            status = plan_gantt_add(round, piece->start, piece->end, SEGMENT_IO, piece->rate);
        time = piece->end;
    }
    return status == 0 ? plan_gantt_add(round, time, next, SEGMENT_WAIT, 0) : -1;
}

static int add_round(const struct round *round, const struct plan *plan, double work)
{
    const struct plan_instance *first = &plan->instances[plan->apps[round->app].first];
    size_t count = plan->apps[round->app].count;
    int status = 0;
    for (size_t i = 0; i < count && status == 0; i++) {
        double next = i + 1 < count ? first[i + 1].start : first->start + plan->period;
        status = add_instance(round, plan, &first[i], work, next);
    }
    return status;
}

int plan_timeline(const struct plan *plan, const struct tasks *tasks, struct timeline *timeline)
{
    int status = 0;
    for (uint32_t app = 0; app < plan->count && status == 0; app++) {
        if (plan->apps[app].count == 0)
            continue;
        double start = plan->instances[plan->apps[app].first].start;
        struct round round = {.timeline = timeline,
                              .period = plan->period,
                              .shift = -floor(start / plan->period) * plan->period,
                              .wrapped = true,
                              .app = app};
        status = add_round(&round, plan, tasks->list[app].work);
        round.wrapped = false;
        if (status == 0)
            status = add_round(&round, plan, tasks->list[app].work);
    }
    return status;
}

/* --- the picture ------------------------------------------------------------------------------ */

static struct weir_metrics plan_gantt_measure(const struct planned *planned)
{
    struct weir_metrics metrics = {
#define X(name, unit, sense, help) .name = NAN,
        WEIR_METRICS(X)
#undef X
    };
    metrics.sys_efficiency = plan_sys_efficiency(planned->plan, planned->tasks);
    metrics.dilation = plan_max_dilation(planned->plan, planned->tasks);
    return metrics;
}

static int plan_gantt_draw(FILE *out, const struct planned *planned,
                           const struct timeline *timeline, struct err *err)
{
    char title[128], period[64];
    struct row row = {.policy = title, .metrics = plan_gantt_measure(planned)};
    snprintf(title, sizeof title, "%s, one period of %s", planned->method,
             units_print(planned->plan->period, UNIT_SECONDS, period, sizeof period));
    row.apps = mem_alloc(planned->plan->count, sizeof *row.apps);
    if (!row.apps)
        return err_memory(err);
    for (uint32_t i = 0; i < planned->plan->count; i++)
        row.apps[i].yield = 1 / plan_dilation(planned->plan, planned->tasks, i);
    struct gantt_panel panel = {&row, timeline};
    int status = gantt_write(out, planned->workload, &panel, 1, err);
    free(row.apps);
    return status;
}

int plan_write_gantt(FILE *out, const struct planned *planned, struct err *err)
{
    struct timeline timeline = {0};
    int status = plan_timeline(planned->plan, planned->tasks, &timeline);
    status = status < 0 ? err_memory(err) : plan_gantt_draw(out, planned, &timeline, err);
    timeline_fini(&timeline);
    return status;
}
