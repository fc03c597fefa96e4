/* Measures the bandwidth of a store for uncontrolled writers. */
#ifndef WEIR_REPLAY_CALIBRATE_H
#define WEIR_REPLAY_CALIBRATE_H

#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>

enum { CALIBRATE_STEPS = 8 };

struct calibrate_options {
    const char *directory;
    double seconds; /* of a step, at most, */
    double bytes;   /* bytes written to its files in all */
    uint32_t most;  /* writers: 1, 2, 4 ... up to this, at most 128 */
    /* Called with the part that is done, 0..1; may be NULL. */
    void (*progress)(void *context, double done);
    void *context;
};

/* This many writers at once, each to its own file. */
struct calibrate_step {
    uint32_t writers;
    double bandwidth; /* bytes/s of all of them */
    double slowest, fastest;
    double degradation; /* 1 - bandwidth / that of one writer (thesis I.A.4); below 0 = a gain */
};

struct calibration {
    struct calibrate_step steps[CALIBRATE_STEPS];
    uint32_t count;
    bool direct;           /* bypassing the page cache; else every call waited for the device */
    bool memory;           /* the store is memory: it has no device */
    double bandwidth;      /* B: with the most writers */
    double node_bandwidth; /* b: with one writer; above B where several writers lose bandwidth */
};

/* Its files have no names, so none is left behind, however it ends. 0, or -1 with err: the
 * directory cannot be written, or a writer failed (a full disk). */
int calibrate(const struct calibrate_options *options, struct calibration *result, struct err *err);

#endif
