/* The answer for a campaign's database: the strategies that are stored there, paired over seeds. */
#include "answer/recommend.h"
#include "base/mem.h"
#include "base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool recommend_is_stored(const struct recommend_question *question)
{
    return !asking_scenario(&question->asking, 0) && stored_is(question->asking.operands.list[0]);
}

/* --- choosing ------------------------------------------------------------------------------ */

static int recommend_miss(const struct recommend_stored_answer *answer, const char *option,
                          const char *name, struct err *err)
{
    char list[STORED_TITLE] = "";
    for (size_t i = 0; i < answer->stored.strategy_count; i++) {
        text_append(list, sizeof list, i ? ", " : "");
        text_append(list, sizeof list, answer->stored.strategies[i].name);
    }
    return err_option(err, "--%s: the database has no run of '%s', only of %s", option, name, list);
}

/* A plug-in that is not at hand is taken to need nothing. */
static unsigned recommend_needs(const char *name)
{
    struct err ignored;
    struct policy *policy = strchr(name, '/') ? NULL : policy_open(name, &ignored);
    unsigned needs = policy ? policy->ops->flags : 0;
    policy_free(policy);
    return needs;
}

static void recommend_compare_with(struct recommend_stored_answer *answer, size_t strategy)
{
    for (size_t i = 0; i < answer->strategies_count; i++)
        if (answer->compared[i] == strategy)
            return;
    answer->needs[answer->strategies_count] =
        recommend_needs(answer->stored.strategies[strategy].strategy);
    answer->strategies[answer->strategies_count] = answer->stored.strategies[strategy].name;
    answer->compared[answer->strategies_count++] = strategy;
}

static int recommend_select(const struct recommend_question *question,
                            struct recommend_stored_answer *answer, struct err *err)
{
    const struct words *asked = &question->policies;
    size_t now = stored_find(&answer->stored, answer->now);
    answer->compared = mem_alloc(answer->stored.strategy_count, sizeof *answer->compared);
    answer->needs = mem_alloc(answer->stored.strategy_count, sizeof *answer->needs);
    answer->strategies = mem_alloc(answer->stored.strategy_count, sizeof *answer->strategies);
    if (!answer->compared || !answer->needs || !answer->strategies)
        return err_memory(err);
    if (now == SIZE_MAX)
        return recommend_miss(answer, "now", answer->now, err);
    recommend_compare_with(answer, now);
    for (size_t i = 0; i < asked->count; i++) {
        size_t found = stored_find(&answer->stored, asked->list[i]);
        if (found == SIZE_MAX)
            return recommend_miss(answer, "policy", asked->list[i], err);
        recommend_compare_with(answer, found);
    }
    for (size_t i = 0; asked->count == 0 && i < answer->stored.strategy_count; i++)
        recommend_compare_with(answer, i);
    if (answer->strategies_count < 2)
        return err_set(err, "%s: '%s' is the only strategy: there is none to compare it with",
                       answer->database, answer->now);
    return 0;
}

/* The column of a strategy in a table, SIZE_MAX = it is not compared. */
static size_t recommend_column(const struct recommend_stored_answer *answer, size_t strategy)
{
    for (size_t i = 0; i < answer->strategies_count; i++)
        if (answer->compared[i] == strategy)
            return i;
    return SIZE_MAX;
}

static void recommend_fill(const struct recommend_stored_answer *answer,
                           const struct stored_case *of, double *values[CHOICE_MEASURES])
{
    size_t run = 0;
    for (size_t i = 0; i < of->seeds * answer->strategies_count; i++)
        values[0][i] = values[1][i] = NAN;
    for (size_t i = of->first; i < of->first + of->count; i++) {
        const struct stored_result *result = &answer->stored.results[i];
        size_t column = recommend_column(answer, result->strategy);
        run += i > of->first && result->seed != result[-1].seed;
        for (int k = 0; column != SIZE_MAX && k < CHOICE_MEASURES; k++)
            values[k][run * answer->strategies_count + column] =
                measure_of(choice_measure((enum choice_goal)k, of->windowed), &result->metrics);
    }
}

static int recommend_choose_stored(const struct recommend_stored_answer *answer,
                                   const struct stored_case *of, struct recommend_case *chosen)
{
    struct choice_table table = {
        .needs = answer->needs, .runs = of->seeds, .strategies = answer->strategies_count};
    double *values[CHOICE_MEASURES];
    int status = 0;
    for (int i = 0; i < CHOICE_MEASURES; i++) {
        values[i] = mem_alloc(of->seeds * answer->strategies_count, sizeof *values[i]);
        status = values[i] ? status : -1;
        table.measures[i] = choice_measure((enum choice_goal)i, of->windowed);
        table.values[i] = values[i];
    }
    if (status == 0) {
        recommend_fill(answer, of, values);
        chosen->best = choice_find(&table, answer->goal);
        chosen->use = chosen->best > 0 ? answer->strategies[chosen->best] : NULL;
        chosen->runs = choice_gain(&table, 0, CHOICE_FAIRNESS).runs;
        for (int i = 0; i < CHOICE_MEASURES; i++)
            chosen->parts[i] = (struct recommend_measure){
                .measure = table.measures[i]->name, .gain = choice_gain(&table, chosen->best, i)};
    }
    for (int i = 0; i < CHOICE_MEASURES; i++)
        free(values[i]);
    return status;
}

