/* pace: finds the rates at which applications that repeat themselves could go on for ever, and
 * serves them so that they keep these rates (pacing.h). What is worth executing of a plan is its
 * rates: this needs none. */
#include "policy/pacing.h"
#include "policy/strategies.h"

enum { PARAM_PATIENCE, PARAM_LIMIT };

static const struct weir_param params[] = {
    {.name = "patience",
     .kind = WEIR_PARAM_NUMBER,
     .initial = 1,
     .low = 0.01,
     .high = 100,
     .help = "iterations that a deadline may be missed by for the gain of others; 0.2 is fair, 4 "
             "efficient"},
    {.name = "limit",
     .kind = WEIR_PARAM_NUMBER,
     .initial = 1.5,
     .low = 1,
     .high = 100,
     .help = "how much slower than with even delays the slowest application may be"},
    {.name = NULL},
};

static void pace_init(void *self, const struct weir_setup *setup)
{
    struct pacing *pacing = self;
    pacing_init(pacing, pacing + 1, setup->capacity);
    pacing->patience = setup->params[PARAM_PATIENCE];
    pacing->limit = setup->params[PARAM_LIMIT];
}

static void pace_joined(void *self, const struct weir_view *view, uint32_t app)
{
    pacing_joined(self, view, app);
}

static void pace_posted(void *self, const struct weir_view *view, uint32_t app)
{
    pacing_posted(self, view, app);
}

static void pace_completed(void *self, const struct weir_view *view, uint32_t app)
{
    pacing_completed(self, view, app);
}

static void pace_left(void *self, const struct weir_view *view, uint32_t app)
{
    (void)view;
    pacing_left(self, app);
}

static void pace_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    pacing_serve(self, view, grants);
}

const struct weir_policy_ops policy_pace = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING | WEIR_NEEDS_HISTORY | WEIR_NEEDS_VOLUME | WEIR_GRANTS_ALL |
             WEIR_KNOWS_CURVE,
    .name = "pace",
    .summary = "keeps applications that repeat themselves at the rates that are worth most",
    .paper = "Weir",
    .params = params,
    .state_size = sizeof(struct pacing),
    .app_size = PACING_ROOM,
    .init = pace_init,
    .joined = pace_joined,
    .posted = pace_posted,
    .completed = pace_completed,
    .left = pace_left,
    .decide = pace_decide,
};
