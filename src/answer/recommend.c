#include "answer/recommend.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "base/stage.h"
#include <stdlib.h>
#include <string.h>

enum { USUAL_SEEDS = 30, USUAL_ENSEMBLE = 20, MOST_SEEDS = 10000 };

const char *const recommend_goals[] = {"fairness", "efficiency", "both"};

/* What is simulated: the strategies that run live without knowing an application in advance. */
static const char *const candidates[] = {
    "clearing",       "fcfs",    "set-10", "greedy-com", "greedy-yield", "look-ahead-greedy-yield",
    "critical-yield", "surplus", NULL};

/* The cases: the file system as it is, and twice as fast. */
enum { AS_IS, TWICE };

double recommend_gain(const struct measure *measure, double value, double than)
{
    double gain = choice_part(value - than, than, value);
    return measure->sense == METRIC_HIGHER ? gain : -gain;
}

/* --- asking -------------------------------------------------------------------------------- */

static int recommend_open_policies(const struct recommend_question *question,
                                   struct recommend_answer *answer, struct err *err)
{
    const struct words *asked = &question->policies;
    const char *now = question->now ? question->now : "fair-share";
    if (policies_add(&answer->policies, now, err) < 0)
        return err_prepend_option(err, "now");
    if (answer->policies.count > 1)
        return err_option(err, "--now: expected one strategy, got '%s'", now);
    for (size_t i = 0; asked->count ? i < asked->count : candidates[i] != NULL; i++) {
        const char *name = asked->count ? asked->list[i] : candidates[i];
        if (strcmp(name, now) != 0 && policies_add(&answer->policies, name, err) < 0)
            return -1;
    }
    if (answer->policies.count < 2)
        return err_option(err, "--policy: no strategy is left to compare with '%s'", now);
    return 0;
}

/* A family is looked at more closely with seed 1. */
static int recommend_open_study(const struct recommend_question *question,
                                struct recommend_answer *answer, struct err *err)
{
    const struct experiment_source *source = &answer->source;
    const struct window *window = question->window ? &answer->window : NULL;
    if (source->scenario)
        return study_borrow(&answer->study, source->scenario, window, err) < 0
                   ? err_prepend(err, "%s", source->name)
                   : 0;
    struct scenario *made = source_draw(source, 1, NULL, 0, err);
    if (study_init(&answer->study, made, window, err) < 0)
        return made ? err_prepend(err, "%s", source->name) : -1;
    return 0;
}

static int recommend_open_source(const struct recommend_question *question,
                                 struct recommend_answer *answer, struct err *err)
{
    const struct scenario *given = asking_scenario(&question->asking, 0);
    if (question->window && study_parse_window(question->window, &answer->window, err) < 0)
        return -1;
    if (given)
        answer->source = source_of(given);
    else if (source_open(&answer->source, question->asking.operands.list[0], err) < 0)
        return -1;
    if (recommend_open_study(question, answer, err) < 0 ||
        workload_check_io(answer->study.workload, err) < 0)
        return -1;
    if (answer->study.workload->count < 2)
        return err_set(err, "%s: one application delays no other: expected at least two",
                       answer->source.name);
    return 0;
}

/* What is compared, besides the strategies and what they know. */
static struct compare_task recommend_question(const struct recommend_question *question,
                                              const struct recommend_answer *answer)
{
    const struct whole *seeds = &question->seeds;
    return (struct compare_task){.sources = &answer->source,
                                 .source_count = 1,
                                 .policies = answer->policies.list,
                                 .policy_count = answer->policies.count,
                                 .seeds = seeds->given ? (size_t)seeds->value : USUAL_SEEDS,
                                 .ensemble = seeds->given ? (size_t)seeds->value : USUAL_ENSEMBLE,
                                 .window = question->window ? &answer->window : NULL};
}

