/* greedy-com: the I/O that could be finished soonest first, by remaining / bmax (002 section 4.1).
 *
 * Among those already there the order never changes: an application served in full gets shorter
 * at the same pace as every other, one served in part stays behind them, and the waiting ones
 * stay as they are. So it is kept: the waiting in a heap with the first on top, the served ones in
 * a heap with the last on top; the first of the waiting gets what the served leave. An event moves
 * a few across, O(log n) each. */
#include "policy/strategies.h"

enum place { NOWHERE, WAITING, SERVED };
#define NOBODY UINT32_MAX

/* An application: its key is remaining / bmax while it waits, and the date at which it will be
 * done while it is served in full. */
struct member {
    double key;
    uint32_t slot;    /* in its heap */
    uint16_t place;   /* enum place */
    uint16_t changed; /* moved in this decision */
};

struct heap {
    uint32_t *ids, count;
    int sign; /* 1: first on top, -1: last on top */
};

struct state {
    struct heap waiting; /* the first of them may be served in part */
    struct heap served;  /* in full */
    double given;        /* sum of bmax of the served */
    uint32_t partial;
    uint32_t changed_count;
    struct member *members;
    uint32_t *changed; /* who moved in this decision */
};

static void init(void *self, const struct weir_setup *setup)
{
    struct state *state = self;
    state->members = (struct member *)(state + 1);
    state->waiting =
        (struct heap){.ids = (uint32_t *)(state->members + setup->capacity), .sign = 1};
    state->served = (struct heap){.ids = state->waiting.ids + setup->capacity, .sign = -1};
    state->changed = state->served.ids + setup->capacity;
    state->partial = NOBODY;
}

/* Whether a belongs above b in their heap: nearer to its end, lower id first on ties, the other
 * way round among the served. Dates count from now, so that both kinds of keys are spans. */
static bool above(const struct state *state, const struct heap *heap, double now, uint32_t a,
                  uint32_t b)
{
    double from = heap->sign > 0 ? 0 : now;
    double x = state->members[a].key - from, y = state->members[b].key - from;
    return weir_before(x, a, y, b) == (heap->sign > 0);
}

static void put(struct state *state, struct heap *heap, uint32_t slot, uint32_t id)
{
    heap->ids[slot] = id;
    state->members[id].slot = slot;
}

/* Moves whoever is in the slot to where it belongs. */
static void sift(struct state *state, struct heap *heap, double now, uint32_t slot)
{
    uint32_t id = heap->ids[slot];
    while (slot > 0 && above(state, heap, now, id, heap->ids[(slot - 1) / 2])) {
        put(state, heap, slot, heap->ids[(slot - 1) / 2]);
        slot = (slot - 1) / 2;
    }
    for (uint32_t child; (child = 2 * slot + 1) < heap->count; slot = child) {
        if (child + 1 < heap->count &&
            above(state, heap, now, heap->ids[child + 1], heap->ids[child]))
            child++;
        if (!above(state, heap, now, heap->ids[child], id))
            break;
        put(state, heap, slot, heap->ids[child]);
    }
    put(state, heap, slot, id);
}

static void heap_add(struct state *state, struct heap *heap, double now, uint32_t id)
{
    state->members[id].place = heap->sign > 0 ? WAITING : SERVED;
    put(state, heap, heap->count, id);
    sift(state, heap, now, heap->count++);
}

static void heap_remove(struct state *state, struct heap *heap, double now, uint32_t id)
{
    uint32_t slot = state->members[id].slot, last = heap->ids[--heap->count];
    state->members[id].place = NOWHERE;
    if (last == id)
        return;
    put(state, heap, slot, last);
    sift(state, heap, now, slot);
}

/* --- what happens ----------------------------------------------------------------------------- */

/* Seconds that its I/O still takes at bmax. */
static double span(const struct weir_view *view, uint32_t id)
{
    return weir_remaining(view, &view->runs[id]) / view->runs[id].app->bmax;
}

static void wait(struct state *state, const struct weir_view *view, uint32_t id)
{
    state->members[id].key = span(view, id);
    heap_add(state, &state->waiting, view->now, id);
}

static void posted(void *self, const struct weir_view *view, uint32_t id)
{
    wait(self, view, id);
}

/* Takes one of the served out. */
static void withdraw(struct state *state, const struct weir_view *view, uint32_t id)
{
    heap_remove(state, &state->served, view->now, id);
    state->given = state->served.count ? state->given - view->runs[id].app->bmax : 0;
}

static void completed(void *self, const struct weir_view *view, uint32_t id)
{
    struct state *state = self;
    if (state->members[id].place == SERVED)
        withdraw(state, view, id);
    else
        heap_remove(state, &state->waiting, view->now, id);
}

static void mark(struct state *state, uint32_t id)
{
    if (!state->members[id].changed)
        state->changed[state->changed_count++] = id;
    state->members[id].changed = 1;
}

/* Serves the first of the waiting in full, if there is room; or makes room by taking it from the
 * last of the served, if that comes later. False when everything is in order. */
static bool rebalance(struct state *state, const struct weir_view *view)
{
    if (state->waiting.count == 0)
        return false;
    uint32_t first = state->waiting.ids[0];
    double bmax = view->runs[first].app->bmax, key = state->members[first].key;
    if (bmax <= view->bandwidth - state->given) {
        heap_remove(state, &state->waiting, view->now, first);
        state->members[first].key = view->now + key;
        heap_add(state, &state->served, view->now, first);
        state->given += bmax;
        mark(state, first);
        return true;
    }
    if (state->served.count == 0)
        return false;
    uint32_t last = state->served.ids[0];
    /* From the bytes, not from the date: that is rounded, and two short transfers could each seem
     * shorter than the other. */
    double later = span(view, last);
    if (!weir_before(key, first, later, last))
        return false;
    withdraw(state, view, last);
    wait(state, view, last);
    mark(state, last);
    return true;
}

static void decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct state *state = self;
    /* The one served in part has come nearer to its end since it began to wait. */
    if (state->partial != NOBODY && state->members[state->partial].place == WAITING) {
        struct member *partial = &state->members[state->partial];
        partial->key = span(view, state->partial);
        sift(state, &state->waiting, view->now, partial->slot);
        mark(state, state->partial);
    }
    while (rebalance(state, view))
        ;
    double left = view->bandwidth - state->given;
    state->partial = NOBODY;
    if (state->waiting.count > 0 && left > 0) {
        state->partial = state->waiting.ids[0];
        mark(state, state->partial);
    }
    while (state->changed_count > 0) {
        uint32_t id = state->changed[--state->changed_count];
        state->members[id].changed = 0;
        bool full = state->members[id].place == SERVED;
        double rate = full ? view->runs[id].app->bmax : id == state->partial ? left : 0;
        weir_grant(grants, id, rate);
    }
}

const struct weir_policy_ops policy_greedy_com = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_INCREMENTAL | WEIR_WORK_CONSERVING | WEIR_NEEDS_VOLUME,
    .name = "greedy-com",
    .summary = "greedy by increasing remaining / bmax: the shortest transfer first",
    .paper = "Benoit et al., JPDC 2024, section 4.1",
    .state_size = sizeof(struct state),
    .app_size = sizeof(struct member) + 3 * sizeof(uint32_t),
    .init = init,
    .posted = posted,
    .completed = completed,
    .decide = decide,
};
