/* floor: no application falls through, and above the floor transfers end as soon as possible.
 *
 * Active applications below the floor go first, by increasing yield; then the others by increasing
 * remaining / bmax. greedy-com is the most efficient order but starves long transfers, greedy-yield
 * protects the weakest but finishes transfers late: this is the first above the floor and the
 * second below it.
 *
 * With level=auto the floor is a low quantile of the yields of all running applications, working
 * ones included: the weakest in thirty are protected, at least one, and only while they wait. That
 * is enough to stop starvation, and no more; docs/strategies.md has the numbers. */
#include "base/maths.h"
#include "policy/greedy.h"
#include "policy/strategies.h"

/* One in this many running applications is protected. */
#define PROTECTED 30

/* An automatic floor holds until the age of the oldest application has grown by REFRESH, since
 * yields of applications as old cannot change by more in between; and for at least one decision per
 * SHARED_BY applications, so that looking at all of them costs little per decision. */
#define REFRESH   3e-4
#define SHARED_BY 16

struct floor_state {
    bool automatic;
    double level;
    double refresh; /* time from which on an automatic level is out of date */
    uint32_t uses;  /* decisions that it still has to serve */
    struct greedy_item *items;
    double *yields; /* room for sorting */
};

static const struct weir_param params[] = {
    {.name = "level",
     .kind = WEIR_PARAM_NUMBER,
     .initial = NAN,
     .low = 0,
     .high = 1,
     .help = "yield below which an application goes first; auto: the lowest 1/30 of all running"},
    {.name = NULL},
};

static void floor_init(void *self, const struct weir_setup *setup)
{
    struct floor_state *state = self;
    state->level = setup->params[0];
    state->automatic = isnan(state->level);
    state->refresh = -INFINITY;
    state->items = (struct greedy_item *)(state + 1);
    state->yields = (double *)(state->items + setup->capacity);
}

/* The floor has to follow when an application comes or goes. */
static void floor_outdate(void *self, const struct weir_view *view, uint32_t app)
{
    struct floor_state *state = self;
    (void)view;
    (void)app;
    state->refresh = -INFINITY;
    state->uses = 0;
}

/* The value of rank `rank` (0..) among numbers, whose order is spoilt (Hoare's selection). */
static double floor_select_rank(double *numbers, uint32_t count, uint32_t rank)
{
    uint32_t from = 0, to = count - 1;
    while (from < to) {
        double pivot = numbers[from + (to - from) / 2];
        uint32_t i = from, j = to;
        for (;;) {
            while (numbers[i] < pivot)
                i++;
            while (numbers[j] > pivot)
                j--;
            if (i >= j)
                break;
            double swap = numbers[i];
            numbers[i++] = numbers[j];
            numbers[j--] = swap;
        }
        if (rank <= j)
            to = j;
        else
            from = j + 1;
    }
    return numbers[rank];
}

/* The yield up to which applications are protected now. */
static void floor_find_level(struct floor_state *state, const struct weir_view *view)
{
    uint32_t count = 0;
    double oldest = 0;
    for (uint32_t id = 0; id < view->count; id++) {
        const struct weir_run *run = &view->runs[id];
        if (run->state == WEIR_ABSENT)
            continue;
        oldest = maths_max(oldest, weir_age(view, run));
        state->yields[count++] = weir_yield(view, run);
    }
    uint32_t protected = count / PROTECTED > 1 ? count / PROTECTED : 1;
    state->level = floor_select_rank(state->yields, count, protected - 1);
    state->refresh = view->now + REFRESH * oldest;
    state->uses = count / SHARED_BY;
}

static void floor_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct floor_state *state = self;
    if (greedy_grant_all(view, grants))
        return;
    if (state->uses > 0)
        state->uses--;
    else if (state->automatic && view->now >= state->refresh)
        floor_find_level(state, view);
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        const struct weir_run *run = &view->runs[id];
        double yield = weir_yield(view, run), span = weir_remaining(view, run) / run->app->bmax;
        /* An automatic level is the yield of an application, which has to be protected itself. */
        bool low = state->automatic ? !weir_less(state->level, yield) : yield < state->level;
        state->items[i] =
            (struct greedy_item){.key = low ? yield : span, .app = id, .rank = low ? 0 : 1};
    }
    greedy_serve(view, grants, state->items, view->active_count);
}

const struct weir_policy_ops policy_floor = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING | WEIR_NEEDS_YIELD | WEIR_NEEDS_VOLUME,
    .name = "floor",
    .summary = "the shortest transfer first, after the weakest of all running applications",
    .paper = "Weir",
    .params = params,
    .state_size = sizeof(struct floor_state),
    .app_size = sizeof(struct greedy_item) + sizeof(double),
    .init = floor_init,
    .joined = floor_outdate,
    .left = floor_outdate,
    .decide = floor_decide,
};