static int recommend_name(struct recommend_stored_answer *answer, const struct stored_case *of,
                          struct recommend_case *chosen)
{
    char apart[STORED_TITLE];
    chosen->name = stored_text(&answer->stored, of, EXPERIMENT_WORKLOAD);
    chosen->platform = stored_text(&answer->stored, of, EXPERIMENT_PLATFORM);
    chosen->parameters = of->parameters;
    if (!*stored_apart(&answer->stored, of, apart))
        return 0;
    chosen->apart = arena_strndup(&answer->stored.arena, apart, strlen(apart));
    return chosen->apart ? 0 : -1;
}

static int recommend_choose_all(struct recommend_stored_answer *answer, struct err *err)
{
    answer->cases = mem_alloc(answer->stored.case_count, sizeof *answer->cases);
    if (!answer->cases)
        return err_memory(err);
    for (size_t i = 0; i < answer->stored.case_count; i++) {
        const struct stored_case *of = &answer->stored.cases[i];
        struct recommend_case *chosen = &answer->cases[answer->cases_count++];
        if (recommend_name(answer, of, chosen) < 0 ||
            recommend_choose_stored(answer, of, chosen) < 0)
            return err_memory(err);
    }
    return 0;
}

int recommend_stored_answer(const struct recommend_question *question,
                            struct recommend_stored_answer *answer, struct err *err)
{
    int goal = recommend_goal(question, err);
    if (goal < 0)
        return -1;
    if (question->window || question->seeds.given)
        return err_option(err, "--%s: the runs of a database are what they are",
                          question->window ? "window" : "seeds");
    answer->weir = row_version;
    answer->database = question->asking.operands.list[0];
    answer->goal = (enum choice_goal)goal;
    answer->objective = recommend_goals[goal];
    answer->now = question->now ? question->now : "fair-share";
    if (stored_load(&answer->stored, answer->database, err) < 0 ||
        recommend_select(question, answer, err) < 0)
        return -1;
    return recommend_choose_all(answer, err);
}

void recommend_stored_answer_fini(struct recommend_stored_answer *answer)
{
    stored_fini(&answer->stored);
    free(answer->cases);
    free(answer->strategies);
    free(answer->compared);
    free(answer->needs);
}

/* --- what it is ---------------------------------------------------------------------------- */

static const struct answer_field measure_fields[] = {
    {FIELD_OF(struct recommend_measure, measure, TEXT, "the measure of it")},
    {FIELD_OF(struct recommend_measure, gain, INLINE, ""), .members = choice_gain_fields},
    {.key = NULL},
};

#define OF(name, what, text) FIELD_OF(struct recommend_case, name, what, text)
static const struct answer_field case_fields[] = {
    {OF(name, TEXT, "of the scenario or the family")},
    {OF(parameters, TEXT, "a JSON object, as in the [database](campaign.md)")},
    {OF(platform, TEXT, "its name in the campaign; `null` = none")},
    {OF(apart, TEXT,
        "what tells it apart from others of these names, such as the hash of a scenario that was "
        "changed; `null` = these names are enough")},
    {OF(use, TEXT, "the strategy that is recommended; `null` = none is worth a change")},
    {RECOMMEND_PART(struct recommend_case, CHOICE_FAIRNESS, "fairness", measure_fields)},
    {RECOMMEND_PART(struct recommend_case, CHOICE_EFFICIENCY, "efficiency", measure_fields)},
    {.key = NULL},
};
#undef OF

#define OF(name, what, text) FIELD_OF(struct recommend_stored_answer, name, what, text)
static const struct answer_field fields[] = {
    {OF(weir, TEXT, "version of the program")},
    {OF(database, TEXT, "the file")},
    {OF(objective, TEXT, "`fairness`, `efficiency` or `both`")},
    {OF(now, TEXT, "the strategy that is compared with")},
    {FIELD_LIST_OF(struct recommend_stored_answer, cases, struct recommend_case, case_fields,
                   "one object per experiment: runs of the same scenario or family, parameters and "
                   "platform, by content")},
    {.key = NULL},
};
#undef OF

QUESTION_FUNCTIONS(recommend_stored)
const struct question recommend_stored_asking = {
    .syntax = {.name = "recommend DATABASE"},
    .size = sizeof(struct recommend_question),
    .fields = fields,
    .answer_size = sizeof(struct recommend_stored_answer),
    .answer = recommend_stored_ask,
    .fini = recommend_stored_forget,
};
