/* plan: every application moves its data at the times and rates of a plan (003 section 3).
 *
 * * An I/O takes the first planned instance, after the one taken last, that begins when it is
 * posted or later. So there is an initial phase, in which each application waits for its first
 * instance, and at the end those that have finished just leave. What remains of an I/O after its
 * last planned piece, because work or volume were not as planned, takes bandwidth that no plan
 * uses. */
#include "base/maths.h"
#include "policy/planned.h"
#include "policy/slot.h"
#include "policy/strategies.h"

/* An I/O that comes late by less than this part of its own length still takes its instance: times
 * in a plan are good to some microseconds, and to wait for the next one costs a whole iteration. */
#define LATE 0.01

static const struct weir_param params[] = {PLANNED_PARAMS, {.name = NULL}};

/* Where an application is in the plan. */
struct follower {
    struct slot slot;
    size_t piece; /* of the slot; those before are over */
    bool begun;   /* it has taken an instance */
};

struct plan_state {
    const struct plan *plan;
    struct follower *followers;
};

static void plan_init(void *self, const struct weir_setup *setup)
{
    struct plan_state *state = self;
    state->plan = setup->plan;
    state->followers = (struct follower *)(state + 1);
}

static void plan_joined(void *self, const struct weir_view *view, uint32_t app)
{
    struct plan_state *state = self;
    (void)view;
    state->followers[app] = (struct follower){.begun = false};
}

static void plan_take_instance(void *self, const struct weir_view *view, uint32_t app)
{
    struct plan_state *state = self;
    struct slots slots = {.plan = state->plan, .app = app};
    const struct weir_run *run = &view->runs[app];
    struct follower *follower = &state->followers[app];
    struct slot next = slot_from(slots, view->now - LATE * run->volume / run->app->bmax);
    /* An iteration may be over before its planned end: each takes an instance of its own, or two
     * I/Os would share the bandwidth planned for one. */
    if (follower->begun && !slot_before(follower->slot, next))
        next = slot_after(slots, follower->slot);
    *follower = (struct follower){.slot = next, .begun = true};
}

/* The application's rate in the plan now; brings grants->wake forward to the next change of it.
 * Negative when its plan is over. */
static double plan_find_rate(struct plan_state *state, const struct weir_view *view, uint32_t app,
                             struct weir_grants *grants)
{
    struct follower *follower = &state->followers[app];
    struct plan_piece piece;
    if (!slot_piece((struct slots){.plan = state->plan, .app = app}, follower->slot, view->now,
                    &follower->piece, &piece))
        return -1;
    bool begun = piece.start <= view->now;
    grants->wake = maths_min(grants->wake, begun ? piece.end : piece.start);
    return begun ? piece.rate : 0;
}

static void plan_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct plan_state *state = self;
    double left = view->bandwidth;
    /* First those that have a plan, then those whose plan is over, with what is left. */
    for (int over = 0; over < 2; over++) {
        for (uint32_t i = 0; i < view->active_count; i++) {
            uint32_t app = view->active[i];
            double rate = plan_find_rate(state, view, app, grants);
            if (over != (rate < 0))
                continue;
            double most = maths_min(view->runs[app].app->bmax, left);
            rate = over ? most : maths_min(rate, most);
            left -= rate;
            if (rate > 0)
                weir_grant(grants, app, rate);
        }
    }
}

const struct weir_policy_ops policy_plan = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_NEEDS_PLAN,
    .name = "plan",
    .summary = "moves data at the times and rates of a plan, period after period",
    .paper = "Aupy et al. 2017 (PerSched)",
    .params = params,
    .state_size = sizeof(struct plan_state),
    .app_size = sizeof(struct follower),
    .init = plan_init,
    .joined = plan_joined,
    .posted = plan_take_instance,
    .decide = plan_decide,
};
