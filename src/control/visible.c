/* Shares of users: which I/Os the strategy sees. The visible ones come first in the list of active
 * ones, so the strategy's view is the controller's with a smaller count. */
#include "base/maths.h"
#include "control/state.h"
#include <assert.h>
#include <float.h>

int control_share(struct control *c, const struct shares *shares, struct err *err)
{
    if (c->ops->flags & WEIR_NEEDS_PLAN)
        return shares_refuse_plan(err);
    c->ration = ration_new(shares, c->view.bandwidth, c->view.count);
    c->accrues = c->filtered = c->unusual = true;
    return c->ration ? 0 : err_memory(err);
}

int control_place(struct control *c, uint32_t id, const struct control_party *party,
                  struct err *err)
{
    assert(c->runs[id].state == WEIR_ABSENT);
    return !c->ration || ration_place(c->ration, id, party) == 0 ? 0 : err_memory(err);
}

void control_spread(struct control *c, uint32_t id, double nodes)
{
    if (c->ration)
        ration_resize(c->ration, id, nodes);
}

bool control_held(const struct control *c, uint32_t id)
{
    return c->runs[id].state == WEIR_HELD;
}

double control_ahead(const struct control *c, double now, uint32_t id)
{
    return c->ration ? ration_ahead(c->ration, id, now) : 0;
}

bool control_divides(const struct control *c)
{
    return c->ration && (c->ops->flags & (WEIR_SHARES | WEIR_DIVIDES));
}

const struct weir_view *control_visible(struct control *c)
{
    /* A copy: the engine itself needs all that are active, for completions and measures. */
    c->seen = c->view;
    if (c->ration) {
        c->seen.active_count = c->visible_count;
        c->seen.active_bmax = sum_value(&c->visible_bmax);
    }
    if (c->blur)
        control_blur_view(c, &c->seen);
    return &c->seen;
}

/* Exchanges two places among the active ones. */
static void visible_swap(struct control *c, uint32_t a, uint32_t b)
{
    uint32_t id = c->active[a];
    c->active[a] = c->active[b];
    c->active[b] = id;
    c->runs[c->active[a]].position = a & MOST_APPLICATIONS;
    c->runs[c->active[b]].position = b & MOST_APPLICATIONS;
}

void control_list(struct control *c, uint32_t id)
{
    const struct weir_run *run = &c->runs[id];
    visible_swap(c, run->position, c->visible_count++);
    sum_add(&c->visible_bmax, run->app->bmax);
    c->ration->wish[id] = 0;
}

void control_unlist(struct control *c, uint32_t id)
{
    const struct weir_run *run = &c->runs[id];
    visible_swap(c, run->position, --c->visible_count);
    sum_add(&c->visible_bmax, -run->app->bmax);
    if (c->visible_count == 0)
        c->visible_bmax = (struct sum){0, 0}; /* nothing left of its rounding */
}

void control_hide(struct control *c, uint32_t id)
{
    struct weir_run *run = &c->runs[id];
    control_settle(c, run);
    /* To the strategy, an I/O that is dropped has bytes left, and one that is complete has none. */
    run->remaining = maths_max(run->remaining, DBL_MIN);
    control_unlist(c, id);
    run->state = WEIR_HELD;
    if (c->ops->completed)
        c->ops->completed(c->state, control_seen_view(c), id);
}
