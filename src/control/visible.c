/* Shares of users: which I/Os the strategy sees. */
#include "base/maths.h"
#include "control/state.h"
#include <assert.h>
#include <float.h>

int control_share(struct control *c, const struct shares *shares, struct err *err)
{
    if (c->ops->flags & WEIR_NEEDS_PLAN)
        return err_set(err, "a strategy that follows a plan cannot keep the shares of users");
    c->ration = ration_new(shares, c->view.bandwidth, c->view.count);
    return c->ration ? 0 : err_memory(err);
}

int control_place(struct control *c, uint32_t id, const struct control_party *party,
                  struct err *err)
{
    assert(c->runs[id].state == WEIR_ABSENT);
    return !c->ration || ration_place(c->ration, id, party) == 0 ? 0 : err_memory(err);
}

bool control_divides(const struct control *c)
{
    return c->ration && (c->ops->flags & (WEIR_SHARES | WEIR_DIVIDES));
}

const struct weir_view *control_visible(struct control *c)
{
    c->seen = c->view;
    c->seen.active_count = c->visible_count;
    c->seen.active_bmax = sum_value(&c->visible_bmax);
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

void control_show(struct control *c, uint32_t id)
{
    struct weir_run *run = &c->runs[id];
    run->state = WEIR_ACTIVE;
    if (c->ration) {
        visible_swap(c, run->position, c->visible_count++);
        sum_add(&c->visible_bmax, run->app->bmax);
        c->ration->wish[id] = 0;
    }
    if (c->ops->posted)
        c->ops->posted(c->state, control_seen_view(c), id);
}

void control_unlist(struct control *c, uint32_t id)
{
    const struct weir_run *run = &c->runs[id];
    visible_swap(c, run->position, --c->visible_count);
    sum_add(&c->visible_bmax, -run->app->bmax);
    if (c->visible_count == 0)
        c->visible_bmax = (struct sum){0, 0};
}

void control_hide(struct control *c, uint32_t id)
{
    struct weir_run *run = &c->runs[id];
    control_settle(c, run);
    run->remaining = maths_max(run->remaining, DBL_MIN);
    control_unlist(c, id);
    run->state = WEIR_HELD;
    if (c->ops->completed)
        c->ops->completed(c->state, control_seen_view(c), id);
}
