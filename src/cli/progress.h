/* A line on the terminal that says how far a long run is. */
#ifndef WEIR_CLI_PROGRESS_H
#define WEIR_CLI_PROGRESS_H

#include <stdbool.h>

struct progress {
    const char *scenario, *policy;
    double begun, shown; /* when; seconds of a clock that never goes back */
    bool visible;        /* something stands on the line */
    bool terminal;       /* stderr is one: else nothing is ever shown */
};

struct progress progress_begin(const char *scenario, const char *policy);
void progress_show(void *progress, double done); /* a sim_options.progress */
void progress_end(struct progress *progress);    /* clears the line */

#endif
