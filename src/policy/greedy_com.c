/* greedy-com: the I/O that could be finished soonest first, by remaining / bmax (002 section 4.1).
 *
 * Among those already there the order never changes: an application served in full gets shorter
 * at the same pace as every other, one served in part stays after them, and the waiting ones
 * stay as they are. So it is kept: the waiting in a heap with the first on top, the served ones in
 * a heap with the last on top; the first of the waiting gets what the served leave. An event
 * moves a few across, O(log n) each; only a newcomer can come before one who is served. In reality,
 * where less may be moved than was granted, the order is rebuilt. */
#include "policy/strategies.h"

enum place { WAITING, SERVED };
#define NONE UINT32_MAX

/* An application: its key is remaining / bmax while it waits, and the time at which it will be
 * done while it is served in full. */
struct greedy_com_member {
    double key;
    uint32_t slot; /* in its heap */
    uint8_t place; /* enum place */
    bool changed;  /* moved in this decision */
};

struct heap {
    uint32_t *ids, count;
    enum place place; /* of its members: of those that wait the first is on top, else the last */
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
        (struct heap){.ids = (uint32_t *)(state->members + setup->capacity), .place = WAITING};
    state->served = (struct heap){.ids = state->waiting.ids + setup->capacity, .place = SERVED};
    state->changed = state->served.ids + setup->capacity;
    state->partial = NONE;
}

/* Whether a belongs above b in their heap: nearer to its end, lower id first on ties, the other
 * way round among the served. Dates count from now, so that both kinds of keys are spans. */
