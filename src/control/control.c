#include "base/maths.h"
#include "base/mem.h"
#include "control/state.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

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
    /* All that will ever be needed: a decision, which a program may wait for, allocates nothing. */
    if (capacity > MOST_APPLICATIONS)
        return -1;
    c->runs = mem_alloc(capacity, sizeof(*c->runs));
    c->active = mem_alloc(capacity, sizeof(*c->active));
    c->grants.list = mem_alloc(capacity, sizeof(*c->grants.list));
    c->named = mem_alloc(capacity, sizeof(*c->named));
    c->beyond = mem_alloc(capacity, sizeof(*c->beyond));
    c->state = allocate_state(c->ops, capacity);
    if (!c->runs || !c->beyond || !c->active || !c->grants.list || !c->named || !c->state ||
        timers_init(&c->own, capacity))
        return -1;
    if (may_share(c)) {
        c->accrues = true;
        c->since_level = mem_alloc(capacity, sizeof(*c->since_level));
        if (!c->since_level || timers_init(&c->shared, capacity))
            return -1;
    }
    if (!(c->ops->flags & WEIR_KNOWS_CURVE) && !(c->asked = mem_alloc(capacity, sizeof(*c->asked))))
        return -1;
    if (is_incremental(c))
        return 0;
    c->grants_all = c->ops->flags & WEIR_GRANTS_ALL;
    c->granted = mem_alloc(capacity, sizeof(*c->granted));
    return c->granted ? 0 : -1;
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
        .beyond = c->beyond,
        .runs = c->runs,
        .active = c->active,
        .count = setup->capacity,
        .curve = setup->curve,
    };
    c->grants.capacity = setup->capacity;
    c->asked_scale = 1;
    c->lowers = c->asked && setup->curve;
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
    free(c->named);
    free(c->asked);
    free(c->grants.list);
    free(c->state);
    c->view.active = c->active = c->granted = c->named = NULL;
    c->view.active_count = 0;
    c->grants.list = NULL;
    c->asked = NULL;
    c->state = NULL;
}

void control_free(struct control *c)
{
    if (!c)
        return;
    control_stop(c);
    control_blur_free(c);
    free(c->since_level);
    free(c->beyond);
    free(c->runs);
    free(c);
}

/* --- time ---------------------------------------------------------------------------------- */

void control_elapse(struct control *c, double now)
{
    if (c->ration)
        ration_elapse(c->ration, now);
    if (!c->since_level)
        return;
    /* Kahan: over a long I/O there are many short spans. */
    double more = c->view.scale * (now - c->view.now) - c->level_excess;
    double level = c->view.level + more;
    c->level_excess = (level - c->view.level) - more;
    c->view.level = level;
}

/* --- changes ------------------------------------------------------------------------------- */

void control_accompany(struct control *c, double now, uint32_t id, const struct weir_app *app,
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
}

void control_join(struct control *c, double now, uint32_t id, const struct weir_app *app,
                  double lost)
{
    control_accompany(c, now, id, app, lost);
    if (c->ops->joined)
        c->ops->joined(c->state, control_seen_view(c), id);
}

CONTROL_HOT void control_activate(struct control *c, uint32_t id)
{
    struct weir_run *run = &c->runs[id];
    uint32_t last = c->view.active_count++;
    bool held = c->ration && ration_hides(c->ration, id);
    c->active[last] = id;
    run->state = held ? WEIR_HELD : WEIR_ACTIVE;
    run->shared = 0;
    run->position = last & MOST_APPLICATIONS;
    run->rate = 0;
    if (c->lowers)
        c->asked[id] = 0;
    control_stamp(c, run);
    sum_add(&c->active_bmax, run->app->bmax);
    c->view.active_bmax = sum_value(&c->active_bmax);
    if (!held)
        control_announce(c, id);
}

