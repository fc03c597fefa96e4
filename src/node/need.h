/* Finds out how much bandwidth an application can use: what it would move if it never waited for
 * its grant.
 *
 * A pure function of looks at an open I/O, without a clock. A program that computes between its
 * calls is outside them for some time, however much it is granted; inside them it would move its
 * bytes at the speed that it reaches alone. So a process that moves m bytes and is outside its
 * calls for t seconds needs m / (t + m / alone), whether it waits for its grant or for a store that
 * others slow down; and an application needs what its processes do together. Only calls that take
 * more than NEED_SLOW times as long as their bytes at that speed, or at the grant, are slow by
 * themselves.
 *
 * Time outside calls counts if the application repeats itself within NEED_CYCLE seconds. One that
 * is quiet for longer pauses, and little is lost until that is seen.
 *
 * What is found is the mean of about NEED_WINDOW / (1 - NEED_KEEP) seconds. An application whose
 * calls wait for NEED_PRESSED seconds more than it is outside calls needs more than was found: it
 * is taken to need twice as much, and what was seen before no longer counts. */
#ifndef WEIR_NODE_NEED_H
#define WEIR_NODE_NEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NEED_WINDOW  0.1
#define NEED_KEEP    0.85
#define NEED_CYCLE   0.05
#define NEED_SLOW    4
#define NEED_PRESSED 0.02

/* One that needs this part of what it reaches alone needs all. */
#define NEED_ALL 0.97

/* What is seen of one process, and what it did. */
struct need_process {
    bool inside;    /* a call */
    uint64_t count; /* of its bytes, */
    uint64_t seen;  /* and the same at the last judgement */
    double bytes;   /* that it moved, */
    double outside; /* and seconds outside calls while others were inside; older ones count less */
};

/* What is seen of the application. */
struct need_look {
    double rate;  /* that it is granted */
    double alone; /* bytes/s that it reaches alone, > 0 */
    double moved; /* bytes in all */
    bool waits;   /* its calls wait for the grant */
};

struct need_state {
    double rate;   /* bytes/s that it needs; INFINITY = all that it can get */
    double looked; /* time of the last look */
    double window; /* seconds since the last judgement */
    /* Sums, of which older parts count less: */
    double seconds, granted;
    double outside; /* seconds in which no process was inside a call */
    /* At present: */
    double quiet;   /* seconds without a call, which count once there is another */
    double stretch; /* bytes moved in all when the last such quiet ended, */
    double moved;   /* and at the last look */
    double pressed; /* seconds for which its calls have waited, less those outside */
};

/* Nothing is known: it needs all. */
void need_init(struct need_state *need);

/* An I/O begins, after so many bytes in all. What was found in earlier ones is kept. */
void need_begin(struct need_state *need, double now, double moved);

/* Looks at an open I/O that is granted bandwidth, or pauses; at times that never decrease. */
void need_see(struct need_state *need, double now, const struct need_look *look,
              struct need_process *processes, size_t count);

/* Time passes that shows nothing: it has no grant. */
void need_skip(struct need_state *need, double now);

#endif
