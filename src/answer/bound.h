/* What no schedule can beat, and how near strategies come. */
#ifndef WEIR_ANSWER_BOUND_H
#define WEIR_ANSWER_BOUND_H

#include "answer/question.h"
#include "answer/study.h"
#include "bound/optimum.h"
#include "metric/measure.h"

struct bound_question {
    struct asking asking; /* about one scenario */
    struct words policies;
    struct study_source source;
    double min_yield;
    struct whole search;
};

/* What is bounded: other measures in a window than of a whole run. */
enum { BOUNDED = 2 };

struct bound_run {
    const char *policy;
    struct field_number *metrics;
    size_t metrics_count;
    struct field_number room[BOUNDED];
};

struct bound_given {
    double min_yield;
    double efficiency; /* NAN = no schedule has that MinYield */
};

struct bound_optimum {
    double reached, bound;
    bool proved;
    uint64_t decisions;
};

struct bound_answer {
    struct provenance made;
    struct bound_run limit; /* the bound itself */
    bool has_given, searched;
    struct bound_given given;
    struct bound_optimum optimum;
    struct bound_run *runs;
    size_t runs_count;
    const struct measure *measures[BOUNDED];
    bool windowed;
    struct study study;
    struct policies policies;
};

int bound_answer(const struct bound_question *question, struct bound_answer *answer,
                 struct err *err);
void bound_answer_fini(struct bound_answer *answer);

extern const struct question bound_asking;

#endif
