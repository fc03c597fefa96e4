#include "sim/flows.h"
#include "base/maths.h"
#include "base/mem.h"
#include "control/turns.h"
#include "model/knowledge.h"
#include <stdlib.h>

/* What is less than this part of an amount is nothing, as in the controller. */
#define SLIVER 1e-9

/* At most the grants of this many seconds are made up for, as on a live machine. */
#define KEPT 1.0

enum flow_state { FLOW_NONE, FLOW_SMALL, FLOW_WAITS, FLOW_INSIDE };

/* The I/O of one application. */
struct flows_io {
    enum flow_state state;
    bool later;          /* than the first of its application */
    double volume, told; /* of the I/O, and what the controller expects */
    double moved;        /* bytes of it; of large calls, those that have returned */
    double lag;          /* bytes granted beyond those whose calls have begun; kept below 0 */
    double call, left;   /* bytes of the call in the store, and what is left of it */
    double started;      /* bytes of all its calls that have begun */
    double rate;         /* granted, */
    double most;         /* the most it could move, */
    double speed;        /* and what the store gives it; all bytes/s */
};

struct flows {
    const struct workload *workload, *expected;
    bool blind;
    struct turns *turns;
    double now;
    uint32_t *active; /* those in I/O, in no order */
    uint32_t count;
    struct flows_io list[]; /* by application */
};

static double flows_calls(const struct workload *workload, uint32_t id)
{
    return workload_rare(workload, id).calls;
}

static bool flows_is_large(const struct workload *workload, uint32_t id)
{
    return turns_is_large(flows_calls(workload, id), workload->apps[id].facts.bmax);
}

bool flows_needed(const struct workload *workload)
{
    for (uint32_t id = 0; id < workload->count; id++)
        if (flows_is_large(workload, id))
            return true;
    return false;
}

struct flows *flows_new(const struct workload *workload, const struct workload *expected,
                        bool blind, struct err *err)
{
    struct flows *flows = mem_alloc(1, sizeof *flows + workload->count * sizeof(struct flows_io));
    if (!flows) {
        err_memory(err);
        return NULL;
    }
    flows->workload = workload;
    flows->expected = expected;
    flows->blind = blind;
    flows->active = mem_alloc(workload->count, sizeof *flows->active);
    flows->turns = turns_new(workload->platform.bandwidth, err);
    if (flows->active && flows->turns)
        return flows;
    flows_free(flows);
    err_memory(err);
    return NULL;
}

void flows_free(struct flows *flows)
{
    if (!flows)
        return;
    turns_free(flows->turns);
    free(flows->active);
    free(flows);
}

void flows_post(struct flows *flows, uint32_t id, uint32_t k, struct control_io *io)
{
    const struct app *app = &flows->workload->apps[id];
    struct flows_io *flow = &flows->list[id];
    double lag = maths_min(flow->lag, 0), started = flow->started;
    double told =
        flows->expected ? app_iteration(&flows->expected->apps[id], k).volume : io->volume;
    io->guessed = flows->blind && !flow->later;
    *flow =
        (struct flows_io){.state = flows_is_large(flows->workload, id) ? FLOW_WAITS : FLOW_SMALL,
                          .later = true,
                          .volume = io->volume,
                          .told = told,
                          .lag = lag,
                          .started = started,
                          .most = app->facts.bmax};
    flows->active[flows->count++] = id;
    io->volume = told;
}

/* --- time -------------------------------------------------------------------------------------
 */

static void flow_elapse(struct flows_io *flow, double time)
{
    double bytes = flow->speed * time;
    flow->lag += flow->rate * time;
    if (flow->state == FLOW_INSIDE) {
        flow->left -= bytes;
    } else if (flow->state == FLOW_SMALL) {
        flow->moved += bytes;
        flow->lag -= bytes;
    }
    flow->lag = maths_min(flow->lag, KEPT * flow->rate);
}

/* Whether this much is left of something: what a sliver of it, or of the time, takes is not. */
static bool flow_is_done(const struct flows_io *flow, double left, double whole, double now)
{
    return left <= SLIVER * whole || left <= flow->speed * MATHS_ROUNDING * now;
}

