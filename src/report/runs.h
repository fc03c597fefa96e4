/* The results of one workload under several strategies, and three ways to write them. */
#ifndef WEIR_REPORT_RUNS_H
#define WEIR_REPORT_RUNS_H

#include "base/err.h"
#include "base/json.h"
#include "metric/measure.h"
#include "metric/metric.h"
#include "model/outcome.h"
#include "model/provenance.h"
#include "model/workload.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct run {
    const char *policy; /* as the user wrote it; borrowed */
    struct metrics metrics;
    struct app_metrics *apps; /* workload->count of them */
    /* workload->parties[kind].count of them; NULL if whose the applications are is unknown */
    struct party_metrics *parties[PARTY_KINDS];
};

/* A zeroed struct with a workload has no runs yet. The workload is borrowed. */
struct runs {
    const struct workload *workload;
    struct run *list;
    size_t count, capacity;
};

/* Computes all measures of an outcome and keeps them. 0, or -1 when memory is out. */
int runs_add(struct runs *runs, const char *policy, const struct outcome *outcome, struct err *err);
void runs_fini(struct runs *runs);

/* What a table or CSV shows. */
struct selection {
    const struct measure *measures[MEASURE_COUNT];
    size_t count;
    bool chosen; /* by the user: then all are shown, however wide */
};

/* The measures that matter most for this workload: others for a window than for a whole run. */
struct selection selection_default(const struct workload *workload);

/* Adds the measures of "a,b,c"; naming one twice is an error. 0 or -1. */
int selection_parse(struct selection *selection, const char *text, struct err *err);

/* One row per run, the best of each column marked with '*' (and, with `colour`, highlighted),
 * which is explained below. At most 80 columns wide unless the selection was chosen. 0, or -1 when
 * memory is out. */
int runs_print_table(const struct runs *runs, const struct selection *selection, bool colour,
                     FILE *out);

/* One row per application of the run. 0, or -1 when memory is out. */
int run_print_apps(const struct workload *workload, const struct run *run, bool colour, FILE *out);

/* One row per user, or account, of the run. 0, or -1 when memory is out. */
int run_print_parties(const struct workload *workload, const struct run *run, enum party_kind kind,
                      bool colour, FILE *out);

/* CSV: the header once, then one line per run, or per application, user or account of each run.
 * Numbers read back exactly; what has no meaning is empty. */
void runs_csv_header(const struct selection *selection, FILE *out);
void runs_csv(const struct runs *runs, const struct selection *selection, FILE *out);
void runs_csv_apps_header(FILE *out);
void runs_csv_apps(const struct runs *runs, FILE *out);
void runs_csv_parties_header(FILE *out);
void runs_csv_parties(const struct runs *runs, enum party_kind kind, FILE *out);

/* {"weir": ..., "runs": [...]}, see docs/json.md: all measures and all applications; what has no
 * meaning is null. Written as an element of whatever `json` is in. */
void runs_json(const struct runs *runs, const struct provenance *provenance, struct json *json);

#endif
