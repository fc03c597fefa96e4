/* Writing a pattern down as a plan while it is filled.
 *
 * Instances of different applications come in any order; a plan has those of each application
 * together. So they are noted with their application, and sorted at the end. */
#ifndef WEIR_PLAN_RECORD_H
#define WEIR_PLAN_RECORD_H

#include "model/plan.h"

/* A zeroed record writes nothing down. */
struct record {
    struct plan *plan;
    uint32_t *owners; /* the application of each instance */
    size_t capacity;
    bool failed; /* memory ran out */
};

int record_begin(struct record *record, uint32_t apps, double period); /* 0, -1 out of memory */

/* An instance whose work begins at `start`, and then the pieces of its I/O in order of time. */
void record_instance(struct record *record, uint32_t app, double start);
void record_piece(struct record *record, struct plan_piece piece);

/* The plan, which plan_free frees; NULL when memory ran out. The record is zeroed. */
struct plan *record_finish(struct record *record);

#endif
