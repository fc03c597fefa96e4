/* Why a strategy did what it did: one of its decisions, with what it saw and what it granted; and
 * all of them, in a file of JSON lines. */
#ifndef WEIR_ANSWER_EXPLAIN_H
#define WEIR_ANSWER_EXPLAIN_H

#include "answer/question.h"
#include "answer/study.h"

struct explain_question {
    struct asking asking; /* about one scenario */
    struct study_source source;
    struct study_knowledge knowledge;
    const char *policy;
    struct delay
        at; /* of the decision, seconds; not given: the one with most I/Os to choose from */
    const char *output;
};

/* An active application, as the strategy saw it. */
struct explain_line {
    const char *name;
    double key; /* NAN = the strategy does not say what its order goes by */
    double yield, lost, waited, rest, remaining, bmax, granted;
    double bmax_mb, granted_mb; /* the same in MB/s, for the table */
};

struct explain_answer {
    struct provenance made;
    const char *policy;
    double at;   /* when it was decided, */
    double next; /* and when again; NAN = it was the last */
    double bandwidth, granted;
    uint64_t decisions;        /* up to the end, or to the moment asked for */
    struct explain_line *list; /* those that are granted most first */
    size_t list_count;
    struct study study;
    struct policy *strategy;
    struct plan *plan;
    char (*names)[APP_LABEL]; /* by id */
    size_t capacity;          /* of the list */
};

int explain_answer(const struct explain_question *question, struct explain_answer *answer,
                   struct err *err);
void explain_answer_fini(struct explain_answer *answer);

extern const struct answer_field explain_line_fields[];
extern const struct question explain_asking;

#endif
