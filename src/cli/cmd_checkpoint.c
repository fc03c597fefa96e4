#include "answer/study.h"
#include "base/json.h"
#include "base/mem.h"
#include "cli/commands.h"
#include "cli/intervals.h"
#include "cli/progress.h"
#include "figure/figure.h"
#include "report/interval_figure.h"
#include "report/table.h"
#include <stdlib.h>
#include <string.h>

struct checkpoint_options {
    struct words operands; /* the scenario */
    struct study_source source;
    struct words intervals;
    const char *application, *policy, *restart, *plot;
    double mtbf, node_mtbf;
    bool all, json;
};

enum { LABEL = 64 };

struct advising {
    const struct checkpoint_options *options;
    struct study study;
    struct policy *policy;
    double restart; /* seconds; NAN = as long as a checkpoint alone */
    struct intervals intervals;
    struct picture picture;
};

/* --- reading ------------------------------------------------------------------------------- */

/* Finds the application by its name, which is with a number where it has several copies. */
static int checkpoint_find(struct advising *advising, struct err *err)
{
    const struct workload *workload = advising->study.workload;
    const char *name = advising->options->application;
    char label[APP_LABEL];
    for (uint32_t id = 0; id < workload->count; id++)
        if (strcmp(app_label(&workload->apps[id], label, sizeof label), name) == 0) {
            advising->intervals.id = id;
            return 0;
        }
    for (uint32_t id = 0; id < workload->count; id++)
        if (strcmp(workload->apps[id].name, name) == 0)
            return err_option(err, "--application: '%s' has several copies, such as '%s'", name,
                              app_label(&workload->apps[id], label, sizeof label));
    return err_option(err, "--application: no application is named '%s'", name);
}

static double checkpoint_between(const struct advising *advising, const struct app *app)
{
    const struct checkpoint_options *options = advising->options;
    return options->mtbf > 0 ? options->mtbf : options->node_mtbf / app->facts.nodes;
}

static int checkpoint_check(const struct checkpoint_options *options, struct err *err)
{
    if (options->all == (options->application != NULL))
        return err_set(err, "expected either --application NAME or --all");
    if (!(options->mtbf > 0) && !(options->node_mtbf > 0))
        return err_set(err, "missing --mtbf TIME or --node-mtbf TIME");
    if (options->mtbf > 0 && options->node_mtbf > 0)
        return err_option(err, "--mtbf and --node-mtbf exclude each other");
    if (options->all && (options->plot || options->intervals.count > 0))
        return err_option(err, "--%s needs --application NAME",
                          options->plot ? "plot" : "interval");
    return (options->json && output_is_stdout(options->plot)
                ? err_set(err, "standard output can hold only one of --plot and --json")
                : 0);
}

/* Reads the intervals to judge, none of which is shorter than a checkpoint or longer than the work.
 */
static int checkpoint_read_intervals(struct advising *advising, struct err *err)
{
    const struct words *words = &advising->options->intervals;
    const struct app *app = &advising->study.workload->apps[advising->intervals.id];
    double cost = checkpoint_alone(app), work = app->facts.total_work;
    char length[LABEL];
    double *given = advising->intervals.given = mem_alloc(words->count, sizeof *given);
    if (!given)
        return err_memory(err);
    for (size_t i = 0; i < words->count; i++) {
        double *interval = &given[i];
        if (units_parse(words->list[i], UNIT_SECONDS, interval, err) < 0)
            return err_prepend_option(err, "interval");
        if (*interval < cost)
            return err_option(err, "--interval: '%s' is shorter than a checkpoint, which takes %s",
                              words->list[i],
                              units_print(cost, UNIT_SECONDS, length, sizeof length));
        if (*interval > work * (1 + 1e-12))
            return err_option(err, "--interval: '%s' is longer than the work of '%s', %s",
                              words->list[i], advising->options->application,
                              units_print(work, UNIT_SECONDS, length, sizeof length));
        if (*interval < checkpoint_shortest(app))
            return err_option(err, "--interval: '%s' makes too many checkpoints to simulate",
                              words->list[i]);
    }
    advising->intervals.given_count = words->count;
    return 0;
}

/* Sets how an application fails, if it writes checkpoints. */
static int checkpoint_set_failures(struct advising *advising, uint32_t id, struct err *err)
{
    const struct app *app = &advising->study.workload->apps[id];
    double cost = checkpoint_alone(app), between = checkpoint_between(advising, app);
    char label[APP_LABEL], takes[LABEL], fails[LABEL];
    app_label(app, label, sizeof label);
    if (!(cost > 0 && app->facts.total_work > 0))
        return advising->options->all ? 0
                                      : err_option(err, "--application: '%s' has no %s", label,
                                                   cost > 0 ? "work" : "I/O");
    if (cost > between)
        return err_set(err, "'%s': a checkpoint takes %s alone, but a failure comes every %s",
                       label, units_print(cost, UNIT_SECONDS, takes, sizeof takes),
                       units_print(between, UNIT_SECONDS, fails, sizeof fails));
    advising->intervals.failures[id] =
        (struct failures){between, isnan(advising->restart) ? cost : advising->restart};
    return 0;
}

