/* The bandwidth of a store, estimated from what it delivers while programs use it.
 *
 * A pure function of samples, one for each interval of about ESTIMATE_EVERY seconds. Three cases
 * can be told apart:
 *
 *   - It moved less than was granted although calls were inside it, and nearly all who use it were
 *     behind: what it delivered is what it can do.
 *   - It was full by our account, and somebody still wants more: it can do at least this. The
 *     estimate is raised, slowly at first and then faster.
 *   - It was not full, or what was not moved is a slow program's own doing: nothing is learnt.
 *
 * An estimate that is too low costs far more than one that is too high: bandwidth that is never
 * granted is lost, while a store that is granted too much only shares it itself. So it aims
 * somewhat above what was delivered, falls only when most of what was granted went to applications
 * that fell behind, and rises whenever somebody wants more. An average of what is delivered
 * could only fall. */
#ifndef WEIR_CONTROLLER_ESTIMATE_H
#define WEIR_CONTROLLER_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#define ESTIMATE_EVERY 0.5  /* seconds between samples */
#define ESTIMATE_HEAD  1.10 /* of what is delivered: where the estimate goes */
#define ESTIMATE_TAU   1.0  /* seconds in which it goes most of the way */
#define ESTIMATE_SLOW  0.02 /* per second: how it is raised at first, */
#define ESTIMATE_FAST  0.20 /* and at most */

/* Where nothing is known, this many bytes/s: more than any store has. */
#define ESTIMATE_MOST  1e13
#define ESTIMATE_LEAST 1.0

struct estimate {
    double bandwidth; /* bytes/s, of one application alone where there is contention */
    double low, high; /* its bounds */
    double probe;     /* by which it is raised next, per second */
};

/* What happened in an interval. An application is behind if it had calls inside the store and moved
 * clearly less than it was granted. */
struct estimate_sample {
    double seconds;   /* its length, > 0 */
    double granted;   /* bytes/s that applications with an I/O were granted together, */
    double delivered; /* and moved */
    uint32_t moving;  /* those that were granted something, */
    uint32_t behind;  /* and those of them that are behind, */
    double lagging;   /* bytes/s that these were granted */
    double factor;    /* the part of the bandwidth that so many have together, (0, 1] */
    bool wanted;      /* somebody could have used more than was granted */
};

/* Whether what was moved is clearly less than what was granted: an application is behind. */
bool estimate_is_behind(double granted, double moved);

/* Between two bounds; 0 = the widest. It starts at the upper one. */
struct estimate estimate_start(double low, double high);

/* Takes a sample into account. True if the estimate has changed. */
bool estimate_take(struct estimate *estimate, const struct estimate_sample *sample);

#endif
