#include "model/schedule.h"
#include "base/mem.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct schedule *schedule_new(const char *name, const struct platform *platform,
                              const char *const *kinds)
{
    struct schedule *schedule = mem_alloc(1, sizeof *schedule);
    if (!schedule)
        return NULL;
    snprintf(schedule->name, sizeof schedule->name, "%s", name);
    schedule->platform = *platform;
    schedule->kinds = kinds;
    return schedule;
}

void schedule_free(struct schedule *schedule)
{
    if (schedule)
        free(schedule->jobs);
    free(schedule);
}

int schedule_add(struct schedule *schedule, const struct schedule_job *job)
{
    struct schedule_job *jobs =
        mem_reserve(schedule->jobs, &schedule->capacity, schedule->count + 1, sizeof *jobs);
    if (!jobs)
        return -1;
    schedule->jobs = jobs;
    jobs[schedule->count++] = *job;
    return 0;
}

static int compare_jobs(const void *a, const void *b)
{
    const struct schedule_job *one = a, *two = b;
    if (one->start != two->start)
        return one->start < two->start ? -1 : 1;
    if (one->kind != two->kind)
        return one->kind < two->kind ? -1 : 1;
    return (one->number > two->number) - (one->number < two->number);
}

void schedule_sort(struct schedule *schedule)
{
    qsort(schedule->jobs, schedule->count, sizeof *schedule->jobs, compare_jobs);
}

double schedule_end(const struct schedule *schedule)
{
    double end = 0;
    for (size_t i = 0; i < schedule->count; i++)
        end = fmax(end, schedule->jobs[i].end);
    return end;
}

double schedule_last_start(const struct schedule *schedule)
{
    double last = 0;
    for (size_t i = 0; i < schedule->count; i++)
        last = fmax(last, schedule->jobs[i].start);
    return last;
}

/* --- windows --------------------------------------------------------------------------------- */

/* A time at which the number of running jobs changes, and by how many. */
struct schedule_change {
    double time;
    int jobs;
};

static int compare_changes(const void *a, const void *b)
{
    const struct schedule_change *one = a, *two = b;
    return (one->time > two->time) - (one->time < two->time);
}

static struct schedule_change *list_changes(const struct schedule *schedule)
{
    struct schedule_change *changes = mem_alloc(2 * schedule->count, sizeof *changes);
    if (!changes)
        return NULL;
    for (size_t i = 0; i < schedule->count; i++) {
        changes[2 * i] = (struct schedule_change){schedule->jobs[i].start, 1};
        changes[2 * i + 1] = (struct schedule_change){schedule->jobs[i].end, -1};
    }
    qsort(changes, 2 * schedule->count, sizeof *changes, compare_changes);
    return changes;
}

/* Keeps the window if it is among the longest; returns how many are kept. */
static int schedule_keep(struct span *windows, int count, struct span window)
{
    int at = count;
    while (at > 0 && window.end - window.start > windows[at - 1].end - windows[at - 1].start)
        at--;
    if (at == SCHEDULE_WINDOWS)
        return count;
    count += count < SCHEDULE_WINDOWS;
    memmove(&windows[at + 1], &windows[at], (size_t)(count - 1 - at) * sizeof *windows);
    windows[at] = window;
    return count;
}

int schedule_find_windows(const struct schedule *schedule, struct span windows[SCHEDULE_WINDOWS],
                          struct err *err)
{
    double last = schedule_last_start(schedule);
    struct schedule_change *changes = list_changes(schedule);
    int count = 0;
    long running = 0;
    if (!changes)
        return err_memory(err);
    for (size_t i = 0; i < 2 * schedule->count && changes[i].time < last; i++) {
        running += changes[i].jobs;
        struct span window = {changes[i].time, changes[i + 1].time};
        if (running > 0 && window.end > window.start)
            count = schedule_keep(windows, count, window);
    }
    free(changes);
    return count;
}

double schedule_utilization(const struct schedule *schedule)
{
    double last = schedule_last_start(schedule), used = 0;
    for (size_t i = 0; i < schedule->count; i++) {
        const struct schedule_job *job = &schedule->jobs[i];
        used += (fmin(job->end, last) - job->start) * job->nodes;
    }
    return last > 0 ? used / (last * schedule->platform.nodes) : 0;
}

/* --- nodes ----------------------------------------------------------------------------------- */

/* Until when each node is busy. Blocks of nodes that are all busy are passed over. */
struct nodes {
    double *busy;  /* until this time */
    double *least; /* of a block */
    uint32_t count;
};
enum { BLOCK = 128 };

/* The first free one from `node` on, or `count`. */
static uint32_t next_free(const struct nodes *nodes, uint32_t node, double time)
{
    while (node < nodes->count && nodes->busy[node] > time)
        if (node % BLOCK == 0 && nodes->least[node / BLOCK] > time)
            node = nodes->count - node > BLOCK ? node + BLOCK : nodes->count;
        else
            node++;
    return node;
}

static void schedule_summarise(struct nodes *nodes, uint32_t block)
{
    double least = INFINITY;
    for (uint32_t i = block * BLOCK; i < nodes->count && i / BLOCK == block; i++)
        least = fmin(least, nodes->busy[i]);
    nodes->least[block] = least;
}

/* Gives the job its nodes, a range at a time. */
static int schedule_give(struct nodes *nodes, const struct schedule_job *job,
                         int (*take)(const struct schedule_place *place, void *context),
                         void *context)
{
    uint32_t left = job->nodes, node = 0;
    int status = 0;
    while (left > 0 && status == 0 && (node = next_free(nodes, node, job->start)) < nodes->count) {
        uint32_t first = node;
        for (; left > 0 && node < nodes->count && nodes->busy[node] <= job->start; node++, left--)
            nodes->busy[node] = job->end;
        for (uint32_t block = first / BLOCK; block <= (node - 1) / BLOCK; block++)
            schedule_summarise(nodes, block);
        status = take(&(struct schedule_place){job, first, node - first}, context);
    }
    return status != 0 ? status : left > 0 ? -1 : 0;
}

int schedule_assign(const struct schedule *schedule,
                    int (*take)(const struct schedule_place *place, void *context), void *context,
                    struct err *err)
{
    struct nodes nodes = {.count = (uint32_t)schedule->platform.nodes};
    int status = 0;
    nodes.busy = mem_alloc(nodes.count, sizeof *nodes.busy);
    nodes.least = mem_alloc(nodes.count / BLOCK + 1, sizeof *nodes.least);
    bool ready = nodes.busy && nodes.least;
    for (size_t i = 0; ready && i < schedule->count && status == 0; i++)
        status = schedule_give(&nodes, &schedule->jobs[i], take, context);
    free(nodes.busy);
    free(nodes.least);
    if (!ready)
        return err_memory(err);
    return status == -1 ? err_set(err, "%s: more nodes in use than there are", schedule->name)
                        : status;
}