static bool greedy_com_above(const struct greedy_com_state *state, const struct heap *heap,
                             double now, uint32_t a, uint32_t b)
{
    bool waiting = heap->place == WAITING;
    double from = waiting ? 0 : now;
    double x = state->members[a].key - from, y = state->members[b].key - from;
    return weir_before(x, a, y, b) == waiting;
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

/* Puts another into the place of one that was taken out. */
static void greedy_com_refill(struct greedy_com_state *state, struct heap *heap, double now,
                              uint32_t slot, uint32_t id)
{
    if (slot > 0 && greedy_com_above(state, heap, now, id, heap->ids[(slot - 1) / 2]))
        greedy_com_rise(state, heap, now, slot, id);
    else
        greedy_com_sink(state, heap, now, slot, id);
}

/* Most heaps have one member or none, where nothing is compared. */
static inline void heap_add(struct greedy_com_state *state, struct heap *heap, double now,
                            uint32_t id)
{
    uint32_t slot = heap->count++;
    state->members[id].place = (uint8_t)heap->place;
    if (slot == 0)
        greedy_com_put(state, heap, 0, id);
    else
        greedy_com_rise(state, heap, now, slot, id);
}

static inline void heap_remove(struct greedy_com_state *state, struct heap *heap, double now,
                               uint32_t id)
{
    uint32_t slot = state->members[id].slot, last = heap->ids[--heap->count];
    if (last != id)
        greedy_com_refill(state, heap, now, slot, last);
}

/* --- what happens ----------------------------------------------------------------------------- */

/* Seconds that its I/O still takes at bmax. */
static inline double greedy_com_span(const struct weir_view *view, uint32_t id)
{
    return weir_expected(view, &view->runs[id]) / view->runs[id].app->bmax;
}

static inline void greedy_com_wait(struct greedy_com_state *state, const struct weir_view *view,
                                   uint32_t id, double key)
{
    state->members[id].key = key;
    heap_add(state, &state->waiting, view->now, id);
}

static void greedy_com_mark(struct greedy_com_state *state, uint32_t id)
{
    if (!state->members[id].changed)
        state->changed[state->changed_count++] = id;
    state->members[id].changed = true;
}

/* Serves one in full. */
static inline void greedy_com_serve(struct greedy_com_state *state, const struct weir_view *view,
                                    uint32_t id, double key)
{
    state->members[id].key = view->now + key;
    heap_add(state, &state->served, view->now, id);
    state->given += view->runs[id].app->bmax;
    greedy_com_mark(state, id);
}

/* Takes one of the served out. */
static inline void greedy_com_withdraw(struct greedy_com_state *state, const struct weir_view *view,
                                       uint32_t id)
{
    heap_remove(state, &state->served, view->now, id);
    state->members[id].place = WAITING; /* even if its I/O is over, so that nothing is granted */
    state->given = state->served.count ? state->given - view->runs[id].app->bmax : 0;
}

/* What one more than the served can get. */
static inline double greedy_com_left(const struct greedy_com_state *state,
                                     const struct weir_view *view)
{
    return weir_bandwidth(view, state->served.count + 1) - state->given;
}

/* Whether the first of the waiting can be served, be it in part. */
static bool greedy_com_has_more(const struct greedy_com_state *state, const struct weir_view *view)
{
    return state->waiting.count > 0 && greedy_com_left(state, view) > 0;
}

static bool greedy_com_fits(const struct greedy_com_state *state, const struct weir_view *view,
                            uint32_t id)
{
    return view->runs[id].app->bmax <= greedy_com_left(state, view);
}

/* Lets the last of the served wait, whose I/O still takes this long. */
static void greedy_com_retire(struct greedy_com_state *state, const struct weir_view *view,
                              double span)
{
    uint32_t last = state->served.ids[0];
    greedy_com_withdraw(state, view, last);
    greedy_com_wait(state, view, last, span);
    greedy_com_mark(state, last);
}

/* Lets the last of the served wait, one by one, as long as this one comes before them and does not
 * fit, as it does not at first. Whether it does now: it then comes before all that wait. */
static bool greedy_com_make_room(struct greedy_com_state *state, const struct weir_view *view,
                                 uint32_t id, double key)
{
    do {
        if (state->served.count == 0)
            return false;
        uint32_t last = state->served.ids[0];
        /* From the bytes, not from the time: that is rounded, and two short transfers could each
         * seem shorter than the other. */
        double later = greedy_com_span(view, last);
        if (!weir_before(key, id, later, last))
            return false;
        greedy_com_retire(state, view, later);
    } while (!greedy_com_fits(state, view, id));
    return true;
}

/* The one served in part, the first of the waiting, has come nearer to its end. */
static inline void greedy_com_refresh(struct greedy_com_state *state, const struct weir_view *view)
{
    if (state->partial != NONE)
        state->members[state->partial].key = greedy_com_span(view, state->partial);
}

static bool before_waiting(const struct greedy_com_state *state, uint32_t id, double key)
{
    if (state->waiting.count == 0)
        return true;
    uint32_t first = state->waiting.ids[0];
    return weir_before(key, id, state->members[first].key, first);
}

/* A newcomer takes its place in the order. */
static void greedy_com_posted(void *self, const struct weir_view *view, uint32_t id)
{
    struct greedy_com_state *state = self;
    double key = greedy_com_span(view, id);
    greedy_com_refresh(state, view);
    if (greedy_com_fits(state, view, id) ? before_waiting(state, id, key)
                                         : greedy_com_make_room(state, view, id, key))
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
static __attribute__((noinline)) void make_order_anew(struct greedy_com_state *state,
                                                      const struct weir_view *view)
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

/* Serves the first of the waiting in full, as long as they fit. */
static __attribute__((noinline)) void serve_waiting(struct greedy_com_state *state,
                                                    const struct weir_view *view)
{
    greedy_com_refresh(state, view);
    while (greedy_com_has_more(state, view) &&
           greedy_com_fits(state, view, state->waiting.ids[0])) {
        uint32_t first = state->waiting.ids[0];
        heap_remove(state, &state->waiting, view->now, first);
        greedy_com_serve(state, view, first, state->members[first].key);
    }
}

/* The bandwidth has fallen: the last of the served wait until the others fit. */
static __attribute__((noinline)) void greedy_com_shrink(struct greedy_com_state *state,
                                                        const struct weir_view *view)
{
    greedy_com_refresh(state, view);
    do
        greedy_com_retire(state, view, greedy_com_span(view, state->served.ids[0]));
    while (weir_less(weir_bandwidth(view, state->served.count), state->given));
}

static void greedy_com_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct greedy_com_state *state = self;
    if (state->corrections != view->corrections)
        make_order_anew(state, view);
    if (weir_less(weir_bandwidth(view, state->served.count), state->given))
        greedy_com_shrink(state, view);
    if (greedy_com_has_more(state, view))
        serve_waiting(state, view);
    double left = greedy_com_left(state, view);
    if (state->partial != NONE)
        greedy_com_mark(state, state->partial);
    state->partial = greedy_com_has_more(state, view) ? state->waiting.ids[0] : NONE;
    if (state->partial != NONE)
        greedy_com_mark(state, state->partial);
    /* In the order in which they moved: what is taken from one comes before what it gives to
     * others, and fewer are served at a time in between. */
    for (uint32_t i = 0; i < state->changed_count; i++) {
        uint32_t id = state->changed[i];
        state->members[id].changed = false;
        bool full = state->members[id].place == SERVED;
        double rate = full ? view->runs[id].app->bmax : id == state->partial ? left : 0;
        weir_grant(grants, id, rate);
    }
    state->changed_count = 0;
}

const struct weir_policy_ops policy_greedy_com = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_INCREMENTAL | WEIR_WORK_CONSERVING | WEIR_NEEDS_VOLUME | WEIR_KNOWS_CURVE,
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
