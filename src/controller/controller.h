/* The live controller: it hears what happens on the node, asks the strategy, and answers with
 * orders (node/message.h). It has the settings, the users, the accounts and the journal.
 *
 * It has neither sockets nor a clock, and knows no pages: the caller passes the time, in
 * nanoseconds of one clock, and the events; the orders go to a function of the caller. In each turn
 * the caller reports what came in, then calls controller_decide once. */
#ifndef WEIR_CONTROLLER_CONTROLLER_H
#define WEIR_CONTROLLER_CONTROLLER_H

#include "base/err.h"
#include "control/control.h"
#include "control/lend.h"
#include "control/turns.h"
#include "controller/account.h"
#include "controller/application.h"
#include "controller/estimate.h"
#include "controller/journal.h"
#include "controller/named_plan.h"
#include "controller/rules.h"
#include "controller/users.h"
#include "model/planner.h"
#include "model/service.h"
#include "node/sink.h"
#include "policy/policy.h"

/* How old the counts of bytes in a report may be. */
#define CONTROLLER_COUNT_NS 1000000u

struct controller {
    const struct service *service;
    uint32_t channel;         /* its number among the channels, */
    const char *store;        /* and the store of its bandwidth; "" = it is the only channel */
    struct platform platform; /* the bandwidth may change */
    struct policy *policy;    /* owned */
    struct control *control;
    struct turns *turns;     /* of large calls */
    struct planner planner;  /* for strategies that plan; without functions there is none */
    struct named_plan *plan; /* for strategies that follow one, else NULL; */
    uint32_t *places;        /* by id: the application's place in it */
    struct order_sink down;
    struct application **apps; /* by id, NULL = free */
    uint32_t capacity, count, processes;
    uint32_t *open; /* ids of the applications whose I/O is not over */
    uint32_t open_count;
    uint32_t moving;         /* those of them that do not pause, */
    double crowded;          /* and the seconds in which there were several, */
    double crowded_at;       /* up to this time */
    struct rules rules;      /* in force */
    bool off;                /* the rules turn control off, */
    bool by_user;            /* or some rules are for users */
    struct users users;      /* that have connections or applications */
    struct controller *next_store; /* the next in the circle of the stores' controllers; NULL = it
                                      is the only one */
    struct journal *journal; /* borrowed, or NULL */
    void (*posted)(void *context, const char *name); /* called at every I/O, or NULL */
    void (*say)(void *context, const char *text);    /* receives notes for people, or NULL */
    void *context;
    uint64_t origin; /* the time of second 0 */
    uint64_t beats, next_count;
    double beat_times[PAST_BEATS];
    uint64_t decisions; /* of earlier strategies */
    struct accounts finished;
    bool estimates; /* the bandwidth, */
    struct estimate estimate;
    double estimated_at;   /* when a sample was last taken, */
    double estimated_told; /* and the estimate that the journal has */
    bool changed;              /* since the last decision, */
    bool lends;                /* or only in what applications can use */
    struct lend_claim *claims; /* room for those of all open I/Os */
    double band;               /* of rates, if they go to many nodes: see below; 0 = they do not */
};

/* A band keeps small changes off a network. While more than CONTROLLER_FEW I/Os are open, each is
 * granted 1 / (1 + band) of what the strategy decides, and that stays until the decision is less
 * than that, or more than 1 + 2 band times as much. So one I/O more or less among thousands needs
 * no order to all others, and on average about one band of the bandwidth is idle. */
#define CONTROLLER_BAND 0.02
enum { CONTROLLER_FEW = 16 };

/* Takes over `policy`, even on failure. NULL with err. The caller sets `down` before the first
 * event.
 */
struct controller *controller_new(const struct service *service, struct policy *policy,
                                  struct journal *journal, uint64_t now, struct err *err);
void controller_free(struct controller *controller); /* NULL is fine */

/* Hears an event. 0, or -1 with err: a JOIN is refused, since its user has too many applications or
 * memory is out. A JOIN of an application that is there may change on how many nodes it runs. An
 * event that does not fit what is known of its application does nothing. */
int controller_hear(struct controller *controller, uint64_t now, const struct node_message *event,
                    struct err *err);
struct event_sink controller_events(struct controller *controller); /* the same as a sink */

/* Decides if anything has changed or is due, and sends orders. */
void controller_decide(struct controller *controller, uint64_t now);

/* Finds the applications that have waited too long, after a look of the node; and does what every
 * beat needs, after the node has reported: measures, corrections, the journal. */
void controller_look(struct controller *controller, uint64_t now);
void controller_beat(struct controller *controller, uint64_t now);

/* The latest time for the next call of controller_decide. */
uint64_t controller_next(const struct controller *controller);

/* A user, with the limits that the rules give it. NULL when memory is out; users_release forgets
 * the user again. */
