#include "sim/sim.h"
#include "base/maths.h"
#include "sim/state.h"

/* Posts in a given order are so far apart, relative and in seconds, that no strategy takes them for
 * one time. */
#define APART 2e-12

/* For what happens at every instant, wherever it is called: gcc would not, and a simulation does
 * little else. */
#define SIM_HOT __attribute__((always_inline)) inline

/* How often the caller hears of the progress, and is asked whether to stop, in events. */
#define PROGRESS_EVERY 65536
#define STOP_EVERY     1024
#define MOST_TIMERS    100000
#define NO_TIME        1e-9

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

/* Now it knows. */
static __attribute__((noinline)) void sim_tell(struct sim *sim, uint32_t id)
{
    uint32_t here = sim->stores ? sim->stores->here : 0;
    agenda_set(&sim->late, id, INFINITY);
    if (sim->stores) /* where its I/O was */
        stores_go(sim, app_channel(&sim->workload->apps[id], sim->runs[id].finished));
    control_complete_late(sim->control, sim->now, id, sim->lost[id]);
    if (sim->check)
        check_forget(sim->check, id);
    if (!sim->stores)
        return;
    stores_complete(sim, id, sim->lost[id]);
    stores_go(sim, here);
}

static inline void sim_notice(struct sim *sim, uint32_t id)
{
    if (sim_lingers(sim, id))
        sim_tell(sim, id);
}

/* The application goes on, but the controller will learn of the end of its I/O later. */
static void linger(struct sim *sim, uint32_t id)
{
    const struct weir_view *view = control_view(sim->control, sim->now);
    double latency = sim->options->release_latency;
    sim->lost[id] = sim->stores ? stores_lost(sim, id) : weir_lost(view, &view->runs[id]);
    agenda_set(&sim->late, id, sim->now + latency);
    control_linger(sim->control, sim->now, id, latency);
}

static void sim_finish(struct sim *sim, uint32_t id)
{
    sim_notice(sim, id);
    if (sim->stores)
        stores_leave(sim, id);
    else
        control_leave(sim->control, sim->now, id);
    if (sim->watcher.leave)
        sim->watcher.leave(sim->watcher.context, sim->now, id);
    sim->running--;
    if (sim->options->ended)
        sim->options->ended(sim->options->context, id);
}

/* Makes it what the controller is told. */
static __attribute__((noinline)) void sim_tell_io(struct sim *sim, uint32_t id,
                                                  struct control_io *io)
{
    uint32_t k = sim_current(sim, id);
    if (sim->stores) {
        sim_notice(sim, id);
        stores_post(sim, id, k);
    }
    if (sim->flows)
        flows_post(sim->flows, id, k, io);
    else if (sim->actual)
        actual_post(sim->actual, id, k, io);
}

static SIM_HOT void post(struct sim *sim, uint32_t id, struct iteration iteration, double posted)
{
    struct control_io io = {iteration.volume, iteration.work, posted, false};
    if (sim->detours)
        sim_tell_io(sim, id, &io);
    struct sim_order *order = sim->options->posted;
    if (order)
        order->ids[order->count++] = id;
    sim_notice(sim, id);
    control_post(sim->control, sim->now, id, io);
    if (sim->wanting)
        wanting_post(sim->wanting, sim->now, id);
    if (sim->watcher.coarse)
        sim->watcher.enter(sim->watcher.context, sim->now,
                           (struct segment){.app = id, .kind = SEGMENT_IO});
    sim->outcome->events++;
}

/* Posts the I/O of its current iteration, when it is its turn; then those that wait for it, which
 * still count as later. */
static __attribute__((noinline)) void post_in_turn(struct sim *sim, uint32_t id)
{
    const struct sim_order *order = sim->options->order;
    sim->early[id] = true;
    while (sim->turn < order->count && sim->early[order->ids[sim->turn]]) {
        id = order->ids[sim->turn++];
        sim->early[id] = false;
        /* Ties would be broken by number, not by the order asked for. */
        sim->posted = maths_max(sim->now, sim->posted + APART * maths_max(1, sim->posted));
        post(sim, id, app_iteration(&sim->workload->apps[id], sim_current(sim, id)), sim->posted);
    }
}

/* An I/O is ready to be posted: at once, or in the order asked for. */
static SIM_HOT void request(struct sim *sim, uint32_t id, struct iteration iteration, double posted)
{
    if (sim->early)
        post_in_turn(sim, id);
    else
        post(sim, id, iteration, posted);
}

