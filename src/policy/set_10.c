/* set-10: applications form sets by the order of magnitude of their iterations. The sets divide the
 * bandwidth, those of short iterations getting more; inside a set it is first come, first served
 * (002 section 4.2; IO-Sets, Boito et al. 2023).
 *
 * Applications alike in length do well one after the other: once served, they stay out of step. A
 * short iteration that waits for a long I/O does not: hence the division between sets. */
#include "base/maths.h"
#include "model/magnitude.h"
#include "policy/fcfs.h"
#include "policy/fill.h"
#include "policy/strategies.h"

/* Set n holds iterations of about 10^n seconds; indices below are n - MAGNITUDE_FIRST. At their
 * first I/O, when nothing is known of them, all applications are in one set above the others (002
 * section 6.2). */
enum { SETS = MAGNITUDES, NEW_SET = -2 - MAGNITUDE_FIRST };

/* What is known of an application. */
struct set_10_member {
    double total;      /* length alone of its iterations so far, without the first */
    uint32_t finished; /* iterations that were over when the last I/O was posted */
    uint32_t
        seen : 27;    /* iterations so far, the first included; the mean stays from MOST_SEEN on */
    uint32_t set : 5; /* of the current I/O */
};
enum { MOST_SEEN = (1 << 27) - 1, SET_BITS = (1 << 5) - 1 };
_Static_assert(SETS <= SET_BITS + 1, "a set has to fit into its bits");

struct set_10_state {
    struct fcfs_queue queues[SETS];
    struct sum bmax[SETS]; /* of the active members */
    double priority[SETS]; /* 10^-n */
    double share[SETS];    /* what the members divide since the last decision */
    uint32_t present;      /* bit s: set s has an active member */
    uint32_t changed;      /* bit s: a member has come or gone since then */
    struct set_10_member *members;
    struct fcfs_link *links;
};

static void set_10_init(void *self, const struct weir_setup *setup)
{
    struct set_10_state *state = self;
    state->members = (struct set_10_member *)(state + 1);
    state->links = (struct fcfs_link *)(state->members + setup->capacity);
    double priority = 1e12; /* of set MAGNITUDE_FIRST */
    for (int set = 0; set < SETS; set++, priority /= 10) {
        fcfs_init(&state->queues[set]);
        state->priority[set] = priority;
    }
}

static void set_10_joined(void *self, const struct weir_view *view, uint32_t app)
{
    struct set_10_state *state = self;
    (void)view;
    state->members[app] = (struct set_10_member){.set = NEW_SET};
}

/* The set of an application's I/O as it is posted, by omega, the mean length of its iterations with
 * this one and without the first, which IO-Sets leave out. */
static uint32_t set_10_classify(const struct weir_run *run, struct set_10_member *member)
{
    double length = run->app->period;
    /* An I/O that was dropped and goes on belongs to the same iteration. */
    if (member->seen > 0 && member->finished == run->finished)
        return member->set;
    member->finished = run->finished;
    if (member->seen > 0 && member->seen < MOST_SEEN)
        member->total += run->work + run->volume / run->app->bmax;
    if (member->seen < MOST_SEEN)
        member->seen++;
    if (!(length > 0)) {
        if (member->seen == 1)
            return NEW_SET;
        length = member->total / (member->seen - 1);
    }
    /* The mean seldom leaves its order of magnitude. */
    return (uint32_t)(magnitude_near(length, (int)member->set + MAGNITUDE_FIRST) - MAGNITUDE_FIRST);
}

static void set_10_posted(void *self, const struct weir_view *view, uint32_t app)
{
    struct set_10_state *state = self;
    struct set_10_member *member = &state->members[app];
    const struct weir_run *run = &view->runs[app];
    uint32_t set = set_10_classify(run, member);
    member->set = set & SET_BITS;
    fcfs_insert(&state->queues[set], state->links, view, app);
    sum_add(&state->bmax[set], run->app->bmax);
    state->present |= 1u << set;
    state->changed |= 1u << set;
}

static void set_10_completed(void *self, const struct weir_view *view, uint32_t app)
{
    struct set_10_state *state = self;
    uint32_t set = state->members[app].set;
    fcfs_remove(&state->queues[set], state->links, view, app);
    sum_add(&state->bmax[set], -view->runs[app].app->bmax);
    state->changed |= 1u << set;
    /* An empty set starts again from an exact 0, so that rounding cannot add up. */
    if (state->queues[set].head == FCFS_NONE) {
        state->bmax[set] = (struct sum){0, 0};
        state->present &= ~(1u << set);
    }
}

static uint32_t set_10_lowest(uint32_t sets)
{
    return (uint32_t)__builtin_ctz(sets);
}

