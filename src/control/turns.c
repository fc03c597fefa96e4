#include "control/turns.h"
#include "base/maths.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>

/* A call that was picked is in the store for this many seconds even if it is not seen to start: it
 * may take a moment, and nobody else is to take its turn. */
#define PICKED 0.005

/* The store has room if more than this part of it is free, or what is behind takes this many
 * seconds. */
#define ROOM 1e-3

/* An application is behind if it has not moved the grants of this many seconds, at its own speed;
 * at most those of a second are made up for. */
#define BEHIND 0.01
#define KEPT   1.0

struct turns_entry {
    uint32_t id;
    double started; /* bytes seen to have begun, */
    double inside;  /* of these, bytes of large calls that have not returned, */
    double left;    /* bytes of these that have not passed, */
    double own;     /* or would not have even if it were alone */
    double picked;  /* bytes counted in advance, for a call that is about to start */
    double ahead;   /* of the call that waits, as of `since`; 0 = none does */
    double behind;  /* of small calls: bytes granted and not moved, as of `since` */
    double since;
    double rate, most;
};

struct turns {
    struct turns_entry *list; /* in no order */
    size_t count, capacity;
    uint32_t *places; /* by id: the place in the list, plus 1; 0 = not seen */
    size_t place_count;
    struct turns_store store; /* as of the last question */
    double backlog;           /* bytes that the store has not had the time for */
    double now;
};

struct turns *turns_new(double bandwidth, struct err *err)
{
    struct turns *turns = mem_alloc(1, sizeof *turns);
    if (!turns)
        err_memory(err);
    else
        turns->store.bandwidth = bandwidth;
    return turns;
}

void turns_free(struct turns *turns)
{
    if (!turns)
        return;
    free(turns->list);
    free(turns->places);
    free(turns);
}

static struct turns_entry *turns_find(const struct turns *turns, uint32_t id)
{
    uint32_t place = id < turns->place_count ? turns->places[id] : 0;
    return place > 0 ? &turns->list[place - 1] : NULL;
}

static bool turns_waits(const struct turns_entry *entry)
{
    return entry->ahead > 0;
}

/* By how much its call is ahead now: the grant catches up. */
static double turns_ahead(const struct turns_entry *entry, double now)
{
    return entry->ahead - entry->rate * (now - entry->since);
}

/* --- what is in the store ----------------------------------------------------------------------
 */

/* The bandwidth that the calls in the store would like to have. */
static double turns_load(const struct turns *turns)
{
    double load = 0;
    for (size_t i = 0; i < turns->count; i++)
        load += turns->list[i].left > 0 ? turns->list[i].most : 0;
    return load;
}

/* The part of its own speed that each call in the store has. The small calls of others have their
 * grants first. */
static double turns_pace(const struct turns *turns, double load)
{
    double free = turns->store.bandwidth - turns->store.reserved;
    return load > free ? maths_max(free, ROOM * turns->store.bandwidth) / load : 1;
}

/* Seconds until the first call leaves the store; INFINITY if there is none. */
static double turns_first(const struct turns *turns, double pace)
{
    double first = INFINITY;
    for (size_t i = 0; i < turns->count; i++) {
        const struct turns_entry *entry = &turns->list[i];
        if (entry->left > 0)
            first = maths_min(first, entry->left / (entry->most * pace));
    }
    return first;
}

/* Less than a nanosecond, or than times are exact, is no time. */
static double turns_rounding(const struct turns *turns)
{
    return 1e-9 + MATHS_ROUNDING * turns->now;
}

/* Lets all calls in the store move on. A rest by rounding has passed: it would keep the store full
 * for ever. */
static void turns_move(struct turns *turns, double pace, double seconds)
{
    double rounding = turns_rounding(turns);
    for (size_t i = 0; i < turns->count; i++) {
        struct turns_entry *entry = &turns->list[i];
        double left = entry->left - entry->most * pace * seconds;
        entry->left = left > entry->most * pace * rounding ? left : 0;
        entry->own = maths_max(0, entry->own - entry->most * seconds);
    }
}

static void turns_elapse(struct turns *turns, double now)
{
    double time = now - turns->now;
    if (time > 0)
        turns->backlog = maths_max(0, turns->backlog - turns->store.bandwidth * time);
    while (time > 0) {
        double pace = turns_pace(turns, turns_load(turns)), first = turns_first(turns, pace);
        turns_move(turns, pace, maths_min(time, first));
        time -= first;
    }
    turns->now = maths_max(turns->now, now);
}

/* Brings what depends on the grant up to now. A call that waits does so until it is seen to start.
 */
static void turns_accrue(struct turns_entry *entry, double now)
{
    double granted = entry->rate * (now - entry->since);
    if (turns_waits(entry))
        entry->ahead = maths_max(1e-9 * entry->ahead, entry->ahead - granted);
    entry->behind += granted;
    entry->since = now;
}

/* --- what happens ------------------------------------------------------------------------------
 */

static struct turns_entry *turns_add(struct turns *turns, uint32_t id, struct err *err)
{
    size_t known = turns->place_count;
    struct turns_entry *list =
        mem_reserve(turns->list, &turns->capacity, turns->count + 1, sizeof *list);
    if (list)
        turns->list = list;
    uint32_t *places =
        mem_reserve(turns->places, &turns->place_count, (size_t)id + 1, sizeof *places);
    if (places)
        turns->places = places;
    for (; known < turns->place_count; known++)
        turns->places[known] = 0;
    if (!list || !places) {
        err_memory(err);
        return NULL;
    }
    places[id] = (uint32_t)turns->count + 1;
    list[turns->count] = (struct turns_entry){.id = id, .started = -1};
    return &list[turns->count++];
}