CONTROL_HOT void control_post(struct control *c, double now, uint32_t id, struct control_io io)
{
    struct weir_run *run = &c->runs[id];
    assert(run->state == WEIR_WORKING && io.volume > 0);
    control_advance(c, now);
    run->posted = io.posted;
    run->volume = run->remaining = io.volume;
    run->work = io.work;
    run->exceeded = false;
    run->guessed = io.guessed;
    control_activate(c, id);
}

CONTROL_HOT void control_deactivate(struct control *c, uint32_t id, enum weir_state state)
{
    struct weir_run *run = &c->runs[id];
    control_unpredict(c, id);
    /* Those that the strategy sees come first, so it leaves them before it leaves the others. */
    if (c->ration && run->state == WEIR_ACTIVE)
        control_unlist(c, id);
    uint32_t last = c->active[--c->view.active_count];
    if (last != id) { /* the last one takes its place: the order has no meaning */
        c->active[run->position] = last;
        c->runs[last].position = run->position;
    }
    if (c->full_count > c->view.active_count)
        c->full_count = c->view.active_count;
    else if (run->position < c->full_count) /* one posted since then took its place */
        c->full_count = run->position;
    sum_add(&c->active_bmax, -run->app->bmax);
    if (c->view.active_count == 0)
        c->active_bmax = (struct sum){0, 0}; /* nothing left of its rounding */
    c->view.active_bmax = sum_value(&c->active_bmax);
    if (c->ops->completed && run->state == WEIR_ACTIVE)
        c->ops->completed(c->state, control_seen_view(c), id);
    run->rate = 0;
    run->shared = 0;
    run->state = state & 3;
}

/* Makes an I/O that is complete active, if it was paused or held: the strategy hears of the end of
 * an I/O only then. */
static __attribute__((noinline)) void control_reveal(struct control *c, uint32_t id)
{
    if (control_paused(c, id))
        control_activate(c, id);
    if (c->runs[id].state == WEIR_HELD)
        control_show(c, id);
    assert(c->runs[id].state == WEIR_ACTIVE);
}

