#include "base/maths.h"
#include "base/mem.h"
#include "control/state.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* An I/O of which at most this part remains is complete: a sliver left by rounding must not create
 * events without progress. */
#define SLIVER 1e-9

/* --- making and freeing -------------------------------------------------------------------- */

static bool may_share(const struct control *c)
{
    return c->ops->flags & WEIR_SHARES;
}

static bool is_incremental(const struct control *c)
{
    return c->ops->flags & WEIR_INCREMENTAL;
}

/* Memory for the strategy, whose sizes are what a plug-in says; NULL when it is out. */
static void *allocate_state(const struct weir_policy_ops *ops, uint32_t capacity)
{
    size_t apps, size;
    if (__builtin_mul_overflow(ops->app_size, capacity, &apps) ||
        __builtin_add_overflow(ops->state_size, apps, &size))
        return NULL;
    return mem_alloc(size, 1);
}

static int control_allocate(struct control *c, uint32_t capacity)
{
    if (capacity > MOST_APPLICATIONS)
        return -1;
    c->runs = mem_alloc(capacity, sizeof(*c->runs));
    c->active = mem_alloc(capacity, sizeof(*c->active));
    c->grants.list = mem_alloc(capacity, sizeof(*c->grants.list));
    c->named = mem_alloc(capacity, sizeof(*c->named));
    c->state = allocate_state(c->ops, capacity);
    if (!c->runs || !c->active || !c->grants.list || !c->named || !c->state ||
        timers_init(&c->own, capacity))
        return -1;
    if (may_share(c)) {
        c->since_level = mem_alloc(capacity, sizeof(*c->since_level));
        if (!c->since_level || timers_init(&c->shared, capacity))
            return -1;
    }
    if (is_incremental(c))
        return 0;
    c->granted = mem_alloc(capacity, sizeof(*c->granted));
    c->granting = mem_alloc(capacity, sizeof(*c->granting));
    return c->granted && c->granting ? 0 : -1;
}

struct control *control_new(const struct policy *policy, const struct weir_setup *setup,
                            struct err *err)
{
    struct control *c = mem_alloc(1, sizeof(*c));
    if (!c) {
        err_memory(err);
        return NULL;
    }
    c->ops = policy->ops;
    if (control_allocate(c, setup->capacity)) {
        control_free(c);
        err_memory(err);
        return NULL;
    }
    c->view = (struct weir_view){
        .bandwidth = setup->bandwidth,
        .horizon = setup->horizon,
        .scale = 1,
        .since_level = c->since_level,
        .runs = c->runs,
        .active = c->active,
        .count = setup->capacity,
    };
    c->grants.capacity = setup->capacity;
    c->wake = INFINITY;
    if (c->ops->init) {
        struct weir_setup complete = *setup;
        complete.params = policy->params;
        c->ops->init(c->state, &complete);
    }
    return c;
}

void control_stop(struct control *c)
{
    ration_free(c->ration);
    c->ration = NULL;
    timers_fini(&c->own);
    timers_fini(&c->shared);
    free(c->active);
    free(c->granted);
    free(c->granting);
    free(c->named);
    free(c->grants.list);
    free(c->state);
    c->view.active = c->active = c->granted = c->granting = c->named = NULL;
    c->view.active_count = 0;
    c->grants.list = NULL;
    c->state = NULL;
}

void control_free(struct control *c)
{
    if (!c)
        return;
    control_stop(c);
    free(c->since_level);
    free(c->runs);
    free(c);
}

/* --- time ---------------------------------------------------------------------------------- */

void control_advance(struct control *c, double now)
{
    c->view.now = now;
    if (c->ration)
        ration_elapse(c->ration, now);
    if (now == c->level_since || !c->since_level)
        return;
    /* Kahan: over a long I/O there are many short spans. */
    double more = c->view.scale * (now - c->level_since) - c->level_excess;
    double level = c->view.level + more;
    c->level_excess = (level - c->view.level) - more;
    c->view.level = level;
    c->level_since = now;
}

/* Notes that an application's own numbers are those of now. */
static void stamp(struct control *c, struct weir_run *run)
{
    run->since = c->view.now;
    if (c->since_level)
        c->since_level[run - c->runs] = c->view.level;
}

void control_settle(struct control *c, struct weir_run *run)
{
    if (run->since == c->view.now) /* as most are when they are granted something after a post */
        return;
    run->lost = weir_lost(&c->view, run);
    run->remaining = weir_remaining(&c->view, run);
    stamp(c, run);
}

void control_predict(struct control *c, uint32_t id)
{
    const struct weir_run *run = &c->runs[id];
    /* In units of level a shared grant completes at a constant: it stays right when the scale
     * changes, and no other application has to be touched. */
    if (run->shared)
        timers_set(&c->shared, id, c->view.level + run->remaining / run->rate);
    else if (run->remaining <= SLIVER * run->volume)
        timers_set(&c->own, id, c->view.now);
    else
        timers_set(&c->own, id,
                   run->rate > 0 ? c->view.now + run->remaining / run->rate : INFINITY);
}

