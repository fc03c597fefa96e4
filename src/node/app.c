#include "node/app.h"
#include "base/maths.h"
#include "base/mem.h"
#include "node/process.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bounds what an application announces: strategies add and multiply such numbers, and those of one
 * must not drown the others. */
static double within(double value, double least, double most)
{
    return maths_min(maths_max(value, least), most);
}

struct node_app *node_app_new(const struct wire_attach *who, uint32_t uid, uint64_t patience,
                              struct err *err)
{
    struct node_app *app = mem_alloc(1, sizeof *app);
    if (!app) {
        err_memory(err);
        return NULL;
    }
    *app = (struct node_app){
        .who = {.uid = uid,
                .token = {who->token[0], who->token[1]},
                .nodes = within(who->nodes, 1, NODE_NODES),
                .weight = within(who->weight, WIRE_LEAST_WEIGHT, WIRE_MOST_WEIGHT),
                .volume_hint = within(who->volume_hint, 0, NODE_BYTES),
                .period = within(who->period, 0, NODE_SECONDS)},
        .failure = WIRE_FAILED_NONE,
        .phase = PHASE_IDLE,
    };
    need_init(&app->need);
    app->entry = (struct tokens_entry){.who = &app->who, .owner = app};
    memcpy(app->who.name, who->name, sizeof app->who.name);
    memcpy(app->who.job, who->job, sizeof app->who.job);
    memcpy(app->who.account, who->account, sizeof app->who.account);
    memcpy(app->who.partition, who->partition, sizeof app->who.partition);
    if (pages_init(&app->pages, patience, err) != 0) {
        node_app_free(app);
        return NULL;
    }
    return app;
}

void node_app_free(struct node_app *app)
{
    if (!app)
        return;
    pages_fini(&app->pages);
    free(app->slots);
    free(app->needs);
    free(app);
}

/* --- processes -------------------------------------------------------------------------------- */

int node_app_take_slot(struct node_app *app, int32_t pid, uint32_t *slot, struct err *err)
{
    size_t free_one = 0;
    while (free_one < app->slot_count && app->slots[free_one].here)
        free_one++;
    if (free_one == PAGE_SLOTS)
        return err_set(err, "the application already has %d processes, the most it can have",
                       PAGE_SLOTS);
    struct node_process *slots =
        mem_reserve(app->slots, &app->slot_capacity, free_one + 1, sizeof *slots);
    if (slots)
        app->slots = slots;
    struct need_process *needs =
        mem_reserve(app->needs, &app->need_capacity, free_one + 1, sizeof *needs);
    if (needs)
        app->needs = needs;
    if (!slots || !needs)
        return err_memory(err);
    needs[free_one] =
        (struct need_process){.seen = atomic_load(&app->pages.usage->slots[free_one].moved)};
    app->slots[free_one] =
        (struct node_process){.here = true, .pid = pid, .filters = process_filters(pid)};
    app->slot_count += free_one == app->slot_count;
    app->processes++;
    *slot = (uint32_t)free_one;
    return 0;
}

void node_app_return_slot(struct node_app *app, uint32_t slot)
{
    app->processes--;
    app->uncontrolled -= app->slots[slot].failed;
    app->slots[slot] = (struct node_process){.here = false};
    page_forbid(app->pages.grant, slot, false);
    /* If it died inside a call, it is no longer busy. */
    atomic_store(&app->pages.usage->slots[slot].busy, 0);
    atomic_store(&app->pages.usage->slots[slot].inside, 0);
    atomic_store(&app->pages.usage->slots[slot].pid, 0);
}

void node_app_fail(struct node_app *app, uint32_t slot, enum wire_failure why)
{
    app->uncontrolled += !app->slots[slot].failed;
    app->failure = why;
    app->slots[slot].failed = true;
}

void node_app_look_at_filters(struct node_app *app, int32_t pid, int32_t filters)
{
    for (uint32_t slot = 0; slot < app->slot_count; slot++) {
        const struct node_process *process = &app->slots[slot];
        if (!process->here || process->pid != pid || process->filters < 0 ||
            filters <= process->filters || page_forbids(app->pages.grant, slot))
            continue;
        page_forbid(app->pages.grant, slot, true);
        node_app_fail(app, slot, WIRE_FAILED_SEALED);
    }
}

