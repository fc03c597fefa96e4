/* What came out of a run, simulated or observed: enough to compute every measure. */
#ifndef WEIR_MODEL_OUTCOME_H
#define WEIR_MODEL_OUTCOME_H

#include "model/parties.h"
#include <stdint.h>

/* One application over its whole life, in seconds. */
struct app_outcome {
    double completion;            /* time, NAN if it was still running at the end */
    double lost;                  /* seconds lost since release (age - progress) */
    double done_work, done_ideal; /* of the finished iterations: work, and ideal time */
};

/* What it did between the start and the end. */
struct app_span {
    double lost; /* seconds */
    double work; /* seconds of work done */
};

/* What it did on one of several channels in that time. */
struct app_channel_span {
    double bytes; /* moved, */
    double alone; /* the seconds that takes alone, */
    double lost;  /* and those that were lost */
};

struct outcome {
    double start, end; /* of the window, or [first release or 0, makespan] */
    uint64_t events;   /* releases, posts, completions, timers */
    uint64_t decisions;
    uint32_t count;
    struct app_outcome *apps;
    struct app_span *spans;
    /* By party, if whose the applications are is known, else NULL: seconds between the start and
     * the end in which it had an I/O posted. */
    double *wanting[PARTY_KINDS];
    /* By channel and application, if there are several channels or limits; else NULL. */
    struct app_channel_span *channels;
    uint32_t channel_count;
};

struct outcome *outcome_new(uint32_t count); /* zeroed; NULL when memory is out */
/* Makes room for these parties, by kind. 0, or -1 when memory is out. */
int outcome_party(struct outcome *outcome, const struct parties parties[PARTY_KINDS]);
/* The same for channels. */
int outcome_divide(struct outcome *outcome, uint32_t channels);
void outcome_free(struct outcome *outcome); /* NULL is fine */

#endif