/* Compares strategies. 0, or -1 with err; compare_fini in both cases. */
static int recommend_compare(const struct compare_task *asked, struct comparison *comparison,
                             struct err *err)
{
    const struct stage_host *host = stage_host();
    const struct compare_options how = {.jobs = parallel_processors(),
                                        .progress = host->show,
                                        .stop = host->stop,
                                        .context = host->context};
    if (compare_init(comparison, asked, err) < 0)
        return -1;
    stage_begin(asked->sources->name, "comparing strategies");
    int status = compare_run(comparison, &how, err);
    stage_end();
    return status;
}

/* --- choosing ------------------------------------------------------------------------------ */

/* One measure of all runs of a case; free() frees. */
static double *recommend_values(const struct comparison *comparison, size_t number,
                                const struct measure *measure)
{
    const struct compare_case *of = &comparison->cases[number];
    size_t policies = comparison->asked.policy_count;
    double *values = mem_alloc(of->members * policies, sizeof *values);
    for (size_t i = 0; values && i < of->members * policies; i++)
        values[i] = measure_of(measure, &comparison->metrics[of->first * policies + i]);
    return values;
}

/* A strategy of a comparison, and what it gains in the measures. */
struct recommend_result {
    size_t best; /* SIZE_MAX = still to be chosen */
    bool idle;
    struct choice_gain gains[CHOICE_MEASURES];
};

static int recommend_judge(const struct recommend_answer *answer,
                           const struct comparison *comparison, struct recommend_result *result,
                           struct err *err)
{
    size_t policies = comparison->asked.policy_count;
    double *values[CHOICE_MEASURES];
    unsigned *needs = mem_alloc(policies, sizeof *needs);
    struct choice_table table = {
        .needs = needs, .runs = comparison->cases[AS_IS].members, .strategies = policies};
    int status = needs ? 0 : -1;
    for (size_t p = 0; needs && p < policies; p++)
        needs[p] = comparison->asked.policies[p]->ops->flags;
    for (int i = 0; i < CHOICE_MEASURES; i++) {
        table.measures[i] = answer->measures[i];
        table.values[i] = values[i] = recommend_values(comparison, AS_IS, table.measures[i]);
        status = values[i] ? status : -1;
    }
    if (status == 0 && result->best == SIZE_MAX)
        result->best = choice_find(&table, answer->goal);
    result->idle = status == 0 && choice_is_idle(&table);
    for (int i = 0; status == 0 && i < CHOICE_MEASURES; i++)
        result->gains[i] = choice_gain(&table, result->best, i);
    for (int i = 0; i < CHOICE_MEASURES; i++)
        free(values[i]);
    free(needs);
    return status == 0 ? 0 : err_memory(err);
}

/* Node time spent on work is the same thing whatever the bandwidth is, unlike what compares with a
 * run alone: that is faster too. */
static void recommend_judge_work(struct recommend_answer *answer,
                                 const struct comparison *comparison)
{
    const struct measure *measure =
        &measures[answer->windowed ? MEASURE_utilization : MEASURE_sys_efficiency];
    struct compare_cell own = compare_measure(comparison, AS_IS, answer->best, measure);
    struct compare_cell now = compare_measure(comparison, AS_IS, 0, measure);
    struct compare_cell twice = compare_measure(comparison, TWICE, 0, measure);
    answer->work = (struct recommend_work){.measure = measure->name,
                                           .now = summary_mean(&now.value),
                                           .mean = summary_mean(&own.value),
                                           .twice_as_fast = summary_mean(&twice.value)};
}

static int recommend_choose(const struct recommend_question *question,
                            struct recommend_answer *answer, struct err *err)
{
    static const char *speeds[] = {"1x", "2x"};
    static const struct sweep faster = {.path = "bandwidth", .values = speeds, .count = 2};
    struct comparison comparison;
    struct recommend_result result = {.best = SIZE_MAX};
    struct compare_task asked = recommend_question(question, answer);
    asked.sweeps = &faster;
    asked.sweep_count = 1;
    int status = recommend_compare(&asked, &comparison, err);
    if (status == 0) {
        answer->windowed = comparison.cases[AS_IS].windowed;
        answer->ensemble = comparison.cases[AS_IS].ensemble;
        for (int i = 0; i < CHOICE_MEASURES; i++) {
            answer->measures[i] = choice_measure((enum choice_goal)i, answer->windowed);
            answer->parts[i].measure = answer->measures[i]->name;
        }
        status = recommend_judge(answer, &comparison, &result, err);
    }
    if (status == 0) {
        answer->best = result.best;
        answer->idle = result.idle;
        for (int i = 0; i < CHOICE_MEASURES; i++)
            answer->parts[i].gain = result.gains[i];
        recommend_judge_work(answer, &comparison);
    }
    compare_fini(&comparison);
    return status;
}

