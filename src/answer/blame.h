/* Which applications, users or accounts make others wait, and when most. */
#ifndef WEIR_ANSWER_BLAME_H
#define WEIR_ANSWER_BLAME_H

#include "answer/culprits.h"
#include "answer/question.h"
#include "answer/study.h"

struct blame_question {
    struct asking asking; /* about a scenario or a journal */
    struct study_source source;
    const char *policy, *by, *store;
    struct whole top, pairs;
    bool journal;
};

struct blame_line {
    const char *name;
    double caused, own, suffered, idle; /* see struct blame_account */
    double share; /* of all that is lost, in percent: what its own applications lose included, so
                     that all shares, and that of free bandwidth, add up to 100 */
    double gain_without;
};

/* One that loses time because of another. */
struct blame_couple {
    const char *name; /* "A because of B" */
    const char *suffers, *causes;
    double lost, together, slowdown; /* seconds, and lost / (together - lost) + 1 */
    double met;
    char label[2 * APP_LABEL + 16];
};

struct blame_worst {
    double start, end, lost, charged;
    const char *name; /* NULL = none is charged */
};

struct blame_answer {
    struct provenance made;
    const char *policy, *by;
    double lost, idle;
    struct blame_worst worst;
    struct blame_line *list; /* the one that causes most first */
    size_t list_count;
    struct blame_couple *pairs;
    size_t pairs_count;
    size_t shown; /* the first of them, which were also tried without */
    struct culprits culprits;
    struct study study;
    struct policy *strategy;
    struct plan *plan; /* if the strategy follows one */
};

int blame_answer(const struct blame_question *question, struct blame_answer *answer,
                 struct err *err);
void blame_answer_fini(struct blame_answer *answer);

extern const struct answer_field blame_line_fields[], blame_couple_fields[];
extern const struct question blame_asking;

#endif