/* --- changes ------------------------------------------------------------------------------- */

void control_join(struct control *c, double now, uint32_t id, const struct weir_app *app,
                  double lost)
{
    struct weir_run *run = &c->runs[id];
    assert(run->state == WEIR_ABSENT);
    control_advance(c, now);
    *run = (struct weir_run){.app = app, .lost = lost, .state = WEIR_WORKING};
    /* How its earlier progress was made of work and I/O is not known: as the rest will be. */
    double total = app->total_work + app->total_io;
    run->done_ideal = weir_progress(&c->view, run);
    run->done_work = run->done_ideal * (total > 0 ? app->total_work / total : 1);
    if (c->ops->joined)
        c->ops->joined(c->state, control_seen_view(c), id);
}

void control_activate(struct control *c, uint32_t id)
{
    struct weir_run *run = &c->runs[id];
    run->state = WEIR_ACTIVE;
    stamp(c, run);
    run->rate = 0;
    run->shared = 0;
    run->position = c->view.active_count & MOST_APPLICATIONS;
    c->active[c->view.active_count++] = id;
    sum_add(&c->active_bmax, run->app->bmax);
    c->view.active_bmax = sum_value(&c->active_bmax);
    if (c->ration && ration_hides(c->ration, id))
        run->state = WEIR_HELD;
    else
        control_show(c, id);
}

void control_post(struct control *c, double now, uint32_t id, struct control_io io)
{
    struct weir_run *run = &c->runs[id];
    assert(run->state == WEIR_WORKING && io.volume > 0);
    control_advance(c, now);
    run->posted = io.posted;
    run->volume = run->remaining = io.volume;
    run->work = io.work;
    control_activate(c, id);
}

void control_deactivate(struct control *c, uint32_t id)
{
    struct weir_run *run = &c->runs[id];
    control_unpredict(c, id);
    if (c->ration && run->state == WEIR_ACTIVE)
        control_unlist(c, id);
    uint32_t last = c->active[--c->view.active_count];
    c->active[run->position] = last;
    c->runs[last].position = run->position;
    sum_add(&c->active_bmax, -run->app->bmax);
    if (c->view.active_count == 0)
        c->active_bmax = (struct sum){0, 0}; /* nothing left of its rounding */
    c->view.active_bmax = sum_value(&c->active_bmax);
    if (c->ops->completed && run->state == WEIR_ACTIVE)
        c->ops->completed(c->state, control_seen_view(c), id);
    run->rate = 0;
    run->shared = 0;
}

void control_complete(struct control *c, double now, uint32_t id)
{
    struct weir_run *run = &c->runs[id];
    control_advance(c, now);
    /* The strategy hears of the end of an I/O only while that is active. */
    if (control_paused(c, id))
        control_activate(c, id);
    if (run->state == WEIR_HELD)
        control_show(c, id);
    assert(run->state == WEIR_ACTIVE);
    run->lost = weir_lost(&c->view, run);
    run->remaining = 0;
    stamp(c, run);
    control_deactivate(c, id);
    run->state = WEIR_WORKING;
    run->done_work += run->work;
    run->done_ideal += run->work + run->volume / run->app->bmax;
    run->finished++;
}

void control_iterate(struct control *c, uint32_t id, double work)
{
    struct weir_run *run = &c->runs[id];
    assert(run->state == WEIR_WORKING);
    run->done_work += work;
    run->done_ideal += work;
    run->finished++;
}

void control_leave(struct control *c, double now, uint32_t id)
{
    struct weir_run *run = &c->runs[id];
    control_advance(c, now);
    if (run->state >= WEIR_ACTIVE) {
        control_settle(c, run);
        control_deactivate(c, id);
    }
    run->state = WEIR_ABSENT;
    run->since = now;
    if (c->ops->left)
        c->ops->left(c->state, control_seen_view(c), id);
}

/* --- decisions ----------------------------------------------------------------------------- */

void control_apply(struct control *c, uint32_t id, double rate, bool shared)
{
    struct weir_run *run = &c->runs[id];
    /* Settling needlessly would add rounding to what is kept exactly. */
    if (run->rate == rate && run->shared == shared)
        return;
    control_settle(c, run);
    if (run->shared != shared)
        control_unpredict(c, id);
    run->rate = rate;
    run->shared = shared;
    control_predict(c, id);
}

/* What the strategy gives, or would give if there were no shares. */
static void control_accept(struct control *c, uint32_t id, double rate, bool shared)
{
    if (!control_divides(c)) {
        control_apply(c, id, rate, shared);
        return;
    }
    c->ration->wish[id] = rate;
    c->ration->shared[id] = shared;
}

