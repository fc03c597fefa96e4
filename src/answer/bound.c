#include "answer/bound.h"
#include "base/mem.h"
#include "base/stage.h"
#include "bound/bound.h"
#include "bound/prices.h"
#include <math.h>
#include <stdlib.h>

/* --- finding ------------------------------------------------------------------------------- */

/* The largest MinYield, or 1 / max stretch, of a strategy. */
static double bound_best_yield(const struct rows *rows, bool windowed)
{
    double best = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct weir_metrics *metrics = &rows->list[i].metrics;
        best = fmax(best, windowed ? metrics->min_yield : 1 / metrics->max_stretch);
    }
    return best;
}

/* Looks for the best schedule, and lowers the bounds to what it proves. */
static int bound_search(struct bound_answer *answer, uint64_t most, struct err *err)
{
    struct study *study = &answer->study;
    const struct stage_host *host = stage_host();
    struct optimum optimum;
    stage_begin(study->workload->name, "looking for the best schedule");
    const struct optimum_effort effort = {.most = most,
                                          .reached =
                                              bound_best_yield(&study->rows, answer->windowed),
                                          .progress = host->show};
    int status = optimum_find(study->workload, &effort, &optimum, err);
    stage_end();
    if (status < 0)
        return err_prepend_option(err, "search");
    study->rows.bounds->min_yield = fmin(study->rows.bounds->min_yield, optimum.bound);
    study->rows.bounds->max_stretch = fmax(study->rows.bounds->max_stretch, 1 / optimum.bound);
    answer->searched = true;
    answer->optimum = (struct bound_optimum){.reached = optimum.reached,
                                             .bound = optimum.bound,
                                             .proved = optimum.proved,
                                             .decisions = optimum.nodes};
    return 0;
}

static int bound_open(const struct bound_question *question, struct bound_answer *answer,
                      struct err *err)
{
    struct study *study = &answer->study;
    if (policies_open(&answer->policies, &question->policies, err) < 0 ||
        study_open(study, &question->source, &question->asking, 0, NULL, err) < 0 ||
        workload_check_io(study->workload, err) < 0)
        return -1;
    const struct window *window = &study->workload->window;
    answer->windowed = window->kind == WINDOW_FIXED;
    answer->measures[0] = &measures[answer->windowed ? MEASURE_min_yield : MEASURE_makespan];
    answer->measures[1] = &measures[answer->windowed ? MEASURE_efficiency : MEASURE_max_stretch];
    answer->measures[2] = &measures[MEASURE_sys_efficiency];
    answer->measured = 2;
    if (question->min_yield > 1)
        return err_option(err, "--min-yield: '%g' is not above 0 and at most 1",
                          question->min_yield);
    if (question->min_yield > 0 && (!answer->windowed || window->start > 0))
        return err_option(err,
                          "--min-yield needs a window that begins at 0, such as --window auto");
    return 0;
}

/* Adds the bound on SysEfficiency, if there is one. */
static int bound_by_prices(struct bound_answer *answer, struct err *err)
{
    struct study *study = &answer->study;
    stage_begin(study->workload->name, "looking for prices");
    int status = prices_find(study->workload, &study->rows.bounds->sys_efficiency, err);
    stage_end();
    if (!isnan(study->rows.bounds->sys_efficiency))
        answer->measured = BOUNDED;
    return status;
}

static int bound_compute(const struct bound_question *question, struct bound_answer *answer,
                         struct err *err)
{
    struct study *study = &answer->study;
    answer->has_given = question->min_yield > 0;
    answer->given.min_yield = question->min_yield;
    if (study_bound(study, err) < 0 || bound_by_prices(answer, err) < 0 ||
        bounds_efficiency(study->workload, question->min_yield, &answer->given.efficiency, err) < 0)
        return err_run(err);
    for (size_t i = 0; i < answer->policies.count; i++)
        if (study_run_planned(study, answer->policies.list[i], err) < 0)
            return -1;
    if (answer->windowed && isnan(study->rows.list[0].metrics.min_yield))
        return err_set(err, "%s: no application runs in the window", study->workload->name);
    return question->search.given ? bound_search(answer, question->search.value, err) : 0;
}

/* --- results ------------------------------------------------------------------------------- */

