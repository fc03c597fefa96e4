/* What the controller is told: the events that one node with all processes would send. */
#include "cluster/part.h"

/* --- telling ---------------------------------------------------------------------------------- */

static double merge_moved(const struct gather_app *app)
{
    return maths_min(maths_max(0, sum_value(&app->moved)), NODE_BYTES);
}

static double merge_outside(const struct gather_app *app)
{
    return maths_min(app->outside, NODE_SECONDS);
}

static double merge_escaped(const struct gather_app *app, enum wire_escape *why)
{
    double most = 0, all = 0;
    *why = WIRE_ESCAPE_NONE;
    for (int i = 0; i < WIRE_ESCAPES_COUNT; i++) {
        all += app->escapes[i];
        if (app->escapes[i] > most) {
            most = app->escapes[i];
            *why = (enum wire_escape)i;
        }
    }
    return maths_min(all, NODE_BYTES);
}

/* Of its oldest part. */
static uint32_t merge_pid(const struct gather_app *app)
{
    return app->first ? app->first->pid : app->pid;
}

/* Passes an event that cannot be refused, and that has all bytes moved so far. */
static void merge_send(const struct gather *gather, uint64_t now, struct gather_app *app,
                       const struct node_message *event)
{
    struct err err;
    app->told_moved = merge_moved(app);
    gather->up.hear(gather->up.context, now, event, &err);
}

/* The volume of the I/O, as far as anything was announced: 0 = unknown. */
static double merge_volume(const struct gather_app *app)
{
    return app->announced > 0 ? maths_min(app->announced + app->silent, NODE_BYTES) : 0;
}

static void merge_tell_post(const struct gather *gather, uint64_t now, struct gather_app *app,
                            double age)
{
    double volume = merge_volume(app);
    struct node_message event;
    event.type = NODE_POST;
    event.post = (struct node_post){.app = app->who.app,
                                    .phase = app->phase,
                                    .volume = volume,
                                    .announced = volume > 0,
                                    .idle = app->state == PHASE_PAUSED,
                                    .moved = merge_moved(app),
                                    .age = age};
    app->told_announced = app->announced;
    merge_send(gather, now, app, &event);
}

static void merge_tell_pause(const struct gather *gather, uint64_t now, struct gather_app *app,
                             double quiet)
{
    struct node_message event;
    event.type = NODE_PAUSE;
    event.pause = (struct node_pause){.app = app->who.app,
                                      .phase = app->phase,
                                      .moved = merge_moved(app),
                                      .quiet = quiet,
                                      .probing = app->told_probing};
    merge_send(gather, now, app, &event);
}

static void merge_tell_resume(const struct gather *gather, uint64_t now, struct gather_app *app)
{
    struct node_message event;
    event.type = NODE_RESUME;
    event.resume =
        (struct node_resume){.app = app->who.app, .phase = app->phase, .moved = merge_moved(app)};
    merge_send(gather, now, app, &event);
}

static void merge_tell_end(const struct gather *gather, uint64_t now, struct gather_app *app,
                           double quiet)
{
    struct node_message event;
    event.type = NODE_END;
    event.end = (struct node_end){.app = app->who.app,
                                  .phase = app->phase,
                                  .moved = merge_moved(app),
                                  .quiet = quiet,
                                  .outside = merge_outside(app)};
    merge_send(gather, now, app, &event);
}

void merge_tell_progress(struct gather *gather, uint64_t now, struct gather_app *app)
{
    struct node_message event;
    enum wire_escape why;
    double escaped = merge_escaped(app, &why);
    event.type = NODE_PROGRESS;
    event.progress = (struct node_progress){.app = app->who.app,
                                            .processes = app->processes,
                                            .uncontrolled = app->uncontrolled,
                                            .failure = app->failure,
                                            .moved = merge_moved(app),
                                            .escaped = escaped,
                                            .why = why,
                                            .pid = merge_pid(app),
                                            .outside = merge_outside(app)};
    merge_send(gather, now, app, &event);
}

void merge_tell_leave(struct gather *gather, uint64_t now, struct gather_app *app)
{
    struct node_message event;
    enum wire_escape why;
    double escaped = merge_escaped(app, &why);
    event.type = NODE_LEAVE;
    event.leave = (struct node_leave){.app = app->who.app,
                                      .pid = merge_pid(app),
                                      .moved = merge_moved(app),
                                      .escaped = escaped,
                                      .why = why,
                                      .outside = merge_outside(app)};
    merge_send(gather, now, app, &event);
}

/* --- one I/O of many -------------------------------------------------------------------------- */

static void merge_begin(const struct gather *gather, uint64_t now, struct gather_app *app,
                        double age)
{
    app->phase++;
    merge_tell_post(gather, now, app, age);
}

static void merge_end(const struct gather *gather, uint64_t now, struct gather_app *app,
                      double quiet)
{
    app->rate = 0;
    app->announced = app->silent = 0;
    merge_tell_end(gather, now, app, quiet);
}

static enum page_phase merge_state(const struct gather_app *app)
{
    return app->moving > 0 ? PHASE_OPEN : app->paused > 0 ? PHASE_PAUSED : PHASE_IDLE;
}

/* The state that its parts amount to has changed. */
static void merge_turn(const struct gather *gather, uint64_t now, struct gather_app *app,
                       double age, double quiet)
{
    enum page_phase before = app->state;
    app->state = merge_state(app);
    app->told_probing = app->moving == 0 && app->probing > 0;
    if (before == PHASE_IDLE)
        merge_begin(gather, now, app, age);
    else if (app->state == PHASE_IDLE)
        merge_end(gather, now, app, quiet);
    else if (app->state == PHASE_PAUSED)
        merge_tell_pause(gather, now, app, quiet);
    else
        merge_tell_resume(gather, now, app);
}

