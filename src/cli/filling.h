/* Filling a database with the runs of a campaign that it lacks, and telling about it. */
#ifndef WEIR_CLI_FILLING_H
#define WEIR_CLI_FILLING_H

#include "base/err.h"
#include "campaign/campaign.h"
#include "campaign/pending.h"
#include "campaign/threads.h"
#include "store/database.h"
#include <stdbool.h>

struct filling {
    const char *program; /* in front of messages */
    const struct campaign *campaign;
    struct campaign_shard shard;
    const char *path; /* of the database, for messages */
    bool retry;       /* what failed */
    campaign_runner *run;
    size_t jobs; /* these two as in struct campaign_task */
    double patience;
};

/* "2 workloads without randomness run once, ...", for a campaign that has some. Returns `text`. */
enum { FILLING_NOTE = 128 };
char *filling_repeats(const struct campaign *campaign, char text[FILLING_NOTE]);

/* Runs what is missing, with progress on a terminal, and prints what was done, with a warning for
 * runs that failed, now or before. 0; or 1 when a signal came, after a line that says so: then the
 * caller closes the database and calls filling_end; or -1 with err, also if all runs failed. */
int filling_run(const struct filling *filling, struct database *database,
                struct campaign_tally *tally, struct err *err);

/* Ends the process by the signal that came. */
_Noreturn void filling_end(void);

#endif
