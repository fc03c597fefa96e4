/* List scheduling with a strict limit (thesis, section IV.A.2): the first job of the order starts
 * as soon as its nodes are free and the average bandwidths of all jobs behind an I/O node stay
 * within the limit. If several I/O nodes have room, the one with the least bandwidth in use is
 * taken.
 *
 * With backfilling (section IV.A.4) later jobs may start before the first one, if they do not delay
 * its foreseen start behind its foreseen I/O node. */
#include "base/maths.h"
#include "base/mem.h"
#include "map/backlog.h"
#include "map/method.h"
#include "model/mapping.h"
#include <stdlib.h>

#define NONE UINT32_MAX

/* A running job, in the list of its I/O node. */
struct running_job {
    double end; /* if it were alone; the list is sorted by it */
    uint32_t next, before;
    uint32_t server;
};

/* One I/O node. */
struct server {
    double free;     /* nodes */
    struct sum used; /* average bandwidth of the running jobs; compensated, since they come and go
                        for ever and a drift would shut out jobs that fit exactly */
    uint32_t first;  /* running job */
};

struct lister {
    struct mapper base;
    struct server *servers;
    struct running_job *running; /* by job */
    struct backlog backlog;      /* of arrived jobs, by their places in the order */
    uint32_t *job_at;            /* by place */
    uint32_t *place_of;          /* by job */
    double limit;                /* S b, bytes/s that the jobs of an I/O node may use on average */
};

/* --- making and freeing ---------------------------------------------------------------------- */

static int mapper_list_init(struct mapper *mapper)
{
    struct lister *lister = (struct lister *)mapper;
    const struct map_jobs *jobs = mapper->jobs;
    lister->limit = map_allowance(jobs, mapper->rules.sensitivity, 1);
    lister->servers = mem_alloc(mapper->rules.io_nodes, sizeof *lister->servers);
    lister->running = mem_alloc(jobs->count, sizeof *lister->running);
    lister->job_at = map_jobs_sorted(jobs);
    lister->place_of = mem_alloc(jobs->count, sizeof *lister->place_of);
    if (!lister->servers || !lister->running || !lister->job_at || !lister->place_of ||
        backlog_init(&lister->backlog, jobs->count) != 0)
        return -1;
    for (uint32_t i = 0; i < jobs->count; i++)
        lister->place_of[lister->job_at[i]] = i;
    for (uint32_t i = 0; i < mapper->rules.io_nodes; i++)
        lister->servers[i] = (struct server){.free = jobs->nodes, .first = NONE};
    return 0;
}

static void mapper_list_fini(struct mapper *mapper)
{
    struct lister *lister = (struct lister *)mapper;
    free(lister->servers);
    free(lister->running);
    free(lister->job_at);
    free(lister->place_of);
    backlog_fini(&lister->backlog);
}

/* --- changes --------------------------------------------------------------------------------- */

static void mapper_list_arrive(struct mapper *mapper, uint32_t index)
{
    struct lister *lister = (struct lister *)mapper;
    const struct map_job *job = &mapper->jobs->list[index];
    backlog_add(&lister->backlog, lister->place_of[index],
                (struct job_demand){job->nodes, job->ideal, map_job_rate(job)});
}

/* Inserts a job into the list of its I/O node by its foreseen end. A linear search, as
 * foresee walks the list too. */
static void mapper_list_enlist(struct lister *lister, uint32_t job, uint32_t server, double end)
{
    uint32_t before = NONE, next = lister->servers[server].first;
    while (next != NONE && lister->running[next].end <= end) { /* equal ends: by start */
        before = next;
        next = lister->running[next].next;
    }
    lister->running[job] =
        (struct running_job){.end = end, .next = next, .before = before, .server = server};
    if (before == NONE)
        lister->servers[server].first = job;
    else
        lister->running[before].next = job;
    if (next != NONE)
        lister->running[next].before = job;
}

static void mapper_list_end(struct mapper *mapper, uint32_t index)
{
    struct lister *lister = (struct lister *)mapper;
    const struct map_job *job = &mapper->jobs->list[index];
    const struct running_job *running = &lister->running[index];
    struct server *server = &lister->servers[running->server];
    server->free += job->nodes;
    sum_add(&server->used, -map_job_rate(job));
    if (running->before == NONE)
        server->first = running->next;
    else
        lister->running[running->before].next = running->next;
    if (running->next != NONE)
        lister->running[running->next].before = running->before;
}

static void mapper_list_start(struct lister *lister, uint32_t place, uint32_t server, double now)
{
    uint32_t index = lister->job_at[place];
    const struct map_job *job = &lister->base.jobs->list[index];
    backlog_remove(&lister->backlog, place);
    lister->servers[server].free -= job->nodes;
    sum_add(&lister->servers[server].used, map_job_rate(job));
    mapper_list_enlist(lister, index, server, now + job->ideal);
}

/* --- the first job of the order -------------------------------------------------------------- */

/* What is free behind an I/O node, for any length of time. */
static struct job_demand room_at(const struct lister *lister, uint32_t server)
{
    const struct server *at = &lister->servers[server];
    return (struct job_demand){at->free, INFINITY, lister->limit - sum_value(&at->used)};
}

/* The I/O node with the most bandwidth left where a job can start now, or NONE. Of equal ones the
 * first is taken. */
