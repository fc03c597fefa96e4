#include "daemon/live.h"
#include "base/maths.h"
#include "base/mem.h"
#include "base/text.h"
#include "control/check.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256, LAST_CAPACITY = 1 << 16, MOST_OF_A_USER = 1 << 12 };

double live_seconds(const struct live *live, uint64_t now)
{
    return now > live->origin ? (double)(now - live->origin) / 1e9 : 0;
}

uint64_t live_patience(const struct live *live)
{
    return (uint64_t)(1e9 * live->service->max_wait);
}

uint64_t live_date(const struct live *live, double now)
{
    return live->origin + (uint64_t)(now * 1e9);
}

void live_say(const struct live *live, const char *text)
{
    if (live->say)
        live->say(live->context, text);
}

/* --- making and freeing ----------------------------------------------------------------------- */

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
                          .store = "",
                          .platform = service->platform,
                          .journal = journal,
                          .origin = now,
                          .next_look = now,
                          .next_beat = now};
    if (rules_configure(&(struct rules){0}, service, &live->rules, err) != 0 ||
        live_rebuild(live, 0, policy, FIRST_CAPACITY, err) != 0) {
        policy_free(policy);
        live_free(live);
        return NULL;
    }
    live->by_user = rules_by_user(&live->rules);
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
    rules_free(&live->rules);
    users_fini(&live->users);
    tokens_fini(&live->tokens);
    free(live);
}

/* --- coming and going ------------------------------------------------------------------------- */

/* A free id for a new application, or CONTROL_NONE with err. */
static uint32_t find_id(struct live *live, double now, struct err *err)
{
    uint32_t id = live->first_free;
    while (id < live->capacity && live->apps[id])
        id++;
    live->first_free = id;
    if (id < live->capacity)
        return id;
    if (live->capacity >= LAST_CAPACITY) {
        err_set(err, "too many applications: %u run already", live->count);
        return CONTROL_NONE;
    }
    return live_rebuild(live, now, live->policy, 2 * live->capacity, err) ? CONTROL_NONE : id;
}

/* Adds it to its user's applications; removes it. */
static void list_of_user(struct live *live, uint64_t now, struct application *app)
{
    struct user *user = app->user;
    app->of_user = user->first;
    app->user_link = &user->first;
    if (app->of_user)
        app->of_user->user_link = &app->of_user;
    user->first = app;
    user->applications++;
    shares_divide_ops(live, now, user);
}

static void unlist_of_user(struct live *live, uint64_t now, struct application *app)
{
    struct user *user = app->user;
    *app->user_link = app->of_user;
    if (app->of_user)
        app->of_user->user_link = app->user_link;
    user->applications--;
    shares_divide_ops(live, now, user);
    users_release(&live->users, user);
}

static struct application *live_join(struct live *live, uint64_t now, struct user *user,
                                     const struct wire_attach *who, struct err *err)
{
    double date = live_seconds(live, now);
    if (user->applications >= MOST_OF_A_USER) {
        err_set(err, "this user already has %u applications, the most allowed",
                (unsigned)MOST_OF_A_USER);
        return NULL;
    }
    uint32_t id = find_id(live, date, err);
    struct application *app =
        id == CONTROL_NONE ? NULL : application_new(who, user->uid, date, live_patience(live), err);
    if (!app)
        return NULL;
    app->id = id;
    app->user = user;
    if (shares_place(live->control, app, err) != 0) {
        application_free(app);
        return NULL;
    }
    live_apply_rules(live, date, app);
    live->apps[id] = app;
    live->count++;
    tokens_add(&live->tokens, app);
    list_of_user(live, now, app);
    if (live->off)
        pages_open(&app->pages);
    pages_beat(&app->pages, now);
    control_join(live->control, date, id, &app->facts, 0);
    return app;
}

/* Another process to identify it by, if there is one. */
static void pick_pid(struct application *app)
{
    for (size_t slot = 0; slot < app->slot_count; slot++)
        if (app->slots[slot].here) {
            app->pid = app->slots[slot].pid;
            return;
        }
}

static void live_leave(struct live *live, double now, struct application *app)
{
    struct wire_done done;
    application_absorb(app);
    account_settle(app, now, &done);
    text_append(done.store, sizeof done.store, live->store);
    accounts_add(&live->finished, &done);
    journal_leave(live->journal, now, app);
    journal_done(live->journal, now, app->id, &done);
    if (app->phase != PHASE_IDLE)
        live_drop_io(live, now, app);
    control_leave(live->control, now, app->id);
    live->apps[app->id] = NULL;
    live->first_free = app->id < live->first_free ? app->id : live->first_free;
    live->count--;
    live->changed = true;
    rules_forget(&live->rules, app->id);
    backstop_release(live, app);
    tokens_remove(&live->tokens, app);
    unlist_of_user(live, live_date(live, now), app);
    pages_open(&app->pages); /* a process that kept the page must not wait for ever */
    application_free(app);
}