/* Whether the process in this slot is inside a call. What one that runs uncontrolled last said
 * stays there. */
static bool node_app_slot_is_busy(const struct node_app *app, size_t slot)
{
    return atomic_load(&app->pages.usage->slots[slot].busy) > 0 && !app->slots[slot].failed;
}

double node_app_inside(const struct node_app *app)
{
    double inside = 0;
    for (size_t slot = 0; slot < app->slot_count; slot++)
        if (!app->slots[slot].failed)
            inside += (double)atomic_load_explicit(&app->pages.usage->slots[slot].inside,
                                                   memory_order_relaxed);
    return maths_min(inside, NODE_BYTES);
}

bool node_app_is_busy(const struct node_app *app)
{
    for (size_t slot = 0; slot < app->slot_count; slot++)
        if (node_app_slot_is_busy(app, slot))
            return true;
    return false;
}

/* For an application with many processes, some stand for all: a question takes 10 us. */
enum { ASKED = 8 };

/* Asks what its busy processes do. The kernel is asked only when they claim or move nothing for
 * long, and then not too often. */
static void node_app_ask(struct node_app *app, double now)
{
    double unused = maths_max(app->watch.unclaimed, app->watch.unmoved);
    if (unused < WATCH_FIRST / 2 || now - app->asked < WATCH_FIRST / 2)
        return;
    app->asked = now;
    app->running = app->sleeping = false;
    size_t asked = 0;
    for (size_t i = 0; i < app->slot_count && asked < ASKED && !app->running; i++) {
        app->asked_slot = (app->asked_slot + 1) % app->slot_count; /* each time others */
        if (node_app_slot_is_busy(app, app->asked_slot)) {
            char state = process_state(app->slots[app->asked_slot].pid);
            app->running = state == 'R' || state == 'D';
            app->sleeping |= state == 'S';
            asked++;
        }
    }
}

void node_app_begin_outside(struct node_app *app, double now)
{
    app->calm = 0; /* what was quiet before counts as a pause */
    app->calm_seen = now;
    app->calm_moved = app->moved;
}

void node_app_count_outside(struct node_app *app, double now, const struct watch_sample *sample)
{
    double time = now - app->calm_seen;
    /* An announced I/O may move bytes without calls. */
    bool inside = sample->busy || sample->begun;
    if (inside || app->moved > app->calm_moved) {
        app->outside += app->calm;
        app->calm = 0;
    }
    app->calm += inside ? 0 : time;
    app->calm_seen = now;
    app->calm_moved = app->moved;
}

/* A controller that orders a little more than an application needs leaves it this much room. */
#define ROOM 1.1

bool node_app_uses_all(const struct node_app *app, double rate)
{
    return rate > 0 && rate <= ROOM * app->need.rate && app->need.rate < INFINITY;
}

void node_app_look_at_need(struct node_app *app, double now, bool waits)
{
    const struct page_slot *pages = app->pages.usage->slots;
    if (app->inside > 0) { /* a large call has its turn */
        need_init(&app->need);
        need_begin(&app->need, now, app->moved);
        return;
    }
    for (size_t slot = 0; slot < app->slot_count; slot++) {
        app->needs[slot].inside = atomic_load_explicit(&pages[slot].busy, memory_order_relaxed) > 0;
        app->needs[slot].count = atomic_load_explicit(&pages[slot].moved, memory_order_relaxed);
    }
    need_see(&app->need, now,
             &(struct need_look){
                 .rate = app->rate, .alone = app->alone, .moved = app->moved, .waits = waits},
             app->needs, app->slot_count);
}

bool node_app_is_displaced(struct node_app *app, double now, double quiet)
{
    double used = 0;
    bool wants = false;
    size_t count = app->slot_count < ASKED ? app->slot_count : ASKED;
    for (size_t slot = 0; slot < count; slot++)
        used += app->slots[slot].here ? process_time(app->slots[slot].pid) : 0;
    if (now - quiet > app->quiet_since) { /* not the pause seen last */
        app->quiet_since = now;
        app->quiet_used = used;
    }
    if (used - app->quiet_used > 0.5 * (now - app->quiet_since))
        return false;
    for (size_t slot = 0; slot < count && !wants; slot++)
        wants = app->slots[slot].here && process_state(app->slots[slot].pid) == 'R';
    return wants;
}

