#include "sim/sim.h"
#include "base/agenda.h"
#include "base/maths.h"
#include "base/mem.h"
#include "control/check.h"
#include "control/control.h"
#include "sim/recorder.h"
#include "sim/wanting.h"
#include <stdlib.h>

/* Posts in a given order are so far apart, relative and in seconds, that no strategy takes them for
 * one time. */
#define APART 2e-12

/* How often the caller hears of the progress, in events. */
#define PROGRESS_EVERY 65536

struct sim {
    const struct workload *workload;
    const struct sim_options *options;
    const struct policy *policy;
    struct control *control;
    struct agenda dates; /* per application: its release, or the end of its work */
    const struct weir_run *runs;
    struct agenda late; /* per application: when the end of its I/O will be noticed */
    double *lost;       /* ... and what it had lost then; both only with a release latency */
    bool *early;        /* per application: waits for its turn; only with an order */
    size_t turn;        /* the next of the order, */
    double posted;      /* and when the one before it was posted */
    struct outcome *outcome;
    struct check *check;       /* or NULL */
    struct recorder *recorder; /* or NULL */
    struct wanting *wanting;   /* or NULL: it is not known whose the applications are */
    uint32_t running;          /* applications that have not finished */
    double now;
};

/* Adds when a rule was broken, and for which application, or CONTROL_NONE; -1. */
static int sim_blame(const struct sim *sim, uint32_t id, struct err *err)
{
    char label[128];
    if (id != CONTROL_NONE)
        err_prepend(err, "application '%s'",
                    app_label(&sim->workload->apps[id], label, sizeof label));
    return err_prepend(err, "at %.9g s", sim->now);
}

/* --- one application ----------------------------------------------------------------------- */

static bool released(const struct sim *sim, uint32_t id)
{
    return sim->runs[id].app != NULL;
}

/* Whether its I/O is complete and the controller does not know. */
static bool lingers(const struct sim *sim, uint32_t id)
{
    return sim->lost && agenda_get(&sim->late, id) != INFINITY;
}

/* Its iteration, 0.. */
static uint32_t current(const struct sim *sim, uint32_t id)
{
    return sim->runs[id].finished + lingers(sim, id);
}

/* Now it knows. */
static void sim_notice(struct sim *sim, uint32_t id)
{
    if (!lingers(sim, id))
        return;
    agenda_set(&sim->late, id, INFINITY);
    control_complete_late(sim->control, sim->now, id, sim->lost[id]);
    if (sim->check)
        check_forget(sim->check, id);
}

/* The application goes on, but the controller will learn of the end of its I/O later. */
static void linger(struct sim *sim, uint32_t id)
{
    const struct weir_view *view = control_view(sim->control, sim->now);
    double latency = sim->options->release_latency;
    sim->lost[id] = weir_lost(view, &view->runs[id]);
    agenda_set(&sim->late, id, sim->now + latency);
    control_linger(sim->control, sim->now, id, latency);
}

static void sim_finish(struct sim *sim, uint32_t id)
{
    sim_notice(sim, id);
    control_leave(sim->control, sim->now, id);
    if (sim->recorder)
        recorder_leave(sim->recorder, sim->now, id);
    sim->running--;
    if (sim->options->ended)
        sim->options->ended(sim->options->context, id);
}

static void post(struct sim *sim, uint32_t id, struct iteration iteration, double posted)
{
    struct control_io io = {iteration.volume, iteration.work, posted};
    struct sim_order *order = sim->options->posted;
    if (order)
        order->ids[order->count++] = id;
    sim_notice(sim, id);
    control_post(sim->control, sim->now, id, io);
    if (sim->wanting)
        wanting_post(sim->wanting, sim->now, id);
    sim->outcome->events++;
}

/* Posts the I/O of its current iteration, when it is its turn; then those that wait for it, which
 * still count as later. */
static void post_in_turn(struct sim *sim, uint32_t id)
{
    const struct sim_order *order = sim->options->order;
    sim->early[id] = true;
    while (sim->turn < order->count && sim->early[order->ids[sim->turn]]) {
        id = order->ids[sim->turn++];
        sim->early[id] = false;
        /* Ties would be broken by number, not by the order asked for. */
        sim->posted = maths_max(sim->now, sim->posted + APART * maths_max(1, sim->posted));
        post(sim, id, app_iteration(&sim->workload->apps[id], current(sim, id)), sim->posted);
    }
}

/* An I/O is ready to be posted: at once, or in the order asked for. */
static void request(struct sim *sim, uint32_t id, struct iteration iteration, double posted)
{
    if (sim->early)
        post_in_turn(sim, id);
    else
        post(sim, id, iteration, posted);
}

