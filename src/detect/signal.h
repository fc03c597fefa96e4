/* The bandwidth of an application alone, over time. */
#ifndef WEIR_DETECT_SIGNAL_H
#define WEIR_DETECT_SIGNAL_H

#include "model/workload.h"
#include <stddef.h>

/* One I/O: seconds since the first one began. */
struct pulse {
    double start, end;
};

struct signal {
    struct pulse *pulses; /* in order, without overlap */
    size_t count;
    double length; /* until the last one begins; that one is not part of the signal */
};

/* The first I/Os of the application, at most `most`; I/Os without work between them count as one.
 * 0, or -1 when memory is out; signal_fini frees in both cases. */
int signal_init(struct signal *signal, const struct app *app, size_t most);
void signal_fini(struct signal *signal);

/* Seconds of the I/Os that begin before a time. */
double signal_busy(const struct signal *signal, double time);

/* Samples the signal: in each of `count` parts of equal length the share of the time with I/O,
 * minus that of the whole. */
void signal_sample(const struct signal *signal, float *samples, size_t count);

/* The mean frequency near `frequency`: pieces of this many periods are transformed one by one, and
 * the slope of their phase shows how far off it is. NAN if there is only one piece. */
double signal_follow(const struct signal *signal, double frequency, int periods);

#endif
