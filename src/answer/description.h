/* What is in a workload: how much I/O each application does and how often, how much
 * that is for the file system, and how often they will be in each other's way. */
#ifndef WEIR_ANSWER_DESCRIPTION_H
#define WEIR_ANSWER_DESCRIPTION_H

#include "base/err.h"
#include "detect/period.h"
#include "model/busiest.h"
#include "model/magnitude.h"
#include "model/watcher.h"
#include "model/workload.h"
#include "trial/row.h"
#include <stddef.h>
#include <stdint.h>

/* Parts of the timeline; a column each on a screen of 80. */
enum { DESCRIPTION_PARTS = 70 };

/* Applications of one specification: means over the replicas, and over the iterations. */
struct description_row {
    const char *name;
    uint32_t count;
    double nodes; /* NAN = unknown */
    double bmax, iterations;
    double work, volume, period; /* of an iteration; the period is that alone, unless declared */
    double ideal;                /* of all iterations, alone */
    struct detection detected;   /* if phases vary: what the first replica shows; else nothing */
};

struct description {
    const struct workload *workload;
    struct description_row *rows;
    size_t row_count;
    double volume;             /* bytes of all applications */
    double shortest, longest;  /* periods of those that do I/O; INFINITY and 0 if none does */
    uint32_t sets[MAGNITUDES]; /* how many set-10 would put in each */
    double io_weight;          /* of workload_io_weight */
    double start, end;         /* of the window, or of the run if none waited */
    struct busiest busiest;    /* hour in it, each application alone */
    double demand[DESCRIPTION_PARTS]; /* mean in each part of it, each application alone, / B */
    const struct row *row;            /* simulated, NULL = not */
    double congested;                 /* share of that time in which the demand exceeds B */
};

/* Describes the workload, which is borrowed and has its window set. 0, or -1 when memory is out;
 * description_fini frees in both cases. */
int description_init(struct description *description, const struct workload *workload,
                     struct err *err);
void description_fini(struct description *description);

/* Why nothing is simulated: it would mean nothing, or take too long; NULL if neither. */
const char *description_obstacle(const struct description *description);

/* How long the demand exceeds B in a run under fair-share, which slows all transfers down then. */
struct congestion {
    const struct workload *workload;
    double bandwidth, start, end; /* what falls between these counts */
    double now, seconds;
    double demand;  /* bytes/s that transfers could use */
    uint32_t count; /* of transfers */
    bool *moving;   /* by application */
};

/* 0, or -1 when memory is out; congestion_fini frees. */
int congestion_init(struct congestion *congestion, const struct workload *workload,
                    struct err *err);
void congestion_fini(struct congestion *congestion);

/* What the run is to be followed by. */
struct watcher congestion_watcher(struct congestion *congestion);

/* Adds what came out of that run, which is borrowed. */
void description_add_run(struct description *description, const struct row *row,
                         const struct congestion *congestion);

#endif
