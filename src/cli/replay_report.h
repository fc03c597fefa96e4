/* The report of a replay: prediction and reality side by side. */
#ifndef WEIR_CLI_REPLAY_REPORT_H
#define WEIR_CLI_REPLAY_REPORT_H

#include "base/err.h"
#include "cli/replay_runs.h"
#include "model/provenance.h"

struct replay_report {
    const struct replay_runs *runs;
    double faster;                /* times were divided by it */
    struct provenance provenance; /* of the scenario, as it is in its file */
};

int replay_report_print(const struct replay_report *report, struct err *err); /* 0 or -1 */
void replay_report_json(const struct replay_report *report);

/* Parts of it: a table with a row per application; one of measures with a row per kind of run. */
int replay_report_apps(const struct replay_runs *runs, struct err *err); /* 0 or -1 */
void replay_report_measures(const struct replay_runs *runs);

#endif
