#include "daemon/live.h"
#include "base/maths.h"
#include "base/mem.h"
#include "base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256, LAST_CAPACITY = 1 << 16, MOST_OF_A_USER = 1 << 12 };

double live_seconds(const struct live *live, uint64_t now)
{
    return now > live->origin ? (double)(now - live->origin) / 1e9 : 0;
}

uint64_t live_date(const struct live *live, double now)
{
    return live->origin + (uint64_t)(now * 1e9);
}

/* --- making and freeing ----------------------------------------------------------------------- */

/* The configured limits, as if somebody had set them. */
static int add_limits(struct live *live, struct err *err)
{
    const struct service *service = live->service;
    for (uint32_t i = 0; i < service->limit_count; i++) {
        const struct service_limit *limit = &service->limits[i];
        struct wire_set set = {.app = WIRE_ALL};
        text_append(set.text, sizeof set.text, limit->name);
        set.setting = WIRE_SET_LIMIT;
        set.value = limit->bandwidth;
        if (limit->bandwidth > 0 && live_set(live, live->origin, &set, err) != 0)
            return -1;
        set.setting = WIRE_SET_OPS;
        set.value = limit->ops;
        if (limit->ops > 0 && live_set(live, live->origin, &set, err) != 0)
            return -1;
    }
    return 0;
}

struct live *live_new(const struct service *service, struct policy *policy, struct journal *journal,
                      uint64_t now, struct err *err)
{
    struct live *live = mem_alloc(1, sizeof *live);
    if (!live) {
        policy_free(policy);
        err_memory(err);
        return NULL;
    }
    *live = (struct live){.service = service,
                          .platform = service->platform,
                          .journal = journal,
                          .origin = now,
                          .next_look = now,
                          .next_beat = now};
    if (live_rebuild(live, 0, policy, FIRST_CAPACITY, err) != 0) {
        policy_free(policy);
        live_free(live);
        return NULL;
    }
    if (add_limits(live, err) != 0) {
        live_free(live);
        return NULL;
    }
    journal_start(journal, 0, &live->platform, policy->name);
    return live;
}

void live_free(struct live *live)
{
    if (!live)
        return;
    for (uint32_t id = 0; id < live->capacity; id++) {
        if (live->apps[id])
            pages_open(&live->apps[id]->pages);
        application_free(live->apps[id]);
    }
    control_free(live->control);
    policy_free(live->policy);
    free(live->apps);
    free(live->open);
    free(live->rules);
    free(live);
}

/* --- coming and going ------------------------------------------------------------------------- */

static struct application *find(const struct live *live, uint32_t uid, const uint64_t token[2])
{
    for (uint32_t id = 0; id < live->capacity; id++) {
        struct application *app = live->apps[id];
        if (app && app->uid == uid && app->token[0] == token[0] && app->token[1] == token[1])
            return app;
    }
    return NULL;
}

uint32_t live_applications(const struct live *live, uint32_t uid)
{
    uint32_t count = 0;
    for (uint32_t id = 0; id < live->capacity; id++)
        count += live->apps[id] && live->apps[id]->uid == uid;
    return count;
}

/* A free id for a new application, or CONTROL_NONE with err. */
static uint32_t find_id(struct live *live, double now, struct err *err)
{
    uint32_t id = 0;
    while (id < live->capacity && live->apps[id])
        id++;
    if (id < live->capacity)
        return id;
    if (live->capacity >= LAST_CAPACITY) {
        err_set(err, "there are %u applications already", live->count);
        return CONTROL_NONE;
    }
    return live_rebuild(live, now, live->policy, 2 * live->capacity, err) ? CONTROL_NONE : id;
}

static struct application *join(struct live *live, uint64_t now, uint32_t uid,
                                const struct wire_attach *who, struct err *err)
{
    double date = live_seconds(live, now);
    if (live_applications(live, uid) >= MOST_OF_A_USER) {
        err_set(err, "this user has %u applications already", (unsigned)MOST_OF_A_USER);
        return NULL;
    }
    uint32_t id = find_id(live, date, err);
    struct application *app = id == CONTROL_NONE ? NULL : application_new(who, uid, date, err);
    if (!app)
        return NULL;
    app->id = id;
    live_apply_rules(live, now, app);
    live->apps[id] = app;
    live->count++;
    pages_beat(&app->pages, now);
    control_join(live->control, date, id, &app->facts, 0);
    journal_join(live->journal, date, app);
    return app;
}

