/* The bytes that the applications demand together over time if each runs alone, but later than it
 * could by a delay of its own. They grow at the sum of bmax over those that have an I/O; walked
 * from one change of this rate to the next, in memory for one cursor per application. */
#ifndef WEIR_BOUND_DEMAND_H
#define WEIR_BOUND_DEMAND_H

#include "base/agenda.h"
#include "base/maths.h"
#include "model/workload.h"

/* The current or next I/O of an application. */
struct demand_cursor {
    uint32_t iteration; /* the one after it */
    bool moving;
    double ends;
};

struct demand_walk {
    const struct workload *workload;
    const double *delays; /* seconds by application; NULL = none is late */
    uint32_t channel;     /* the only one whose I/Os count; others take their time alone */
    struct demand_cursor *cursors;
    struct agenda agenda; /* by application: when its rate changes next */
    struct sum rate;
    uint32_t moving;
};

/* The demand on the first channel. Borrows both; the delays may change until the next demand_rewind. 0, or -1 when memory is out. */
int demand_init(struct demand_walk *demand, const struct workload *workload, const double *delays);
void demand_fini(struct demand_walk *demand);

/* Begins at time 0, and must be called first. */
void demand_rewind(struct demand_walk *demand);

/* When the rate changes next; INFINITY = never again. */
static inline double demand_next(const struct demand_walk *demand)
{
    return agenda_time(&demand->agenda);
}

/* The rate before that, in bytes/s. */
static inline double demand_rate(const struct demand_walk *demand)
{
    return demand->moving > 0 ? sum_value(&demand->rate) : 0;
}

/* Passes the next change. */
void demand_step(struct demand_walk *demand);

#endif
