#include "answer/partition.h"
#include "base/maths.h"
#include "base/mem.h"
#include "base/stage.h"
#include "model/presence.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 64 };

/* --- solving ------------------------------------------------------------------------------- */

const char *partition_title(const struct partition_answer *answer, char *buffer, size_t size)
{
    const struct workload *workload = answer->study.workload;
    char time[LABEL];
    bool all = answer->present == workload->count;
    snprintf(buffer, size, "%s%s%s", workload->name, all ? "" : " at ",
             all ? "" : units_print(answer->at, UNIT_SECONDS, time, sizeof time));
    return buffer;
}

static int partition_refuse(const struct partition_answer *answer, struct err *err)
{
    const struct partition *partition = &answer->partition;
    char title[2 * LABEL], load[LABEL], most[LABEL];
    partition_title(answer, title, sizeof title);
    if (partition->count == 0)
        err_set(err, "%s: no application has any I/O", title);
    else
        err_set(err, "%s: the applications need %s on average, %.4g times the bandwidth of %s",
                title, units_print(partition->load, UNIT_RATE, load, sizeof load),
                partition->load / partition->bandwidth,
                units_print(partition->bandwidth, UNIT_RATE, most, sizeof most));
    return -1;
}

/* Adds the applications that are there when the load is largest, each alone. 0 or -1. */
static int partition_add_present(struct partition_answer *answer)
{
    const struct workload *workload = answer->study.workload;
    struct partition *partition = &answer->partition;
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
    answer->at = occupancy.since;
    for (uint32_t i = 0; i < workload->count && status == 0; i++) {
        if (!occupancy.together && !presence_covers(&list[i], occupancy.since))
            continue;
        answer->present++;
        partition_add(partition, &workload->apps[i].facts, i);
    }
    free(list);
    return status;
}

static int partition_compute(struct partition_answer *answer, struct err *err)
{
    const struct workload *workload = answer->study.workload;
    struct partition *partition = &answer->partition;
    answer->room = mem_alloc(workload->count + 1, PARTITION_ROOM);
    if (!answer->room)
        return err_memory(err);
    partition_place(partition, answer->room, workload->count);
    partition->bandwidth = workload->platform.bandwidth;
    if (partition_add_present(answer) != 0)
        return err_memory(err);
    stage_begin(workload->name, "partitioning");
    bool solved = partition->count > 0 && partition_solve(partition);
    stage_end();
    return solved ? 0 : partition_refuse(answer, err);
}

/* --- results ------------------------------------------------------------------------------- */

static int partition_report_group(struct partition_answer *answer,
                                  const struct partition_group *group,
                                  struct partition_share *share)
{
    const struct partition *partition = &answer->partition;
    *share = (struct partition_share){
        .share = group->share,
        .load = group->load,
        .ratio = group->ratio,
        .stretch = group->ratio * partition->bandwidth / group->share,
        .applications = arena_alloc(&answer->arena, group->count, sizeof *share->applications)};
    if (!share->applications)
        return -1;
    for (uint32_t i = group->first; i < group->first + group->count; i++) {
        struct partition_member *member = &share->applications[share->applications_count++];
        char label[LABEL];
        app_label(&answer->study.workload->apps[partition->apps[i].id], label, sizeof label);
        member->name = arena_strndup(&answer->arena, label, strlen(label));
        member->volume = partition->apps[i].volume;
        member->load = partition->apps[i].load;
        if (!member->name)
            return -1;
    }
    return 0;
}

static int partition_report(struct partition_answer *answer, struct err *err)
{
    const struct partition *partition = &answer->partition;
    answer->made = study_provenance(&answer->study);
    answer->load = partition->load;
    answer->stretch = partition->stretch;
    answer->bound = partition->bound;
    answer->groups = arena_alloc(&answer->arena, partition->group_count, sizeof *answer->groups);
    if (!answer->groups)
        return err_memory(err);
    for (uint32_t i = 0; i < partition->group_count; i++)
        if (partition_report_group(answer, &partition->groups[i],
                                   &answer->groups[answer->groups_count++]) < 0)
            return err_memory(err);
    return 0;
}

int partition_answer(const struct partition_question *question, struct partition_answer *answer,
                     struct err *err)
{
    const struct window none = {.kind = WINDOW_NONE}; /* means over all iterations */
    if (study_open(&answer->study, &question->source, &question->asking, 0, &none, err) < 0 ||
        workload_check_one_store(answer->study.workload, err) < 0 ||
        partition_compute(answer, err) < 0)
        return -1;
    return partition_report(answer, err);
}

void partition_answer_fini(struct partition_answer *answer)
{
    free(answer->room);
    study_fini(&answer->study);
    arena_fini(&answer->arena);
}

/* --- what it is ---------------------------------------------------------------------------- */

static const struct answer_field member_fields[] = {
    {FIELD_OF(struct partition_member, name, TEXT, "name")},
    {FIELD_OF(struct partition_member, volume, NUMBER, "volume of an I/O"), .unit = UNIT_BYTES},
    {FIELD_OF(struct partition_member, load, NUMBER, "mean bandwidth that it needs"),
     .unit = UNIT_RATE},
    {.key = NULL},
};

#define OF(name, what, text) FIELD_OF(struct partition_share, name, what, text)
static const struct answer_field group_fields[] = {
    {OF(share, NUMBER, "bandwidth of the group"), .unit = UNIT_RATE},
    {OF(load, NUMBER, "mean bandwidth that it needs"), .unit = UNIT_RATE},
    {OF(ratio, NUMBER, "largest over smallest volume in it")},
    {OF(stretch, NUMBER, "its stretch")},
    {FIELD_LIST_OF(struct partition_share, applications, struct partition_member, member_fields,
                   "its members")},
    {.key = NULL},
};
#undef OF

#define OF(name, what, text) FIELD_OF(struct partition_answer, name, what, text)
static const struct answer_field fields[] = {
    PROVENANCE_FIELDS(struct partition_answer),
    {OF(at, NUMBER, "when the load is largest; the applications that are there then are divided"),
     .unit = UNIT_SECONDS},
    {OF(load, NUMBER, "mean bandwidth that these applications need"), .unit = UNIT_RATE},
    {OF(stretch, NUMBER, "largest stretch of a group")},
    {OF(bound, NUMBER, "no partition has a smaller one")},
    {FIELD_LIST_OF(struct partition_answer, groups, struct partition_share, group_fields,
                   "the groups, by volume")},
    {.key = NULL},
};
#undef OF

static const struct option options[] = {
    STUDY_SOURCE_OPTIONS(struct partition_question, source),
    QUESTION_JSON_OPTION(struct partition_question, "print everything as JSON"),
    {.name = NULL},
};

QUESTION_FUNCTIONS(partition)
const struct question partition_asking = {
    .syntax = {"partition", "SCENARIO", 1, 1, options, NULL},
    QUESTION_OF(partition, fields),
};
