#include "base/output.h"
#include "cli/clock.h"
#include "cli/commands.h"
#include "cli/periods.h"
#include "cli/picture.h"
#include "cli/plan_request.h"
#include "cli/plan_summary.h"
#include "cli/progress.h"
#include "format/plan_file.h"
#include "plan/bound.h"
#include "plan/hrr.h"
#include "report/plan_report.h"
#include <stdlib.h>

/* --- planning ------------------------------------------------------------------------------ */

/* Everything between the options and what is printed. */
struct planning {
    const struct plan_options *options;
    struct plan_request request;
    struct study study;
    struct tasks tasks;
    struct plan_file *file;
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
    if (planning->options->time_limit > 0) {
        persched.stop = plan_is_over;
        persched.context = &deadline;
    }
    return persched_plan(&planning->tasks, &persched, err);
}

/* A plan is never handed out unchecked. The published search may end with one that leaves no room
 * for somebody's work; it is shown for comparison, with a warning. */
static int validate(const struct planning *planning, struct err *err)
{
    const struct plan_request *request = &planning->request;
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
    planning->file->objective =
        plan_objectives[hrr ? OBJECTIVE_MAKESPAN : (int)request->persched.objective];
    return validate(planning, err);
}

/* The bounds are those of the scenario, whatever a file says. */
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

static int open_outputs(struct planning *planning, struct err *err)
{
    const struct plan_options *options = planning->options;
    if (options->output && output_open(&planning->output, options->output, err) < 0)
        return -1;
    return options->gantt ? picture_open(&planning->gantt, options->gantt, err) : 0;
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
    return picture_commit(&planning->gantt, err);
}

/* --- results ------------------------------------------------------------------------------- */

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
        plan_summary_print(planning->file, &planning->tasks, planning->study.workload,
                           options->check);
}

/* --- all of it ----------------------------------------------------------------------------- */

/* Makes lists of phases periodic; if that is possible, says on stderr what became of them. */
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
    if (plan_request_read(options, &planning->request, err) < 0) {
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
        status = plan_make(planning, err);
    }
    return status == STATUS_DONE ? plan_bound(planning, err) : status;
}

static int plan_run(const void *values, struct err *err)
{
    struct planning planning = {.options = values};
    int status = plan_load(&planning, err) < 0 ? STATUS_MISUSE : obtain(&planning, err);
    if (status == STATUS_DONE && write_outputs(&planning, err) < 0)
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

const struct command command_plan = {
    .name = "plan",
    .summary = "schedule periodic applications once, and say how far from optimal",
    .operands = "SCENARIO",
    .least = 1,
    .most = 1,
    .options = plan_option_table,
    .example = "weir plan examples/jupiter1.yaml -o plan.json --gantt plan.svg",
    .size = sizeof(struct plan_options),
    .run = plan_run,
};
