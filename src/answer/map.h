/* Jobs mapped to nodes with their I/O in mind, by several methods. */
#ifndef WEIR_ANSWER_MAP_H
#define WEIR_ANSWER_MAP_H

#include "answer/question.h"
#include "answer/study.h"
#include "base/arena.h"
#include "map/mapper.h"
#include "metric/map_metric.h"
#include "model/mapping.h"

struct map_question {
    struct asking asking; /* about one workload; the plot is a Gantt chart of each method */
    struct words methods;
    struct study_source source;
    const char *order, *sensitivity, *policy;
    struct whole io_nodes;
    bool backfill, batch;
};

struct mapped_job {
    const char *name;
    double nodes, arrival, start, end, stretch;
    uint64_t io_node, pack;
    bool packed; /* it has a pack */
};

/* What the nodes do over time: shares of the node time in each part of it. */
struct map_use {
    double start, width;
    const double *work, *io, *delayed;
    size_t parts;
};

/* One way of mapping the workload, and what came out. */
struct map_run {
    const char *method, *order;
    double sensitivity; /* INFINITY = I/O is ignored */
    bool backfill;
    uint64_t io_nodes;
    const char *policy; /* of the I/O */
    struct field_number *metrics;
    size_t metrics_count;
    struct map_use usage;
    struct mapped_job *jobs;
    size_t jobs_count;
    struct map_rules rules;
    enum map_order ordered;
    struct mapping *mapping;
    struct map_metrics measured;
};

struct map_answer {
    struct provenance made;
    double io_load;
    struct map_run *runs; /* at least one */
    size_t runs_count;
    struct study study;
    struct policy *strategy;
    struct map_jobs all;
    double *random; /* drawn for a random order, else NULL */
    struct arena arena;
};

int map_answer(const struct map_question *question, struct map_answer *answer, struct err *err);
void map_answer_fini(struct map_answer *answer);

/* The methods that are asked for, all if none is named: how many, or -1 with err. */
int map_methods(const struct words *words, enum map_method methods[MAP_METHODS_COUNT],
                struct err *err);

extern const struct question map_asking;

#endif
