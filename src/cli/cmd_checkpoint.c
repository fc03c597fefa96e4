#include "base/json.h"
#include "base/mem.h"
#include "checkpoint/checkpoint.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/study.h"
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

/* The curve: from a quarter of the best interval to four times, in the table and in a picture. */
enum { LABEL = 64, CURVE = 9, FINE_CURVE = 33 };

/* One line: an interval of the application, or an application with its interval. */
struct advice {
    char name[APP_LABEL];
    double interval, cost;
    double overhead; /* percent of the work that its time is above it */
    double others;   /* percent by which the others are delayed */
    double alone;    /* the best interval if it were alone */
};

struct advising {
    const struct checkpoint_options *options;
    struct study study;
    struct policy *policy;
    struct failures *failures;
    struct checkpoint_part *parts;
    uint32_t id;    /* of the application, unless all */
    double restart; /* seconds; NAN = as long as a checkpoint alone */
    double *given;  /* intervals to judge, ascending */
    double alone;   /* time that the others need alone, in seconds */
    struct advice *lines;
    uint32_t count, best; /* of the lines */
    struct advice *curve; /* for the picture */
    uint32_t curve_count, curve_best;
    struct picture picture;
    struct checkpoint_result before,
        after; /* for all: with the best intervals alone, and settled */
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
            advising->id = id;
            return 0;
        }
    for (uint32_t id = 0; id < workload->count; id++)
        if (strcmp(workload->apps[id].name, name) == 0)
            return err_set(err, "--application: '%s' has several copies, such as '%s'", name,
                           app_label(&workload->apps[id], label, sizeof label));
    return err_set(err, "--application: no application is named '%s'", name);
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
        return err_set(err, "--mtbf and --node-mtbf exclude each other");
    if (options->all && (options->plot || options->intervals.count > 0))
        return err_set(err, "--%s needs --application NAME", options->plot ? "plot" : "interval");
    if (options->json && output_is_stdout(options->plot))
        return err_set(err, "standard output can hold only one of --plot and --json");
    return 0;
}

