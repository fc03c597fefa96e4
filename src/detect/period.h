/* How often an application does I/O: the period of its bandwidth over time, if it has one.
 *
 * The idea is FTIO's (Tarraf et al., IPDPS 2024): the bandwidth that the application would have
 * alone is sampled and transformed, and the frequency with the most power is the candidate. How it
 * is chosen and checked against the autocorrelation is our own:
 *
 *   signal        from its first I/O to the beginning of its last one, so of n + 1 regular I/Os n
 *                 whole periods; what is faster than a few times the mean distance d between I/Os
 *                 is smoothed away (a Gaussian of standard deviation d / 8), since jitter of an I/O
 *                 moves it by about as much
 *   candidate     the strongest frequency of which at least 3 periods were seen, or a fraction of
 *                 it where the autocorrelation is clearly higher (I/Os of unequal size or distance
 *                 alternate); its phase, followed through the signal, gives the mean period
 *   spectrum      the share of the power that lies at the frequency and its multiples, less what
 *                 would lie there if power were spread evenly: 1 = all of it, 0 = no more than that
 *   correlation   the autocorrelation at the period, 1 = each period is like the one before
 *   confidence    the geometric mean of both, times c / (c + 2) for the c periods seen: few may be
 *                 alike by chance */
#ifndef WEIR_DETECT_PERIOD_H
#define WEIR_DETECT_PERIOD_H

#include "base/err.h"
#include "model/workload.h"

/* From this confidence on, a period can be relied on. */
#define PERIOD_CONFIDENT 0.5

struct detection {
    double length;     /* seconds, to six digits; 0 = there are too few I/Os */
    double confidence; /* 0 to 1, to four */
    double spectrum, correlation;
    double io_share; /* of the time, while the period lasts */
};

/* Finds the period of what the application does after time 0, from its first 1,024 I/Os. Fewer than
 * four have none. 0, or -1 when memory is out. */
int period_detect(const struct app *app, struct detection *period, struct err *err);

#endif
