/* The instances of one application in a plan that is repeated forever. */
#ifndef WEIR_POLICY_SLOT_H
#define WEIR_POLICY_SLOT_H

#include "model/plan.h"
#include <stdbool.h>

/* Instance `index` of the application in the period that begins at origin + round * T. */
struct slot {
    double round; /* whole, maybe negative */
    size_t index; /* below the number of its instances, of which there is at least one */
};

/* An application and its plan. */
struct slots {
    const struct plan *plan;
    uint32_t app;
    double origin;
};

/* When its work begins, and its I/O. */
double slot_work(struct slots slots, struct slot slot);
double slot_time(struct slots slots, struct slot slot);
/* When its I/O ends. */
double slot_end(struct slots slots, struct slot slot);

/* What each instance has by the plan: the bytes of the first one, and the shortest work, since an
 * I/O may begin later than it could. */
double slot_planned_volume(struct slots slots);
double slot_planned_work(struct slots slots);

/* The first one whose I/O begins at this time or later; the one after another. */
struct slot slot_from(struct slots slots, double time);
struct slot slot_after(struct slots slots, struct slot slot);
bool slot_before(struct slot a, struct slot b);

/* Moves *piece on to the first piece of the slot that ends after `time`, and shifts it to its time
 * in *found. False if there is none. */
bool slot_piece(struct slots slots, struct slot slot, double time, size_t *piece,
                struct plan_piece *found);

#endif
