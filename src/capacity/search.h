/* The largest count that is good enough, where more is usually but not always worse. */
#ifndef WEIR_CAPACITY_SEARCH_H
#define WEIR_CAPACITY_SEARCH_H

#include "base/err.h"
#include <stdint.h>

/* How many counts on either side of a result are tried as well. */
enum { SEARCH_MARGIN = 4 };

struct capacity_search {
    uint32_t most; /* larger counts are not tried; below UINT32_MAX / 2 */
    /* Measures a count: 1 if it is good enough, 0 if it is not, -1 with err. Called at most once
     * for each. A count of 0 is good enough by definition, whatever the probe says, and tried only
     * if it is the answer. */
    int (*probe)(void *context, uint32_t count, double *value, struct err *err);
    void *context;
};

struct capacity_search_result {
    uint32_t count; /* good enough, and count + 1 is not, unless count = most */
    double value;   /* measured there */
    double next;    /* measured at count + 1; NAN if count = most */
    uint32_t again; /* the largest count up to SEARCH_MARGIN above count + 1 that is good enough
                       again, 0 = none */
    uint32_t probes;
};

/* Doubles the count until it is no longer good enough, bisects, and then tries the SEARCH_MARGIN
 * counts below as well: if one of them is not good enough, bisects below that, and so on. So every
 * count from `count` down to count - SEARCH_MARGIN was tried and is good enough, and for results up
 * to 7 so is every smaller one. 0, or -1 with err. */
int search_largest(const struct capacity_search *search, struct capacity_search_result *result,
                   struct err *err);

#endif
