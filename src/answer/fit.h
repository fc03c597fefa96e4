/* How well the model explains the logs of a site, and with which bandwidths best. */
#ifndef WEIR_ANSWER_FIT_H
#define WEIR_ANSWER_FIT_H

#include "answer/fit_model.h"
#include "answer/question.h"
#include "answer/study.h"
#include "format/import.h"
#include "format/observed.h"

struct fit_question {
    struct asking asking; /* about logs */
    struct format_defaults platform;
    double gap, procs_per_node;
    struct whole iterations;
    const char *policy, *from, *store;
    struct study_knowledge knowledge;
    struct delay latency;
    bool lenient;
};

/* An I/O that took much longer than the model says. */
struct fit_stranger {
    const char *name;
    double start, logged, simulated;
    char label[APP_LABEL];
};
enum { FIT_STRANGERS = 5 };

struct fit_answer {
    struct provenance made;
    const char *policy;
    uint64_t applications, ios, disturbed;
    double bandwidth, node_bandwidth; /* that are given or assumed; of a node NAN = by the logs */
    struct fit_error error;           /* with these */
    double best_bandwidth, best_node_bandwidth, least_bandwidth, most_bandwidth;
    struct fit_error best; /* with the best; those from least to most are as good */
    double unknown;        /* part of the applications of which only contended rates are known */
    double strange;        /* part of the time of I/O in I/Os that took more than twice as long */
    uint64_t strange_ios;
    struct fit_stranger *strangers; /* the longest of them */
    size_t strangers_count;
    struct fit_stranger list[FIT_STRANGERS];
    struct scenario *scenario; /* whose applications have no bandwidth yet */
    struct observed observed;
    struct policy *strategy;
    struct fit_logs logs;
};

int fit_answer(const struct fit_question *question, struct fit_answer *answer, struct err *err);
void fit_answer_fini(struct fit_answer *answer);

extern const struct question fit_asking;

#endif
