/* How often applications should write checkpoints. */
#ifndef WEIR_ANSWER_CHECKPOINT_H
#define WEIR_ANSWER_CHECKPOINT_H

#include "answer/intervals.h"
#include "answer/question.h"
#include "answer/study.h"

struct checkpoint_question {
    struct asking asking; /* about one scenario */
    struct study_source source;
    struct words intervals;
    const char *application, *policy, *restart;
    double mtbf, node_mtbf;
    bool all;
};

/* An interval of the application, or an application with its interval. */
struct checkpoint_line {
    const char *label; /* as a table has it */
    const char *name;
    double interval, checkpoint_takes;
    double overhead, others_delayed; /* parts; NAN = unknown */
    double interval_alone;
};

struct checkpoint_answer {
    struct provenance made;
    const char *policy;
    bool all, one; /* about all applications, or about one */
    double best, young, daly;
    double wasted, wasted_as_if_alone;
    struct checkpoint_line *intervals;
    size_t intervals_count;
    const struct checkpoint_question *asked;
    double restart;        /* seconds; NAN = as long as a checkpoint alone */
    double alone, between; /* time of a checkpoint alone, and between failures, of the one */
    struct intervals advice;
    struct study study;
    struct policy *strategy;
};

int checkpoint_answer(const struct checkpoint_question *question, struct checkpoint_answer *answer,
                      struct err *err);
void checkpoint_answer_fini(struct checkpoint_answer *answer);

extern const struct answer_field checkpoint_line_fields[];
extern const struct question checkpoint_asking;

#endif
