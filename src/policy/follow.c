#include "policy/follow.h"
#include "base/maths.h"

/* The slots of an application; without a plan if it has none. */
static struct slots follow_slots(const struct follow *follow, uint32_t app)
{
    uint32_t place = follow->places ? follow->places[app] : app + 1;
    if (!follow->plan || place == 0)
        return (struct slots){.plan = NULL};
    return (struct slots){follow->plan, place - 1, follow->origin};
}

void follow_begin(struct follow *follow, const struct plan *plan, const struct weir_view *view)
{
    follow->plan = plan;
    follow->origin = view->now;
    for (uint32_t app = 0; app < view->count; app++)
        follow->followers[app] = (struct follower){.begun = false};
    for (uint32_t i = 0; i < view->active_count; i++)
        follow_post(follow, view, view->active[i]);
}

void follow_post(struct follow *follow, const struct weir_view *view, uint32_t app)
{
    struct slots slots = follow_slots(follow, app);
    const struct weir_run *run = &view->runs[app];
    struct follower *follower = &follow->followers[app];
    if (!slots.plan || (follower->begun && follower->posted == run->posted))
        return;
    struct slot next = slot_from(slots, view->now - follow->late * run->volume / run->app->bmax);
    /* An iteration may be over before its planned end: each takes a slot of its own, or two I/Os
     * would share the bandwidth planned for one. */
    if (follower->begun && !slot_before(follower->slot, next))
        next = slot_after(slots, follower->slot);
    *follower =
        (struct follower){.slot = next, .using = next, .posted = run->posted, .begun = true};
}

void follow_return(struct follow *follow, uint32_t app)
{
    follow->followers[app].begun = false;
}

/* What the plan gives the application: 0 before its slot and between the pieces of it, negative
 * when it has nothing to wait for. Brings grants->wake forward to the next change. */
static double follow_find_rate(struct follow *follow, const struct weir_view *view, uint32_t app,
                               struct weir_grants *grants)
{
    struct slots slots = follow_slots(follow, app);
    struct follower *follower = &follow->followers[app];
    struct plan_piece piece;
    if (!slots.plan)
        return -1;
    while (!slot_piece(slots, follower->using, view->now, &follower->piece, &piece)) {
        if (!follow->eager)
            return -1;
        follower->using = slot_after(slots, follower->using);
        follower->piece = 0;
    }
    bool begun = piece.start <= view->now;
    grants->wake = maths_min(grants->wake, begun ? piece.end : piece.start);
    return begun ? piece.rate : 0;
}

/* Raises the grants of the plan, which come first, to what the applications can take. */
static void follow_raise(const struct weir_view *view, struct weir_grants *grants, uint32_t planned,
                         double left)
{
    for (uint32_t i = 0; i < planned && left > 0; i++) {
        struct weir_grant *grant = &grants->list[i];
        double more = maths_min(view->runs[grant->app].app->bmax - grant->rate, left);
        grant->rate += more;
        left -= more;
    }
}

void follow_decide(struct follow *follow, const struct weir_view *view, struct weir_grants *grants)
{
    double left = view->bandwidth;
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t app = view->active[i];
        double rate = follow_find_rate(follow, view, app, grants);
        rate = maths_min(rate, maths_min(view->runs[app].app->bmax, left));
        if (rate > 0)
            weir_grant(grants, app, rate);
        else if (rate < 0 || follow->eager)
            online_add(follow->online, app);
        left -= maths_max(rate, 0);
    }
    uint32_t planned = grants->count;
    left = online_decide(follow->online, view, left, grants);
    if (follow->eager)
        follow_raise(view, grants, planned, left);
}
