#include "common.h"
#include <math.h>

struct rank {
    double major, minor;
    uint32_t app;
};

static bool before(const struct rank *a, const struct rank *b)
{
    if (a->major != b->major)
        return a->major < b->major;
    if (weir_less(a->minor, b->minor) || weir_less(b->minor, a->minor))
        return a->minor < b->minor;
    return a->app < b->app;
}

static void sort(struct rank *ranks, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++)
            if (before(&ranks[j], &ranks[i])) {
                struct rank swap = ranks[i];
                ranks[i] = ranks[j];
                ranks[j] = swap;
            }
}

static void serve(const struct weir_view *view, struct weir_grants *grants, struct rank *ranks,
                  uint32_t count, double left)
{
    sort(ranks, count);
    for (uint32_t i = 0; i < count; i++) {
        double rate = fmin(view->runs[ranks[i].app].app->bmax, left);
        weir_grant(grants, ranks[i].app, rate);
        left -= rate;
    }
}

typedef struct rank rank_of(const struct weir_view *view, const struct weir_run *run);

static void serve_by(const struct weir_view *view, struct weir_grants *grants, rank_of *key)
{
    struct rank ranks[SMALL_APPS];
    for (uint32_t i = 0; i < view->active_count; i++) {
        ranks[i] = key(view, &view->runs[view->active[i]]);
        ranks[i].app = view->active[i];
    }
    serve(view, grants, ranks, view->active_count, view->bandwidth);
}

static struct rank by_post(const struct weir_view *view, const struct weir_run *run)
{
    (void)view;
    return (struct rank){.minor = run->posted};
}

static struct rank by_span(const struct weir_view *view, const struct weir_run *run)
{
    return (struct rank){.minor = weir_remaining(view, run) / run->app->bmax};
}

static struct rank by_yield(const struct weir_view *view, const struct weir_run *run)
{
    return (struct rank){.minor = weir_yield(view, run)};
}

static void fcfs(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    (void)state;
    serve_by(view, grants, by_post);
}

static void greedy_com(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    (void)state;
    serve_by(view, grants, by_span);
}

static void greedy_yield(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    (void)state;
    serve_by(view, grants, by_yield);
}

/* (P + rest) / age, where the I/O takes `rest` seconds alone, or up to the end of the window. */
static double critical(const struct weir_view *view, const struct weir_run *run)
{
    double rest = fmin(weir_remaining(view, run) / run->app->bmax, view->horizon - view->now);
    double age = weir_age(view, run);
    return age > 0 ? (weir_progress(view, run) + rest) / age : 0;
}

static double critical_or_yield(const struct weir_view *view, const struct weir_run *run)
{
    return run->state == WEIR_WORKING ? weir_yield(view, run) : critical(view, run);
}

/* What separates the weakest, the time until which it holds, and for how many decisions at least.
 */
struct level {
    double value, until, oldest;
    uint32_t uses;
};

static void forget_level(void *state, const struct weir_view *view, uint32_t app)
{
    (void)view;
    (void)app;
    *(struct level *)state = (struct level){.until = -1};
}

/* The lowest value in so many of all running, at least one; it holds while the oldest grows older
 * by 3 parts in 10,000, and for as many decisions as a sixteenth of their number. */
static void find_level(struct level *level, const struct weir_view *view, uint32_t many,
                       double (*value)(const struct weir_view *, const struct weir_run *))
{
    struct rank ranks[SMALL_APPS];
    uint32_t running = 0;
    double oldest = 0;
    bool crowded = view->active_bmax > view->bandwidth;
    if (crowded && level->uses > 0)
        level->uses--;
    else if (crowded && view->now >= level->until) {
        for (uint32_t id = 0; id < view->count; id++) {
            if (view->runs[id].state == WEIR_ABSENT)
                continue;
            ranks[running++] = (struct rank){.minor = value(view, &view->runs[id])};
            oldest = fmax(oldest, weir_age(view, &view->runs[id]));
        }
        sort(ranks, running);
        *level = (struct level){ranks[running < 2 * many ? 0 : running / many - 1].minor,
                                view->now + 3e-4 * oldest, oldest, running / 16};
    }
}

static void floor_auto(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    struct level *level = state;
    struct rank ranks[SMALL_APPS];
    find_level(level, view, 30, weir_yield);
    for (uint32_t i = 0; i < view->active_count; i++) {
        const struct weir_run *run = &view->runs[view->active[i]];
        double yield = weir_yield(view, run);
        ranks[i] = (struct rank){0, yield, view->active[i]};
        if (weir_less(level->value, yield))
            ranks[i] = (struct rank){1, by_span(view, run).minor, view->active[i]};
    }
    serve(view, grants, ranks, view->active_count, view->bandwidth);
}

