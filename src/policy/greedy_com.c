/* greedy-com: the I/O that could be finished soonest first, by remaining / bmax (002 section 4.1).
 *
 * Among those already there the order never changes: an application served in full gets shorter
 * at the same pace as every other, one served in part stays after them, and the waiting ones
 * stay as they are. So it is kept: the waiting in a heap with the first on top, the served ones in
 * a heap with the last on top; the first of the waiting gets what the served leave. An event
 * moves a few across, O(log n) each; only a newcomer can come before one who is served. In reality,
 * where less may be moved than was granted, the order is rebuilt. */
#include "policy/strategies.h"

enum place { NOWHERE, WAITING, SERVED };
#define NONE UINT32_MAX

/* An application: its key is remaining / bmax while it waits, and the time at which it will be
 * done while it is served in full. */
struct greedy_com_member {
    double key;
    uint32_t slot;    /* in its heap */
    uint16_t place;   /* enum place */
    uint16_t changed; /* moved in this decision */
};

struct heap {
    uint32_t *ids, count;
    int sign; /* 1: first on top, -1: last on top */
};

struct greedy_com_state {
    struct heap waiting; /* the first of them may be served in part */
    struct heap served;  /* in full */
    double given;        /* sum of bmax of the served */
    uint32_t partial;    /* the one served in part, on top of the waiting; or NONE */
    uint32_t changed_count;
    uint64_t corrections; /* of the view, that the keys take into account */
    struct greedy_com_member *members;
    uint32_t *changed; /* who moved in this decision */
};

static void greedy_com_init(void *self, const struct weir_setup *setup)
{
    struct greedy_com_state *state = self;
    state->members = (struct greedy_com_member *)(state + 1);
    state->waiting =
        (struct heap){.ids = (uint32_t *)(state->members + setup->capacity), .sign = 1};
    state->served = (struct heap){.ids = state->waiting.ids + setup->capacity, .sign = -1};
    state->changed = state->served.ids + setup->capacity;
    state->partial = NONE;
}

/* Whether a belongs above b in their heap: nearer to its end, lower id first on ties, the other
 * way round among the served. Dates count from now, so that both kinds of keys are spans. */
static bool greedy_com_above(const struct greedy_com_state *state, const struct heap *heap,
                             double now, uint32_t a, uint32_t b)
{
    double from = heap->sign > 0 ? 0 : now;
    double x = state->members[a].key - from, y = state->members[b].key - from;
    return weir_before(x, a, y, b) == (heap->sign > 0);
}

static void greedy_com_put(struct greedy_com_state *state, struct heap *heap, uint32_t slot,
                           uint32_t id)
{
    heap->ids[slot] = id;
    state->members[id].slot = slot;
}

/* Puts one into its place on the way up from the slot, or down. */
static void greedy_com_rise(struct greedy_com_state *state, struct heap *heap, double now,
                            uint32_t slot, uint32_t id)
{
    for (; slot > 0 && greedy_com_above(state, heap, now, id, heap->ids[(slot - 1) / 2]);
         slot = (slot - 1) / 2)
        greedy_com_put(state, heap, slot, heap->ids[(slot - 1) / 2]);
    greedy_com_put(state, heap, slot, id);
}

static void greedy_com_sink(struct greedy_com_state *state, struct heap *heap, double now,
                            uint32_t slot, uint32_t id)
{
    for (uint32_t child; (child = 2 * slot + 1) < heap->count; slot = child) {
        if (child + 1 < heap->count &&
            greedy_com_above(state, heap, now, heap->ids[child + 1], heap->ids[child]))
            child++;
        if (!greedy_com_above(state, heap, now, heap->ids[child], id))
            break;
        greedy_com_put(state, heap, slot, heap->ids[child]);
    }
    greedy_com_put(state, heap, slot, id);
}

static void heap_add(struct greedy_com_state *state, struct heap *heap, double now, uint32_t id)
{
    state->members[id].place = heap->sign > 0 ? WAITING : SERVED;
    greedy_com_rise(state, heap, now, heap->count++, id);
}

static void heap_remove(struct greedy_com_state *state, struct heap *heap, double now, uint32_t id)
{
    uint32_t slot = state->members[id].slot, last = heap->ids[--heap->count];
    state->members[id].place = NOWHERE;
    if (last == id)
        return;
    if (slot > 0 && greedy_com_above(state, heap, now, last, heap->ids[(slot - 1) / 2]))
        greedy_com_rise(state, heap, now, slot, last);
    else
        greedy_com_sink(state, heap, now, slot, last);
}

/* --- what happens ----------------------------------------------------------------------------- */

/* Seconds that its I/O still takes at bmax. */
static double greedy_com_span(const struct weir_view *view, uint32_t id)
{
    return weir_remaining(view, &view->runs[id]) / view->runs[id].app->bmax;
}

