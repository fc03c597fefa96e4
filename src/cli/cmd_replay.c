#include "answer/study.h"
#include "cli/commands.h"
#include "terminal/progress.h"
#include "cli/replay_planned.h"
#include "cli/replay_report.h"
#include "replay/ledger.h"
#include "replay/scale.h"
#include "replay/worker.h"
#include "sim/sim.h"
#include <stdlib.h>

#define DEFAULT_BANDWIDTH 200e6
#define DEFAULT_DURATION  20.0
#define SHORT             0.005 /* seconds */
enum { MOST_APPLICATIONS = 500, MOST_RUNS = 99 };

struct replay_options {
    struct words operands;
    struct study_source source;
    const char *policy, *directory;
    double time_scale, duration, bandwidth, store_limit;
    struct whole runs;
    bool preload, without, json;
};

/* --- preparation ---------------------------------------------------------------------------- */

static int replay_check_options(const struct replay_options *options, struct err *err)
{
    if (options->time_scale > 0 && options->duration > 0)
        return err_option(err, "--time-scale and --duration exclude each other");
    if (options->store_limit > 0 && options->directory)
        return err_option(err, "--store-limit and --dir exclude each other");
    if (options->store_limit > 0 && options->preload)
        return err_set(
            err,
            "--store-limit and --preload exclude each other: only files are controlled, not pipes");
    if (options->runs.given && (options->runs.value < 1 || options->runs.value > MOST_RUNS))
        return err_option(err, "--runs: %llu, expected 1 to %d",
                          (unsigned long long)options->runs.value, MOST_RUNS);
    return 0;
}

/* A live controller has no knowledge of what is to come. A file has the plan of other times than
 * those of the replay, which makes its own. */
static struct policy *replay_open_policy(const char *name, struct err *err)
{
    struct policy *policy = policy_open(name, err);
    int file = policy ? policy_param(policy, "file") : -1;
    if (policy && policy->ops->flags & WEIR_NEEDS_PROFILE)
        err_option(err,
                   "--policy: %s needs to know the applications in advance, which a live "
                   "controller does not",
                   name);
    else if (file >= 0 && policy->texts[file])
        err_option(err,
                   "--policy: a replay has other times than the plan in '%s', and makes its own",
                   policy->texts[file]);
    else
        return policy;
    policy_free(policy);
    return NULL;
}

/* By how much times are to be divided so that the run takes as long as asked. */
static int replay_choose_scale(const struct replay_options *options, const struct study *study,
                               const struct policy *policy, double *faster, struct err *err)
{
    *faster = options->time_scale;
    if (*faster > 0)
        return 0;
    struct plan *plan = NULL;
    if (policy->ops->flags & WEIR_NEEDS_PLAN && !(plan = study_plan(study, policy, err)))
        return -1;
    progress_begin(study->workload->name, policy->name);
    struct outcome *outcome =
        sim_run(study->workload, policy,
                &(struct sim_options){.plan = plan, .progress = progress_show}, err);
    progress_end();
    plan_free(plan);
    if (!outcome)
        return -1;
    *faster = outcome->end / (options->duration > 0 ? options->duration : DEFAULT_DURATION);
    outcome_free(outcome);
    return *faster > 0 ? 0
                       : err_set(err, "%s: no application takes any time", study->workload->name);
}

/* What takes hardly longer than to grant it cannot agree with a simulation in which that takes no
 * time. */
static void replay_warn_of_short_phases(const struct workload *workload)
{
    for (uint32_t id = 0; id < workload->count; id++) {
        const struct app *app = &workload->apps[id];
        double length = app->facts.total_io / app->facts.iterations;
        if (length > 0 && length < SHORT) {
            fprintf(stderr,
                    "weir: warning: %s: the I/Os of '%s' take %.2g ms, too short to be granted in "
                    "time; choose a longer --duration\n",
                    workload->name, app->name, 1e3 * length);
            return;
        }
    }
}

static struct workload *replay_prepare(const struct replay_options *options,
                                       const struct study *study, const struct policy *policy,
                                       double *faster, struct err *err)
{
    struct scale scale = {.bandwidth = options->bandwidth > 0     ? options->bandwidth
                                       : options->store_limit > 0 ? options->store_limit
                                                                  : DEFAULT_BANDWIDTH};
    if (study->workload->count > MOST_APPLICATIONS) {
        err_set(err, "%u applications are too many to run, expected at most %d",
                study->workload->count, MOST_APPLICATIONS);
        return NULL;
    }
    if (replay_choose_scale(options, study, policy, faster, err))
        return NULL;
    scale.faster = *faster;
    return scale_workload(study->workload, &scale, err);
}

/* --- the command ---------------------------------------------------------------------------- */

