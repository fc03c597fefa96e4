/* The jam: under fair sharing, a store that loses bandwidth by the number of its users has a second
 * equilibrium, in which nearly all of them wait (docs/model.md).
 *
 * Of n applications alike, with w seconds of work for each tio of I/O alone, k are in I/O. The
 * others post (n - k) / w I/Os per second; the k end min(k, r g(k)) / tio, with r = B / bmax. Once
 * the store is full, more come than go where (n - k) / (r g(k)) exceeds w / tio. The largest value
 * of that is the edge: for g(k) = 1 / (1 + d (k - 1)) and r = 1 it is ((n - 1) d + 1)^2 / 4d. */
#ifndef WEIR_MODEL_JAM_H
#define WEIR_MODEL_JAM_H

#include "model/workload.h"

struct jam {
    double edge;  /* NAN: the store loses nothing, or nothing uses it */
    double ratio; /* w / tio; a jam exists where it is below the edge */
    double tips;  /* how many in I/O at once tip it over; NAN = none can */
    double rest;  /* how many wait in the jam; NAN = there is none */
};

/* As if all applications that do I/O were alike. */
struct jam jam_find(const struct workload *workload);

#endif