CONTROL_HOT void control_complete(struct control *c, double now, uint32_t id)
{
    struct weir_run *run = &c->runs[id];
    control_advance(c, now);
    if (run->state != WEIR_ACTIVE)
        control_reveal(c, id);
    run->lost = weir_lost(&c->view, run);
    run->remaining = 0;
    control_stamp(c, run);
    control_deactivate(c, id, WEIR_WORKING);
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

void control_amend(struct control *c, uint32_t id, double lost)
{
    assert(c->runs[id].state == WEIR_WORKING);
    c->runs[id].lost = lost;
}

void control_elsewhere(struct control *c, uint32_t id, double ideal, double lost)
{
    control_iterate(c, id, ideal);
    control_amend(c, id, lost);
}

void control_dismiss(struct control *c, double now, uint32_t id)
{
    control_advance(c, now);
    c->runs[id].state = WEIR_ABSENT;
    c->runs[id].since = now;
}

void control_leave(struct control *c, double now, uint32_t id)
{
    struct weir_run *run = &c->runs[id];
    control_advance(c, now);
    if (run->state >= WEIR_ACTIVE) {
        control_settle(c, run);
        control_deactivate(c, id, WEIR_ABSENT);
    }
    run->state = WEIR_ABSENT;
    run->since = now;
    if (c->ops->left)
        c->ops->left(c->state, control_seen_view(c), id);
}

/* --- decisions ----------------------------------------------------------------------------- */

CONTROL_HOT void control_apply(struct control *c, uint32_t id, double rate, bool shared)
{
    struct weir_run *run = &c->runs[id];
    /* Settling needlessly would add rounding to what is kept exactly. */
    if (run->rate == rate && run->shared == shared)
        return;
    control_settle(c, run);
    if (run->shared != shared) {
        control_unpredict(c, id);
        run->shared = shared;
    }
    run->rate = rate;
    control_predict(c, id);
}

/* What the strategy gives, or would give if there were no shares. */
static inline void control_accept(struct control *c, uint32_t id, double rate, bool shared)
{
    if (c->lowers)
        c->asked[id] = shared ? 0 : rate;
    if (!c->ration || !control_divides(c)) {
        control_apply(c, id, rate, shared);
        return;
    }
    c->ration->wish[id] = rate;
    c->ration->shared[id] = shared;
}

/* Applies what the strategy answered. A plug-in's grant to an application that is not active, of a
 * rate that is not a number, or shared without the flag, is ignored; so is such a scale, below. */
static CONTROL_HOT void control_accept_all(struct control *c)
{
    const struct weir_grant *grant = c->grants.list, *end = grant + c->grants.count;
    for (; grant < end; grant++) {
        if (grant->app >= c->view.count || c->runs[grant->app].state != WEIR_ACTIVE)
            continue;
        bool some = grant->rate > 0 && grant->rate < INFINITY && (!grant->shared || may_share(c));
        control_accept(c, grant->app, some ? grant->rate : 0, some && grant->shared);
    }
}

/* Takes back the first `holding` grants, unless the strategy has named them again. */
static __attribute__((noinline)) void control_take_back(struct control *c, uint32_t holding)
{
    uint32_t round = (uint32_t)c->decisions;
    for (uint32_t i = 0; i < c->grants.count; i++)
        if (c->grants.list[i].app < c->view.count)
            c->named[c->grants.list[i].app] = round;
    for (uint32_t i = 0; i < holding; i++)
        if (c->named[c->granted[i]] != round)
            control_accept(c, c->granted[i], 0, false);
}

/* For a strategy that grants everything each time: an application that it does not name loses its
 * grant. Those whose I/O is complete have none, so that mostly there is nothing to take back. */
static inline void control_replace(struct control *c)
{
    uint32_t holding = 0;
    if (c->granted_all) {
        c->granted_count = c->view.active_count;
        memcpy(c->granted, c->active, c->granted_count * sizeof *c->granted);
    }
    for (uint32_t i = 0; i < c->granted_count; i++)
        if (c->runs[c->granted[i]].rate > 0 || c->ration)
            c->granted[holding++] = c->granted[i];
    if (holding > 0)
        control_take_back(c, holding);
    c->granted_count = 0;
    for (uint32_t i = 0; i < c->grants.count; i++)
        if (c->grants.list[i].app < c->view.count)
            c->granted[c->granted_count++] = c->grants.list[i].app;
}

/* Whether all fit under a strategy that grants all then. One that sees old progress is asked all
 * the same: being asked is when it is shown later progress. */
static inline bool control_fits(const struct control *c)
{
    return c->grants_all && !c->filtered &&
           c->view.active_bmax <= weir_bandwidth(&c->view, c->view.active_count);
}

/* The answer of such a strategy. Those that have their bmax already keep it, so that a post costs
 * the same whatever the number of active applications. */
static void control_answer_all(struct control *c)
{
    for (uint32_t i = c->full_count; i < c->view.active_count; i++)
        weir_grant(&c->grants, c->active[i], c->runs[c->active[i]].app->bmax);
    c->full_count = c->view.active_count;
    c->granted_all = true;
}

static CONTROL_HOT void control_answer_some(struct control *c)
{
    /* In an outage nothing can be granted; an incremental strategy has to know that. */
    if (c->view.bandwidth > 0 || is_incremental(c))
        c->ops->decide(c->state, control_seen_view(c), &c->grants);
    c->grants.count = c->grants.count < c->view.count ? c->grants.count : c->view.count;
    /* First what is taken back: so the timers never hold both the old and the new ones. */
    if (!is_incremental(c))
        control_replace(c);
    c->granted_all = false;
    c->full_count = 0;
}

/* Where the strategy asks for more than those that it serves can move together, all of them get the
 * same part of that, as a store would give them. */
static __attribute__((noinline)) void control_lower(struct control *c)
{
    double total = 0;
    uint32_t movers = 0;
    for (uint32_t i = 0; i < c->view.active_count; i++) {
        uint32_t id = c->active[i];
        double rate = c->runs[id].shared ? c->runs[id].rate * c->asked_scale : c->asked[id];
        total += rate;
        movers += rate > 0;
    }
    double most = movers > 0 ? weir_bandwidth(&c->view, movers) : 0;
    double factor = total > most ? most / total : 1;
    for (uint32_t i = 0; i < c->view.active_count; i++)
        if (!c->runs[c->active[i]].shared)
            control_apply(c, c->active[i], c->asked[c->active[i]] * factor, false);
    c->view.scale = c->asked_scale * factor;
}

static CONTROL_HOT void control_ask_plainly(struct control *c)
{
    c->grants.count = 0;
    c->grants.scale = c->view.scale;
    c->grants.wake = INFINITY;
    c->decisions++;
    if (control_fits(c))
        control_answer_all(c);
    else
        control_answer_some(c);
    control_accept_all(c);
    double scale = c->grants.scale;
    if (may_share(c))
        c->view.scale = scale > 0 && isfinite(scale) ? scale : 0;
    /* A time that has passed would make an instant of no length, again and again. */
    c->wake = c->grants.wake > c->view.now ? c->grants.wake : INFINITY;
}

static __attribute__((noinline)) void control_ask_lowering(struct control *c)
{
    c->view.scale = c->asked_scale; /* the strategy's own, not what was made of it */
    control_ask_plainly(c);
    c->asked_scale = c->view.scale;
    control_lower(c);
}

CONTROL_HOT void control_ask(struct control *c)
{
    if (c->lowers)
        control_ask_lowering(c);
    else
        control_ask_plainly(c);
}

void control_set_bandwidth(struct control *c, double now, double bandwidth)
{
    control_advance(c, now);
    c->view.bandwidth = bandwidth;
    if (!c->asked || c->lowers)
        return;
    c->lowers = true; /* from here on; what it asked for so far, it has */
    c->asked_scale = c->view.scale;
    for (uint32_t i = 0; i < c->view.active_count; i++) {
        uint32_t id = c->active[i];
        c->asked[id] = c->runs[id].shared ? 0 : c->runs[id].rate;
    }
}

CONTROL_HOT void control_decide(struct control *c, double now)
{
    c->wake = INFINITY;
    c->grants.count = 0;
    /* Where nothing is active there is nothing to decide; with shares, that nothing moves any more
     * has to be noted. */
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
    /* Whatever earlier decisions left there must not look like this one. */
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

static double shared_time(const struct control *c)
{
    double level = c->since_level ? timers_time(&c->shared) : INFINITY;
    if (!(c->view.scale > 0) || level == INFINITY)
        return INFINITY;
    return c->view.now + maths_max(0, level - c->view.level) / c->view.scale;
}

inline double control_next(const struct control *c)
{
    return maths_min(maths_min(timers_time(&c->own), shared_time(c)), c->wake);
}

/* Whether an I/O that is predicted to be complete so far ahead, in seconds or in level, is so now;
 * `rounding` is how exact times or levels are. There may be none, infinitely far ahead. */
static bool control_is_due(const struct weir_run *run, double ahead, double rounding)
{
    return ahead <= rounding ||
           (ahead < INFINITY && ahead * run->rate <= CONTROL_SLIVER * run->volume);
}

inline uint32_t control_due(const struct control *c, double now)
{
    uint32_t id = timers_first(&c->own);
    if (control_is_due(&c->runs[id], timers_time(&c->own) - now, MATHS_ROUNDING * now))
        return id;
    if (!c->since_level)
        return CONTROL_NONE;
    /* As of `now`, which may be ahead of the view: asking does not advance it. */
    double level = c->view.level + c->view.scale * (now - c->view.now);
    double rounding = MATHS_ROUNDING * (level + c->view.scale * now);
    id = timers_first(&c->shared);
    if (control_is_due(&c->runs[id], timers_time(&c->shared) - level, rounding))
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

bool control_active(const struct control *c, uint32_t id)
{
    return c->runs[id].state >= WEIR_ACTIVE;
}

uint64_t control_decisions(const struct control *c)
{
    return c->decisions;
}