/* Goes on to the next phase that takes time. */
static void sim_proceed(struct sim *sim, uint32_t id)
{
    const struct app *app = &sim->workload->apps[id];
    uint32_t k;
    while ((k = current(sim, id)) < app->facts.iterations) {
        struct iteration it = app_iteration(app, k);
        if (it.work > 0) {
            agenda_set(&sim->dates, id, sim->now + it.work);
            if (sim->recorder)
                recorder_enter(sim->recorder, sim->now,
                               (struct segment){.app = id, .kind = SEGMENT_WORK});
            return;
        }
        if (it.volume > 0) {
            bool waited = k == 0 && app->waiting > 0;
            request(sim, id, it, waited ? -app->waiting : sim->now);
            return;
        }
        sim_notice(sim, id); /* an iteration of nothing still ends the one before it */
        control_iterate(sim->control, id, 0);
    }
    sim_finish(sim, id);
}

static void release(struct sim *sim, uint32_t id)
{
    const struct app *app = &sim->workload->apps[id];
    /* Only one that was running before time 0 has lost anything yet. */
    double lost = maths_max(0, sim->now - app->facts.release - app->facts.progress);
    control_join(sim->control, sim->now, id, &app->facts, lost);
    sim->outcome->events++;
    sim_proceed(sim, id);
}

static void end_work(struct sim *sim, uint32_t id)
{
    struct iteration it = app_iteration(&sim->workload->apps[id], current(sim, id));
    if (it.volume > 0) {
        request(sim, id, it, sim->now);
        return;
    }
    sim_notice(sim, id);
    control_iterate(sim->control, id, it.work);
    sim_proceed(sim, id);
}

static int sim_complete(struct sim *sim, uint32_t id, struct err *err)
{
    if (lingers(sim, id)) { /* it would have moved all that it could meanwhile */
        sim_notice(sim, id);
        return 0;
    }
    if (sim->check && check_complete(sim->check, sim->control, id, err))
        return sim_blame(sim, id, err);
    if (sim->wanting)
        wanting_complete(sim->wanting, sim->now, id);
    if (sim->lost)
        linger(sim, id);
    else
        control_complete(sim->control, sim->now, id);
    sim->outcome->events++;
    sim_proceed(sim, id);
    return 0;
}

/* --- one instant --------------------------------------------------------------------------- */

/* Whether the first release or end of work falls on this instant. */
static bool sim_is_ready(const struct sim *sim)
{
    double date = agenda_date(&sim->dates);
    if (date <= sim->now || date > sim->now * (1 + SIM_INSTANT))
        return date <= sim->now;
    uint32_t id = agenda_first(&sim->dates);
    const struct app *app = &sim->workload->apps[id];
    return sim_is_now(sim->now, date,
                      released(sim, id) ? app_iteration(app, current(sim, id)).work
                                        : app_ideal(app));
}

/* All changes of an instant come before its one decision. Completions go first: an application may
 * post its next I/O in the instant in which the last one is complete. */
static int sim_apply_changes(struct sim *sim, struct err *err)
{
    uint32_t id;
    if (control_woken(sim->control, sim->now))
        sim->outcome->events++;
    while (sim->lost &&
           sim_is_now(sim->now, agenda_date(&sim->late), sim->options->release_latency))
        sim_notice(sim, agenda_first(&sim->late));
    while ((id = control_due(sim->control, sim->now)) != CONTROL_NONE)
        if (sim_complete(sim, id, err))
            return -1;
    while (sim_is_ready(sim)) {
        id = agenda_first(&sim->dates);
        agenda_clear(&sim->dates, id);
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
        if (lingers(sim, view->active[i]))
            continue;
        recorder_enter(sim->recorder, sim->now,
                       (struct segment){.app = view->active[i],
                                        .kind = rate > 0 ? SEGMENT_IO : SEGMENT_WAIT,
                                        .rate = rate});
    }
}

double sim_next(const struct sim *sim)
{
    double next = maths_min(agenda_date(&sim->dates), control_next(sim->control));
    return sim->lost ? maths_min(next, agenda_date(&sim->late)) : next;
}

int sim_advance(struct sim *sim, double now, struct err *err)
{
    sim->now = now;
    if (sim->check)
        check_elapse(sim->check, sim->control, now);
    return sim_apply_changes(sim, err);
}

void sim_start(struct sim *sim, uint32_t id)
{
    sim->running++;
    release(sim, id);
}

