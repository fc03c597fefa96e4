#include "answer/study.h"
#include "base/json.h"
#include "base/maths.h"
#include "base/mem.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "model/presence.h"
#include "policy/partition.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

struct partition_options {
    struct words operands; /* the scenario */
    struct study_source source;
    bool json;
};

/* A scenario and how it is divided. */
struct division {
    struct study study;
    struct partition partition;
    void *room;
    double at;        /* the time at which the load is largest: those present are divided */
    uint32_t present; /* applications then, also without I/O */
};

enum { LABEL = 64 };

static const char *partition_label(const struct division *division, uint32_t member, char *buffer)
{
    return app_label(&division->study.workload->apps[division->partition.apps[member].id], buffer,
                     LABEL);
}

static double partition_stretch(const struct partition *partition,
                                const struct partition_group *group)
{
    return group->ratio * partition->bandwidth / group->share;
}

/* --- solving ------------------------------------------------------------------------------- */

/* "p", or "p at 2 h" where not all applications are there. */
static const char *partition_title(const struct division *division, char *buffer, size_t size)
{
    const struct workload *workload = division->study.workload;
    char time[LABEL];
    bool all = division->present == workload->count;
    snprintf(buffer, size, "%s%s%s", workload->name, all ? "" : " at ",
             all ? "" : units_print(division->at, UNIT_SECONDS, time, sizeof time));
    return buffer;
}

static int partition_refuse(const struct division *division, struct err *err)
{
    const struct partition *partition = &division->partition;
    char title[2 * LABEL], load[LABEL], most[LABEL];
    partition_title(division, title, sizeof title);
    if (partition->count == 0)
        err_set(err, "%s: no application has any I/O", title);
    else
        err_set(err, "%s: the applications need %s on average, %.4g times the bandwidth of %s",
                title, units_print(partition->load, UNIT_RATE, load, sizeof load),
                partition->load / partition->bandwidth,
                units_print(partition->bandwidth, UNIT_RATE, most, sizeof most));
    return STATUS_MISUSE;
}

/* Adds the applications that are there when the load is largest, each alone. 0 or -1. */
static int partition_add_present(struct division *division)
{
    const struct workload *workload = division->study.workload;
    struct partition *partition = &division->partition;
    struct presence *list = mem_alloc(workload->count, sizeof *list);
    struct occupancy occupancy;
    if (!list)
        return -1;
    for (uint32_t i = 0; i < workload->count; i++) {
        const struct app *app = &workload->apps[i];
        double start = app_start(app), length = app_ideal(app);
        double load = app->facts.total_io * app->facts.bmax / maths_max(length, DBL_MIN);
        list[i] = (struct presence){start, start + length, load}; /* loads are added up as nodes */
    }
    int status = occupancy_measure(&occupancy, list, workload->count);
    division->at = occupancy.since;
    for (uint32_t i = 0; i < workload->count && status == 0; i++) {
        if (!occupancy.together && !presence_covers(&list[i], occupancy.since))
            continue;
        division->present++;
        partition_add(partition, &workload->apps[i].facts, i);
    }
    free(list);
    return status;
}

static int partition_compute(struct division *division, struct err *err)
{
    const struct workload *workload = division->study.workload;
    struct partition *partition = &division->partition;
    division->room = mem_alloc(workload->count + 1, PARTITION_ROOM);
    if (!division->room) {
        err_memory(err);
        return STATUS_FAILED;
    }
    partition_place(partition, division->room, workload->count);
    partition->bandwidth = workload->platform.bandwidth;
    if (partition_add_present(division) != 0) {
        err_memory(err);
        return STATUS_FAILED;
    }
    progress_begin(workload->name, "partitioning");
    bool solved = partition->count > 0 && partition_solve(partition);
    progress_end();
    if (!solved)
        return partition_refuse(division, err);
    return STATUS_DONE;
}

/* --- results ------------------------------------------------------------------------------- */

static void partition_print_group(const struct division *division, uint32_t number, int width)
{
    const struct partition *partition = &division->partition;
    const struct partition_group *group = &partition->groups[number];
    char name[LABEL], volume[LABEL], load[LABEL];
    printf("\ngroup %u: share %s", (unsigned)number + 1,
           units_print(group->share, UNIT_RATE, volume, sizeof volume));
    printf(" (%.4g %%), load %s, stretch %.4g\n", 100 * group->share / partition->bandwidth,
           units_print(group->load, UNIT_RATE, load, sizeof load),
           partition_stretch(partition, group));
    for (uint32_t i = group->first; i < group->first + group->count; i++)
        printf("  %-*s  volume %-9s  load %s\n", width, partition_label(division, i, name),
               units_print(partition->apps[i].volume, UNIT_BYTES, volume, sizeof volume),
               units_print(partition->apps[i].load, UNIT_RATE, load, sizeof load));
}

