#include "base/mem.h"
#include "base/parallel.h"
#include "cli/commands.h"
#include "cli/counsel.h"
#include "cli/progress.h"

#include <stdlib.h>
#include <string.h>

enum { USUAL_SEEDS = 30, USUAL_ENSEMBLE = 20, MOST_SEEDS = 10000 };

const char *const counsel_goals[] = {"fairness", "efficiency", "both"};

/* What is simulated: the strategies that run live without knowing an application in advance. */
static const char *const candidates[] = {
    "clearing",       "fcfs",    "set-10", "greedy-com", "greedy-yield", "look-ahead-greedy-yield",
    "critical-yield", "surplus", NULL};

/* The cases: the file system as it is, and twice as fast. */
enum { AS_IS, TWICE };

double counsel_gain(const struct measure *measure, double value, double than)
{
    double gain = choice_part(value - than, than, value);
    return measure->sense == METRIC_HIGHER ? gain : -gain;
}

/* --- asking -------------------------------------------------------------------------------- */

static int recommend_open_policies(struct counsel *counsel, struct err *err)
{
    const struct words *asked = &counsel->options->policies;
    const char *now = counsel->options->now ? counsel->options->now : "fair-share";
    if (policies_add(&counsel->policies, now, err) < 0)
        return err_prepend_option(err, "now");
    if (counsel->policies.count > 1)
        return err_option(err, "--now: expected one strategy, got '%s'", now);
    for (size_t i = 0; asked->count ? i < asked->count : candidates[i] != NULL; i++) {
        const char *name = asked->count ? asked->list[i] : candidates[i];
        if (strcmp(name, now) != 0 && policies_add(&counsel->policies, name, err) < 0)
            return -1;
    }
    if (counsel->policies.count < 2)
        return err_option(err, "--policy: no strategy is left to compare with '%s'", now);
    return 0;
}

static int recommend_open_source(struct counsel *counsel, struct err *err)
{
    const struct counsel_options *options = counsel->options;
    if (options->window && study_parse_window(options->window, &counsel->window, err) < 0)
        return -1;
    counsel->opened = true;
    if (compare_source_open(&counsel->source, options->operands.list[0], err) < 0)
        return -1;
    /* study_init takes the scenario over; that of a file belongs to its source. */
    struct scenario *scenario = counsel->source.scenario;
    if (!scenario)
        scenario = family_make(counsel->source.family, counsel->source.values, 1, err);
    if (study_init(&counsel->study, scenario, options->window ? &counsel->window : NULL, err) < 0)
        return scenario ? err_prepend(err, "%s", counsel->source.name) : -1;
    const struct workload *workload = counsel->study.workload;
    if (workload_check_io(counsel->study.workload, err) < 0)
        return -1;
    if (workload->count < 2)
        return err_set(err, "%s: one application delays no other: expected at least two",
                       counsel->source.name);
    return 0;
}

/* Compares strategies over the runs that were asked for. 0, or -1 with err; compare_fini in both
 * cases. */
static int recommend_compare(struct counsel *counsel, const struct compare_question *more,
                             struct comparison *comparison, struct err *err)
{
    const struct counsel_options *options = counsel->options;
    const struct compare_options how = {.jobs = parallel_processors(), .progress = progress_show};
    struct compare_question asked = *more;
    asked.sources = &counsel->source;
    asked.source_count = 1;
    asked.seeds = options->seeds.given ? (size_t)options->seeds.value : USUAL_SEEDS;
    asked.ensemble = options->seeds.given ? (size_t)options->seeds.value : USUAL_ENSEMBLE;
    asked.window = options->window ? &counsel->window : NULL;
    if (compare_init(comparison, &asked, err) < 0)
        return -1;
    progress_begin(counsel->source.name, "comparing strategies");
    int status = compare_run(comparison, &how, err);
    progress_end();
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

static int recommend_judge(const struct counsel *counsel, const struct comparison *comparison,
                           struct recommend_result *result, struct err *err)
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
        table.measures[i] = counsel->measures[i];
        table.values[i] = values[i] = recommend_values(comparison, AS_IS, table.measures[i]);
        status = values[i] ? status : -1;
    }
    if (status == 0 && result->best == SIZE_MAX)
        result->best = choice_find(&table, counsel->goal);
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
static void recommend_judge_work(struct counsel *counsel, const struct comparison *comparison)
{
    const struct measure *measure =
        &measures[counsel->windowed ? MEASURE_utilization : MEASURE_sys_efficiency];
    struct compare_cell own = compare_measure(comparison, AS_IS, counsel->best, measure);
    struct compare_cell now = compare_measure(comparison, AS_IS, 0, measure);
    struct compare_cell twice = compare_measure(comparison, TWICE, 0, measure);
    counsel->work = measure;
    counsel->work_gain = (struct choice_gain){
        .now = summary_mean(&now.value), .mean = summary_mean(&own.value), .runs = own.value.count};
    counsel->work_gain.gain =
        counsel_gain(measure, counsel->work_gain.mean, counsel->work_gain.now);
    counsel->work_twice = summary_mean(&twice.value);
}

