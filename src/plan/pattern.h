/* Filling one period with instances: the inner loop of PerSched (003 section 3). */
#ifndef WEIR_PLAN_PATTERN_H
#define WEIR_PLAN_PATTERN_H

#include "model/plan.h"
#include "plan/record.h"
#include "plan/ribbon.h"
#include <stdbool.h>

/* Which application gets the next instance. */
enum pattern_pick {
    PATTERN_WEAKEST,    /* the least n (w + tio), as published */
    PATTERN_DENSEST,    /* the most node-seconds of work per byte, as long as it fits; equal
                           applications in turn */
    PATTERN_SEQUENTIAL, /* the same, equal applications one after the other */
    PATTERN_PICKS
};

struct pattern_rules {
    double period;
    enum pattern_pick pick;
    /* The published program accepts a first instance by the time it spends transferring, although
     * its pieces may be so far apart that no room is left for its work. `valid` asks for that
     * room. */
    bool valid;
    /* Which of equally wide slots a first instance takes: 0 = the earliest, as published. With
     * other numbers each application begins to look at a time of its own, spread evenly. */
    uint32_t offset;
    /* No valid pattern of this period is good enough, so a pattern is given up as soon as all first
     * instances are in and leave room for their work. */
    bool hopeless;
};

/* One application in the pattern that is being filled. Times count from the start of the period and
 * continue after its end. */
struct pattern_app {
    uint32_t instances;
    bool closed;  /* no more instances fit */
    double end;   /* of the I/O of its last instance */
    double limit; /* by which the last one must end: the work of the first one starts again */
    /* Without `valid`: when that work starts, if the first transfer is still going on then, else
     * 0. */
    double overlap;
};

struct pattern {
    const struct tasks *tasks;
    struct pattern_rules rules;
    struct ribbon ribbon;
    struct pattern_app *apps;
    struct pattern_slot *slots; /* room for sorting */
    size_t slot_capacity;
    struct record record; /* where instances are written down, if at all */
    bool overlapping;     /* some first instance leaves no room for its work */
    bool given_up;
    bool failed; /* memory ran out */
};

int pattern_init(struct pattern *pattern, const struct tasks *tasks); /* 0, -1 out of memory */
void pattern_fini(struct pattern *pattern);

/* Inserts instances until no application has room for one more. -1 when memory is out. */
int pattern_fill(struct pattern *pattern, struct pattern_rules rules);

/* Seconds of work in the pattern per node of the machine, T SysEfficiency; 0 if an application
 * has no instance, or the pattern was given up. And the largest dilation, then INFINITY. */
double pattern_work(const struct pattern *pattern);
double pattern_dilation(const struct pattern *pattern);

/* Fills the pattern again and writes it down. NULL when memory is out; plan_free frees. */
struct plan *pattern_plan(struct pattern *pattern, struct pattern_rules rules);

#endif
