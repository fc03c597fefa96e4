/* An application and its parts on nodes, as the gatherer knows them; for the files of the gatherer
 * only. */
#ifndef WEIR_CLUSTER_PART_H
#define WEIR_CLUSTER_PART_H

#include "base/maths.h"
#include "cluster/divide.h"
#include "cluster/gather.h"
#include "node/tokens.h"

/* What a node was ordered for a part. */
struct part_told {
    double rate;
    double bmax, alone, ops, volume; /* as in LIMIT */
    bool open;                       /* it runs uncontrolled */
    bool lost;                       /* the node may not know any of this */
};

/* What a part did with what it held, since the window began. */
struct part_window {
    uint64_t since;
    uint64_t until; /* up to which `held` and `seconds` are */
    double moved;   /* bytes in all when it began */
    double held;    /* bytes granted, */
    double seconds; /* in this time */
};

struct gather_part {
    struct gather_app *app;
    uint64_t counter[2];              /* which count `moved` is, 0 = unknown */
    struct gather_part *next, **link; /* of the application, the oldest first */
    uint32_t member, number;          /* the node, and its number of the application */
    uint32_t pid, processes, uncontrolled;
    enum wire_failure failure;
    double moved, escaped; /* bytes in all */
    enum wire_escape why;

    /* Its I/O. */
    enum page_phase state;
    uint32_t phase; /* number of the I/O, or of the last one; 0 = there was none */
    bool probing;
    double volume; /* announced, 0 = none */
    double began;  /* bytes moved before it */
    double inside; /* bytes of its large calls in the store, */
    double ahead;  /* and by which a call that waits is ahead of its share, 0 = none does */

    /* What a report of its node has told of it so far. */
    bool reported;
    enum page_phase reported_state;

    struct part_told told;
    double outside; /* as in PROGRESS; below 0 = not heard yet */
    double use;     /* bytes/s that its node says it can use; 0 = all it can get */
    double share;   /* that it is to be told */
    double need;    /* bytes/s; INFINITY = all it can get */
    struct part_window window;
};

/* A part whose node was lost, and what was counted of it. */
struct gather_absence {
    struct gather_absence *next;
    uint64_t counter[2];
    double moved, escaped;
    enum wire_escape why;
    uint64_t until; /* it is waited for */
};

/* A part of an application that was closed without it: should it come back, these bytes are in an
 * account already. */
struct gather_past {
    uint64_t counter[2];
    double moved;
};
enum { GATHER_PAST = 1024 };

struct gather_app {
    struct node_join who; /* as the controller knows it */
    struct tokens_entry entry;
    struct gather_part *first, **last;
    uint32_t parts, moving, paused, probing; /* how many there are, and are in which state */
    struct gather_absence *absent;           /* those whose node was lost */
    uint32_t pid;                            /* of the last one, if there are no others */
    double nodes;                            /* that its parts say it has */

    /* Sums over all parts, with those that have left. */
    struct sum moved;
    double escapes[WIRE_ESCAPES_COUNT]; /* bytes, by the reason for most of each part's */
    uint32_t processes, uncontrolled;   /* of those that are there */
    enum wire_failure failure;          /* the latest */

    /* The I/O, as the controller knows it. */
    enum page_phase state;
    uint32_t phase;
    bool told_probing;
    double announced;                  /* bytes that its parts have announced for it, */
    double silent;                     /* and that were moved in it by parts without a volume */
    double told_moved, told_announced; /* what the controller knows of the bytes, */
    double outside;                    /* as in PROGRESS */
    struct sum use;                    /* what its parts with an I/O can use, */
    uint32_t use_all;                  /* those of them that can use all, */
    double told_use;                   /* and what the controller knows of that */

    /* What the controller has ordered. */
    double rate;
    bool open;
    bool limited; /* there is a limit: */
    struct node_limit limit;
    bool turn;                               /* calls that wait may start */
    bool counts;                             /* the parts are to be asked, */
    uint64_t counted;                        /* and were then */
    uint64_t due, rest;                      /* when orders are sent next, and not before then */
    struct gather_app *next_due, **due_link; /* NULL = nothing is due */
    struct gather_app *next_now;             /* of those that are served in one turn */
};

