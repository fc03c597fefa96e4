/* States of a search over schedules (bound/optimum.c): how far each application has come, and which
 * I/Os were preferred to which. For a given yield, each I/O has a time at which it is due. */
#ifndef WEIR_BOUND_OPTIMUM_STATES_H
#define WEIR_BOUND_OPTIMUM_STATES_H

#include "base/err.h"
#include "model/workload.h"
#include <stdbool.h>
#include <stdint.h>

/* One I/O, as the yield that is looked for makes it. */
struct optimum_io {
    double start;  /* alone, */
    double length; /* in seconds at the whole bandwidth, */
    double due;    /* and when it has to end */
};

struct optimum_chain {
    struct optimum_io *ios; /* room for all of the application's */
    uint32_t count;
};

/* An application in a state. */
struct optimum_place {
    uint32_t next; /* its I/O: the present one, or that after the present work */
    bool active;
    double at;      /* when it is posted, if it is not active; */
    double left;    /* what remains of it, if it is */
    uint64_t after; /* active applications whose I/Os end first */
};

struct optimum_level {
    double now;
    bool open;        /* what can be served is known: */
    uint64_t choices; /* of what has not been tried */
};

/* The states from the root to the one that is looked at: levels, and their places in one array
 * after the other. */
struct optimum_states {
    const struct workload *workload;
    uint32_t count;
    double end;                   /* of the window, or INFINITY */
    double instant;               /* seconds that are none */
    struct optimum_chain *chains; /* by application */
    struct optimum_io *ios;       /* of all chains */
    struct optimum_level *levels;
    struct optimum_place *places;
    size_t depth, levels_capacity, places_capacity;
};

/* 0, or -1 when memory is out; optimum_states_fini frees in both cases. */
int optimum_states_init(struct optimum_states *states, const struct workload *workload,
                        struct err *err);
void optimum_states_fini(struct optimum_states *states);

/* Makes the I/Os that reach yield y; false if an application has lost too much before. */
bool optimum_aim(struct optimum_states *states, double y);

/* Begins at the root. */
void optimum_start(struct optimum_states *states);

/* Goes one level deeper, to a copy. 0, or -1 when memory is out, or more than there should be. */
int optimum_push(struct optimum_states *states);

/* The state that is looked at, and its applications. */
struct optimum_level *optimum_level(const struct optimum_states *states);
struct optimum_place *optimum_places(const struct optimum_states *states);

/* Its present I/O, or that after its present work; NULL if there is none. */
const struct optimum_io *optimum_io(const struct optimum_states *states,
                                    const struct optimum_place *place, uint32_t id);

/* The time that the application would be at without delay: more is better. */
double optimum_progress(const struct optimum_states *states, const struct optimum_place *place,
                        uint32_t id, double now);

/* Goes on to the next instant in which an I/O is active, and says which applications have one, and
 * when the next is posted. False if there is none: all are done. */
bool optimum_settle(struct optimum_states *states, uint64_t *active, double *soonest);

/* Serves an active I/O until it ends or another is posted. */
void optimum_serve(struct optimum_states *states, uint32_t id, double soonest);

#endif
