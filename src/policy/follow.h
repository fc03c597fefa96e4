/* Following a plan: the n-th I/O of an application takes its n-th planned instance, whatever the
 * time, and should end when that does.
 *
 * A plan that ties I/Os to times loses all it promises to 0.1 % of noise: an I/O that misses its
 * time waits for the next. What a plan is worth is its rates and its order, and these survive. So
 * an instance gives an I/O no more than a deadline (pacing.h), by a clock of the application's own:
 * that is 0.3 of the way nearer to when its I/Os really come, after each. Nothing is reserved. */
#ifndef WEIR_POLICY_FOLLOW_H
#define WEIR_POLICY_FOLLOW_H

#include "policy/pacing.h"
#include "policy/slot.h"
#include <weir/policy.h>

/* Where an application is in the plan. */
struct follower {
    double work, volume; /* of an iteration, as planned */
    struct slot slot;    /* that its I/O has taken, */
    struct slot before;  /* and the one before that */
    double slip;         /* its clock minus the plan's */
    double posted;       /* the I/O that has taken the slot, by the time of its post */
    double deadline;     /* of that I/O, */
    double length;       /* and how long its iteration should take */
    bool begun;          /* it has taken a slot in this epoch */
    bool stranger;       /* it has I/O and is not part of the plan */
    bool misfit;         /* it is, and does something else */
};

struct follow {
    const struct plan *plan;    /* NULL = there is none to follow */
    const uint32_t *places;     /* by id: 1 + its number in the plan, 0 = none; NULL = its id */
    struct follower *followers; /* by id */
    struct pacing *pacing; /* what the applications repeat; the host's reports go there first */
    double origin;         /* when the first period of the plan begins */
    uint32_t present;      /* applications of the plan that are here, */
    uint32_t strangers, misfits;
    bool fits; /* the applications to the plan: all are here and do what was planned, no other */
};

/* From now on this plan is followed, and none has taken a slot of it. */
void follow_begin(struct follow *follow, const struct plan *plan, const struct weir_view *view);

/* What the host reports. */
void follow_joined(struct follow *follow, const struct weir_view *view, uint32_t app);
void follow_posted(struct follow *follow, const struct weir_view *view, uint32_t app);
void follow_left(struct follow *follow, uint32_t app);

/* The I/O that an application has ended was not the one that is planned: its slot is free again. */
void follow_return(struct follow *follow, uint32_t app);

/* Serves all active applications by the plan, if they fit to it; else false. */
bool follow_serve(struct follow *follow, const struct weir_view *view, struct weir_grants *grants);

#endif
