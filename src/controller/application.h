/* An application as the controller knows it: its identity, what it may use, its I/O, and the books
 * of what it really did. */
#ifndef WEIR_CONTROLLER_APPLICATION_H
#define WEIR_CONTROLLER_APPLICATION_H

#include "node/message.h"
#include "control/limits.h"
#include <weir/policy.h>

/* The most bytes that an application moves, in one I/O or in all; larger claims are not believed.
 * An I/O is at least one byte. */
#define APPLICATION_MOST  NODE_BYTES
#define APPLICATION_LEAST 1.0

/* Beats at which its bytes are remembered, to measure its bandwidth. */
enum { PAST_BEATS = 20 };

struct user;

struct application {
    uint32_t id; /* in the controller, and its number on the node */

    /* The I/O; first, since every decision looks at those of all active applications. */
    enum page_phase phase;
    uint32_t number;     /* of the I/O, or of the last one */
    uint32_t open_place; /* in the list of open ones */
    double rate;         /* granted */
    double served;       /* when the strategy last gave it bandwidth, or it began */
    bool starving;       /* `served` is too long ago */
    bool grace;          /* the predicted volume is moved, and it had time to end the I/O */
    bool probing; /* it may prove that it moves, while the others keep all of the bandwidth */
    enum wire_volume source;
    double volume;   /* expected bytes */
    double heard;    /* bytes that were announced, 0 = none */
    double io_moved; /* bytes moved in it so far, or since the last one */
    double posted;   /* when it began */
    double need;     /* bytes/s that it can use; INFINITY = all it can get */

    uint32_t uid;
    uint64_t token[2]; /* with the uid, which application it is */
    char name[WIRE_NAME], job[WIRE_NAME], account[WIRE_NAME], partition[WIRE_NAME];
    struct weir_app facts;
    double hint;       /* bytes of each I/O, 0 = unknown */
    double announced;  /* the weight it announced */
    double limit, ops; /* the lower of its own and its user's; 0 = none */
    double own_ops;    /* operations/s set for it */
    struct limited may; /* what it may use by these and its user's */
    struct user *user;
    struct application *of_user, **user_link; /* the next one of its user */

    /* What its node reports. */
    uint32_t pid; /* of its leader, else of one of its processes; 0 = not known */
    uint32_t processes;
    uint32_t uncontrolled;     /* those that could not be controlled, */
    enum wire_failure failure; /* and why the latest could not */
    double escaped;            /* bytes that bypassed control, */
    enum wire_escape why;      /* and the reason for most of them */

    /* The books: what really happened. */
    double worked;      /* seconds of work before its last I/O or pause, */
    double working;     /* and the time since when it works again, unless an I/O is open; */
    double outside;     /* seconds of work between the calls of its I/Os */
    double hindered;    /* seconds of its I/Os in which others, or its grant, could delay it, */
    double hindered_at; /* up to this time, */
    double crowded_at;  /* when the controller had counted so many seconds with several I/Os */
    double moved;       /* bytes in all, */
    double ideal_io;    /* and the seconds they take alone, at the bmax of their time */
    uint32_t phases;    /* I/O phases finished, */
    double phase_bytes; /* and the bytes moved in them */
    double past[PAST_BEATS];
    double allotted;         /* bytes that it was granted in all; */
    double sampled_allotted; /* those, */
    double sampled_moved;    /* and those that it had moved, at the last sample */
    double elsewhere; /* seconds lost on other stores, */
    double told;      /* and those lost here that the others know */
};

/* A new application that works since its JOIN. NULL when memory is out; free() frees. */
struct application *application_new(const struct node_join *who, double now);

/* Counts the bytes that it has moved, in all. */
void application_count(struct application *app, double moved);

/* The expected volume of a posted I/O: the announced one if > 0, else the hint, else the mean of
 * its earlier I/Os, else what it moves alone in one second; within the bounds above. */
double application_volume(const struct application *app, double said, enum wire_volume *source);

/* Counts the seconds that it was outside calls in its I/Os, in all. */
void application_count_outside(struct application *app, double outside);

/* Seconds of work since its release, which is all time outside I/Os and between their calls. */
double application_work(const struct application *app, double now);

/* Seconds really lost since its release: age - work - what its I/O takes alone, but no more than
 * those in which it was hindered (controller_settle), and at least 0. */
double application_lost(const struct application *app, double now);

#endif