/* The same comparison for a controller that does not know volumes. */
static int recommend_choose_roughly(const struct recommend_question *question,
                                    struct recommend_answer *answer, struct err *err)
{
    static const struct choice_gain unknown = {
        .now = NAN, .mean = NAN, .difference = NAN, .margin = NAN};
    struct compare_task asked = recommend_question(question, answer);
    struct comparison comparison;
    struct recommend_result own = {.best = answer->best}, any = {.best = SIZE_MAX};
    for (int i = 0; i < CHOICE_MEASURES; i++)
        answer->parts[i].volumes_as_means = unknown;
    if (answer->best == 0 || !(answer->policies.list[answer->best]->ops->flags & WEIR_NEEDS_VOLUME))
        return 0;
    asked.knowledge = (struct knowledge){.volumes = KNOWLEDGE_MEAN};
    int status = recommend_compare(&asked, &comparison, err);
    if (status == 0)
        status = recommend_judge(answer, &comparison, &own, err);
    if (status == 0)
        status = recommend_judge(answer, &comparison, &any, err);
    for (int i = 0; status == 0 && i < CHOICE_MEASURES; i++) {
        answer->parts[i].volumes_as_means = own.gains[i];
        answer->parts[i].roughly_best = any.gains[i];
    }
    answer->roughly_best = any.best;
    compare_fini(&comparison);
    return status;
}

/* --- one realisation ----------------------------------------------------------------------- */

/* The application that is delayed more than before by most, if that can be seen. */
static void recommend_find_victim(struct recommend_answer *answer, const struct row *before,
                                  const struct row *after)
{
    struct recommend_costs *costs = &answer->costs;
    double most = 0.001;
    *costs = (struct recommend_costs){.costless = true, .stretch_now = NAN, .stretch = NAN};
    for (uint32_t i = 0; i < before->count; i++) {
        bool yields = answer->windowed;
        double old = yields ? 1 / before->apps[i].yield : before->apps[i].stretch;
        double new = yields ? 1 / after->apps[i].yield : after->apps[i].stretch;
        costs->costless &= !(new > old);
        if (new - old > most) {
            most = new - old;
            costs->stretch_now = old;
            costs->stretch = new;
            snprintf(costs->label, sizeof costs->label, "%s", before->apps[i].name);
            costs->name = costs->label;
        }
    }
}

/* The message without what it is prepended: "NAME: plan: ". */
static const char *recommend_reason(const struct recommend_answer *answer, const char *text)
{
    const char *const prefixes[] = {answer->study.workload->name, "plan"};
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(text, prefixes[i], length) == 0 && strncmp(text + length, ": ", 2) == 0)
            text += length + 2;
    }
    return text;
}

/* What a plan reaches, where one can be made of applications that repeat themselves exactly. */
static void recommend_try_plan(struct recommend_answer *answer)
{
    struct err why = {0};
    struct policy *policy = policy_open("plan", &why);
    struct tasks tasks = {0};
    bool made = tasks_init(&tasks, answer->study.workload, &why) == 0;
    size_t before = answer->study.rows.count;
    answer->varies = made && tasks.means;
    tasks_fini(&tasks);
    if (policy && made && !answer->varies &&
        study_run(&answer->study, policy, (struct sim_options){0}, &why) == 0)
        for (int i = 0; i < CHOICE_MEASURES; i++)
            answer->parts[i].plan =
                measure_of(answer->measures[i], &answer->study.rows.list[before].metrics);
    snprintf(answer->no_plan, sizeof answer->no_plan, "%s", recommend_reason(answer, why.text));
    policy_free(policy);
}

