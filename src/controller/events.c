/* What the controller makes of events. */
#include "base/maths.h"
#include "base/text.h"
#include "controller/controller.h"
#include "model/knowledge.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_OF_A_USER = 1 << 12 };

/* Seconds that an I/O has to end after its predicted volume was moved. */
#define GRACE 0.01

/* Bytes, and seconds that they would take: what is less than both is a crumb. */
#define CRUMB      4096.0
#define CRUMB_TIME 1e-4

/* --- coming and going ------------------------------------------------------------------------- */

/* Adds it to its user's applications; removes it. */
static void list_of_user(struct controller *controller, double now, struct application *app)
{
    struct user *user = app->user;
    app->of_user = user->first;
    app->user_link = &user->first;
    if (app->of_user)
        app->of_user->user_link = &app->of_user;
    user->first = app;
    user->applications++;
    shares_divide_ops(controller, now, user);
}

static void unlist_of_user(struct controller *controller, double now, struct application *app)
{
    struct user *user = app->user;
    *app->user_link = app->of_user;
    if (app->of_user)
        app->of_user->user_link = app->user_link;
    user->applications--;
    shares_divide_ops(controller, now, user);
    users_release(&controller->users, user);
}

static int events_admit(struct controller *controller, double now, const struct node_join *who,
                        struct user *user, struct err *err)
{
    uint32_t capacity = controller->capacity;
    if (user->applications >= MOST_OF_A_USER)
        return err_set(err, "this user already has %u applications, the most allowed",
                       (unsigned)MOST_OF_A_USER);
    while (who->app >= capacity)
        capacity *= 2;
    if (capacity > controller->capacity &&
        controller_rebuild(controller, now, controller->policy, capacity, err) != 0)
        return -1;
    struct application *app = application_new(who, now);
    if (!app)
        return err_memory(err);
    app->user = user;
    if (shares_place(controller->service->shares, controller->control, app, err) != 0) {
        free(app);
        return -1;
    }
    controller->apps[app->id] = app;
    controller->count++;
    if (controller->off)
        controller_release(controller, controller_nanoseconds(controller, now), app);
    controller_apply_rules(controller, now, app);
    list_of_user(controller, now, app);
    controller->places[app->id] =
        named_plan_place(controller->plan, app->name, controller->places, controller->capacity);
    elsewhere_join(controller, app);
    control_join(controller->control, now, app->id, &app->facts, app->elsewhere);
    journal_join(controller->journal, now, app);
    return 0;
}

static int events_join(struct controller *controller, double now, const struct node_join *who,
                       struct err *err)
{
    struct user *user = controller_user(controller, who->uid);
    if (!user)
        return err_memory(err);
    int status = events_admit(controller, now, who, user, err);
    users_release(&controller->users, user); /* unless it has an application now */
    return status;
}

/* It joins again: what identifies it stays, but it may have come to further nodes, or left some. */
static int events_spread(struct controller *controller, double now, struct application *app,
                         const struct node_join *who)
{
    if (who->nodes != app->facts.nodes)
        shares_spread(controller, now, app, who->nodes);
    return 0;
}

/* --- the list of open I/Os -------------------------------------------------------------------- */

static void events_list(struct controller *controller, struct application *app)
{
    app->open_place = controller->open_count;
    controller->open[controller->open_count++] = app->id;
}

/* The I/O is over or abandoned; its node has taken the grant back. */
static void events_unlist(struct controller *controller, struct application *app)
{
    uint32_t last = controller->open[--controller->open_count];
    controller->open[app->open_place] = last;
    controller->apps[last]->open_place = app->open_place;
    app->rate = 0;
}

