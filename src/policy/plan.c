/* plan: every application keeps to a plan, in its order and at its rates (003 section 3).
 *
 * The n-th I/O takes the n-th planned instance, which gives it a deadline (follow.h). While the
 * applications do not fit to the plan, because one is not there yet, has ended, or does something
 * else than was planned, or another one has I/O, they are served by rates that are found without a
 * plan (pacing.h), efficiently. */
#include "policy/follow.h"
#include "policy/planned.h"
#include "policy/strategies.h"

static const struct weir_param params[] = {PLANNED_PARAMS, {.name = NULL}};

struct plan_state {
    struct follow follow;
    struct pacing pacing;
};

static void plan_init(void *self, const struct weir_setup *setup)
{
    struct plan_state *state = self;
    char *room = (char *)(state + 1);
    pacing_init(&state->pacing, room, setup->capacity);
    state->pacing.patience = PACING_EFFICIENT_PATIENCE;
    state->pacing.limit = PACING_EFFICIENT_LIMIT;
    room += (size_t)setup->capacity * PACING_ROOM;
    state->follow = (struct follow){.plan = setup->plan,
                                    .places = setup->places,
                                    .followers = (struct follower *)(void *)room,
                                    .pacing = &state->pacing};
}

static void plan_joined(void *self, const struct weir_view *view, uint32_t app)
{
    struct plan_state *state = self;
    pacing_joined(&state->pacing, view, app);
    follow_joined(&state->follow, view, app);
}

static void plan_posted(void *self, const struct weir_view *view, uint32_t app)
{
    struct plan_state *state = self;
    pacing_posted(&state->pacing, view, app);
    follow_posted(&state->follow, view, app);
}

static void plan_completed(void *self, const struct weir_view *view, uint32_t app)
{
    struct plan_state *state = self;
    if (!pacing_completed(&state->pacing, view, app))
        follow_return(&state->follow, app);
}

static void plan_left(void *self, const struct weir_view *view, uint32_t app)
{
    struct plan_state *state = self;
    (void)view;
    pacing_left(&state->pacing, app);
    follow_left(&state->follow, app);
}

static void plan_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct plan_state *state = self;
    if (!follow_serve(&state->follow, view, grants))
        pacing_serve(&state->pacing, view, grants);
}

const struct weir_policy_ops policy_plan = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_NEEDS_PLAN | WEIR_NEEDS_VOLUME | WEIR_NEEDS_HISTORY | WEIR_WORK_CONSERVING,
    .name = "plan",
    .summary = "keeps to a plan, period after period: its order and its rates, not its times",
    .paper = "Aupy et al. 2017 (PerSched)",
    .params = params,
    .state_size = sizeof(struct plan_state),
    .app_size = PACING_ROOM + sizeof(struct follower),
    .init = plan_init,
    .joined = plan_joined,
    .posted = plan_posted,
    .completed = plan_completed,
    .left = plan_left,
    .decide = plan_decide,
};