struct user *controller_user(struct controller *controller, uint32_t uid);

/* What takes the place of a foreign strategy that breaks a rule. */
#define CONTROLLER_FALLBACK "fair-share"

/* Whether a setting is right in itself. 0, or -1 with err. */
int controller_check(const struct controller *controller, const struct wire_set *set,
                     struct err *err);

/* Changes a setting; the caller has checked the permission. 0, or -1 with err. */
int controller_set(struct controller *controller, uint64_t now, const struct wire_set *set,
                   struct err *err);
/* Records in the journal that a setting changed and which process asked for it, if any. */
struct controller_author {
    bool asked;
    uint32_t uid;
    int32_t pid;
};
void controller_note_change(struct controller *controller, uint64_t now,
                            struct controller_author by, const struct wire_set *set);

/* Puts a whole list of rules in force, and takes it over even on failure; or another configuration,
 * which must stay valid from then on, below the settings that were changed at run time. */
int controller_adopt(struct controller *controller, uint64_t now, struct rules *rules,
                     const struct service *service, struct err *err);
int controller_reload(struct controller *controller, uint64_t now, const struct service *service,
                      struct err *err);

/* The replies to a QUERY: one application, whose id must exist; and the controller. */
void controller_describe(struct controller *controller, uint64_t now, uint32_t id,
                         struct wire_app *out);
void controller_report(struct controller *controller, uint64_t now, struct wire_status *out);

/* Passes a note to people, if `say` is set. */
void controller_say(const struct controller *controller, const char *text);

/* --- between the files of the controller ------------------------------------------------------ */

/* Converts a time of the clock to seconds since the start, and back. */
double controller_seconds(const struct controller *controller, uint64_t now);
uint64_t controller_nanoseconds(const struct controller *controller, double now);

/* Orders: what the application may use, and is expected to move; that its node counts what it has
 * moved, which is reported at once; its rate; that it runs uncontrolled. */
void controller_limit(struct controller *controller, double now, const struct application *app);
void controller_count(struct controller *controller, double now, const struct application *app);
void controller_grant(struct controller *controller, uint64_t now, struct application *app,
                      double rate);
void controller_release(struct controller *controller, uint64_t now, struct application *app);

/* Counts how long an application was hindered: while its I/O moves and another one does, or while
 * it is granted less than it reaches alone. To be called before its phase or rate changes, and
 * before its books are read. controller_turn changes the phase. */
void controller_settle(struct controller *controller, double now, struct application *app);
void controller_turn(struct controller *controller, double now, struct application *app,
                     enum page_phase phase);

/* Called when the predicted volume of an I/O is moved, or should be. */
void controller_overrun(struct controller *controller, double now, struct application *app);

/* Tells the strategy how much of every open I/O has been moved, and lost, up to now. */
void controller_observe(struct controller *controller, double now);

/* Applies the rules to an application: its limits, weight and bmax. */
void controller_apply_rules(struct controller *controller, double now, struct application *app);
/* shares_follow lets a new controller keep the shares of users (NULL = none) and tells it whose the
 * applications are, shares_place whose a new one is: the account that it announces counts if its
 * user is listed in that, else the first one that is listed for the user. 0, or -1 with err. */
int shares_follow(const struct controller *controller, const struct shares *shares,
                  struct control *control, struct err *err);
int shares_place(const struct shares *shares, struct control *control,
                 const struct application *app, struct err *err);
/* shares_spread gives an application another number of nodes.
 * shares_renew sets the bmax, weight and share of one application by its own limits. shares_divide
 * does so before each decision for all active ones, within the limits and weights of their users.
 * shares_divide_ops divides a user's operations after an application joined or left. */
void shares_spread(struct controller *controller, double now, struct application *app,
                   double nodes);
void shares_renew(struct controller *controller, double now, struct application *app);
void shares_divide(struct controller *controller, double now);
void shares_divide_ops(struct controller *controller, double now, struct user *user);
/* elsewhere_join lets a new application have the age, and what it lost, that the controllers of
 * other stores know of; elsewhere_tell tells these what it has lost here. */
void elsewhere_join(struct controller *controller, struct application *app);
void elsewhere_tell(struct controller *controller, double now, struct application *app);
/* Estimates the bandwidth, if the service asks for that and nobody has set it: measured_start begins
 * with the settings in force, or goes on; measured_sample takes a sample if it is time for one;
 * measured_bandwidth is the estimate, or what is set. */
void measured_start(struct controller *controller, double now);
void measured_sample(struct controller *controller, double now);
double measured_bandwidth(const struct controller *controller);
/* Continues with another strategy, capacity or platform. 0, or -1 and nothing has changed. */
int controller_rebuild(struct controller *controller, double now, struct policy *policy,
                       uint32_t capacity, struct err *err);

#endif
