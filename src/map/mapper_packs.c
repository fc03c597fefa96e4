/* Packs, one after the other behind each I/O node (thesis, sections III.C.2 and III.D.2.d). With
 * backfilling (section IV.A.4) jobs of later packs use nodes that a pack leaves free, if they end
 * before it and its average I/O permits, as far as can be known in advance. */
#include "base/mem.h"
#include "map/backlog.h"
#include "map/method.h"
#include "map/packs.h"
#include "model/mapping.h"
#include <stdlib.h>

/* Jobs of a pack that have not started, and how many of them are there. */
struct rest {
    uint32_t left, arrived;
};

/* One I/O node: its packs, and what runs there. */
struct lane {
    uint32_t first, end; /* packs that may have jobs left */
    uint32_t current;    /* the pack that runs, if `running` or it has jobs left */
    uint32_t number;     /* of the current pack in the order of starting */
    uint32_t running;    /* jobs */
    double free;         /* nodes */
    double volume;       /* of the current pack and what was added to it */
    double start;        /* of the current pack */
};

struct packer {
    struct mapper base;
    struct packs packs;
    struct backlog backlog; /* of arrived jobs, by their places among the packs' members */
    struct lane *lanes;
    struct rest *rests; /* by pack */
    uint32_t *place_of; /* by job */
    uint32_t *pack_at;  /* by place */
    uint32_t started;   /* packs */
};

/* --- making and freeing ---------------------------------------------------------------------- */

static void mapper_packs_lay_out(struct packer *packer)
{
    const struct packs *packs = &packer->packs;
    for (uint32_t i = 0; i < packer->base.rules.io_nodes; i++)
        packer->lanes[i] = (struct lane){
            .first = packs->count, .current = packs->count, .free = packer->base.jobs->nodes};
    for (uint32_t i = 0; i < packs->count; i++) {
        const struct pack *pack = &packs->list[i];
        struct lane *lane = &packer->lanes[pack->io_node];
        if (lane->first == packs->count)
            lane->first = i;
        lane->end = i + 1;
        packer->rests[i].left = pack->count;
        for (uint32_t place = pack->first; place < pack->first + pack->count; place++) {
            packer->place_of[packs->members[place]] = place;
            packer->pack_at[place] = i;
        }
    }
}

static int mapper_packs_init(struct mapper *mapper)
{
    struct packer *packer = (struct packer *)mapper;
    const struct map_jobs *jobs = mapper->jobs;
    if (packs_make(&packer->packs, jobs, mapper->rules.sensitivity) != 0 ||
        packs_deal(&packer->packs, mapper->rules.io_nodes) != 0)
        return -1;
    packer->lanes = mem_alloc(mapper->rules.io_nodes, sizeof *packer->lanes);
    packer->rests = mem_alloc(packer->packs.count, sizeof *packer->rests);
    packer->place_of = mem_alloc(jobs->count, sizeof *packer->place_of);
    packer->pack_at = mem_alloc(jobs->count, sizeof *packer->pack_at);
    if (!packer->lanes || !packer->rests || !packer->place_of || !packer->pack_at ||
        backlog_init(&packer->backlog, jobs->count) != 0)
        return -1;
    mapper_packs_lay_out(packer);
    return 0;
}

static void mapper_packs_fini(struct mapper *mapper)
{
    struct packer *packer = (struct packer *)mapper;
    packs_fini(&packer->packs);
    backlog_fini(&packer->backlog);
    free(packer->lanes);
    free(packer->rests);
    free(packer->place_of);
    free(packer->pack_at);
}

/* --- changes --------------------------------------------------------------------------------- */

static void mapper_packs_arrive(struct mapper *mapper, uint32_t index)
{
    struct packer *packer = (struct packer *)mapper;
    const struct map_job *job = &mapper->jobs->list[index];
    uint32_t place = packer->place_of[index];
    backlog_add(&packer->backlog, place, (struct demand){job->nodes, job->ideal, job->volume});
    packer->rests[packer->pack_at[place]].arrived++;
}