/* The sets divide the bandwidth by 10^-n each: the level by which that is multiplied, INFINITY if
 * there is enough for all. A set whose members cannot use its part gets what they can use. */
static double set_10_level(const struct set_10_state *state, const struct weir_view *view,
                           double bandwidth)
{
    struct fill_part parts[SETS];
    uint32_t count = 0;
    if (view->active_bmax <= bandwidth)
        return INFINITY;
    for (uint32_t sets = state->present; sets; sets &= sets - 1) {
        uint32_t set = set_10_lowest(sets);
        parts[count++] = (struct fill_part){state->priority[set], sum_value(&state->bmax[set])};
    }
    return fill_level(parts, count, bandwidth);
}

static inline double set_10_share(const struct set_10_state *state, uint32_t set, double level)
{
    return maths_min(sum_value(&state->bmax[set]), state->priority[set] * level);
}

/* --- where the bandwidth depends on how many are served --------------------------------------- */

/* How many of a set are served by its share, and what these could use. */
static uint32_t set_10_count(const struct set_10_state *state, const struct weir_view *view,
                             uint32_t set, double share, double *usable)
{
    uint32_t served = 0;
    *usable = 0;
    for (uint32_t at = state->queues[set].head; at != FCFS_NONE && *usable < share;
         at = state->links[at].next) {
        *usable += view->runs[at].app->bmax;
        served++;
    }
    return served;
}

/* How many are served if the sets divide what k have together. */
static uint32_t set_10_count_all(const struct set_10_state *state, const struct weir_view *view,
                                 uint32_t k)
{
    double level = set_10_level(state, view, weir_bandwidth(view, k)), usable;
    uint32_t served = 0;
    for (uint32_t sets = state->present; sets; sets &= sets - 1) {
        uint32_t set = set_10_lowest(sets);
        served += set_10_count(state, view, set, set_10_share(state, set, level), &usable);
    }
    return served;
}

/* The smallest k of which no more than k are served: the more there are, the less each set has, so
 * that one k separates those that are too small from the others. */
static uint32_t set_10_find_count(const struct set_10_state *state, const struct weir_view *view)
{
    uint32_t low = (uint32_t)__builtin_popcount(state->present), high = view->active_count;
    if (set_10_count_all(state, view, low) <= low)
        return low;
    for (low++; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (set_10_count_all(state, view, middle) <= middle)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The shares where the bandwidth depends on how many are served. What fewer than k have beyond that
 * goes to those served in part, the shortest iterations first. */
static __attribute__((noinline)) void set_10_divide(const struct set_10_state *state,
                                                    const struct weir_view *view, double *shares)
{
    uint32_t k = set_10_find_count(state, view), served = 0;
    double level = set_10_level(state, view, weir_bandwidth(view, k)), usable[SETS], total = 0;
    for (uint32_t sets = state->present; sets; sets &= sets - 1) {
        uint32_t set = set_10_lowest(sets);
        shares[set] = set_10_share(state, set, level);
        served += set_10_count(state, view, set, shares[set], &usable[set]);
        total += shares[set];
    }
    double left = weir_bandwidth(view, served) - total;
    for (uint32_t sets = state->present; sets && left > 0; sets &= sets - 1) {
        uint32_t set = set_10_lowest(sets);
        double more = maths_min(left, maths_max(usable[set] - shares[set], 0));
        shares[set] += more;
        left -= more;
    }
}

static void set_10_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct set_10_state *state = self;
    double level = 0, shares[SETS];
    if (view->curve)
        set_10_divide(state, view, shares);
    else
        level = set_10_level(state, view, view->bandwidth);
    for (uint32_t sets = state->present; sets; sets &= sets - 1) {
        uint32_t set = set_10_lowest(sets);
        double share = view->curve ? shares[set] : set_10_share(state, set, level);
        if (share == state->share[set] && !(state->changed >> set & 1))
            continue; /* nor do its grants change */
        state->share[set] = share;
        fcfs_serve(&state->queues[set], state->links, view, grants,
                   (struct fcfs_share){share, NULL});
    }
    state->changed = 0;
}

const struct weir_policy_ops policy_set_10 = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_INCREMENTAL | WEIR_WORK_CONSERVING | WEIR_NEEDS_HISTORY | WEIR_KNOWS_CURVE,
    .name = "set-10",
    .summary = "sets by order of magnitude of the iterations, fcfs inside each",
    .paper = "Benoit et al., JPDC 2024, section 4.2",
    .state_size = sizeof(struct set_10_state),
    .app_size = sizeof(struct set_10_member) + sizeof(struct fcfs_link),
    .init = set_10_init,
    .joined = set_10_joined,
    .posted = set_10_posted,
    .completed = set_10_completed,
    .decide = set_10_decide,
};