/* A call has returned. */
static void flow_return(struct flows_io *flow, double now)
{
    if (flow->state != FLOW_INSIDE || !flow_is_done(flow, flow->left, flow->call, now))
        return;
    flow->moved += flow->call;
    flow->speed = flow->left = 0;
    flow->state = FLOW_WAITS;
}

/* What is left of the I/O, as far as is known. */
static double flow_left(const struct flows_io *flow)
{
    return maths_max(0, flow->volume - flow->moved);
}

/* There is more than the controller was told. */
static void flows_exceed(struct flows *flows, struct control *control, uint32_t id)
{
    struct flows_io *flow = &flows->list[id];
    flow->told = knowledge_exceeded(maths_max(flow->moved, flow->told));
    control_exceed(control, flows->now, id, flow->told);
}

/* Tells the controller what was moved, and what that means for the time lost. */
static void flows_observe(struct flows *flows, struct control *control, uint32_t id)
{
    const struct flows_io *flow = &flows->list[id];
    /* Beyond the volume the controller would not know how much of it was observed before. */
    if (flow->moved > flow->told)
        flows_exceed(flows, control, id);
    const struct weir_view *view = control_view(control, flows->now);
    const struct weir_run *run = &view->runs[id];
    double behind = run->volume - flow->moved - weir_remaining(view, run);
    double lost = weir_lost(view, run) + behind / run->app->bmax;
    control_observe(control, flows->now, id,
                    (struct control_seen){.moved = flow->moved, .lost = maths_max(0, lost)});
}

void flows_elapse(struct flows *flows, struct control *control, double now)
{
    double time = now - flows->now;
    flows->now = now;
    for (uint32_t i = 0; i < flows->count; i++) {
        uint32_t id = flows->active[i];
        flow_elapse(&flows->list[id], time);
        flow_return(&flows->list[id], now);
        if (time > 0)
            flows_observe(flows, control, id);
    }
}

/* --- ends -------------------------------------------------------------------------------------
 */

uint32_t flows_over(struct flows *flows)
{
    for (uint32_t i = 0; i < flows->count; i++) {
        const struct flows_io *flow = &flows->list[flows->active[i]];
        if (flow->state != FLOW_INSIDE &&
            flow_is_done(flow, flow_left(flow), flow->volume, flows->now))
            return flows->active[i];
    }
    return CONTROL_NONE;
}

void flows_correct(struct flows *flows, struct control *control, uint32_t id)
{
    flows_observe(flows, control, id);
    /* What is left of the volume that it was told is no more than rounding: there must be more. */
    if (control_due(control, flows->now) == id) {
        flows_exceed(flows, control, id);
        flows_observe(flows, control, id);
    }
}

void flows_end(struct flows *flows, struct control *control, uint32_t id)
{
    struct flows_io *flow = &flows->list[id];
    flow->started += flow->state == FLOW_SMALL ? flow->moved : 0;
    flow->state = FLOW_NONE;
    flow->speed = flow->rate = 0;
    turns_rest(flows->turns, id);
    for (uint32_t i = 0; i < flows->count; i++)
        if (flows->active[i] == id)
            flows->active[i] = flows->active[--flows->count];
    control_measure(control, id, flow->volume);
}

/* --- decisions --------------------------------------------------------------------------------
 */

/* What the controller grants; while it grants nothing, what was not used before is lost. */
static void flows_take_grants(struct flows *flows, const struct control *control)
{
    for (uint32_t i = 0; i < flows->count; i++) {
        struct flows_io *flow = &flows->list[flows->active[i]];
        flow->rate = control_rate(control, flows->active[i]);
        if (flow->rate == 0)
            flow->lag = maths_min(flow->lag, 0);
        turns_grant(flows->turns, flows->now, flows->active[i], flow->rate);
    }
}

static void flow_start(struct flows_io *flow, double bytes)
{
    flow->state = FLOW_INSIDE;
    flow->call = flow->left = maths_min(bytes, flow_left(flow));
    flow->lag -= flow->call;
    flow->started += flow->call;
}

