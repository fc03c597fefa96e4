/* Filling a database with the runs of a campaign that it lacks. */
#ifndef WEIR_ANSWER_FILLING_H
#define WEIR_ANSWER_FILLING_H

#include "base/err.h"
#include "experiment/campaign.h"
#include "experiment/pending.h"
#include "experiment/threads.h"
#include "store/database.h"
#include <stdbool.h>

struct filling {
    const struct campaign *campaign;
    struct campaign_shard shard;
    const char *path; /* of the database, for messages */
    bool retry;       /* what failed */
    campaign_runner *run;
    size_t jobs; /* these two as in struct campaign_task */
    double patience;
};

/* What became of it. */
struct filled {
    size_t runs;   /* of the shard */
    size_t stored; /* now, */
    size_t before; /* and before */
    size_t others; /* in the database, of other campaigns */
    size_t failed; /* of the shard, now or before */
    size_t lost;   /* workers */
};

/* "2 workloads without randomness run once, ...", for a campaign that has some. Returns `text`. */
enum { FILLING_NOTE = 128 };
char *filling_repeats(const struct campaign *campaign, char text[FILLING_NOTE]);

/* Runs what is missing, and tells the host (base/stage.h) how far it is. 0, or -1 with err, also if
 * the host stopped it: what was stored stays. If the process ends after that, threads may still use
 * the campaign. */
int filling_run(const struct filling *filling, struct database *database, struct filled *filled,
                struct err *err);

/* Warns the host of runs that failed. 0, or -1 with err if all did. */
int filling_judge(const struct filled *filled, const char *path, struct err *err);

/* The runs that need not be done: all that are stored, or, to retry, those that did not fail. NULL
 * with err; free() frees. */
int64_t *filling_find_done(struct database *database, bool retry, size_t *count, struct err *err);

#endif