static uint32_t find_server(const struct lister *lister, const struct map_job *job)
{
    uint32_t best = NONE;
    double most = -INFINITY;
    for (uint32_t i = 0; i < lister->base.rules.io_nodes; i++) {
        struct job_demand room = room_at(lister, i);
        if (job->nodes > room.nodes || map_job_rate(job) > room.io || !(room.io > most))
            continue;
        best = i;
        most = room.io;
    }
    return best;
}

/* --- backfilling ----------------------------------------------------------------------------- */

/* Where and when the first job is foreseen to start, and what others may still use there then. */
struct reservation {
    uint32_t server;
    double time;
    struct job_demand spare;
};

/* When a job can start behind an I/O node if the running jobs take as long as alone. They take
 * longer where their I/O meets, so the forecast may be early; a job that should have ended counts
 * as ending now. */
static struct reservation mapper_list_foresee(const struct lister *lister,
                                              const struct map_job *job, uint32_t server,
                                              double now)
{
    struct job_demand room = room_at(lister, server);
    double time = now;
    for (uint32_t i = lister->servers[server].first; i != NONE; i = lister->running[i].next) {
        const struct map_job *other = &lister->base.jobs->list[i];
        bool enough = room.nodes >= job->nodes && room.io >= map_job_rate(job);
        double end = maths_max(now, lister->running[i].end);
        /* Jobs that end at the same time count together: what they leave is spare for others. */
        if (enough && end > time)
            break;
        time = end;
        room.nodes += other->nodes;
        room.io += map_job_rate(other);
    }
    room.nodes -= job->nodes;
    room.io -= map_job_rate(job);
    return (struct reservation){server, time, room};
}

/* The earliest start of the first job over all I/O nodes. Backfilling may use everything else. */
static struct reservation mapper_list_reserve(const struct lister *lister,
                                              const struct map_job *job, double now)
{
    struct reservation best = mapper_list_foresee(lister, job, 0, now);
    for (uint32_t i = 1; i < lister->base.rules.io_nodes; i++) {
        struct reservation other = mapper_list_foresee(lister, job, i, now);
        if (other.time < best.time)
            best = other;
    }
    return best;
}

/* The first place in the range whose job may start behind the I/O node now without delaying the
 * reservation (EASY): it ends before the reserved start, or uses only what that leaves spare. */
static uint32_t mapper_list_find_filler(const struct lister *lister,
                                        const struct reservation *reservation, uint32_t server,
                                        const uint32_t range[2], double now)
{
    struct job_demand room = room_at(lister, server);
    /* Behind other I/O nodes nothing is reserved. */
    if (server != reservation->server)
        return backlog_first(&lister->backlog, &room, range);
    struct job_demand brief = room, modest = room;
    /* A job that ends exactly at the reserved start must not be refused for the rounding of its
     * end. */
    brief.time = reservation->time * (1 + 1e-12) - now;
    modest.nodes = maths_min(room.nodes, reservation->spare.nodes);
    modest.io = maths_min(room.io, reservation->spare.io);
    uint32_t a = backlog_first(&lister->backlog, &brief, range);
    uint32_t b = backlog_first(&lister->backlog, &modest, range);
    return a < b ? a : b;
}

/* A job after the first one that may start before it: its place and, in *server, its I/O node. The
 * earliest in the order wins, wherever it fits: backfilling must not reorder more than it has to.
 */
static uint32_t mapper_list_backfill(const struct lister *lister, uint32_t first, double now,
                                     uint32_t *server)
{
    const struct map_job *job = &lister->base.jobs->list[lister->job_at[first]];
    const struct reservation reservation = mapper_list_reserve(lister, job, now);
    uint32_t best = BACKLOG_NONE, left = lister->base.jobs->count - first - 1;
    const uint32_t range[] = {first + 1, first + 1 + (left < MAP_DEPTH ? left : MAP_DEPTH)};
    for (uint32_t i = 0; i < lister->base.rules.io_nodes; i++) {
        uint32_t place = mapper_list_find_filler(lister, &reservation, i, range, now);
        if (place >= best)
            continue;
        best = place;
        *server = i;
    }
    return best;
}

static bool mapper_list_next(struct mapper *mapper, double now, struct map_start *found)
{
    struct lister *lister = (struct lister *)mapper;
    static const struct job_demand anything = {INFINITY, INFINITY, INFINITY};
    /* The first job that has arrived: jobs to come do not block those that are there. */
    uint32_t place =
        backlog_first(&lister->backlog, &anything, (const uint32_t[]){0, mapper->jobs->count});
    if (place == BACKLOG_NONE)
        return false;
    uint32_t server = find_server(lister, &mapper->jobs->list[lister->job_at[place]]);
    if (server == NONE && mapper->rules.backfill)
        place = mapper_list_backfill(lister, place, now, &server);
    if (server == NONE)
        return false;
    mapper_list_start(lister, place, server, now);
    *found = (struct map_start){lister->job_at[place], server, MAPPING_NO_PACK};
    return true;
}

const struct map_method_ops mapper_list = {.size = sizeof(struct lister),
                                           .init = mapper_list_init,
                                           .fini = mapper_list_fini,
                                           .arrive = mapper_list_arrive,
                                           .end = mapper_list_end,
                                           .next = mapper_list_next};
