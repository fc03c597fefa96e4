/* surplus: no application falls through, and what the others have above the weakest is spent on
 * short transfers of many nodes.
 *
 * The level m is a low quantile of the critical yields (critical.h) of all running applications,
 * working ones included. Active ones at most at m go first, by their deadlines at m: where all are
 * as old, by critical yield c. The others have a surplus of c - m, which they can lose without
 * becoming the weakest: it takes (c - m) * age / m seconds. They follow by increasing
 * (c - m) * age * remaining / nodes: a small surplus, a short transfer and many nodes that wait for
 * it all bring one forward. With a level of the weakest one alone, too much is spent among hundreds
 * of applications: so the level is that of one in thirty.
 *
 * Where bandwidth is scarce at all times, each byte of an application that works long for its I/O
 * brings more progress, and its I/O hardly delays the others. By its surplus it would wait until it
 * is as weak as they are, which helps none of them. With thrift t > 0 the price is
 * (c - m + t (1 - m)) * age * remaining / (nodes * gain), where the gain is the progress per
 * second of its own I/O so far: at t of the distance between the level and 1, surplus hardly
 * counts. */
#include "base/maths.h"
#include "policy/critical.h"
#include "policy/greedy.h"
#include "policy/strategies.h"
#include "policy/weakest.h"

struct surplus_state {
    struct weakest weakest;
    double thrift;
    struct greedy_item *items;
};

static const struct weir_param params[] = {
    {.name = "part",
     .kind = WEIR_PARAM_NUMBER,
     .initial = WEAKEST_PART,
     .low = 0,
     .high = 1,
     .help = "of all running applications that is protected; at least one is"},
    {.name = "thrift",
     .kind = WEIR_PARAM_NUMBER,
     .initial = 0,
     .low = 0,
     .high = 1,
     .help = "how much to favour applications that work long for their I/O; 0: not at all"},
    {.name = NULL},
};

static void surplus_init(void *self, const struct weir_setup *setup)
{
    struct surplus_state *state = self;
    state->thrift = setup->params[1];
    state->items = (struct greedy_item *)(state + 1);
    weakest_init(&state->weakest, setup->params[0], state->items + setup->capacity,
                 setup->capacity);
}

static void surplus_joined(void *self, const struct weir_view *view, uint32_t app)
{
    struct surplus_state *state = self;
    (void)view;
    weakest_join(&state->weakest, app);
}

static void surplus_left(void *self, const struct weir_view *view, uint32_t app)
{
    struct surplus_state *state = self;
    (void)view;
    weakest_leave(&state->weakest, app);
}

/* Seconds of progress per second of its own I/O, by what it did so far. */
static double surplus_gain(const struct weir_run *run)
{
    double work = run->done_work + run->work;
    double io = run->done_ideal - run->done_work + run->volume / run->app->bmax;
    return 1 + work / io;
}

/* What serving one above the level costs: the cheapest go first. */
static double surplus_price(const struct surplus_state *state, const struct weir_view *view,
                            const struct weir_run *run, double above)
{
    if (state->thrift > 0)
        above =
            (above + state->thrift * maths_max(0, 1 - state->weakest.level)) / surplus_gain(run);
    return critical_price(view, run, above);
}

/* Whether it is so weak that it is protected. An old one has the level for its yield if its
 * deadline is now; of a young one the I/O may be most of its age, and it has to begin in time. In
 * between the length of the I/O counts in part. */
static bool surplus_is_weak(const struct surplus_state *state, const struct weir_view *view,
                            const struct weir_run *run, double critical)
{
    double age = weir_age(view, run), rest = weir_expected(view, run) / run->app->bmax;
    double youth = maths_max(1 - age / state->weakest.oldest, 0);
    return !weir_less(state->weakest.level * (age + youth * rest), age * critical);
}

static void surplus_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct surplus_state *state = self;
    if (greedy_grant_all(view, grants))
        return;
    double level = weakest_level(&state->weakest, view, critical_running);
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        const struct weir_run *run = &view->runs[id];
        double critical = critical_active(view, run);
        bool weak = surplus_is_weak(state, view, run, critical);
        /* By their deadlines at the level, from a time before all of them. */
        double key = weak ? state->weakest.oldest + weir_age(view, run) * (critical - level)
                          : surplus_price(state, view, run, critical - level);
        state->items[i] = (struct greedy_item){.key = key, .app = id, .rank = weak ? 0 : 1};
    }
    greedy_serve(view, grants, state->items, view->active_count);
}

const struct weir_policy_ops policy_surplus = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING | WEIR_NEEDS_YIELD | WEIR_NEEDS_VOLUME | WEIR_GRANTS_ALL |
             WEIR_KNOWS_CURVE,
    .name = "surplus",
    .summary = "the weakest first, then those that have little to lose, short and on many nodes",
    .paper = "Weir",
    .params = params,
    .state_size = sizeof(struct surplus_state),
    .app_size = sizeof(struct greedy_item) + WEAKEST_ROOM,
    .init = surplus_init,
    .joined = surplus_joined,
    .left = surplus_left,
    .decide = surplus_decide,
};
