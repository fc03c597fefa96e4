/* What only reality does: I/Os end unnoticed, pause, turn out larger, and are not moved as granted.
 */
#include "control/state.h"
#include "model/knowledge.h"
#include <assert.h>
#include <float.h>

void control_linger(struct control *c, double now, uint32_t id, double seconds)
{
    struct weir_run *run = &c->runs[id];
    assert(run->state >= WEIR_ACTIVE && seconds > 0);
    control_advance(c, now);
    control_settle(c, run);
    /* Strategies divide by what remains: it is what could be moved in the meantime. */
    run->remaining = run->app->bmax * seconds;
    control_unpredict(c, id);
}

void control_complete_late(struct control *c, double now, uint32_t id, double lost)
{
    control_complete(c, now, id);
    c->runs[id].lost = lost;
}

/* What remains of an I/O that is not over is never nothing, whatever was predicted. */
#define RESIDUE 1e-12

static double at_least_some(double remaining, double volume)
{
    return maths_max(remaining, maths_max(RESIDUE * volume, DBL_MIN));
}

bool control_paused(const struct control *c, uint32_t id)
{
    return c->runs[id].state == WEIR_WORKING && c->runs[id].remaining > 0;
}

void control_pause(struct control *c, double now, uint32_t id)
{
    struct weir_run *run = &c->runs[id];
    assert(run->state >= WEIR_ACTIVE);
    control_advance(c, now);
    control_settle(c, run);
    /* That bytes remain is what marks a working application as paused. */
    run->remaining = at_least_some(run->remaining, run->volume);
    control_deactivate(c, id, WEIR_WORKING);
}

void control_resume(struct control *c, double now, uint32_t id)
{
    assert(control_paused(c, id));
    control_advance(c, now);
    control_activate(c, id);
}

void control_observe(struct control *c, double now, uint32_t id, struct control_seen seen)
{
    struct weir_run *run = &c->runs[id];
    assert(run->state >= WEIR_ACTIVE);
    control_advance(c, now);
    control_settle(c, run);
    run->remaining = at_least_some(run->volume - seen.moved, run->volume);
    run->lost = seen.lost;
    c->view.corrections++; /* orders by what remains or was lost are no longer valid */
    control_predict(c, id);
}

/* Posts it again, with this volume, of which `beyond` is more than was expected of it. */
static void reality_repost(struct control *c, uint32_t id, double volume, double beyond)
{
    struct weir_run *run = &c->runs[id];
    assert(run->state >= WEIR_ACTIVE && volume > 0);
    control_settle(c, run);
    run->exceeded = beyond > 0;
    if (beyond > 0)
        c->beyond[id] = beyond;
    run->remaining = at_least_some(run->remaining + volume - run->volume, volume);
    run->volume = volume;
    /* Strategies keep orders by volume: leaving and coming back sorts it in again. */
    control_deactivate(c, id, WEIR_WORKING);
    control_activate(c, id);
}

void control_resize(struct control *c, double now, uint32_t id, double volume)
{
    control_advance(c, now);
    reality_repost(c, id, volume, 0);
}

void control_exceed(struct control *c, double now, uint32_t id, double volume)
{
    struct weir_run *run = &c->runs[id];
    control_advance(c, now);
    double beyond = weir_beyond(&c->view, run);
    /* One that announces next to nothing must not keep its turn for ever. */
    run->guessed |= run->volume >= KNOWLEDGE_WORTH * (run->volume - beyond);
    /* Without any history an estimate is worth nothing: then the volume just doubles. */
    reality_repost(c, id, volume, run->guessed ? 0 : beyond + volume - run->volume);
}

void control_measure(struct control *c, uint32_t id, double volume)
{
    assert(volume > 0);
    c->runs[id].volume = volume;
}

void control_adopt(struct control *c, double now, struct control *old)
{
    control_advance(old, now);
    control_advance(c, now);
    if (c->ration && old->ration)
        ration_adopt(c->ration, old->ration, old->view.count);
    for (uint32_t id = 0; id < old->view.count; id++) {
        struct weir_run *run = &old->runs[id];
        if (run->state == WEIR_ABSENT)
            continue;
        if (run->state >= WEIR_ACTIVE) {
            control_settle(old, run);
            run->remaining = at_least_some(run->remaining, run->volume);
        }
        c->runs[id] = *run;
        if (run->exceeded)
            c->beyond[id] = old->beyond[id];
        c->runs[id].state = WEIR_WORKING;
        c->runs[id].rate = 0;
        c->runs[id].shared = 0;
        if (c->ops->joined)
            c->ops->joined(c->state, &c->view, id);
    }
    /* Posts come after all joins, as at an instant of the simulator: a strategy may look at
     * all that are there. */
    for (uint32_t i = 0; i < old->view.active_count; i++)
        control_activate(c, old->active[i]);
}
