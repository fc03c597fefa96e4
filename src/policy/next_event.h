/* The optimisation inside best-next-event: which event to aim at, and the rates until then.
 *
 * * Let the event be D seconds ahead: either application k completes exactly there, or D = H, the
 * end of the window, and none completes earlier. With the lost time l, age a, bandwidth b and
 * volume V of each application, d = V/b, and c(y) = a (1 - y) - l (its progress beyond the yield
 * y), it needs b (y D - c)^+ bytes to have the yield y at the event. So y can be reached with k if
 * some D satisfies d_k <= D <= H  and  -c_i / (1 - y) <= D <= (c_i + d_i) / y  for all i,  and h(D)
 * = V_k - B D + sum over i != k of b_i (y D - c_i)^+ <= 0. h is convex and piecewise linear, with
 * breakpoints c_i / y; and what is out of reach for y is so for all larger ones. Hence the search
 * on y is exact (002 section 4.3 searches on D). */
#ifndef WEIR_POLICY_NEXT_EVENT_H
#define WEIR_POLICY_NEXT_EVENT_H

#include "policy/greedy.h"
#include <stddef.h>
#include <stdint.h>

/* One active application. */
struct next_app {
    double lost, age, bmax, volume; /* l, a, b, V */
    double alone;                   /* d */
    double surplus;                 /* c at the yield being looked at */
    uint32_t id;
    uint32_t rank; /* of its breakpoint */
};

/* A breakpoint of h: from this span on an application needs bandwidth to keep the yield. */
struct next_break {
    double at;           /* c/y */
    double need, offset; /* sums of b and of b c over this and all earlier breakpoints */
    uint32_t app;
};

/* An allocation: which one completes at its end (an index, or NEXT_NONE), and when. */
struct next_plan {
    double span;
    double *rates;
    double *yields; /* at the end, increasing */
    uint32_t completes;
};

#define NEXT_NONE UINT32_MAX

/* The problem, and room to solve it. */
struct next_event {
    double bandwidth, horizon; /* B, H */
    uint32_t count;
    struct next_app *apps;
    struct next_plan best, trial;
    double smallest; /* yield now */

    double yield;     /* being looked at; the following belong to it */
    double low, high; /* spans that it allows */
    struct next_break *breaks;
    struct greedy_item *items; /* for sorting */
    uint32_t *order;           /* applications by increasing d */
};

/* Room per application, and the place of everything in it. */
#define NEXT_EVENT_ROOM                                                                            \
    (sizeof(struct next_app) + sizeof(struct next_break) + 2 * sizeof(struct greedy_item) +        \
     4 * sizeof(double) + sizeof(uint32_t))
void next_event_place(struct next_event *problem, void *room, uint32_t capacity);

/* The yield an application ends up with after `span` seconds at `rate`. */
static inline double next_event_yield(const struct next_app *app, double span, double rate)
{
    double age = app->age + span;
    return age > 0 ? 1 - (app->lost + span * (1 - rate / app->bmax)) / age : 0;
}

/* Finds the best plan for apps[0 .. count-1], which together can use more than the bandwidth. Each
 * has lost, age, bmax, volume and id filled in. */
void next_event_solve(struct next_event *problem);

#endif
