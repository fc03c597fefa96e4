#include "answer/study.h"
#include "base/json.h"
#include "base/mem.h"
#include "bound/bound.h"
#include "bound/optimum.h"
#include "cli/ask.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "report/runs.h"
#include "report/table.h"
#include <stdlib.h>

struct bound_options {
    struct words operands; /* the scenario */
    struct words policies;
    struct study_source source;
    double min_yield;
    struct whole search;
    bool json;
};

/* A scenario, its bounds, and how near strategies come. */
struct bounding {
    const struct bound_options *options;
    struct study study;
    struct policies policies;
    double efficiency;      /* at the MinYield that was asked for */
    struct optimum optimum; /* if it was searched */
};

/* --- finding ------------------------------------------------------------------------------- */

/* The largest MinYield, or 1 / max stretch, of a strategy. */
static double bound_best_yield(const struct rows *rows, bool windowed)
{
    double best = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct weir_metrics *metrics = &rows->list[i].metrics;
        best = fmax(best, windowed ? metrics->min_yield : 1 / metrics->max_stretch);
    }
    return best;
}

/* Looks for the best schedule, and lowers the bounds to what it proves. */
static int bound_search(struct bounding *bounding, struct err *err)
{
    struct study *study = &bounding->study;
    struct optimum *optimum = &bounding->optimum;
    progress_begin(study->workload->name, "looking for the best schedule");
    const struct optimum_effort effort = {
        .most = bounding->options->search.value,
        .reached = bound_best_yield(&study->rows, study->workload->window.kind == WINDOW_FIXED),
        .progress = progress_show};
    int status = optimum_find(study->workload, &effort, optimum, err);
    progress_end();
    if (status < 0)
        return err_prepend_option(err, "search");
    study->rows.bounds->min_yield = fmin(study->rows.bounds->min_yield, optimum->bound);
    study->rows.bounds->max_stretch = fmax(study->rows.bounds->max_stretch, 1 / optimum->bound);
    return 0;
}

/* What cannot be planned is a fault of the input. */
static int bound_run_policy(struct study *study, const struct policy *policy, struct err *err)
{
    struct plan *plan = NULL;
    if (policy->ops->flags & WEIR_NEEDS_PLAN && !(plan = study_plan(study, policy, err)))
        return STATUS_MISUSE;
    int status = study_run(study, policy, (struct sim_options){.plan = plan}, err);
    plan_free(plan);
    return status == 0 ? STATUS_DONE : STATUS_FAILED;
}

static int bound_compute(struct bounding *bounding, struct err *err)
{
    const struct bound_options *options = bounding->options;
    struct study *study = &bounding->study;
    if (policies_open(&bounding->policies, &options->policies, err) < 0 ||
        study_load(study, &options->source, options->operands.list[0], NULL, err) < 0 ||
        workload_check_io(study->workload, err) < 0)
        return STATUS_MISUSE;
    const struct window *window = &study->workload->window;
    if (options->min_yield > 1) {
        err_option(err, "--min-yield: '%g' is not above 0 and at most 1", options->min_yield);
        return STATUS_MISUSE;
    }
    if (options->search.given && options->search.value == 0) {
        err_option(err, "--search: expected at least 1");
        return STATUS_MISUSE;
    }
    if (options->min_yield > 0 && (window->kind != WINDOW_FIXED || window->start > 0)) {
        err_option(err, "--min-yield needs a window that begins at 0, such as --window auto");
        return STATUS_MISUSE;
    }
    if (study_bound(study, err) < 0 ||
        bounds_efficiency(study->workload, options->min_yield, &bounding->efficiency, err) < 0)
        return STATUS_FAILED;
    for (size_t i = 0; i < bounding->policies.count; i++) {
        int status = bound_run_policy(study, bounding->policies.list[i], err);
        if (status != STATUS_DONE)
            return status;
    }
    if (window->kind == WINDOW_FIXED && isnan(study->rows.list[0].metrics.min_yield)) {
        err_set(err, "%s: no application runs in the window", study->workload->name);
        return STATUS_MISUSE;
    }
    if (options->search.given && bound_search(bounding, err) < 0)
        return STATUS_MISUSE;
    return STATUS_DONE;
}

