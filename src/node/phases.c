/* The beginning, pauses and end of I/Os. */
#include "base/maths.h"
#include "node/node.h"
#include "wire/call.h"
#include <math.h>

/* What an application needs is told again if it differs by this part. */
#define NOISE 0.02

/* --- the list of the open ones ---------------------------------------------------------------- */

static void node_list(struct node *node, struct node_app *app)
{
    app->open_place = node->open_count;
    node->open[node->open_count++] = app->who.app;
}

void node_unlist(struct node *node, struct node_app *app)
{
    uint32_t last = node->open[--node->open_count];
    node->open[app->open_place] = last;
    node->apps[last]->open_place = app->open_place;
}

/* --- events ----------------------------------------------------------------------------------- */

static void phases_tell_post(struct node *node, uint64_t now, const struct node_app *app,
                             double volume, bool announced)
{
    struct node_message event;
    event.type = NODE_POST;
    event.post = (struct node_post){.app = app->who.app,
                                    .phase = app->number,
                                    .volume = volume,
                                    .announced = announced,
                                    .idle = app->idle,
                                    .moved = app->moved,
                                    .age = maths_max(0, node_seconds(node, now) - app->posted)};
    node_send(node, now, &event);
}

/* `since`: the time of its last call, in seconds. */
static void phases_tell_pause(struct node *node, uint64_t now, const struct node_app *app,
                              double since)
{
    struct node_message event;
    event.type = NODE_PAUSE;
    event.pause = (struct node_pause){.app = app->who.app,
                                      .phase = app->number,
                                      .moved = app->moved,
                                      .quiet = maths_max(0, node_seconds(node, now) - since),
                                      .probing = app->probing};
    node_send(node, now, &event);
}

static void phases_tell_resume(struct node *node, uint64_t now, const struct node_app *app)
{
    struct node_message event;
    event.type = NODE_RESUME;
    event.resume =
        (struct node_resume){.app = app->who.app, .phase = app->number, .moved = app->moved};
    node_send(node, now, &event);
}

static void phases_tell_end(struct node *node, uint64_t now, const struct node_app *app,
                            double ended)
{
    struct node_message event;
    event.type = NODE_END;
    event.end = (struct node_end){.app = app->who.app,
                                  .phase = app->number,
                                  .moved = app->moved,
                                  .quiet = maths_max(0, node_seconds(node, now) - ended),
                                  .outside = app->outside};
    node_send(node, now, &event);
}

void node_repeat_io(struct node *node, uint64_t now, struct node_app *app)
{
    app->told_need = -1; /* it is told again */

    if (app->phase != PHASE_IDLE)
        phases_tell_post(node, now, app, app->heard, app->heard > 0);
    if (app->phase == PHASE_OPEN)
        phases_tell_resume(node, now, app);
    else if (app->phase == PHASE_PAUSED)
        phases_tell_pause(node, now, app, app->watch.active);
    else
        phases_tell_end(node, now, app, app->watch.active);
}

/* --- one I/O ---------------------------------------------------------------------------------- */

/* Lets it prove that it moves something, at no cost to the others. */
static void phases_probe(struct node_app *app, double now)
{
    struct watch_signs signs = app->watch.signs;
    if (!app->probing)
        watch_resume(&app->watch, now, &signs);
    app->probing = true;
}

static void phases_begin(struct node *node, uint64_t now, struct node_app *app, double said)
{
    double time = node_seconds(node, now);
    struct watch_sample sample;
    node_app_count(app);
    node_app_sample(app, node->origin, now, &sample);
    app->number++;
    app->phase = PHASE_OPEN;
    app->inside = app->ahead = 0;
    app->posted = time;
    app->io_moved = app->unheard = 0;
    app->heard = maths_min(said, NODE_BYTES);
    app->volume = said > 0 ? app->heard : app->who.volume_hint;
    app->rate = 0;
    node_app_want(app, time);
    need_begin(&app->need, time, app->moved);
    node_app_begin_outside(app, time);
    watch_begin(&app->watch, time, &sample.signs);
    pages_begin_io(&app->pages);
    node_list(node, app);
    phases_tell_post(node, now, app, app->heard, app->heard > 0);
    if (app->idle) {
        app->phase = PHASE_PAUSED;
        phases_probe(app, time);
    }
}