static int recommend_examine(struct recommend_answer *answer, struct err *err)
{
    struct study *study = &answer->study;
    for (int i = 0; i < CHOICE_MEASURES; i++)
        answer->parts[i].reached = answer->parts[i].bound = answer->parts[i].plan = NAN;
    if (study_run(study, answer->policies.list[0], (struct sim_options){0}, err) < 0 ||
        study_run(study, answer->policies.list[answer->best], (struct sim_options){0}, err) < 0 ||
        study_bound(study, err) < 0)
        return -1;
    recommend_find_victim(answer, &study->rows.list[0], &study->rows.list[1]);
    for (int i = 0; i < CHOICE_MEASURES; i++) {
        answer->parts[i].reached = measure_of(answer->measures[i], &study->rows.list[1].metrics);
        answer->parts[i].bound = measure_of(answer->measures[i], study->rows.bounds);
    }
    recommend_try_plan(answer);
    return 0;
}

/* --- all of it ----------------------------------------------------------------------------- */

int recommend_goal(const struct recommend_question *question, struct err *err)
{
    if (!question->objective)
        return CHOICE_BOTH;
    return option_choose("objective", question->objective, recommend_goals, CHOICE_BOTH + 1, err);
}

/* What is not computed, but follows. */
static void recommend_conclude(struct recommend_answer *answer)
{
    struct policy *const *policies = answer->policies.list;
    bool rough = answer->parts[0].volumes_as_means.runs > 0 && answer->roughly_best > 0;
    answer->made = study_provenance(&answer->study);
    answer->objective = recommend_goals[answer->goal];
    answer->now = policies[0]->name;
    answer->use = answer->best > 0 ? policies[answer->best]->name : NULL;
    answer->use_volumes_as_means = rough ? policies[answer->roughly_best]->name : NULL;
    answer->io_pressure = answer->study.workload->io_pressure;
}

int recommend_answer(const struct recommend_question *question, struct recommend_answer *answer,
                     struct err *err)
{
    int goal = recommend_goal(question, err);
    if (goal < 0 || recommend_open_policies(question, answer, err) < 0 ||
        recommend_open_source(question, answer, err) < 0)
        return -1;
    answer->goal = (enum choice_goal)goal;
    if (recommend_choose(question, answer, err) < 0)
        return err_run(err);
    if (isnan(answer->parts[CHOICE_FAIRNESS].gain.now))
        return err_set(err, "%s: no application runs in the window", answer->source.name);
    if (recommend_choose_roughly(question, answer, err) < 0 || recommend_examine(answer, err) < 0)
        return err_run(err);
    recommend_conclude(answer);
    return 0;
}

void recommend_answer_fini(struct recommend_answer *answer)
{
    study_fini(&answer->study);
    source_fini(&answer->source);
    policies_fini(&answer->policies);
}

/* --- what it is ---------------------------------------------------------------------------- */

#define OF(name, what, text) FIELD_OF(struct choice_gain, name, what, text)
static const struct answer_field rough_fields[] = {
    {OF(now, NUMBER, "its mean now")},
    {OF(mean, NUMBER, "its mean under the best strategy")},
    {OF(difference, NUMBER, "mean difference")},
    {OF(margin, NUMBER, "half of the 95 % interval of that; `null` with a single run")},
    {.key = NULL},
};

const struct answer_field choice_gain_fields[] = {
    {.key = "", .kind = FIELD_INLINE, .help = "", .members = rough_fields},
    {.key = "win_rate",
     .kind = FIELD_NUMBER,
     .offset = offsetof(struct choice_gain, wins),
     .help = "part of the runs in which it is better"},
    {OF(runs, WHOLE, "runs that both strategies have")},
    {.key = NULL},
};
#undef OF

