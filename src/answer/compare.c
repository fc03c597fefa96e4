#include "answer/compare.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "base/stage.h"
#include "trial/row.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_SEEDS = 30, USUAL_ENSEMBLE = 20, MOST_JOBS = 1024 };

/* --- the question ---------------------------------------------------------------------------- */

/* Files whose scenarios have the same name go by what the user has written. */
static void compare_tell_apart(struct compare_answer *answer, const char *const *operands)
{
    struct experiment_source *sources = answer->sources;
    for (size_t i = 0; i < answer->opened; i++) {
        const char *name = sources[i].name;
        bool again = false;
        for (size_t k = i + 1; k < answer->opened; k++)
            if (strcmp(sources[k].name, name) == 0) {
                sources[k].name = operands[k];
                again = true;
            }
        if (again)
            sources[i].name = operands[i];
    }
}

static int compare_open_sources(const struct asking *asking, struct compare_answer *answer,
                                struct err *err)
{
    const struct words *operands = &asking->operands;
    answer->sources = mem_alloc(operands->count, sizeof *answer->sources);
    if (!answer->sources)
        return err_memory(err);
    while (answer->opened < operands->count) {
        size_t i = answer->opened++;
        const struct scenario *scenario = asking_scenario(asking, i);
        if (scenario)
            answer->sources[i] = source_of(scenario);
        else if (source_open(&answer->sources[i], operands->list[i], err) < 0)
            return -1;
        scenario = answer->sources[i].scenario;
        if (scenario && scenario->warning)
            stage_warn("%s: %s", operands->list[i], scenario->warning);
    }
    compare_tell_apart(answer, operands->list);
    return 0;
}

/* Whether an option fixes what a sweep varies. */
static int compare_check_sweep(const struct study_knowledge *knowledge, const char *path,
                               struct err *err)
{
    if (strcmp(path, "knowledge") == 0 && knowledge->volumes)
        return err_option(err, "--sweep knowledge and --knowledge exclude each other");
    if (strcmp(path, "progress_age") == 0 && knowledge->age.given)
        return err_option(err, "--sweep progress_age and --progress-age exclude each other");
    return 0;
}

static int compare_read_sweeps(const struct compare_question *question,
                               struct compare_answer *answer, struct err *err)
{
    const struct words *sweeps = &question->sweeps;
    if (sweeps->count > COMPARE_MOST_SWEEPS)
        return err_option(err, "--sweep: expected at most %d", COMPARE_MOST_SWEEPS);
    for (size_t i = 0; i < sweeps->count; i++) {
        if (sweep_parse(&answer->sweeps[i], sweeps->list[i], answer->sources, &answer->arena, err) <
            0)
            return err_prepend_option(err, "sweep");
        if (compare_check_sweep(&question->knowledge, answer->sweeps[i].path, err) < 0)
            return -1;
        for (size_t k = 0; k < i; k++)
            if (strcmp(answer->sweeps[i].path, answer->sweeps[k].path) == 0)
                return err_option(err, "--sweep: '%s' is given twice", answer->sweeps[i].path);
    }
    return 0;
}

/* The index of the strategy that the others are compared with; -1 with err. */
static int compare_find_baseline(const struct compare_answer *answer, const char *name,
                                 struct err *err)
{
    for (size_t i = 0; i < answer->policies.count; i++)
        if (!name || strcmp(answer->policies.list[i]->name, name) == 0)
            return (int)i;
    return err_option(err, "--baseline: '%s' is not among the strategies", name);
}

/* What the option says, or what is usual. */
static size_t compare_count(const struct whole *given, size_t usual)
{
    return given->given ? (size_t)given->value : usual;
}

static int compare_read(const struct compare_question *question, struct compare_answer *answer,
                        struct compare_task *task, struct err *err)
{
    if (study_parse_knowledge(&question->knowledge, &task->knowledge, err) < 0 ||
        policies_open(&answer->policies, &question->policies, err) < 0 ||
        (question->window && study_parse_window(question->window, &answer->window, err) < 0))
        return -1;
    int baseline = compare_find_baseline(answer, question->baseline, err);
    if (baseline < 0 || compare_open_sources(&question->asking, answer, err) < 0 ||
        compare_read_sweeps(question, answer, err) < 0)
        return -1;
    task->baseline = (size_t)baseline;
    return 0;
}

static int compare_begin(const struct compare_question *question, struct compare_answer *answer,
                         struct err *err)
{
    struct compare_task task = {.sweeps = answer->sweeps,
                                .sweep_count = question->sweeps.count,
                                .seeds = compare_count(&question->seeds, USUAL_SEEDS),
                                .ensemble = compare_count(&question->ensemble, USUAL_ENSEMBLE),
                                .first_seed = compare_count(&question->first_seed, 1),
                                .window = question->window ? &answer->window : NULL,
                                .window_text = question->window};
    if (compare_read(question, answer, &task, err) < 0)
        return -1;
    task.sources = answer->sources;
    task.source_count = answer->opened;
    task.policies = answer->policies.list;
    task.policy_count = answer->policies.count;
    if (compare_init(&answer->comparison, &task, err) < 0)
        return -1;
    if (*answer->comparison.warning)
        stage_warn("%s", answer->comparison.warning);
    return 0;
}