/* For a strategy that grants everything each time: an application that it does not name loses its
 * grant. */
static void take_back(struct control *c, uint32_t granted_count)
{
    for (uint32_t i = 0; i < c->granted_count; i++)
        if (c->named[c->granted[i]] != (uint32_t)c->decisions)
            control_accept(c, c->granted[i], 0, false);
    uint32_t *before = c->granted;
    c->granted = c->granting;
    c->granting = before;
    c->granted_count = granted_count;
}

/* Applies what the strategy answered. A plug-in's grant to an application that is not active, of a
 * rate that is not a number, or shared without the flag, is ignored; so is such a scale, below. */
static void apply_all(struct control *c)
{
    bool sharing = may_share(c), anew = !is_incremental(c);
    uint32_t granted_count = 0;
    for (uint32_t i = 0; i < c->grants.count; i++) {
        const struct weir_grant *grant = &c->grants.list[i];
        if (grant->app >= c->view.count || c->runs[grant->app].state != WEIR_ACTIVE)
            continue;
        bool some = grant->rate > 0 && grant->rate < INFINITY && (!grant->shared || sharing);
        control_accept(c, grant->app, some ? grant->rate : 0, some && grant->shared);
        if (anew) {
            c->named[grant->app] = (uint32_t)c->decisions;
            c->granting[granted_count++] = grant->app;
        }
    }
    if (anew)
        take_back(c, granted_count);
}

void control_ask(struct control *c)
{
    c->grants.count = 0;
    c->grants.scale = c->view.scale;
    c->grants.wake = INFINITY;
    c->ops->decide(c->state, control_seen_view(c), &c->grants);
    c->grants.count = c->grants.count < c->view.count ? c->grants.count : c->view.count;
    c->decisions++;
    apply_all(c);
    double scale = c->grants.scale;
    c->view.scale = scale > 0 && isfinite(scale) ? scale : 0;
    c->wake = c->grants.wake > c->view.now ? c->grants.wake : INFINITY;
}

void control_decide(struct control *c, double now)
{
    c->wake = INFINITY;
    c->grants.count = 0;
    if (c->view.active_count == 0 && !c->ration)
        return;
    control_advance(c, now);
    if (c->ration)
        ration_decide(c);
    else
        control_ask(c);
}

/* --- questions ----------------------------------------------------------------------------- */

const struct weir_grants *control_answer(const struct control *c)
{
    return &c->grants;
}

uint32_t control_repeated(struct control *c)
{
    uint32_t round = (uint32_t)c->decisions;
    for (uint32_t i = 0; i < c->grants.count; i++)
        c->named[c->grants.list[i].app] = round - 1;
    for (uint32_t i = 0; i < c->grants.count; i++) {
        uint32_t *named = &c->named[c->grants.list[i].app];
        if (*named == round)
            return c->grants.list[i].app;
        *named = round;
    }
    return CONTROL_NONE;
}

static double shared_date(const struct control *c)
{
    double level = may_share(c) ? timers_date(&c->shared) : INFINITY;
    if (!(c->view.scale > 0) || level == INFINITY)
        return INFINITY;
    return c->level_since + maths_max(0, level - c->view.level) / c->view.scale;
}

double control_next(const struct control *c)
{
    return maths_min(maths_min(timers_date(&c->own), shared_date(c)), c->wake);
}

/* Whether an I/O that is predicted to be complete so far ahead, in seconds or in level, is so now;
 * `rounding` is how exact times or levels are. There may be none, infinitely far ahead. */
static bool control_is_due(const struct weir_run *run, double ahead, double rounding)
{
    return ahead <= rounding || (ahead < INFINITY && ahead * run->rate <= SLIVER * run->volume);
}

uint32_t control_due(const struct control *c, double now)
{
    uint32_t id = timers_first(&c->own);
    if (control_is_due(&c->runs[id], timers_date(&c->own) - now, MATHS_ROUNDING * now))
        return id;
    if (!may_share(c))
        return CONTROL_NONE;
    double level = c->view.level + c->view.scale * (now - c->level_since);
    double rounding = MATHS_ROUNDING * (level + c->view.scale * now);
    id = timers_first(&c->shared);
    if (control_is_due(&c->runs[id], timers_date(&c->shared) - level, rounding))
        return id;
    return CONTROL_NONE;
}

bool control_woken(const struct control *c, double now)
{
    return c->wake <= now;
}

const struct weir_view *control_view(struct control *c, double now)
{
    control_advance(c, now);
    return &c->view;
}

double control_rate(const struct control *c, uint32_t id)
{
    const struct weir_run *run = &c->runs[id];
    return run->shared ? run->rate * c->view.scale : run->rate;
}

uint64_t control_decisions(const struct control *c)
{
    return c->decisions;
}
