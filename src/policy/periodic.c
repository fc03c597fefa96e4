/* periodic: a fixed circular order of all unfinished applications. Each round serves every one of
 * them exactly once, alone and at its full bandwidth, and waits for the one whose turn it is, even
 * while others have I/O posted (thesis II.C.2, II.D.1). A finished application drops out, and the
 * others keep their order. */
#include "policy/exclusive.h"
#include "policy/strategies.h"

#define NONE UINT32_MAX
enum { FIFO = 0 }; /* the order that is known only as applications post for the first time */

struct place {
    struct greedy_item item; /* its fixed position in the order */
    uint32_t next, previous;
    uint32_t known; /* it is in the ring */
};

struct periodic_state {
    exclusive_key *key;
    bool fifo;
    uint32_t head, tail;
    uint32_t turn;    /* whose it is; NONE = the round is over, after the tail */
    uint32_t serving; /* NONE = the file system is free */
    uint32_t unknown; /* running applications that are not in the ring yet */
    struct place places[];
};

static const struct weir_param params[] = {
    {.name = "order",
     .kind = WEIR_PARAM_CHOICE,
     .choices = exclusive_periodic_orders,
     .help = "the circular order: first post, Johnson's, or most remaining at the start"},
    {.name = NULL},
};

static void periodic_init(void *self, const struct weir_setup *setup)
{
    struct periodic_state *state = self;
    state->key = exclusive_periodic_keys[(int)setup->params[0]];
    state->fifo = setup->params[0] == FIFO;
    state->head = state->tail = state->turn = state->serving = NONE;
}

/* Puts an application in its place in the ring. If that is right before the one whose turn it is,
 * or at the end of a round that is over, it is served in this round; one further ahead only in the
 * next. */
static void periodic_insert(struct periodic_state *state, const struct weir_view *view,
                            uint32_t app)
{
    struct place *place = &state->places[app];
    place->item = state->key(view, app);
    place->known = 1;
    uint32_t after = state->tail;
    while (after != NONE && greedy_before(&place->item, &state->places[after].item))
        after = state->places[after].previous;
    uint32_t next = after == NONE ? state->head : state->places[after].next;
    place->previous = after;
    place->next = next;
    *(after == NONE ? &state->head : &state->places[after].next) = app;
    *(next == NONE ? &state->tail : &state->places[next].previous) = app;
    if (state->turn == next)
        state->turn = app;
}

static void periodic_joined(void *self, const struct weir_view *view, uint32_t app)
{
    struct periodic_state *state = self;
    state->places[app].known = 0;
    if (state->fifo)
        state->unknown++;
    else
        periodic_insert(state, view, app);
}

static void periodic_posted(void *self, const struct weir_view *view, uint32_t app)
{
    struct periodic_state *state = self;
    if (state->places[app].known)
        return;
    state->unknown--;
    periodic_insert(state, view, app);
}

static void periodic_completed(void *self, const struct weir_view *view, uint32_t app)
{
    struct periodic_state *state = self;
    if (state->serving != app && state->turn != app)
        return;
    if (state->serving == app)
        state->serving = NONE;
    /* An I/O that was dropped is posted again, unless the application leaves: it keeps its turn. */
    state->turn = view->runs[app].remaining > 0 ? app : state->places[app].next;
}

static void periodic_left(void *self, const struct weir_view *view, uint32_t app)
{
    struct periodic_state *state = self;
    struct place *place = &state->places[app];
    (void)view;
    if (!place->known) {
        state->unknown--;
        return;
    }
    if (state->turn == app)
        state->turn = place->next;
    *(place->previous == NONE ? &state->head : &state->places[place->previous].next) = place->next;
    *(place->next == NONE ? &state->tail : &state->places[place->next].previous) = place->previous;
    place->known = 0;
}

static void periodic_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct periodic_state *state = self;
    /* A round ends only when all applications are in the ring and have been served. With fifo one
     * enters the ring as it posts for the first time, so the first round waits for all of them. */
    if (state->turn == NONE && state->unknown == 0)
        state->turn = state->head;
    if (state->serving != NONE || state->turn == NONE ||
        view->runs[state->turn].state != WEIR_ACTIVE)
        return;
    state->serving = state->turn;
    weir_grant(grants, state->turn, view->runs[state->turn].app->bmax);
}

const struct weir_policy_ops policy_periodic = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_INCREMENTAL | WEIR_NEEDS_PROFILE,
    .name = "periodic",
    .summary = "one I/O at a time, each application once per round, in a fixed circular order",
    .paper = "Vidal, thesis 2022, section II.C.2",
    .params = params,
    .state_size = sizeof(struct periodic_state),
    .app_size = sizeof(struct place),
    .init = periodic_init,
    .joined = periodic_joined,
    .posted = periodic_posted,
    .completed = periodic_completed,
    .left = periodic_left,
    .decide = periodic_decide,
};
