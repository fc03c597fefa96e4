/* What is in a scenario, and how congested it will be. */
#ifndef WEIR_ANSWER_DESCRIBE_H
#define WEIR_ANSWER_DESCRIBE_H

#include "answer/description.h"
#include "answer/programs.h"
#include "answer/question.h"
#include "answer/study.h"

struct describe_question {
    struct asking asking; /* about one scenario */
    struct study_source source;
};

struct describe_application {
    const char *name;
    uint64_t count;
    double nodes, bandwidth, iterations, work, io, period, ideal_time;
    double detected_period, confidence; /* NAN = none was looked for, or found */
};

struct describe_program {
    const char *name;
    uint64_t applications;
    double node_hours, node_hours_a_day, usage, io_share;
};

struct describe_set {
    double set; /* a power of ten */
    uint64_t applications;
};

struct describe_busiest {
    double start, io_pressure;
};

struct describe_congestion {
    const char *policy, *not_simulated;
    double share_of_time, io_slowdown, max_stretch, min_yield;
};

struct describe_timeline {
    double start, end;
    const double *demand;
    size_t demand_count;
};

struct describe_answer {
    struct provenance made;
    uint64_t application_count;
    double volume, io_pressure, io_weight, io_load, shortest_period, longest_period;
    struct describe_busiest busiest_hour;
    struct describe_set *sets;
    size_t sets_count;
    struct describe_congestion congestion;
    struct describe_timeline timeline;
    struct describe_application *applications;
    size_t applications_count;
    struct describe_program *programs;
    size_t programs_count;
    struct program_use *uses;
    struct describe_set set_room[MAGNITUDES];
    struct description description;
    struct study study;
};

int describe_answer(const struct describe_question *question, struct describe_answer *answer,
                    struct err *err);
void describe_answer_fini(struct describe_answer *answer);

extern const struct question describe_asking;

#endif
