#include "base/json.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "capacity/capacity.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/study.h"
#include "report/table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCREEN = 80, DIGITS = 5, COLUMNS = 3, USUAL_MOST = 1000 };

struct capacity_options {
    struct words operands; /* the scenario */
    struct words policies;
    struct study_source source;
    const char *application;
    double limits[CAPACITY_MEASURE_COUNT]; /* 0 = not given */
    struct whole most;
    bool json;
};

/* A question and its answers, one per strategy. */
struct inquiry {
    struct study study;
    struct capacity capacity;
    struct policies policies;
    struct capacity_answer *answers;
    const char *policy; /* being examined */
    uint32_t copies;    /* of which the progress is shown */
};

static const char *capacity_measure_name(const struct inquiry *inquiry)
{
    return capacity_measures[inquiry->capacity.measure]->name;
}

static const char *capacity_app_name(const struct inquiry *inquiry)
{
    return inquiry->study.scenario->apps[inquiry->capacity.app].name;
}

/* --- asking -------------------------------------------------------------------------------- */

static int capacity_choose_limit(const struct capacity_options *options, struct capacity *capacity,
                                 struct err *err)
{
    int given = 0;
    for (int i = 0; i < CAPACITY_MEASURE_COUNT; i++) {
        if (options->limits[i] == 0)
            continue;
        given++;
        capacity->measure = (enum capacity_measure)i;
        capacity->limit = options->limits[i];
    }
    if (given != 1)
        return err_set(err,
                       "expected exactly one limit: --max-stretch, --min-yield or --max-dilation");
    bool lower = capacity_measures[capacity->measure]->sense == METRIC_LOWER;
    if (lower ? capacity->limit < 1 : capacity->limit > 1)
        return err_set(err, "invalid limit %g: %s is never %s 1", capacity->limit,
                       capacity_measures[capacity->measure]->name, lower ? "below" : "above");
    return 0;
}

static int capacity_refuse_application(const struct scenario *scenario, const char *name,
                                       struct err *err)
{
    const char **names = mem_alloc((size_t)scenario->count + 1, sizeof *names);
    if (!names)
        return err_memory(err);
    for (uint32_t i = 0; i < scenario->count; i++)
        names[i] = scenario->apps[i].name;
    err_set(err, "unknown application '%s'%s", name, suggest(name, names, "weir describe").text);
    free(names);
    return -1;
}

/* The only one need not be named. */
static int capacity_choose_application(const struct scenario *scenario, const char *name,
                                       uint32_t *app, struct err *err)
{
    uint32_t found = 0;
    *app = 0;
    if (!name && scenario->count > 1)
        return err_set(err, "missing --application NAME: there are several");
    for (uint32_t i = 0; name && i < scenario->count; i++) {
        if (strcmp(scenario->apps[i].name, name) != 0)
            continue;
        if (found++ > 0)
            return err_set(err, "two applications are named '%s'", name);
        *app = i;
    }
    return name && !found ? capacity_refuse_application(scenario, name, err) : 0;
}

static int capacity_choose_most(const struct whole *most, struct capacity *capacity,
                                struct err *err)
{
    capacity->most = most->given ? (uint32_t)most->value : USUAL_MOST;
    if (most->given && (most->value < 1 || most->value > CAPACITY_MOST))
        return err_option(err, "--most: expected 1 to %d", CAPACITY_MOST);
    return 0;
}

/* Fills in measure, limit and most; exactly one limit must be given, and be one that can be kept.
 */
static int capacity_read_limits(const struct capacity_options *options, struct capacity *capacity,
                                struct err *err)
{
    if (capacity_choose_limit(options, capacity, err) < 0)
        return -1;
    return capacity_choose_most(&options->most, capacity, err);
}

/* Finds the application in capacity->scenario, and checks that the measure has a meaning in its
 * window. */
static int capacity_read_application(const struct capacity_options *options,
                                     struct capacity *capacity, struct err *err)
{
    if (capacity_choose_application(capacity->scenario, options->application, &capacity->app, err) <
        0)
        return -1;
    if (capacity->measure == CAPACITY_max_stretch && capacity->scenario->window.kind != WINDOW_NONE)
        return err_set(err, "stretch has no meaning in a window: limit --min-yield or "
                            "--max-dilation, or use --window none");
    return 0;
}

static int capacity_ask(struct inquiry *inquiry, const struct capacity_options *options,
                        struct err *err)
{
    const char *path = options->operands.list[0];
    if (capacity_read_limits(options, &inquiry->capacity, err) < 0 ||
        policies_open(&inquiry->policies, &options->policies, err) < 0 ||
        study_load(&inquiry->study, &options->source, path, NULL, err) < 0)
        return -1;
    inquiry->capacity.scenario = inquiry->study.scenario;
    if (capacity_read_application(options, &inquiry->capacity, err) < 0)
        return err_prepend(err, "%s", path);
    return 0;
}

