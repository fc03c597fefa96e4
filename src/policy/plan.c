/* plan: every application moves its data at the times and rates of a plan (003 section 3).
 *
 * An I/O takes the first planned instance, after the one taken last, that begins when it is posted
 * or later. So there is an initial phase, in which each application waits for its first instance,
 * and at the end those that have finished just leave. What remains of an I/O after its last planned
 * piece, because work or volume were not as planned, and the applications that are not part of the
 * plan, are served by an online strategy with the bandwidth that no plan uses. */
#include "policy/follow.h"
#include "policy/planned.h"
#include "policy/strategies.h"

enum { PARAM_ONLINE = PLANNED_COUNT, PARAM_LATE, PARAM_EAGER };

static const struct weir_param params[] = {
    PLANNED_PARAMS,
    ONLINE_PARAM,
    /* Times in a plan are good to some microseconds, and to wait for the next instance costs a
     * whole iteration. */
    {.name = "late",
     .kind = WEIR_PARAM_NUMBER,
     .initial = 0.01,
     .low = 0,
     .high = 1,
     .help = "an I/O that comes late by less than this part of its length takes its instance"},
    {.name = "eager",
     .kind = WEIR_PARAM_FLAG,
     .help = "an I/O before its instance is served, too, by the online strategy"},
    {.name = NULL},
};

struct plan_state {
    struct follow follow;
    struct online online;
};

static void plan_init(void *self, const struct weir_setup *setup)
{
    struct plan_state *state = self;
    char *rest = (char *)(state + 1) + (size_t)setup->capacity * ONLINE_ROOM;
    state->follow = (struct follow){.plan = setup->plan,
                                    .places = setup->places,
                                    .followers = (struct follower *)(void *)rest,
                                    .late = setup->params[PARAM_LATE],
                                    .eager = setup->params[PARAM_EAGER] > 0,
                                    .online = &state->online};
    online_init(&state->online, setup, setup->params[PARAM_ONLINE]);
}

static void plan_joined(void *self, const struct weir_view *view, uint32_t app)
{
    struct plan_state *state = self;
    state->follow.followers[app] = (struct follower){.begun = false};
    online_joined(&state->online, view, app);
}

static void plan_posted(void *self, const struct weir_view *view, uint32_t app)
{
    struct plan_state *state = self;
    online_posted(&state->online, view, app);
    follow_post(&state->follow, view, app);
}

static void plan_completed(void *self, const struct weir_view *view, uint32_t app)
{
    struct plan_state *state = self;
    online_completed(&state->online, view, app);
}

static void plan_left(void *self, const struct weir_view *view, uint32_t app)
{
    struct plan_state *state = self;
    online_left(&state->online, view, app);
}

static void plan_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct plan_state *state = self;
    follow_decide(&state->follow, view, grants);
}

const struct weir_policy_ops policy_plan = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_NEEDS_PLAN,
    .name = "plan",
    .summary = "moves data at the times and rates of a plan, period after period",
    .paper = "Aupy et al. 2017 (PerSched)",
    .params = params,
    .state_size = sizeof(struct plan_state),
    .app_size = ONLINE_ROOM + sizeof(struct follower),
    .init = plan_init,
    .joined = plan_joined,
    .posted = plan_posted,
    .completed = plan_completed,
    .left = plan_left,
    .decide = plan_decide,
};
