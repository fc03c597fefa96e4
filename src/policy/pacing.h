/* Rates for applications that repeat themselves, and deadlines that keep them.
 *
 * An application works w seconds, then moves v bytes, which takes io = v / bmax alone; i = w + io.
 * Its rate x, in iterations per second, is at most 1 / i. Rates are those with the largest
 * sum p w x that the bandwidth allows, sum v x <= B, and that slow none down by more than
 * D = limit * max(1, sum(v / i) / B), x >= 1 / (D i): all begin with the least, and those with the
 * most p w / v are raised to 1 / i until the bandwidth is used up. Applications of one kind get
 * their mean, or noise would decide between them. An iteration then takes L = 1 / x seconds.
 *
 * An I/O should end when its iteration does, at its post + max(L - w, io), and earlier by 0.9 of
 * what the one before was late. Deadlines are no more than wishes: served are those with the least
 *
 *     slack / (patience * i) - ln(p w / (L rest)),   slack = deadline - now - rest / bmax
 *
 * With little patience that is earliest deadline first, with much the largest gain per byte. */
#ifndef WEIR_POLICY_PACING_H
#define WEIR_POLICY_PACING_H

#include "policy/greedy.h"

/* What an application repeats, and when its I/O should end. */
struct pacer {
    double work, volume; /* w and v: means of its iterations so far, */
    uint32_t count;      /* and how many there were */
    uint32_t place;      /* in `here`, + 1; 0 = it is not there */
    double done;         /* its work when its last iteration ended */
    double posted;       /* the I/O that the deadline is of, by the time of its post */
    double deadline;
    double lag;                        /* by which the last I/O was late */
    double length;                     /* L */
    double solved_work, solved_volume; /* the means that this is of */
    /* Of the first one of a kind, while rates are found: */
    double yields;
    uint32_t members;
    uint32_t kind; /* the first one's id */
};

struct pacing {
    double patience, limit;
    struct pacer *pacers;      /* by id */
    struct greedy_item *items; /* to sort */
    uint32_t *here, count;     /* applications that have had an I/O, and have not left */
    bool stale;                /* the rates are to be found again, */
    bool changed;              /* and at once, since others run */
    uint32_t uses;             /* else after this many posts */
};

/* For those that use it without being asked how. */
#define PACING_EFFICIENT_PATIENCE 4
#define PACING_EFFICIENT_LIMIT    1.1

#define PACING_ROOM (sizeof(struct pacer) + sizeof(struct greedy_item) + 2 * sizeof(uint32_t))
/* `room` has PACING_ROOM bytes for each application, all 0, aligned as doubles. */
void pacing_init(struct pacing *pacing, void *room, uint32_t capacity);

/* What the host reports. */
void pacing_joined(struct pacing *pacing, const struct weir_view *view, uint32_t app);
void pacing_posted(struct pacing *pacing, const struct weir_view *view, uint32_t app);
/* False for an I/O that is so small that it counts as a part of the work. */
bool pacing_completed(struct pacing *pacing, const struct weir_view *view, uint32_t app);
void pacing_left(struct pacing *pacing, uint32_t app);

/* Serves the active applications by their deadlines. */
void pacing_serve(struct pacing *pacing, const struct weir_view *view, struct weir_grants *grants);

/* The same for deadlines and lengths from elsewhere. */
double pacing_key(const struct weir_view *view, const struct weir_run *run,
                  const struct pacer *pacer, double patience);

/* i, and io: seconds that an iteration takes alone, and its I/O. */
static inline double pacing_io(const struct pacer *pacer, const struct weir_app *app)
{
    return pacer->volume / app->bmax;
}
static inline double pacing_ideal(const struct pacer *pacer, const struct weir_app *app)
{
    return pacer->work + pacing_io(pacer, app);
}

#endif