/* Starts to work. */
static inline void sim_work(struct sim *sim, uint32_t id, double work)
{
    agenda_set(&sim->times, id, sim->now + work);
    if (sim->watcher.enter)
        sim->watcher.enter(sim->watcher.context, sim->now,
                           (struct segment){.app = id, .kind = SEGMENT_WORK});
}

/* Ends an iteration without I/O. */
static void sim_iterate(struct sim *sim, uint32_t id, double work)
{
    if (sim->stores)
        stores_iterate(sim, id, work);
    else
        control_iterate(sim->control, id, work);
}

/* Goes on, after all phases that take no time, to the next one that does. */
static __attribute__((noinline)) void sim_skip(struct sim *sim, uint32_t id)
{
    const struct app *app = &sim->workload->apps[id];
    uint32_t k;
    while ((k = sim_current(sim, id)) < app->facts.iterations) {
        struct iteration it = app_iteration(app, k);
        if (it.work > 0) {
            sim_work(sim, id, it.work);
            return;
        }
        if (it.volume > 0) {
            double waiting = k == 0 ? workload_rare(sim->workload, id).waiting : 0;
            request(sim, id, it, waiting > 0 ? -waiting : sim->now);
            return;
        }
        sim_notice(sim, id); /* an iteration of nothing still ends the one before it */
        sim_iterate(sim, id, 0);
    }
    sim_finish(sim, id);
}

/* Goes on to the next phase that takes time: mostly the work of the next iteration. */
static void sim_proceed(struct sim *sim, uint32_t id)
{
    const struct app *app = &sim->workload->apps[id];
    uint32_t k = sim_current(sim, id);
    double work = k < app->facts.iterations ? app_iteration(app, k).work : 0;
    if (work > 0)
        sim_work(sim, id, work);
    else
        sim_skip(sim, id);
}

static void release(struct sim *sim, uint32_t id)
{
    const struct app *app = &sim->workload->apps[id];
    /* Only one that was running before time 0 has lost anything yet. */
    double lost = maths_max(0, sim->now - app->facts.release - app->facts.progress);
    if (sim->stores)
        stores_join(sim, id, lost);
    else
        control_join(sim->control, sim->now, id, &app->facts, lost);
    sim->outcome->events++;
    sim_proceed(sim, id);
}

static void end_work(struct sim *sim, uint32_t id)
{
    struct iteration it = app_iteration(&sim->workload->apps[id], sim_current(sim, id));
    if (it.volume > 0) {
        request(sim, id, it, sim->now);
        return;
    }
    sim_notice(sim, id);
    sim_iterate(sim, id, it.work);
    sim_proceed(sim, id);
}

/* Whether the end that the controller predicts is none of an I/O: that of one which is over lies in
 * the past, or there is more than it knows. If it is one, the controller learns the volume. */
static __attribute__((noinline)) bool sim_mistakes(struct sim *sim, uint32_t id)
{
    if (sim_lingers(sim, id)) { /* it would have moved all that it could meanwhile */
        sim_notice(sim, id);
        return true;
    }
    if (sim->flows) {
        flows_correct(sim->flows, sim->control, id);
        return true;
    }
    if (!sim->actual)
        return false;
    if (actual_exceeds(sim->actual, sim->control, id))
        return true;
    actual_end(sim->actual, sim->control, id);
    return false;
}

/* The same where more happens at the end of an I/O. */
static __attribute__((noinline)) void sim_end_io(struct sim *sim, uint32_t id)
{
    if (sim->lost) {
        linger(sim, id);
        return;
    }
    control_complete(sim->control, sim->now, id);
    if (sim->stores)
        stores_complete(sim, id, sim->runs[id].lost);
}

/* The I/O is over. */
static SIM_HOT void sim_finish_io(struct sim *sim, uint32_t id)
{
    if (sim->wanting)
        wanting_complete(sim->wanting, sim->now, id);
    if (sim->detours)
        sim_end_io(sim, id);
    else
        control_complete(sim->control, sim->now, id);
    sim->outcome->events++;
    sim_proceed(sim, id);
}

/* The controller takes the I/O to be over. */
static SIM_HOT int sim_complete(struct sim *sim, uint32_t id, struct err *err)
{
    if (sim->detours && sim_mistakes(sim, id))
        return 0;
    if (sim->check && check_complete(sim->check, sim->control, id, err))
        return sim_blame(sim, id, err);
    sim_finish_io(sim, id);
    return 0;
}

/* An application that goes on may post its next I/O elsewhere. */
static void sim_return(struct sim *sim, uint32_t channel)
{
    if (sim->stores)
        stores_go(sim, channel);
}

