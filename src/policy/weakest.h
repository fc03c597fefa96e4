/* The level that separates the weakest of all running applications from the others: a low quantile
 * of a key, such as the yield, over working and active ones.
 *
 * Looking at all applications at every decision would cost more than the decision. A level holds
 * until the age of the oldest application has grown by 0.03 %, since yields of applications as old
 * cannot change by more in between, and for at least one decision per 16 applications; and it is
 * found again when an application comes or goes. */
#ifndef WEIR_POLICY_WEAKEST_H
#define WEIR_POLICY_WEAKEST_H

#include <weir/policy.h>

struct weakest {
    double part;    /* of all running applications that counts as weak, at least one of them */
    double level;   /* the highest key of these */
    double oldest;  /* the age of the oldest of all running then, */
    double refresh; /* and the time from which on the level is out of date */
    uint32_t uses;  /* decisions that it still has to serve */
    double *keys;   /* room for one of each application */
    uint32_t *here; /* running applications; a log may have a thousand times as many in all */
    uint32_t count;
    uint32_t *places; /* of each application in `here`, + 1; 0 = it is not there */
};

typedef double weakest_key(const struct weir_view *view, const struct weir_run *run);

/* One in this many running applications is weak, by default. */
#define WEAKEST_PART (1.0 / 30)

/* `room` has WEAKEST_ROOM bytes for each application that there can be, all 0, aligned as doubles.
 */
#define WEAKEST_ROOM (sizeof(double) + 2 * sizeof(uint32_t))
void weakest_init(struct weakest *weakest, double part, void *room, uint32_t capacity);

/* An application came or went: the level has to follow. */
void weakest_join(struct weakest *weakest, uint32_t app);
void weakest_leave(struct weakest *weakest, uint32_t app);

/* The level now. Call it once per decision. */
double weakest_level(struct weakest *weakest, const struct weir_view *view, weakest_key *key);

#endif