/* A node, with its parts by its numbers. */
struct gather_member {
    struct gather_part **parts; /* NULL = no such */
    size_t capacity;
    bool reporting;
};

struct gather {
    struct event_sink up;
    gather_order *order;
    void *context;
    double node_bandwidth;
    struct gather_member *members;
    size_t member_capacity;
    struct gather_app **apps; /* by the controller's number, NULL = free */
    uint32_t *free;           /* the numbers that are free */
    uint32_t capacity, free_count, parts;
    struct tokens tokens;
    struct gather_past past[GATHER_PAST]; /* the latest, */
    uint32_t past_count;                  /* of this many */
    struct gather_app *due;               /* those that have orders to send, */
    uint64_t next;                        /* and when the first has */
    struct divide_claim *claims;          /* room to divide among the parts of any application */
    size_t claim_capacity;
};

/* --- part.c: one part --------------------------------------------------------------------------
 */

/* Whether it is given a share of what is granted. */
bool part_wants(const struct gather_part *part);

/* Counts the bytes that it has moved, in all. */
void part_count(struct gather_part *part, double moved);
void part_count_outside(struct gather_part *part, double outside);

/* Counts what its node has seen of it. */
void part_progress(struct gather_part *part, const struct node_progress *progress);
void part_escape(struct gather_part *part, double escaped, enum wire_escape why);

/* Its node says how much it can use, 0 = all. */
void part_use(struct gather_part *part, double use);

/* Puts its I/O in another state. A new one begins with a window of its own; one that is over has
 * given its bandwidth back. */
void part_begin(struct gather_part *part, uint64_t now, const struct node_post *post);
void part_announce(struct gather_part *part, double volume);
void part_turn(struct gather_part *part, enum page_phase state, bool probing);

/* Changes what it holds; and finds out what it needs, when its bytes have been counted: true if
 * that is something else than before. */
void part_hold(struct gather_part *part, uint64_t now, double rate);
bool part_measure(struct gather_part *part, uint64_t now);

/* --- absence.c: parts whose node was lost ------------------------------------------------------
 */

/* The node of a part is lost: it is waited for until then. False: it cannot be recognised again, or
 * memory is out. And: a part has come, which may have been absent: it goes on with what was counted
 * then. */
bool absence_begin(struct gather_part *part, uint64_t until);
void absence_end(const struct gather *gather, struct gather_part *part);

/* An absent part has left, having moved this. False: there is none with its counter. */
bool absence_finish(struct gather_app *app, const struct node_gone *gone);

/* Whether one of its absent parts is still waited for; and waits until then for all of them. */
bool absence_is_awaited(const struct gather_app *app, uint64_t now);
void absence_extend(struct gather_app *app, uint64_t until);
/* The application is closed without them. */
void absence_forget(struct gather *gather, struct gather_app *app);

/* --- merge.c: from parts to the controller -----------------------------------------------------
 */

/* An event of a part other than JOIN and LEAVE. */
void merge_hear(struct gather *gather, uint64_t now, struct gather_part *part,
                const struct node_message *event);

/* Tells the controller what the parts now amount to. `age` and `quiet`: as in POST and in PAUSE and
 * END, for the case that the I/O begins, or pauses or ends. */
void merge_follow(struct gather *gather, uint64_t now, struct gather_app *app, double age,
                  double quiet);

/* Brings its I/O to the state that a report has told. */
void merge_correct(struct gather *gather, uint64_t now, struct gather_part *part);

/* The events that hold all sums. */
void merge_tell_progress(struct gather *gather, uint64_t now, struct gather_app *app);
void merge_tell_leave(struct gather *gather, uint64_t now, struct gather_app *app);

/* --- spread.c: from the controller to parts ----------------------------------------------------
 */

/* The shares of its parts change: orders are due, at once or after its rest. */
void spread_mark(struct gather *gather, struct gather_app *app, bool at_once);
/* It leaves: nothing is due. */
void spread_forget(struct gather_app *app);

#endif