static void events_leave(struct controller *controller, double now, struct application *app,
                         const struct node_leave *leave)
{
    struct wire_done done;
    application_count(app, leave->moved);
    application_count_outside(app, leave->outside);
    controller_settle(controller, now, app);
    app->pid = leave->pid;
    app->escaped = leave->escaped;
    app->why = (enum wire_escape)leave->why;
    account_settle(app, now, &done);
    text_append(done.store, sizeof done.store, controller->store);
    accounts_add(&controller->finished, &done);
    journal_leave(controller->journal, now, app);
    journal_done(controller->journal, now, app->id, &done);
    if (app->phase != PHASE_IDLE)
        events_unlist(controller, app);
    controller_turn(controller, now, app, PHASE_IDLE);
    control_leave(controller->control, now, app->id);
    turns_forget(controller->turns, now, app->id);
    controller->places[app->id] = 0;
    controller->apps[app->id] = NULL;
    controller->count--;
    controller->processes -= app->processes;
    controller->changed = true;
    rules_forget(&controller->rules, app->id);
    unlist_of_user(controller, now, app);
    free(app);
}

/* --- one I/O ---------------------------------------------------------------------------------- */

static struct control_seen seen(struct controller *controller, struct application *app, double now)
{
    controller_settle(controller, now, app);
    return (struct control_seen){.moved = app->io_moved,
                                 .lost = application_lost(app, now) + app->elsewhere};
}

static void events_resize(struct controller *controller, double now, struct application *app,
                          double volume)
{
    app->volume = volume;
    app->grace = false;
    control_resize(controller->control, now, app->id, volume);
    controller_limit(controller, now, app);
}

/* It has moved all that was predicted, and goes on. */
static void events_exceed(struct controller *controller, double now, struct application *app)
{
    app->volume = knowledge_exceeded(app->io_moved);
    app->grace = false;
    control_exceed(controller->control, now, app->id, app->volume);
    controller_limit(controller, now, app);
}

static void events_begin(struct controller *controller, double now, struct application *app,
                         const struct node_post *post)
{
    double posted = now - post->age, work = maths_max(0, posted - app->working);
    app->number = post->phase;
    app->volume = application_volume(app, post->volume, &app->source);
    app->heard = post->volume;
    app->worked += work;
    controller_turn(controller, now, app, PHASE_OPEN);
    app->grace = false;
    app->rate = 0;
    app->served = now;
    app->posted = posted;
    events_list(controller, app);
    controller_limit(controller, now, app);
    control_post(controller->control, now, app->id,
                 (struct control_io){app->volume, work, posted, app->source == WIRE_VOLUME_GUESS});
    journal_post(controller->journal, now, app);
    if (controller->posted)
        controller->posted(controller->context, app->name);
    if (post->idle) {
        controller_turn(controller, now, app, PHASE_PAUSED);
        app->working = now;
        app->probing = true;
        control_pause(controller->control, now, app->id);
    }
}

static void events_pause(struct controller *controller, double now, struct application *app,
                         const struct node_pause *pause)
{
    application_count(app, pause->moved);
    controller->changed = true;
    if (app->phase == PHASE_OPEN) {
        controller_turn(controller, now, app, PHASE_PAUSED);
        app->working = now - pause->quiet;
        control_observe(controller->control, now, app->id, seen(controller, app, now));
        control_pause(controller->control, now, app->id);
        journal_pause(controller->journal, now, app);
    }
    app->probing = pause->probing;
    turns_rest(controller->turns, app->id);
}

static void events_resume(struct controller *controller, double now, struct application *app,
                          const struct node_resume *resume)
{
    application_count(app, resume->moved);
    if (app->phase != PHASE_PAUSED)
        return;
    controller->changed = true;
    app->worked += maths_max(0, now - app->working);
    controller_turn(controller, now, app, PHASE_OPEN);
    app->probing = false;
    app->served = now;
    control_resume(controller->control, now, app->id);
    journal_resume(controller->journal, now, app);
}

/* A few bytes in a lock file, say, are no I/O phase: they would spoil the mean of what its phases
 * move. */
static bool is_crumb(const struct application *app)
{
    return app->io_moved < maths_min(CRUMB, CRUMB_TIME * app->facts.bmax);
}