static void partition_print(const struct division *division)
{
    const struct partition *partition = &division->partition;
    const struct workload *workload = division->study.workload;
    char rate[LABEL], load[LABEL], name[LABEL], title[2 * LABEL];
    int width = 0;
    for (uint32_t i = 0; i < partition->count; i++) {
        int length = (int)strlen(partition_label(division, i, name));
        width = length > width ? length : width;
    }
    printf("%s: %u application%s, file system %s, load %s\n",
           partition_title(division, title, sizeof title), (unsigned)division->present,
           division->present == 1 ? "" : "s",
           units_print(partition->bandwidth, UNIT_RATE, rate, sizeof rate),
           units_print(partition->load, UNIT_RATE, load, sizeof load));
    printf("%u group%s, stretch %.6g; no partition is below %.6g\n",
           (unsigned)partition->group_count, partition->group_count == 1 ? "" : "s",
           partition->stretch, partition->bound);
    for (uint32_t i = 0; i < partition->group_count; i++)
        partition_print_group(division, i, width);
    if (partition->count < division->present)
        printf("\napplications without I/O, in no group: %u\n",
               (unsigned)(division->present - partition->count));
    if (division->present < workload->count)
        printf("\n%u more are not there then; the load is never larger than at that time\n",
               (unsigned)(workload->count - division->present));
}

static void partition_write_group(const struct division *division, uint32_t number,
                                  struct json *json)
{
    const struct partition *partition = &division->partition;
    const struct partition_group *group = &partition->groups[number];
    char name[LABEL];
    json_begin_object(json, NULL);
    json_number(json, "share", group->share);
    json_number(json, "load", group->load);
    json_number(json, "ratio", group->ratio);
    json_number(json, "stretch", partition_stretch(partition, group));
    json_begin_array(json, "applications");
    for (uint32_t i = group->first; i < group->first + group->count; i++) {
        json_begin_object(json, NULL);
        json_string(json, "name", partition_label(division, i, name));
        json_number(json, "volume", partition->apps[i].volume);
        json_number(json, "load", partition->apps[i].load);
        json_end_object(json);
    }
    json_end_array(json);
    json_end_object(json);
}

static void partition_write_json(const struct division *division)
{
    const struct partition *partition = &division->partition;
    const struct provenance provenance = study_provenance(&division->study);
    struct json json = {.out = stdout, .pretty = true};
    json_begin_object(&json, NULL);
    provenance_json(&provenance, &json);
    json_number(&json, "at", division->at);
    json_number(&json, "load", partition->load);
    json_number(&json, "stretch", partition->stretch);
    json_number(&json, "bound", partition->bound);
    json_begin_array(&json, "groups");
    for (uint32_t i = 0; i < partition->group_count; i++)
        partition_write_group(division, i, &json);
    json_end_array(&json);
    json_end_object(&json);
}

/* --- all of it ----------------------------------------------------------------------------- */

static int partition_run(const void *values, struct err *err)
{
    const struct partition_options *options = values;
    const struct window none = {.kind = WINDOW_NONE}; /* means over all iterations */
    struct division division = {0};
    const char *path = options->operands.list[0];
    int status = STATUS_MISUSE;
    if (study_load(&division.study, &options->source, path, &none, err) == 0)
        status = partition_compute(&division, err);
    if (status == STATUS_DONE)
        (options->json ? partition_write_json : partition_print)(&division);
    free(division.room);
    study_fini(&division.study);
    return status;
}

#define AT(member) offsetof(struct partition_options, member)
static const struct option options[] = {
    STUDY_SOURCE_OPTIONS(struct partition_options, source),
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), "print everything as JSON"},
    {.name = NULL},
};
#undef AT

const struct command command_partition = {
    .name = "partition",
    .summary = "divide the bandwidth between groups of similar applications",
    .operands = "SCENARIO",
    .least = 1,
    .most = 1,
    .options = options,
    .details = "The members of a group use its share of the bandwidth one at a time. A share is at "
               "least the load of the group, the sum of volume / period of its members. The "
               "stretch of a group is its largest volume / smallest volume * bandwidth / share; "
               "the partition minimises the largest stretch over all groups that are contiguous in "
               "volume. The strategy 'groups' follows it. "
               "Where applications do not all run at the same time, it divides those that are "
               "present when the load is largest, each running as if alone; 'groups' divides again "
               "when others come.",
    .example = "weir partition examples/quickstart.yaml",
    .size = sizeof(struct partition_options),
    .run = partition_run,
};