static int checkpoint_read_restart(struct advising *advising, struct err *err)
{
    const char *text = advising->options->restart;
    advising->restart = NAN;
    if (!text)
        return 0;
    if (units_parse(text, UNIT_SECONDS, &advising->restart, err) < 0)
        return err_prepend_option(err, "restart");
    return advising->restart >= 0 ? 0 : err_option(err, "--restart: '%s' is below 0", text);
}

static int checkpoint_prepare(struct advising *advising, struct err *err)
{
    const struct checkpoint_options *options = advising->options;
    const struct window none = {.kind = WINDOW_NONE};
    if (checkpoint_check(options, err) < 0 || checkpoint_read_restart(advising, err) < 0 ||
        !(advising->policy = study_file_system(options->policy, err)) ||
        study_load(&advising->study, &options->source, options->operands.list[0], &none, err) < 0)
        return -1;
    const struct workload *workload = advising->study.workload;
    if (advising->policy->ops->flags & WEIR_NEEDS_PLAN)
        return err_option(err, "--policy: a plan is made for one set of intervals");
    if (!workload->nodes_known && options->node_mtbf > 0)
        return err_option(err, "--node-mtbf: the nodes of the applications are unknown");
    if (options->application ? checkpoint_find(advising, err) < 0
                             : workload_check_io(workload, err) < 0)
        return -1;
    if (intervals_init(&advising->intervals, workload, advising->policy, err) < 0)
        return -1;
    for (uint32_t id = 0; id < workload->count; id++)
        if ((options->all || id == advising->intervals.id) &&
            checkpoint_set_failures(advising, id, err) < 0)
            return -1;
    if (!options->all && checkpoint_read_intervals(advising, err) < 0)
        return -1;
    if (!options->plot)
        return 0;
    return figure_check(err) < 0 ? -1 : picture_open(&advising->picture, options->plot, err);
}

/* --- results ------------------------------------------------------------------------------- */

enum { INTERVAL, COST, OVERHEAD, OTHERS, COLUMNS };

static int checkpoint_print_table(const struct advising *advising)
{
    bool all = advising->options->all;
    const struct advice_list *list = &advising->intervals.shown;
    const struct table_column columns[COLUMNS] = {
        {"interval", UNIT_SECONDS, METRIC_INFO, 4, false},
        {"checkpoint_takes", UNIT_SECONDS, METRIC_INFO, 4, false},
        {"overhead_(%)", UNIT_NONE, METRIC_LOWER, 4, false},
        {all ? "interval_alone" : "others_delayed (%)", all ? UNIT_SECONDS : UNIT_NONE, METRIC_INFO,
         4, false}};
    const char **names = mem_alloc(list->count, sizeof *names);
    double *values = mem_alloc(list->count, sizeof *values * COLUMNS);
    for (uint32_t i = 0; names && values && i < list->count; i++) {
        const struct advice *line = &list->lines[i];
        const double row[COLUMNS] = {line->interval, line->cost, line->overhead,
                                     all ? line->alone : line->others};
        names[i] = all ? line->name : i == list->best ? "best" : "";
        memcpy(&values[i * COLUMNS], row, sizeof row);
    }
    int status = names && values ? 0 : -1;
    if (status == 0)
        table_print(&(struct table){.corner = all ? "application" : "",
                                    .names = names,
                                    .rows = list->count,
                                    .bounds = all ? list->count : 0,
                                    .columns = columns,
                                    .count = COLUMNS,
                                    .values = values,
                                    .colour = terminal_colour(stdout)},
                    stdout);
    free(names);
    free(values);
    return status;
}

static int checkpoint_print(const struct advising *advising)
{
    const struct workload *workload = advising->study.workload;
    char a[LABEL], b[LABEL], c[LABEL];
    if (advising->options->all) {
        printf("%s under %s: intervals that waste the least node time\n\n", workload->name,
               advising->policy->name);
        if (checkpoint_print_table(advising) < 0)
            return -1;
        printf("\n%.4g node hours wasted, %.4g with each as if alone\n",
               advising->intervals.after.wasted / 3600, advising->intervals.before.wasted / 3600);
        return 0;
    }
    const struct app *app = &workload->apps[advising->intervals.id];
    const struct failures *failures = &advising->intervals.failures[advising->intervals.id];
    double cost = checkpoint_alone(app);
    printf("%s: checkpoints of %s under %s, a failure every %s\n\n", workload->name,
           advising->options->application, advising->policy->name,
           units_print(failures->between, UNIT_SECONDS, a, sizeof a));
    if (checkpoint_print_table(advising) < 0)
        return -1;
    printf("\nalone, a checkpoint takes %s; Young's interval is %s, Daly's %s\n",
           units_print(cost, UNIT_SECONDS, a, sizeof a),
           units_print(interval_young(cost, failures->between), UNIT_SECONDS, b, sizeof b),
           units_print(interval_daly(cost, failures->between), UNIT_SECONDS, c, sizeof c));
    return 0;
}

