/* best-next-event: constant rates until the next predictable event (a completion, or the end of
 * the window) such that the yields there are as good as they can be: the sorted vector of yields
 * is the lexicographically largest (002 section 4.3, made exact in next_event.c). */
#include "base/maths.h"
#include "policy/greedy.h"
#include "policy/next_event.h"
#include "policy/overrun.h"
#include "policy/strategies.h"
#include <string.h>

/* At least this part of an I/O remains. */
#define LEAST 1e-12

static const struct weir_param params[] = {
    {.name = "topup",
     .kind = WEIR_PARAM_FLAG,
     .initial = 1,
     .help = "give bandwidth that the plan leaves unused to the most delayed"},
    {.name = NULL},
};

/* Where the bandwidth depends on how many are served, this many of the most delayed are tried. */
enum { BEST_NEXT_EVENT_MOST = 32 };

struct best_next_event_state {
    struct next_event problem;
    bool topup;
    double *rates; /* of the best number to serve, while others are tried */
};

static void best_next_event_init(void *self, const struct weir_setup *setup)
{
    struct best_next_event_state *state = self;
    next_event_place(&state->problem, state + 1, setup->capacity);
    state->rates = (double *)((char *)(state + 1) + (size_t)setup->capacity * NEXT_EVENT_ROOM);
    state->topup = setup->params[0] > 0;
}

/* The solver lets no application complete before the event that it aims at, so its rates may leave
 * bandwidth unused. That goes to those that can use it, the lowest yield first. One of them may
 * then complete earlier than planned, which is only another event to decide at. */
static void best_next_event_top_up(struct next_event *problem)
{
    double left = problem->bandwidth;
    uint32_t count = problem->count;
    for (uint32_t i = 0; i < count; i++) {
        const struct next_app *app = &problem->apps[i];
        double yield = app->age > 0 ? 1 - app->lost / app->age : 0;
        left -= problem->best.rates[i];
        problem->items[i] = (struct greedy_item){.key = yield, .app = i};
    }
    if (left <= 1e-12 * problem->bandwidth) /* rounding */
        return;
    greedy_heapify(problem->items, count);
    while (count > 0 && left > 0) {
        uint32_t i = greedy_pop(problem->items, &count).app;
        double more = maths_min(left, problem->apps[i].bmax - problem->best.rates[i]);
        problem->best.rates[i] += more;
        left -= more;
    }
}

/* Serves the first `count` of the problem's applications, which are `all`, and returns the smallest
 * yield at the event that all have then. */
static double best_next_event_serve(struct next_event *problem, uint32_t count, uint32_t all)
{
    double total = 0, span = problem->horizon;
    problem->count = count;
    for (uint32_t i = 0; i < count; i++) {
        total += problem->apps[i].bmax;
        span = maths_min(span, problem->apps[i].volume / problem->apps[i].bmax);
    }
    if (total > problem->bandwidth) {
        next_event_solve(problem);
        span = problem->best.span;
    } else {
        for (uint32_t i = 0; i < count; i++)
            problem->best.rates[i] = problem->apps[i].bmax;
    }
    double least = INFINITY;
    for (uint32_t i = 0; i < all; i++) {
        double rate = i < count ? problem->best.rates[i] : 0;
        least = maths_min(least, next_event_yield(&problem->apps[i], span, rate));
    }
    return least;
}

/* Puts the most delayed first. */
static void best_next_event_sort(struct next_event *problem)
{
    struct next_app *apps = problem->apps;
    for (uint32_t i = 1; i < problem->count; i++) {
        struct next_app moving = apps[i];
        double yield = next_event_yield(&moving, 0, 0);
        uint32_t to = i;
        for (; to > 0 && weir_before(yield, moving.id, next_event_yield(&apps[to - 1], 0, 0),
                                     apps[to - 1].id);
             to--)
            apps[to] = apps[to - 1];
        apps[to] = moving;
    }
}

/* The feasible rates are a union over the number k of those that are served, with less bandwidth
 * for each larger k. For each k the most delayed are served as well as they can be; the k is taken
 * that leaves the smallest yield largest, the smaller one on ties. */
static void best_next_event_choose(struct best_next_event_state *state,
                                   const struct weir_view *view)
{
    struct next_event *problem = &state->problem;
    uint32_t all = problem->count, most = all < BEST_NEXT_EVENT_MOST ? all : BEST_NEXT_EVENT_MOST;
    uint32_t chosen = 0;
    double best = -INFINITY;
    best_next_event_sort(problem);
    for (uint32_t k = 1; k <= most; k++) {
        problem->bandwidth = weir_bandwidth(view, k);
        double least = best_next_event_serve(problem, k, all);
        if (!weir_less(best, least))
            continue;
        if (state->topup)
            best_next_event_top_up(problem);
        memcpy(state->rates, problem->best.rates, k * sizeof *state->rates);
        chosen = k;
        best = least;
    }
    problem->count = chosen;
    memcpy(problem->best.rates, state->rates, chosen * sizeof *state->rates);
}

static void best_next_event_decide(void *self, const struct weir_view *view,
                                   struct weir_grants *grants)
{
    struct best_next_event_state *state = self;
    struct next_event *problem = &state->problem;
    if (greedy_grant_all(view, grants))
        return;
    problem->count = view->active_count;
    problem->bandwidth = view->bandwidth;
    /* Without a window, or after its end, completions are the only events. */
    problem->horizon = view->horizon > view->now ? view->horizon - view->now : INFINITY;
    for (uint32_t i = 0; i < problem->count; i++) {
        const struct weir_run *run = &view->runs[view->active[i]];
        /* In reality an I/O may be complete before that is known: spans of 0 have no yield. */
        double volume = maths_max(overrun_left(view, run), LEAST * run->volume);
        problem->apps[i] = (struct next_app){.lost = weir_lost(view, run),
                                             .age = weir_age(view, run),
                                             .bmax = run->app->bmax,
                                             .volume = volume,
                                             .id = view->active[i]};
    }
    if (view->curve) {
        best_next_event_choose(state, view);
    } else {
        next_event_solve(problem);
        if (state->topup)
            best_next_event_top_up(problem);
    }
    for (uint32_t i = 0; i < problem->count; i++)
        weir_grant(grants, problem->apps[i].id, problem->best.rates[i]);
}

const struct weir_policy_ops policy_best_next_event = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_NEEDS_YIELD | WEIR_NEEDS_VOLUME | WEIR_GRANTS_ALL,
    .name = "best-next-event",
    .summary = "the largest smallest yield at the next predictable event, exactly",
    .paper = "Benoit et al., JPDC 2024, section 4.3",
    .params = params,
    .state_size = sizeof(struct best_next_event_state),
    .app_size = NEXT_EVENT_ROOM + sizeof(double),
    .init = best_next_event_init,
    .decide = best_next_event_decide,
};