static void events_end(struct controller *controller, double now, struct application *app,
                       const struct node_end *end)
{
    application_count(app, end->moved);
    application_count_outside(app, end->outside);
    controller->changed = true;
    if (app->phase == PHASE_OPEN)
        app->working = now - end->quiet;
    controller_turn(controller, now, app, PHASE_IDLE);
    app->probing = app->starving = false;
    if (app->io_moved > 0 && !is_crumb(app)) {
        app->phases++;
        app->phase_bytes += app->io_moved;
    }
    control_measure(controller->control, app->id, maths_max(app->io_moved, APPLICATION_LEAST));
    control_complete_late(controller->control, now, app->id,
                          application_lost(app, now) + app->elsewhere);
    elsewhere_tell(controller, now, app);
    journal_complete(controller->journal, now, app, app->working);
    turns_rest(controller->turns, app->id);
    app->io_moved = 0;
    events_unlist(controller, app);
}

static void events_grow(struct controller *controller, double now, struct application *app,
                        const struct node_post *post)
{
    double volume = maths_max(post->volume, APPLICATION_LEAST);
    if (post->announced)
        app->source = WIRE_VOLUME_HINT;
    if (post->volume == app->heard)
        return;
    app->heard = post->volume;
    /* Bytes that came before their announcement may have led to the same guess. */
    if (volume != app->volume)
        events_resize(controller, now, app, volume);
    journal_grow(controller->journal, now, app);
}

static void events_post(struct controller *controller, double now, struct application *app,
                        const struct node_post *post)
{
    controller->changed = true;
    if (app->phase != PHASE_IDLE && app->number != post->phase) /* its END was lost */
        events_end(controller, now, app, &(struct node_end){.moved = post->moved});
    application_count(app, post->moved);
    if (app->phase == PHASE_IDLE)
        events_begin(controller, now, app, post);
    else if (app->phase == PHASE_OPEN && post->volume > 0)
        events_grow(controller, now, app, post);
}

void controller_overrun(struct controller *controller, double now, struct application *app)
{
    controller_count(controller, now, app);
    if (app->io_moved >= app->volume && app->grace) {
        controller->changed = true;
        events_exceed(controller, now, app);
        control_observe(controller->control, now, app->id, seen(controller, app, now));
        return;
    }
    app->grace = app->io_moved >= app->volume;
    struct control_seen books = seen(controller, app, now);
    /* Well above the part of a large I/O that the controller ignores, or it would be due again
     * at once. */
    double grace = maths_max(GRACE * app->facts.bmax, 1e-8 * app->volume);
    books.moved = maths_min(books.moved, app->volume - grace);
    control_observe(controller->control, now, app->id, books);
}

void controller_observe(struct controller *controller, double now)
{
    for (uint32_t i = 0; i < controller->open_count; i++) {
        struct application *app = controller->apps[controller->open[i]];
        if (app->phase != PHASE_OPEN)
            continue;
        controller_count(controller, now, app);
        control_observe(controller->control, now, app->id, seen(controller, app, now));
    }
}

/* --- all of them ------------------------------------------------------------------------------ */

static void events_progress(struct controller *controller, struct application *app,
                            const struct node_progress *progress)
{
    application_count(app, progress->moved);
    application_count_outside(app, progress->outside);
    controller->processes += progress->processes - app->processes;
    app->processes = progress->processes;
    app->uncontrolled = progress->uncontrolled;
    app->failure = (enum wire_failure)progress->failure;
    app->escaped = progress->escaped;
    app->why = (enum wire_escape)progress->why;
    app->pid = progress->pid;
}

static void events_need(struct controller *controller, struct application *app,
                        const struct node_need *need)
{
    app->need = need->rate > 0 ? need->rate : INFINITY;
    controller->lends = true;
}