/* --- what it does ----------------------------------------------------------------------------- */

/* Bytes that its processes moved, those that have gone included. */
static uint64_t moved_by_all(const struct node_app *app)
{
    uint64_t moved = 0;
    for (size_t slot = 0; slot < app->slot_count; slot++)
        moved += atomic_load_explicit(&app->pages.usage->slots[slot].moved, memory_order_relaxed);
    return moved;
}

void node_app_tell(struct node_app *app, uint64_t life, double moved)
{
    struct grant_page *grant = app->pages.grant;
    atomic_store_explicit(&grant->told, (uint64_t)moved, memory_order_release);
    atomic_store_explicit(&grant->life, life, memory_order_release);
}

double node_app_told(const struct node_app *app)
{
    return (double)atomic_load_explicit(&app->pages.grant->told, memory_order_relaxed);
}

void node_app_count(struct node_app *app)
{
    uint64_t seen = moved_by_all(app);
    /* The count only grows, unless a process tampers with it. */
    double more = seen > app->last_seen ? (double)(seen - app->last_seen) : 0;
    more = maths_min(more, NODE_BYTES - maths_min(app->moved, NODE_BYTES));
    app->last_seen = seen;
    app->moved += more;
    if (app->phase != PHASE_IDLE)
        app->io_moved += more;
}

bool node_app_left(struct node_app *app, uint32_t place, struct node_gone *gone)
{
    const struct page_left *left = &app->pages.usage->left[place];
    uint64_t moved = atomic_load(&left->moved), told = atomic_load(&left->told);
    *gone = (struct node_gone){
        .uid = app->who.uid,
        .token = {app->who.token[0], app->who.token[1]},
        .counter = {atomic_load(&left->life), atomic_load(&left->counter)},
        .moved = maths_min((double)moved, NODE_BYTES),
        .untold = moved > told ? maths_min((double)(moved - told), NODE_BYTES) : 0,
    };
    /* What is in the present pages is told otherwise. */
    bool own = gone->counter[0] == app->who.counter[0] && gone->counter[1] == app->who.counter[1];
    if (moved <= app->left_told[place] || gone->counter[1] == 0 || own)
        return false;
    app->left_told[place] = moved;
    return true;
}

/* How far a count has advanced; 0 if it went back. */
static double forward(uint64_t difference)
{
    return difference < UINT64_MAX / 2 ? (double)difference : 0;
}

void node_app_sample(struct node_app *app, uint64_t origin, uint64_t now,
                     struct watch_sample *sample)
{
    const struct usage_page *usage = app->pages.usage;
    uint64_t last = atomic_load(&usage->last);
    double speed = line_speed(&app->pages.last.bytes);
    *sample = (struct watch_sample){
        .signs = {.calls = atomic_load(&usage->calls),
                  .moved = moved_by_all(app),
                  .claimed = atomic_load(&usage->used),
                  .waiters = atomic_load(&usage->waiters),
                  .closed = atomic_load(&usage->closed)},
        .last = last > origin ? (double)(last - origin) / 1e9 : 0,
        .busy = node_app_is_busy(app),
        .unclaimed = pages_unclaimed(&app->pages, now),
        .unmoved = pages_unmoved(&app->pages, now, app->io_moved),
        .begun = app->begun > 0,
    };
    if (speed > 0) {
        const struct watch_signs *seen = &app->watch.signs;
        sample->claimed = forward(sample->signs.claimed - seen->claimed) / speed;
        sample->moved = forward(sample->signs.moved - seen->moved) * LINE_BYTE / speed;
    }
    if (sample->busy)
        node_app_ask(app, (double)(now - origin) / 1e9);
    sample->running = sample->busy && app->running;
    sample->sleeping = sample->busy && app->sleeping;
    sample->inside = sample->busy && app->alone > 0 ? node_app_inside(app) / app->alone : 0;
}