/* What is bounded: other measures in a window than of a whole run. */
enum { BOUNDED = 2 };
struct bounded {
    const struct measure *measures[BOUNDED];
};

static struct bounded bound_measures(const struct window *window)
{
    if (window->kind == WINDOW_FIXED)
        return (struct bounded){{&measures[MEASURE_min_yield], &measures[MEASURE_efficiency]}};
    return (struct bounded){{&measures[MEASURE_makespan], &measures[MEASURE_max_stretch]}};
}

/* How far a value is from the bound, in percent of that. */
static double bound_gap(const struct measure *measure, double value, double bound)
{
    double gap = measure->sense == METRIC_HIGHER ? bound - value : value - bound;
    return bound > 0 ? 100 * fmax(0, gap) / bound : NAN;
}

/* --- results ------------------------------------------------------------------------------- */

/* One line of the table: each measure and its gap. */
static void bound_fill_line(const struct bounding *bounding, const struct weir_metrics *metrics,
                            double *values)
{
    struct bounded bounded = bound_measures(&bounding->study.workload->window);
    for (int i = 0; i < BOUNDED; i++) {
        const struct measure *measure = bounded.measures[i];
        double value = measure_of(measure, metrics);
        *values++ = value;
        *values++ = bound_gap(measure, value, measure_of(measure, bounding->study.rows.bounds));
    }
}

static int bound_print_table(const struct bounding *bounding)
{
    const struct rows *rows = &bounding->study.rows;
    struct bounded bounded = bound_measures(&bounding->study.workload->window);
    struct table_column columns[2 * BOUNDED];
    const char **names = mem_alloc(rows->count + 1, sizeof *names);
    double *values = mem_alloc(rows->count + 1, sizeof *values * 2 * BOUNDED);
    int status = names && values ? 0 : -1;
    for (int i = 0; i < BOUNDED; i++) {
        const struct measure *measure = bounded.measures[i];
        columns[2 * i] = (struct table_column){measure->name, measure->unit, measure->sense, 5, 0};
        columns[2 * i + 1] = (struct table_column){"gap_(%)", UNIT_NONE, METRIC_INFO, 3, false};
    }
    for (size_t k = 0; status == 0 && k <= rows->count; k++) {
        bool last = k == rows->count;
        names[k] = last ? RUNS_BOUND : rows->list[k].policy;
        bound_fill_line(bounding, last ? rows->bounds : &rows->list[k].metrics,
                        &values[k * 2 * BOUNDED]);
    }
    if (status == 0)
        table_print(&(struct table){.corner = "strategy",
                                    .names = names,
                                    .rows = rows->count + 1,
                                    .bounds = 1,
                                    .columns = columns,
                                    .count = 2 * BOUNDED,
                                    .values = values,
                                    .colour = terminal_colour(stdout),
                                    .legend = true},
                    stdout);
    free(names);
    free(values);
    return status;
}

/* What the search for the best schedule has found. */
static void bound_print_optimum(const struct bounding *bounding)
{
    const struct optimum *optimum = &bounding->optimum;
    bool window = bounding->study.workload->window.kind == WINDOW_FIXED;
    const char *measure = measures[window ? MEASURE_min_yield : MEASURE_max_stretch].name;
    double reached = window ? optimum->reached : 1 / optimum->reached;
    double bound = window ? optimum->bound : 1 / optimum->bound;
    if (!bounding->options->search.given)
        return;
    if (optimum->proved)
        printf("\nthe best schedule has a %s of %.4g, proved by %llu decisions\n", measure, bound,
               (unsigned long long)optimum->nodes);
    else
        printf("\na schedule has a %s of %.4g, none passes %.4g; %llu decisions prove no more\n",
               measure, reached, bound, (unsigned long long)optimum->nodes);
}

