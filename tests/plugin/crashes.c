/* A plug-in that does what one with a fault does, the third time it is asked. */
#include <stdlib.h>
#include <weir/policy.h>

enum { NOTHING, CRASH, LOOP, TIMERS, RECURSE, END };
static const char *const ways[] = {"nothing", "crash", "loop", "timers", "recurse", "end", NULL};

struct crashes {
    int way;
    unsigned asked;
};

static const struct weir_param params[] = {
    {.name = "way", .kind = WEIR_PARAM_CHOICE, .choices = ways, .help = "what it does"},
    {.name = NULL},
};

static volatile int *volatile nowhere;
static volatile int going = 1;

static int recurse(volatile char *above)
{
    volatile char room[4096];
    room[0] = above ? above[0] : 1;
    return going ? recurse(room) + room[0] : 0;
}

static void crashes_init(void *self, const struct weir_setup *setup)
{
    struct crashes *state = self;
    state->way = (int)setup->params[0];
}

static void crashes_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct crashes *state = self;
    double left = view->bandwidth;
    for (uint32_t i = 0; i < view->active_count; i++) {
        double bmax = view->runs[view->active[i]].app->bmax, rate = bmax < left ? bmax : left;
        weir_grant(grants, view->active[i], rate);
        left -= rate;
    }
    if (++state->asked < 3)
        return;
    if (state->way == CRASH)
        *nowhere = 1;
    while (state->way == LOOP && going)
        ;
    if (state->way == TIMERS)
        grants->wake = nextafter(view->now, INFINITY);
    if (state->way == RECURSE)
        going = recurse(NULL);
    if (state->way == END)
        exit(0);
}

const struct weir_policy_ops weir_policy = {
    .abi = WEIR_POLICY_ABI,
    .name = "crashes",
    .summary = "serves in any order, or fails",
    .params = params,
    .state_size = sizeof(struct crashes),
    .init = crashes_init,
    .decide = crashes_decide,
};
