/* fcfs: greedy by posting time (002 section 4.1; RoundRobin of 001). */
#include "policy/fcfs.h"
#include "base/maths.h"
#include "policy/slides.h"
#include "policy/strategies.h"

void fcfs_init(struct fcfs_queue *queue)
{
    *queue = (struct fcfs_queue){.head = FCFS_NONE, .tail = FCFS_NONE, .frontier = FCFS_NONE};
}

/* The last member served in full is so no longer: the frontier moves back to it. Without members
 * served in full `given` is set to 0, so that rounding cannot add up. */
static void fcfs_retreat(struct fcfs_queue *queue, struct fcfs_link *links,
                         const struct weir_view *view)
{
    uint32_t last = queue->frontier == FCFS_NONE ? queue->tail : links[queue->frontier].previous;
    links[last].full = 0;
    queue->given = --queue->full_count ? queue->given - view->runs[last].app->bmax : 0;
    queue->frontier = last;
}

inline void fcfs_insert(struct fcfs_queue *queue, struct fcfs_link *links,
                        const struct weir_view *view, uint32_t app)
{
    double posted = view->runs[app].posted;
    /* From the tail: I/Os come in the order in which they are posted, but for those of one instant
     * and for one that goes on after a pause, so the first look nearly always finds the place. */
    uint32_t after = queue->tail;
    for (; after != FCFS_NONE; after = links[after].previous) {
        /* Posts of one instant have exactly the same time. */
        double before = view->runs[after].posted;
        if (before < posted || (before == posted && after < app))
            break;
    }
    uint32_t next = after == FCFS_NONE ? queue->head : links[after].next;
    /* What it takes may be missing for those after it: they count again when it is served. */
    while (next != FCFS_NONE && links[next].full)
        fcfs_retreat(queue, links, view);
    links[app] = (struct fcfs_link){.next = next, .previous = after};
    *(after == FCFS_NONE ? &queue->head : &links[after].next) = app;
    *(next == FCFS_NONE ? &queue->tail : &links[next].previous) = app;
    if (queue->frontier == next)
        queue->frontier = app;
    queue->disturbed |= next != FCFS_NONE;
}

inline void fcfs_remove(struct fcfs_queue *queue, struct fcfs_link *links,
                        const struct weir_view *view, uint32_t app)
{
    struct fcfs_link *link = &links[app];
    *(link->previous == FCFS_NONE ? &queue->head : &links[link->previous].next) = link->next;
    *(link->next == FCFS_NONE ? &queue->tail : &links[link->next].previous) = link->previous;
    if (link->full)
        queue->given = --queue->full_count ? queue->given - view->runs[app].app->bmax : 0;
    if (queue->frontier == app)
        queue->frontier = link->next;
}

/* What k of a queue have together. */
static inline double fcfs_part(struct fcfs_share share, uint32_t k)
{
    return share.curve ? share.most * share.curve[k] : share.most;
}

void fcfs_serve(struct fcfs_queue *queue, struct fcfs_link *links, const struct weir_view *view,
                struct weir_grants *grants, struct fcfs_share share)
{
    /* A smaller share than before, of set-10 or when the bandwidth falls, may not be enough for all
     * of them. */
    while (queue->full_count && queue->given > fcfs_part(share, queue->full_count))
        fcfs_retreat(queue, links, view);
    uint32_t at = queue->frontier;
    double left = fcfs_part(share, queue->full_count + 1) - queue->given;
    for (; at != FCFS_NONE && left > 0; at = links[at].next) {
        double bmax = view->runs[at].app->bmax, rate = maths_min(bmax, left);
        weir_grant(grants, at, rate);
        left -= rate;
        if (rate == bmax) {
            links[at].full = 1;
            queue->full_count++;
            queue->given += bmax;
            queue->frontier = links[at].next;
            if (share.curve)
                left = fcfs_part(share, queue->full_count + 1) - queue->given;
        }
    }
    /* Members that were served and are not any more come right after the frontier, so the first one
     * without a rate ends the search; unless one was put in front of others, which leaves gaps. */
    for (; at != FCFS_NONE && (view->runs[at].rate > 0 || queue->disturbed); at = links[at].next)
        weir_grant(grants, at, 0);
    queue->disturbed = 0;
}

/* --- the strategy ---------------------------------------------------------------------------- */

struct fcfs_state {
    struct fcfs_queue queue;
    struct fcfs_link links[];
};

static void policy_fcfs_init(void *self, const struct weir_setup *setup)
{
    struct fcfs_state *state = self;
    (void)setup;
    fcfs_init(&state->queue);
}

static void fcfs_posted(void *self, const struct weir_view *view, uint32_t app)
{
    struct fcfs_state *state = self;
    fcfs_insert(&state->queue, state->links, view, app);
}

static void fcfs_completed(void *self, const struct weir_view *view, uint32_t app)
{
    struct fcfs_state *state = self;
    fcfs_remove(&state->queue, state->links, view, app);
}

static void fcfs_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct fcfs_state *state = self;
    fcfs_serve(&state->queue, state->links, view, grants,
               (struct fcfs_share){view->bandwidth, view->curve});
}

const struct weir_policy_ops policy_fcfs = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_INCREMENTAL | WEIR_WORK_CONSERVING | WEIR_KNOWS_CURVE,
    .name = "fcfs",
    .summary = "greedy by posting time: first come, first served",
    .paper = "Benoit et al., JPDC 2024, section 4.1 (RoundRobin of Gainaru et al., 2015)",
    /* Served I/Os are the oldest ones, so those that have begun are always first. */
    .params = slides_params,
    .state_size = sizeof(struct fcfs_state),
    .app_size = sizeof(struct fcfs_link),
    .init = policy_fcfs_init,
    .posted = fcfs_posted,
    .completed = fcfs_completed,
    .decide = fcfs_decide,
};
