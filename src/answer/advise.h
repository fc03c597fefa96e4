/* What strategies would have brought since a journal began, beside how it really went. */
#ifndef WEIR_ANSWER_ADVISE_H
#define WEIR_ANSWER_ADVISE_H

#include "answer/question.h"
#include "answer/study.h"

struct advise_question {
    struct asking asking; /* about a journal */
    struct study_source source;
    struct words policies;
    const char *store;
};

/* How it went, or would have gone. */
struct advise_line {
    const char *name; /* the strategy; of the first line "as it was" */
    double lost;      /* seconds that all applications would not have taken alone */
    double mean_stretch, max_stretch;
    double saved; /* of what was lost, in percent; NAN = nothing was lost */
};

struct advise_answer {
    struct provenance made;
    uint64_t applications;
    double moved, span; /* bytes; seconds from the first join to the last end */
    struct import_accounts accounts;
    struct advise_line *list; /* how it was; without control, simulated; and each strategy */
    size_t list_count;
    size_t best; /* the line that loses least, of those that are simulated */
    struct policies policies;
    struct study study;
};

int advise_answer(const struct advise_question *question, struct advise_answer *answer,
                  struct err *err);
void advise_answer_fini(struct advise_answer *answer);

extern const struct answer_field advise_line_fields[];
extern const struct question advise_asking;

#endif
