/* Strategies compared over many runs, with intervals. */
#ifndef WEIR_ANSWER_COMPARE_H
#define WEIR_ANSWER_COMPARE_H

#include "answer/question.h"
#include "answer/study.h"
#include "base/arena.h"
#include "compare/compare.h"

struct compare_question {
    struct asking asking; /* about scenarios and families */
    struct words policies, sweeps;
    const char *baseline, *window;
    struct whole seeds, first_seed, ensemble, jobs;
    struct study_knowledge knowledge;
    const char *metrics; /* that are shown: nothing to the library */
};

/* A measure under a strategy. */
struct compare_statistic {
    const char *measure;
    uint64_t count; /* of runs in which it has a meaning */
    double mean, deviation, margin;
    double difference, difference_margin, wins; /* against the baseline */
    double significant;                         /* 0 or 1; NAN = unknown */
};

struct compare_strategy {
    const char *policy;
    struct compare_statistic *metrics; /* all of them, as in weir/metrics.h */
    size_t metrics_count;
};

struct compare_report {
    const char *scenario;
    struct field_text *sweep; /* the value of each path */
    size_t sweep_count;
    char knowledge[KNOWLEDGE_TEXT];
    double progress_age;
    uint64_t members;
    bool ensemble;
    struct compare_strategy *strategies;
    size_t strategies_count;
};

struct compare_answer {
    const char *weir, *baseline;
    double confidence;
    uint64_t first_seed;
    struct compare_report *cases;
    size_t cases_count;
    struct comparison comparison;
    struct experiment_source *sources;
    size_t opened;
    struct sweep sweeps[COMPARE_MOST_SWEEPS];
    struct window window;
    struct policies policies;
    struct arena arena;
};

int compare_answer(const struct compare_question *question, struct compare_answer *answer,
                   struct err *err);
void compare_answer_fini(struct compare_answer *answer);

extern const struct question compare_asking;

#endif