static void surplus(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    struct level *level = state;
    struct rank ranks[SMALL_APPS];
    find_level(level, view, 30, critical_or_yield);
    for (uint32_t i = 0; i < view->active_count; i++) {
        const struct weir_run *run = &view->runs[view->active[i]];
        double own = critical(view, run), bytes = weir_remaining(view, run) / run->app->nodes;
        double age = weir_age(view, run), late = age * (own - level->value);
        double part = level->oldest > 0 ? fmax(0, 1 - age / level->oldest) : 0;
        double rest = weir_remaining(view, run) / run->app->bmax;
        ranks[i] = (struct rank){0, level->oldest + late, view->active[i]};
        if (weir_less(level->value * (age + part * rest), age * own))
            ranks[i] = (struct rank){1, late * bytes, view->active[i]};
    }
    serve(view, grants, ranks, view->active_count, view->bandwidth);
}

struct clearing_twin {
    struct level level; /* first: forget_level knows no more */
    const double *lengths;
};

static void clearing_start(void *state, const struct weir_setup *setup)
{
    ((struct clearing_twin *)state)->lengths = setup->lengths;
}

/* The weakest tenth by critical yield, the others by the seconds to their deadlines at that yield
 * and their bytes per node; then what the twin of critical-yield does, and more. */
static void clearing(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    struct clearing_twin *twin = state;
    struct level *level = &twin->level;
    struct rank ranks[SMALL_APPS];
    find_level(level, view, 10, critical_or_yield);
    for (uint32_t i = 0; i < view->active_count; i++) {
        const struct weir_run *run = &view->runs[view->active[i]];
        double own = critical(view, run), bytes = weir_remaining(view, run) / run->app->nodes;
        double late = weir_age(view, run) * (own - level->value);
        ranks[i] = (struct rank){0, own, view->active[i]};
        if (weir_less(level->value, own))
            ranks[i] = (struct rank){1, late * bytes, view->active[i]};
    }
    sort(ranks, view->active_count);
    uint32_t first[SMALL_APPS];
    for (uint32_t i = 0; i < view->active_count; i++)
        first[i] = ranks[i].app;
    twin_clearing(view, grants, first, twin->lengths);
}

static void fair_share(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    double total = 0;
    (void)state;
    for (uint32_t i = 0; i < view->active_count; i++)
        total += view->runs[view->active[i]].app->bmax;
    for (uint32_t i = 0; i < view->active_count; i++)
        weir_grant(grants, view->active[i],
                   view->runs[view->active[i]].app->bmax * fmin(1, view->bandwidth / total));
}

/* Whoever has the smallest bmax takes an equal share of what is left, or all it can take. */
static void best_effort(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    struct rank ranks[SMALL_APPS];
    uint32_t count = view->active_count;
    double left = view->bandwidth;
    (void)state;
    for (uint32_t i = 0; i < count; i++)
        ranks[i] = (struct rank){0, view->runs[view->active[i]].app->bmax, view->active[i]};
    sort(ranks, count);
    for (uint32_t i = 0; i < count; i++) {
        double rate = fmin(ranks[i].minor, left / (count - i));
        weir_grant(grants, ranks[i].app, rate);
        left -= rate;
    }
}

/* The rates with `chosen` first and the others by yield, and the smallest yield at the first
 * completion, or at the window's end. */
static double try_first(const struct weir_view *view, uint32_t chosen, struct weir_grants *trial)
{
    struct rank ranks[SMALL_APPS];
    double ahead = view->horizon - view->now, least = INFINITY;
    trial->count = 0;
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        ranks[i] = (struct rank){id == chosen ? 0 : 1, weir_yield(view, &view->runs[id]), id};
    }
    serve(view, trial, ranks, view->active_count, view->bandwidth);
    for (uint32_t i = 0; i < trial->count; i++)
        if (trial->list[i].rate > 0)
            ahead = fmin(ahead, weir_remaining(view, &view->runs[trial->list[i].app]) /
                                    trial->list[i].rate);
    for (uint32_t i = 0; i < trial->count; i++) {
        const struct weir_run *run = &view->runs[trial->list[i].app];
        double age = weir_age(view, run) + ahead;
        double lost = weir_lost(view, run) + ahead * (1 - trial->list[i].rate / run->app->bmax);
        least = fmin(least, age > 0 ? 1 - lost / age : 0);
    }
    return least;
}

