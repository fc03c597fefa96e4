/* The live controller without its sockets: applications attach, post, end and detach; it watches
 * their pages, asks the strategy, and writes what it grants into their pages.
 *
 * It has no clock: dates are the caller's, in nanoseconds of the clock that the pages use. In each
 * turn the caller reports what came in and then calls live_settle once. */
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

/* While an I/O is open its application is looked at this often; and all of them at every beat. */
#define LIVE_LOOK_NS 1000000u
#define LIVE_BEAT_NS 50000000u

struct live {
    const struct service *service;
    uint32_t channel;         /* its number among several, */
    const char *store;        /* and what its bandwidth is of; "" = there is no other */
    struct platform platform; /* the bandwidth may change */
    struct policy *policy;    /* owned */
    struct control *control;
    struct application **apps; /* by id, NULL = free */
    uint32_t capacity, count, processes;
    uint32_t *open; /* ids of those with an I/O that is not over */
    uint32_t open_count;
    struct rules rules;                              /* in force */
    bool off;                                        /* by them everything runs uncontrolled, */
    bool by_user;                                    /* and some of them are for users */
    struct users users;                              /* that have connections or applications */
    struct tokens tokens;                            /* of the applications */
    uint32_t first_free;                             /* no id below is free */
    struct journal *journal;                         /* borrowed, or NULL */
    struct backstop *backstop;                       /* borrowed, or NULL */
    void (*posted)(void *context, const char *name); /* told of every I/O, or NULL */
    void (*say)(void *context, const char *text);    /* told what people should know, or NULL */
    void *context;
    uint64_t origin; /* date 0 */
    uint64_t next_look, next_beat, beats;
    double beat_dates[PAST_BEATS];
    uint64_t decisions; /* of earlier controllers */
    struct accounts finished;
    bool changed; /* since the last decision */
};

/* A process of an application: what a connection stands for. */
struct seat {
    uint32_t uid;            /* of its user, as the kernel says, */
    int32_t pid;             /* and its own, 0 = not known */
    struct application *app; /* NULL = not attached */
    uint32_t slot;
    uint32_t begun; /* I/Os that it said begin, and not yet that they end */
    bool failed;    /* it said that it runs without control */
};

/* `policy` is taken over even on failure. NULL with err; live_free lets all applications go
 * unlimited, and frees. */
struct live *live_new(const struct service *service, struct policy *policy, struct journal *journal,
                      uint64_t now, struct err *err);
void live_free(struct live *live); /* NULL is fine */

/* A user as the rules see it. NULL when memory is out; users_release forgets it again. */
struct user *live_user(struct live *live, uint32_t uid);

/* A process belongs to an application. 0, or -1 with why not: there are too many applications, of
 * all or of its user, or memory is out. */
int live_attach(struct live *live, uint64_t now, struct seat *seat, const struct wire_attach *who,
                struct err *err);
/* It is gone; with the last one its application. Nothing happens if it was not attached. */
void live_detach(struct live *live, uint64_t now, struct seat *seat);

void live_post(struct live *live, uint64_t now, struct seat *seat, const struct wire_post *post);
void live_end(struct live *live, uint64_t now, struct seat *seat);

/* A process of an application runs without control: counted as long as it is attached. */
void live_fail(struct seat *seat, enum wire_failure why);

/* Does what is due by now, decides if anything has changed, and writes the pages. */
void live_settle(struct live *live, uint64_t now);

/* When to call live_settle again at the latest. */
uint64_t live_next(const struct live *live);

/* What takes the place of a foreign strategy that breaks a rule. */
#define LIVE_FALLBACK "fair-share"

/* Changes a setting; the caller has checked that whoever asks may. 0, or -1 with why not. */
int live_set(struct live *live, uint64_t now, const struct wire_set *set, struct err *err);
/* Writes down that a setting has changed, and which process asked for it; NULL: none did. */
void live_note_change(struct live *live, uint64_t now, const struct seat *by,
                      const struct wire_set *set);

/* The same with a whole list of rules, which is taken over even on failure; and with another
 * configuration, which must outlive it from then on, under what was set at run time. */
int live_adopt(struct live *live, uint64_t now, struct rules *rules, const struct service *service,
               struct err *err);
int live_reload(struct live *live, uint64_t now, const struct service *service, struct err *err);

/* The answers to a QUERY: the application of an id, which must be one; and the controller. */
void live_describe(struct live *live, uint64_t now, uint32_t id, struct wire_app *out);
void live_report(struct live *live, uint64_t now, struct wire_status *out);

/* --- between the files of this room ----------------------------------------------------------- */

/* Tells people, if there is a way. */
void live_say(const struct live *live, const char *text);

/* A date of the clock in seconds since the start, and the other way round. */
double live_seconds(const struct live *live, uint64_t now);
uint64_t live_date(const struct live *live, double now);

/* The beginning, pauses and end of an application's I/O, and a look at all that are open. */
void live_begin_io(struct live *live, double now, struct application *app, double volume);
void live_end_io(struct live *live, double now, struct application *app, double ended);
void live_drop_io(struct live *live, double now, struct application *app);
void live_look(struct live *live, uint64_t now);
/* Signs of life, what lost messages have not said, and the books. */
void live_beat(struct live *live, uint64_t now);
/* The predicted volume of an application is moved, or should be. */
void live_overrun(struct live *live, double now, struct application *app);

/* Gives an application what the rules say: its limits, weight and bmax. */
void live_apply_rules(struct live *live, double now, struct application *app);
/* The bmax, weight and share of an application by its own limits; of all that are active within
 * the limits and weights of their users, before each decision; and the operations of a user's
 * applications, of which there is one more or less. */
void shares_renew(struct live *live, double now, struct application *app);
void shares_divide(struct live *live, double now);
void shares_divide_ops(struct live *live, uint64_t now, struct user *user);
/* Goes on with another strategy, capacity or platform. 0, or -1 and all is as before. */
int live_rebuild(struct live *live, double now, struct policy *policy, uint32_t capacity,
                 struct err *err);

#endif
