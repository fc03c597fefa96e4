#include "answer/study.h"
#include "base/output.h"
#include "cli/commands.h"
#include "terminal/progress.h"
#include "client/clock.h"
#include "detect/periods.h"
#include "figure/picture.h"
#include "format/plan_file.h"
#include "plan/bound.h"
#include "plan/hrr.h"
#include "plan/persched.h"
#include "report/plan_report.h"
#include "report/table.h"
#include <stdlib.h>
#include <string.h>

struct plan_options {
    struct words operands; /* the scenario */
    struct study_source source;
    const char *method, *objective, *search, *export, *check, *output, *gantt;
    double min_period, max_factor, epsilon, time_limit;
    struct whole jobs;
    bool detect, json;
};

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

/* --- options --------------------------------------------------------------------------------- */

/* In the order of enum plan_search and enum plan_list. */
static const char *const searches[] = {"best", "paper", NULL};
static const char *const exports[] = {"csv", "ior", NULL};
enum { MOST_JOBS = 1024 };

/* A plan from a file was made already, and hrr has nothing to choose. */
static int plan_check_together(const struct plan_options *options, struct err *err)
{
    bool search = options->objective || options->search || options->min_period > 0 ||
                  options->max_factor > 0 || options->epsilon > 0 || options->time_limit > 0 ||
                  options->jobs.given;
    bool hrr = options->method && strcmp(options->method, plan_methods[METHOD_HRR]) == 0;
    if (options->check && (search || options->method || options->output))
        return err_option(err, "--check reads a plan and excludes options that make one");
    if (hrr && search)
        return err_option(err, "--method hrr has no search and excludes its options");
    if (options->time_limit > 0 && options->search && strcmp(options->search, "paper") == 0)
        return err_option(err, "--search paper tries every period and excludes --time-limit");
    if (options->json && options->export)
        return err_option(err, "--json and --export exclude each other");
    if (output_is_stdout(options->output) + output_is_stdout(options->gantt) + options->json +
            (options->export != NULL) >
        1)
        return err_set(err, "standard output can hold only one of --output, --gantt, --json and "
                            "--export");
    return 0;
}

static int plan_check_amounts(const struct plan_options *options, struct err *err)
{
    if (options->max_factor > 0 && !(options->max_factor >= 1 && options->max_factor <= 1000))
        return err_option(err, "--max-period-factor: %g, expected 1 to 1000", options->max_factor);
    if (options->epsilon > 0 && !(options->epsilon >= 1e-4 && options->epsilon <= 1))
        return err_option(err, "--epsilon: %g, expected 0.0001 to 1", options->epsilon);
    if (options->jobs.given && (options->jobs.value < 1 || options->jobs.value > MOST_JOBS))
        return err_option(err, "--jobs: %llu, expected 1 to %d",
                          (unsigned long long)options->jobs.value, MOST_JOBS);
    return 0;
}

/* Reads the words, and checks that the options go together and that amounts are in range. */
static int plan_read_request(const struct plan_options *options, struct plan_request *request,
                             struct err *err)
{
    *request = (struct plan_request){.persched = persched_defaults,
                                     .list = -1,
                                     .taken = output_is_stdout(options->output) ||
                                              output_is_stdout(options->gantt)};
    struct persched *persched = &request->persched;
    if (plan_check_together(options, err) < 0 || plan_check_amounts(options, err) < 0)
        return -1;
    int method = option_choose("method", options->method, plan_methods, METHOD_HRR + 1, err);
    int objective = option_choose("objective", options->objective, plan_searched_objectives,
                                  PLAN_SEARCHED_COUNT, err);
    int search = option_choose("search", options->search, searches, 2, err);
    int list = option_choose("export", options->export, exports, 2, err);
    if (method < 0 || objective < 0 || search < 0 || list < 0)
        return -1;
    request->method = (enum plan_method)method;
    persched->objective = (enum plan_objective)objective;
    persched->search = (enum plan_search)search;
    persched->min_period = options->min_period;
    if (options->export)
        request->list = list;
    if (options->max_factor > 0)
        persched->max_factor = options->max_factor;
    if (options->epsilon > 0)
        persched->epsilon = options->epsilon;
    if (options->jobs.given)
        persched->jobs = (unsigned)options->jobs.value;
    return 0;
}

/* --- planning ------------------------------------------------------------------------------ */

/* Everything between the options and what is printed. */
struct planning {
    const struct plan_options *options;
    struct plan_request request;
    struct study study;
    struct tasks tasks;
    struct plan_file *file;
    struct persched_claim claim; /* of the published search; else 0 */
    struct output output;
    struct picture gantt;
};

