/* Phases one by one, as files give them, into the iterations of an application. */
#ifndef WEIR_FORMAT_PHASES_H
#define WEIR_FORMAT_PHASES_H

#include "base/arena.h"
#include "base/err.h"
#include "model/scenario.h"
#include <stdbool.h>
#include <stddef.h>

/* A zeroed struct is an empty list. */
struct phases {
    struct iteration *items;
    uint8_t *places; /* of their I/Os; NULL = none says anything */
    size_t count, capacity, places_capacity;
    bool open; /* the last one is work that no I/O has followed yet */
};

/* Adds seconds of work, or an I/O of this many bytes. An I/O belongs to the work just before it,
 * and work after work is more of the same. 0, or -1 when there are too many or memory is out. */
int phases_add_work(struct phases *phases, double seconds, struct err *err);
int phases_add_io(struct phases *phases, double bytes, struct err *err);
/* The same for an I/O of which the place is known (model/stores.h). */
int phases_add_io_at(struct phases *phases, double bytes, uint8_t place, struct err *err);

/* Gives the application a copy of them from the arena, and empties the list. 0 or -1. */
int phases_take(struct phases *phases, struct app_spec *app, struct arena *arena, struct err *err);

void phases_fini(struct phases *phases);

#endif