static struct lane *lane_of(struct packer *packer, uint32_t job)
{
    uint32_t pack = packer->pack_at[packer->place_of[job]];
    return &packer->lanes[packer->packs.list[pack].io_node];
}

static void mapper_packs_end(struct mapper *mapper, uint32_t job)
{
    struct lane *lane = lane_of((struct packer *)mapper, job);
    lane->running--;
    lane->free += mapper->jobs->list[job].nodes;
}

/* --- decisions ------------------------------------------------------------------------------- */

/* Begins the first pack all of whose jobs have arrived; false if there is none. */
static bool mapper_packs_begin(struct packer *packer, struct lane *lane, double now)
{
    while (lane->first < lane->end && packer->rests[lane->first].left == 0)
        lane->first++;
    for (uint32_t i = lane->first; i < lane->end; i++) {
        const struct rest *rest = &packer->rests[i];
        if (rest->left == 0 || rest->arrived < rest->left)
            continue;
        lane->current = i;
        lane->number = packer->started++;
        lane->start = now;
        lane->volume = 0;
        return true;
    }
    return false;
}

/* The next job of the current pack. */
static uint32_t find_member(const struct packer *packer, const struct lane *lane)
{
    static const struct demand anything = {INFINITY, INFINITY, INFINITY};
    const struct pack *pack = &packer->packs.list[lane->current];
    return backlog_first(&packer->backlog, &anything,
                         (const uint32_t[]){pack->first, pack->first + pack->count});
}

/* The first job of a later pack that fits beside the current one. */
static uint32_t mapper_packs_find_filler(const struct packer *packer, const struct lane *lane,
                                         double now)
{
    const struct packs *packs = &packer->packs;
    const struct pack *pack = &packs->list[lane->current];
    const struct pack *first = &packs->list[lane->first], *last = &packs->list[lane->end - 1];
    double most = map_allowance(packer->base.jobs, packer->base.rules.sensitivity, pack->length);
    const struct demand free = {lane->free, (lane->start + pack->length) * (1 + 1e-12) - now,
                                most - lane->volume};
    uint32_t left = last->first + last->count - first->first;
    return backlog_first(
        &packer->backlog, &free,
        (const uint32_t[]){first->first, first->first + (left < MAP_DEPTH ? left : MAP_DEPTH)});
}

static void mapper_packs_start(struct packer *packer, struct lane *lane, uint32_t place,
                               struct map_start *start)
{
    uint32_t index = packer->packs.members[place];
    const struct map_job *job = &packer->base.jobs->list[index];
    struct rest *rest = &packer->rests[packer->pack_at[place]];
    backlog_remove(&packer->backlog, place);
    rest->left--;
    rest->arrived--;
    lane->running++;
    lane->free -= job->nodes;
    lane->volume += job->volume;
    *start = (struct map_start){index, (uint32_t)(lane - packer->lanes), lane->number};
}

static bool mapper_packs_next(struct mapper *mapper, double now, struct map_start *found)
{
    struct packer *packer = (struct packer *)mapper;
    for (uint32_t i = 0; i < mapper->rules.io_nodes; i++) {
        struct lane *lane = &packer->lanes[i];
        uint32_t place = BACKLOG_NONE;
        bool going = lane->current < packer->packs.count && packer->rests[lane->current].left > 0;
        if (going || (lane->running == 0 && mapper_packs_begin(packer, lane, now)))
            place = find_member(packer, lane);
        else if (lane->running > 0 && mapper->rules.backfill)
            place = mapper_packs_find_filler(packer, lane, now);
        if (place == BACKLOG_NONE)
            continue;
        mapper_packs_start(packer, lane, place, found);
        return true;
    }
    return false;
}

const struct map_method_ops mapper_packs = {.size = sizeof(struct packer),
                                            .init = mapper_packs_init,
                                            .fini = mapper_packs_fini,
                                            .arrive = mapper_packs_arrive,
                                            .end = mapper_packs_end,
                                            .next = mapper_packs_next};
