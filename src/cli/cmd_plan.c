#include "base/output.h"
#include "base/text.h"
#include "cli/clock.h"
#include "cli/commands.h"
#include "cli/plan_summary.h"
#include "cli/study.h"
#include "format/plan_file.h"
#include "plan/bound.h"
#include "plan/hrr.h"
#include "plan/persched.h"
#include "report/plan_report.h"
#include <stdlib.h>
#include <string.h>

struct plan_options {
    struct words operands; /* the scenario */
    struct study_source source;
    const char *method, *objective, *search, *export, *check, *output, *gantt;
    double min_period, max_factor, epsilon, time_limit;
    struct whole jobs;
    bool json;
};

/* In the order of the lists of format/plan_file.h, of enum plan_search, and of write_list. */
enum method { METHOD_PERSCHED, METHOD_HRR };
static const char *const searches[] = {"best", "paper", NULL};
static const char *const exports[] = {"csv", "ior", NULL};
enum { OBJECTIVES = 2, OBJECTIVE_MAKESPAN = 2, MOST_JOBS = 1024 };

/* --- options ------------------------------------------------------------------------------- */

/* What the options say, read. */
struct request {
    enum method method;
    struct persched persched;
    int list; /* index in `exports`, -1 = none */
};

/* The index of a word among the first `count` names, 0 when it was not given; -1 with err. */
static int choose(const char *option, const char *word, const char *const *names, int count,
                  struct err *err)
{
    char list[128] = "";
    for (int i = 0; i < count; i++) {
        if (!word || strcmp(names[i], word) == 0)
            return i;
        text_append(list, sizeof list, i ? ", " : "");
        text_append(list, sizeof list, names[i]);
    }
    return err_set(err, "--%s: '%s' is none of: %s", option, word, list);
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* A plan from a file was made already, and hrr has nothing to choose. */
static int check_together(const struct plan_options *options, struct err *err)
{
    bool search = options->objective || options->search || options->min_period > 0 ||
                  options->max_factor > 0 || options->epsilon > 0 || options->time_limit > 0 ||
                  options->jobs.given;
    bool hrr = options->method && strcmp(options->method, plan_methods[METHOD_HRR]) == 0;
    if (options->check && (search || options->method || options->output))
        return err_set(err, "--check reads a plan: no option on how to make one goes with it");
    if (hrr && search)
        return err_set(err, "--method hrr has no search: no option on it goes with it");
    if (options->json && options->export)
        return err_set(err, "--json and --export exclude each other");
    if (is_stdout(options->output) + is_stdout(options->gantt) + options->json +
            (options->export != NULL) >
        1)
        return err_set(err, "standard output can hold only one of --output, --gantt, --json and "
                            "--export");
    return 0;
}

static int check_amounts(const struct plan_options *options, struct err *err)
{
    if (options->max_factor > 0 && !(options->max_factor >= 1 && options->max_factor <= 1000))
        return err_set(err, "--max-period-factor: %g is not from 1 to 1000", options->max_factor);
    if (options->epsilon > 0 && !(options->epsilon >= 1e-4 && options->epsilon <= 1))
        return err_set(err, "--epsilon: %g is not from 0.0001 to 1", options->epsilon);
    if (options->jobs.given && (options->jobs.value < 1 || options->jobs.value > MOST_JOBS))
        return err_set(err, "--jobs: '%llu' is not from 1 to %d",
                       (unsigned long long)options->jobs.value, MOST_JOBS);
    return 0;
}

static int read_request(const struct plan_options *options, struct request *request,
                        struct err *err)
{
    *request = (struct request){.persched = persched_defaults, .list = -1};
    struct persched *persched = &request->persched;
    if (check_together(options, err) < 0 || check_amounts(options, err) < 0)
        return -1;
    int method = choose("method", options->method, plan_methods, METHOD_HRR + 1, err);
    int objective = choose("objective", options->objective, plan_objectives, OBJECTIVES, err);
    int search = choose("search", options->search, searches, 2, err);
    int list = choose("export", options->export, exports, 2, err);
    if (method < 0 || objective < 0 || search < 0 || list < 0)
        return -1;
    request->method = (enum method)method;
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
    struct request request;
    struct study study;
    struct tasks tasks;
    struct plan_file *file;
    struct output output, gantt;
};

static bool is_over(void *deadline)
{
    return clock_now() >= *(const double *)deadline;
}

static struct plan *search(struct planning *planning, struct err *err)
{
    struct persched persched = planning->request.persched;
    double deadline = clock_now() + planning->options->time_limit;
    if (planning->options->time_limit > 0) {
        persched.stop = is_over;
        persched.context = &deadline;
    }
    return persched_plan(&planning->tasks, &persched, err);
}

/* A plan is never handed out unchecked. The published search may end with one that leaves no room
 * for somebody's work; it is shown for comparison, with a warning. */
static int validate(const struct planning *planning, struct err *err)
{
    const struct request *request = &planning->request;
    if (plan_validate(planning->file->plan, &planning->tasks, err) == 0)
        return STATUS_DONE;
    if (request->method != METHOD_PERSCHED || request->persched.search != PLAN_SEARCH_PAPER) {
        err_prepend(err, "%s: the plan is not valid", planning->study.workload->name);
        return STATUS_FAILED;
    }
    fprintf(stderr, "weir: warning: the plan cannot be followed: %s; --search best makes one\n",
            err->text);
    return STATUS_DONE;
}

static int make(struct planning *planning, struct err *err)
{
    const struct request *request = &planning->request;
    const char *name = planning->study.workload->name;
    bool hrr = request->method == METHOD_HRR;
    double begun = clock_now();
    struct plan *plan = hrr ? hrr_plan(&planning->tasks, err) : search(planning, err);
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
    planning->file->objective =
        plan_objectives[hrr ? OBJECTIVE_MAKESPAN : (int)request->persched.objective];
    return validate(planning, err);
}

/* The bounds are those of the scenario, whatever a file says. */
static int bound(struct planning *planning, struct err *err)
{
    struct plan_bounds bounds;
    if (bounds_compute(&planning->tasks, &bounds) < 0) {
        err_memory(err);
        return STATUS_FAILED;
    }
    planning->file->bounds.sys_efficiency = bounds.sys_efficiency;
    planning->file->bounds.sys_efficiency_bandwidth = bounds.sys_efficiency_bandwidth;
    planning->file->bounds.dilation_bandwidth = bounds.dilation_bandwidth;
    return STATUS_DONE;
}

static int open_outputs(struct planning *planning, struct err *err)
{
    const struct plan_options *options = planning->options;
    if (options->output && output_open(&planning->output, options->output, err) < 0)
        return -1;
    return options->gantt ? output_open(&planning->gantt, options->gantt, err) : 0;
}

static int write_outputs(struct planning *planning, struct err *err)
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
    return output_commit(&planning->gantt, err);
}

