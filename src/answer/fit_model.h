/* Logs simulated on a platform, and how far that is from what they say. */
#ifndef WEIR_ANSWER_FIT_MODEL_H
#define WEIR_ANSWER_FIT_MODEL_H

#include "base/err.h"
#include "format/observed.h"
#include "model/knowledge.h"
#include "model/scenario.h"
#include "policy/policy.h"

/* What is simulated, and with what it is compared. */
struct fit_logs {
    const struct scenario *scenario; /* whose applications have no bandwidth of their own yet, if */
    bool rates;                      /* that follows from the logs */
    const struct observed *observed;
    const struct policy *policy;
    struct knowledge knowledge;
    double latency; /* with which the controller learns of ends */
};

/* How lengths of I/Os in a simulation compare with those of the logs. An error is the difference,
 * as a part of the length in the log; half, and 90 %, of the time of I/O has a smaller one. */
struct fit_error {
    double median, p90;
    double disturbed_median,
        disturbed_p90;  /* of I/Os that others disturbed; NAN = there are none */
    double correlation; /* between delays in the logs and in the simulation; NAN = there are none */
    double mean;        /* which is made as small as possible */
    double logged, simulated; /* seconds of all I/Os, */
    double lost_logged, lost; /* and of their delays */
};

/* An I/O in the logs and in the simulation. */
struct fit_pair {
    double logged, simulated, alone; /* seconds */
    double error;
    bool disturbed;
    size_t index; /* among the observed */
};

struct fit_model {
    struct platform platform; /* to be given, the rest is found */
    struct fit_error error;
    uint64_t ios, disturbed; /* that are compared, and those that others disturbed */
    uint64_t applications;   /* with I/O, whose bandwidth follows from the logs, */
    uint64_t unknown;        /* and of these, with contended rates only */
    struct fit_pair *pairs;  /* `ios` of them, the one with the smallest error first */
};

/* Simulates the logs on the platform of the model, and compares. Safe in threads. 0 or -1;
 * fit_model_fini in both cases. */
int fit_model_try(const struct fit_logs *logs, struct fit_model *model, struct err *err);
void fit_model_fini(struct fit_model *model);

#endif
