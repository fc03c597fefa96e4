/* When the I/O of logs took place and how fast it was, and what follows for the bandwidth of the
 * file system and of each application.
 *
 * A rate that was seen while others moved bytes too is what contention left, not what an
 * application can do. So the bandwidth of an application is that of its program in I/O that others
 * hardly disturbed; where there is none, nothing but the file system is known to limit it. */
#ifndef WEIR_FORMAT_OBSERVED_H
#define WEIR_FORMAT_OBSERVED_H

#include "model/platform.h"
#include "model/scenario.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of an I/O, or all of an application of which only totals are known. Pieces of one I/O
 * follow each other. */
struct observed_io {
    uint32_t app;       /* among those of the scenario */
    bool totals;        /* spread over all its iterations, which end with the run */
    uint32_t iteration; /* else this one */
    double start, end;  /* s */
    double busy;        /* s of that time in which bytes were moved, */
    double volume;      /* and how many */
    bool disturbed;     /* others moved so much meanwhile that it was probably slowed down */
    bool alone;         /* hardly anything else was moved meanwhile */
};

/* A zeroed struct is empty. */
struct observed {
    struct observed_io *list;
    size_t count, capacity;
};

int observed_add(struct observed *observed, struct observed_io io); /* 0, -1 out of memory */
void observed_fini(struct observed *observed);

/* The most that was moved per second by all together, but for the fastest twentieth of the bytes,
 * whose dates may be inexact. The file system can do at least that. Where all I/O is too short for
 * a rate, what it moves in the time that traces resolve. 0 = there is none. -1 when memory is out.
 */
double observed_peak(const struct observed *observed);

/* Sets `disturbed` of each I/O, for a file system of this bandwidth. 0, -1 when memory is out. */
int observed_judge(struct observed *observed, double bandwidth);

/* What an application can move alone, bytes/s, and how that was found. */
enum own_source { OWN_OF_NODES, OWN_OF_PROGRAM, OWN_UNKNOWN };
struct own_bandwidth {
    double rate, mean; /* INFINITY = unknown; the mean that was seen, disturbed or not */
    enum own_source source;
};

/* After observed_judge: the bandwidth of each of the applications, of which `own` has room for
 * `count`: that of its nodes if the platform says how much a node can do, else what its program
 * reached on as many nodes, within a factor of two, when it was not disturbed (the rate per node at
 * or below which it moved 90 % of these bytes). 0, -1 when memory is out. */
int observed_own(const struct observed *observed, const struct app_spec *apps,
                 const struct platform *platform, struct own_bandwidth *own, uint32_t count);

#endif