static bool plan_is_over(void *deadline)
{
    return clock_now() >= *(const double *)deadline;
}

static struct plan *cli_plan_search(struct planning *planning, struct err *err)
{
    struct persched persched = planning->request.persched;
    double deadline = clock_now() + planning->options->time_limit;
    if (persched.search == PLAN_SEARCH_PAPER)
        persched.claim = &planning->claim;
    if (planning->options->time_limit > 0) {
        persched.stop = plan_is_over;
        persched.context = &deadline;
    }
    return persched_plan(&planning->tasks, &persched, err);
}

/* A plan is never handed out unchecked. The published search may end with one that leaves no room
 * for the work of an application; it is shown for comparison, with a warning. */
static int plan_check_plan(const struct planning *planning, struct err *err)
{
    const struct plan_request *request = &planning->request;
    if (plan_validate(planning->file->plan, &planning->tasks, err) == 0)
        return STATUS_DONE;
    if (request->method != METHOD_PERSCHED || request->persched.search != PLAN_SEARCH_PAPER) {
        err_prepend(err, "%s: the plan is invalid", planning->study.workload->name);
        return STATUS_FAILED;
    }
    fprintf(stderr,
            "weir: warning: the plan cannot be followed: %s; --search best finds one that can\n",
            err->text);
    return STATUS_DONE;
}

/* The published program counts the instances from before it shortens the period. */
static void plan_compare_claim(const struct planning *planning)
{
    const double claimed = planning->claim.sys_efficiency;
    double efficiency = plan_sys_efficiency(planning->file->plan, &planning->tasks);
    if (claimed > efficiency * (1 + 1e-9))
        fprintf(stderr,
                "weir: warning: the published program prints SysEfficiency %.6g for this plan: it "
                "counts instances that no longer fit when it has shortened the period\n",
                claimed);
}

static int plan_make(struct planning *planning, struct err *err)
{
    const struct plan_request *request = &planning->request;
    const char *name = planning->study.workload->name;
    bool hrr = request->method == METHOD_HRR;
    double begun = clock_now();
    progress_begin(name, "planning");
    struct plan *plan = hrr ? hrr_plan(&planning->tasks, err) : cli_plan_search(planning, err);
    progress_end();
    if (!plan) {
        err_prepend(err, "%s: %s", name, plan_methods[request->method]);
        return STATUS_MISUSE; /* these applications cannot be planned so */
    }
    planning->file = plan_file_new(plan);
    if (!planning->file) {
        err_memory(err);
        return STATUS_FAILED;
    }
    planning->file->seconds = clock_now() - begun;
    planning->file->method = plan_methods[request->method];
    planning->file->objective = plan_objectives[hrr ? PLAN_MAKESPAN : request->persched.objective];
    plan_compare_claim(planning);
    return plan_check_plan(planning, err);
}

/* The bounds are computed from the scenario, not read from a plan file. */
static int plan_bound(struct planning *planning, struct err *err)
{
    struct plan_bounds bounds;
    progress_begin(planning->study.workload->name, "bounds");
    int status = bounds_compute(&planning->tasks, &bounds);
    progress_end();
    if (status < 0) {
        err_memory(err);
        return STATUS_FAILED;
    }
    planning->file->made = study_provenance(&planning->study);
    planning->file->bounds.sys_efficiency = bounds.sys_efficiency;
    planning->file->bounds.sys_efficiency_bandwidth = bounds.sys_efficiency_bandwidth;
    planning->file->bounds.dilation_bandwidth = bounds.dilation_bandwidth;
    return STATUS_DONE;
}

static int plan_open_outputs(struct planning *planning, struct err *err)
{
    const struct plan_options *options = planning->options;
    if (options->output && output_open(&planning->output, options->output, err) < 0)
        return -1;
    return options->gantt ? picture_open(&planning->gantt, options->gantt, err) : 0;
}

static int plan_write_outputs(struct planning *planning, struct err *err)
{
    const struct planned planned = {planning->study.workload, &planning->tasks,
                                    planning->file->plan, planning->file->method};
    if (planning->output.file) {
        plan_file_write(planning->output.file, planning->file, &planning->tasks, true);
        if (output_commit(&planning->output, err) < 0)
            return -1;
    }
    if (!planning->gantt.file)
        return 0;
    if (plan_write_gantt(planning->gantt.file, &planned, err) < 0)
        return -1;
    return picture_commit(&planning->gantt, err);
}

/* --- results ------------------------------------------------------------------------------- */