static int checkpoint_compare_numbers(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Reads the intervals to judge, none of which is shorter than a checkpoint or longer than the work.
 */
static int checkpoint_read_intervals(struct advising *advising, struct err *err)
{
    const struct words *words = &advising->options->intervals;
    const struct app *app = &advising->study.workload->apps[advising->id];
    double cost = checkpoint_alone(app), work = app->facts.total_work;
    char length[LABEL];
    advising->given = mem_alloc(words->count, sizeof *advising->given);
    if (!advising->given)
        return err_memory(err);
    for (size_t i = 0; i < words->count; i++) {
        double *interval = &advising->given[i];
        if (units_parse(words->list[i], UNIT_SECONDS, interval, err) < 0)
            return err_prepend(err, "--interval");
        if (*interval < cost)
            return err_set(err, "--interval: '%s' is shorter than a checkpoint, which takes %s",
                           words->list[i], units_print(cost, UNIT_SECONDS, length, sizeof length));
        if (*interval > work * (1 + 1e-12))
            return err_set(err, "--interval: '%s' is longer than the work of '%s', %s",
                           words->list[i], advising->options->application,
                           units_print(work, UNIT_SECONDS, length, sizeof length));
        if (*interval < checkpoint_shortest(app))
            return err_set(err, "--interval: '%s' makes too many checkpoints to simulate",
                           words->list[i]);
    }
    if (words->count > 0)
        qsort(advising->given, words->count, sizeof *advising->given, checkpoint_compare_numbers);
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
                                      : err_set(err, "--application: '%s' has no %s", label,
                                                cost > 0 ? "work" : "I/O");
    if (cost > between)
        return err_set(err, "'%s': a checkpoint takes %s alone, but a failure comes every %s",
                       label, units_print(cost, UNIT_SECONDS, takes, sizeof takes),
                       units_print(between, UNIT_SECONDS, fails, sizeof fails));
    advising->failures[id] =
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
        return err_prepend(err, "--restart");
    return advising->restart >= 0 ? 0 : err_set(err, "--restart: '%s' is below 0", text);
}

static int checkpoint_prepare(struct advising *advising, struct err *err)
{
    const struct checkpoint_options *options = advising->options;
    const struct window none = {.kind = WINDOW_NONE};
    const char *policy = options->policy ? options->policy : "fair-share";
    if (checkpoint_check(options, err) < 0 || checkpoint_read_restart(advising, err) < 0 ||
        !(advising->policy = policy_open(policy, err)) ||
        study_load(&advising->study, &options->source, options->operands.list[0], &none, err) < 0)
        return -1;
    const struct workload *workload = advising->study.workload;
    if (advising->policy->ops->flags & WEIR_NEEDS_PLAN)
        return err_set(err, "--policy: a plan is made for one set of intervals");
    if (!workload->nodes_known && options->node_mtbf > 0)
        return err_set(err, "--node-mtbf: the nodes of the applications are unknown");
    if (options->application ? checkpoint_find(advising, err) < 0
                             : workload_check_io(workload, err) < 0)
        return -1;
    advising->failures = mem_alloc(workload->count, sizeof *advising->failures);
    advising->parts = mem_alloc(workload->count, sizeof *advising->parts);
    if (!advising->failures || !advising->parts)
        return err_memory(err);
    for (uint32_t id = 0; id < workload->count; id++)
        if ((options->all || id == advising->id) && checkpoint_set_failures(advising, id, err) < 0)
            return -1;
    if (!options->all && checkpoint_read_intervals(advising, err) < 0)
        return -1;
    if (!options->plot)
        return 0;
    return figure_check(err) < 0 ? -1 : picture_open(&advising->picture, options->plot, err);
}

/* --- finding ------------------------------------------------------------------------------- */

static void checkpoint_fill(const struct advising *advising, uint32_t id,
                            const struct checkpoint_part *part, struct advice *line)
{
    const struct app *app = &advising->study.workload->apps[id];
    app_label(app, line->name, APP_LABEL);
    line->interval = part->interval;
    line->cost = part->cost;
    line->overhead = 100 * (part->expected / app->facts.total_work - 1);
    line->alone = interval_best(&advising->failures[id], checkpoint_alone(app));
}

/* The time that the others need alone, in seconds. */
static double checkpoint_others_alone(const struct advising *advising)
{
    const struct workload *workload = advising->study.workload;
    double alone = 0;
    for (uint32_t id = 0; id < workload->count; id++)
        alone += id == advising->id ? 0 : app_ideal(&workload->apps[id]);
    return alone;
}

/* Judges one interval. 0, or -1 with err. */
static int checkpoint_judge(struct advising *advising, const struct checkpoint_study *study,
                            double interval, struct advice *line, struct err *err)
{
    advising->parts[advising->id].interval = interval;
    if (checkpoint_try(study, advising->parts, &advising->after, err) < 0)
        return -1;
    checkpoint_fill(advising, advising->id, &advising->parts[advising->id], line);
    line->others = advising->alone > 0 ? 100 * advising->after.others / advising->alone : NAN;
    return 0;
}

/* The line with the least overhead: that of the interval that was found, unless another is better.
 */
static uint32_t checkpoint_pick(const struct advice *lines, uint32_t count, uint32_t found)
{
    uint32_t best = found;
    for (uint32_t i = 0; i < count; i++)
        if (lines[i].overhead < lines[best].overhead)
            best = i;
    return best;
}

/* Judges a curve of `count` intervals around the best. Those longer than the work are left out, as
 * are those that would make too many checkpoints, or with which the work would never be done. 0, or
 * -1 with err. */
static int checkpoint_draw_curve(struct advising *advising, const struct checkpoint_study *study,
                                 double best, int count, struct err *err)
{
    const struct app *app = &advising->study.workload->apps[advising->id];
    struct advice *lines = count == FINE_CURVE ? advising->curve : advising->lines;
    uint32_t used = 0, place = 0;
    for (int i = 0; i < count; i++) {
        double interval = best * exp2(4.0 * i / (count - 1) - 2);
        if (interval > app->facts.total_work * (1 + 1e-12))
            break;
        if (interval < checkpoint_shortest(app))
            continue;
        if (checkpoint_judge(advising, study, interval, &lines[used], err) < 0)
            return -1;
        place = i == count / 2 ? used : place;
        used += isfinite(lines[used].overhead);
    }
    place = checkpoint_pick(lines, used, place);
    if (count == FINE_CURVE) {
        advising->curve_count = used;
        advising->curve_best = place;
    } else {
        advising->count = used;
        advising->best = place;
    }
    return 0;
}

/* Judges the intervals that were given, with the best among them. 0, or -1 with err. */
static int checkpoint_judge_given(struct advising *advising, const struct checkpoint_study *study,
                                  double best, struct err *err)
{
    size_t count = advising->options->intervals.count, next = 0;
    bool shown = false;
    while (next < count || !shown) {
        bool own = !shown && (next == count || best <= advising->given[next]);
        double interval = own ? best : advising->given[next];
        struct advice *line = &advising->lines[advising->count];
        if (checkpoint_judge(advising, study, interval, line, err) < 0)
            return -1;
        line->overhead = isfinite(line->overhead) ? line->overhead : NAN;
        advising->best = own ? advising->count : advising->best;
        advising->count++;
        shown |= own;
        next += !own || (next < count && best == advising->given[next]);
    }
    advising->best = checkpoint_pick(advising->lines, advising->count, advising->best);
    return 0;
}

/* The best interval, and others to compare it with. */
static int checkpoint_advise_one(struct advising *advising, const struct checkpoint_study *study,
                                 struct err *err)
{
    advising->alone = checkpoint_others_alone(advising);
    if (checkpoint_best(study, advising->id, advising->parts, err) < 0)
        return -1;
    double best = advising->parts[advising->id].interval;
    if (advising->options->plot &&
        checkpoint_draw_curve(advising, study, best, FINE_CURVE, err) < 0)
        return -1;
    return advising->options->intervals.count > 0
               ? checkpoint_judge_given(advising, study, best, err)
               : checkpoint_draw_curve(advising, study, best, CURVE, err);
}

static int checkpoint_settle_all(struct advising *advising, const struct checkpoint_study *study,
                                 struct err *err)
{
    const struct workload *workload = advising->study.workload;
    for (uint32_t id = 0; id < workload->count; id++)
        if (advising->failures[id].between > 0)
            advising->parts[id].interval = fmin(
                fmax(checkpoint_shortest(&workload->apps[id]),
                     interval_best(&advising->failures[id], checkpoint_alone(&workload->apps[id]))),
                workload->apps[id].facts.total_work);
    if (checkpoint_try(study, advising->parts, &advising->before, err) < 0 ||
        checkpoint_settle(study, advising->parts, &advising->after, err) < 0)
        return -1;
    for (uint32_t id = 0; id < workload->count; id++)
        if (advising->parts[id].interval > 0)
            checkpoint_fill(advising, id, &advising->parts[id],
                            &advising->lines[advising->count++]);
    return 0;
}

static int checkpoint_compute(struct advising *advising, struct err *err)
{
    const struct workload *workload = advising->study.workload;
    const struct checkpoint_study study = {workload, advising->policy, advising->failures,
                                           progress_show};
    advising->lines = mem_alloc(workload->count + CURVE + advising->options->intervals.count + 1,
                                sizeof *advising->lines);
    advising->curve = mem_alloc(FINE_CURVE, sizeof *advising->curve);
    if (!advising->lines || !advising->curve)
        return err_memory(err);
    progress_begin(workload->name, "trying intervals");
    int status = advising->options->all ? checkpoint_settle_all(advising, &study, err)
                                        : checkpoint_advise_one(advising, &study, err);
    progress_end();
    return status;
}

/* --- results ------------------------------------------------------------------------------- */

enum { INTERVAL, COST, OVERHEAD, OTHERS, COLUMNS };

static int checkpoint_print_table(const struct advising *advising)
{
    bool all = advising->options->all;
    const struct table_column columns[COLUMNS] = {
        {"interval", UNIT_SECONDS, METRIC_INFO, 4, false},
        {"checkpoint_takes", UNIT_SECONDS, METRIC_INFO, 4, false},
        {"overhead_(%)", UNIT_NONE, METRIC_LOWER, 4, false},
        {all ? "interval_alone" : "others_delayed (%)", all ? UNIT_SECONDS : UNIT_NONE, METRIC_INFO,
         4, false}};
    const char **names = mem_alloc(advising->count, sizeof *names);
    double *values = mem_alloc(advising->count, sizeof *values * COLUMNS);
    for (uint32_t i = 0; names && values && i < advising->count; i++) {
        const struct advice *line = &advising->lines[i];
        const double row[COLUMNS] = {line->interval, line->cost, line->overhead,
                                     all ? line->alone : line->others};
        names[i] = all ? line->name : i == advising->best ? "best" : "";
        memcpy(&values[i * COLUMNS], row, sizeof row);
    }
    int status = names && values ? 0 : -1;
    if (status == 0)
        table_print(&(struct table){.corner = all ? "application" : "",
                                    .names = names,
                                    .rows = advising->count,
                                    .bounds = all ? advising->count : 0,
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
               advising->after.wasted / 3600, advising->before.wasted / 3600);
        return 0;
    }
    const struct app *app = &workload->apps[advising->id];
    const struct failures *failures = &advising->failures[advising->id];
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
    struct json json = {.out = stdout, .pretty = true};
    bool all = advising->options->all;
    json_begin_object(&json, NULL);
    provenance_json(&made, &json);
    json_string(&json, "policy", advising->policy->name);
    if (all) {
        json_number(&json, "wasted", advising->after.wasted);
        json_number(&json, "wasted_as_if_alone", advising->before.wasted);
    } else {
        const struct failures *failures = &advising->failures[advising->id];
        double cost = checkpoint_alone(&advising->study.workload->apps[advising->id]);
        json_number(&json, "best", advising->lines[advising->best].interval);
        json_number(&json, "young", interval_young(cost, failures->between));
        json_number(&json, "daly", interval_daly(cost, failures->between));
    }
    json_begin_array(&json, "intervals");
    for (uint32_t i = 0; i < advising->count; i++) {
        const struct advice *line = &advising->lines[i];
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
    struct interval_cost costs[FINE_CURVE];
    for (uint32_t i = 0; i < advising->curve_count; i++)
        costs[i] = (struct interval_cost){advising->curve[i].interval, advising->curve[i].overhead,
                                          advising->curve[i].others};
    return interval_draw(&(struct interval_figure){.application = advising->options->application,
                                                   .costs = costs,
                                                   .count = advising->curve_count,
                                                   .best = advising->curve_best},
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
    free(advising.failures);
    free(advising.parts);
    free(advising.given);
    free(advising.lines);
    free(advising.curve);
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
    {"policy", 0, OPTION_TEXT, UNIT_NONE, "STRATEGY", AT(policy),
     "the strategy of the file system; default fair-share, as without control"},
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