static void checkpoint_print_json(const struct advising *advising)
{
    const struct provenance made = study_provenance(&advising->study);
    const struct advice_list *list = &advising->intervals.shown;
    struct json json = {.out = stdout, .pretty = true};
    bool all = advising->options->all;
    json_begin_object(&json, NULL);
    provenance_json(&made, &json);
    json_string(&json, "policy", advising->policy->name);
    if (all) {
        json_number(&json, "wasted", advising->intervals.after.wasted);
        json_number(&json, "wasted_as_if_alone", advising->intervals.before.wasted);
    } else {
        const struct failures *failures = &advising->intervals.failures[advising->intervals.id];
        double cost = checkpoint_alone(&advising->study.workload->apps[advising->intervals.id]);
        json_number(&json, "best", list->lines[list->best].interval);
        json_number(&json, "young", interval_young(cost, failures->between));
        json_number(&json, "daly", interval_daly(cost, failures->between));
    }
    json_begin_array(&json, "intervals");
    for (uint32_t i = 0; i < list->count; i++) {
        const struct advice *line = &list->lines[i];
        json_begin_object(&json, NULL);
        json_string(&json, "name", line->name);
        json_number(&json, "interval", line->interval);
        json_number(&json, "checkpoint_takes", line->cost);
        json_number(&json, "overhead", line->overhead / 100);
        json_number(&json, "others_delayed", all ? NAN : line->others / 100);
        json_number(&json, "interval_alone", line->alone);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
}

static int checkpoint_plot(struct advising *advising, struct err *err)
{
    const struct advice_list *curve = &advising->intervals.curve;
    struct interval_cost costs[INTERVALS_FINE];
    for (uint32_t i = 0; i < curve->count; i++)
        costs[i] = (struct interval_cost){curve->lines[i].interval, curve->lines[i].overhead,
                                          curve->lines[i].others};
    return interval_draw(&(struct interval_figure){.application = advising->options->application,
                                                   .costs = costs,
                                                   .count = curve->count,
                                                   .best = curve->best},
                         &advising->picture, err);
}

static int checkpoint_show(struct advising *advising, struct err *err)
{
    const struct checkpoint_options *options = advising->options;
    if (options->plot && checkpoint_plot(advising, err) < 0)
        return -1;
    if (options->json)
        checkpoint_print_json(advising);
    else if (!output_is_stdout(options->plot) && checkpoint_print(advising) < 0)
        return err_memory(err);
    return 0;
}

static int checkpoint_compute(struct advising *advising, struct err *err)
{
    struct intervals *intervals = &advising->intervals;
    progress_begin(intervals->workload->name, "trying intervals");
    int status = advising->options->all
                     ? intervals_settle(intervals, err)
                     : intervals_advise(intervals, advising->options->plot != NULL, err);
    progress_end();
    return status;
}

static int cli_checkpoint_run(const void *values, struct err *err)
{
    struct advising advising = {.options = values};
    int status = STATUS_MISUSE;
    if (checkpoint_prepare(&advising, err) == 0)
        status = checkpoint_compute(&advising, err) < 0 || checkpoint_show(&advising, err) < 0
                     ? STATUS_FAILED
                     : STATUS_DONE;
    picture_discard(&advising.picture);
    study_fini(&advising.study);
    policy_free(advising.policy);
    intervals_fini(&advising.intervals);
    return status;
}

#define AT(member) offsetof(struct checkpoint_options, member)
static const struct option options[] = {
    {"application", 0, OPTION_TEXT, UNIT_NONE, "NAME", AT(application),
     "find the best interval of this one; the others stay as they are"},
    {"all", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(all),
     "find intervals of all applications that waste the least node time together"},
    {"mtbf", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(mtbf),
     "mean time between failures of the application, or of each"},
    {"node-mtbf", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(node_mtbf),
     "the same of one node: an application fails as often as its nodes together"},
    {"interval", 0, OPTION_WORDS, UNIT_NONE, "TIME", AT(intervals),
     "judge this interval beside the best, instead of a curve around that; may be repeated"},
    {"restart", 0, OPTION_TEXT, UNIT_NONE, "TIME", AT(restart),
     "time that a restart takes; default as long as a checkpoint alone"},
    STUDY_FILE_SYSTEM_OPTION(struct checkpoint_options, policy),
    {"plot", 0, OPTION_TEXT, UNIT_NONE, PICTURE_FILE, AT(plot),
     "draw the curve" PICTURE_KINDS "; needs gnuplot"},
    STUDY_SOURCE_OPTIONS(struct checkpoint_options, source),
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), "print everything as JSON"},
    {.name = NULL},
};
#undef AT

const struct command command_checkpoint = {
    .name = "checkpoint",
    .summary = "find how often applications should write checkpoints",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .options = options,
    .details = "The I/O of an application counts as its checkpoints. Its work stays the same and "
               "is cut into other parts. Short intervals cost more checkpoints, which take longer "
               "the more others write; long ones cost more work that is done twice.",
    .example = "weir checkpoint examples/quickstart.yaml --application climate --mtbf 2h",
    .size = sizeof(struct checkpoint_options),
    .run = cli_checkpoint_run,
};
