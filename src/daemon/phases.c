/* The beginning, pauses and end of I/Os. */
#include "base/maths.h"
#include "daemon/live.h"

/* Seconds that an I/O has to end after its predicted volume was moved. */
#define GRACE 0.01

/* Bytes, and seconds that they would take: what is less than both is a crumb. */
#define CRUMB      4096.0
#define CRUMB_TIME 1e-4

/* --- the list of the open ones ---------------------------------------------------------------- */

static void list(struct live *live, struct application *app)
{
    app->open_place = live->open_count;
    live->open[live->open_count++] = app->id;
}

static void unlist(struct live *live, struct application *app)
{
    uint32_t last = live->open[--live->open_count];
    live->open[app->open_place] = last;
    live->apps[last]->open_place = app->open_place;
}

/* --- one I/O ---------------------------------------------------------------------------------- */

static void take_sample(const struct live *live, struct application *app, double now,
                        struct watch_sample *sample)
{
    application_sample(app, live->origin, live_date(live, now), sample);
}

static struct control_seen seen(const struct application *app, double now)
{
    return (struct control_seen){.moved = app->io_moved, .lost = application_lost(app, now)};
}

/* Lets it prove that it moves something, at no cost to the others. */
static void phases_probe(struct application *app, double now)
{
    struct watch_signs signs = app->watch.signs;
    if (!app->probing)
        watch_resume(&app->watch, now, &signs);
    app->probing = true;
}

static void set_aside(struct live *live, double now, struct application *app)
{
    app->phase = PHASE_PAUSED;
    app->working = now;
    control_pause(live->control, now, app->id);
    phases_probe(app, now);
}

static void phases_begin(struct live *live, double now, struct application *app, double said)
{
    struct watch_sample sample;
    application_absorb(app);
    take_sample(live, app, now, &sample);
    double work = maths_max(0, now - app->working);
    app->volume = application_volume(app, said, &app->source);
    app->worked += work;
    app->phase = PHASE_OPEN;
    app->io_moved = app->unheard = 0;
    app->grace = false;
    app->rate = 0;
    app->served = app->wanted = now;
    app->held_moved = app->moved;
    app->granted = app->held = 0;
    app->granted_at = now;
    watch_begin(&app->watch, now, &sample.signs);
    pages_begin_io(&app->pages);
    list(live, app);
    control_post(live->control, now, app->id, (struct control_io){app->volume, work, now});
    journal_post(live->journal, now, app);
    if (live->posted)
        live->posted(live->context, app->name);
    if (app->idle)
        set_aside(live, now, app);
}

static void phases_resize(struct live *live, double now, struct application *app, double volume)
{
    app->volume = volume;
    app->grace = false;
    control_resize(live->control, now, app->id, volume);
}

/* Somebody says what there is to move in an I/O that is open: the first to say so knows it better
 * than any guess, a further process has so much more. */
static void hear_volume(struct live *live, double now, struct application *app)
{
    application_absorb(app);
    double volume = app->unheard + (app->begun > 1 ? app->volume : app->io_moved);
    app->unheard = 0;
    phases_resize(live, now, app,
                  maths_min(maths_max(volume, APPLICATION_LEAST), APPLICATION_MOST));
    if (app->begun <= 1)
        app->source = WIRE_VOLUME_HINT;
    journal_grow(live->journal, now, app);
}

static void phases_resume(struct live *live, double now, struct application *app)
{
    struct watch_sample sample;
    take_sample(live, app, now, &sample);
    watch_resume(&app->watch, now, &sample.signs);
    app->worked += maths_max(0, now - app->working);
    app->phase = PHASE_OPEN;
    app->probing = false;
    app->served = app->wanted = now;
    app->held_moved = app->moved;
    app->granted = app->held = 0;
    app->granted_at = now;
    control_resume(live->control, now, app->id);
    journal_resume(live->journal, now, app);
    if (app->unheard > 0)
        hear_volume(live, now, app);
}

void live_begin_io(struct live *live, double now, struct application *app, double volume)
{
    live->changed = true;
    if (app->phase == PHASE_IDLE)
        phases_begin(live, now, app, volume);
    else if (volume > 0)
        app->unheard += volume;
    if (app->phase == PHASE_PAUSED && !app->idle)
        phases_resume(live, now, app);
    else if (app->phase == PHASE_PAUSED)
        phases_probe(app, now);
    else if (app->unheard > 0)
        hear_volume(live, now, app);
    atomic_store(&app->pages.usage->phase, PHASE_OPEN);
}

/* Lends the bandwidth to others; `now` is the time of the sample. */
static void phases_pause(struct live *live, double now, struct application *app,
                         const struct watch_sample *sample)
{
    if (!application_close(app, PHASE_PAUSED, sample))
        return;
    live->changed = true;
    application_judge(app, now, sample->busy);
    app->phase = PHASE_PAUSED;
    app->working = app->watch.active;
    control_observe(live->control, now, app->id, seen(app, now));
    control_pause(live->control, now, app->id);
    journal_pause(live->journal, now, app);
}

/* A few bytes in a lock file, say, are no I/O phase: they would spoil the mean of what its phases
 * move. */