#define OF(name, what, text) FIELD_OF(struct recommend_measure, name, what, text)
static const struct answer_field measure_fields[] = {
    {OF(measure, TEXT, "the measure of it")},
    {OF(gain, INLINE, ""), .members = choice_gain_fields},
    {OF(reached, NUMBER, "by the scenario as it is")},
    {OF(bound, NUMBER, "what no schedule of it can pass; `null` = unknown")},
    {OF(plan, NUMBER, "what a plan reaches; `null` = there is none")},
    {OF(volumes_as_means, OBJECT,
        "the same if volumes are known only as the mean of earlier ones; `null` values = nothing "
        "recommended needs them"),
     .members = rough_fields},
    {.key = NULL},
};
#undef OF

#define OF(name, what, text) FIELD_OF(struct recommend_work, name, what, text)
static const struct answer_field work_fields[] = {
    {OF(measure, TEXT, "the measure of it")},
    {OF(now, NUMBER, "its mean now")},
    {OF(mean, NUMBER, "its mean under the best strategy")},
    {OF(twice_as_fast, NUMBER, "now, with twice the bandwidth")},
    {.key = NULL},
};
#undef OF

#define OF(name, what, text) FIELD_OF(struct recommend_costs, name, what, text)
static const struct answer_field cost_fields[] = {
    {OF(name, TEXT, "its name; `null` = there is none")},
    {OF(stretch_now, NUMBER, "its stretch, or 1 / its yield, now")},
    {OF(stretch, NUMBER, "under the best strategy")},
    {.key = NULL},
};
#undef OF

#define OF(name, what, text) FIELD_OF(struct recommend_answer, name, what, text)
static const struct answer_field fields[] = {
    PROVENANCE_FIELDS(struct recommend_answer),
    {OF(objective, TEXT, "`fairness`, `efficiency` or `both`")},
    {OF(now, TEXT, "the strategy that is compared with")},
    {OF(use, TEXT, "the strategy that is recommended; `null` = none is worth a change")},
    {OF(use_volumes_as_means, TEXT,
        "the same if volumes are known only as the mean of earlier ones; `null` also if `use` does "
        "not need them")},
    {OF(io_pressure, NUMBER, "bytes wanted over bytes the file system can move")},
    {RECOMMEND_PART(struct recommend_answer, CHOICE_FAIRNESS, "fairness", measure_fields)},
    {RECOMMEND_PART(struct recommend_answer, CHOICE_EFFICIENCY, "efficiency", measure_fields)},
    {OF(work, OBJECT, "node time that is spent on work"), .members = work_fields},
    {OF(costs, OBJECT, "the application whose delay grows most compared with now"),
     .members = cost_fields},
    {.key = NULL},
};
#undef OF

#define AT(member) offsetof(struct recommend_question, member)
static const struct option options[] = {
    {"objective", 0, OPTION_TEXT, UNIT_NONE, "fairness|efficiency|both", AT(objective),
     "what matters; default both"},
    {"now", 0, OPTION_TEXT, UNIT_NONE, "STRATEGY", AT(now),
     "what the file system does now; default fair-share, as without control"},
    {"policy", 0, OPTION_WORDS, UNIT_NONE, "STRATEGY", AT(policies),
     "a strategy to consider: NAME, NAME:KEY=VALUE,..., a plug-in ./FILE.so, or 'all'; may be "
     "repeated; default those that can run live, or all that the database has"},
    {"window", 0, OPTION_TEXT, UNIT_NONE, "auto|none|START:END", AT(window),
     "measure inside this window, instead of the scenario's own"},
    {"seeds", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(seeds),
     "runs of each strategy; default 30, or 20 of a scenario that is not random"},
    QUESTION_JSON_OPTION(struct recommend_question, "print the numbers as JSON"),
    {.name = NULL},
};
#undef AT

static const struct option_rule rules[] = {
    RULE_RANGE("seeds", 2, MOST_SEEDS),
    {.name = NULL},
};

static const struct question *recommend_instead(const void *question)
{
    return recommend_is_stored(question) ? &recommend_stored_asking : NULL;
}

QUESTION_FUNCTIONS(recommend)
const struct question recommend_asking = {
    .syntax = {"recommend", "SCENARIO|FAMILY|DATABASE", 1, 1, options, rules},
    QUESTION_OF(recommend, fields),
    .instead = recommend_instead,
};