int live_attach(struct live *live, uint64_t now, struct seat *seat, const struct wire_attach *who,
                struct err *err)
{
    if (seat->app)
        return err_set(err, "this process is attached already");
    struct application *app = find(live, seat->uid, who->token);
    if (!app)
        app = join(live, now, seat->uid, who, err);
    if (!app)
        return -1;
    seat->app = app;
    seat->slot = application_take_slot(app, seat->pid);
    live->processes++;
    return 0;
}

static void leave(struct live *live, double now, struct application *app)
{
    application_absorb(app);
    journal_leave(live->journal, now, app);
    if (app->phase != PHASE_IDLE)
        live_drop_io(live, now, app);
    control_leave(live->control, now, app->id);
    live->apps[app->id] = NULL;
    live->count--;
    live->changed = true;
    pages_open(&app->pages); /* a process that kept the page must not wait for ever */
    application_free(app);
}

void live_detach(struct live *live, uint64_t now, struct seat *seat)
{
    struct application *app = seat->app;
    if (!app)
        return;
    double date = live_seconds(live, now);
    bool ends = seat->begun > 0 && seat->begun == app->begun;
    app->begun -= seat->begun;
    app->uncontrolled -= seat->failed;
    application_return_slot(app, seat->slot);
    *seat = (struct seat){.uid = seat->uid, .pid = seat->pid};
    live->processes--;
    if (app->processes == 0)
        leave(live, date, app);
    else if (ends && app->phase != PHASE_IDLE)
        live_end_io(live, date, app, date);
}

/* --- what they say ---------------------------------------------------------------------------- */

void live_post(struct live *live, uint64_t now, struct seat *seat, const struct wire_post *post)
{
    struct application *app = seat->app;
    double date = live_seconds(live, now);
    /* What pauses was recognised from calls, and this is said to be another one. */
    if (post->begun && app->begun == 0 && app->phase == PHASE_PARKED)
        live_end_io(live, date, app, app->working);
    seat->begun += post->begun;
    app->begun += post->begun;
    live_begin_io(live, date, app, post->volume);
}

void live_fail(struct seat *seat, enum wire_failure why)
{
    seat->app->uncontrolled += !seat->failed;
    seat->app->failure = why;
    seat->failed = true;
}

void live_end(struct live *live, uint64_t now, struct seat *seat)
{
    struct application *app = seat->app;
    double date = live_seconds(live, now);
    if (seat->begun > 0) {
        seat->begun--;
        app->begun--;
    }
    if (app->begun == 0 && app->phase != PHASE_IDLE)
        live_end_io(live, date, app, date);
}

/* --- turns ------------------------------------------------------------------------------------ */

/* Writes the pages of those whose rate has changed. */
static void publish(struct live *live, uint64_t now)
{
    double date = live_seconds(live, now);
    for (uint32_t i = 0; i < live->open_count; i++) {
        struct application *app = live->apps[live->open[i]];
        double rate = app->phase == PHASE_OPEN ? control_rate(live->control, app->id) : 0;
        if (rate == app->rate)
            continue;
        app->rate = rate;
        pages_grant(&app->pages, now, rate);
        journal_grant(live->journal, date, app);
    }
}

static void decide(struct live *live, uint64_t now)
{
    double date = live_seconds(live, now);
    uint32_t id;
    while ((id = control_due(live->control, date)) != CONTROL_NONE)
        live_overrun(live, date, live->apps[id]);
    if (!live->changed && !control_woken(live->control, date))
        return;
    live->changed = false;
    control_decide(live->control, date);
    publish(live, now);
}

void live_settle(struct live *live, uint64_t now)
{
    /* Whoever waits for an answer does not wait for a look at all the others. */
    decide(live, now);
    bool beat = now >= live->next_beat, look = now >= live->next_look;
    if (beat)
        live_beat(live, now);
    if (look)
        live_look(live, now);
    if (beat || look)
        decide(live, now);
}

uint64_t live_next(const struct live *live)
{
    uint64_t next = live->next_beat;
    if (live->open_count > 0 && live->next_look < next)
        next = live->next_look;
    double due = control_next(live->control);
    /* One further, so that rounding does not make it early. */
    return due < 1e9 && live_date(live, due) + 1 < next ? live_date(live, due) + 1 : next;
}