static int replay_study(const struct replay_options *options, const struct study *study,
                        const struct policy *policy, struct err *err)
{
    double faster;
    struct replay_runs runs = {0};
    struct workload *workload = replay_prepare(options, study, policy, &faster, err);
    if (!workload)
        return STATUS_MISUSE;
    replay_warn_of_short_phases(workload);
    struct replay_planned planned;
    int status = replay_planned_init(&planned, workload, policy, err);
    const struct replay setup = {.workload = workload,
                                 .policy = policy->name,
                                 .plan = planned.plan ? planned.path : NULL,
                                 .directory = options->directory,
                                 .store_limit = options->store_limit,
                                 .preload = options->preload};
    const struct replay_task task = {.plan = planned.plan,
                                     .count = options->runs.given ? options->runs.value : 1,
                                     .without = options->without};
    if (status == 0)
        status = replay_runs_make(&runs, &setup, policy, task, err);
    const struct replay_report report = {
        .runs = &runs, .faster = faster, .provenance = study_provenance(study)};
    if (status == 0 && options->json)
        replay_report_json(&report);
    else if (status == 0)
        status = replay_report_print(&report, err);
    replay_runs_fini(&runs);
    replay_planned_fini(&planned);
    workload_free(workload);
    return status == 0 ? STATUS_DONE : STATUS_FAILED;
}

static int replay_refuse_shares(struct err *err)
{
    err_set(err, "all applications of a replay are of one user: it cannot keep shares of users");
    return STATUS_MISUSE;
}

static int cli_replay_run(const void *values, struct err *err)
{
    const struct replay_options *options = values;
    static const struct window whole = {.kind = WINDOW_NONE};
    struct study study = {0};
    int status = STATUS_MISUSE;
    struct policy *policy = NULL;
    if (replay_check_options(options, err) == 0)
        policy = replay_open_policy(options->policy ? options->policy : "fair-share", err);
    if (policy && study_load(&study, &options->source, options->operands.list[0], &whole, err) == 0)
        status = study.workload->shares ? replay_refuse_shares(err)
                                        : replay_study(options, &study, policy, err);
    study_fini(&study);
    policy_free(policy);
    return status;
}

#define AT(member) offsetof(struct replay_options, member)
static const struct option options[] = {
    {"policy", 0, OPTION_TEXT, UNIT_NONE, "STRATEGY", AT(policy),
     "the strategy of the controller; default fair-share"},
    {"time-scale", 0, OPTION_AMOUNT, UNIT_NONE, "X", AT(time_scale), "divide all times by X"},
    {"duration", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(duration),
     "divide all times so that the run takes about this long; default 20 s"},
    {"bandwidth", 0, OPTION_AMOUNT, UNIT_RATE, "RATE", AT(bandwidth),
     "bandwidth of the store, which the controller grants; default 200 MB/s"},
    {"dir", 0, OPTION_TEXT, UNIT_NONE, "DIR", AT(directory),
     "where the applications write; default in memory, if there is a tmpfs"},
    {"store-limit", 0, OPTION_AMOUNT, UNIT_RATE, "RATE", AT(store_limit),
     "write to pipes instead, which a process empties no faster than this"},
    {"preload", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(preload),
     "run programs that do not announce their I/O, under 'weir exec'"},
    {"without", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(without),
     "first run the same without control, and show that as well"},
    {"runs", 0, OPTION_WHOLE, UNIT_NONE, "K", AT(runs),
     "run K times and show the run with the median error; default 1"},
    {"seed", 0, OPTION_WHOLE, UNIT_NONE, "S", AT(source.seed),
     "seed of the random draws, instead of the file's"},
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), "print all runs and measures as JSON"},
    {.name = NULL},
};
#undef AT

const struct command command_replay = {
    .name = "replay",
    .summary = "run a scenario for real, and compare it with its simulation",
    .operands = "SCENARIO",
    .least = 1,
    .most = 1,
    .options = options,
    .details =
        "Starts a controller, and for each application a group of processes that sleep for work "
        "and really write and read. Times are divided, and volumes chosen so that each I/O takes "
        "the same share of time at the bandwidth of the store. Where 1 ms of jitter changes the "
        "simulation by more than 1 %, the report says so; if the order of the I/Os is the reason, "
        "the run is compared with a simulation in their real order, if that is closer.",
    .example = "weir replay examples/quickstart.yaml --policy fcfs --duration 10s",
    .size = sizeof(struct replay_options),
    .run = cli_replay_run,
};

/* --- an application that does not know of control ------------------------------------------- */

struct worker_options {
    struct words operands;
};

static int replay_run_worker(const void *values, struct err *err)
{
    const struct worker_options *worker = values;
    uint32_t app = (uint32_t)strtoul(worker->operands.list[1], NULL, 10);
    struct ledger *ledger = ledger_attach(atoi(worker->operands.list[0]), err);
    if (!ledger)
        return STATUS_MISUSE;
    if (app >= ledger->count) {
        err_set(err, "unknown application %u", app);
        return STATUS_MISUSE;
    }
    if (worker_run(ledger, app) == 0)
        return STATUS_DONE;
    err_set(err, "%s", ledger->apps[app].fault);
    return STATUS_FAILED;
}

const struct command command_replay_worker = {
    .name = "replay-worker",
    .summary = "one application of 'weir replay --preload'",
    .operands = "DESCRIPTOR INDEX",
    .least = 2,
    .most = 2,
    .example = "weir replay examples/quickstart.yaml --preload",
    .size = sizeof(struct worker_options),
    .hidden = true,
    .run = replay_run_worker,
};