static void plan_print_apps(const struct plan *plan, const struct tasks *tasks)
{
    enum { COLUMNS = 3, MOST_ROWS = 40, SCREEN = 80 };
    static const struct table_column columns[COLUMNS] = {
        {.heading = "instances", .sense = METRIC_INFO, .digits = 5},
        {.heading = "efficiency", .sense = METRIC_INFO, .digits = 5},
        {.heading = "dilation", .sense = METRIC_INFO, .digits = 5}};
    uint32_t rows = plan->count < MOST_ROWS ? plan->count : MOST_ROWS;
    const char *names[MOST_ROWS];
    double values[MOST_ROWS * COLUMNS];
    for (uint32_t i = 0; i < rows; i++) {
        names[i] = tasks->list[i].name;
        values[i * COLUMNS] = (double)plan->apps[i].count;
        values[i * COLUMNS + 1] = plan_efficiency(plan, tasks, i);
        values[i * COLUMNS + 2] = plan_dilation(plan, tasks, i);
    }
    table_print(&(struct table){.corner = "application",
                                .names = names,
                                .rows = rows,
                                .columns = columns,
                                .count = COLUMNS,
                                .values = values,
                                .width = SCREEN,
                                .colour = terminal_colour(stdout)},
                stdout);
    if (rows < plan->count)
        printf("and %u more, listed by --json\n", (unsigned)(plan->count - rows));
}

/* How good the plan is, how good it could be, and what each application has of it. `source` is the
 * file from which a valid plan was read, or NULL. */
static void plan_print_summary(const struct plan_file *file, const struct tasks *tasks,
                               const struct workload *workload, const char *source)
{
    double efficiency = plan_sys_efficiency(file->plan, tasks);
    double most = file->bounds.sys_efficiency_bandwidth;
    double dilation = plan_max_dilation(file->plan, tasks);
    double least = file->bounds.dilation_bandwidth;
    char rate[64], period[64];
    printf("%s: %u application%s, file system %s\n", workload->name, (unsigned)workload->count,
           workload->count == 1 ? "" : "s",
           units_print(workload->platform.bandwidth, UNIT_RATE, rate, sizeof rate));
    printf("plan by %s for %s%s%s\n\n", file->method, file->objective, source ? ", valid: " : "",
           source ? source : "");
    printf("period         %s (%.9g s)\n\n",
           units_print(file->plan->period, UNIT_SECONDS, period, sizeof period),
           file->plan->period);
    printf("               plan       bound      gap\n");
    printf("SysEfficiency  %-9.6g  %-9.6g  %.3f %%\n", efficiency, most,
           100 * (1 - efficiency / most));
    printf("Dilation       %-9.6g  %-9.6g  %.3f %%\n", dilation, least,
           100 * (dilation / least - 1));
    printf("SysEfficiency without contention is at most %.6g\n\n", file->bounds.sys_efficiency);
    plan_print_apps(file->plan, tasks);
    printf("\nplanned in %.3f s\n", file->seconds);
}

static void plan_print(const struct planning *planning)
{
    static void (*const write_list[])(FILE *, const struct plan *, const struct tasks *) = {
        [PLAN_LIST_CSV] = plan_write_csv, [PLAN_LIST_IOR] = plan_write_ior};
    const struct plan_options *options = planning->options;
    if (options->json)
        plan_file_write(stdout, planning->file, &planning->tasks, false);
    else if (planning->request.list >= 0)
        write_list[planning->request.list](stdout, planning->file->plan, &planning->tasks);
    else if (!planning->request.taken)
        plan_print_summary(planning->file, &planning->tasks, planning->study.workload,
                           options->check);
}

/* --- all of it ----------------------------------------------------------------------------- */

/* Makes lists of phases periodic; if that succeeds, reports the periods on stderr. */
static int plan_fold(struct scenario *scenario, struct err *err)
{
    char *notes = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&notes, &length);
    progress_begin(scenario->name, "looking for periods");
    int status = stream ? periods_fold(scenario, "weir: ", stream, err) : err_memory(err);
    progress_end();
    if (stream && fclose(stream) != 0 && status == 0)
        status = err_memory(err);
    if (status == 0)
        fputs(notes, stderr);
    free(notes);
    return status;
}

/* The workload again, of a scenario without lists of phases. */
static int plan_detect(struct planning *planning, const struct window *window, struct err *err)
{
    struct scenario *scenario = planning->study.scenario;
    planning->study.scenario = NULL;
    study_fini(&planning->study);
    if (plan_fold(scenario, err) == 0)
        return study_init(&planning->study, scenario, window, err);
    scenario_free(scenario);
    return -1;
}