static int bound_print(const struct bounding *bounding)
{
    const struct workload *workload = bounding->study.workload;
    double least = bounding->options->min_yield;
    printf("%s: what no schedule can pass, and how near strategies come\n", workload->name);
    ask_print_window(&bounding->study.workload->window);
    putchar('\n');
    if (bound_print_table(bounding) < 0)
        return -1;
    if (least > 0 && isnan(bounding->efficiency))
        printf("\nno schedule has a min_yield of at least %g\n", least);
    else if (least > 0)
        printf("\nwith a min_yield of at least %g, efficiency is at most %.5g\n", least,
               bounding->efficiency);
    bound_print_optimum(bounding);
    return 0;
}

static void bound_json_measures(const struct bounding *bounding, const struct weir_metrics *metrics,
                                const char *key, struct json *json)
{
    json_begin_object(json, key);
    struct bounded bounded = bound_measures(&bounding->study.workload->window);
    for (int i = 0; i < BOUNDED; i++)
        json_number(json, bounded.measures[i]->name, measure_of(bounded.measures[i], metrics));
    json_end_object(json);
}

static void bound_print_json(const struct bounding *bounding)
{
    const struct rows *rows = &bounding->study.rows;
    const struct provenance made = study_provenance(&bounding->study);
    struct json json = {.out = stdout, .pretty = true};
    json_begin_object(&json, NULL);
    provenance_json(&made, &json);
    bound_json_measures(bounding, rows->bounds, RUNS_BOUND, &json);
    if (bounding->options->min_yield > 0) {
        json_begin_object(&json, "given");
        json_number(&json, "min_yield", bounding->options->min_yield);
        json_number(&json, "efficiency", bounding->efficiency);
        json_end_object(&json);
    }
    if (bounding->options->search.given) {
        json_begin_object(&json, "optimum");
        json_number(&json, "reached", bounding->optimum.reached);
        json_number(&json, "bound", bounding->optimum.bound);
        json_bool(&json, "proved", bounding->optimum.proved);
        json_integer(&json, "decisions", bounding->optimum.nodes);
        json_end_object(&json);
    }
    json_begin_array(&json, "runs");
    for (size_t i = 0; i < rows->count; i++) {
        json_begin_object(&json, NULL);
        json_string(&json, "policy", rows->list[i].policy);
        bound_json_measures(bounding, &rows->list[i].metrics, "metrics", &json);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
}

static int bound_run(const void *values, struct err *err)
{
    struct bounding bounding = {.options = values};
    int status = bound_compute(&bounding, err);
    if (status == STATUS_DONE && bounding.options->json)
        bound_print_json(&bounding);
    else if (status == STATUS_DONE && bound_print(&bounding) < 0) {
        err_memory(err);
        status = STATUS_FAILED;
    }
    study_fini(&bounding.study);
    policies_fini(&bounding.policies);
    return status;
}

#define AT(member) offsetof(struct bound_options, member)
static const struct option options[] = {
    STUDY_POLICY_OPTION(struct bound_options, policies),
    STUDY_WINDOW_OPTION(struct bound_options, source),
    {"min-yield", 0, OPTION_AMOUNT, UNIT_NONE, "Y", AT(min_yield),
     "also show how efficient a schedule can be if its min_yield is at least Y, above 0 and at "
     "most 1"},
    {"search", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(search),
     "also look for the best schedule itself, in at most N decisions; for few I/Os of "
     "applications that can each use the whole bandwidth"},
    STUDY_SOURCE_OPTIONS(struct bound_options, source),
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), "print everything as JSON"},
    {.name = NULL},
};
#undef AT

const struct command command_bound = {
    .name = "bound",
    .summary = "show what no schedule can pass, and how near strategies come",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .options = options,
    .details = "In a window: bounds on min_yield and efficiency. Of a whole run: on makespan and "
               "max_stretch. They hold for any schedule, even one that knows the future; the best "
               "schedule may be worse than they are.",
    .example = "weir bound examples/quickstart.yaml --window auto --policy critical-yield",
    .size = sizeof(struct bound_options),
    .run = bound_run,
};
