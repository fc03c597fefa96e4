#include "answer/advise.h"
#include "base/maths.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A live controller does not know the volume of an I/O that begins, but those before it. */
#define ADVISE_KNOWLEDGE "mean"
#define ADVISE_BASIS     "fair-share" /* what stands for no control */

/* --- reading ------------------------------------------------------------------------------- */

static int advise_open(const struct advise_question *question, struct advise_answer *answer,
                       struct err *err)
{
    struct study *study = &answer->study;
    const struct import_options how = {.store = question->store, .accounts = &answer->accounts};
    struct knowledge knowledge;
    if (policies_add(&answer->policies, ADVISE_BASIS, err) < 0 ||
        policies_open(&answer->policies, &question->policies, err) < 0 ||
        study_parse_knowledge(&(struct study_knowledge){.volumes = ADVISE_KNOWLEDGE}, &knowledge,
                              err) < 0 ||
        study_open_journal(study, &question->source, &question->asking, 0, &how, err) < 0 ||
        workload_check_io(study->workload, err) < 0)
        return -1;
    study->knowledge = knowledge;
    return 0;
}

/* --- results ------------------------------------------------------------------------------- */

/* What the applications of a run lose in all. */
static double advise_lost(const struct workload *workload, const struct row *row)
{
    double lost = 0;
    for (uint32_t i = 0; i < row->count; i++) {
        double length = row->apps[i].completion - workload->apps[i].facts.release;
        if (row->apps[i].stretch > 0 && length > 0)
            lost += length * (1 - 1 / row->apps[i].stretch);
    }
    return lost;
}

static void advise_add(struct advise_answer *answer, const struct advise_line *line)
{
    struct advise_line *added = &answer->list[answer->list_count++];
    double before = answer->list[0].lost;
    *added = *line;
    added->saved = before > 0 && answer->list_count > 1 ? 100 * (1 - line->lost / before) : NAN;
}

static int advise_report(struct advise_answer *answer, struct err *err)
{
    const struct import_accounts *was = &answer->accounts;
    const struct study *study = &answer->study;
    const struct rows *rows = &study->rows;
    double count = (double)was->count;
    answer->list = mem_alloc(rows->count + 1, sizeof *answer->list);
    if (!answer->list)
        return err_memory(err);
    advise_add(answer, &(struct advise_line){.name = "as it was",
                                             .lost = count > 0 ? was->waited : NAN,
                                             .mean_stretch = was->stretches / count,
                                             .max_stretch = count > 0 ? was->max_stretch : NAN});
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->list[i];
        advise_add(answer, &(struct advise_line){.name = row->policy,
                                                 .lost = advise_lost(study->workload, row),
                                                 .mean_stretch = row->metrics.mean_stretch,
                                                 .max_stretch = row->metrics.max_stretch});
        if (i == 0 || answer->list[i + 1].lost < answer->list[answer->best].lost)
            answer->best = i + 1;
    }
    answer->made = study_provenance(study);
    answer->applications = study->workload->count;
    answer->span = rows->count > 0 ? rows->list[0].metrics.makespan : 0;
    return 0;
}

static double advise_moved(const struct workload *workload)
{
    double moved = 0;
    for (uint32_t i = 0; i < workload->count; i++)
        moved += workload->apps[i].facts.total_io * workload->apps[i].facts.bmax;
    return moved;
}

int advise_answer(const struct advise_question *question, struct advise_answer *answer,
                  struct err *err)
{
    if (advise_open(question, answer, err) < 0)
        return -1;
    for (size_t i = 0; i < answer->policies.count; i++) {
        const struct policy *policy = answer->policies.list[i];
        if (i > 0 && strcmp(policy->name, ADVISE_BASIS) == 0)
            continue; /* it has run */
        if (study_run_planned(&answer->study, policy, err) < 0)
            return -1;
    }
    answer->moved = advise_moved(answer->study.workload);
    return advise_report(answer, err);
}

void advise_answer_fini(struct advise_answer *answer)
{
    free(answer->list);
    study_fini(&answer->study);
    policies_fini(&answer->policies);
}

/* --- what it is ---------------------------------------------------------------------------- */

#define OF(name, what, text) FIELD_OF(struct advise_line, name, what, text)
const struct answer_field advise_line_fields[] = {
    {OF(name, TEXT, "the strategy; of the first one `as it was`")},
    {OF(lost, NUMBER, "by all applications: what they would not have taken alone"),
     .unit = UNIT_SECONDS, FIELD_COLUMN("lost", LOWER, 4)},
    {OF(saved, NUMBER, "of what was lost, in percent; `null` = nothing was"),
     FIELD_COLUMN("saved_(%)", HIGHER, 3)},
    {OF(mean_stretch, NUMBER, "mean stretch"), FIELD_COLUMN("mean_stretch", LOWER, 4)},
    {OF(max_stretch, NUMBER, "largest stretch"), FIELD_COLUMN("max_stretch", LOWER, 4)},
    {.key = NULL},
};
#undef OF

#define OF(name, what, text) FIELD_OF(struct advise_answer, name, what, text)
static const struct answer_field fields[] = {
    PROVENANCE_FIELDS(struct advise_answer),
    {OF(applications, WHOLE, "in the journal")},
    {OF(moved, NUMBER, "by them"), .unit = UNIT_BYTES},
    {OF(span, NUMBER, "from the first join to the last end, simulated without control"),
     .unit = UNIT_SECONDS},
    {FIELD_LIST_OF(struct advise_answer, list, struct advise_line, advise_line_fields,
                   "how it was; without control (`" ADVISE_BASIS
                   "`), simulated; and under each strategy")},
    {.key = NULL},
};
#undef OF

#define AT(member) offsetof(struct advise_question, member)
static const struct option options[] = {
    STUDY_POLICY_OPTION(struct advise_question, policies),
    {"store", 0, OPTION_TEXT, UNIT_NONE, "S", AT(store),
     "what happened on this store; default the first"},
    {"bandwidth", 0, OPTION_AMOUNT, UNIT_RATE, "RATE", AT(source.platform.bandwidth),
     "bandwidth of the store, instead of the journal's"},
    {"node-bandwidth", 0, OPTION_AMOUNT, UNIT_RATE, "RATE", AT(source.platform.node_bandwidth),
     "bandwidth of a node, instead of the journal's"},
    QUESTION_JSON_OPTION(struct advise_question, "print everything as JSON"),
    {.name = NULL},
};
#undef AT

QUESTION_FUNCTIONS(advise)
const struct question advise_asking = {
    .syntax = {"advise", "JOURNAL", 1, 1, options, NULL},
    QUESTION_OF(advise, fields),
};
