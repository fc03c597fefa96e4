/* Which applications, or users or accounts, make the others of a workload wait under a strategy,
 * and when most: what the answer to blame holds. */
#ifndef WEIR_ANSWER_CULPRITS_H
#define WEIR_ANSWER_CULPRITS_H

#include "answer/study.h"
#include "base/err.h"
#include "blame/blame.h"
#include "model/outcome.h"

/* What is charged: applications, or their users or accounts (enum party_kind). */
enum { CULPRITS_APPLICATIONS = PARTY_KINDS };

enum { CULPRITS_PARTS = 24 };

struct culprit {
    char name[APP_LABEL];
    struct blame_account account;
    uint32_t app;   /* if it is an application */
    double without; /* seconds that the others lose less without it; NAN = not tried */
};

/* The part of the time in which most is lost, and the one that is charged most of it. */
struct culprits_worst {
    double start, end, lost, charged;
    char name[APP_LABEL];
};

/* One that loses time because of another. */
struct culprits_pair {
    char suffers[APP_LABEL], causes[APP_LABEL];
    struct blame_pair pair;
};

struct culprits {
    int by;
    struct culprit *list; /* those that cause most come first */
    uint32_t count;
    struct outcome *outcome;
    double lost, idle;            /* of all */
    double parts[CULPRITS_PARTS]; /* what is lost in equal parts of the time */
    struct culprits_worst worst;
    uint32_t most_pairs;         /* that are wanted; 0 = none */
    struct culprits_pair *pairs; /* in which most is lost, those first */
    size_t pair_count;           /* of these */
    size_t pairs_met;            /* pairs in all */
};

/* Runs the workload under the strategy, with a plan if it follows one, and charges what is lost.
 * 0, or -1 with err; culprits_fini frees in both cases. */
int culprits_find(struct culprits *culprits, const struct study *study, const struct policy *policy,
                  const struct plan *plan, struct err *err);
void culprits_fini(struct culprits *culprits);

/* Whether an application runs in the time that is looked at. */
bool culprits_see_any(const struct culprits *culprits, const struct study *study);

/* Runs the workload without each of the first few applications. Does nothing for users and
 * accounts, nor for a strategy that follows a plan. 0, or -1 with err. */
int culprits_try_without(struct culprits *culprits, const struct study *study,
                         const struct policy *policy, uint32_t few, struct err *err);

#endif
