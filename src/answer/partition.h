/* The bandwidth divided between groups of similar applications. */
#ifndef WEIR_ANSWER_PARTITION_H
#define WEIR_ANSWER_PARTITION_H

#include "answer/question.h"
#include "answer/study.h"
#include "base/arena.h"
#include "policy/partition.h"

struct partition_question {
    struct asking asking; /* about one scenario */
    struct study_source source;
};

struct partition_member {
    const char *name;
    double volume, load;
};

struct partition_share {
    double share, load, ratio, stretch;
    struct partition_member *applications;
    size_t applications_count;
};

struct partition_answer {
    struct provenance made;
    double at; /* the time at which the load is largest: those present are divided */
    double load, stretch, bound;
    struct partition_share *groups;
    size_t groups_count;
    uint32_t present; /* applications then, also without I/O */
    struct partition partition;
    void *room;
    struct study study;
    struct arena arena;
};

int partition_answer(const struct partition_question *question, struct partition_answer *answer,
                     struct err *err);
void partition_answer_fini(struct partition_answer *answer);

/* "p", or "p at 2 h" where not all applications are there. */
const char *partition_title(const struct partition_answer *answer, char *buffer, size_t size);

extern const struct question partition_asking;

#endif