/* --- the answer ------------------------------------------------------------------------------ */

static struct compare_statistic compare_summarise(const struct measure *measure,
                                                  const struct compare_cell *cell)
{
    const struct summary *difference = &cell->difference.difference;
    enum paired_verdict verdict = paired_judge(&cell->difference);
    bool rated = measure->sense != METRIC_INFO, higher = measure->sense == METRIC_HIGHER;
    return (struct compare_statistic){
        .measure = measure->name,
        .count = cell->value.count,
        .mean = summary_mean(&cell->value),
        .deviation = summary_deviation(&cell->value),
        .margin = summary_margin(&cell->value),
        .difference = summary_mean(difference),
        .difference_margin = summary_margin(difference),
        .wins = rated ? paired_win_rate(&cell->difference, higher) : NAN,
        .significant = verdict == PAIRED_UNKNOWN ? NAN : verdict == PAIRED_SIGNIFICANT};
}

static int compare_report_strategy(struct compare_answer *answer, size_t number, size_t policy,
                                   struct compare_strategy *strategy)
{
    strategy->policy = answer->policies.list[policy]->name;
    strategy->metrics = arena_alloc(&answer->arena, MEASURE_COUNT, sizeof *strategy->metrics);
    if (!strategy->metrics)
        return -1;
    for (size_t k = 0; k < MEASURE_COUNT; k++) {
        struct compare_cell cell =
            compare_measure(&answer->comparison, number, policy, &measures[k]);
        strategy->metrics[strategy->metrics_count++] = compare_summarise(&measures[k], &cell);
    }
    return 0;
}

static int compare_report_case(struct compare_answer *answer, size_t number,
                               struct compare_report *report)
{
    const struct compare_case *of = &answer->comparison.cases[number];
    size_t sweeps = answer->comparison.asked.sweep_count, policies = answer->policies.count;
    report->scenario = of->source->name;
    knowledge_print(&of->knowledge, report->knowledge, sizeof report->knowledge);
    report->progress_age = of->knowledge.age;
    report->members = of->members;
    report->ensemble = of->ensemble;
    report->sweep = arena_alloc(&answer->arena, sweeps + 1, sizeof *report->sweep);
    report->strategies = arena_alloc(&answer->arena, policies, sizeof *report->strategies);
    if (!report->sweep || !report->strategies)
        return -1;
    for (size_t i = 0; i < sweeps; i++)
        report->sweep[report->sweep_count++] =
            (struct field_text){of->changes[i].path, of->changes[i].value};
    for (size_t p = 0; p < policies; p++)
        if (compare_report_strategy(answer, number, p,
                                    &report->strategies[report->strategies_count++]) < 0)
            return -1;
    return 0;
}

static int compare_report(struct compare_answer *answer, struct err *err)
{
    const struct comparison *comparison = &answer->comparison;
    answer->weir = row_version;
    answer->baseline = comparison->asked.policies[comparison->asked.baseline]->name;
    answer->confidence = STAT_CONFIDENCE;
    answer->first_seed = comparison->asked.first_seed;
    answer->cases = arena_alloc(&answer->arena, comparison->count, sizeof *answer->cases);
    if (!answer->cases)
        return err_memory(err);
    for (size_t i = 0; i < comparison->count; i++)
        if (compare_report_case(answer, i, &answer->cases[answer->cases_count++]) < 0)
            return err_memory(err);
    return 0;
}

int compare_answer(const struct compare_question *question, struct compare_answer *answer,
                   struct err *err)
{
    const struct stage_host *host = stage_host();
    const struct compare_options how = {.jobs =
                                            compare_count(&question->jobs, parallel_processors()),
                                        .progress = host->show,
                                        .stop = host->stop,
                                        .context = host->context};
    char stage[64];
    if (compare_begin(question, answer, err) < 0)
        return -1;
    snprintf(stage, sizeof stage, "%zu runs", answer->comparison.members * answer->policies.count);
    stage_begin("compare", stage);
    int status = compare_run(&answer->comparison, &how, err);
    stage_end();
    return status < 0 ? err_run(err) : compare_report(answer, err);
}

void compare_answer_fini(struct compare_answer *answer)
{
    compare_fini(&answer->comparison);
    for (size_t i = 0; i < answer->opened; i++)
        source_fini(&answer->sources[i]);
    free(answer->sources);
    policies_fini(&answer->policies);
    arena_fini(&answer->arena);
}

/* --- what it is ------------------------------------------------------------------------------ */