int live_attach(struct live *live, uint64_t now, struct seat *seat, const struct wire_attach *who,
                struct err *err)
{
    if (seat->app)
        return err_set(err, "this process is already attached");
    struct application *app = tokens_find(&live->tokens, seat->uid, who->token);
    struct user *user = app ? app->user : live_user(live, seat->uid);
    if (!user)
        return err_memory(err);
    bool joins = !app;
    if (joins)
        app = live_join(live, now, user, who, err);
    if (!app) {
        users_release(&live->users, user);
        return -1;
    }
    if (application_take_slot(app, seat->pid, &seat->slot, err) != 0) {
        if (app->processes == 0)
            live_leave(live, live_seconds(live, now), app);
        return -1;
    }
    if (who->leader || app->pid == 0)
        app->pid = seat->pid;
    if (who->leader)
        backstop_admit(live, app, seat->pid);
    if (joins)
        journal_join(live->journal, live_seconds(live, now), app);
    seat->app = app;
    live->processes++;
    return 0;
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
    if (seat->pid == app->pid)
        pick_pid(app);
    *seat = (struct seat){.uid = seat->uid, .pid = seat->pid};
    live->processes--;
    if (app->processes == 0)
        live_leave(live, date, app);
    else if (ends && app->phase != PHASE_IDLE)
        live_end_io(live, date, app, date);
}

/* --- what they say ---------------------------------------------------------------------------- */

void live_post(struct live *live, uint64_t now, struct seat *seat, const struct wire_post *post)
{
    struct application *app = seat->app;
    double date = live_seconds(live, now);
    /* The paused I/O was recognised from calls; the announced one is another. */
    if (post->begun && app->begun == 0 && app->phase == PHASE_PAUSED)
        live_end_io(live, date, app, app->working);
    seat->begun += post->begun;
    app->begun += post->begun;
    live_begin_io(live, date, app, post->volume);
}

void live_fail(struct seat *seat, enum wire_failure why)
{
    seat->app->uncontrolled += !seat->failed;
    seat->app->failure = why;
    atomic_store(&seat->app->pages.usage->slots[seat->slot].busy, 0); /* it counts no more */
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

/* The part of the bandwidth shared by the applications that have waited too long. */
#define TRICKLE 0.01

/* Their number: the strategy may have served one since. */
static uint32_t count_starving(struct live *live, double now)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < live->open_count; i++) {
        struct application *app = live->apps[live->open[i]];
        if (app->phase == PHASE_OPEN && control_rate(live->control, app->id) > 0) {
            app->served = now;
            app->starving = false;
        }
        count += app->phase == PHASE_OPEN && app->starving;
    }
    return count;
}

static double find_rate(const struct live *live, const struct application *app, double trickle)
{
    if (app->phase == PHASE_OPEN)
        return app->starving ? maths_min(trickle, app->facts.bmax)
                             : control_rate(live->control, app->id);
    return app->probing ? app->facts.bmax : 0;
}

/* Writes the pages of those whose rate has changed. */
static void live_publish(struct live *live, uint64_t now)
{
    double date = live_seconds(live, now);
    uint32_t starving = count_starving(live, date);
    double trickle = starving > 0 ? TRICKLE * live->platform.bandwidth / starving : 0;
    for (uint32_t i = 0; i < live->open_count && !live->off; i++) {
        struct application *app = live->apps[live->open[i]];
        double rate = find_rate(live, app, trickle);
        if (rate == app->rate)
            continue;
        application_count_grant(app, date);
        app->rate = rate;
        pages_grant(&app->pages, now, rate);
        journal_grant(live->journal, date, app);
    }
}

/* Goes on without a foreign strategy that has broken a rule, as if another had been set. False if
 * that fails. */
static bool live_fall_back(struct live *live, uint64_t now, const char *why)
{
    struct err err;
    struct wire_set set = {.setting = WIRE_SET_POLICY, .app = WIRE_ALL, .text = LIVE_FALLBACK};
    snprintf(set.store, sizeof set.store, "%s", live->store);
    err_set(&err, "strategy '%s' breaks a rule, " LIVE_FALLBACK " replaces it: %s",
            live->policy->name, why);
    live_say(live, err.text);
    if (live_set(live, now, &set, &err) != 0) {
        live_say(live, err.text);
        return false;
    }
    live_note_change(live, now, NULL, &set);
    return true;
}

/* Asks the strategy. False if what it answers cannot be believed, and nothing else can be done. */
static bool live_ask(struct live *live, uint64_t now)
{
    double date = live_seconds(live, now);
    struct err err;
    uint32_t id;
    live->changed = false;
    control_decide(live->control, date);
    if (!live->policy->foreign || check_rules(live->control, live->policy, date, &id, &err) == 0)
        return true;
    if (id != CONTROL_NONE)
        err_prepend(&err, "application '%s'", live->apps[id]->name);
    return live_fall_back(live, now, err.text) && live_ask(live, now);
}

static void live_decide(struct live *live, uint64_t now)
{
    double date = live_seconds(live, now);
    uint32_t id;
    while ((id = control_due(live->control, date)) != CONTROL_NONE)
        live_overrun(live, date, live->apps[id]);
    if (!live->changed && !control_woken(live->control, date))
        return;
    shares_divide(live, date);
    if (live_ask(live, now))
        live_publish(live, now);
}

void live_settle(struct live *live, uint64_t now)
{
    /* A process that waits for its answer should not wait for a look at all the others. */
    live_decide(live, now);
    bool beat = now >= live->next_beat, look = now >= live->next_look;
    if (beat)
        live_beat(live, now);
    if (look)
        live_look(live, now);
    if (beat || look)
        live_decide(live, now);
}

uint64_t live_next(const struct live *live)
{
    uint64_t next = live->next_beat;
    if (live->open_count > 0 && live->next_look < next)
        next = live->next_look;
    double due = control_next(live->control);
    /* One nanosecond more, so that rounding does not make it early. */
    return due < 1e9 && live_date(live, due) + 1 < next ? live_date(live, due) + 1 : next;
}
