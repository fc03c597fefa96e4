#include "cli/progress.h"
#include "client/clock.h"
#include <stdio.h>
#include <unistd.h>

static const double patience = 1.0, interval = 0.1; /* seconds */

struct progress progress_begin(const char *scenario, const char *policy)
{
    return (struct progress){.scenario = scenario,
                             .policy = policy,
                             .begun = clock_now(),
                             .terminal = isatty(STDERR_FILENO)};
}

void progress_show(void *context, double done)
{
    struct progress *progress = context;
    if (!progress->terminal)
        return;
    double date = clock_now();
    if (date - progress->begun < patience || date - progress->shown < interval)
        return;
    progress->shown = date;
    progress->visible = true;
    fprintf(stderr, "\r\033[K%.30s  %.30s  %3.0f %%", progress->scenario, progress->policy,
            100 * done);
    fflush(stderr);
}

void progress_end(struct progress *progress)
{
    if (progress->visible)
        fputs("\r\033[K", stderr);
    progress->visible = false;
}
