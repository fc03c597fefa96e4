#include "answer/describe.h"
#include "base/mem.h"
#include "base/stage.h"
#include <math.h>
#include <stdlib.h>

/* Under this strategy every transfer slows down when the demand is too high, and none is preferred:
 * what happens on a machine without control. */
static const char uncontrolled[] = "fair-share";

/* A simulation sees what no formula does: transfers that are slowed down last longer, and so meet
 * even more of the others. */
static int describe_simulate(struct describe_answer *answer, struct err *err)
{
    struct study *study = &answer->study;
    struct congestion congestion = {0};
    struct policy *policy = policy_open(uncontrolled, err);
    const struct watcher watcher = congestion_watcher(&congestion);
    int status = policy ? congestion_init(&congestion, study->workload, err) : -1;
    if (status == 0)
        status = study_run(study, policy, (struct sim_options){.watcher = &watcher}, err);
    if (status == 0)
        description_add_run(&answer->description, study->rows.list, &congestion);
    congestion_fini(&congestion);
    policy_free(policy);
    return status;
}

static int describe_examine(struct describe_answer *answer, struct err *err)
{
    const struct workload *workload = answer->study.workload;
    stage_begin(workload->name, "looking for periods");
    int status = description_init(&answer->description, workload, err);
    stage_end();
    if (status == 0 && !description_obstacle(&answer->description))
        status = describe_simulate(answer, err);
    return status;
}

/* --- results ------------------------------------------------------------------------------- */

static struct describe_application describe_row(const struct description_row *row)
{
    bool found = row->detected.length > 0;
    return (struct describe_application){.name = row->name,
                                         .count = row->count,
                                         .nodes = row->nodes,
                                         .bandwidth = row->bmax,
                                         .iterations = row->iterations,
                                         .work = row->work,
                                         .io = row->volume,
                                         .period = row->period,
                                         .ideal_time = row->ideal,
                                         .detected_period = found ? row->detected.length : NAN,
                                         .confidence = found ? row->detected.confidence : NAN};
}

static void describe_sum_up(struct describe_answer *answer)
{
    const struct description *description = &answer->description;
    const struct workload *workload = description->workload;
    answer->made = study_provenance(&answer->study);
    answer->application_count = workload->count;
    answer->volume = description->volume;
    answer->io_pressure = workload->io_pressure;
    answer->busiest_hour =
        (struct describe_busiest){description->busiest.start, description->busiest.pressure};
    answer->io_weight = description->io_weight;
    answer->io_load = workload_io_load(workload);
    answer->shortest_period = description->shortest;
    answer->longest_period = description->longest > 0 ? description->longest : NAN;
    answer->sets = answer->set_room;
    for (int n = MAGNITUDE_FIRST; n <= MAGNITUDE_LAST; n++)
        if (description->sets[n - MAGNITUDE_FIRST] > 0)
            answer->sets[answer->sets_count++] =
                (struct describe_set){n, description->sets[n - MAGNITUDE_FIRST]};
    answer->timeline = (struct describe_timeline){description->start, description->end,
                                                  description->demand, DESCRIPTION_PARTS};
}

static int describe_programs(struct describe_answer *answer, struct err *err)
{
    const struct description *description = &answer->description;
    answer->uses = mem_alloc(description->row_count, sizeof *answer->uses);
    answer->programs = mem_alloc(description->row_count, sizeof *answer->programs);
    if (!answer->uses || !answer->programs)
        return err_memory(err);
    answer->programs_count = programs_add_up(description, answer->uses);
    for (size_t i = 0; i < answer->programs_count; i++) {
        const struct program_use *use = &answer->uses[i];
        answer->programs[i] = (struct describe_program){use->name,       use->applications,
                                                        use->node_hours, use->node_hours_a_day,
                                                        use->usage,      use->io_share};
    }
    return 0;
}

static int describe_report(struct describe_answer *answer, struct err *err)
{
    const struct description *description = &answer->description;
    const struct row *row = description->row;
    describe_sum_up(answer);
    answer->congestion = (struct describe_congestion){
        .policy = row ? row->policy : NULL,
        .not_simulated = row ? NULL : description_obstacle(description),
        .share_of_time = description->congested,
        .io_slowdown = row ? row->metrics.io_slowdown : NAN,
        .max_stretch = row ? row->metrics.max_stretch : NAN,
        .min_yield = row ? row->metrics.min_yield : NAN};
    answer->applications = mem_alloc(description->row_count, sizeof *answer->applications);
    if (!answer->applications)
        return err_memory(err);
    for (size_t i = 0; i < description->row_count; i++)
        answer->applications[answer->applications_count++] = describe_row(&description->rows[i]);
    return describe_programs(answer, err);
}

int describe_answer(const struct describe_question *question, struct describe_answer *answer,
                    struct err *err)
{
    if (study_open(&answer->study, &question->source, &question->asking, 0, NULL, err) < 0)
        return -1;
    return describe_examine(answer, err) < 0 ? err_run(err) : describe_report(answer, err);
}

void describe_answer_fini(struct describe_answer *answer)
{
    free(answer->applications);
    free(answer->programs);
    free(answer->uses);
    description_fini(&answer->description);
    study_fini(&answer->study);
}

/* --- what it is ---------------------------------------------------------------------------- */

