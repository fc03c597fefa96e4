#include "cli/replay_report.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/units.h"
#include "cli/cli.h"
#include "replay/agree.h"
#include "replay/place.h"
#include "report/runs.h"
#include "report/table.h"
#include <stdlib.h>

enum { LABEL = 32, SCREEN = 80 };

/* --- applications --------------------------------------------------------------------------- */

/* Columns; those without control come last, if there are any. */
enum { SIMULATED, MEASURED, ERROR, STRETCH, REAL_STRETCH, FREE, FREE_STRETCH, COLUMNS };

static const struct table_column app_columns[COLUMNS] = {
    {.heading = "simulated", .unit = UNIT_SECONDS, .sense = METRIC_INFO, .digits = 5},
    {.heading = "measured", .unit = UNIT_SECONDS, .sense = METRIC_INFO, .digits = 5},
    {.heading = "error_(%)", .sense = METRIC_INFO, .digits = 2},
    {.heading = "simulated_stretch", .sense = METRIC_INFO, .digits = 4},
    {.heading = "measured_stretch", .sense = METRIC_INFO, .digits = 4},
    {.heading = "without", .unit = UNIT_SECONDS, .sense = METRIC_INFO, .digits = 5},
    {.heading = "without_stretch", .sense = METRIC_INFO, .digits = 4},
};

static double replay_report_stretch(const struct workload *workload, const struct outcome *outcome,
                                    uint32_t id)
{
    struct weir_app_metrics metrics;
    metrics_compute_app(workload, outcome, id, &metrics);
    return metrics.stretch;
}

static void replay_report_fill_app(const struct replay_runs *runs, uint32_t id, double *row)
{
    const struct workload *workload = runs->setup.workload;
    const struct replay_run *run = replay_runs_median(runs);
    const struct outcome *measured = run->replayed.outcome, *without = runs->without.outcome;
    row[SIMULATED] = run->predicted->apps[id].completion;
    row[MEASURED] = measured->apps[id].completion;
    row[ERROR] = 100 * agree_error(workload, run->predicted, measured, id);
    row[STRETCH] = replay_report_stretch(workload, run->predicted, id);
    row[REAL_STRETCH] = replay_report_stretch(workload, measured, id);
    if (without) {
        row[FREE] = without->apps[id].completion;
        row[FREE_STRETCH] = replay_report_stretch(workload, without, id);
    }
}

int replay_report_apps(const struct replay_runs *runs, struct err *err)
{
    uint32_t count = runs->setup.workload->count;
    size_t columns = runs->without.outcome ? COLUMNS : FREE;
    char(*labels)[LABEL] = mem_alloc(count, sizeof *labels);
    const char **names = mem_alloc(count, sizeof *names);
    double *values = mem_alloc(count, columns * sizeof *values);
    int status = labels && names && values ? 0 : err_memory(err);
    for (uint32_t id = 0; status == 0 && id < count; id++) {
        names[id] = app_label(&runs->setup.workload->apps[id], labels[id], LABEL);
        replay_report_fill_app(runs, id, &values[id * columns]);
    }
    if (status == 0)
        table_print(&(struct table){.corner = "application",
                                    .names = names,
                                    .rows = count,
                                    .columns = app_columns,
                                    .count = columns,
                                    .values = values,
                                    .width = SCREEN,
                                    .colour = terminal_colour(stdout)},
                    stdout);
    free(labels);
    free(names);
    free(values);
    return status;
}

/* --- measures ------------------------------------------------------------------------------- */

void replay_report_measures(const struct replay_runs *runs)
{
    enum { ROWS = 3 };
    static const char *const names[ROWS] = {"simulated", "measured", "without control"};
    const struct replay_run *run = replay_runs_median(runs);
    const struct outcome *outcomes[ROWS] = {run->predicted, run->replayed.outcome,
                                            runs->without.outcome};
    struct selection selection = selection_default(&runs->setup.workload->window);
    struct table_column columns[MEASURE_COUNT];
    double values[ROWS * MEASURE_COUNT];
    for (size_t i = 0; i < selection.count; i++)
        columns[i] = (struct table_column){.heading = selection.measures[i]->name,
                                           .unit = selection.measures[i]->unit,
                                           .sense = METRIC_INFO,
                                           .digits = 4};
    size_t rows = 0;
    for (; rows < ROWS && outcomes[rows]; rows++) {
        struct weir_metrics metrics;
        metrics_compute(runs->setup.workload, outcomes[rows], &metrics);
        for (size_t i = 0; i < selection.count; i++)
            values[rows * selection.count + i] = measure_of(selection.measures[i], &metrics);
    }
    table_print(&(struct table){.corner = "run",
                                .names = names,
                                .rows = rows,
                                .columns = columns,
                                .count = selection.count,
                                .values = values,
                                .width = SCREEN,
                                .colour = terminal_colour(stdout)},
                stdout);
}

/* --- all of it ------------------------------------------------------------------------------ */

static void replay_report_print_title(const struct replay_report *report)
{
    char rate[64], latency[64];
    const struct replay *setup = &report->runs->setup;
    const struct workload *workload = setup->workload;
    printf("%s: %u application%s under %s, %s to %s\n", workload->name, (unsigned)workload->count,
           workload->count == 1 ? "" : "s", setup->policy,
           units_print(workload->platform.bandwidth, UNIT_RATE, rate, sizeof rate),
           setup->store_limit > 0 ? "pipes"
           : setup->directory     ? setup->directory
                                  : place_fast());
    printf("times divided by %.4g; I/O is ", report->faster);
    if (setup->preload)
        printf("recognised from calls and released after %s\n\n",
               units_print(report->runs->simulate.release_latency, UNIT_SECONDS, latency,
                           sizeof latency));
    else
        puts("announced\n");
}