#define OF(name, what, text) FIELD_OF(struct compare_statistic, name, what, text)
static const struct answer_field statistic_fields[] = {
    {OF(count, WHOLE, "runs in which the measure has a meaning")},
    {OF(mean, NUMBER, "mean")},
    {OF(deviation, NUMBER, "standard deviation")},
    {OF(margin, NUMBER, "half the width of the interval of the mean")},
    {OF(difference, NUMBER, "mean difference to the baseline")},
    {OF(difference_margin, NUMBER, "half the width of its interval")},
    {OF(wins, NUMBER,
        "part of the runs in which it is better than the baseline, equal ones counted half")},
    {OF(significant, TRUTH, "whether the interval of the difference excludes 0")},
    {.key = NULL},
};
#undef OF

static const struct answer_field strategy_fields[] = {
    {FIELD_OF(struct compare_strategy, policy, TEXT, "the strategy")},
    {FIELD_MAP_OF(struct compare_strategy, metrics, struct compare_statistic, statistic_fields,
                  "by the name of the measure")},
    {.key = NULL},
};

#define OF(name, what, text) FIELD_OF(struct compare_report, name, what, text)
static const struct answer_field case_fields[] = {
    {OF(scenario, TEXT, "the scenario, or the family as it was written")},
    {FIELD_MAP_OF(struct compare_report, sweep, struct field_text, field_texts,
                  "the value of each path that is swept")},
    {OF(knowledge, CHARS, "what strategies know of volumes: `exact`, `mean`, or a percentage")},
    {OF(progress_age, NUMBER, "how late they know the progress of applications"),
     .unit = UNIT_SECONDS},
    {OF(members, WHOLE, "runs of each strategy")},
    {OF(ensemble, FLAG, "whether they differ by 1e-9 in the input, and not by the seed")},
    {FIELD_LIST_OF(struct compare_report, strategies, struct compare_strategy, strategy_fields,
                   "one for each strategy")},
    {.key = NULL},
};
#undef OF

#define OF(name, what, text) FIELD_OF(struct compare_answer, name, what, text)
static const struct answer_field fields[] = {
    {OF(weir, TEXT, "version of the program")},
    {OF(baseline, TEXT, "the strategy that the others are compared with")},
    {OF(confidence, NUMBER, "of the intervals, 0.95")},
    {OF(first_seed, WHOLE, "seed of the first member")},
    {FIELD_LIST_OF(struct compare_answer, cases, struct compare_report, case_fields,
                   "one for each scenario or family, and combination of the values of the sweeps")},
    {.key = NULL},
};
#undef OF

#define AT(member) offsetof(struct compare_question, member)
static const struct option options[] = {
    STUDY_POLICY_OPTION(struct compare_question, policies),
    {"baseline", 0, OPTION_TEXT, UNIT_NONE, "STRATEGY", AT(baseline),
     "the strategy that the others are compared with; default the first"},
    {"seeds", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(seeds),
     "draw everything random with N seeds; default 30"},
    {"first-seed", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(first_seed),
     "the first of them, the others follow; default 1; fresh ones confirm what was found"},
    {"ensemble", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(ensemble),
     "run what is not random N times, with lengths and volumes that differ by 1e-9; default 20"},
    {"sweep", 0, OPTION_WORDS, UNIT_NONE, "PATH=VALUE,...", AT(sweeps),
     "vary a value of the scenarios, such as bandwidth=1x,2x or applications.cfd.work=1h,2h, or a "
     "parameter of the families, such as pressure=0.5,0.9; may be repeated"},
    {"window", 0, OPTION_TEXT, UNIT_NONE, "auto|none|START:END", AT(window),
     "measure inside this window, instead of the scenarios' own"},
    STUDY_KNOWLEDGE_OPTIONS(struct compare_question, knowledge),
    {"metrics", 0, OPTION_TEXT, UNIT_NONE, "MEASURE,...", AT(metrics),
     "measures to show in tables, CSV and figure"},
    {"jobs", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(jobs),
     "simulate in N threads; default one per processor; the results do not depend on it"},
    QUESTION_PLOT_OPTION(struct compare_question, "draw means and intervals"),
    QUESTION_JSON_OPTION(struct compare_question, "print all measures as JSON"),
    {"csv", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(asking.csv),
     "print one line per case, strategy and measure as CSV"},
    {.name = NULL},
};
#undef AT

static const struct option_rule rules[] = {
    RULE_EXCLUDE("json", "csv"),
    RULE_STDOUT("plot", "json"),
    RULE_STDOUT("plot", "csv"),
    RULE_RANGE("jobs", 1, MOST_JOBS),
    RULE_RANGE("seeds", 1, COMPARE_MOST_RUNS),
    RULE_RANGE("first-seed", 1, 1000000000000000),
    RULE_RANGE("ensemble", 1, COMPARE_MOST_RUNS),
    {.name = NULL},
};

QUESTION_FUNCTIONS(compare)
const struct question compare_asking = {
    .syntax = {"compare", "SCENARIO|FAMILY...", 1, SIZE_MAX, options, rules},
    QUESTION_OF(compare, fields),
};