/* What the parts that have an I/O can use together: all, if one can. */
static void merge_tell_use(const struct gather *gather, uint64_t now, struct gather_app *app)
{
    double use = app->use_all > 0 ? 0 : maths_min(maths_max(0, sum_value(&app->use)), NODE_RATE);
    if (app->state == PHASE_IDLE || use == app->told_use)
        return;
    app->told_use = use;
    struct node_message event;
    struct err err;
    event.type = NODE_NEED;
    event.need = (struct node_need){.app = app->who.app, .rate = use};
    gather->up.hear(gather->up.context, now, &event, &err);
}

void merge_follow(struct gather *gather, uint64_t now, struct gather_app *app, double age,
                  double quiet)
{
    bool probing = app->moving == 0 && app->probing > 0;
    if (merge_state(app) != app->state || probing != app->told_probing)
        merge_turn(gather, now, app, age, quiet);
    if (app->state == PHASE_OPEN && app->announced != app->told_announced)
        merge_tell_post(gather, now, app, 0);
    else if (merge_moved(app) != app->told_moved)
        merge_tell_progress(gather, now, app);
    merge_tell_use(gather, now, app);
    spread_mark(gather, app, false);
}

/* --- events of a part ------------------------------------------------------------------------- */

static void merge_post(struct gather *gather, uint64_t now, struct gather_part *part,
                       const struct node_post *post)
{
    bool known = post->phase == part->phase;
    if (known && part->state == PHASE_IDLE) /* it is over already */
        return;
    part->reported_state = post->idle ? PHASE_PAUSED : PHASE_OPEN;
    part_count(part, post->moved);
    if (!known && part->state != PHASE_IDLE) { /* its END was lost */
        part_turn(part, PHASE_IDLE, false);
        merge_follow(gather, now, part->app, 0, 0);
    }
    if (!known)
        part_begin(part, now, post);
    part_announce(part, post->volume);
    merge_follow(gather, now, part->app, post->age, 0);
}

static void merge_pause(struct gather *gather, uint64_t now, struct gather_part *part,
                        const struct node_pause *pause)
{
    part->reported_state = PHASE_PAUSED;
    part_count(part, pause->moved);
    part_turn(part, PHASE_PAUSED, pause->probing);
    merge_follow(gather, now, part->app, 0, pause->quiet);
}

static void merge_resume(struct gather *gather, uint64_t now, struct gather_part *part,
                         const struct node_resume *resume)
{
    part->reported_state = PHASE_OPEN;
    part_count(part, resume->moved);
    part_turn(part, PHASE_OPEN, false);
    merge_follow(gather, now, part->app, 0, 0);
}

static void merge_finish(struct gather *gather, uint64_t now, struct gather_part *part,
                         const struct node_end *end)
{
    part->reported_state = PHASE_IDLE;
    part_count(part, end->moved);
    part_count_outside(part, end->outside);
    part_turn(part, PHASE_IDLE, false);
    merge_follow(gather, now, part->app, 0, end->quiet);
}

void merge_correct(struct gather *gather, uint64_t now, struct gather_part *part)
{
    part_turn(part, part->reported_state, false);
    merge_follow(gather, now, part->app, 0, 0);
}

/* The calls of all parts are those of one application: it waits if a part does, by the least that
 * any is ahead. */
static void merge_calls(const struct gather *gather, uint64_t now, struct gather_part *part,
                        const struct node_calls *calls)
{
    struct gather_app *app = part->app;
    double inside = 0, ahead = 0;
    part_count(part, calls->moved);
    part->inside = calls->inside;
    part->ahead = calls->ahead;
    for (const struct gather_part *each = app->first; each; each = each->next) {
        inside += each->inside;
        if (each->ahead > 0 && (ahead == 0 || each->ahead < ahead))
            ahead = each->ahead;
    }
    struct node_message event;
    event.type = NODE_CALLS;
    event.calls = (struct node_calls){.app = app->who.app,
                                      .phase = app->phase,
                                      .moved = merge_moved(app),
                                      .inside = maths_min(inside, NODE_BYTES),
                                      .ahead = ahead};
    merge_send(gather, now, app, &event);
}

static void merge_progress(struct gather *gather, uint64_t now, struct gather_part *part,
                           const struct node_progress *progress)
{
    part_progress(part, progress);
    if (part_measure(part, now))
        spread_mark(gather, part->app, false);
    merge_tell_progress(gather, now, part->app);
}

void merge_hear(struct gather *gather, uint64_t now, struct gather_part *part,
                const struct node_message *event)
{
    bool moving = part->state != PHASE_IDLE;
    switch (event->type) {
    case NODE_POST:
        merge_post(gather, now, part, &event->post);
        break;
    case NODE_PAUSE:
        if (moving && event->pause.phase == part->phase)
            merge_pause(gather, now, part, &event->pause);
        break;
    case NODE_RESUME:
        if (moving && event->resume.phase == part->phase)
            merge_resume(gather, now, part, &event->resume);
        break;
    case NODE_NEED:
        part_use(part, event->need.rate);
        merge_tell_use(gather, now, part->app);
        break;
    case NODE_PROGRESS:
        merge_progress(gather, now, part, &event->progress);
        break;
    case NODE_CALLS:
        if (moving && event->calls.phase == part->phase)
            merge_calls(gather, now, part, &event->calls);
        break;
    case NODE_END:
        if (moving && event->end.phase == part->phase)
            merge_finish(gather, now, part, &event->end);
        break;
    default:
        break; /* an order */
    }
}
