/* What a file system does besides moving B bytes/s: it loses bandwidth when several applications
 * use it at once (contention), and it has better and worse times (health). At every moment k
 * applications share at most B h(t) g(k) bytes/s (docs/model.md). */
#ifndef WEIR_MODEL_STORE_H
#define WEIR_MODEL_STORE_H

#include "base/arena.h"
#include "base/err.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* g(k): 1 for one application, and never rises. Either 1 / (1 + slope (k - 1)), or a table whose
 * last value holds beyond it. */
struct curve {
    double slope;
    const double *factors; /* of 1, 2, ... applications; NULL = by slope */
    uint32_t count;
};

/* From this time on, h is this. */
struct health_change {
    double at, factor;
};

/* How a drawn h is distributed: the smallest value, 5 %, the median, 95 % and the largest; linear
 * in between. */
enum { HEALTH_QUANTILES = 5 };
extern const double health_levels[HEALTH_QUANTILES];

/* h(t): 1 up to the first change. Of one that is drawn, the changes are made with the workload. */
struct health {
    const struct health_change *changes; /* by increasing time */
    uint32_t count;
    double period;           /* after which the changes repeat; 0 = they do not */
    const double *quantiles; /* HEALTH_QUANTILES of them if it is drawn, else NULL */
    double every;            /* seconds that a drawn value lasts */
};

struct store {
    struct curve curve;
    struct health health;
};

/* Whether k applications can move less than one. */
static inline bool curve_falls(const struct curve *curve)
{
    return curve->count > 0 ? curve->factors[curve->count - 1] < 1 : curve->slope > 0;
}

/* g(k), k from 1 on. */
static inline double curve_factor(const struct curve *curve, uint32_t k)
{
    if (curve->count == 0)
        return 1 / (1 + curve->slope * (k - 1.0));
    return curve->factors[k < curve->count ? k - 1 : curve->count - 1];
}

/* g(0..count + 1) for a strategy, with g(0) = 1, in memory of the caller's that free() frees; NULL
 * when memory is out. */
double *curve_tabulate(const struct curve *curve, uint32_t count);

/* 0 < g(k) <= g(k - 1) <= g(1) = 1; times from 0 on that increase, factors from 0 to 1000. 0 or -1
 * with what is wrong. */
int store_validate(const struct store *store, struct err *err);

/* A copy in the arena; NULL when memory is out. */
const struct store *store_copy(const struct store *store, struct arena *arena);

/* --- h as time passes ----------------------------------------------------------------------- */

struct health_clock {
    const struct health *health;
    uint32_t next; /* change */
    double base;   /* when this period began */
    double factor; /* now */
};

static inline struct health_clock health_start(const struct health *health)
{
    return (struct health_clock){.health = health, .factor = 1};
}

/* When h changes next, INFINITY if never. */
static inline double health_time(const struct health_clock *clock)
{
    const struct health *health = clock->health;
    return clock->next < health->count ? clock->base + health->changes[clock->next].at : INFINITY;
}

/* Goes on to that change. */
void health_step(struct health_clock *clock);

#endif