static void events_calls(struct controller *controller, double now, struct application *app,
                         const struct node_calls *calls)
{
    struct err err;
    application_count(app, calls->moved);
    /* It makes another call: there is more than was predicted. */
    if (app->phase == PHASE_OPEN && app->io_moved >= app->volume &&
        calls->inside + calls->ahead > 0)
        events_exceed(controller, now, app);
    /* Without memory for it, the call waits for its grant. */
    turns_see(controller->turns, now, app->id,
              &(struct turns_calls){.started = calls->moved + calls->inside,
                                    .inside = calls->inside,
                                    .ahead = calls->ahead,
                                    .rate = app->rate,
                                    .most = app->may.alone,
                                    .large = true},
              &err);
    controller->changed = true; /* more may be left than at the rate that was granted */
}

/* The first member of all events is the application. */
_Static_assert(offsetof(struct node_join, app) == 0 && offsetof(struct node_post, app) == 0 &&
                   offsetof(struct node_pause, app) == 0 &&
                   offsetof(struct node_resume, app) == 0 &&
                   offsetof(struct node_progress, app) == 0 &&
                   offsetof(struct node_end, app) == 0 && offsetof(struct node_leave, app) == 0,
               "an event begins with its application");

static struct application *events_whom(const struct controller *controller,
                                       const struct node_message *event)
{
    uint32_t id = event->join.app;
    return id < controller->capacity ? controller->apps[id] : NULL;
}

int controller_hear(struct controller *controller, uint64_t time, const struct node_message *event,
                    struct err *err)
{
    struct application *app = events_whom(controller, event);
    double now = controller_seconds(controller, time);
    if (event->type == NODE_JOIN)
        return app ? events_spread(controller, now, app, &event->join)
                   : events_join(controller, now, &event->join, err);
    if (!app)
        return 0;
    switch (event->type) {
    case NODE_POST:
        events_post(controller, now, app, &event->post);
        break;
    case NODE_PAUSE:
        if (app->phase != PHASE_IDLE && app->number == event->pause.phase)
            events_pause(controller, now, app, &event->pause);
        break;
    case NODE_RESUME:
        if (app->number == event->resume.phase)
            events_resume(controller, now, app, &event->resume);
        break;
    case NODE_PROGRESS:
        events_progress(controller, app, &event->progress);
        break;
    case NODE_END:
        if (app->phase != PHASE_IDLE && app->number == event->end.phase)
            events_end(controller, now, app, &event->end);
        break;
    case NODE_LEAVE:
        events_leave(controller, now, app, &event->leave);
        break;
    case NODE_NEED:
        events_need(controller, app, &event->need);
        break;
    case NODE_CALLS:
        if (app->phase == PHASE_OPEN && app->number == event->calls.phase)
            events_calls(controller, now, app, &event->calls);
        break;
    default:
        break; /* an order */
    }
    return 0;
}

/* No application waits for ever, whatever the strategy decides. */
void controller_look(struct controller *controller, uint64_t time)
{
    double now = controller_seconds(controller, time);
    for (uint32_t i = 0; i < controller->open_count; i++) {
        struct application *app = controller->apps[controller->open[i]];
        if (app->phase != PHASE_OPEN || app->rate > 0)
            continue;
        app->starving = now - app->served >= controller->service->max_wait;
        controller->changed |= app->starving;
    }
}

void controller_beat(struct controller *controller, uint64_t time)
{
    double now = controller_seconds(controller, time);
    controller->beats++;
    controller->beat_times[controller->beats % PAST_BEATS] = now;
    journal_flush(controller->journal);
    for (uint32_t id = 0; id < controller->capacity; id++) {
        struct application *app = controller->apps[id];
        if (!app)
            continue;
        app->past[controller->beats % PAST_BEATS] = app->moved;
        if (app->phase == PHASE_OPEN)
            control_observe(controller->control, now, app->id, seen(controller, app, now));
    }
    measured_sample(controller, now);
}

static int controller_hear_sent(void *context, uint64_t now, const struct node_message *event,
                                struct err *err)
{
    return controller_hear(context, now, event, err);
}

struct event_sink controller_events(struct controller *controller)
{
    return (struct event_sink){controller_hear_sent, controller};
}
