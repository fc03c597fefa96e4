/* What applications lose and do between the start and the end of what is measured. */
#include "sim/state.h"
#include <math.h>

/* Seconds of work an application has done since time 0. */
static double spans_work(const struct sim *sim, const struct weir_run *run, uint32_t id)
{
    bool late = sim_lingers(sim, id); /* works, though the controller takes it to be in its I/O */
    double done = run->done_work + (run->state >= WEIR_ACTIVE ? run->work : 0);
    if ((run->state != WEIR_WORKING && !late) || agenda_get(&sim->times, id) == INFINITY)
        return done;
    struct iteration it = app_iteration(&sim->workload->apps[id], sim_current(sim, id));
    return done + it.work - (agenda_get(&sim->times, id) - sim->now);
}

static double spans_lost(const struct sim *sim, const struct weir_view *view, uint32_t id)
{
    return sim_lingers(sim, id) ? sim->lost[id] : weir_lost(view, &view->runs[id]);
}

/* What it had lost and worked at the start stands in its span until the end. */
void spans_begin(struct sim *sim)
{
    const struct weir_view *view = control_view(sim->control, sim->now);
    for (uint32_t id = 0; id < sim->workload->count; id++) {
        struct app_span start = {spans_lost(sim, view, id), spans_work(sim, &sim->runs[id], id)};
        /* Most begin with nothing, and memory that is never written to is not used. */
        if (start.lost != 0 || start.work != 0)
            sim->outcome->spans[id] = start;
    }
    sim->outcome->start = sim->now;
    if (sim->wanting)
        wanting_start(sim->wanting, sim->now);
}

/* First the spans, which need the agenda; then, without it and what the controller needs to decide,
 * the outcomes, so that they take the room of these. */
void spans_end(struct sim *sim)
{
    const struct weir_view *view = control_view(sim->control, sim->now);
    for (uint32_t id = 0; id < sim->workload->count; id++) {
        struct app_span *span = &sim->outcome->spans[id];
        span->lost = spans_lost(sim, view, id) - span->lost;
        span->work = spans_work(sim, &sim->runs[id], id) - span->work;
        if (sim->watcher.leave)
            sim->watcher.leave(sim->watcher.context, sim->now, id);
    }
    agenda_fini(&sim->times);
    control_stop(sim->control);
    for (uint32_t id = 0; id < sim->workload->count; id++) {
        const struct weir_run *run = &sim->runs[id];
        bool finished = sim_released(sim, id) && run->state == WEIR_ABSENT;
        sim->outcome->apps[id] = (struct app_outcome){.completion = finished ? run->since : NAN,
                                                      .lost = spans_lost(sim, view, id),
                                                      .done_work = run->done_work,
                                                      .done_ideal = run->done_ideal};
    }
    sim->outcome->end = sim->now;
    if (sim->wanting)
        wanting_end(sim->wanting, sim->now, sim->outcome);
    sim->outcome->decisions = control_decisions(sim->control);
}
