/* The strategies that Gainaru et al. (2015) compare, and fair sharing, which stands for the machine
 * without a scheduler. */
#ifndef WEIR_PAPER_GAINARU_H
#define WEIR_PAPER_GAINARU_H

#include "model/workload.h"
#include "paper/samples.h"

/* Series, in the order of the slides' table. */
enum {
    SYSEFF,
    GAMMA_25 = 2,
    GAMMA_50 = 4,
    GAMMA_75 = 6,
    DILATION = 8,
    MACHINE = 10,
    SLIDES_SERIES
};
#define PRIORITY 1 /* added to a strategy: its Priority variant */
extern const char *const gainaru_series[];

/* Columns. */
enum { SLIDES_DILATION, SLIDES_SYSEFF, SLIDES_BOUND };
extern const char *const gainaru_columns[];

/* What the slides leave open, as bits. The key of max-syseff is that of Zha and Shen, or the one the
 * slides print. An application is granted what is left of the bandwidth ("as fast as possible (min
 * (b beta, bw_avail))"), or all that it can use or nothing ("chooses a subset of applications that
 * are allowed to perform I/O"). */
enum { GAINARU_KEY_SLIDES = 1, GAINARU_WHOLE = 2 };

/* All strategies on one workload under a reading. Adds a sample for each, like this one. 0, or -1
 * with err. */
int gainaru_compare(const struct workload *workload, struct sample sample, unsigned reading,
                    struct samples *samples, struct err *err);

#endif
