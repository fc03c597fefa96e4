/* The bandwidth that is still free over one period, as slots of constant width.
 *
 * Slots are kept in order of time in blocks of contiguous memory: a walk along the period is a walk
 * along arrays, a time is found by two binary searches, and a split moves at most one block. So a
 * pattern of ten instances is as fast as a flat array, and one of a million does not get slow. */
#ifndef WEIR_PLAN_RIBBON_H
#define WEIR_PLAN_RIBBON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Times this close are the same (seconds, as published). */
#define RIBBON_SAME 2e-5

struct ribbon_block;

struct ribbon {
    double period;
    struct ribbon_block **blocks;
    size_t count, capacity; /* of blocks; all up to capacity are allocated or NULL */
    bool failed;            /* memory ran out: what was taken since is not complete */
};

/* A slot. Valid until the next change. */
struct ribbon_place {
    size_t block;
    uint32_t slot;
};

/* Makes [0, period) free everywhere with the given width; reuses memory. A zeroed struct may be
 * reset. */
void ribbon_reset(struct ribbon *ribbon, double period, double width);
void ribbon_fini(struct ribbon *ribbon);

/* The slot that holds a time in [0, period). */
struct ribbon_place ribbon_find(const struct ribbon *ribbon, double time);
/* Moves to the next slot; false at the end of the period. */
bool ribbon_next(const struct ribbon *ribbon, struct ribbon_place *place);

double ribbon_start(const struct ribbon *ribbon, struct ribbon_place place);
double ribbon_end(const struct ribbon *ribbon, struct ribbon_place place);
double ribbon_free(const struct ribbon *ribbon, struct ribbon_place place);

/* Makes a slot begin at this time, if none does. */
void ribbon_cut(struct ribbon *ribbon, double time);

/* Takes `rate` from [from, to), which lies in this slot; ends that are RIBBON_SAME as the slot's
 * own do not make a new slot. Returns the slot that was taken from. */
struct ribbon_place ribbon_take(struct ribbon *ribbon, struct ribbon_place place, double from,
                                double to, double rate);

#endif