static bool is_crumb(const struct application *app)
{
    return app->io_moved < maths_min(CRUMB, CRUMB_TIME * app->facts.bmax);
}

/* Ends the I/O for the books and the strategy. */
static void phases_finish(struct live *live, double now, struct application *app, double ended)
{
    application_absorb(app);
    live->changed = true;
    watch_end(&app->watch, now);
    if (app->phase == PHASE_OPEN) {
        application_judge(app, now, false);
        app->working = ended;
    }
    app->phase = PHASE_IDLE;
    app->probing = app->starving = false;
    if (app->io_moved > 0 && !is_crumb(app)) {
        app->phases++;
        app->phase_bytes += app->io_moved;
    }
    control_complete_late(live->control, now, app->id, application_lost(app, now));
    journal_complete(live->journal, now, app, app->working);
    live_drop_io(live, now, app);
}

void live_end_io(struct live *live, double now, struct application *app, double ended)
{
    struct watch_sample sample;
    take_sample(live, app, now, &sample);
    phases_finish(live, now, app, ended);
    /* A process began another I/O at the same moment, and relied on this one. */
    if (!application_close(app, PHASE_IDLE, &sample) || sample.busy)
        live_begin_io(live, now, app, 0);
    else
        pages_end_io(&app->pages, app->io_moved);
}

void live_drop_io(struct live *live, double now, struct application *app)
{
    unlist(live, app);
    if (app->rate > 0)
        pages_grant(&app->pages, live_date(live, now), 0);
    app->rate = 0;
}

void live_overrun(struct live *live, double now, struct application *app)
{
    application_absorb(app);
    if (app->io_moved >= app->volume && app->grace) {
        live->changed = true;
        phases_resize(live, now, app, 2 * app->io_moved);
        control_observe(live->control, now, app->id, seen(app, now));
        return;
    }
    app->grace = app->io_moved >= app->volume;
    struct control_seen books = seen(app, now);
    /* Well above the part of a large I/O that the controller ignores, or it would be due again
     * at once. */
    double grace = maths_max(GRACE * app->facts.bmax, 1e-8 * app->volume);
    books.moved = maths_min(books.moved, app->volume - grace);
    control_observe(live->control, now, app->id, books);
}

/* --- all of them ------------------------------------------------------------------------------ */

static bool has_moved_its_hint(const struct application *app, const struct watch_sample *sample)
{
    return app->hint > 0 && !sample->begun && !sample->busy && app->io_moved >= app->volume;
}

/* No application waits for ever, whatever the strategy decides. */
static void starve(struct live *live, double now, struct application *app)
{
    app->starving = now - app->served >= live->service->max_wait;
    live->changed |= app->starving;
}

/* A program that waits for a processor is quiet, but does not work. */
static bool is_displaced(struct application *app, double now, const struct watch_sample *sample)
{
    double quiet = now - app->watch.active;
    return app->phase == PHASE_OPEN && !app->watch.stalled && !sample->busy && quiet > 0 &&
           quiet < WATCH_STALL && application_is_displaced(app, now, quiet);
}

static void phases_look_at(struct live *live, double now, struct application *app)
{
    const struct watch_rule rule = {live->service->soft_release, live->service->phase_gap};
    struct watch_sample sample;
    application_absorb(app);
    take_sample(live, app, now, &sample);
    enum watch_verdict verdict = watch_look(&app->watch, &rule, now, &sample);
    if (app->idle && application_proves(app))
        app->idle = false;
    bool displaced = verdict != WATCH_OVER && is_displaced(app, now, &sample);
    if (verdict == WATCH_OVER || has_moved_its_hint(app, &sample))
        live_end_io(live, now, app, app->watch.active);
    else if (verdict == WATCH_PAUSED && app->phase == PHASE_OPEN && !displaced)
        phases_pause(live, now, app, &sample);
    else if (verdict == WATCH_MOVING && app->phase == PHASE_PAUSED)
        live_begin_io(live, now, app, 0);
    else if (app->phase == PHASE_OPEN && app->rate == 0)
        starve(live, now, app);
}

void live_look(struct live *live, uint64_t now)
{
    double date = live_seconds(live, now);
    live->next_look = now + LIVE_LOOK_NS;
    /* Backwards: an I/O that is over gives its place to the last one. */
    for (uint32_t i = live->open_count; i-- > 0;)
        phases_look_at(live, date, live->apps[live->open[i]]);
}

void live_beat(struct live *live, uint64_t now)
{
    double date = live_seconds(live, now);
    live->next_beat = now + LIVE_BEAT_NS;
    live->beats++;
    live->beat_dates[live->beats % PAST_BEATS] = date;
    journal_flush(live->journal);
    for (uint32_t id = 0; id < live->capacity; id++) {
        struct application *app = live->apps[id];
        if (!app)
            continue;
        pages_beat(&app->pages, now);
        application_absorb(app);
        app->past[live->beats % PAST_BEATS] = app->moved;
        if (app->phase == PHASE_IDLE && atomic_load(&app->pages.usage->phase) == PHASE_OPEN)
            live_begin_io(live, date, app, 0); /* its POST was lost */
        else if (app->phase == PHASE_OPEN)
            control_observe(live->control, date, app->id, seen(app, date));
    }
}