static int recommend_choose(struct counsel *counsel, struct err *err)
{
    static const char *speeds[] = {"1x", "2x"};
    static const struct sweep faster = {"bandwidth", speeds, 2};
    struct comparison comparison;
    struct recommend_result result = {.best = SIZE_MAX};
    int status =
        recommend_compare(counsel,
                          &(struct compare_question){.sweeps = &faster,
                                                     .sweep_count = 1,
                                                     .policies = counsel->policies.list,
                                                     .policy_count = counsel->policies.count},
                          &comparison, err);
    if (status == 0) {
        counsel->windowed = comparison.cases[AS_IS].windowed;
        counsel->ensemble = comparison.cases[AS_IS].ensemble;
        for (int i = 0; i < CHOICE_MEASURES; i++)
            counsel->measures[i] = choice_measure((enum choice_goal)i, counsel->windowed);
        status = recommend_judge(counsel, &comparison, &result, err);
    }
    if (status == 0) {
        counsel->best = result.best;
        counsel->idle = result.idle;
        memcpy(counsel->gains, result.gains, sizeof counsel->gains);
        recommend_judge_work(counsel, &comparison);
    }
    compare_fini(&comparison);
    return status;
}

/* The same comparison for a controller that does not know volumes. */
static int recommend_choose_roughly(struct counsel *counsel, struct err *err)
{
    struct policy *const *policies = counsel->policies.list;
    struct comparison comparison;
    struct recommend_result own = {.best = counsel->best}, any = {.best = SIZE_MAX};
    if (counsel->best == 0 || !(policies[counsel->best]->ops->flags & WEIR_NEEDS_VOLUME))
        return 0;
    int status =
        recommend_compare(counsel,
                          &(struct compare_question){.policies = policies,
                                                     .policy_count = counsel->policies.count,
                                                     .knowledge = {.volumes = KNOWLEDGE_MEAN}},
                          &comparison, err);
    if (status == 0)
        status = recommend_judge(counsel, &comparison, &own, err);
    if (status == 0)
        status = recommend_judge(counsel, &comparison, &any, err);
    if (status == 0) {
        memcpy(counsel->roughly, own.gains, sizeof counsel->roughly);
        memcpy(counsel->roughly_best_gains, any.gains, sizeof counsel->roughly_best_gains);
        counsel->roughly_best = any.best;
    }
    compare_fini(&comparison);
    return status;
}

/* --- one realisation ----------------------------------------------------------------------- */

/* The application that is delayed more than before by most, if that can be seen. */
static void recommend_find_victim(struct counsel *counsel, const struct row *before,
                                  const struct row *after)
{
    double most = 0.001;
    counsel->costless = true;
    for (uint32_t i = 0; i < before->count; i++) {
        bool yields = counsel->windowed;
        double old = yields ? 1 / before->apps[i].yield : before->apps[i].stretch;
        double new = yields ? 1 / after->apps[i].yield : after->apps[i].stretch;
        counsel->costless &= !(new > old);
        if (new - old > most) {
            most = new - old;
            counsel->worst_before = old;
            counsel->worst_after = new;
            snprintf(counsel->worst, sizeof counsel->worst, "%s", before->apps[i].name);
        }
    }
}

/* The message without what it is prepended: "NAME: plan: ". */
static const char *recommend_reason(const struct counsel *counsel, const char *text)
{
    const char *const prefixes[] = {counsel->study.workload->name, "plan"};
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(text, prefixes[i], length) == 0 && strncmp(text + length, ": ", 2) == 0)
            text += length + 2;
    }
    return text;
}

