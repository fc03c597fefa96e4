/* Following a plan: which planned instance an I/O takes, and who is served when. */
#ifndef WEIR_POLICY_FOLLOW_H
#define WEIR_POLICY_FOLLOW_H

#include "policy/online.h"
#include "policy/slot.h"
#include <weir/policy.h>

/* Where an application is in the plan. */
struct follower {
    struct slot slot;  /* that its I/O has taken, */
    struct slot using; /* and that it moves in: a later one, when `slot` is over before it is */
    size_t piece;      /* of that; those before are over */
    double posted;     /* the I/O that has taken it, by the time of its post */
    bool begun;        /* it has taken a slot */
};

struct follow {
    const struct plan *plan;    /* NULL = the online strategy serves all */
    const uint32_t *places;     /* by id: 1 + its number in the plan, 0 = none; NULL = its id */
    struct follower *followers; /* by id */
    double origin;              /* when the first period of the plan begins */
    double late; /* an I/O that comes late by less than this part of its own length is in time */
    bool eager;  /* an I/O does not wait for its slot if there is bandwidth before it, and what
                   remains of it  after its slot uses the next one */
    struct online *online;
};

/* From now on this plan is followed, and none has taken a slot of it. */
void follow_begin(struct follow *follow, const struct plan *plan, const struct weir_view *view);

/* An application has posted an I/O: it takes the first slot after the one taken last that it is in
 * time for, or keeps its own if it had only paused. */
void follow_post(struct follow *follow, const struct weir_view *view, uint32_t app);

/* The I/O that an application has ended was not the one that is planned: the slot is free again. */
void follow_return(struct follow *follow, uint32_t app);

/* Serves all active applications: those that have bandwidth in the plan now, then, by the online
 * strategy, those that have none; with `eager` also those that wait for their slot, and the rest of
 * the bandwidth goes to those that the plan gives less than they can take. */
void follow_decide(struct follow *follow, const struct weir_view *view, struct weir_grants *grants);

#endif