/* Bytes are announced in an open I/O: if they are the first, they replace any guess; those of a
 * further process add to them, whatever the controller guesses by now. */
static void phases_hear_volume(struct node *node, uint64_t now, struct node_app *app)
{
    node_app_count(app);
    bool first = app->heard == 0;
    double all = app->unheard + (first ? app->io_moved : app->heard);
    app->heard = app->volume = maths_min(all, NODE_BYTES);
    app->unheard = 0;
    phases_tell_post(node, now, app, app->volume, first);
}

static void phases_resume(struct node *node, uint64_t now, struct node_app *app)
{
    double time = node_seconds(node, now);
    struct watch_sample sample;
    node_app_sample(app, node->origin, now, &sample);
    watch_resume(&app->watch, time, &sample.signs);
    app->phase = PHASE_OPEN;
    app->probing = false;
    node_app_want(app, time);
    node_app_begin_outside(app, time);
    phases_tell_resume(node, now, app);
    if (app->unheard > 0)
        phases_hear_volume(node, now, app);
}

/* Something is said or seen of an I/O that is not over. */
static void phases_continue(struct node *node, uint64_t now, struct node_app *app)
{
    if (app->phase == PHASE_PAUSED && !app->idle) {
        phases_resume(node, now, app);
    } else if (app->phase == PHASE_PAUSED) {
        phases_probe(app, node_seconds(node, now));
        phases_tell_pause(node, now, app, app->watch.active);
    } else if (app->unheard > 0) {
        phases_hear_volume(node, now, app);
    } else {
        phases_tell_post(node, now, app, 0, false);
    }
}

void node_begin_io(struct node *node, uint64_t now, struct node_app *app, double volume)
{
    if (app->phase == PHASE_IDLE) {
        phases_begin(node, now, app, volume);
    } else {
        app->unheard += volume;
        phases_continue(node, now, app);
    }
    atomic_store(&app->pages.usage->phase, PHASE_OPEN);
}

/* Lends the bandwidth to others; `now` is the time of the sample. */
static void phases_pause(struct node *node, uint64_t now, struct node_app *app,
                         const struct watch_sample *sample)
{
    if (!node_app_close(app, PHASE_PAUSED, sample))
        return;
    node_app_judge(app, node_seconds(node, now), sample->busy);
    app->phase = PHASE_PAUSED;
    phases_tell_pause(node, now, app, app->watch.active);
}

static void phases_finish(struct node *node, uint64_t now, struct node_app *app, double ended)
{
    double time = node_seconds(node, now);
    node_app_count(app);
    watch_end(&app->watch, time);
    if (app->phase == PHASE_OPEN)
        node_app_judge(app, time, false);
    app->phase = PHASE_IDLE;
    app->probing = false;
    phases_tell_end(node, now, app, ended);
    node_unlist(node, app);
    if (app->rate > 0)
        pages_grant(&app->pages, now, 0);
    app->rate = 0;
}

void node_end_io(struct node *node, uint64_t now, struct node_app *app, double ended)
{
    struct watch_sample sample;
    node_app_sample(app, node->origin, now, &sample);
    phases_finish(node, now, app, ended);
    /* A process began another I/O at the same moment, and relied on this one. */
    if (!node_app_close(app, PHASE_IDLE, &sample) || sample.busy)
        node_begin_io(node, now, app, 0);
    else
        pages_end_io(&app->pages, app->io_moved);
}

/* --- all of them ------------------------------------------------------------------------------ */

static bool has_moved_its_hint(const struct node_app *app, const struct watch_sample *sample)
{
    return app->who.volume_hint > 0 && !sample->begun && !sample->busy &&
           app->io_moved >= app->volume;
}