int sim_decide(struct sim *sim, struct err *err)
{
    control_decide(sim->control, sim->now);
    uint32_t id;
    if (sim->check && check_rules(sim->control, sim->policy, sim->now, &id, err))
        return sim_blame(sim, id, err);
    if (sim->recorder)
        record_rates(sim);
    return sim->recorder && recorder_failed(sim->recorder) ? err_memory(err) : 0;
}

int sim_stuck(const struct sim *sim, struct err *err)
{
    return err_set(err, "stalled at %.9g s: %u application%s never granted bandwidth", sim->now,
                   sim->running, sim->running == 1 ? " is" : "s are");
}

/* --- measuring ------------------------------------------------------------------------------ */

/* Seconds of work an application has done since time 0. */
static double work_done(const struct sim *sim, const struct weir_run *run, uint32_t id)
{
    bool late = lingers(sim, id);
    double done = run->done_work + (run->state >= WEIR_ACTIVE ? run->work : 0);
    if ((run->state != WEIR_WORKING && !late) || agenda_get(&sim->dates, id) == INFINITY)
        return done;
    struct iteration it = app_iteration(&sim->workload->apps[id], current(sim, id));
    return done + it.work - (agenda_get(&sim->dates, id) - sim->now);
}

static double lost(const struct sim *sim, const struct weir_view *view, uint32_t id)
{
    return lingers(sim, id) ? sim->lost[id] : weir_lost(view, &view->runs[id]);
}

