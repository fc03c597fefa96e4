#include "sim/sim.h"
#include "base/agenda.h"
#include "base/maths.h"
#include "base/mem.h"
#include "control/check.h"
#include "control/control.h"
#include "model/plan.h"
#include "sim/recorder.h"
#include <stdlib.h>

/* Events this close, relative, fall on the same instant. */
#define INSTANT 1e-12

/* How often the caller hears of the progress, in events. */
#define PROGRESS_EVERY 65536

struct sim {
    const struct workload *workload;
    struct control *control;
    struct agenda dates; /* per application: its release, or the end of its work */
    uint32_t *current;   /* per application: its iteration, 0.. */
    struct outcome *outcome;
    struct check *check;       /* or NULL */
    struct recorder *recorder; /* or NULL */
    uint32_t running;          /* applications that have not finished */
    double now;
};

/* --- one application ----------------------------------------------------------------------- */

static bool released(const struct sim *sim, uint32_t id)
{
    return sim->current[id] != UINT32_MAX;
}

static void finish(struct sim *sim, uint32_t id)
{
    sim->outcome->apps[id].completion = sim->now;
    control_leave(sim->control, sim->now, id);
    if (sim->recorder)
        recorder_leave(sim->recorder, sim->now, id);
    sim->running--;
}

static void post(struct sim *sim, uint32_t id, struct iteration iteration, double posted)
{
    struct control_io io = {iteration.volume, iteration.work, posted};
    control_post(sim->control, sim->now, id, io);
    sim->outcome->events++;
}

/* Goes on to the next phase that takes time. */
static void proceed(struct sim *sim, uint32_t id)
{
    const struct app *app = &sim->workload->apps[id];
    for (; sim->current[id] < app->facts.iterations; sim->current[id]++) {
        struct iteration it = app_iteration(app, sim->current[id]);
        if (it.work > 0) {
            agenda_set(&sim->dates, id, sim->now + it.work);
            if (sim->recorder)
                recorder_enter(sim->recorder, sim->now,
                               (struct segment){.app = id, .kind = SEGMENT_WORK});
            return;
        }
        if (it.volume > 0) {
            bool waited = sim->current[id] == 0 && app->waiting > 0;
            post(sim, id, it, waited ? -app->waiting : sim->now);
            return;
        }
        control_iterate(sim->control, id, 0);
    }
    finish(sim, id);
}

static void release(struct sim *sim, uint32_t id)
{
    const struct app *app = &sim->workload->apps[id];
    double lost = maths_max(0, sim->now - app->facts.release - app->progress);
    control_join(sim->control, sim->now, id, &app->facts, lost);
    sim->current[id] = 0;
    sim->outcome->events++;
    proceed(sim, id);
}

static void end_work(struct sim *sim, uint32_t id)
{
    struct iteration it = app_iteration(&sim->workload->apps[id], sim->current[id]);
    if (it.volume > 0) {
        post(sim, id, it, sim->now);
        return;
    }
    control_iterate(sim->control, id, it.work);
    sim->current[id]++;
    proceed(sim, id);
}

static int complete(struct sim *sim, uint32_t id, struct err *err)
{
    if (sim->check && check_complete(sim->check, sim->control, id, err))
        return -1;
    control_complete(sim->control, sim->now, id);
    sim->outcome->events++;
    sim->current[id]++;
    proceed(sim, id);
    return 0;
}

/* --- one instant --------------------------------------------------------------------------- */

static int apply_changes(struct sim *sim, struct err *err)
{
    uint32_t id;
    if (control_woken(sim->control, sim->now))
        sim->outcome->events++;
    while ((id = control_due(sim->control, sim->now)) != CONTROL_NONE)
        if (complete(sim, id, err))
            return -1;
    double instant = sim->now * (1 + INSTANT);
    while (agenda_date(&sim->dates) <= instant) {
        id = agenda_first(&sim->dates);
        agenda_set(&sim->dates, id, INFINITY);
        if (released(sim, id))
            end_work(sim, id);
        else
            release(sim, id);
    }
    return 0;
}

static void record_rates(struct sim *sim)
{
    const struct weir_view *view = control_view(sim->control, sim->now);
    for (uint32_t i = 0; i < view->active_count; i++) {
        double rate = control_rate(sim->control, view->active[i]);
        recorder_enter(sim->recorder, sim->now,
                       (struct segment){.app = view->active[i],
                                        .kind = rate > 0 ? SEGMENT_IO : SEGMENT_WAIT,
                                        .rate = rate});
    }
}

/* All changes that fall on sim->now, then one decision. */
static int step(struct sim *sim, struct err *err)
{
    if (sim->check)
        check_elapse(sim->check, sim->control, sim->now);
    if (apply_changes(sim, err))
        return -1;
    control_decide(sim->control, sim->now);
    if (sim->check && check_decide(sim->check, sim->control, sim->now, err))
        return -1;
    if (sim->recorder)
        record_rates(sim);
    return 0;
}

/* --- measuring ------------------------------------------------------------------------------ */

/* Seconds of work an application has done since time 0. */
static double work_done(const struct sim *sim, const struct weir_run *run, uint32_t id)
{
    if (run->state == WEIR_ACTIVE)
        return run->done_work + run->work;
    if (run->state != WEIR_WORKING || sim->dates.date[id] == INFINITY)
        return run->done_work;
    struct iteration it = app_iteration(&sim->workload->apps[id], sim->current[id]);
    return run->done_work + it.work - (sim->dates.date[id] - sim->now);
}

