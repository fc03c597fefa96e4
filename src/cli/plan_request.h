/* What is asked of `weir plan`: its options, and what they say together. */
#ifndef WEIR_CLI_PLAN_REQUEST_H
#define WEIR_CLI_PLAN_REQUEST_H

#include "cli/cli.h"
#include "cli/study.h"
#include "plan/persched.h"

struct plan_options {
    struct words operands; /* the scenario */
    struct study_source source;
    const char *method, *objective, *search, *export, *check, *output, *gantt;
    double min_period, max_factor, epsilon, time_limit;
    struct whole jobs;
    bool detect, json;
};

extern const struct option plan_option_table[];

/* In the order of the lists of format/plan_file.h. */
enum plan_method { METHOD_PERSCHED, METHOD_HRR };

/* What to print instead of the summary. */
enum plan_list { PLAN_LIST_CSV, PLAN_LIST_IOR };

struct plan_request {
    enum plan_method method;
    struct persched persched; /* but for its stop function */
    int list;                 /* enum plan_list, -1 = none */
    bool taken;               /* a file goes to standard output: no summary */
};

/* Reads the words, and checks that the options go together and that amounts are in range. 0 or
 * -1. */
int plan_request_read(const struct plan_options *options, struct plan_request *request,
                      struct err *err);

#endif
