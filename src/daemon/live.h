/* The live controller without its sockets. Applications attach, post, end and detach; the
 * controller watches their pages, asks the strategy, and writes the grants into their pages.
 *
 * It has no clock: the caller passes the time, in nanoseconds of the clock that the pages use. In
 * each turn the caller reports what came in, then calls live_settle once. */
#ifndef WEIR_DAEMON_LIVE_H
#define WEIR_DAEMON_LIVE_H

#include "base/err.h"
#include "control/control.h"
#include "daemon/account.h"
#include "daemon/application.h"
#include "daemon/backstop.h"
#include "daemon/journal.h"
#include "daemon/rules.h"
#include "daemon/tokens.h"
#include "daemon/users.h"
#include "model/service.h"
#include "policy/policy.h"

/* How often an application with an open I/O is looked at; and all applications, at every beat. */
#define LIVE_LOOK_NS 1000000u
#define LIVE_BEAT_NS 50000000u

struct live {
    const struct service *service;
    uint32_t channel;         /* its number among the channels, */
    const char *store;        /* and the store of its bandwidth; "" = it is the only channel */
    struct platform platform; /* the bandwidth may change */
    struct policy *policy;    /* owned */
    struct control *control;
    struct application **apps; /* by id, NULL = free */
    uint32_t capacity, count, processes;
    uint32_t *open; /* ids of the applications whose I/O is not over */
    uint32_t open_count;
    struct rules rules;                              /* in force */
    bool off;                                        /* the rules turn control off, */
    bool by_user;                                    /* or some rules are for users */
    struct users users;                              /* that have connections or applications */
    struct tokens tokens;                            /* of the applications */
    uint32_t first_free;                             /* no id below is free */
    struct journal *journal;                         /* borrowed, or NULL */
    struct backstop *backstop;                       /* borrowed, or NULL */
    void (*posted)(void *context, const char *name); /* called at every I/O, or NULL */
    void (*say)(void *context, const char *text);    /* receives notes for people, or NULL */
    void *context;
    uint64_t origin; /* the time of second 0 */
    uint64_t next_look, next_beat, beats;
    double beat_dates[PAST_BEATS];
    uint64_t decisions; /* of earlier controllers */
    struct accounts finished;
    bool changed; /* since the last decision */
};

/* A process of an application, which is what a connection stands for. */
struct seat {
    uint32_t uid;            /* of its user, from the kernel, */
    int32_t pid;             /* and its own, 0 = unknown */
    struct application *app; /* NULL = not attached */
    uint32_t slot;
    uint32_t begun; /* I/Os it announced and has not yet ended */
    bool failed;    /* it reported that it runs uncontrolled */
};

/* Takes over `policy`, even on failure. NULL with err. live_free lets all applications run
 * unlimited, then frees. */
struct live *live_new(const struct service *service, struct policy *policy, struct journal *journal,
                      uint64_t now, struct err *err);
void live_free(struct live *live); /* NULL is fine */

/* A user, with the limits that the rules give it. NULL when memory is out; users_release forgets
 * the user again. */
struct user *live_user(struct live *live, uint32_t uid);

/* A process joins an application. 0, or -1 with err: too many applications in all or of its user,
 * or memory is out. */
int live_attach(struct live *live, uint64_t now, struct seat *seat, const struct wire_attach *who,
                struct err *err);
/* The process is gone; the application leaves with its last process. Does nothing if the process
 * was not attached. */
void live_detach(struct live *live, uint64_t now, struct seat *seat);

void live_post(struct live *live, uint64_t now, struct seat *seat, const struct wire_post *post);
void live_end(struct live *live, uint64_t now, struct seat *seat);

/* A process of an application runs uncontrolled. It is counted as long as it is attached. */
void live_fail(struct seat *seat, enum wire_failure why);

/* Does what is due, decides if anything changed, and writes the pages. */
void live_settle(struct live *live, uint64_t now);

/* The latest time for the next call of live_settle. */
uint64_t live_next(const struct live *live);

/* What takes the place of a foreign strategy that breaks a rule. */
#define LIVE_FALLBACK "fair-share"

/* Changes a setting; the caller has checked the permission. 0, or -1 with err. */
int live_set(struct live *live, uint64_t now, const struct wire_set *set, struct err *err);
/* Records in the journal that a setting changed and which process asked for it, NULL = none. */
void live_note_change(struct live *live, uint64_t now, const struct seat *by,
                      const struct wire_set *set);

/* Puts a whole list of rules in force, and takes it over even on failure; or another configuration,
 * which must stay valid from then on, below the settings that were changed at run time. */
int live_adopt(struct live *live, uint64_t now, struct rules *rules, const struct service *service,
               struct err *err);
int live_reload(struct live *live, uint64_t now, const struct service *service, struct err *err);

/* The replies to a QUERY: one application, whose id must exist; and the controller. */
void live_describe(struct live *live, uint64_t now, uint32_t id, struct wire_app *out);
void live_report(struct live *live, uint64_t now, struct wire_status *out);

/* --- between the files of this room ----------------------------------------------------------- */

/* Passes a note to people, if `say` is set. */
void live_say(const struct live *live, const char *text);

/* Nanoseconds that a call waits at most. */
uint64_t live_patience(const struct live *live);

/* Converts a time of the clock to seconds since the start, and back. */
double live_seconds(const struct live *live, uint64_t now);
uint64_t live_date(const struct live *live, double now);

/* The begin, end and abandoning of an application's I/O; and a look at all open I/Os. */
void live_begin_io(struct live *live, double now, struct application *app, double volume);
void live_end_io(struct live *live, double now, struct application *app, double ended);
void live_drop_io(struct live *live, double now, struct application *app);
void live_look(struct live *live, uint64_t now);
/* Does what every beat needs: heartbeats, I/Os whose messages were lost, and the books. */
void live_beat(struct live *live, uint64_t now);
/* Called when the predicted volume of an I/O is moved, or should be. */
void live_overrun(struct live *live, double now, struct application *app);

/* Applies the rules to an application: its limits, weight and bmax. */
void live_apply_rules(struct live *live, double now, struct application *app);
/* shares_follow lets a new controller keep the shares of users (NULL = none) and tells it whose the
 * applications are, shares_place whose a new one is. 0, or -1 with err. */
int shares_follow(const struct live *live, const struct shares *shares, struct control *control,
                  struct err *err);
int shares_place(struct control *control, const struct application *app, struct err *err);
/* shares_renew sets the bmax, weight and share of one application by its own limits. shares_divide
 * does so before each decision for all active ones, within the limits and weights of their users.
 * shares_divide_ops divides a user's operations after an application joined or left. */
void shares_renew(struct live *live, double now, struct application *app);
void shares_divide(struct live *live, double now);
void shares_divide_ops(struct live *live, uint64_t now, struct user *user);
/* Continues with another strategy, capacity or platform. 0, or -1 and nothing has changed. */
int live_rebuild(struct live *live, double now, struct policy *policy, uint32_t capacity,
                 struct err *err);

#endif
