/* A strategy of your own, in one file: the application on the fewest nodes is served first, so that
 * many small ones are not held up by a big one. Build it and run it:
 *
 *     cc -shared -fPIC -I include -o smallest_first.so examples/plugin/smallest_first.c
 *     weir simulate examples/quickstart.yaml --policy ./smallest_first.so --policy fcfs
 *
 * With `--policy ./smallest_first.so:largest` it is the other way round. */
#include <weir/policy.h>

/* The host gives us zeroed memory: state_size bytes, and app_size for each application. */
struct state {
    bool largest;     /* our parameter */
    uint32_t order[]; /* room to sort the active applications */
};

/* Parameters have a name, a kind, a default and a line of help; the list ends with a NULL name. */
static const struct weir_param params[] = {
    {.name = "largest", .kind = WEIR_PARAM_FLAG, .help = "serve the largest first instead"},
    {.name = NULL},
};

/* Called once; the values come in the order of the list above. */
static void init(void *self, const struct weir_setup *setup)
{
    struct state *state = self;
    state->largest = setup->params[0] > 0;
}

/* Whether a goes before b. Equal sizes go by id: a strategy must be deterministic. */
static bool before(const struct state *state, const struct weir_view *view, uint32_t a, uint32_t b)
{
    double x = view->runs[a].app->nodes, y = view->runs[b].app->nodes;
    if (x == y)
        return a < b;
    return state->largest ? x > y : x < y;
}

/* Called whenever something has changed: says who gets how much from now on. */
static void decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct state *state = self;
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t to = i;
        for (; to > 0 && before(state, view, view->active[i], state->order[to - 1]); to--)
            state->order[to] = state->order[to - 1];
        state->order[to] = view->active[i];
    }
    /* Each in turn gets what it can take of what is left; one that is granted nothing waits. */
    double left = view->bandwidth;
    for (uint32_t i = 0; i < view->active_count && left > 0; i++) {
        double bmax = view->runs[state->order[i]].app->bmax, rate = bmax < left ? bmax : left;
        weir_grant(grants, state->order[i], rate);
        left -= rate;
    }
}

/* The one symbol that weir looks for. */
const struct weir_policy_ops weir_policy = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING, /* `weir simulate --check` holds us to it */
    .name = "smallest-first",
    .summary = "greedy by increasing number of nodes",
    .paper = "an example",
    .params = params,
    .state_size = sizeof(struct state),
    .app_size = sizeof(uint32_t),
    .init = init,
    .decide = decide,
};
