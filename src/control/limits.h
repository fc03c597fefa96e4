/* What applications may use by their own limits and weights, and by those of their users.
 *
 * A limit lowers the bmax that the strategy sees, and a user's is divided among those of its
 * applications that have an I/O, before each decision: those that take less than an equal part get
 * what they can take, and the others divide the rest. A user's weight is divided in proportion to
 * theirs. The strategy hears of a change as of an I/O that is dropped and posted again. */
#ifndef WEIR_CONTROL_LIMITS_H
#define WEIR_CONTROL_LIMITS_H

#include "control/control.h"

/* An application. All but `of_active` is the caller's to fill in. */
struct limited {
    struct weir_app *facts; /* what the strategy sees */
    struct limited_user *user;
    double nodes;  /* bytes/s of its nodes: its weight against others, whatever its limits */
    double alone;  /* bytes/s that it reaches alone: by its nodes and its limits */
    double weight; /* its importance, */
    double stake;  /* and the weight of a byte/s of its nodes */
    uint32_t id;
    struct limited *of_active; /* the next of its user with an I/O */
};

/* Its user. */
struct limited_user {
    double limit, weight;   /* for all of them together, 0 = none */
    struct limited *active; /* those with an I/O, while they are divided, */
    double active_weight;   /* and the sum of their weights */
};

/* Gives the application the bandwidth, weight and stake of its own. True if that is a change. */
bool limits_renew(struct control *control, double now, struct limited *app);

/* Before each decision: limits_claim for each application with an I/O, then limits_divide for the
 * user of each, which divides once and forgets the claims. It calls `told` for each application
 * whose facts change, unless that is NULL. */
struct limits_told {
    void (*call)(void *context, struct limited *app);
    void *context;
};
void limits_claim(struct limited *app);
void limits_divide(struct control *control, double now, struct limited_user *user,
                   struct limits_told told);

#endif
