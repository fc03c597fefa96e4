#include "answer/map.h"
#include "base/maths.h"
#include "base/mem.h"
#include "base/stage.h"
#include "gen/gen.h"
#include "sim/mapped.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each I/O node is simulated by itself, with some 30 bytes for every job. */
enum { MOST_IO_NODES = 4096, MOST_CELLS = 100000000 };

static const char usual_policy[] = "list:order=fifo";

/* --- input ----------------------------------------------------------------------------------- */

int map_methods(const struct words *words, enum map_method methods[MAP_METHODS_COUNT],
                struct err *err)
{
    bool wanted[MAP_METHODS_COUNT] = {false};
    int count = 0;
    for (size_t i = 0; i < words->count; i++) {
        int method =
            option_choose("method", words->list[i], map_method_names, MAP_METHODS_COUNT, err);
        if (method < 0)
            return -1;
        wanted[method] = true;
    }
    for (int i = 0; i < MAP_METHODS_COUNT; i++)
        if (wanted[i] || words->count == 0)
            methods[count++] = (enum map_method)i;
    return count;
}

static int map_add_methods(const struct map_question *question, struct map_answer *answer,
                           struct err *err)
{
    enum map_method methods[MAP_METHODS_COUNT];
    int count = map_methods(&question->methods, methods, err);
    if (count < 0)
        return -1;
    answer->runs = arena_alloc(&answer->arena, (size_t)count, sizeof *answer->runs);
    if (!answer->runs)
        return err_memory(err);
    for (; answer->runs_count < (size_t)count; answer->runs_count++)
        answer->runs[answer->runs_count].rules.method = methods[answer->runs_count];
    return 0;
}