/* --- results ------------------------------------------------------------------------------- */

static void print(const struct planning *planning)
{
    static void (*const write_list[])(FILE *, const struct plan *,
                                      const struct tasks *) = {plan_write_csv, plan_write_ior};
    const struct plan_options *options = planning->options;
    bool taken = is_stdout(options->output) || is_stdout(options->gantt);
    if (options->json)
        plan_file_write(stdout, planning->file, &planning->tasks, false);
    else if (planning->request.list >= 0)
        write_list[planning->request.list](stdout, planning->file->plan, &planning->tasks);
    else if (!taken)
        plan_summary_print(planning->file, &planning->tasks, planning->study.workload,
                           options->check);
}

/* --- all of it ----------------------------------------------------------------------------- */

static int load(struct planning *planning, struct err *err)
{
    const struct plan_options *options = planning->options;
    const char *path = options->operands.list[0];
    const struct window none = {.kind = WINDOW_NONE}; /* a pattern has no end to measure at */
    if (read_request(options, &planning->request, err) < 0) {
        err_prepend(err, "plan");
        return -1;
    }
    if (study_load(&planning->study, &options->source, path, &none, err) < 0)
        return -1;
    if (tasks_init(&planning->tasks, planning->study.workload, err) < 0)
        return err_prepend(err, "%s", path);
    if (planning->tasks.means)
        fprintf(stderr, "weir: warning: %s: phases vary: their means are planned\n", path);
    return open_outputs(planning, err);
}

