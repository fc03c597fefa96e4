/* An application on a node: its identity, pages and processes, its I/O, and what it does. */
#ifndef WEIR_NODE_APP_H
#define WEIR_NODE_APP_H

#include "node/escape.h"
#include "node/message.h"
#include "node/need.h"
#include "node/pages.h"
#include "node/tokens.h"
#include "node/watch.h"

/* A slot of the usage page. */
struct node_process {
    bool here;
    int32_t pid;     /* 0 = not known */
    int32_t filters; /* as process_filters has it when it attaches */
    bool failed;     /* it runs uncontrolled, as it said or as was seen */
};

struct node_app {
    struct node_join who; /* as the controller knows it, with its number; `age` is 0 */
    struct tokens_entry entry;
    double joined; /* when its first process attached */
    struct pages pages;
    uint32_t group;    /* serial number of its control group, */
    double group_rate; /* and the bytes/s in its io.max; 0 = it has no group */

    uint32_t processes;
    uint32_t uncontrolled;     /* those that could not be controlled, */
    enum wire_failure failure; /* and why the latest could not */
    struct node_process *slots;
    size_t slot_count, slot_capacity; /* slots below slot_count have been used */
    struct need_process *needs;       /* by slot */
    size_t need_capacity;
    double asked;       /* when the kernel was last asked about its busy processes, */
    size_t asked_slot;  /* the last of them, */
    bool running;       /* whether one runs or waits for a device, */
    bool sleeping;      /* or sleeps */
    double quiet_since; /* when it was first seen quiet, */
    double quiet_used;  /* and the processor time that it had used by then */

    /* What the controller has ordered. */
    double bmax, alone, ops; /* as in LIMIT */
    double volume;           /* bytes expected of the I/O */
    double rate;             /* in the grant page */
    bool open;               /* it runs uncontrolled */

    /* The I/O. */
    enum page_phase phase;
    uint32_t number;     /* of the I/O, or of the last one, */
    double posted;       /* and when it began */
    uint32_t open_place; /* in the list of open ones */
    uint32_t begun;      /* announced begins that have not ended */
    double heard;        /* bytes announced in it, 0 = none */
    bool missed;         /* the message that begins the next one, when it was last looked for */
    struct watch watch;
    double unheard;  /* bytes announced while the I/O pauses: they count when it resumes */
    double io_moved; /* bytes moved in it so far */

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

    double started, inside, ahead; /* as last told in CALLS */

    struct need_state need; /* how much it can use, */
    double told_need;       /* as last told in NEED */

    double outside;    /* as in PROGRESS, */
    double calm;       /* and seconds since its last call that will count if it goes on, */
    double calm_seen;  /* up to this time, */
    double calm_moved; /* when it had moved so many bytes */

    uint64_t last_seen;                 /* bytes moved, from the usage page */
    uint64_t left_told[PAGE_LEFT];      /* in earlier pages of it, as last told in GONE */
    double moved;                       /* bytes in all */
    struct node_progress told;          /* the last PROGRESS */
    double escapes[WIRE_ESCAPES_COUNT]; /* bytes that bypassed control, by reason; without those
                                           that the usage page counts */
};

/* A new application. Its numbers are brought within the bounds of a JOIN. `patience`: nanoseconds.
 * NULL with err; node_app_free frees. */
struct node_app *node_app_new(const struct wire_attach *who, uint32_t uid, uint64_t patience,
                              struct err *err);
void node_app_free(struct node_app *app); /* NULL is fine */

/* Takes a slot of the usage page for another process: 0, or -1 when there are too many or memory is
 * out. node_app_return_slot frees it. */
int node_app_take_slot(struct node_app *app, int32_t pid, uint32_t *slot, struct err *err);
void node_app_return_slot(struct node_app *app, uint32_t slot);

/* The process in this slot runs uncontrolled from now on. */
void node_app_fail(struct node_app *app, uint32_t slot, enum wire_failure why);

/* Compares the filters of system calls that the process has now with those that it attached under.
 * If there are more, any call that it does not make itself may end it: it is told to make none, and
 * runs uncontrolled. */
void node_app_look_at_filters(struct node_app *app, int32_t pid, int32_t filters);

/* The controller of a cluster is told that the application has moved these bytes: what more its
 * processes have moved they take along if the agent of this `life` ends. */
void node_app_tell(struct node_app *app, uint64_t life, double moved);
double node_app_told(const struct node_app *app);

/* Counts the bytes moved since the last look. */
void node_app_count(struct node_app *app);

/* What its processes moved in earlier pages, of agents that have ended, in this place of the usage
 * page; false if it was told or there is nothing. */
bool node_app_left(struct node_app *app, uint32_t place, struct node_gone *gone);

/* Bytes of its larger calls that are in the store at the moment. */
double node_app_inside(const struct node_app *app);

/* Whether one of its processes is inside a call. */
bool node_app_is_busy(const struct node_app *app);

/* Samples what it does at the moment. `origin` is second 0 of the node in nanoseconds. */
void node_app_sample(struct node_app *app, uint64_t origin, uint64_t now,
                     struct watch_sample *sample);

/* Counts the time that it is outside calls in an I/O that moves: from now on, and since the last
 * look. */
void node_app_begin_outside(struct node_app *app, double now);
void node_app_count_outside(struct node_app *app, double now, const struct watch_sample *sample);

/* Looks at how much of its bandwidth it can use. */
void node_app_look_at_need(struct node_app *app, double now, bool waits);

/* Whether it is granted hardly more than it can use: over some time it uses all of that. */
bool node_app_uses_all(const struct node_app *app, double rate);

/* Whether it is quiet because it waits for a processor: it wants to run, and has hardly run since
 * it was first seen quiet, a look or two ago. `quiet`: seconds. */
bool node_app_is_displaced(struct node_app *app, double now, double quiet);

/* The bytes that the process in this slot of the usage page has counted. */
uint64_t node_app_counted(const struct node_app *app, size_t slot);

/* What a process reports now; it had reported `before` before it was looked at. */
struct escape_known node_app_known(const struct node_app *app, int32_t pid, uint64_t before);

/* Whether a supervisor sees the calls of a process, which was looked at. */
bool node_app_supervises(const struct node_app *app, const struct escape_look *look);

/* Adds bytes that bypassed control; and returns all so far, with the reason for most of them. */
void node_app_escapes(struct node_app *app, double bytes, enum wire_escape why);
double node_app_escaped(const struct node_app *app, enum wire_escape *why);

/* Starts to count the use of its bandwidth, which it asks for now. */
void node_app_want(struct node_app *app, double now);

/* Counts the bytes granted so far; called before its rate changes. */
void node_app_count_grant(struct node_app *app, double now);

/* Called when it gives up its place: notes whether it used its bandwidth. `busy`: a call is under
 * way. */
void node_app_judge(struct node_app *app, double now, bool busy);

/* Whether it has moved enough to count as active again. */
bool node_app_proves(const struct node_app *app);

/* Marks the I/O in the usage page as paused or over. False if a process began a call at the same
 * moment and relied on the I/O being open: then it stays open. */
bool node_app_close(struct node_app *app, enum page_phase phase, const struct watch_sample *seen);

#endif