static void measure_start(struct sim *sim)
{
    const struct weir_view *view = control_view(sim->control, sim->now);
    for (uint32_t id = 0; id < sim->workload->count; id++) {
        struct app_outcome *app = &sim->outcome->apps[id];
        app->start_lost = weir_lost(view, &view->runs[id]);
        app->start_work = work_done(sim, &view->runs[id], id);
    }
    sim->outcome->start = sim->now;
}

static void measure_end(struct sim *sim)
{
    const struct weir_view *view = control_view(sim->control, sim->now);
    for (uint32_t id = 0; id < sim->workload->count; id++) {
        struct app_outcome *app = &sim->outcome->apps[id];
        const struct weir_run *run = &view->runs[id];
        app->end_lost = weir_lost(view, run);
        app->end_work = work_done(sim, run, id);
        app->done_work = run->done_work;
        app->done_ideal = run->done_ideal;
        if (sim->recorder)
            recorder_leave(sim->recorder, sim->now, id);
    }
    sim->outcome->end = sim->now;
    sim->outcome->decisions = control_decisions(sim->control);
}

/* --- the whole run -------------------------------------------------------------------------- */

/* How much of the run is done, 0..1: of a window by time, else by phases. */
static double done(const struct sim *sim)
{
    if (sim->workload->window.kind == WINDOW_FIXED)
        return sim->now / sim->workload->window.end;
    double total = 0;
    for (uint32_t id = 0; id < sim->workload->count; id++)
        total += 2.0 * sim->workload->apps[id].facts.iterations;
    return maths_min(1, (double)sim->outcome->events / total);
}

/* Runs all instants up to `end`; stops there, or earlier when everybody has finished. */
static int run_until(struct sim *sim, double end, const struct sim_options *options,
                     struct err *err)
{
    uint64_t report = 0;
    while (sim->running > 0) {
        double next = maths_min(agenda_date(&sim->dates), control_next(sim->control));
        if (next > end * (1 + INSTANT))
            break;
        if (next == INFINITY)
            return err_set(err, "%u applications wait for ever at %.9g s: no bandwidth is granted",
                           sim->running, sim->now);
        sim->now = maths_min(maths_max(next, sim->now), end);
        if (step(sim, err))
            return -1;
        if (options->progress && sim->outcome->events >= report) {
            options->progress(options->context, done(sim));
            report = sim->outcome->events + PROGRESS_EVERY;
        }
    }
    if (end < INFINITY)
        sim->now = end;
    return 0;
}

/* A strategy that follows a plan has one, for as many applications. */
static int check_plan(const struct sim *sim, const struct policy *policy, struct err *err)
{
    if (!(policy->ops->flags & WEIR_NEEDS_PLAN))
        return 0;
    if (!policy->plan)
        return err_set(err, "the strategy follows a plan, and was given none");
    if (policy->plan->count != sim->workload->count)
        return err_set(err, "the plan is for %u applications, there are %u", policy->plan->count,
                       sim->workload->count);
    for (uint32_t id = 0; id < policy->plan->count; id++)
        if (policy->plan->apps[id].count == 0)
            return err_set(err, "the plan has no instance of application %u", id);
    return 0;
}

static int prepare(struct sim *sim, const struct policy *policy, const struct sim_options *options,
                   struct err *err)
{
    const struct workload *workload = sim->workload;
    bool window = workload->window.kind == WINDOW_FIXED;
    if (check_plan(sim, policy, err))
        return -1;
    struct weir_setup setup = {.bandwidth = workload->platform.bandwidth,
                               .horizon = window ? workload->window.end : INFINITY,
                               .phase_interval = workload->phase_interval,
                               .capacity = workload->count};
    sim->control = control_new(policy, &setup, err);
    if (!sim->control)
        return -1;
    sim->outcome = outcome_new(workload->count);
    sim->current = mem_alloc(workload->count, sizeof(*sim->current));
    if (options->check)
        sim->check = check_new(policy, workload->count);
    if (options->timeline)
        sim->recorder = recorder_new(options->timeline, workload->count);
    if (!sim->outcome || !sim->current || (options->check && !sim->check) ||
        (options->timeline && !sim->recorder) || agenda_init(&sim->dates, workload->count))
        return err_memory(err);
    sim->running = workload->count;
    for (uint32_t id = 0; id < workload->count; id++) {
        sim->current[id] = UINT32_MAX;
        sim->outcome->apps[id].completion = NAN;
        agenda_set(&sim->dates, id, maths_max(0, workload->apps[id].facts.release));
    }
    return 0;
}

static int run(struct sim *sim, const struct sim_options *options, struct err *err)
{
    struct window window = sim->workload->window;
    if (window.kind != WINDOW_FIXED)
        window = (struct window){.start = agenda_date(&sim->dates), .end = INFINITY};
    if (run_until(sim, window.start, options, err))
        return -1;
    measure_start(sim);
    if (run_until(sim, window.end, options, err))
        return -1;
    measure_end(sim);
    if (sim->recorder && recorder_failed(sim->recorder))
        return err_memory(err);
    return 0;
}

struct outcome *sim_run(const struct workload *workload, const struct policy *policy,
                        const struct sim_options *options, struct err *err)
{
    static const struct sim_options defaults;
    struct sim sim = {.workload = workload};
    if (!options)
        options = &defaults;
    int failed = prepare(&sim, policy, options, err) || run(&sim, options, err);
    control_free(sim.control);
    agenda_fini(&sim.dates);
    free(sim.current);
    check_free(sim.check);
    recorder_free(sim.recorder);
    if (failed) {
        outcome_free(sim.outcome);
        return NULL;
    }
    return sim.outcome;
}