/* An application is idle if it does not use its bandwidth for this many seconds, in one I/O or in
 * several, or waits for it without a call that needs it. One that has used its bandwidth has some
 * more to spare: the ranks of a collective exchange their data before they write it. */
#define WASTE 0.005
#define SPARE 0.02

/* To count as active again it must move what it wasted, and at least what it could waste before its
 * bandwidth is lent again, in seconds at full rate. */
#define PROOF 0.0025

void node_app_want(struct node_app *app, double now)
{
    app->wanted = app->granted_at = now;
    app->held_moved = app->moved;
    app->granted = app->held = 0;
}

void node_app_count_grant(struct node_app *app, double now)
{
    double time = now - app->granted_at;
    app->granted += app->rate * time;
    app->held += app->rate > 0 ? time : 0;
    app->granted_at = now;
}

void node_app_judge(struct node_app *app, double now, bool busy)
{
    double bmax = app->bmax, moved = app->moved - app->held_moved;
    node_app_count_grant(app, now);
    double unused = app->granted - WATCH_PART * moved;
    if (moved > 0)
        app->wasted = maths_max(-SPARE, app->wasted + unused / bmax);
    else
        app->wasted += app->held > 0 || busy ? app->held : now - app->wanted;
    if (app->idle || app->wasted < WASTE)
        return;
    app->idle = true;
    app->proof = app->moved + maths_max(PROOF * bmax, unused);
    app->wasted = 0;
}

bool node_app_proves(const struct node_app *app)
{
    return app->moved >= app->proof;
}

/* --- what escapes ----------------------------------------------------------------------------- */

uint64_t node_app_counted(const struct node_app *app, size_t slot)
{
    const struct page_slot *own = &app->pages.usage->slots[slot];
    return (atomic_load(&own->moved) + atomic_load(&own->passed)) & ~PAGE_LIKE_KERNEL;
}

struct escape_known node_app_known(const struct node_app *app, int32_t pid, uint64_t before)
{
    for (size_t slot = 0; slot < app->slot_count; slot++)
        if (app->slots[slot].here && app->slots[slot].pid == pid) {
            uint64_t passed = atomic_load(&app->pages.usage->slots[slot].passed);
            return (struct escape_known){true, node_app_counted(app, slot), before,
                                         passed & PAGE_LIKE_KERNEL};
        }
    return (struct escape_known){0};
}

/* The word in the page is the application's own, as its count of bytes is. */
bool node_app_supervises(const struct node_app *app, const struct escape_look *look)
{
    uint32_t slot = atomic_load(&app->pages.usage->supervisor) - 1; /* none is beyond all */
    if (!look->filtered || slot >= app->slot_count || !app->slots[slot].here)
        return false;
    return app->who.uid == 0 || app->who.uid == look->owner;
}

void node_app_escapes(struct node_app *app, double bytes, enum wire_escape why)
{
    app->escapes[why] += bytes;
}

double node_app_escaped(const struct node_app *app, enum wire_escape *why)
{
    double told = (double)atomic_load(&app->pages.usage->escaped), most = 0, all = 0;
    /* What processes say themselves they say without a reason. */
    enum wire_escape reason =
        app->failure == WIRE_FAILED_CLOCK ? WIRE_ESCAPE_CLOCK : WIRE_ESCAPE_MEMORY;
    *why = WIRE_ESCAPE_NONE;
    for (int i = 0; i < WIRE_ESCAPES_COUNT; i++) {
        double bytes = app->escapes[i] + (i == (int)reason ? told : 0);
        all += bytes;
        if (bytes > most) {
            most = bytes;
            *why = (enum wire_escape)i;
        }
    }
    return all;
}

bool node_app_close(struct node_app *app, enum page_phase phase, const struct watch_sample *seen)
{
    struct usage_page *usage = app->pages.usage;
    atomic_store(&usage->phase, phase);
    bool quiet = !node_app_is_busy(app) || seen->busy;
    if (quiet && atomic_load(&usage->calls) == seen->signs.calls &&
        atomic_load(&usage->used) == seen->signs.claimed)
        return true;
    atomic_store(&usage->phase, PHASE_OPEN);
    return false;
}
