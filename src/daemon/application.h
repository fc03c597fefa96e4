/* An application under control: who it is, its pages, its I/O, and what it really did. */
#ifndef WEIR_DAEMON_APPLICATION_H
#define WEIR_DAEMON_APPLICATION_H

#include "control/watch.h"
#include "daemon/escape.h"
#include "daemon/pages.h"
#include "wire/message.h"
#include <weir/policy.h>

/* Nobody moves more bytes than this, in an I/O or in all; whoever says so is not believed. And an
 * I/O is of one byte at least. */
#define APPLICATION_MOST  1e18
#define APPLICATION_LEAST 1.0

/* What it moved is remembered at so many beats, for its measured bandwidth. */
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
    char name[WIRE_NAME], job[WIRE_NAME], account[WIRE_NAME], partition[WIRE_NAME];
    int32_t pid; /* of its leader, else of one of its processes; 0 = not known */
    struct weir_app facts;
    double hint;       /* bytes of each I/O, 0 = unknown */
    double announced;  /* its weight as it says */
    double weight;     /* what was set for it, else that */
    double stake;      /* what was set for it, else 1 */
    double limit, ops; /* its own or its user's, the lower one; 0 = none */
    double own_ops;    /* set for it */
    double alone;      /* bytes/s when it is alone: of its nodes, within its limit */
    struct user *user;
    struct application *of_user, **user_link; /* the next one of its user */
    struct application *of_active;            /* ... with an I/O */
    struct application *same_hash;
    struct pages pages;
    uint32_t group;    /* serial number of its control group, */
    double group_rate; /* and the bytes/s in its io.max; 0 = it has no group */

    uint32_t processes;
    uint32_t uncontrolled;     /* of them: they could not be controlled, */
    enum wire_failure failure; /* and why; WIRE_FAILURES_COUNT = none so far */
    struct application_process *slots;
    size_t slot_count, slot_capacity; /* those below have been in use */
    double asked;       /* when the kernel was asked whether those that are busy run, */
    bool running;       /* and what it said */
    double quiet_since; /* when it was first seen quiet, */
    double quiet_used;  /* and the seconds of processor that it had used by then */

    /* The I/O. */
    enum page_phase phase; /* as the controller sees it */
    uint32_t open_place;   /* in the list of open ones */
    uint32_t begun;        /* how often it was said to begin, and not yet to end */
    struct watch watch;
    enum wire_volume source;
    double volume;   /* as it is expected to be */
    double unheard;  /* announced while the I/O rests: it counts when that goes on */
    double io_moved; /* bytes of it so far */
    double rate;     /* in the grant page */
    double served;   /* when it last held bandwidth of the strategy, or began */
    bool starving;   /* that is too long ago */
    bool grace;      /* the predicted volume is moved: it had time to say that it is over */

    /* Whether it uses what it gets. One that held bandwidth and moved nothing is idle, until it has
     * moved something. */
    double wanted;     /* when it asked for bandwidth, */
    double held_moved; /* the bytes that it had moved in all by then, */
    double granted;    /* the bytes that it was granted since, */
    double held;       /* and the seconds that it held any, */
    double granted_at; /* by this date */
    double wasted;     /* seconds that it made no use of what it had */
    bool idle;
    bool probing; /* it may show that it moves, while the others have all of the bandwidth, */
    double proof; /* by moving this many bytes */

    /* The books, of what really happened. */
    double worked;      /* seconds of work before its last I/O or pause, */
    double working;     /* and the date since when it works again, unless an I/O is open */
    uint64_t last_seen; /* bytes moved, as the page says */
    double moved;       /* bytes in all, */
    double ideal_io;    /* and the seconds that they take alone, by what held at their time */
    uint32_t phases;    /* finished, */
    double phase_bytes; /* and what they moved */
    double past[PAST_BEATS];
    double escapes[WIRE_ESCAPES_COUNT]; /* bytes past control, by why; what the page says is not
                                           among them */
};

/* A new one that works since `now`. NULL with err; application_free frees. */
struct application *application_new(const struct wire_attach *who, uint32_t uid, double now,
                                    uint64_t patience, struct err *err);
void application_free(struct application *app); /* NULL is fine */

/* A slot of the usage page for a further process: 0, or -1 if there are too many, or memory is out;
 * and its return. */
int application_take_slot(struct application *app, int32_t pid, uint32_t *slot, struct err *err);
void application_return_slot(struct application *app, uint32_t slot);

/* Counts what was moved since the last look. */
void application_absorb(struct application *app);

/* What it does at the moment. `origin` is the date 0 of the controller in nanoseconds. */
void application_sample(struct application *app, uint64_t origin, uint64_t now,
                        struct watch_sample *sample);

/* Whether it is quiet because it waits for a processor: it wants to run, and hardly did since it
 * was first seen quiet, a look or two ago. `quiet`: seconds. */
bool application_is_displaced(struct application *app, double now, double quiet);

/* The volume of an I/O that is posted: what was said with it if that is > 0, else the hint, else
 * the mean of the earlier ones, else what it moves alone in a second; within the bounds above. */
double application_volume(const struct application *app, double said, enum wire_volume *source);

/* Seconds of work since its release: the time that was not in an I/O. */
double application_work(const struct application *app, double now);

/* Seconds really lost since its release: age - work - what its I/O takes alone, at least 0. */
double application_lost(const struct application *app, double now);

/* What a process of it said in its slot of the usage page. */
struct escape_known application_known(const struct application *app, int32_t pid);

/* Bytes went past control. And all that did so far, with why most of them did. */
void application_escapes(struct application *app, double bytes, enum wire_escape why);
double application_escaped(const struct application *app, enum wire_escape *why);

/* Counts what it was granted so far, before its rate changes. */
void application_count_grant(struct application *app, double now);

/* It gives up its place: notes whether it has made use of it. `busy`: a call is under way. */
void application_judge(struct application *app, double now, bool busy);

/* It has moved what it has to, to be believed again. */
bool application_proves(const struct application *app);

/* Says in the usage page that the I/O pauses or is over. False if somebody began a call in the
 * same moment and relied on it being open: then it is open again. */
bool application_close(struct application *app, enum page_phase phase,
                       const struct watch_sample *seen);

#endif