/* --- answering ----------------------------------------------------------------------------- */

static void cli_capacity_report(void *context, uint32_t copies, double done)
{
    struct inquiry *inquiry = context;
    char stage[64];
    if (copies != inquiry->copies) {
        snprintf(stage, sizeof stage, "%s, %u copies", inquiry->policy, (unsigned)copies);
        progress_begin(inquiry->study.workload->name, stage);
    }
    inquiry->copies = copies;
    progress_show(NULL, done);
}

static int cli_capacity_answer(struct inquiry *inquiry, struct err *err)
{
    int status = 0;
    inquiry->answers = mem_alloc(inquiry->policies.count, sizeof *inquiry->answers);
    if (!inquiry->answers)
        return err_memory(err);
    inquiry->capacity.progress = cli_capacity_report;
    inquiry->capacity.context = inquiry;
    for (size_t i = 0; i < inquiry->policies.count && status == 0; i++) {
        const struct policy *policy = inquiry->policies.list[i];
        inquiry->policy = policy->name;
        inquiry->copies = UINT32_MAX;
        status = capacity_find(&inquiry->capacity, policy, &inquiry->answers[i], err);
    }
    progress_end();
    return status < 0 ? err_prepend(err, "%s", inquiry->study.workload->name) : 0;
}

/* --- for people ---------------------------------------------------------------------------- */

static void capacity_print_title(const struct inquiry *inquiry)
{
    const struct capacity *capacity = &inquiry->capacity;
    uint32_t nodes = inquiry->answers[0].room;
    bool lower = capacity_measures[capacity->measure]->sense == METRIC_LOWER;
    printf("%s: how many of %s before %s %s %g\n", inquiry->study.workload->name,
           capacity_app_name(inquiry), capacity_measure_name(inquiry),
           lower ? "exceeds" : "falls below", capacity->limit);
    if (nodes < UINT32_MAX)
        printf("%.15g nodes have room for %u%s\n", capacity->scenario->platform.nodes,
               (unsigned)nodes, capacity->scenario->count > 1 ? " beside the others" : "");
    study_print_window(&inquiry->study);
    putchar('\n');
}

/* -1 when memory is out. */
static int capacity_print_table(const struct inquiry *inquiry)
{
    const struct table_column columns[COLUMNS] = {
        {"copies", UNIT_NONE, METRIC_HIGHER, DIGITS, false},
        {capacity_measure_name(inquiry), UNIT_NONE, METRIC_INFO, DIGITS, false},
        {"with one_more", UNIT_NONE, METRIC_INFO, DIGITS, false},
    };
    size_t rows = inquiry->policies.count;
    const char **names = mem_alloc(rows, sizeof *names);
    double *values = mem_alloc(rows, sizeof *values * COLUMNS);
    bool ready = names && values;
    for (size_t i = 0; ready && i < rows; i++) {
        const struct capacity_answer *answer = &inquiry->answers[i];
        const double cells[COLUMNS] = {answer->copies, answer->value, answer->next};
        names[i] = inquiry->policies.list[i]->name;
        memcpy(&values[i * COLUMNS], cells, sizeof cells);
    }
    if (ready)
        table_print(&(struct table){.corner = "strategy",
                                    .names = names,
                                    .rows = rows,
                                    .columns = columns,
                                    .count = COLUMNS,
                                    .values = values,
                                    .width = SCREEN,
                                    .colour = terminal_colour(stdout),
                                    .legend = true},
                    stdout);
    free(names);
    free(values);
    return ready ? 0 : -1;
}

/* What limits all that are not limited by the measure: the same for each of them. */
static void capacity_print_end(const struct inquiry *inquiry)
{
    enum capacity_end end = CAPACITY_END_LIMIT;
    for (size_t i = 0; i < inquiry->policies.count; i++)
        if (inquiry->answers[i].end != CAPACITY_END_LIMIT)
            end = inquiry->answers[i].end;
    if (end == CAPACITY_END_NODES)
        puts("\n- limited by the nodes, not by I/O: no more were tried");
    else if (end == CAPACITY_END_MOST)
        printf("\n- at most %u were tried, see --most\n", (unsigned)inquiry->capacity.most);
}

/* What should be said of an answer besides; NULL if nothing. */
static const char *capacity_remark(const struct capacity *capacity,
                                   const struct capacity_answer *answer, char *buffer, size_t size)
{
    bool within = capacity_within(capacity->measure, answer->value, capacity->limit);
    if (answer->copies == 0 && capacity->scenario->count > 1 && !within)
        return "the other applications alone exceed the limit";
    if (!answer->again)
        return NULL;
    snprintf(buffer, size, "%u are within the limit again", (unsigned)answer->again);
    return buffer;
}

