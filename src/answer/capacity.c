#include "answer/capacity.h"
#include "base/mem.h"
#include "base/stage.h"
#include "base/suggest.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_MOST = 1000 };

/* --- asking -------------------------------------------------------------------------------- */

static int capacity_choose_limit(const struct capacity_question *question,
                                 struct capacity *capacity, struct err *err)
{
    int given = 0;
    for (int i = 0; i < CAPACITY_MEASURE_COUNT; i++) {
        if (question->limits[i] == 0)
            continue;
        given++;
        capacity->measure = (enum capacity_measure)i;
        capacity->limit = question->limits[i];
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

/* Finds the application in capacity->scenario, and checks that the measure has a meaning in its
 * window. */
static int capacity_read_application(const struct capacity_question *question,
                                     struct capacity *capacity, struct err *err)
{
    if (capacity_choose_application(capacity->scenario, question->application, &capacity->app,
                                    err) < 0)
        return -1;
    if (capacity->measure == CAPACITY_max_stretch && capacity->scenario->window.kind != WINDOW_NONE)
        return err_set(err, "stretch has no meaning in a window: limit --min-yield or "
                            "--max-dilation, or use --window none");
    return 0;
}

static int capacity_prepare(const struct capacity_question *question,
                            struct capacity_answer *answer, struct err *err)
{
    struct capacity *asked = &answer->asked;
    asked->most = question->most.given ? (uint32_t)question->most.value : USUAL_MOST;
    if (capacity_choose_limit(question, asked, err) < 0 ||
        policies_open(&answer->policies, &question->policies, err) < 0 ||
        study_open(&answer->study, &question->source, &question->asking, 0, NULL, err) < 0 ||
        workload_check_one_store(answer->study.workload, err) < 0)
        return -1;
    asked->scenario = answer->study.scenario;
    if (capacity_read_application(question, asked, err) < 0)
        return err_prepend(err, "%s", question->asking.operands.list[0]);
    answer->made = study_provenance(&answer->study);
    answer->application = asked->scenario->apps[asked->app].name;
    answer->measure = capacity_measures[asked->measure]->name;
    answer->limit = asked->limit;
    answer->most = asked->most;
    return 0;
}

/* --- answering ----------------------------------------------------------------------------- */

/* Whose progress is shown. */
struct capacity_stage {
    const char *subject, *policy;
    uint32_t copies;
};

static void capacity_tell_stage(void *context, uint32_t copies, double done)
{
    struct capacity_stage *stage = context;
    char text[64];
    if (copies != stage->copies) {
        snprintf(text, sizeof text, "%s, %u copies", stage->policy, (unsigned)copies);
        stage_begin(stage->subject, text);
    }
    stage->copies = copies;
    stage_show(done);
}

static int capacity_try(struct capacity_answer *answer, size_t index, struct err *err)
{
    static const char *const ends[] = {[CAPACITY_END_LIMIT] = "limit",
                                       [CAPACITY_END_NODES] = "nodes",
                                       [CAPACITY_END_MOST] = "most"};
    const struct policy *policy = answer->policies.list[index];
    struct capacity_stage stage = {answer->study.workload->name, policy->name, UINT32_MAX};
    struct capacity asked = answer->asked;
    struct capacity_found found;
    asked.progress = capacity_tell_stage;
    asked.context = &stage;
    if (capacity_find(&asked, policy, &found, err) < 0)
        return -1;
    answer->room = found.room < UINT32_MAX ? (double)found.room : NAN;
    answer->strategies[answer->strategies_count++] = (struct capacity_strategy){
        .policy = policy->name,
        .limited_by = ends[found.end],
        .copies = found.copies,
        .simulations = found.simulations,
        .value = found.value,
        .with_one_more = found.next,
        .again = found.again ? (double)found.again : NAN,
        .overdrawn = found.copies == 0 && asked.scenario->count > 1 &&
                     !capacity_within(asked.measure, found.value, asked.limit)};
    return 0;
}

int capacity_answer(const struct capacity_question *question, struct capacity_answer *answer,
                    struct err *err)
{
    int status = 0;
    if (capacity_prepare(question, answer, err) < 0)
        return -1;
    answer->strategies = mem_alloc(answer->policies.count, sizeof *answer->strategies);
    if (!answer->strategies)
        return err_memory(err);
    for (size_t i = 0; i < answer->policies.count && status == 0; i++)
        status = capacity_try(answer, i, err);
    stage_end();
    if (status < 0)
        err_prepend(err, "%s", answer->study.workload->name);
    return status < 0 ? err_run(err) : 0;
}

void capacity_answer_fini(struct capacity_answer *answer)
{
    free(answer->strategies);
    policies_fini(&answer->policies);
    study_fini(&answer->study);
}

/* --- what it is ---------------------------------------------------------------------------- */

#define OF(name, what, text) FIELD_OF(struct capacity_strategy, name, what, text)
const struct answer_field capacity_strategy_fields[] = {
    {OF(policy, TEXT, "the strategy")},
    {OF(copies, WHOLE, "copies that can run together"), FIELD_COLUMN("copies", HIGHER, 5)},
    {OF(limited_by, TEXT, "`limit`, `nodes` or `most`")},
    {OF(value, NUMBER, "the measure with these copies"), FIELD_COLUMN("value", INFO, 5)},
    {OF(with_one_more, NUMBER, "the measure with one copy more"),
     FIELD_COLUMN("with one_more", INFO, 5)},
    {OF(again, NUMBER, "a larger number of copies that is within the limit again")},
    {OF(simulations, WHOLE, "simulations that it took")},
    {.key = NULL},
};
#undef OF

#define OF(name, what, text) FIELD_OF(struct capacity_answer, name, what, text)
static const struct answer_field fields[] = {
    PROVENANCE_FIELDS(struct capacity_answer),
    {OF(application, TEXT, "the application that is copied")},
    {OF(measure, TEXT, "the measure that is limited")},
    {OF(limit, NUMBER, "its limit")},
    {OF(room, NUMBER,
        "copies for which there are nodes beside the other applications that run at the same "
        "time")},
    {OF(most, WHOLE, "copies that are tried at most")},
    {FIELD_LIST_OF(struct capacity_answer, strategies, struct capacity_strategy,
                   capacity_strategy_fields, "one answer for each strategy")},
    {.key = NULL},
};
#undef OF

#define AT(member) offsetof(struct capacity_question, member)
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
    STUDY_POLICY_OPTION(struct capacity_question, policies),
    STUDY_WINDOW_OPTION(struct capacity_question, source),
    STUDY_SOURCE_OPTIONS(struct capacity_question, source),
    QUESTION_JSON_OPTION(struct capacity_question, "print everything as JSON"),
    {.name = NULL},
};
#undef AT

static const struct option_rule rules[] = {
    RULE_RANGE("most", 1, CAPACITY_MOST),
    {.name = NULL},
};

QUESTION_FUNCTIONS(capacity)
const struct question capacity_asking = {
    .syntax = {"capacity", "SCENARIO", 1, 1, options, rules},
    QUESTION_OF(capacity, fields),
};