static void look_ahead(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    struct weir_grant list[SMALL_APPS];
    struct weir_grants trial = {.list = list, .capacity = SMALL_APPS};
    uint32_t best = UINT32_MAX;
    double best_yield = -INFINITY;
    (void)state;
    for (uint32_t id = 0; id < view->count; id++) {
        if (view->runs[id].state != WEIR_ACTIVE)
            continue;
        double yield = try_first(view, id, &trial);
        if (best == UINT32_MAX || weir_less(best_yield, yield)) {
            best = id;
            best_yield = yield;
        }
    }
    grants->count = 0;
    try_first(view, best, grants);
}

/* What the twin of set-10 keeps of each application. */
struct history {
    double total;
    int posts, set;
};

static void note_join(void *state, const struct weir_view *view, uint32_t app)
{
    (void)view;
    ((struct history *)state)[app] = (struct history){0};
}

static void note_post(void *state, const struct weir_view *view, uint32_t app)
{
    struct history *own = (struct history *)state + app;
    const struct weir_run *run = &view->runs[app];
    double omega = 0.01;
    if (own->posts++ > 0) {
        own->total += run->work + run->volume / run->app->bmax;
        omega = own->total / (own->posts - 1);
    }
    if (run->app->period > 0)
        omega = run->app->period;
    own->set = (int)lround(log10(omega));
}

static void set_10(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    const struct history *all = state;
    enum { SETS = 41, ZERO = 20 };
    double wants[SETS] = {0}, share[SETS] = {0}, left = view->bandwidth;
    bool open[SETS] = {false}, again = true;
    for (uint32_t i = 0; i < view->active_count; i++) {
        int set = all[view->active[i]].set + ZERO;
        wants[set] += view->runs[view->active[i]].app->bmax;
        open[set] = true;
    }
    while (again) {
        double total = 0, divided = left;
        again = false;
        for (int s = 0; s < SETS; s++)
            total += open[s] ? pow(10, ZERO - s) : 0;
        for (int s = 0; s < SETS; s++) {
            if (!open[s])
                continue;
            share[s] = divided * pow(10, ZERO - s) / total;
            if (wants[s] > share[s])
                continue;
            share[s] = wants[s];
            left -= wants[s];
            open[s] = false;
            again = true;
        }
    }
    for (int s = 0; s < SETS; s++) {
        struct rank ranks[SMALL_APPS];
        uint32_t count = 0;
        for (uint32_t i = 0; i < view->active_count; i++)
            if (all[view->active[i]].set + ZERO == s)
                ranks[count++] =
                    (struct rank){0, view->runs[view->active[i]].posted, view->active[i]};
        serve(view, grants, ranks, count, share[s]);
    }
}

#define TWIN(text, function)                                                                       \
    {                                                                                              \
        .name = text, .ops = {                                                                     \
            .abi = WEIR_POLICY_ABI,                                                                \
            .flags = WEIR_WORK_CONSERVING,                                                         \
            .name = "naive " text,                                                                 \
            .decide = function                                                                     \
        }                                                                                          \
    }
const struct twin twins[] = {
    TWIN("fcfs", fcfs),
    TWIN("greedy-com", greedy_com),
    TWIN("greedy-yield", greedy_yield),
    TWIN("critical-yield", twin_critical_yield),
    TWIN("fair-share", fair_share),
    TWIN("best-effort", best_effort),
    TWIN("look-ahead-greedy-yield", look_ahead),
    {.name = "set-10",
     .ops = {.abi = WEIR_POLICY_ABI,
             .flags = WEIR_WORK_CONSERVING,
             .name = "naive set-10",
             .app_size = sizeof(struct history),
             .joined = note_join,
             .posted = note_post,
             .decide = set_10}},
    {.name = "floor",
     .ops = {.abi = WEIR_POLICY_ABI,
             .flags = WEIR_WORK_CONSERVING,
             .name = "naive floor",
             .state_size = sizeof(struct level),
             .joined = forget_level,
             .left = forget_level,
             .decide = floor_auto}},
    {.name = "clearing",
     .ops = {.abi = WEIR_POLICY_ABI,
             .flags = WEIR_WORK_CONSERVING,
             .name = "naive clearing",
             .state_size = sizeof(struct clearing_twin),
             .init = clearing_start,
             .joined = forget_level,
             .left = forget_level,
             .decide = clearing}},
    {.name = "surplus",
     .ops = {.abi = WEIR_POLICY_ABI,
             .flags = WEIR_WORK_CONSERVING,
             .name = "naive surplus",
             .state_size = sizeof(struct level),
             .joined = forget_level,
             .left = forget_level,
             .decide = surplus}},
    {.name = NULL},
};