/* A program that waits for a processor is quiet, but does not work. */
static bool is_displaced(struct node_app *app, double now, const struct watch_sample *sample)
{
    double quiet = now - app->watch.active;
    return app->phase == PHASE_OPEN && !app->watch.stalled && !sample->busy && quiet > 0 &&
           quiet < WATCH_STALL && node_app_is_displaced(app, now, quiet);
}

/* Tells of large calls, as soon as one has begun or waits, and when none does any more. Smaller
 * ones keep to the line, and are not worth a message. */
static void phases_tell_calls(struct node *node, uint64_t now, struct node_app *app)
{
    double ahead = pages_ahead(&app->pages, now), inside = node_app_inside(app);
    inside = inside >= CALL_LARGE * app->alone ? inside : 0;
    ahead = ahead >= NODE_AHEAD * app->alone ? ahead : 0;
    /* One call may follow another of the same size between two looks. */
    bool more = inside > 0 && app->moved + inside > app->started;
    if (!more && inside == app->inside && (ahead > 0) == (app->ahead > 0))
        return;
    app->started = app->moved + inside;
    app->inside = inside;
    app->ahead = ahead;
    struct node_message event;
    event.type = NODE_CALLS;
    event.calls = (struct node_calls){.app = app->who.app,
                                      .phase = app->number,
                                      .moved = app->moved,
                                      .inside = inside,
                                      .ahead = ahead};
    node_send(node, now, &event);
}

/* Tells how much it can use, if that has changed by more than the noise of looks. */
static void phases_tell_need(struct node *node, uint64_t now, struct node_app *app)
{
    double need = app->need.rate < INFINITY ? maths_max(app->need.rate, 1) : 0;
    if (need == app->told_need ||
        (need > 0 && fabs(need - app->told_need) < NOISE * app->told_need))
        return;
    app->told_need = need;
    struct node_message event;
    event.type = NODE_NEED;
    event.need = (struct node_need){.app = app->who.app, .rate = need};
    node_send(node, now, &event);
}

static void phases_look_at_need(struct node *node, uint64_t now, struct node_app *app)
{
    double time = node_seconds(node, now);
    bool waits = app->rate == 0 && (app->phase == PHASE_OPEN || node_app_is_busy(app));
    if (app->alone > 0 && !app->open && !waits)
        node_app_look_at_need(app, time, pages_waits(&app->pages, now));
    else
        need_skip(&app->need, time);
    phases_tell_need(node, now, app);
}

/* One that uses all it is granted in quick turns needs no pause. */
static bool phases_keeps(const struct node_app *app)
{
    return !app->watch.stalled && app->need.quiet < NEED_CYCLE && node_app_uses_all(app, app->rate);
}

static void phases_look_at(struct node *node, uint64_t now, struct node_app *app)
{
    double time = node_seconds(node, now);
    struct watch_sample sample;
    node_app_count(app);
    node_app_sample(app, node->origin, now, &sample);
    if (app->phase == PHASE_OPEN)
        node_app_count_outside(app, time, &sample);
    enum watch_verdict verdict = watch_look(&app->watch, &node->terms.rule, time, &sample);
    if (app->idle && node_app_proves(app))
        app->idle = false;
    bool displaced = verdict != WATCH_OVER && is_displaced(app, time, &sample);
    if (verdict == WATCH_OVER || has_moved_its_hint(app, &sample))
        node_end_io(node, now, app, app->watch.active);
    else if (verdict == WATCH_PAUSED && app->phase == PHASE_OPEN && !displaced &&
             !phases_keeps(app))
        phases_pause(node, now, app, &sample);
    else if (verdict == WATCH_MOVING && app->phase == PHASE_PAUSED)
        node_begin_io(node, now, app, 0);
    if (app->phase == PHASE_OPEN)
        phases_tell_calls(node, now, app);
    if (app->phase != PHASE_IDLE)
        phases_look_at_need(node, now, app);
}

void node_look(struct node *node, uint64_t now)
{
    /* Backwards: an I/O that is over gives its place to the last one. */
    for (uint32_t i = node->open_count; i-- > 0;)
        phases_look_at(node, now, node->apps[node->open[i]]);
}