static void replay_report_print_errors(const struct replay_runs *runs)
{
    printf("\nmean error of the completion times: %.2f %%", 100 * replay_runs_median(runs)->error);
    for (size_t i = 0; runs->count > 1 && i < runs->count; i++)
        printf("%s%.2f%s", i ? ", " : " (median of ", 100 * runs->list[i].error,
               i + 1 < runs->count ? "" : ")");
    putchar('\n');
}

/* What makes the error larger than it would be. */
static void replay_report_explain_error(const struct replay_runs *runs)
{
    char text[512];
    double late = replay_runs_late(runs);
    if (late > AGREE_JITTER)
        printf("Others used the machine: a process woke up %.0f ms late.\n", 1e3 * late);
    if (runs->moves.freely <= AGREE_MOVES)
        return;
    snprintf(text, sizeof text,
             "This scenario is hard to predict: 1 ms of jitter changes its simulation by %.1f %%%s",
             100 * runs->moves.freely,
             replay_runs_median(runs)->ordered
                 ? ". It was therefore compared with a simulation in which I/Os are posted in "
                   "their real order."
             : agree_by_order(&runs->moves)
                 ? ". A simulation in which I/Os are posted in their real order explains this run "
                   "less well."
                 : ", and not only through the order in which I/Os are posted.");
    help_wrap(stdout, text, 0, 0);
}

int replay_report_print(const struct replay_report *report, struct err *err)
{
    replay_report_print_title(report);
    if (replay_report_apps(report->runs, err))
        return -1;
    putchar('\n');
    replay_report_measures(report->runs);
    replay_report_print_errors(report->runs);
    replay_report_explain_error(report->runs);
    return 0;
}

/* --- JSON ----------------------------------------------------------------------------------- */

static void write_metrics(struct json *json, const char *key, const struct workload *workload,
                          const struct outcome *outcome)
{
    struct weir_metrics metrics;
    if (!outcome)
        return;
    metrics_compute(workload, outcome, &metrics);
    json_begin_object(json, key);
    for (size_t i = 0; i < MEASURE_COUNT; i++)
        json_number(json, measures[i].name, measure_of(&measures[i], &metrics));
    json_end_object(json);
}

static void write_app_metrics(struct json *json, const char *key, const struct workload *workload,
                              const struct outcome *outcome, uint32_t id)
{
    struct weir_app_metrics metrics;
    metrics_compute_app(workload, outcome, id, &metrics);
    json_begin_object(json, key);
    for (size_t i = 0; i < APP_MEASURE_COUNT; i++)
        json_number(json, app_measures[i].name, measure_of_app(&app_measures[i], &metrics));
    json_end_object(json);
}

static void replay_report_write_app(struct json *json, const struct replay_runs *runs,
                                    const struct replay_run *run, uint32_t id)
{
    char label[LABEL];
    const struct workload *workload = runs->setup.workload;
    const struct outcome *measured = run->replayed.outcome;
    json_begin_object(json, NULL);
    json_string(json, "name", app_label(&workload->apps[id], label, sizeof label));
    json_number(json, "error", agree_error(workload, run->predicted, measured, id));
    write_app_metrics(json, "simulated", workload, run->predicted, id);
    write_app_metrics(json, "measured", workload, measured, id);
    if (runs->without.outcome)
        write_app_metrics(json, "without", workload, runs->without.outcome, id);
    json_end_object(json);
}

static void replay_report_write_run(struct json *json, const struct replay_runs *runs,
                                    const struct replay_run *run)
{
    json_begin_object(json, NULL);
    json_number(json, "mean_error", run->error);
    write_metrics(json, "simulated", runs->setup.workload, run->predicted);
    write_metrics(json, "measured", runs->setup.workload, run->replayed.outcome);
    json_begin_array(json, "applications");
    for (uint32_t id = 0; id < runs->setup.workload->count; id++)
        replay_report_write_app(json, runs, run, id);
    json_end_array(json);
    json_end_object(json);
}

void replay_report_json(const struct replay_report *report)
{
    const struct replay_runs *runs = report->runs;
    const struct workload *workload = runs->setup.workload;
    struct json json = {.out = stdout, .pretty = true};
    json_begin_object(&json, NULL);
    provenance_json(&report->provenance, &json);
    json_string(&json, "policy", runs->setup.policy);
    json_number(&json, "bandwidth", workload->platform.bandwidth);
    json_number(&json, "time_scale", report->faster);
    json_bool(&json, "preload", runs->setup.preload);
    json_number(&json, "release_latency", runs->simulate.release_latency);
    json_number(&json, "latest_wake", replay_runs_late(runs));
    json_number(&json, "moves_under_jitter", runs->moves.freely);
    json_bool(&json, "judged_by_real_order", replay_runs_median(runs)->ordered);
    json_number(&json, "median_error", replay_runs_median(runs)->error);
    write_metrics(&json, "without", workload, runs->without.outcome);
    json_begin_array(&json, "runs");
    for (size_t i = 0; i < runs->count; i++)
        replay_report_write_run(&json, runs, &runs->list[i]);
    json_end_array(&json);
    json_end_object(&json);
}