#define OF(name, what, text) FIELD_OF(struct describe_application, name, what, text)
static const struct answer_field application_fields[] = {
    {OF(name, TEXT, "its name")},
    {OF(count, WHOLE, "copies")},
    {OF(nodes, NUMBER, "nodes of a copy")},
    {OF(bandwidth, NUMBER, "what a copy can use alone"), .unit = UNIT_RATE},
    {OF(iterations, NUMBER, "iterations, as a mean")},
    {OF(work, NUMBER, "work of an iteration, as a mean"), .unit = UNIT_SECONDS},
    {OF(io, NUMBER, "I/O of an iteration, as a mean"), .unit = UNIT_BYTES},
    {OF(period, NUMBER, "period"), .unit = UNIT_SECONDS},
    {OF(ideal_time, NUMBER, "time it takes alone"), .unit = UNIT_SECONDS},
    {OF(detected_period, NUMBER, "period found in phases that vary"), .unit = UNIT_SECONDS},
    {OF(confidence, NUMBER, "how sure that period is, 0 to 1")},
    {.key = NULL},
};
#undef OF

#define OF(name, what, text) FIELD_OF(struct describe_program, name, what, text)
static const struct answer_field program_fields[] = {
    {OF(name, TEXT, "name of its applications without the number of the job")},
    {OF(applications, WHOLE, "applications that run it, copies included")},
    {OF(node_hours, NUMBER, "node hours of all of them, each alone")},
    {OF(node_hours_a_day, NUMBER, "the same per day; of less than a day, in all")},
    {OF(usage, NUMBER, "part of the node hours of all programs")},
    {OF(io_share, NUMBER, "part of its time alone that is I/O")},
    {.key = NULL},
};
#undef OF

#define OF(name, what, text) FIELD_OF(struct describe_congestion, name, what, text)
static const struct answer_field congestion_fields[] = {
    {OF(policy, TEXT, "the strategy that was simulated")},
    {OF(not_simulated, TEXT, "why nothing was simulated")},
    {OF(share_of_time, NUMBER, "share of time in which the demand exceeds the bandwidth")},
    {OF(io_slowdown, NUMBER, "mean slowdown of I/O")},
    {OF(max_stretch, NUMBER, "largest stretch")},
    {OF(min_yield, NUMBER, "smallest yield")},
    {.key = NULL},
};
#undef OF

static const struct answer_field busiest_fields[] = {
    {FIELD_OF(struct describe_busiest, start, NUMBER, "when it starts"), .unit = UNIT_SECONDS},
    {FIELD_OF(struct describe_busiest, io_pressure, NUMBER, "its I/O pressure")},
    {.key = NULL},
};

static const struct answer_field set_fields[] = {
    {FIELD_OF(struct describe_set, set, NUMBER,
              "order of magnitude of the period, a power of ten")},
    {FIELD_OF(struct describe_set, applications, WHOLE, "applications in the set")},
    {.key = NULL},
};

static const struct answer_field timeline_fields[] = {
    {FIELD_OF(struct describe_timeline, start, NUMBER, "its start"), .unit = UNIT_SECONDS},
    {FIELD_OF(struct describe_timeline, end, NUMBER, "its end"), .unit = UNIT_SECONDS},
    {FIELD_OF(struct describe_timeline, demand, SERIES, "mean demand in equal parts of that time"),
     .unit = UNIT_RATE, .count = offsetof(struct describe_timeline, demand_count)},
    {.key = NULL},
};

#define OF(name, what, text) FIELD_OF(struct describe_answer, name, what, text)
static const struct answer_field fields[] = {
    PROVENANCE_FIELDS(struct describe_answer),
    {OF(application_count, WHOLE, "applications, copies included")},
    {OF(volume, NUMBER, "I/O of all of them"), .unit = UNIT_BYTES},
    {OF(io_pressure, NUMBER, "bytes wanted over bytes the file system can move")},
    {OF(busiest_hour, OBJECT, "the hour with the largest I/O pressure"), .members = busiest_fields},
    {OF(io_weight, NUMBER, "applications that would be in I/O on average without contention")},
    {OF(io_load, NUMBER, "share of time the file system is busy if the nodes are packed")},
    {OF(shortest_period, NUMBER, "shortest period of an application"), .unit = UNIT_SECONDS},
    {OF(longest_period, NUMBER, "longest period of an application"), .unit = UNIT_SECONDS},
    {FIELD_LIST_OF(struct describe_answer, sets, struct describe_set, set_fields,
                   "the sets of Set-10 that have applications")},
    {OF(congestion, OBJECT, "what a simulation without control shows"),
     .members = congestion_fields},
    {OF(timeline, OBJECT, "the demand over time if every application were alone"),
     .members = timeline_fields},
    {FIELD_LIST_OF(struct describe_answer, applications, struct describe_application,
                   application_fields, "one for each entry of the file")},
    {FIELD_LIST_OF(struct describe_answer, programs, struct describe_program, program_fields,
                   "the programs that the applications run, the largest use first")},
    {.key = NULL},
};
#undef OF

static const struct option options[] = {
    STUDY_WINDOW_OPTION(struct describe_question, source),
    STUDY_SOURCE_OPTIONS(struct describe_question, source),
    QUESTION_JSON_OPTION(struct describe_question, "print everything as JSON"),
    {.name = NULL},
};

QUESTION_FUNCTIONS(describe)
const struct question describe_asking = {
    .syntax = {"describe", "FILE...", 1, SIZE_MAX, options, NULL},
    QUESTION_OF(describe, fields),
    .each = true,
};
