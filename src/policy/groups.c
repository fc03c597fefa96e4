/* groups: applications with similar volumes form a group with a share of the bandwidth, in which
 * one I/O at a time is served, the earliest posted first (thesis section V.B).
 *
 * The thesis divides the bandwidth once and for all. Then a group that has no I/O to serve, or
 * whose I/O cannot use the whole share, leaves bandwidth idle while others wait. With `lend` what
 * is left goes to the I/Os that are served in the other groups, in proportion to their shares. */
#include "base/maths.h"
#include "policy/fill.h"
#include "policy/greedy.h"
#include "policy/partition.h"
#include "policy/strategies.h"

/* More applications than this form one group: the search takes a fraction of a second here, and
 * grows with the square of their number. */
#define MOST_GROUPED 2000

static const struct weir_param params[] = {
    {.name = "lend",
     .kind = WEIR_PARAM_FLAG,
     .initial = 1,
     .help = "what a group leaves unused goes to the others; off: it stays unused, as published"},
    {.name = NULL},
};

/* What is known of an application, and of the group of the same number. */
struct groups_member {
    struct greedy_item first; /* of the group: the one that is served, if any is active */
    double share;             /* of the group */
    uint32_t size;            /* of the group, without applications that have no I/O */
    uint32_t group;
    bool present, grouped; /* the application is there; it counts in its group */
    bool waiting;          /* the group has an active member */
};

struct groups_state {
    struct partition partition;
    double bandwidth; /* that the groups divide, whatever there is of it at present */
    uint32_t capacity;
    bool lend;
    bool stale; /* the groups have to be found again */
    struct groups_member *members;
    /* During a decision: the applications that are served, one per group, and what they may get. */
    uint32_t *heads;
    struct fill_part *parts;
    void *room;
};

static void groups_init(void *self, const struct weir_setup *setup)
{
    struct groups_state *state = self;
    state->bandwidth = setup->bandwidth;
    state->capacity = setup->capacity;
    state->lend = setup->params[0] > 0;
    state->members = (struct groups_member *)(state + 1);
    state->room = state->members + setup->capacity;
    state->parts = (struct fill_part *)((char *)state->room + PARTITION_EXTRA +
                                        (size_t)setup->capacity * PARTITION_ROOM);
    state->heads = (uint32_t *)(state->parts + setup->capacity);
}

static void groups_joined(void *self, const struct weir_view *view, uint32_t app)
{
    struct groups_state *state = self;
    (void)view;
    state->members[app].present = true;
    state->stale = true;
}

/* The other groups keep their shares. Only a share that no application is left to use is worth
 * finding the groups again, which may interrupt I/Os. */
static void groups_left(void *self, const struct weir_view *view, uint32_t app)
{
    struct groups_state *state = self;
    struct groups_member *member = &state->members[app];
    (void)view;
    member->present = false;
    if (!state->stale && member->grouped && --state->members[member->group].size == 0)
        state->stale = true;
}

/* An application without I/O in its profile is in the first group. That is the only one if none has
 * any, if their loads exceed the bandwidth, or if they are too many for the search. */
static void groups_regroup(struct groups_state *state, const struct weir_view *view)
{
    struct partition *partition = &state->partition;
    struct groups_member *members = state->members;
    partition_place(partition, state->room, state->capacity);
    partition->bandwidth = state->bandwidth;
    for (uint32_t app = 0; app < view->count; app++) {
        struct groups_member *member = &members[app];
        member->group = 0;
        member->grouped = member->present && partition_add(partition, view->runs[app].app, app);
    }
    members[0].share = state->bandwidth;
    members[0].size = partition->count;
    if (partition->count > 0 && partition->count <= MOST_GROUPED)
        partition_solve(partition);
    for (uint32_t i = 0; i < partition->group_count; i++) {
        const struct partition_group *group = &partition->groups[i];
        members[i].share = group->share;
        members[i].size = group->count;
        for (uint32_t j = 0; j < group->count; j++)
            members[partition->apps[group->first + j].id].group = i;
    }
    state->stale = false;
}

/* Finds the application that each group serves: the one that posted first. Returns their number.
 * Both passes are over the active applications: there may be many more groups. */
static uint32_t groups_find_heads(struct groups_state *state, const struct weir_view *view)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t app = view->active[i];
        struct groups_member *group = &state->members[state->members[app].group];
        struct greedy_item item = {.key = view->runs[app].posted - view->now, .app = app};
        if (!group->waiting || greedy_before(&item, &group->first))
            group->first = item;
        group->waiting = true;
    }
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t app = view->active[i];
        struct groups_member *group = &state->members[state->members[app].group];
        if (group->first.app == app) {
            state->heads[count++] = app;
            group->waiting = false;
        }
    }
    return count;
}

static void groups_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct groups_state *state = self;
    if (state->stale)
        groups_regroup(state, view);
    uint32_t count = groups_find_heads(state, view);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t app = state->heads[i];
        state->parts[i] = (struct fill_part){state->members[state->members[app].group].share,
                                             view->runs[app].app->bmax};
    }
    double bandwidth = weir_bandwidth(view, count);
    double factor = state->lend ? fill_level(state->parts, count, bandwidth) : 1;
    for (uint32_t i = 0; i < count; i++) {
        const struct fill_part *part = &state->parts[i];
        weir_grant(grants, state->heads[i], maths_min(part->most, part->weight * factor));
    }
}

const struct weir_policy_ops policy_groups = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_NEEDS_PROFILE,
    .name = "groups",
    .summary = "groups of similar volumes with a share each, one I/O at a time in each",
    .paper = "Vidal, thesis 2022, section V.B",
    .params = params,
    .state_size = sizeof(struct groups_state) + PARTITION_EXTRA,
    .app_size =
        sizeof(struct groups_member) + PARTITION_ROOM + sizeof(struct fill_part) + sizeof(uint32_t),
    .init = groups_init,
    .joined = groups_joined,
    .left = groups_left,
    .decide = groups_decide,
};