static void capacity_print_remarks(const struct inquiry *inquiry)
{
    bool begun = false;
    for (size_t i = 0; i < inquiry->policies.count; i++) {
        char buffer[64];
        const char *text =
            capacity_remark(&inquiry->capacity, &inquiry->answers[i], buffer, sizeof buffer);
        if (text)
            printf("%s%s: %s\n", begun ? "" : "\n", inquiry->policies.list[i]->name, text);
        begun = begun || text;
    }
}

/* --- for programs -------------------------------------------------------------------------- */

static void capacity_write_json(const struct inquiry *inquiry)
{
    static const char *const ends[] = {[CAPACITY_END_LIMIT] = "limit",
                                       [CAPACITY_END_NODES] = "nodes",
                                       [CAPACITY_END_MOST] = "most"};
    struct json json = {.out = stdout, .pretty = true};
    const struct provenance provenance = study_provenance(&inquiry->study);
    const struct capacity *capacity = &inquiry->capacity;
    uint32_t nodes = inquiry->answers[0].room;
    json_begin_object(&json, NULL);
    provenance_json(&provenance, &json);
    json_string(&json, "application", capacity_app_name(inquiry));
    json_string(&json, "measure", capacity_measure_name(inquiry));
    json_number(&json, "limit", capacity->limit);
    json_number(&json, "room", nodes < UINT32_MAX ? (double)nodes : NAN);
    json_integer(&json, "most", capacity->most);
    json_begin_array(&json, "strategies");
    for (size_t i = 0; i < inquiry->policies.count; i++) {
        const struct capacity_answer *answer = &inquiry->answers[i];
        json_begin_object(&json, NULL);
        json_string(&json, "policy", inquiry->policies.list[i]->name);
        json_integer(&json, "copies", answer->copies);
        json_string(&json, "limited_by", ends[answer->end]);
        json_number(&json, "value", answer->value);
        json_number(&json, "with_one_more", answer->next);
        json_number(&json, "again", answer->again ? (double)answer->again : NAN);
        json_integer(&json, "simulations", answer->simulations);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
}

/* --- all of it ----------------------------------------------------------------------------- */

static int capacity_print(const struct inquiry *inquiry)
{
    capacity_print_title(inquiry);
    if (capacity_print_table(inquiry) < 0)
        return -1;
    capacity_print_end(inquiry);
    capacity_print_remarks(inquiry);
    return 0;
}

static int capacity_run(const void *values, struct err *err)
{
    const struct capacity_options *options = values;
    struct inquiry inquiry = {0};
    int status = STATUS_MISUSE;
    if (capacity_ask(&inquiry, options, err) == 0)
        status = cli_capacity_answer(&inquiry, err) == 0 ? STATUS_DONE : STATUS_FAILED;
    if (status == STATUS_DONE && options->json) {
        capacity_write_json(&inquiry);
    } else if (status == STATUS_DONE && capacity_print(&inquiry) < 0) {
        err_memory(err);
        status = STATUS_FAILED;
    }
    free(inquiry.answers);
    policies_fini(&inquiry.policies);
    study_fini(&inquiry.study);
    return status;
}

#define AT(member) offsetof(struct capacity_options, member)
static const struct option options[] = {
    {"application", 0, OPTION_TEXT, UNIT_NONE, "NAME", AT(application),
     "the application to copy; required if there are several"},
    {"max-stretch", 0, OPTION_AMOUNT, UNIT_RATIO, "X", AT(limits[CAPACITY_max_stretch]),
     "no application may take more than X times its time alone"},
    {"min-yield", 0, OPTION_AMOUNT, UNIT_RATIO, "X", AT(limits[CAPACITY_min_yield]),
     "or: every application must progress at least at X times its speed alone"},
    {"max-dilation", 0, OPTION_AMOUNT, UNIT_RATIO, "X", AT(limits[CAPACITY_dilation]),
     "or: no application may work more than X times slower than alone"},
    {"most", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(most),
     "the most copies to try; default 1000; the nodes of the platform limit them as well"},
    STUDY_POLICY_OPTION(struct capacity_options, policies),
    STUDY_WINDOW_OPTION(struct capacity_options, source),
    STUDY_SOURCE_OPTIONS(struct capacity_options, source),
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), "print everything as JSON"},
    {.name = NULL},
};
#undef AT

const struct command command_capacity = {
    .name = "capacity",
    .summary = "find how many copies of an application can run together",
    .operands = "SCENARIO",
    .least = 1,
    .most = 1,
    .options = options,
    .details = "The copies are released together, the other applications stay as they are, and the "
               "limit applies to all of them. The number found is within the limit, and one more "
               "is not; both are simulated. More copies are usually worse, but not always: all "
               "numbers up to seven, and the four numbers below the result, are simulated too. If "
               "a larger number nearby is within the limit again, the report says so.",
    .example = "weir capacity examples/jupiter1.yaml --application turbulence2 --max-stretch 2",
    .size = sizeof(struct capacity_options),
    .run = capacity_run,
};
