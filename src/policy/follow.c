#include "policy/follow.h"
#include "base/maths.h"
#include "policy/habit.h"

/* The part of its error by which a clock follows. */
#define FOLLOW_LOCK 0.3

/* Iterations that a deadline may be missed by for the gain of others. */
#define FOLLOW_PATIENCE 0.5

/* After this many iterations an application is known: then its means are those of the plan up to a
 * part, or it does something else. */
enum { FOLLOW_KNOWN = 4 };
#define FOLLOW_ALIKE 0.1

/* The slots of an application; without a plan if it has none. */
static struct slots follow_slots(const struct follow *follow, uint32_t app)
{
    uint32_t place = follow->places ? follow->places[app] : app + 1;
    if (!follow->plan || place == 0)
        return (struct slots){.plan = NULL};
    return (struct slots){follow->plan, place - 1, follow->origin};
}

/* --- coming and going ------------------------------------------------------------------------- */

static void follow_admit(struct follow *follow, uint32_t app)
{
    struct slots slots = follow_slots(follow, app);
    struct follower *follower = &follow->followers[app];
    *follower = (struct follower){.posted = -INFINITY};
    follow->present += slots.plan != NULL;
    if (!slots.plan)
        return;
    follower->work = slot_planned_work(slots);
    follower->volume = slot_planned_volume(slots);
}

void follow_joined(struct follow *follow, const struct weir_view *view, uint32_t app)
{
    (void)view;
    follow_admit(follow, app);
}

void follow_left(struct follow *follow, uint32_t app)
{
    struct follower *follower = &follow->followers[app];
    follow->present -= follow_slots(follow, app).plan != NULL;
    follow->strangers -= follower->stranger;
    follow->misfits -= follower->misfit;
    *follower = (struct follower){.posted = -INFINITY};
}

/* --- posts ------------------------------------------------------------------------------------ */

/* Notes whether the application does what is planned. */
static void follow_compare(struct follow *follow, const struct weir_view *view, uint32_t app)
{
    struct follower *follower = &follow->followers[app];
    const struct pacer *pacer = &follow->pacing->pacers[app];
    bool part = follow_slots(follow, app).plan != NULL;
    bool like = habit_is_like((struct iterated){follower->work, follower->volume},
                              (struct iterated){pacer->work, pacer->volume},
                              view->runs[app].app->bmax, FOLLOW_ALIKE);
    bool misfit = part && pacer->count >= FOLLOW_KNOWN && !like;
    follow->misfits += misfit;
    follow->misfits -= follower->misfit;
    follow->strangers += !part && !follower->stranger;
    follower->misfit = misfit;
    follower->stranger = !part;
}

/* Gives the I/O of an application its slot, and the deadline that follows from it. */
static void follow_take(struct follow *follow, const struct weir_view *view, uint32_t app)
{
    struct slots slots = follow_slots(follow, app);
    const struct weir_run *run = &view->runs[app];
    struct follower *follower = &follow->followers[app];
    const struct pacer *pacer = &follow->pacing->pacers[app];
    double io = pacing_io(pacer, run->app), count = (double)slots.plan->apps[slots.app].count;
    if (follower->begun && follower->posted == run->posted)
        return;
    follower->before = follower->slot;
    if (follower->begun) {
        follower->slot = slot_after(slots, follower->slot);
    } else {
        follower->slot = slot_from(slots, run->posted - io);
        follower->slip = 0;
    }
    double begin = slot_work(slots, follower->slot) + pacer->work;
    double span = maths_max(slot_end(slots, follower->slot) - begin, io);
    follower->slip += FOLLOW_LOCK * (run->posted - (begin + follower->slip));
    follower->deadline =
        begin + follower->slip + span + (run->volume - pacer->volume) / run->app->bmax;
    follower->length = maths_max(slots.plan->period / count, pacing_ideal(pacer, run->app));
    follower->posted = run->posted;
    follower->begun = true;
}

/* A new epoch: each takes the slot that is next. */
static void follow_restart(struct follow *follow, const struct weir_view *view)
{
    for (uint32_t app = 0; app < view->count; app++)
        follow->followers[app].begun = false;
    for (uint32_t i = 0; follow->fits && i < view->active_count; i++)
        follow_take(follow, view, view->active[i]);
}

static bool follow_fits(const struct follow *follow)
{
    return follow->plan && follow->present == follow->plan->count && follow->strangers == 0 &&
           follow->misfits == 0;
}

void follow_posted(struct follow *follow, const struct weir_view *view, uint32_t app)
{
    if (!follow->plan)
        return;
    follow_compare(follow, view, app);
    bool fits = follow_fits(follow);
    if (fits != follow->fits) {
        follow->fits = fits;
        follow_restart(follow, view);
    }
    if (fits)
        follow_take(follow, view, app);
}

void follow_return(struct follow *follow, uint32_t app)
{
    struct follower *follower = &follow->followers[app];
    if (follower->begun)
        follower->slot = follower->before;
}

void follow_begin(struct follow *follow, const struct plan *plan, const struct weir_view *view)
{
    follow->plan = plan;
    follow->origin = view->now;
    follow->present = follow->strangers = follow->misfits = 0;
    for (uint32_t app = 0; app < view->count; app++)
        if (view->runs[app].state != WEIR_ABSENT)
            follow_admit(follow, app);
    follow->fits = follow_fits(follow);
    follow_restart(follow, view);
}

/* --- serving ---------------------------------------------------------------------------------- */

bool follow_serve(struct follow *follow, const struct weir_view *view, struct weir_grants *grants)
{
    /* One that has left may be seen only here: the others post later. */
    if (!follow->fits || !follow_fits(follow))
        return false;
    if (greedy_grant_all(view, grants))
        return true;
    struct greedy_item *items = follow->pacing->items;
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        struct pacer pacer = follow->pacing->pacers[id];
        pacer.deadline = follow->followers[id].deadline;
        pacer.length = follow->followers[id].length;
        items[i] = (struct greedy_item){
            .key = pacing_key(view, &view->runs[id], &pacer, FOLLOW_PATIENCE), .app = id};
    }
    greedy_serve(view, grants, items, view->active_count);
    return true;
}