/* What it had lost and worked at the start stands in its span until the end. */
static void measure_start(struct sim *sim)
{
    const struct weir_view *view = control_view(sim->control, sim->now);
    for (uint32_t id = 0; id < sim->workload->count; id++) {
        struct app_span start = {lost(sim, view, id), work_done(sim, &sim->runs[id], id)};
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
static void measure_end(struct sim *sim)
{
    const struct weir_view *view = control_view(sim->control, sim->now);
    for (uint32_t id = 0; id < sim->workload->count; id++) {
        struct app_span *span = &sim->outcome->spans[id];
        span->lost = lost(sim, view, id) - span->lost;
        span->work = work_done(sim, &sim->runs[id], id) - span->work;
        if (sim->recorder)
            recorder_leave(sim->recorder, sim->now, id);
    }
    agenda_fini(&sim->dates);
    control_stop(sim->control);
    for (uint32_t id = 0; id < sim->workload->count; id++) {
        const struct weir_run *run = &sim->runs[id];
        bool finished = released(sim, id) && run->state == WEIR_ABSENT;
        sim->outcome->apps[id] = (struct app_outcome){.completion = finished ? run->since : NAN,
                                                      .lost = lost(sim, view, id),
                                                      .done_work = run->done_work,
                                                      .done_ideal = run->done_ideal};
    }
    sim->outcome->end = sim->now;
    if (sim->wanting)
        wanting_end(sim->wanting, sim->now, sim->outcome);
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

/* Runs all instants up to `end`; stops there, or earlier when all have finished. */
static int run_until(struct sim *sim, double end, struct err *err)
{
    const struct sim_options *options = sim->options;
    uint64_t report = 0;
    while (sim->running > 0) {
        double next = sim_next(sim);
        /* What comes right after the end may still fall on it, but is not asked twice. */
        if (next > end && (sim->now == end || next > end * (1 + SIM_INSTANT)))
            break;
        if (next == INFINITY)
            return sim_stuck(sim, err);
        if (sim_advance(sim, maths_min(maths_max(next, sim->now), end), err) ||
            sim_decide(sim, err))
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
static int check_plan(const struct sim *sim, struct err *err)
{
    const struct plan *plan = sim->options->plan;
    if (!(sim->policy->ops->flags & WEIR_NEEDS_PLAN))
        return 0;
    if (!plan)
        return err_set(err, "the strategy follows a plan, and was given none");
    if (plan->count != sim->workload->count)
        return err_set(err, "the plan is for %u applications, there are %u", plan->count,
                       sim->workload->count);
    for (uint32_t id = 0; id < plan->count; id++)
        if (plan->apps[id].count == 0)
            return err_set(err, "the plan has no instance of application %u", id);
    return 0;
}

static int prepare_orders(struct sim *sim, struct err *err)
{
    const struct workload *workload = sim->workload;
    struct sim_order *posted = sim->options->posted;
    size_t most = 0;
    for (uint32_t id = 0; posted && id < workload->count; id++)
        most += workload->apps[id].facts.iterations;
    if (posted)
        *posted = (struct sim_order){.ids = mem_alloc(most, sizeof *posted->ids)};
    if (sim->options->order)
        sim->early = mem_alloc(workload->count, sizeof *sim->early);
    bool complete = (!posted || posted->ids) && (!sim->options->order || sim->early);
    return complete ? 0 : err_memory(err);
}

/* With shares, the controller knows whose the applications are. */
static int sim_place(struct sim *sim, struct err *err)
{
    const struct workload *workload = sim->workload;
    if (!workload->shares)
        return 0;
    if (control_share(sim->control, workload->shares, err) != 0)
        return -1;
    for (uint32_t id = 0; id < workload->count; id++) {
        const struct parties *parties = workload->parties;
        struct control_party party = {
            .account =
                party_name(&parties[PARTY_ACCOUNT], workload_party(workload, PARTY_ACCOUNT, id)),
            .user = party_name(&parties[PARTY_USER], workload_party(workload, PARTY_USER, id)),
            .nodes = workload->apps[id].facts.nodes};
        if (control_place(sim->control, id, &party, err) != 0)
            return -1;
    }
    return 0;
}

static int sim_prepare(struct sim *sim, struct err *err)
{
    const struct workload *workload = sim->workload;
    const struct sim_options *options = sim->options;
    bool window = workload->window.kind == WINDOW_FIXED;
    bool check = options->check || sim->policy->foreign;
    if (check_plan(sim, err))
        return -1;
    struct weir_setup setup = {.bandwidth = workload->platform.bandwidth,
                               .horizon = window ? workload->window.end : INFINITY,
                               .phase_interval = workload->phase_interval,
                               .capacity = workload->count,
                               .plan = options->plan};
    sim->control = control_new(sim->policy, &setup, err);
    if (!sim->control || sim_place(sim, err) != 0)
        return -1;
    sim->outcome = outcome_new(workload->count);
    sim->runs = control_view(sim->control, 0)->runs;
    if (check)
        sim->check = check_new(workload->count);
    if (options->timeline)
        sim->recorder = recorder_new(options->timeline, workload->count);
    if (workload->owners && (!(sim->wanting = wanting_new(workload)) || !sim->outcome ||
                             outcome_party(sim->outcome, workload->parties) != 0))
        return err_memory(err);
    if (!sim->outcome || (check && !sim->check) || (options->timeline && !sim->recorder) ||
        agenda_init(&sim->dates, workload->count))
        return err_memory(err);
    if (options->release_latency > 0) {
        sim->lost = mem_alloc(workload->count, sizeof *sim->lost);
        if (!sim->lost || agenda_init(&sim->late, workload->count))
            return err_memory(err);
    }
    return prepare_orders(sim, err);
}

struct sim *sim_new(const struct workload *workload, const struct policy *policy,
                    const struct sim_options *options, struct err *err)
{
    static const struct sim_options defaults;
    struct sim *sim = mem_alloc(1, sizeof *sim);
    if (!sim) {
        err_memory(err);
        return NULL;
    }
    *sim = (struct sim){
        .workload = workload, .policy = policy, .options = options ? options : &defaults};
    if (sim_prepare(sim, err)) {
        sim_free(sim);
        return NULL;
    }
    return sim;
}

void sim_free(struct sim *sim)
{
    if (!sim)
        return;
    control_free(sim->control);
    agenda_fini(&sim->dates);
    agenda_fini(&sim->late);
    free(sim->lost);
    free(sim->early);
    check_free(sim->check);
    recorder_free(sim->recorder);
    wanting_free(sim->wanting);
    outcome_free(sim->outcome);
    free(sim);
}

static int sim_sim_run(struct sim *sim, struct err *err)
{
    struct window window = sim->workload->window;
    sim->running = sim->workload->count;
    for (uint32_t id = 0; id < sim->workload->count; id++)
        agenda_set(&sim->dates, id, maths_max(0, sim->workload->apps[id].facts.release));
    if (window.kind != WINDOW_FIXED)
        window = (struct window){.start = agenda_date(&sim->dates), .end = INFINITY};
    if (run_until(sim, window.start, err))
        return -1;
    measure_start(sim);
    if (run_until(sim, window.end, err))
        return -1;
    measure_end(sim);
    if (sim->recorder && recorder_failed(sim->recorder))
        return err_memory(err);
    return 0;
}

struct outcome *sim_run(const struct workload *workload, const struct policy *policy,
                        const struct sim_options *options, struct err *err)
{
    struct sim *sim = sim_new(workload, policy, options, err);
    struct outcome *outcome = NULL;
    if (sim && sim_sim_run(sim, err) == 0) {
        outcome = sim->outcome;
        sim->outcome = NULL;
    }
    sim_free(sim);
    return outcome;
}