static void bound_report(const struct bound_answer *answer, const struct weir_metrics *metrics,
                         struct bound_run *run)
{
    for (size_t i = 0; i < answer->measured; i++)
        run->room[i] = (struct field_number){answer->measures[i]->name,
                                             measure_of(answer->measures[i], metrics)};
    run->metrics = run->room;
    run->metrics_count = answer->measured;
}

int bound_answer(const struct bound_question *question, struct bound_answer *answer,
                 struct err *err)
{
    const struct rows *rows = &answer->study.rows;
    if (bound_open(question, answer, err) < 0 || bound_compute(question, answer, err) < 0)
        return -1;
    answer->made = study_provenance(&answer->study);
    bound_report(answer, rows->bounds, &answer->limit);
    answer->runs = mem_alloc(rows->count, sizeof *answer->runs);
    if (!answer->runs)
        return err_memory(err);
    for (; answer->runs_count < rows->count; answer->runs_count++) {
        struct bound_run *run = &answer->runs[answer->runs_count];
        run->policy = rows->list[answer->runs_count].policy;
        bound_report(answer, &rows->list[answer->runs_count].metrics, run);
    }
    return 0;
}

void bound_answer_fini(struct bound_answer *answer)
{
    free(answer->runs);
    study_fini(&answer->study);
    policies_fini(&answer->policies);
}

/* --- what it is ---------------------------------------------------------------------------- */

static const struct answer_field run_fields[] = {
    {FIELD_OF(struct bound_run, policy, TEXT, "the strategy with its parameters")},
    {FIELD_MAP_OF(struct bound_run, metrics, struct field_number, field_numbers,
                  "what it reaches")},
    {.key = NULL},
};

static const struct answer_field given_fields[] = {
    {FIELD_OF(struct bound_given, min_yield, NUMBER, "as given")},
    {FIELD_OF(struct bound_given, efficiency, NUMBER,
              "at most this; `null` = no schedule has that MinYield")},
    {.key = NULL},
};

static const struct answer_field optimum_fields[] = {
    {FIELD_OF(struct bound_optimum, reached, NUMBER, "a schedule has this MinYield")},
    {FIELD_OF(struct bound_optimum, bound, NUMBER, "and none has more")},
    {FIELD_OF(struct bound_optimum, proved, FLAG, "whether both are the same to 1e-5")},
    {FIELD_OF(struct bound_optimum, decisions, WHOLE, "decisions that were looked at")},
    {.key = NULL},
};

#define OF(name, what, text) FIELD_OF(struct bound_answer, name, what, text)
static const struct answer_field fields[] = {
    PROVENANCE_FIELDS(struct bound_answer),
    {.key = "bound",
     .kind = FIELD_MAP,
     .offset = offsetof(struct bound_answer, limit.metrics),
     .help = "limits that no schedule can beat",
     .members = field_numbers,
     .size = sizeof(struct field_number),
     .count = offsetof(struct bound_answer, limit.metrics_count)},
    {OF(given, OBJECT, "the bound for `--min-yield`"), .members = given_fields,
     .when = offsetof(struct bound_answer, has_given)},
    {OF(optimum, OBJECT, "the best schedule, with `--search`"), .members = optimum_fields,
     .when = offsetof(struct bound_answer, searched)},
    {FIELD_LIST_OF(struct bound_answer, runs, struct bound_run, run_fields,
                   "one run for each strategy")},
    {.key = NULL},
};
#undef OF

#define AT(member) offsetof(struct bound_question, member)
static const struct option options[] = {
    STUDY_POLICY_OPTION(struct bound_question, policies),
    STUDY_WINDOW_OPTION(struct bound_question, source),
    {"min-yield", 0, OPTION_AMOUNT, UNIT_NONE, "Y", AT(min_yield),
     "also show how efficient a schedule can be if its min_yield is at least Y, above 0 and at "
     "most 1"},
    {"search", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(search),
     "also look for the best schedule itself, in at most N decisions; for few I/Os of "
     "applications that can each use the whole bandwidth"},
    STUDY_SOURCE_OPTIONS(struct bound_question, source),
    QUESTION_JSON_OPTION(struct bound_question, "print everything as JSON"),
    {.name = NULL},
};
#undef AT

static const struct option_rule rules[] = {
    RULE_RANGE("search", 1, 0),
    {.name = NULL},
};

QUESTION_FUNCTIONS(bound)
const struct question bound_asking = {
    .syntax = {"bound", "FILE", 1, 1, options, rules},
    QUESTION_OF(bound, fields),
};
