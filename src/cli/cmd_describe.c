#include "answer/study.h"
#include "base/mem.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "report/description.h"
#include <stdlib.h>

struct describe_options {
    struct words operands; /* the scenarios */
    struct study_source source;
    bool json;
};

/* Under this strategy every transfer slows down when the demand is too high, and none is preferred:
 * what happens on a machine without control. */
static const char uncontrolled[] = "fair-share";

/* One scenario and what is said about it. */
struct subject {
    struct study study;
    struct description description;
};

/* A simulation sees what no formula does: transfers that are slowed down last longer, and so meet
 * even more of the others. */
static int describe_examine(struct subject *subject, const struct policy *policy, struct err *err)
{
    struct study *study = &subject->study;
    struct congestion congestion = {0};
    progress_begin(study->workload->name, "looking for periods");
    int status = description_init(&subject->description, study->workload, err);
    progress_end();
    if (status == 0 && !description_obstacle(&subject->description)) {
        const struct watcher watcher = congestion_watcher(&congestion);
        status = congestion_init(&congestion, study->workload, err);
        if (status == 0)
            status = study_run(study, policy, (struct sim_options){.watcher = &watcher}, err);
        if (status == 0)
            description_add_run(&subject->description, study->rows.list, &congestion);
        congestion_fini(&congestion);
    }
    return status;
}

/* All input is read, and all runs are done, before anything is printed. */
static int describe_examine_all(const struct describe_options *options, struct subject *subjects,
                                const struct policy *policy, struct err *err)
{
    size_t count = options->operands.count;
    for (size_t i = 0; i < count; i++) {
        const char *path = options->operands.list[i];
        if (study_load(&subjects[i].study, &options->source, path, NULL, err) < 0)
            return STATUS_MISUSE;
    }
    for (size_t i = 0; i < count; i++)
        if (describe_examine(&subjects[i], policy, err) < 0)
            return STATUS_FAILED;
    return STATUS_DONE;
}

static void describe_print_all(const struct subject *subjects, size_t count, bool as_json)
{
    struct json json = {.out = stdout, .pretty = true};
    if (as_json && count > 1)
        json_begin_array(&json, NULL);
    for (size_t i = 0; i < count; i++) {
        if (as_json) {
            const struct provenance provenance = study_provenance(&subjects[i].study);
            description_json(&subjects[i].description, &provenance, &json);
            continue;
        }
        if (i > 0)
            putchar('\n');
        description_print(&subjects[i].description, stdout);
    }
    if (as_json && count > 1)
        json_end_array(&json);
}

static int describe_run(const void *values, struct err *err)
{
    const struct describe_options *options = values;
    size_t count = options->operands.count;
    struct policy *policy = policy_open(uncontrolled, err);
    struct subject *subjects = mem_alloc(count, sizeof *subjects);
    int status = STATUS_FAILED;
    if (!subjects)
        err_memory(err);
    else if (policy)
        status = describe_examine_all(options, subjects, policy, err);
    if (status == STATUS_DONE)
        describe_print_all(subjects, count, options->json);
    for (size_t i = 0; subjects && i < count; i++) {
        description_fini(&subjects[i].description);
        study_fini(&subjects[i].study);
    }
    free(subjects);
    policy_free(policy);
    return status;
}

#define AT(member) offsetof(struct describe_options, member)
static const struct option options[] = {
    STUDY_WINDOW_OPTION(struct describe_options, source),
    STUDY_SOURCE_OPTIONS(struct describe_options, source),
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), "print everything as JSON"},
    {.name = NULL},
};
#undef AT

const struct command command_describe = {
    .name = "describe",
    .summary = "show what is in scenarios, and how congested they will be",
    .operands = "FILE...",
    .least = 1,
    .most = SIZE_MAX,
    .options = options,
    .details =
        "Shows each application with its nodes, iterations, the work and I/O of an iteration, its "
        "period and its time alone; the total volume, I/O pressure, its busiest hour, weight of "
        "I/O and I/O load; "
        "how many applications each set of Set-10 has; the period at which I/O of varying phases "
        "repeats, and how certain that is; how often the demand exceeds the bandwidth, from a "
        "simulation under fair-share; and the demand over time if every application were alone.",
    .example = "weir describe examples/quickstart.yaml",
    .size = sizeof(struct describe_options),
    .run = describe_run,
};
