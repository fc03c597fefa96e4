/* clearing: tries several orders in which the posted I/Os could be served until all are done
 * (clear.h), and takes the one that leaves the weakest with most.
 *
 * The orders are those that are best somewhere: surplus; earliest deadline first, for each yield
 * that is tried for y*; least laxity; the lowest yield. At last the one that would end up weakest
 * goes first. An order is worth what the weakest lose, with an exponent of 8 instead of the plain
 * maximum: of two orders with the same weakest the one is better that spares the others. */
#include "base/maths.h"
#include "policy/clear.h"
#include "policy/critical.h"
#include "policy/strategies.h"
#include "policy/weakest.h"

/* The part of all running applications that is weak. */
#define CLEARING_PART 0.1

struct clearing_state {
    struct weakest weakest;
    struct greedy_item *items;
    const double *lengths;
    struct clear clear;
};

static void clearing_init(void *self, const struct weir_setup *setup)
{
    struct clearing_state *state = self;
    state->items = (struct greedy_item *)(state + 1);
    state->lengths = setup->lengths;
    weakest_init(&state->weakest, CLEARING_PART, state->items + setup->capacity, setup->capacity);
}

static void clearing_joined(void *self, const struct weir_view *view, uint32_t app)
{
    struct clearing_state *state = self;
    (void)view;
    weakest_join(&state->weakest, app);
}

static void clearing_left(void *self, const struct weir_view *view, uint32_t app)
{
    struct clearing_state *state = self;
    (void)view;
    weakest_leave(&state->weakest, app);
}

/* The weakest by critical yield, then those with a near deadline, short and on many nodes. */
static void clearing_try_surplus(struct clearing_state *state, const struct weir_view *view)
{
    struct clear *clear = &state->clear;
    double level = weakest_level(&state->weakest, view, critical_running);
    for (uint32_t i = 0; i < clear->count; i++) {
        struct greedy_item *item = &clear->keys[i];
        const struct weir_run *run = &view->runs[item->app];
        double critical = critical_active(view, run);
        bool weak = !weir_less(level, critical);
        item->rank = !weak;
        item->key = weak ? critical : critical_price(view, run, critical - level);
    }
    clear_sort(clear);
    clear_try(clear);
}

static void clearing_try_laxity(struct clear *clear, double yield)
{
    for (uint32_t i = 0; i < clear->count; i++) {
        clear->keys[i].key = clear_deadline(clear, i, yield) - clear->ios[i].rest;
        clear->keys[i].rank = 0;
    }
    clear_sort(clear);
    clear_try(clear);
}

static void clearing_try_yield(struct clear *clear)
{
    for (uint32_t i = 0; i < clear->count; i++) {
        const struct clear_io *io = &clear->ios[i];
        double span = io->length > 0 ? io->length : io->age;
        clear->keys[i].key = span > 0 ? 1 - io->lost / span : 0;
        clear->keys[i].rank = 0;
    }
    clear_sort(clear);
    clear_try(clear);
}

static bool clearing_knows_all(const struct clear *clear)
{
    for (uint32_t i = 0; i < clear->count; i++)
        if (!(clear->ios[i].length > 0))
            return false;
    return true;
}

static void clearing_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct clearing_state *state = self;
    struct clear *clear = &state->clear;
    if (greedy_grant_all(view, grants))
        return;
    if (view->active_count > CLEAR_MOST) {
        critical_serve(view, grants, state->items);
        return;
    }
    clear_init(clear, view, state->lengths);
    /* Where lengths are known, what an application has done so far says nothing more. */
    if (!clearing_knows_all(clear))
        clearing_try_surplus(state, view);
    clearing_try_laxity(clear, clear_find_critical(clear));
    clearing_try_yield(clear);
    clear_repair(clear);
    clear_grant(clear, &clear->best, view, grants);
}

const struct weir_policy_ops policy_clearing = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING | WEIR_NEEDS_YIELD | WEIR_NEEDS_VOLUME | WEIR_GRANTS_ALL |
             WEIR_KNOWS_CURVE,
    .name = "clearing",
    .summary = "the best of several orders, by how the weakest end up when all I/Os are done",
    .paper = "Weir",
    .state_size = sizeof(struct clearing_state),
    .app_size = sizeof(struct greedy_item) + WEAKEST_ROOM,
    .init = clearing_init,
    .joined = clearing_joined,
    .left = clearing_left,
    .decide = clearing_decide,
};