static void greedy_com_wait(struct greedy_com_state *state, const struct weir_view *view,
                            uint32_t id, double key)
{
    state->members[id].key = key;
    heap_add(state, &state->waiting, view->now, id);
}

static void greedy_com_mark(struct greedy_com_state *state, uint32_t id)
{
    if (!state->members[id].changed)
        state->changed[state->changed_count++] = id;
    state->members[id].changed = 1;
}

/* Serves one in full. */
static void greedy_com_serve(struct greedy_com_state *state, const struct weir_view *view,
                             uint32_t id, double key)
{
    state->members[id].key = view->now + key;
    heap_add(state, &state->served, view->now, id);
    state->given += view->runs[id].app->bmax;
    greedy_com_mark(state, id);
}

/* Takes one of the served out. */
static void greedy_com_withdraw(struct greedy_com_state *state, const struct weir_view *view,
                                uint32_t id)
{
    heap_remove(state, &state->served, view->now, id);
    state->given = state->served.count ? state->given - view->runs[id].app->bmax : 0;
}

static bool greedy_com_fits(const struct greedy_com_state *state, const struct weir_view *view,
                            uint32_t id)
{
    return view->runs[id].app->bmax <= view->bandwidth - state->given;
}

/* Lets the last of the served wait, one by one, as long as this one comes before them and does not
 * fit. Whether it does now. */
static bool greedy_com_make_room(struct greedy_com_state *state, const struct weir_view *view,
                                 uint32_t id, double key)
{
    while (!greedy_com_fits(state, view, id)) {
        if (state->served.count == 0)
            return false;
        uint32_t last = state->served.ids[0];
        /* From the bytes, not from the time: that is rounded, and two short transfers could each
         * seem shorter than the other. */
        double later = greedy_com_span(view, last);
        if (!weir_before(key, id, later, last))
            return false;
        greedy_com_withdraw(state, view, last);
        greedy_com_wait(state, view, last, later);
        greedy_com_mark(state, last);
    }
    return true;
}

/* The first of the waiting. It may have been served in part, and come nearer to its end. */
static uint32_t first_waiting(struct greedy_com_state *state, const struct weir_view *view)
{
    uint32_t first = state->waiting.ids[0];
    if (first == state->partial)
        state->members[first].key = greedy_com_span(view, first);
    return first;
}

/* A newcomer takes its place in the order. */
static void greedy_com_posted(void *self, const struct weir_view *view, uint32_t id)
{
    struct greedy_com_state *state = self;
    double key = greedy_com_span(view, id);
    bool before = true;
    if (state->waiting.count > 0) {
        uint32_t first = first_waiting(state, view);
        before = weir_before(key, id, state->members[first].key, first);
    }
    if (before && greedy_com_make_room(state, view, id, key))
        greedy_com_serve(state, view, id, key);
    else
        greedy_com_wait(state, view, id, key);
}

static void greedy_com_completed(void *self, const struct weir_view *view, uint32_t id)
{
    struct greedy_com_state *state = self;
    if (state->members[id].place == SERVED)
        greedy_com_withdraw(state, view, id);
    else
        heap_remove(state, &state->waiting, view->now, id);
    if (state->partial == id)
        state->partial = NONE;
}

/* The keys are no longer true: all wait, and are served again if they are among the first. */
static void make_order_anew(struct greedy_com_state *state, const struct weir_view *view)
{
    state->corrections = view->corrections;
    state->waiting.count = state->served.count = 0;
    state->given = 0;
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        if (state->members[id].place == SERVED)
            greedy_com_mark(state, id);
        greedy_com_wait(state, view, id, greedy_com_span(view, id));
    }
}

static void greedy_com_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct greedy_com_state *state = self;
    if (state->corrections != view->corrections)
        make_order_anew(state, view);
    while (state->waiting.count > 0 && greedy_com_fits(state, view, state->waiting.ids[0])) {
        uint32_t first = first_waiting(state, view);
        heap_remove(state, &state->waiting, view->now, first);
        greedy_com_serve(state, view, first, state->members[first].key);
    }
    double left = view->bandwidth - state->given;
    if (state->partial != NONE)
        greedy_com_mark(state, state->partial);
    state->partial = state->waiting.count > 0 && left > 0 ? state->waiting.ids[0] : NONE;
    if (state->partial != NONE)
        greedy_com_mark(state, state->partial);
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
    .state_size = sizeof(struct greedy_com_state),
    .app_size = sizeof(struct greedy_com_member) + 3 * sizeof(uint32_t),
    .init = greedy_com_init,
    .posted = greedy_com_posted,
    .completed = greedy_com_completed,
    .decide = greedy_com_decide,
};
