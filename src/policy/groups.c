/* groups: applications with similar volumes form a group with a share of the bandwidth, in which
 * one I/O at a time is served, the earliest posted first (thesis section V.B). */
#include "policy/greedy.h"
#include "policy/partition.h"
#include "policy/strategies.h"

/* Finding the groups of so many takes a fraction of a second, and grows with the square. */
#define MOST_GROUPED 2000

/* What is known of an application, and of the group of the same number. */
struct member {
    struct greedy_item first; /* of the group: who is served, if anybody is active */
    double share;             /* of the group */
    uint32_t size;            /* of the group, without applications that have no I/O */
    uint32_t group;
    bool present, grouped; /* the application is there; it counts in its group */
    bool waiting;          /* the group has an active member */
};

struct state {
    struct partition partition;
    uint32_t capacity;
    bool stale; /* the groups are to be made anew */
    struct member *members;
    void *room;
};

static void groups_init(void *self, const struct weir_setup *setup)
{
    struct state *state = self;
    state->capacity = setup->capacity;
    state->members = (struct member *)(state + 1);
    state->room = state->members + setup->capacity;
}

static void groups_joined(void *self, const struct weir_view *view, uint32_t app)
{
    struct state *state = self;
    (void)view;
    state->members[app].present = true;
    state->stale = true;
}

/* Without it the other groups keep what they were promised; only a share that nobody is left to use
 * is worth the trouble, and the interruptions, of new groups. */
static void groups_left(void *self, const struct weir_view *view, uint32_t app)
{
    struct state *state = self;
    struct member *member = &state->members[app];
    (void)view;
    member->present = false;
    if (!state->stale && member->grouped && --state->members[member->group].size == 0)
        state->stale = true;
}

/* Without I/O in its profile an application is in the first group; if nobody has any, or together
 * they have too much, or they are too many to be compared in time, that is the only one. */
static void groups_regroup(struct state *state, const struct weir_view *view)
{
    struct partition *partition = &state->partition;
    struct member *members = state->members;
    partition_place(partition, state->room, state->capacity);
    partition->bandwidth = view->bandwidth;
    for (uint32_t app = 0; app < view->count; app++) {
        struct member *member = &members[app];
        member->group = 0;
        member->grouped = member->present && partition_add(partition, view->runs[app].app, app);
    }
    members[0].share = view->bandwidth;
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

static void groups_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct state *state = self;
    if (state->stale)
        groups_regroup(state, view);
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t app = view->active[i];
        struct member *group = &state->members[state->members[app].group];
        struct greedy_item item = {.key = view->runs[app].posted - view->now, .app = app};
        if (!group->waiting || greedy_before(&item, &group->first))
            group->first = item;
        group->waiting = true;
    }
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t app = view->active[i];
        struct member *group = &state->members[state->members[app].group];
        double most = view->runs[app].app->bmax;
        if (group->first.app == app) {
            weir_grant(grants, app, group->share < most ? group->share : most);
            group->waiting = false;
        }
    }
}

const struct weir_policy_ops policy_groups = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_NEEDS_PROFILE,
    .name = "groups",
    .summary = "groups of similar volumes with a share each, one I/O at a time in each",
    .paper = "Vidal, thesis 2022, section V.B",
    .state_size = sizeof(struct state) + PARTITION_EXTRA,
    .app_size = sizeof(struct member) + PARTITION_ROOM,
    .init = groups_init,
    .joined = groups_joined,
    .left = groups_left,
    .decide = groups_decide,
};
