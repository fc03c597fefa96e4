#include "common.h"
#include "base/text.h"
#include "gen/gen.h"
#include "sim/sim.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void near_or_fail(double a, double b, double tolerance, const char *file, int line)
{
    if (fabs(a - b) <= tolerance)
        return;
    print_error("%.9g is not within %g of %.9g\n", a, tolerance, b);
    _fail(file, line);
}

struct workload *realise(const struct scenario *scenario, enum window_kind window)
{
    struct err err = {0};
    struct scenario wanted = *scenario;
    if (window == WINDOW_AUTO)
        wanted.window = (struct window){.kind = WINDOW_AUTO};
    struct workload *workload = workload_realise(&wanted, &err);
    if (!workload)
        fail_msg("%s", err.text);
    return workload;
}

struct weir_metrics simulate(const struct workload *workload, const char *policy)
{
    struct err err = {0};
    struct weir_metrics metrics = {0};
    struct policy *opened = policy_open(policy, &err);
    const struct sim_options options = {.check = true};
    struct outcome *outcome = opened ? sim_run(workload, opened, &options, &err) : NULL;
    if (!outcome)
        fail_msg("%s", err.text);
    metrics_compute(workload, outcome, &metrics);
    outcome_free(outcome);
    policy_free(opened);
    return metrics;
}

void read_csv(const char *name, void (*row)(void *context, char **fields), void *context)
{
    char path[512], *fields[CSV_FIELDS];
    struct err err = {0};
    size_t length;
    snprintf(path, sizeof(path), "%s/data/%s", WEIR_SOURCE_DIR, name);
    char *text = text_load(path, &length, &err), *rest = text, *line;
    if (!text)
        fail_msg("%s", err.text);
    strsep(&rest, "\n");
    while ((line = strsep(&rest, "\n")) && *line) {
        int count = 0;
        while (line && count < CSV_FIELDS)
            fields[count++] = strsep(&line, ",");
        row(context, fields);
    }
    free(text);
}