/* The store has moved on: I/Os are over that the controller takes to be longer. */
static void sim_move(struct sim *sim)
{
    uint32_t id, here = sim->stores ? sim->stores->here : 0;
    flows_elapse(sim->flows, sim->control, sim->now);
    while ((id = flows_over(sim->flows)) != CONTROL_NONE) {
        flows_end(sim->flows, sim->control, id);
        if (sim->check) /* it knows only what moves at the granted rates */
            check_forget(sim->check, id);
        sim_finish_io(sim, id);
        sim_return(sim, here);
    }
}

/* --- one instant --------------------------------------------------------------------------- */

/* Whether the first release or end of work falls on this instant. */
static bool sim_is_ready(const struct sim *sim)
{
    double time = agenda_time(&sim->times);
    /* Nearly always one of the two: the length of the phase is looked up only in between. */
    if (time <= sim->now || time > sim->now * (1 + SIM_INSTANT))
        return time <= sim->now;
    uint32_t id = agenda_first(&sim->times);
    const struct app *app = &sim->workload->apps[id];
    return sim_is_now(sim->now, time,
                      sim_released(sim, id) ? app_iteration(app, sim_current(sim, id)).work
                                            : app_ideal(app));
}

/* Whether nothing will happen unless the store changes. */
static bool sim_is_idle(const struct sim *sim)
{
    return control_next(sim->control) == INFINITY && agenda_time(&sim->times) == INFINITY;
}

/* The store gets better or worse. */
static void sim_vary(struct sim *sim)
{
    if (sim->varies)
        sim->quiet = sim_is_idle(sim) ? sim->quiet + 1 : 0;
    while (sim->varies && health_time(&sim->health) <= sim->now * (1 + SIM_INSTANT)) {
        health_step(&sim->health);
        control_set_bandwidth(sim->control, sim->now, sim->bandwidth * sim->health.factor);
        sim->outcome->events++;
        if (sim->stores)
            sim->stores->list[sim->stores->here].changed = true;
    }
}

/* What the controller does not predict: the bandwidth changes, it learns of ends late, or I/Os end
 * that it takes to be longer. */
static int sim_surprise(struct sim *sim, struct err *err)
{
    uint32_t id, here = sim->stores ? sim->stores->here : 0;
    sim_vary(sim);
    while (sim->lost &&
           sim_is_now(sim->now, agenda_time(&sim->late), sim->options->release_latency))
        sim_notice(sim, agenda_first(&sim->late));
    if (sim->flows)
        sim_move(sim);
    if (!sim->actual)
        return 0;
    actual_elapse(sim->actual, sim->control, sim->now);
    while ((id = actual_over(sim->actual, sim->control)) != CONTROL_NONE) {
        if (sim_complete(sim, id, err))
            return -1;
        sim_return(sim, here);
    }
    return 0;
}

/* The ends of I/Os on one of several stores. */
static int sim_take_ends(struct sim *sim, uint32_t channel, struct err *err)
{
    uint32_t id;
    stores_go(sim, channel);
    if (control_woken(sim->control, sim->now)) {
        sim->stores->list[channel].changed = true;
        sim->outcome->events += channel > 0; /* that of the first counts anyway */
        sim->woken += channel > 0;
    }
    if (sim->flows) /* calls may end */
        sim->stores->list[channel].changed = true;
    if (sim_surprise(sim, err))
        return -1;
    while ((id = control_due(sim->control, sim->now)) != CONTROL_NONE) {
        sim->stores->list[channel].changed = true;
        if (sim_complete(sim, id, err))
            return -1;
        stores_go(sim, channel);
    }
    return 0;
}

static __attribute__((noinline)) int sim_take_detours(struct sim *sim, struct err *err)
{
    if (!sim->stores)
        return sim_surprise(sim, err);
    for (uint32_t s = 1; s < sim->stores->count; s++) {
        const struct sim_store *store = &sim->stores->list[s].parts;
        if (store->check) /* the first store's is done */
            check_elapse(store->check, store->control, sim->now);
    }
    for (uint32_t s = 0; s < sim->stores->count; s++)
        if (sim_take_ends(sim, s, err))
            return -1;
    stores_go(sim, 0);
    return 0;
}

/* All changes of an instant come before its one decision. Completions go first: an application may
 * post its next I/O in the instant in which the last one is complete. */