static int obtain(struct planning *planning, struct err *err)
{
    int status = STATUS_DONE;
    if (planning->options->check) {
        planning->file = plan_file_load(planning->options->check, &planning->tasks, err);
        status = planning->file ? STATUS_DONE : STATUS_MISUSE;
    } else {
        status = make(planning, err);
    }
    return status == STATUS_DONE ? bound(planning, err) : status;
}

static int run(const void *values, struct err *err)
{
    struct planning planning = {.options = values};
    int status = load(&planning, err) < 0 ? STATUS_MISUSE : obtain(&planning, err);
    if (status == STATUS_DONE && write_outputs(&planning, err) < 0)
        status = STATUS_FAILED;
    if (status == STATUS_DONE)
        print(&planning);
    output_discard(&planning.output);
    output_discard(&planning.gantt);
    plan_file_free(planning.file);
    tasks_fini(&planning.tasks);
    study_fini(&planning.study);
    return status;
}

#define AT(member) offsetof(struct plan_options, member)
static const struct option options[] = {
    {"method", 0, OPTION_TEXT, UNIT_NONE, "persched|hrr", AT(method),
     "how to plan: a pattern that is repeated (the default), or the shortest schedule of uniform "
     "jobs"},
    {"objective", 0, OPTION_TEXT, UNIT_NONE, "sys-efficiency|dilation", AT(objective),
     "what the pattern should be best in; default sys-efficiency"},
    {"search", 0, OPTION_TEXT, UNIT_NONE, "best|paper", AT(search),
     "for the pattern: ours (the default), or exactly the published one"},
    {"min-period", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(min_period),
     "the shortest period tried; default the longest work and I/O of an application"},
    {"max-period-factor", 0, OPTION_AMOUNT, UNIT_NONE, "K", AT(max_factor),
     "the longest period tried is K times the shortest; default 10"},
    {"epsilon", 0, OPTION_AMOUNT, UNIT_RATIO, "E", AT(epsilon),
     "each period tried is this much longer than the one before; default 0.01"},
    {"jobs", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(jobs),
     "threads; the plan does not depend on their number"},
    {"time-limit", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(time_limit),
     "stop the search for a better plan after this time"},
    {"output", 'o', OPTION_TEXT, UNIT_NONE, "FILE.json", AT(output),
     "write the plan with its schedule"},
    {"gantt", 0, OPTION_TEXT, UNIT_NONE, "FILE.svg", AT(gantt), "draw one period"},
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), "the result as JSON, without the schedule"},
    {"export", 0, OPTION_TEXT, UNIT_NONE, "csv|ior", AT(export),
     "print when each application may transfer and how fast: as one table, or as a list for each"},
    {"check", 0, OPTION_TEXT, UNIT_NONE, "FILE.json", AT(check),
     "read a plan instead of making one, and verify that the scenario can follow it"},
    STUDY_SOURCE_OPTIONS(struct plan_options, source),
    {.name = NULL},
};
#undef AT

const struct command command_plan = {
    .name = "plan",
    .summary = "schedule periodic applications once, and say how far from optimal",
    .operands = "SCENARIO",
    .least = 1,
    .most = 1,
    .options = options,
    .example = "weir plan examples/jupiter1.yaml -o plan.json --gantt plan.svg",
    .size = sizeof(struct plan_options),
    .run = run,
};
