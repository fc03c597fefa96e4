/* How many bytes were moved when: a histogram in bounded memory, whose parts get longer as needed.
 */
#ifndef WEIR_FORMAT_TRAFFIC_H
#define WEIR_FORMAT_TRAFFIC_H

#include "format/bursts.h"
#include <stdbool.h>
#include <stddef.h>

enum { TRAFFIC_PARTS = 1024 };
struct traffic {
    double width; /* of a part, s; 0 = there is nothing yet */
    double parts[TRAFFIC_PARTS];
};

/* An access from `start` >= 0 on, at a constant rate. */
void traffic_add(struct traffic *traffic, double start, double end, double volume);

/* Divides a phase into pieces in which its rate hardly changes: at most `most` of them into
 * `pieces`, which together move what the phase moves. Returns how many. */
size_t traffic_divide(const struct traffic *traffic, const struct burst *phase,
                      struct burst *pieces, size_t most);

#endif
