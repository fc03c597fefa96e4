#include "answer/study.h"
#include "base/mem.h"
#include "base/output.h"
#include "cli/artefact.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "figure/picture.h"
#include "gen/gen.h"
#include "report/map_report.h"
#include "sim/mapped.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct map_options {
    struct words operands; /* the workload */
    struct words methods;
    struct study_source source;
    const char *order, *sensitivity, *policy, *gantt;
    struct whole io_nodes;
    bool backfill, batch, json;
};

/* Each I/O node is simulated by itself, with some 30 bytes for every job. */
enum { MOST_IO_NODES = 4096, MOST_CELLS = 100000000 };

static const char usual_policy[] = "list:order=fifo";

/* Everything that is computed before anything is printed. */
struct map_batch {
    const struct map_options *options;
    struct study study;
    struct policy *policy;
    struct map_jobs jobs;
    double *random; /* drawn for a random order, else NULL */
    struct map_run runs[MAP_METHODS_COUNT];
    size_t count;
};

/* --- input ----------------------------------------------------------------------------------- */

/* Every method once, if none is named. */
static int map_add_methods(struct map_batch *batch, struct err *err)
{
    const struct words *words = &batch->options->methods;
    bool wanted[MAP_METHODS_COUNT] = {false};
    for (size_t i = 0; i < words->count; i++) {
        int method =
            option_choose("method", words->list[i], map_method_names, MAP_METHODS_COUNT, err);
        if (method < 0)
            return -1;
        wanted[method] = true;
    }
    for (int i = 0; i < MAP_METHODS_COUNT; i++)
        if (wanted[i] || words->count == 0)
            batch->runs[batch->count++].rules.method = (enum map_method)i;
    return 0;
}

static int map_parse_sensitivity(const struct map_batch *batch, double *value, struct err *err)
{
    const char *text = batch->options->sensitivity;
    *value = 1;
    if (!text)
        return 0;
    if (batch->count == 1 && batch->runs[0].rules.method == MAP_METHOD_FIRST_FIT)
        return err_option(err, "--sensitivity has no effect on first-fit");
    if (strcmp(text, "alpha") == 0)
        *value = workload_io_load(batch->study.workload);
    else if (units_parse(text, UNIT_RATIO, value, err) != 0)
        return err_prepend_option(err, "sensitivity");
    if (*value > 0)
        return 0;
    return err_option(err,
                      "--sensitivity: invalid value '%s' (%g), expected alpha or a number above 0",
                      text, *value);
}

/* The order of a method unless the user names one: packs are best made of jobs of similar length
 * (thesis, section IV.A.3), a list serves jobs as they arrive. */
static enum map_order map_usual_order(enum map_method method)
{
    return method == MAP_METHOD_LIST ? MAP_ORDER_ARRIVAL : MAP_ORDER_MAX;
}

static int map_parse_io_nodes(const struct map_batch *batch, uint32_t *value, struct err *err)
{
    const struct whole *given = &batch->options->io_nodes;
    uint64_t most = MOST_CELLS / (uint64_t)batch->jobs.count;
    *value = 1;
    if (!given->given || given->value == 1)
        return 0;
    if (given->value < 1 || given->value > MOST_IO_NODES)
        return err_option(err, "--io-nodes is %llu, expected 1 to %d",
                          (unsigned long long)given->value, MOST_IO_NODES);
    if (given->value > most)
        return err_option(err, "--io-nodes is %llu, expected at most %llu with %u jobs",
                          (unsigned long long)given->value,
                          (unsigned long long)(most > 1 ? most : 1), (unsigned)batch->jobs.count);
    *value = (uint32_t)given->value;
    return 0;
}

static int map_set_rules(struct map_batch *batch, struct err *err)
{
    const struct map_options *options = batch->options;
    double sensitivity;
    uint32_t io_nodes;
    int order = option_choose("order", options->order, map_order_names, MAP_ORDERS_COUNT, err);
    if (order < 0)
        return -1;
    if (map_parse_io_nodes(batch, &io_nodes, err) != 0 ||
        map_parse_sensitivity(batch, &sensitivity, err) != 0)
        return -1;
    for (size_t i = 0; i < batch->count; i++) {
        struct map_run *run = &batch->runs[i];
        run->rules.sensitivity = sensitivity;
        run->rules.backfill = options->backfill;
        run->rules.io_nodes = io_nodes;
        run->order = options->order ? (enum map_order)order : map_usual_order(run->rules.method);
        run->policy = batch->policy->name;
    }
    return 0;
}

