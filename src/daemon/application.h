/* An application under control: its identity, pages, I/O, and what it really did. */
#ifndef WEIR_DAEMON_APPLICATION_H
#define WEIR_DAEMON_APPLICATION_H

#include "node/escape.h"
#include "node/pages.h"
#include "node/watch.h"
#include "wire/message.h"
#include <weir/policy.h>

/* The most bytes that an application moves, in one I/O or in all; larger claims are not believed.
 * An I/O is at least one byte. */
#define APPLICATION_MOST  1e18
#define APPLICATION_LEAST 1.0

/* Beats at which its bytes are remembered, to measure its bandwidth. */
enum { PAST_BEATS = 20 };

struct user;

/* A slot of the usage page. */
struct application_process {
    bool here;
    int32_t pid; /* 0 = not known */
};

struct application {
    uint32_t id; /* in the controller */
    uint32_t uid;
    uint64_t token[2];
    char name[WIRE_NAME], job[WIRE_NAME];
    int32_t pid; /* of its leader, else of one of its processes; 0 = not known */
    struct weir_app facts;
    double hint;       /* bytes of each I/O, 0 = unknown */
    double announced;  /* the weight it announced */
    double weight;     /* the weight that was set, else the announced one */
    double stake;      /* the weight that was set, else 1 */
    double limit, ops; /* the lower of its own and its user's; 0 = none */
    double own_ops;    /* operations/s set for it */
    double alone;      /* bytes/s that it reaches alone: by its nodes and its limit */
    struct user *user;
    struct application *of_user, **user_link; /* the next one of its user */
    struct application *of_active;            /* the next of its user with an I/O */
    struct application *same_hash;
    struct pages pages;
    uint32_t group;    /* serial number of its control group, */
    double group_rate; /* and the bytes/s in its io.max; 0 = it has no group */

    uint32_t processes;
    uint32_t uncontrolled;     /* those that could not be controlled, */
    enum wire_failure failure; /* and why the latest could not; WIRE_FAILURES_COUNT = none so far */
    struct application_process *slots;
    size_t slot_count, slot_capacity; /* slots below slot_count have been used */
    double asked;       /* when the kernel was last asked whether its busy processes run, */
    bool running;       /* and the answer */
    double quiet_since; /* when it was first seen quiet, */
    double quiet_used;  /* and the processor time that it had used by then */

    /* The I/O. */
    enum page_phase phase; /* as the controller sees it */
    uint32_t open_place;   /* in the list of open ones */
    uint32_t begun;        /* announced begins that have not ended */
    struct watch watch;
    enum wire_volume source;
    double volume;   /* expected bytes */
    double unheard;  /* bytes announced while the I/O pauses: they count when it resumes */
    double io_moved; /* bytes moved in it so far */
    double rate;     /* in the grant page */
    double served;   /* when the strategy last gave it bandwidth, or it began */
    bool starving;   /* `served` is too long ago */
    bool grace;      /* the predicted volume is moved, and it had time to end the I/O */

    /* Whether it uses its bandwidth. An application that held bandwidth and moved nothing is idle
     * until it has moved something. */
    double wanted;     /* when it asked for bandwidth, */
    double held_moved; /* the bytes moved in all by then, */
    double granted;    /* the bytes granted since, */
    double held;       /* and the seconds with a grant, */
    double granted_at; /* up to this time */
    double wasted;     /* seconds in which it did not use its bandwidth */
    bool idle;
    bool probing; /* it may prove that it moves, while the others keep all of the bandwidth, */
    double proof; /* by moving this many bytes */

    /* The books: what really happened. */
    double worked;      /* seconds of work before its last I/O or pause, */
    double working;     /* and the time since when it works again, unless an I/O is open */
    uint64_t last_seen; /* bytes moved, from the usage page */
    double moved;       /* bytes in all, */
    double ideal_io;    /* and the seconds they take alone, at the bmax of their time */
    uint32_t phases;    /* I/O phases finished, */
    double phase_bytes; /* and the bytes moved in them */
    double past[PAST_BEATS];
    double escapes[WIRE_ESCAPES_COUNT]; /* bytes that bypassed control, by reason; without those
                                           that the usage page counts */
};

/* A new application that works since `now`. NULL with err; application_free frees. */
struct application *application_new(const struct wire_attach *who, uint32_t uid, double now,
                                    uint64_t patience, struct err *err);
void application_free(struct application *app); /* NULL is fine */

/* Takes a slot of the usage page for another process: 0, or -1 when there are too many or memory is
 * out. application_return_slot frees it. */
int application_take_slot(struct application *app, int32_t pid, uint32_t *slot, struct err *err);
void application_return_slot(struct application *app, uint32_t slot);

/* Counts the bytes moved since the last look. */
void application_absorb(struct application *app);

/* Samples what it does at the moment. `origin` is second 0 of the controller in nanoseconds. */
void application_sample(struct application *app, uint64_t origin, uint64_t now,
                        struct watch_sample *sample);

/* Whether it is quiet because it waits for a processor: it wants to run, and has hardly run since
 * it was first seen quiet, a look or two ago. `quiet`: seconds. */
bool application_is_displaced(struct application *app, double now, double quiet);

/* The expected volume of a posted I/O: the announced one if > 0, else the hint, else the mean of
 * its earlier I/Os, else what it moves alone in one second; within the bounds above. */
double application_volume(const struct application *app, double said, enum wire_volume *source);

/* Seconds of work since its release, which is all time outside I/Os. */
double application_work(const struct application *app, double now);

/* Seconds really lost since its release: age - work - what its I/O takes alone, at least 0. */
double application_lost(const struct application *app, double now);

/* What a process reports in its slot of the usage page. */
struct escape_known application_known(const struct application *app, int32_t pid);

/* Adds bytes that bypassed control; and returns all so far, with the reason for most of them. */
void application_escapes(struct application *app, double bytes, enum wire_escape why);
double application_escaped(const struct application *app, enum wire_escape *why);

/* Counts the bytes granted so far; called before its rate changes. */
void application_count_grant(struct application *app, double now);

/* Called when it gives up its place: notes whether it used its bandwidth. `busy`: a call is under
 * way. */
void application_judge(struct application *app, double now, bool busy);

/* Whether it has moved enough to count as active again. */
bool application_proves(const struct application *app);

/* Marks the I/O in the usage page as paused or over. False if a process began a call at the same
 * moment and relied on the I/O being open: then it stays open. */
bool application_close(struct application *app, enum page_phase phase,
                       const struct watch_sample *seen);

#endif