int turns_see(struct turns *turns, double now, uint32_t id, const struct turns_calls *calls,
              struct err *err)
{
    struct turns_entry *entry = turns_find(turns, id);
    turns_elapse(turns, now);
    if (!entry && !(entry = turns_add(turns, id, err)))
        return -1;
    turns_accrue(entry, now);
    entry->rate = calls->rate;
    entry->most = calls->most;
    /* What began before it was first seen has passed, but for what is in the store now. */
    double more = entry->started < 0 ? calls->inside : calls->started - entry->started;
    if (more > 0) {
        turns->backlog = maths_max(0, turns->backlog + more - entry->picked);
        if (calls->large) {
            entry->left = maths_max(0, entry->left + more - entry->picked);
            entry->own = maths_max(0, entry->own + more - entry->picked);
        }
        entry->picked = 0;
    }
    /* A look may fall between the end of a call and its count. */
    entry->started = maths_max(entry->started, calls->started);
    entry->inside = calls->inside;
    entry->ahead = calls->ahead;
    double behind = maths_min(entry->behind - maths_max(0, more), KEPT * entry->rate);
    entry->behind = calls->large ? 0 : maths_max(0, behind);
    return 0;
}

void turns_rest(struct turns *turns, uint32_t id)
{
    struct turns_entry *entry = turns_find(turns, id);
    if (entry)
        entry->inside = entry->ahead = entry->behind = 0;
}

void turns_grant(struct turns *turns, double now, uint32_t id, double rate)
{
    struct turns_entry *entry = turns_find(turns, id);
    if (!entry || entry->rate == rate)
        return;
    turns_accrue(entry, now);
    entry->rate = rate;
}

void turns_forget(struct turns *turns, double now, uint32_t id)
{
    struct turns_entry *entry = turns_find(turns, id);
    turns_elapse(turns, now);
    if (!entry)
        return;
    *entry = turns->list[--turns->count];
    turns->places[entry->id] = turns->places[id]; /* of the last one, which may be this one */
    turns->places[id] = 0;
}

static bool turns_is_busy(const struct turns_entry *entry)
{
    return entry->inside > 0 || entry->left > 0 || turns_waits(entry);
}

bool turns_has(const struct turns *turns, uint32_t id)
{
    const struct turns_entry *entry = turns_find(turns, id);
    return entry && turns_is_busy(entry);
}

bool turns_busy(const struct turns *turns)
{
    for (size_t i = 0; i < turns->count; i++)
        if (turns_is_busy(&turns->list[i]))
            return true;
    return false;
}

bool turns_any(const struct turns *turns)
{
    for (size_t i = 0; i < turns->count; i++)
        if (turns_waits(&turns->list[i]))
            return true;
    return false;
}

/* --- who is next -------------------------------------------------------------------------------
 */

/* An application with small calls that is behind uses all that the store gives it. */
static bool turns_any_behind(const struct turns *turns)
{
    for (size_t i = 0; i < turns->count; i++)
        if (turns->list[i].behind > BEHIND * turns->list[i].most)
            return true;
    return false;
}

/* Seconds until the store has had the time for what was given to it. What times are not exact
 * enough for has passed: asked again in no time, the answer would be the same for ever. */
static double turns_passing(const struct turns *turns)
{
    double seconds = turns->backlog / turns->store.bandwidth - ROOM;
    return seconds > turns_rounding(turns) ? seconds : 0;
}

static bool turns_has_room(const struct turns *turns)
{
    double bandwidth = turns->store.bandwidth;
    if (turns_any_behind(turns))
        return false;
    return turns_passing(turns) == 0 ||
           turns_load(turns) + turns->store.reserved < (1 - ROOM) * bandwidth;
}

/* One that is granted nothing does not start; one whose bytes would not all have passed at its own
 * speed is ahead by its own limit. */
static bool turns_may_start(const struct turns_entry *entry)
{
    return entry->rate > 0 && entry->own <= ROOM * entry->most;
}

static struct turns_entry *turns_least_ahead(const struct turns *turns, double now)
{
    struct turns_entry *least = NULL;
    for (size_t i = 0; i < turns->count; i++) {
        struct turns_entry *entry = &turns->list[i];
        if (!turns_waits(entry) || !turns_may_start(entry))
            continue;
        double ahead = turns_ahead(entry, now), best = least ? turns_ahead(least, now) : INFINITY;
        if (ahead < best || (ahead == best && least && entry->id < least->id))
            least = entry;
    }
    return least;
}

uint32_t turns_next(struct turns *turns, double now, struct turns_store store)
{
    turns_elapse(turns, now);
    turns->store = store;
    struct turns_entry *next = turns_has_room(turns) ? turns_least_ahead(turns, now) : NULL;
    if (!next)
        return TURNS_NONE;
    next->ahead = 0;
    next->picked += PICKED * next->most;
    next->left += PICKED * next->most;
    next->own += PICKED * next->most;
    turns->backlog += PICKED * next->most;
    return next->id;
}

double turns_due(const struct turns *turns)
{
    if (!turns_any(turns))
        return INFINITY;
    double first = turns_first(turns, turns_pace(turns, turns_load(turns)));
    double passing = turns_passing(turns);
    return turns->now + (passing > 0 ? maths_min(first, passing) : first);
}