static int map_draw_order(struct map_batch *batch, struct err *err)
{
    if (batch->runs[0].order != MAP_ORDER_RANDOM)
        return 0;
    batch->random = mem_alloc(batch->jobs.count, sizeof *batch->random);
    if (!batch->random)
        return err_memory(err);
    gen_shuffle(batch->study.scenario->seed, batch->random, batch->jobs.count);
    return 0;
}

static int map_open_policy(struct map_batch *batch, struct err *err)
{
    const char *name = batch->options->policy;
    batch->policy = policy_open(name ? name : usual_policy, err);
    if (!batch->policy)
        return -1;
    if (batch->policy->ops->flags & WEIR_NEEDS_PLAN)
        return err_set(
            err,
            "--policy: %s follows a plan, and jobs that start when others end cannot be planned",
            batch->policy->name);
    return 0;
}

/* A picture there takes the place of the table. */
static int map_check_stdout(const struct map_batch *batch, struct err *err)
{
    const struct map_options *options = batch->options;
    if (output_is_stdout(options->gantt) && (options->json || batch->count > 1))
        return err_set(
            err,
            "standard output can hold only one picture, of one --method, and not --json as well");
    return 0;
}

static int map_load(struct map_batch *batch, struct err *err)
{
    const struct map_options *options = batch->options;
    const struct window none = {.kind = WINDOW_NONE};
    const char *path = options->operands.list[0];
    struct study_source source = options->source;
    source.jobs = true;
    if (map_add_methods(batch, err) != 0 || map_check_stdout(batch, err) != 0 ||
        map_open_policy(batch, err) != 0 ||
        study_load(&batch->study, &source, path, &none, err) != 0)
        return -1;
    if (batch->study.scenario->platform.nodes == 0)
        return err_set(err, "%s: missing --nodes N, or nodes in the platform", path);
    if (map_jobs_init(&batch->jobs, batch->study.workload, options->batch, err) != 0)
        return err_prepend(err, "%s", path);
    if (map_set_rules(batch, err) != 0)
        return -1;
    for (size_t i = 0; i < batch->count; i++)
        if (mapper_check(&batch->runs[i].rules, &batch->jobs, err) != 0)
            return err_prepend(err, "%s", path);
    return map_draw_order(batch, err);
}

/* --- runs ------------------------------------------------------------------------------------ */

static int map_simulate(struct map_batch *batch, struct map_run *run, struct err *err)
{
    const struct workload *workload = batch->study.workload;
    const char *method = map_method_names[run->rules.method];
    struct mapped_options options = {.progress = progress_show};
    progress_begin(workload->name, method);
    map_jobs_order(&batch->jobs, run->order, batch->random);
    run->mapping = sim_map(&batch->jobs, &run->rules, batch->policy, &options, err);
    progress_end();
    if (!run->mapping)
        return err_prepend(err, "%s: %s: %s", workload->name, method, batch->policy->name);
    return map_metrics_compute(workload, run->mapping, &run->metrics) == 0 ? 0 : err_memory(err);
}

/* Pictures are opened before the run, so that a path that cannot be written is known early. */
static int map_run_one(struct map_batch *batch, struct map_run *run, struct err *err)
{
    const char *path = batch->options->gantt;
    const char *method = batch->count > 1 ? map_method_names[run->rules.method] : NULL;
    if (!path)
        return map_simulate(batch, run, err) == 0 ? STATUS_DONE : STATUS_FAILED;
    struct picture picture = {0};
    char *place = artefact_place(path, NULL, method);
    int status = STATUS_FAILED;
    if (!place)
        err_memory(err);
    else if (picture_open(&picture, place, err) != 0)
        status = STATUS_MISUSE;
    else if (map_simulate(batch, run, err) == 0 &&
             map_write_gantt(picture.file, batch->study.workload, run, err) == 0 &&
             picture_commit(&picture, err) == 0)
        status = STATUS_DONE;
    if (status == STATUS_DONE)
        artefact_tell(path, place);
    picture_discard(&picture);
    free(place);
    return status;
}

