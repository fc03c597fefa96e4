/* What is asked of `weir capacity`: its options, and what they say together. */
#ifndef WEIR_CLI_CAPACITY_REQUEST_H
#define WEIR_CLI_CAPACITY_REQUEST_H

#include "capacity/capacity.h"
#include "cli/cli.h"
#include "cli/study.h"

struct capacity_options {
    struct words operands; /* the scenario */
    struct words policies;
    struct study_source source;
    const char *application;
    double limits[CAPACITY_MEASURE_COUNT]; /* 0 = not given */
    struct whole most;
    bool json;
};

extern const struct option capacity_option_table[];

/* Fills in measure, limit and most; exactly one limit must be given, and be one that can be kept.
 * 0 or -1. */
int capacity_request_read(const struct capacity_options *options, struct capacity *capacity,
                          struct err *err);

/* Finds the application in capacity->scenario, and checks that the measure has a meaning in its
 * window. 0 or -1. */
int capacity_request_apply(const struct capacity_options *options, struct capacity *capacity,
                           struct err *err);

#endif
