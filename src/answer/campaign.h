/* A campaign: which runs it has, which of them a database lacks, and running these. */
#ifndef WEIR_ANSWER_CAMPAIGN_H
#define WEIR_ANSWER_CAMPAIGN_H

#include "answer/filling.h"
#include "answer/question.h"

struct campaign_question {
    struct asking asking; /* about a campaign file */
    const char *database, *shard;
    struct whole jobs, array;
    bool dry_run, retry;
    const char *output; /* where the script goes: nothing to the library */
};

struct campaign_answer {
    const char *weir, *name, *database;
    uint64_t runs; /* of the campaign, or of the shard once it ran */
    uint64_t sources, platforms, points, seeds, strategies;
    uint64_t fixed;      /* workloads without randomness, which run once */
    char *repeats;       /* the same in words; NULL = there are none */
    uint64_t to_do;      /* runs that are missing */
    bool done, scripted; /* it was run; a script was asked for instead */
    uint64_t stored, before, others, failed;
    struct filled filled;
    char *script; /* a batch script whose tasks make a shard each */
    struct arena arena;
};

int campaign_answer(const struct campaign_question *question, struct campaign_answer *answer,
                    struct err *err);
void campaign_answer_fini(struct campaign_answer *answer);

extern const struct question campaign_asking;

#endif
