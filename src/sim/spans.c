/* What applications lose and do between the start and the end of what is measured. */
#include "sim/state.h"
#include <math.h>

/* Seconds of work that an application has done since time 0. */
static double spans_work(struct sim *sim, uint32_t id)
{
    const struct weir_run *run = &sim->runs[id];
    bool late = sim_lingers(sim, id); /* works, though the controller takes it to be in its I/O */
    double done = run->done_work + (run->state >= WEIR_ACTIVE ? run->work : 0);
    if (sim->stores) {
        done = stores_worked(sim, id);
        run = &sim->runs[id]; /* of the store where it is */
    }
    if ((run->state != WEIR_WORKING && !late) || agenda_get(&sim->times, id) == INFINITY)
        return done;
    struct iteration it = app_iteration(&sim->workload->apps[id], sim_current(sim, id));
    return done + it.work - (agenda_get(&sim->times, id) - sim->now);
}

static double spans_lost(struct sim *sim, uint32_t id)
{
    if (sim_lingers(sim, id))
        return sim->lost[id];
    if (sim->stores)
        return stores_lost(sim, id);
    return weir_lost(control_view(sim->control, sim->now), &sim->runs[id]);
}

/* Adds what every application has done on each of several channels, times `sign`. */
static void spans_divide(struct sim *sim, double sign)
{
    for (uint32_t s = 0; s < sim->outcome->channel_count; s++)
        for (uint32_t id = 0; id < sim->workload->count; id++) {
            struct app_channel_span now = stores_span(sim, s, id);
            struct app_channel_span *span =
                &sim->outcome->channels[s * (size_t)sim->workload->count + id];
            span->bytes += sign * now.bytes;
            span->alone += sign * now.alone;
            span->lost += sign * now.lost;
        }
}

/* What it had lost and worked at the start stands in its span until the end. */
void spans_begin(struct sim *sim)
{
    for (uint32_t id = 0; id < sim->workload->count; id++) {
        struct app_span start = {spans_lost(sim, id), spans_work(sim, id)};
        /* Most begin with nothing, and memory that is never written to is not used. */
        if (start.lost != 0 || start.work != 0)
            sim->outcome->spans[id] = start;
    }
    spans_divide(sim, -1);
    if (sim->stores)
        stores_go(sim, 0);
    sim->outcome->start = sim->now;
    if (sim->wanting)
        wanting_start(sim->wanting, sim->now);
}

/* Stops all controllers, which have decided so often. */
static void spans_stop(struct sim *sim)
{
    uint32_t count = sim->stores ? sim->stores->count : 1;
    for (uint32_t s = 0; s < count; s++) {
        if (sim->stores)
            stores_go(sim, s);
        sim->outcome->decisions += control_decisions(sim->control);
        control_stop(sim->control);
    }
}

/* First the spans, which need the agenda; then, without it and what the controller needs to decide,
 * the outcomes, so that they take the room of these. */
void spans_end(struct sim *sim)
{
    for (uint32_t id = 0; id < sim->workload->count; id++) {
        struct app_span *span = &sim->outcome->spans[id];
        span->lost = spans_lost(sim, id) - span->lost;
        span->work = spans_work(sim, id) - span->work;
        if (sim->watcher.leave)
            sim->watcher.leave(sim->watcher.context, sim->now, id);
    }
    spans_divide(sim, 1);
    agenda_fini(&sim->times);
    spans_stop(sim);
    for (uint32_t id = 0; id < sim->workload->count; id++) {
        const struct weir_run *run = &sim->runs[id];
        bool finished = sim_released(sim, id) && run->state == WEIR_ABSENT;
        sim->outcome->apps[id] = (struct app_outcome){.completion = finished ? run->since : NAN,
                                                      .lost = spans_lost(sim, id),
                                                      .done_work = run->done_work,
                                                      .done_ideal = run->done_ideal};
        if (sim->stores) {
            sim->outcome->apps[id].done_work = sim->stores->worked[id];
            sim->outcome->apps[id].done_ideal = sim->stores->ideal[id];
        }
    }
    sim->outcome->end = sim->now;
    if (sim->wanting)
        wanting_end(sim->wanting, sim->now, sim->outcome);
}
