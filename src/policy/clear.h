/* Clearing: what happens if the posted I/Os are served one after the other in some order, and none
 * comes in between; and the order that is earliest deadline first.
 *
 * An application with P seconds of progress, whose I/O takes `rest` seconds alone, has the yield
 * (P + rest) / (age + t) if the I/O ends t seconds from now. To have a yield of y there, the I/O
 * must end within D(y) = (P + rest) / y - age. Where its whole length T is known, T takes the place
 * of P + rest: T / (T + lost + t - rest) is what its yield will be at its own end, if it is not
 * delayed any more.
 *
 * The critical yield y* is the largest that all can still reach, served by increasing D(y*). */
#ifndef WEIR_POLICY_CLEAR_H
#define WEIR_POLICY_CLEAR_H

#include "policy/greedy.h"

/* More I/Os than this are not cleared: it would take too long. */
enum { CLEAR_MOST = 128 };

/* One I/O: its yield is reach / (base + t) if it ends t seconds from now. */
struct clear_io {
    double reach; /* P + rest, or T */
    double base;  /* age, or T + lost - rest */
    double rest;  /* seconds that it takes alone, at most up to the end of the window */
    double bytes; /* that it moves until then */
    double bmax;
    double lost, age;
    double length; /* T, 0 = unknown */
    bool guessed;  /* its bytes are no more than a guess */
};

/* What an order leads to. */
struct clear_result {
    double loss;      /* sum of (1 - yield)^8: mostly that of the weakest */
    double least;     /* the smallest yield, */
    uint32_t weakest; /* and whose it is */
};

/* An order of the I/Os, by their indices. */
struct clear_order {
    uint8_t list[CLEAR_MOST];
    struct clear_result result;
};

struct clear {
    const struct weir_view *view;
    double ahead; /* seconds to the end of the window */
    uint32_t count;
    double latest; /* the largest base: added to deadlines, lest rounding orders those near 0 */
    bool alike;    /* all have the same base: D is one order for all y */
    struct clear_order trial;            /* the order that is looked at, */
    struct clear_order best;             /* and the one that is chosen so far */
    struct clear_order low;              /* by D at a yield that is reached, */
    struct clear_order high;             /* and at one that is not */
    struct greedy_item keys[CLEAR_MOST]; /* of the trial */
    struct clear_io ios[CLEAR_MOST];
    double ends[CLEAR_MOST];    /* when those that are served in full will be done, */
    uint8_t served[CLEAR_MOST]; /* and who they are */
};

/* Takes the active applications of the view, at most CLEAR_MOST, with these lengths, see
 * weir_setup. Nothing is chosen yet. */
void clear_init(struct clear *clear, const struct weir_view *view, const double *lengths);

/* Sorts the trial by clear->keys, which the caller has filled in: by rank, key and id. */
void clear_sort(struct clear *clear);

/* D(y), from a time before all of them. */
static inline double clear_deadline(const struct clear *clear, uint32_t io, double yield)
{
    return clear->ios[io].reach / yield + (clear->latest - clear->ios[io].base);
}

/* Sets the keys to D(y), and sorts. */
void clear_sort_by_deadline(struct clear *clear, double yield);

/* Finds out what the trial leads to, unless it is the best one. Takes it for the best one if there
 * is none yet, or if it is better by CLEAR_WORTH. */
void clear_try(struct clear *clear);
#define CLEAR_WORTH 0.002

/* Finds y*, and tries each order on the way. */
double clear_find_critical(struct clear *clear);

/* Moves the weakest of the best order to its front, and tries that, up to four times. */
void clear_repair(struct clear *clear);

/* Serves the applications in the best order, or in the trial. */
void clear_grant(const struct clear *clear, const struct clear_order *order,
                 const struct weir_view *view, struct weir_grants *grants);

#endif