static int sim_apply_changes(struct sim *sim, struct err *err)
{
    uint32_t id;
    if (control_woken(sim->control, sim->now)) {
        sim->outcome->events++;
        sim->woken++;
    }
    if (sim->detours && sim_take_detours(sim, err))
        return -1;
    while ((id = control_due(sim->control, sim->now)) != CONTROL_NONE)
        if (sim_complete(sim, id, err))
            return -1;
    while (sim_is_ready(sim)) {
        id = agenda_pop(&sim->times);
        if (sim_released(sim, id))
            end_work(sim, id);
        else
            release(sim, id);
    }
    return 0;
}

static void sim_tell_rates(struct sim *sim)
{
    const struct weir_view *view = control_view(sim->control, sim->now);
    for (uint32_t i = 0; i < view->active_count; i++) {
        double rate = sim->flows ? flows_speed(sim->flows, view->active[i])
                                 : control_rate(sim->control, view->active[i]);
        if (sim_lingers(sim, view->active[i]))
            continue;
        sim->watcher.enter(sim->watcher.context, sim->now,
                           (struct segment){.app = view->active[i],
                                            .kind = rate > 0 ? SEGMENT_IO : SEGMENT_WAIT,
                                            .rate = rate});
    }
}

/* When something happens on a store that its controller does not predict. */
static double sim_next_surprise(const struct sim *sim, const struct sim_store *store)
{
    /* Where nothing moves in a whole period of changes, nothing does later. */
    bool stalled = store->varies && store->quiet > store->health.health->count &&
                   control_next(store->control) == INFINITY &&
                   agenda_time(&sim->times) == INFINITY;
    double change = store->varies && !stalled ? health_time(&store->health) : INFINITY;
    double over = store->flows    ? flows_next(store->flows)
                  : store->actual ? actual_next(store->actual, store->control)
                                  : INFINITY;
    return maths_min(change, over);
}

static __attribute__((noinline)) double sim_next_detour(const struct sim *sim)
{
    double late = sim->lost ? agenda_time(&sim->late) : INFINITY;
    struct sim_store here;
    state_take(sim, &here);
    double next = maths_min(late, sim_next_surprise(sim, &here));
    for (uint32_t s = 0; sim->stores && s < sim->stores->count; s++) {
        const struct sim_store *store = &sim->stores->list[s].parts;
        if (s == sim->stores->here)
            continue;
        next = maths_min(next, maths_min(control_next(store->control),
                                         sim_next_surprise(sim, store)));
    }
    return next;
}

inline double sim_next(const struct sim *sim)
{
    double next = maths_min(agenda_time(&sim->times), control_next(sim->control));
    return sim->detours ? maths_min(next, sim_next_detour(sim)) : next;
}

inline int sim_advance(struct sim *sim, double now, struct err *err)
{
    sim->now = now;
    if (sim->check)
        check_elapse(sim->check, sim->control, now);
    return sim_apply_changes(sim, err);
}

void sim_start(struct sim *sim, uint32_t id)
{
    sim->running++;
    if (sim->untouched)
        untouched_start(sim->untouched, id);
    release(sim, id);
}

/* A foreign strategy has changed nothing that it was shown; 0 or -1. */
static int sim_check_untouched(struct sim *sim, bool everything, struct err *err)
{
    uint32_t count = sim->stores ? sim->stores->count : 1;
    for (uint32_t s = 0; s < count; s++) {
        sim_return(sim, s);
        const struct weir_view *view = control_view(sim->control, sim->now);
        if (sim->untouched && untouched_check(sim->untouched, view, everything, err) != 0)
            return -1;
    }
    return 0;
}

int sim_end(struct sim *sim, struct err *err)
{
    return sim_check_untouched(sim, false, err);
}

/* A timer that is set to right after now, again and again, would keep the run from ever ending. No
 * use needs so many timers in so small a part of a phase. */
static int sim_check_timers(struct sim *sim, struct err *err)
{
    double from = sim->woken_from;
    if (sim->woken < MOST_TIMERS)
        return 0;
    sim->woken = 0;
    sim->woken_from = sim->now;
    if (sim->now - from > NO_TIME * (sim->now + sim->workload->phase_interval))
        return 0;
    return err_set(err, "at %.9g s: %d timers in %.2g s: the strategy asks too soon for the next",
                   sim->now, MOST_TIMERS, sim->now - from);
}

/* Verifies and tells what was decided, as far as that is asked for. Not inlined: it mostly is
 * not, and the loop over all instants stays small. */