static int cli_map_print(const struct map_batch *batch, struct err *err)
{
    const struct map_runs runs = {batch->study.workload, batch->runs, batch->count};
    const struct provenance provenance = study_provenance(&batch->study);
    struct json json = {.out = stdout, .pretty = true};
    if (output_is_stdout(batch->options->gantt))
        return STATUS_DONE;
    if (batch->options->json)
        map_json(&runs, &provenance, &json);
    else if (map_print(&runs, terminal_colour(stdout), stdout) != 0) {
        err_memory(err);
        return STATUS_FAILED;
    }
    return STATUS_DONE;
}

static int cli_map_run(const void *values, struct err *err)
{
    struct map_batch batch = {.options = values};
    int status = map_load(&batch, err) == 0 ? STATUS_DONE : STATUS_MISUSE;
    for (size_t i = 0; i < batch.count && status == STATUS_DONE; i++)
        status = map_run_one(&batch, &batch.runs[i], err);
    if (status == STATUS_DONE)
        status = cli_map_print(&batch, err);
    for (size_t i = 0; i < batch.count; i++)
        mapping_free(batch.runs[i].mapping);
    free(batch.random);
    map_jobs_fini(&batch.jobs);
    policy_free(batch.policy);
    study_fini(&batch.study);
    return status;
}

#define AT(member) offsetof(struct map_options, member)
static const struct option options[] = {
    {"method", 0, OPTION_WORDS, UNIT_NONE, "METHOD", AT(methods),
     "how to map, see below; may be repeated; default all, to compare them"},
    {"order", 0, OPTION_TEXT, UNIT_NONE, "ORDER", AT(order),
     "order in which jobs are considered, see below; default max, and arrival for list"},
    {"sensitivity", 0, OPTION_TEXT, UNIT_NONE, "1|alpha|X", AT(sensitivity),
     "share of the bandwidth that the jobs behind an I/O node may use on average; alpha = the I/O "
     "load of the workload; default 1"},
    {"backfill", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(backfill),
     "let later jobs use free nodes if that delays no earlier job"},
    {"io-nodes", 0, OPTION_WHOLE, UNIT_NONE, "R", AT(io_nodes),
     "number of I/O nodes, each with the nodes and the bandwidth of the file's platform; default "
     "1"},
    {"policy", 0, OPTION_TEXT, UNIT_NONE, "STRATEGY", AT(policy),
     "the strategy behind each I/O node, see 'weir policies'; default list:order=fifo"},
    {"batch", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(batch),
     "all jobs arrive at the beginning, whatever their release"},
    STUDY_SOURCE_OPTIONS(struct map_options, source),
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), "print all measures and jobs as JSON"},
    {"gantt", 0, OPTION_TEXT, UNIT_NONE, PICTURE_FILE, AT(gantt),
     "draw nodes over time" PICTURE_KINDS "; with several methods one file each, named after them"},
    {.name = NULL},
};
#undef AT

static const struct entry methods_and_orders[] = {
#define X(name, text, make, help) {text, help},
    MAP_METHODS(X)
#undef X
#define X(name, text, help) {"order " text, help},
        MAP_ORDERS(X)
#undef X
            {NULL, NULL},
};

const struct command command_map = {
    .name = "map",
    .summary = "map jobs to nodes with their I/O in mind, and simulate them",
    .operands = "WORKLOAD",
    .least = 1,
    .most = 1,
    .options = options,
    .details = "The applications in the file are jobs. Each needs its nodes behind one I/O node, "
               "from its start to its end. 'weir generate packs' and 'weir import swf' write such "
               "files. Methods and orders:",
    .entries = methods_and_orders,
    .example = "weir generate packs -o jobs.yaml && weir map jobs.yaml --gantt map.svg",
    .size = sizeof(struct map_options),
    .run = cli_map_run,
};
