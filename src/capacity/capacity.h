/* How many run together: the number of copies of an application that can run at the same time,
 * beside the rest of its scenario, before a measure passes its limit. */
#ifndef WEIR_CAPACITY_CAPACITY_H
#define WEIR_CAPACITY_CAPACITY_H

#include "base/err.h"
#include "metric/measure.h"
#include "model/scenario.h"
#include "policy/policy.h"
#include <stdbool.h>
#include <stdint.h>

/* The measures of weir/metrics.h that may be limited. */
#define CAPACITY_MEASURES(X)                                                                       \
    X(max_stretch)                                                                                 \
    X(min_yield)                                                                                   \
    X(dilation)

enum capacity_measure {
#define X(name) CAPACITY_##name,
    CAPACITY_MEASURES(X)
#undef X
        CAPACITY_MEASURE_COUNT
};

extern const struct measure *const capacity_measures[CAPACITY_MEASURE_COUNT];

struct capacity {
    const struct scenario *scenario; /* valid; measured in its own window */
    uint32_t app;                    /* index of the specification that is copied */
    enum capacity_measure measure;
    double limit;
    uint32_t most; /* the most copies to try, at most CAPACITY_MOST */
    /* Called now and then with how much of the simulation of this many copies is done; may be NULL.
     */
    void (*progress)(void *context, uint32_t copies, double done);
    void *context;
};
enum { CAPACITY_MOST = 1 << 27 };

/* What prevents a larger number. */
enum capacity_end {
    CAPACITY_END_LIMIT, /* the measure */
    CAPACITY_END_NODES, /* the nodes of the platform */
    CAPACITY_END_MOST   /* capacity.most */
};

struct capacity_found {
    uint32_t copies;
    uint32_t room;      /* see capacity_nodes */
    double value, next; /* of the measure with this many copies, and with one more; NAN = has no
                           meaning, or one more was not tried */
    uint32_t again;     /* a larger number that is within the limit again, 0 = none was seen */
    uint32_t simulations;
    enum capacity_end end;
};

/* How many copies the platform has nodes for, beside the other applications that are there at the
 * same time if each is alone; UINT32_MAX if their nodes, or the platform's, are unknown. 0, or -1
 * when memory is out. */
int capacity_nodes(const struct scenario *scenario, uint32_t app, uint32_t *copies);

/* Whether a value is within the limit, up to rounding; NAN is not: an application without a single
 * finished iteration has no dilation. */
bool capacity_within(enum capacity_measure measure, double value, double limit);

/* Finds the number under a strategy by simulations (see search.h): with `copies` the measure is
 * within the limit, and with one more it is not. All copies are as specified, released together; a
 * random specification is drawn for each, and the other applications are drawn alike whatever the
 * number. Without random lengths the values are those of the same scenario with its count changed.
 * 0, or -1 with err when a simulation fails, or memory is out. */
int capacity_find(const struct capacity *capacity, const struct policy *policy,
                  struct capacity_found *answer, struct err *err);

#endif