static __attribute__((noinline)) int sim_watch(struct sim *sim, struct err *err)
{
    uint32_t id;
    if (sim->untouched && sim_check_timers(sim, err))
        return -1;
    if (sim->check && check_rules(sim->control, sim->policy, sim->now, &id, err))
        return sim_blame(sim, id, err);
    if (sim->rates_told)
        sim_tell_rates(sim);
    return sim->recorder && recorder_failed(sim->recorder) ? err_memory(err) : 0;
}

/* The decisions of the stores on which something has changed. */
static __attribute__((noinline)) int sim_decide_all(struct sim *sim, struct err *err)
{
    int status = 0;
    for (uint32_t s = 0; s < sim->stores->count && status == 0; s++) {
        struct sim_channel *channel = &sim->stores->list[s];
        if (!channel->changed)
            continue;
        channel->changed = false;
        stores_go(sim, s);
        stores_divide(sim);
        control_decide(sim->control, sim->now);
        if (sim->flows && flows_decide(sim->flows, sim->control, err) != 0)
            status = -1;
        else if (sim->check || sim->rates_told)
            status = sim_watch(sim, err);
    }
    stores_go(sim, 0);
    return status;
}

inline int sim_decide(struct sim *sim, struct err *err)
{
    if (sim->detours && sim->stores)
        return sim_decide_all(sim, err);
    control_decide(sim->control, sim->now);
    if (sim->detours && sim->flows && flows_decide(sim->flows, sim->control, err) != 0)
        return -1;
    return sim->check || sim->rates_told ? sim_watch(sim, err) : 0;
}

int sim_stuck(const struct sim *sim, struct err *err)
{
    return err_set(err, "stalled at %.9g s: %u application%s never granted bandwidth", sim->now,
                   sim->running, sim->running == 1 ? " is" : "s are");
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

/* Reports to the caller, who may stop the run; `*next` becomes the number of events of the next
 * report. 0, or -1 when it is stopped. */
static __attribute__((noinline)) int sim_report(const struct sim *sim, uint64_t *next,
                                                struct err *err)
{
    const struct sim_options *options = sim->options;
    if (options->progress)
        options->progress(options->context, done(sim));
    *next = sim->outcome->events + (options->stop ? STOP_EVERY : PROGRESS_EVERY);
    return options->stop && options->stop(options->context)
               ? err_set(err, "stopped at %.9g s", sim->now)
               : 0;
}

/* Runs all instants up to `end`; stops there, or earlier when all have finished. */
static int run_until(struct sim *sim, double end, struct err *err)
{
    const struct sim_options *options = sim->options;
    uint64_t report = options->progress || options->stop ? 0 : UINT64_MAX;
    while (sim->running > 0) {
        double next = sim_next(sim);
        /* What comes right after the end may still fall on it, but is not asked twice. */
        if (next > end && (sim->now == end || next > end * (1 + SIM_INSTANT)))
            break;
        if (next == INFINITY)
            return sim_stuck(sim, err);
        /* A prediction may be rounded to before now: time never goes back. */
        if (sim_advance(sim, maths_min(maths_max(next, sim->now), end), err) ||
            sim_decide(sim, err))
            return -1;
        if (sim->outcome->events >= report && sim_report(sim, &report, err))
            return -1;
    }
    /* What is measured covers the whole window, also if all have finished before its end. */
    if (end < INFINITY)
        sim->now = end;
    return 0;
}

static int sim_run_whole(struct sim *sim, struct err *err)
{
    struct window window = sim->workload->window;
    sim->running = sim->workload->count;
    for (uint32_t id = 0; id < sim->workload->count; id++)
        agenda_set(&sim->times, id, maths_max(0, sim->workload->apps[id].facts.release));
    if (window.kind != WINDOW_FIXED)
        window = (struct window){.start = agenda_time(&sim->times), .end = INFINITY};
    if (run_until(sim, window.start, err))
        return -1;
    spans_begin(sim);
    if (run_until(sim, window.end, err))
        return -1;
    spans_end(sim);
    if (sim_check_untouched(sim, true, err) != 0)
        return -1;
    if (sim->recorder && recorder_failed(sim->recorder))
        return err_memory(err);
    return 0;
}

struct outcome *sim_run(const struct workload *workload, const struct policy *policy,
                        const struct sim_options *options, struct err *err)
{
    struct sim *sim = sim_new(workload, policy, options, err);
    struct outcome *outcome = NULL;
    if (sim && sim_run_whole(sim, err) == 0) {
        outcome = sim->outcome;
        sim->outcome = NULL;
    }
    sim_free(sim);
    return outcome;
}