/* Starts the call of an application whose grant has reached it, and tells of its calls. */
static int flows_start(struct flows *flows, uint32_t id, struct err *err)
{
    struct flows_io *flow = &flows->list[id];
    bool due = flow->lag >= -SLIVER * flow->volume - flow->rate * MATHS_ROUNDING * flows->now;
    if (flow->state == FLOW_WAITS && flow->rate > 0 && due)
        flow_start(flow, flows_calls(flows->workload, id));
    bool waits = flow->state == FLOW_WAITS && flow->rate > 0, small = flow->state == FLOW_SMALL;
    return turns_see(flows->turns, flows->now, id,
                     &(struct turns_calls){.started = flow->started + (small ? flow->moved : 0),
                                           .inside = flow->left,
                                           .ahead = waits ? maths_max(0, -flow->lag) : 0,
                                           .rate = flow->rate,
                                           .most = flow->most,
                                           .large = !small},
                     err);
}

/* Lets calls start that are ahead, while the store has room. */
static int flows_give_turns(struct flows *flows, const struct control *control,
                            const struct weir_view *view, struct err *err)
{
    struct turns_store store = {.bandwidth = view->bandwidth};
    uint32_t id;
    if (!turns_any(flows->turns))
        return 0;
    for (uint32_t i = 0; i < view->active_count; i++)
        if (!turns_has(flows->turns, view->active[i]))
            store.reserved += control_rate(control, view->active[i]);
    while ((id = turns_next(flows->turns, flows->now, store)) != TURNS_NONE) {
        flows->list[id].lag = 0;
        if (flows_start(flows, id, err) != 0)
            return -1;
    }
    return 0;
}

/* The most that a flow moves now. */
static double flow_cap(const struct flows_io *flow)
{
    switch (flow->state) {
    case FLOW_INSIDE:
        return flow->most;
    case FLOW_SMALL:
        return flow->rate == 0                           ? 0
               : flow->lag > SLIVER * (1 + flow->volume) ? flow->most
                                                         : maths_min(flow->rate, flow->most);
    default:
        return 0;
    }
}

/* Divides the bandwidth evenly, each up to its cap: those below the even share of the rest get what
 * they can use, until none is below. */
static void flows_divide(struct flows *flows, double bandwidth)
{
    uint32_t open = flows->count;
    double rest = bandwidth;
    bool again = true;
    for (uint32_t i = 0; i < flows->count; i++)
        flows->list[flows->active[i]].speed = -1;
    while (again) {
        double share = open > 0 ? rest / open : 0;
        again = false;
        for (uint32_t i = 0; i < flows->count; i++) {
            struct flows_io *flow = &flows->list[flows->active[i]];
            double cap = flow_cap(flow);
            if (flow->speed >= 0 || cap > share)
                continue;
            flow->speed = cap;
            rest -= cap;
            open--;
            again = true;
        }
    }
    for (uint32_t i = 0; i < flows->count; i++) {
        struct flows_io *flow = &flows->list[flows->active[i]];
        if (flow->speed < 0)
            flow->speed = maths_max(0, rest / open);
    }
}

int flows_decide(struct flows *flows, struct control *control, struct err *err)
{
    const struct weir_view *view = control_view(control, flows->now);
    flows_take_grants(flows, control);
    for (uint32_t i = 0; i < flows->count; i++)
        if (flows_start(flows, flows->active[i], err) != 0)
            return -1;
    if (flows_give_turns(flows, control, view, err) != 0)
        return -1;
    flows_divide(flows, view->bandwidth);
    return 0;
}

/* --- what comes next --------------------------------------------------------------------------
 */

/* Seconds until something happens to a flow. */
static double flow_next(const struct flows_io *flow)
{
    double next = INFINITY;
    if (flow->state == FLOW_INSIDE && flow->speed > 0)
        next = flow->left / flow->speed;
    else if (flow->state == FLOW_WAITS && flow->rate > 0)
        next = -flow->lag / flow->rate;
    else if (flow->state == FLOW_SMALL && flow->speed > 0)
        next = flow_left(flow) / flow->speed;
    /* It has made up for what it was behind. */
    if (flow->state == FLOW_SMALL && flow->lag > 0 && flow->speed > flow->rate)
        next = maths_min(next, flow->lag / (flow->speed - flow->rate));
    return maths_max(0, next);
}

double flows_next(const struct flows *flows)
{
    double next = maths_max(flows->now, turns_due(flows->turns));
    for (uint32_t i = 0; i < flows->count; i++)
        next = maths_min(next, flows->now + flow_next(&flows->list[flows->active[i]]));
    return next;
}

double flows_speed(const struct flows *flows, uint32_t id)
{
    return flows->list[id].speed;
}
