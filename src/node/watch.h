/* Recognises from what an application does when its I/O pauses and when it is over.
 *
 * A pure function of samples, without a clock: its caller looks at the application from time
 * to time while an I/O is open and reports what it saw. After a short quiet the I/O pauses: its
 * bandwidth may be lent to others, its place is kept. After a longer one it is over, since its last
 * sign of life. How long that is adapts: pauses like those inside earlier I/Os do not end
 * one. An announced I/O pauses in the same way, or, as a program may move what it paid for without
 * a call that is seen, after WATCH_STALL seconds if it has claimed some; only its application ends
 * it.
 *
 * Bandwidth that is not claimed for WATCH_STALL seconds, WATCH_FIRST if none was claimed so far,
 * pauses it even inside a call: a process that was stopped must not block the others. One that
 * runs, or has claimed bandwidth and sleeps although it need not wait for more, is busy with the
 * store then, and is given WATCH_STUCK seconds, and WATCH_SHARED times what its bytes in the store
 * take alone: lending what it really uses would only slow down both. (Programs sleep in calls to
 * file systems of other processes, such as FUSE's.) So is one that claims bandwidth and moves
 * nothing. What is claimed and moved makes up for WATCH_PART times as long: one that uses a part of
 * what it has keeps it. */
#ifndef WEIR_NODE_WATCH_H
#define WEIR_NODE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#define WATCH_STALL  0.05
#define WATCH_FIRST  0.01
#define WATCH_STUCK  1.0
#define WATCH_SHARED 16
#define WATCH_PART   4
/* An I/O is over after this many times the longest pause seen inside one, but at the latest after
 * WATCH_LONGEST seconds. What was seen counts half as much with every I/O since. */
#define WATCH_FACTOR  8
#define WATCH_LONGEST 1.0
#define WATCH_DECAY   0.5
/* A closed file makes the end likelier: then a part of that time is enough. */
#define WATCH_CLOSED 0.5

struct watch_rule {
    double soft_release; /* seconds of quiet until it pauses, */
    double phase_gap;    /* and at least this many until it is over */
};

/* What changes while an application does anything at all. */
struct watch_signs {
    uint64_t calls, moved, claimed;
    uint32_t waiters, closed;
};

struct watch_sample {
    struct watch_signs signs;
    double last;    /* end of its last call, as it reports itself; not trusted */
    double claimed; /* what was claimed since the last look, in seconds of what it may have, */
    double moved;   /* and what was moved */
    double inside;  /* seconds that what is in the store takes alone */
    bool busy;      /* calls are under way, */
    bool running;   /* and a process that makes one is known to run, */
    bool sleeping;  /* or to sleep */
    bool unclaimed; /* it holds bandwidth that it has not claimed, */
    bool unmoved;   /* or that it has not moved anything with */
    bool begun;     /* it announces itself when the I/O is over */
};

enum watch_verdict { WATCH_MOVING, WATCH_PAUSED, WATCH_OVER };

/* A zeroed struct has seen nothing yet. */
struct watch {
    struct watch_signs signs;
    double active;    /* time of the last sign of life */
    double looked;    /* time of the last look */
    double unclaimed; /* seconds that bandwidth lay unclaimed, less what claims made up for, */
    double unmoved;   /* and that it had some, less what it moved */
    double longest;   /* pause inside the current I/O, */
    double learnt;    /* and inside earlier ones */
    bool closed;      /* a file was closed since the last call */
    bool claims;      /* it has claimed bandwidth since it began or went on */
    bool paused;      /* because it was quiet, */
    bool stalled;     /* or because bandwidth lay unclaimed, or nothing was moved with it */
};

/* An I/O begins. */
void watch_begin(struct watch *watch, double now, const struct watch_signs *signs);

/* The I/O goes on after a pause. */
void watch_resume(struct watch *watch, double now, const struct watch_signs *signs);

/* Looks at an open I/O, at times that never decrease. A pause ends when it is found moving. */
enum watch_verdict watch_look(struct watch *watch, const struct watch_rule *rule, double now,
                              const struct watch_sample *sample);

/* The I/O is over; returns since when, at most `now`. */
double watch_end(struct watch *watch, double now);

/* Seconds of quiet after which it is over. */
double watch_gap(const struct watch *watch, const struct watch_rule *rule);

#endif