static int map_parse_sensitivity(const struct map_question *question,
                                 const struct map_answer *answer, double *value, struct err *err)
{
    const char *text = question->sensitivity;
    *value = 1;
    if (!text)
        return 0;
    if (answer->runs_count == 1 && answer->runs[0].rules.method == MAP_METHOD_FIRST_FIT)
        return err_option(err, "--sensitivity has no effect on first-fit");
    if (strcmp(text, "alpha") == 0)
        *value = workload_io_load(answer->study.workload);
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

static int map_parse_io_nodes(const struct map_question *question, const struct map_answer *answer,
                              uint32_t *value, struct err *err)
{
    const struct whole *given = &question->io_nodes;
    uint64_t most = MOST_CELLS / (uint64_t)answer->all.count;
    *value = 1;
    if (!given->given || given->value == 1)
        return 0;
    if (given->value < 1 || given->value > MOST_IO_NODES)
        return err_option(err, "--io-nodes is %llu, expected 1 to %d",
                          (unsigned long long)given->value, MOST_IO_NODES);
    if (given->value > most)
        return err_option(err, "--io-nodes is %llu, expected at most %llu with %u jobs",
                          (unsigned long long)given->value,
                          (unsigned long long)(most > 1 ? most : 1), (unsigned)answer->all.count);
    *value = (uint32_t)given->value;
    return 0;
}

static int map_set_rules(const struct map_question *question, struct map_answer *answer,
                         struct err *err)
{
    double sensitivity;
    uint32_t io_nodes;
    int order = option_choose("order", question->order, map_order_names, MAP_ORDERS_COUNT, err);
    if (order < 0)
        return -1;
    if (map_parse_io_nodes(question, answer, &io_nodes, err) != 0 ||
        map_parse_sensitivity(question, answer, &sensitivity, err) != 0)
        return -1;
    for (size_t i = 0; i < answer->runs_count; i++) {
        struct map_run *run = &answer->runs[i];
        run->rules.sensitivity = sensitivity;
        run->rules.backfill = question->backfill;
        run->rules.io_nodes = io_nodes;
        run->ordered = question->order ? (enum map_order)order : map_usual_order(run->rules.method);
        run->policy = answer->strategy->name;
    }
    return 0;
}

static int map_draw_order(struct map_answer *answer, struct err *err)
{
    if (answer->runs[0].ordered != MAP_ORDER_RANDOM)
        return 0;
    answer->random = mem_alloc(answer->all.count, sizeof *answer->random);
    if (!answer->random)
        return err_memory(err);
    gen_shuffle(answer->study.scenario->seed, answer->random, answer->all.count);
    return 0;
}

static int map_open_policy(const struct map_question *question, struct map_answer *answer,
                           struct err *err)
{
    const char *name = question->policy;
    answer->strategy = policy_open(name ? name : usual_policy, err);
    if (!answer->strategy)
        return -1;
    if (answer->strategy->ops->flags & WEIR_NEEDS_PLAN)
        return err_set(
            err,
            "--policy: %s follows a plan, and jobs that start when others end cannot be planned",
            answer->strategy->name);
    return 0;
}

static int map_load(const struct map_question *question, struct map_answer *answer, struct err *err)
{
    const struct window none = {.kind = WINDOW_NONE};
    const char *path = question->asking.operands.list[0];
    struct study_source source = question->source;
    source.jobs = true;
    if (map_add_methods(question, answer, err) != 0 ||
        map_open_policy(question, answer, err) != 0 ||
        study_open(&answer->study, &source, &question->asking, 0, &none, err) != 0 ||
        workload_check_one_store(answer->study.workload, err) != 0)
        return -1;
    if (answer->study.scenario->platform.nodes == 0)
        return err_set(err, "%s: missing --nodes N, or nodes in the platform", path);
    if (map_jobs_init(&answer->all, answer->study.workload, question->batch, err) != 0)
        return err_prepend(err, "%s", path);
    if (map_set_rules(question, answer, err) != 0)
        return -1;
    for (size_t i = 0; i < answer->runs_count; i++)
        if (mapper_check(&answer->runs[i].rules, &answer->all, err) != 0)
            return err_prepend(err, "%s", path);
    return map_draw_order(answer, err);
}

/* --- runs ------------------------------------------------------------------------------------ */

static int map_simulate(struct map_answer *answer, struct map_run *run, struct err *err)
{
    const struct workload *workload = answer->study.workload;
    const struct stage_host *host = stage_host();
    const char *method = map_method_names[run->rules.method];
    struct mapped_options options = {.progress = host->show, .context = host->context};
    stage_begin(workload->name, method);
    map_jobs_order(&answer->all, run->ordered, answer->random);
    run->mapping = sim_map(&answer->all, &run->rules, answer->strategy, &options, err);
    stage_end();
    if (!run->mapping)
        return err_prepend(err, "%s: %s: %s", workload->name, method, answer->strategy->name);
    return map_metrics_compute(workload, run->mapping, &run->measured) == 0 ? 0 : err_memory(err);
}

/* --- results --------------------------------------------------------------------------------- */

/* Part k begins at start + k width; the last one ends with the last job. */
static int map_report_usage(struct map_answer *answer, struct map_run *run)
{
    const struct mapping *mapping = run->mapping;
    double start = mapping->usage.start, width = mapping->usage.width;
    double *lists = arena_alloc(&answer->arena, USAGE_KINDS * USAGE_PARTS, sizeof *lists);
    uint32_t parts = 0;
    if (!lists)
        return -1;
    for (; parts < USAGE_PARTS && start + parts * width < mapping->makespan; parts++) {
        double shares[USAGE_KINDS];
        const double span[] = {start + parts * width,
                               maths_min(start + (parts + 1) * width, mapping->makespan)};
        map_usage(answer->study.workload, mapping, span, shares);
        for (size_t kind = 0; kind < USAGE_KINDS; kind++)
            lists[kind * USAGE_PARTS + parts] = shares[kind];
    }
    run->usage = (struct map_use){.start = start,
                                  .width = width,
                                  .work = lists,
                                  .io = lists + USAGE_PARTS,
                                  .delayed = lists + 2 * USAGE_PARTS,
                                  .parts = parts};
    return 0;
}

static int map_report_jobs(struct map_answer *answer, struct map_run *run)
{
    const struct workload *workload = answer->study.workload;
    run->jobs = arena_alloc(&answer->arena, workload->count, sizeof *run->jobs);
    if (!run->jobs)
        return -1;
    for (uint32_t i = 0; i < workload->count; i++) {
        const struct placed_job *job = &run->mapping->jobs[i];
        char label[APP_LABEL];
        app_label(&workload->apps[i], label, sizeof label);
        run->jobs[run->jobs_count++] =
            (struct mapped_job){.name = arena_strndup(&answer->arena, label, strlen(label)),
                                .nodes = workload->apps[i].facts.nodes,
                                .arrival = job->arrival,
                                .start = job->start,
                                .end = job->end,
                                .stretch = map_stretch(workload, run->mapping, i),
                                .io_node = job->io_node,
                                .pack = job->pack,
                                .packed = job->pack != MAPPING_NO_PACK};
        if (!run->jobs[i].name)
            return -1;
    }
    return 0;
}

static int map_report(struct map_answer *answer, struct map_run *run, struct err *err)
{
    const struct field_number numbers[] = {
#define X(name, unit, sense, help) {#name, run->measured.name},
        MAP_METRICS(X)
#undef X
    };
    run->method = map_method_names[run->rules.method];
    run->order = map_order_names[run->ordered];
    run->sensitivity =
        run->rules.method == MAP_METHOD_FIRST_FIT ? INFINITY : run->rules.sensitivity;
    run->backfill = run->rules.backfill;
    run->io_nodes = run->rules.io_nodes;
    run->metrics_count = sizeof numbers / sizeof *numbers;
    run->metrics = arena_alloc(&answer->arena, run->metrics_count, sizeof *run->metrics);
    if (run->metrics)
        memcpy(run->metrics, numbers, sizeof numbers);
    if (!run->metrics || map_report_usage(answer, run) < 0 || map_report_jobs(answer, run) < 0)
        return err_memory(err);
    return 0;
}

int map_answer(const struct map_question *question, struct map_answer *answer, struct err *err)
{
    if (map_load(question, answer, err) < 0)
        return -1;
    answer->made = study_provenance(&answer->study);
    answer->io_load = workload_io_load(answer->study.workload);
    for (size_t i = 0; i < answer->runs_count; i++)
        if (map_simulate(answer, &answer->runs[i], err) < 0 ||
            map_report(answer, &answer->runs[i], err) < 0)
            return err_run(err);
    return 0;
}

void map_answer_fini(struct map_answer *answer)
{
    for (size_t i = 0; i < answer->runs_count; i++)
        mapping_free(answer->runs[i].mapping);
    free(answer->random);
    map_jobs_fini(&answer->all);
    policy_free(answer->strategy);
    study_fini(&answer->study);
    arena_fini(&answer->arena);
}

/* --- what it is ------------------------------------------------------------------------------ */

#define OF(name, what, text) FIELD_OF(struct mapped_job, name, what, text)
static const struct answer_field job_fields[] = {
    {OF(name, TEXT, "name")},
    {OF(nodes, NUMBER, "nodes")},
    {OF(io_node, WHOLE, "its I/O node, from 0")},
    {OF(pack, WHOLE, "its pack, from 0"), .when = offsetof(struct mapped_job, packed)},
    {OF(arrival, NUMBER, "when it arrives"), .unit = UNIT_SECONDS},
    {OF(start, NUMBER, "when it starts"), .unit = UNIT_SECONDS},
    {OF(end, NUMBER, "when it ends"), .unit = UNIT_SECONDS},
    {OF(stretch, NUMBER, "its run time over its time alone")},
    {.key = NULL},
};
#undef OF

#define OF(name, what, text) FIELD_OF(struct map_use, name, what, text)
#define PARTS                .count = offsetof(struct map_use, parts)
static const struct answer_field use_fields[] = {
    {OF(start, NUMBER, "when the first job arrives: the start of the first part"),
     .unit = UNIT_SECONDS},
    {OF(width, NUMBER, "length of a part of the run"), .unit = UNIT_SECONDS},
    {OF(work, SERIES, "share of the node time in work, for each part"), PARTS},
    {OF(io, SERIES, "share in I/O"), PARTS},
    {OF(delayed, SERIES, "share delayed by the I/O of others"), PARTS},
    {.key = NULL},
};
#undef PARTS
#undef OF

#define OF(name, what, text) FIELD_OF(struct map_run, name, what, text)
static const struct answer_field run_fields[] = {
    {OF(method, TEXT, "how jobs are mapped")},
    {OF(order, TEXT, "in which order")},
    {OF(sensitivity, NUMBER,
        "S, the share of the bandwidth that jobs may use on average; `null` = I/O is ignored")},
    {OF(backfill, FLAG, "whether later jobs may fill gaps")},
    {OF(io_nodes, WHOLE, "I/O nodes")},
    {OF(policy, TEXT, "the strategy that shares the bandwidth of each")},
    {FIELD_MAP_OF(struct map_run, metrics, struct field_number, field_numbers,
                  "the measures of the run: [mapping.md](../howto/mapping.md) defines them")},
    {OF(usage, OBJECT, "what the nodes do over time"), .members = use_fields},
    {FIELD_LIST_OF(struct map_run, jobs, struct mapped_job, job_fields,
                   "the jobs, in the order of the file")},
    {.key = NULL},
};
#undef OF

static const struct answer_field fields[] = {
    PROVENANCE_FIELDS(struct map_answer),
    {FIELD_OF(struct map_answer, io_load, NUMBER, "I/O load of the jobs")},
    {FIELD_LIST_OF(struct map_answer, runs, struct map_run, run_fields, "one run for each method")},
    {.key = NULL},
};

#define AT(member) offsetof(struct map_question, member)
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
    STUDY_SOURCE_OPTIONS(struct map_question, source),
    QUESTION_JSON_OPTION(struct map_question, "print all measures and jobs as JSON"),
    {"gantt", 0, OPTION_TEXT, UNIT_NONE, "FILE.svg", AT(asking.plot),
     "draw nodes over time, as .svg, .png or .pdf; with several methods one file each, named after "
     "them"},
    {.name = NULL},
};
#undef AT

QUESTION_FUNCTIONS(map)
const struct question map_asking = {
    .syntax = {"map", "WORKLOAD", 1, 1, options, NULL},
    QUESTION_OF(map, fields),
};
