/* What the nodes of a machine do over time: seconds of node time by kind, in parts of equal length.
 *
 * How long a run will be is not known before it ends. So there is a fixed number of parts, and
 * whenever they do not reach far enough, neighbours are merged and the length doubles: sums stay
 * exact, and the memory is the same for an hour and for a year. */
#ifndef WEIR_MODEL_USAGE_H
#define WEIR_MODEL_USAGE_H

#include <stdint.h>

enum { USAGE_PARTS = 128 };

/* What a node with a job on it does; a node without one is idle. */
enum usage_kind { USAGE_WORK, USAGE_IO, USAGE_DELAYED, USAGE_KINDS };

struct usage {
    double start; /* of the first part */
    double width; /* seconds per part; part k begins at start + k width */
    double parts[USAGE_PARTS][USAGE_KINDS];
};

/* All 0; `width` > 0 is that of the first parts. */
void usage_init(struct usage *usage, double start, double width);

/* Adds what some nodes did from span[0] to span[1]; start <= span[0] <= span[1] < INFINITY. */
void usage_add(struct usage *usage, enum usage_kind kind, const double span[2], double nodes);

#endif
