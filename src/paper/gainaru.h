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

/* All strategies on one workload, with the key of max-syseff that the slides print, or that of Zha
 * and Shen. Adds a sample for each, like this one. 0, or -1 with err. */
int gainaru_compare(const struct workload *workload, struct sample sample, bool slides_key,
                    struct samples *samples, struct err *err);

#endif