/* What a plan reaches, where one can be made of applications that repeat themselves exactly. */
static void recommend_try_plan(struct counsel *counsel)
{
    struct err why = {0};
    struct policy *policy = policy_open("plan", &why);
    struct tasks tasks = {0};
    bool made = tasks_init(&tasks, counsel->study.workload, &why) == 0;
    size_t before = counsel->study.rows.count;
    counsel->varies = made && tasks.means;
    tasks_fini(&tasks);
    if (policy && made && !counsel->varies &&
        study_run(&counsel->study, policy, (struct sim_options){0}, &why) == 0)
        for (int i = 0; i < CHOICE_MEASURES; i++)
            counsel->plan[i] =
                measure_of(counsel->measures[i], &counsel->study.rows.list[before].metrics);
    snprintf(counsel->no_plan, sizeof counsel->no_plan, "%s", recommend_reason(counsel, why.text));
    policy_free(policy);
}

static int recommend_examine(struct counsel *counsel, struct err *err)
{
    struct study *study = &counsel->study;
    for (int i = 0; i < CHOICE_MEASURES; i++)
        counsel->reached[i] = counsel->bound[i] = counsel->plan[i] = NAN;
    if (study_run(study, counsel->policies.list[0], (struct sim_options){0}, err) < 0 ||
        study_run(study, counsel->policies.list[counsel->best], (struct sim_options){0}, err) < 0 ||
        study_bound(study, err) < 0)
        return -1;
    recommend_find_victim(counsel, &study->rows.list[0], &study->rows.list[1]);
    for (int i = 0; i < CHOICE_MEASURES; i++) {
        counsel->reached[i] = measure_of(counsel->measures[i], &study->rows.list[1].metrics);
        counsel->bound[i] = measure_of(counsel->measures[i], study->rows.bounds);
    }
    recommend_try_plan(counsel);
    return 0;
}

/* --- the command --------------------------------------------------------------------------- */

static int recommend_scenario(struct counsel *counsel, struct err *err)
{
    if (recommend_open_policies(counsel, err) < 0 || recommend_open_source(counsel, err) < 0)
        return STATUS_MISUSE;
    if (recommend_choose(counsel, err) < 0)
        return STATUS_FAILED;
    if (isnan(counsel->gains[CHOICE_FAIRNESS].now)) {
        err_set(err, "%s: no application runs in the window", counsel->source.name);
        return STATUS_MISUSE;
    }
    if (recommend_choose_roughly(counsel, err) < 0 || recommend_examine(counsel, err) < 0)
        return STATUS_FAILED;
    if (counsel->options->json)
        counsel_print_json(counsel);
    else
        counsel_print(counsel);
    return STATUS_DONE;
}

static int recommend_do(struct counsel *counsel, struct err *err)
{
    const struct counsel_options *options = counsel->options;
    int goal = options->objective ? option_choose("objective", options->objective, counsel_goals,
                                                  CHOICE_BOTH + 1, err)
                                  : CHOICE_BOTH;
    if (goal < 0)
        return STATUS_MISUSE;
    counsel->goal = (enum choice_goal)goal;
    if (options->seeds.given && (options->seeds.value < 2 || options->seeds.value > MOST_SEEDS)) {
        err_option(err, "--seeds: expected 2 to %d", MOST_SEEDS);
        return STATUS_MISUSE;
    }
    if (counsel_is_stored(options->operands.list[0]))
        return counsel_read_stored(options, counsel->goal, err);
    return recommend_scenario(counsel, err);
}

static int cli_recommend_run(const void *values, struct err *err)
{
    struct counsel counsel = {.options = values};
    int status = recommend_do(&counsel, err);
    if (counsel.study.scenario == counsel.source.scenario)
        counsel.study.scenario = NULL; /* the source's */
    study_fini(&counsel.study);
    if (counsel.opened)
        compare_source_fini(&counsel.source);
    policies_fini(&counsel.policies);
    return status;
}

#define AT(member) offsetof(struct counsel_options, member)
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
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), "print the numbers as JSON"},
    {.name = NULL},
};
#undef AT

const struct command command_recommend = {
    .name = "recommend",
    .summary = "recommend a strategy, and show what it gains and costs",
    .operands = "SCENARIO|FAMILY|DATABASE",
    .least = 1,
    .most = 1,
    .options = options,
    .details =
        "Compares the strategies over seeds, or over an ensemble where nothing is random; "
        "then looks at the scenario as it is, or with seed 1: what each application pays, "
        "how far the best possible is, whether a plan would be better, and what a file "
        "system twice as fast would bring instead. From a campaign's database, it compares the "
        "strategies that are stored there.",
    .example = "weir recommend examples/quickstart.yaml --objective fairness",
    .size = sizeof(struct counsel_options),
    .run = cli_recommend_run,
};
