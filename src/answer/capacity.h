/* How many copies of an application can run together, under several strategies. */
#ifndef WEIR_ANSWER_CAPACITY_H
#define WEIR_ANSWER_CAPACITY_H

#include "answer/question.h"
#include "answer/study.h"
#include "capacity/capacity.h"

struct capacity_question {
    struct asking asking; /* about one scenario */
    struct words policies;
    struct study_source source;
    const char *application;
    double limits[CAPACITY_MEASURE_COUNT]; /* 0 = not given */
    struct whole most;
};

struct capacity_strategy {
    const char *policy, *limited_by;
    uint64_t copies, simulations;
    double value, with_one_more;
    double again;   /* NAN = no larger number is within the limit */
    bool overdrawn; /* the other applications alone exceed the limit */
};

struct capacity_answer {
    struct provenance made;
    const char *application, *measure;
    double limit, room; /* NAN = the nodes are unknown */
    uint64_t most;
    struct capacity_strategy *strategies;
    size_t strategies_count;
    struct study study;
    struct capacity asked;
    struct policies policies;
};

int capacity_answer(const struct capacity_question *question, struct capacity_answer *answer,
                    struct err *err);
void capacity_answer_fini(struct capacity_answer *answer);

extern const struct answer_field capacity_strategy_fields[];
extern const struct question capacity_asking;

#endif