static int plan_load(struct planning *planning, struct err *err)
{
    const struct plan_options *options = planning->options;
    const char *path = options->operands.list[0];
    const struct window none = {.kind = WINDOW_NONE}; /* a pattern has no end to measure at */
    if (plan_read_request(options, &planning->request, err) < 0) {
        err_prepend(err, "plan");
        return -1;
    }
    if (study_load(&planning->study, &options->source, path, &none, err) < 0)
        return -1;
    if (options->detect && plan_detect(planning, &none, err) < 0)
        return err_prepend(err, "%s", path);
    if (tasks_init(&planning->tasks, planning->study.workload, err) < 0)
        return err_prepend(err, "%s", path);
    if (planning->tasks.means)
        fprintf(stderr, "weir: warning: %s: phases vary, so their means are planned\n", path);
    if (!planning->study.workload->occupancy.together)
        fprintf(stderr,
                "weir: warning: %s: the applications do not all run at the same time, but a plan "
                "repeats all of them together\n",
                path);
    return plan_open_outputs(planning, err);
}

static int plan_obtain(struct planning *planning, struct err *err)
{
    int status = STATUS_DONE;
    if (planning->options->check) {
        planning->file = plan_file_load(planning->options->check, &planning->tasks, err);
        status = planning->file ? STATUS_DONE : STATUS_MISUSE;
    } else {
        status = plan_make(planning, err);
    }
    return status == STATUS_DONE ? plan_bound(planning, err) : status;
}

static int plan_run(const void *values, struct err *err)
{
    struct planning planning = {.options = values};
    int status = plan_load(&planning, err) < 0 ? STATUS_MISUSE : plan_obtain(&planning, err);
    if (status == STATUS_DONE && plan_write_outputs(&planning, err) < 0)
        status = STATUS_FAILED;
    if (status == STATUS_DONE)
        plan_print(&planning);
    output_discard(&planning.output);
    picture_discard(&planning.gantt);
    plan_file_free(planning.file);
    tasks_fini(&planning.tasks);
    study_fini(&planning.study);
    return status;
}

/* "sys-efficiency|dilation", after the first bar. */
#define X(name, text) "|" text
static const char objective_words[] = PLAN_SEARCHED_OBJECTIVES(X);
#undef X

#define AT(member) offsetof(struct plan_options, member)
static const struct option options[] = {
    {"method", 0, OPTION_TEXT, UNIT_NONE, "persched|hrr", AT(method),
     "persched finds a pattern to repeat (the default), hrr the shortest schedule of uniform jobs"},
    {"objective", 0, OPTION_TEXT, UNIT_NONE, objective_words + 1, AT(objective),
     "what to optimise; default sys-efficiency"},
    {"search", 0, OPTION_TEXT, UNIT_NONE, "best|paper", AT(search),
     "how to search for the pattern: our way (the default), or exactly as published"},
    {"min-period", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(min_period),
     "shortest period to try; default the longest work and I/O of an application"},
    {"max-period-factor", 0, OPTION_AMOUNT, UNIT_NONE, "K", AT(max_factor),
     "longest period to try, over the shortest; default 10"},
    {"epsilon", 0, OPTION_AMOUNT, UNIT_RATIO, "E", AT(epsilon),
     "relative step from one period to the next; default 0.01"},
    {"jobs", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(jobs),
     "number of threads, which does not change the plan; default 1"},
    {"time-limit", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(time_limit),
     "stop looking for a better plan after this time"},
    {"output", 'o', OPTION_TEXT, UNIT_NONE, "FILE.json", AT(output),
     "write the plan with its schedule"},
    {"gantt", 0, OPTION_TEXT, UNIT_NONE, PICTURE_FILE, AT(gantt), "draw one period" PICTURE_KINDS},
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json),
     "print the result as JSON, without the schedule"},
    {"export", 0, OPTION_TEXT, UNIT_NONE, "csv|ior", AT(export),
     "print when and how fast each application may transfer, as one table or as a list for each"},
    {"check", 0, OPTION_TEXT, UNIT_NONE, "FILE.json", AT(check),
     "read a plan instead of making one, and verify that it suits the scenario"},
    {"detect", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(detect),
     "for phases listed one by one, plan their detected periods instead of their means"},
    STUDY_SOURCE_OPTIONS(struct plan_options, source),
    {.name = NULL},
};
#undef AT

const struct command command_plan = {
    .name = "plan",
    .summary = "schedule periodic applications once, and bound what is possible",
    .operands = "SCENARIO",
    .least = 1,
    .most = 1,
    .options = options,
    .example = "weir plan examples/jupiter1.yaml -o plan.json --gantt plan.svg",
    .size = sizeof(struct plan_options),
    .run = plan_run,
};
