/* What ran on a machine when: jobs of several kinds on its nodes, over months. */
#ifndef WEIR_MODEL_SCHEDULE_H
#define WEIR_MODEL_SCHEDULE_H

#include "base/err.h"
#include "model/platform.h"
#include <stddef.h>
#include <stdint.h>

struct schedule_job {
    double start, end; /* 0 <= start < end */
    uint32_t nodes;    /* at least 1; which ones: see schedule_assign */
    uint32_t kind;
    uint32_t number; /* 1.. among the jobs of its kind, in the order in which they were placed */
};

struct schedule {
    char name[64];
    struct platform platform;
    const char *const *kinds; /* their names, borrowed; ends with NULL */
    struct schedule_job *jobs;
    size_t count, capacity;
};

/* An empty schedule; NULL when memory is out. schedule_free frees. */
struct schedule *schedule_new(const char *name, const struct platform *platform,
                              const char *const *kinds);
void schedule_free(struct schedule *schedule); /* NULL is fine */

/* Appends a job. 0, or -1 when memory is out. */
int schedule_add(struct schedule *schedule, const struct schedule_job *job);

/* Puts the jobs in the order of their starts, those of the same start in that of their kinds and
 * numbers. */
void schedule_sort(struct schedule *schedule);

/* The last end and the last start of a job; 0 if there is none. */
double schedule_end(const struct schedule *schedule);
double schedule_last_start(const struct schedule *schedule);

/* A steady-state window (002 section 3.2): some job runs, and none starts or ends inside. */
struct span {
    double start, end;
};

/* Finds the longest of them, as many as 002 looks at, the longest first and of equals the earliest;
 * the machine drains after the last start, and that does not count. Returns how many there are, or
 * -1 when memory is out. */
enum { SCHEDULE_WINDOWS = 20 };
int schedule_find_windows(const struct schedule *schedule, struct span windows[SCHEDULE_WINDOWS],
                          struct err *err);

/* The part of the node hours before the last start that jobs use. */
double schedule_utilization(const struct schedule *schedule);

/* Calls back with the nodes of each job, in ranges, if each job takes the lowest nodes that are
 * free when it starts; the jobs are sorted. 0, -1 with err when memory is out or there are not
 * enough nodes, or what the callback returns if that is not 0. */
struct schedule_place {
    const struct schedule_job *job;
    uint32_t first, count; /* nodes */
};
int schedule_assign(const struct schedule *schedule,
                    int (*take)(const struct schedule_place *place, void *context), void *context,
                    struct err *err);

#endif
