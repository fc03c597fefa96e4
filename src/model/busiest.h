/* The busiest hour: when the applications, each alone, would want most of the file system. */
#ifndef WEIR_MODEL_BUSIEST_H
#define WEIR_MODEL_BUSIEST_H

#include "model/workload.h"

struct busiest {
    double start;    /* of that time; NAN if there is none */
    double pressure; /* bytes wanted in it / bytes the file system can move in it */
};

/* Finds, among all times of this length between span[0] and span[1], the one with the
 * largest pressure, the earliest of equals. There is none if the span is shorter. Takes
 * O(m log n) for m phases of n applications, and memory for the applications only. 0, or -1 when
 * memory is out. */
int workload_busiest(const struct workload *workload, const double span[2], double length,
                     struct busiest *busiest);

#endif
