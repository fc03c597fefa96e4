#include "answer/checkpoint.h"
#include "base/mem.h"
#include "base/stage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 64 };

/* --- reading ------------------------------------------------------------------------------- */

/* Finds the application by its name, which is with a number where it has several copies. */
static int checkpoint_find(struct checkpoint_answer *answer, struct err *err)
{
    const struct workload *workload = answer->study.workload;
    const char *name = answer->asked->application;
    char label[APP_LABEL];
    for (uint32_t id = 0; id < workload->count; id++)
        if (strcmp(app_label(&workload->apps[id], label, sizeof label), name) == 0) {
            answer->advice.id = id;
            return 0;
        }
    for (uint32_t id = 0; id < workload->count; id++)
        if (strcmp(workload->apps[id].name, name) == 0)
            return err_option(err, "--application: '%s' has several copies, such as '%s'", name,
                              app_label(&workload->apps[id], label, sizeof label));
    return err_option(err, "--application: no application is named '%s'", name);
}

static double checkpoint_between(const struct checkpoint_answer *answer, const struct app *app)
{
    const struct checkpoint_question *asked = answer->asked;
    return asked->mtbf > 0 ? asked->mtbf : asked->node_mtbf / app->facts.nodes;
}

/* Reads the intervals to judge, none of which is shorter than a checkpoint or longer than the work.
 */
static int checkpoint_read_intervals(struct checkpoint_answer *answer, struct err *err)
{
    const struct words *words = &answer->asked->intervals;
    const struct app *app = &answer->study.workload->apps[answer->advice.id];
    double cost = checkpoint_alone(app), work = app->facts.total_work;
    char length[LABEL];
    double *given = answer->advice.given = mem_alloc(words->count, sizeof *given);
    if (!given)
        return err_memory(err);
    for (size_t i = 0; i < words->count; i++) {
        double *interval = &given[i];
        if (units_parse(words->list[i], UNIT_SECONDS, interval, err) < 0)
            return err_prepend_option(err, "interval");
        if (*interval < cost)
            return err_option(err, "--interval: '%s' is shorter than a checkpoint, which takes %s",
                              words->list[i],
                              units_print(cost, UNIT_SECONDS, length, sizeof length));
        if (*interval > work * (1 + 1e-12))
            return err_option(err, "--interval: '%s' is longer than the work of '%s', %s",
                              words->list[i], answer->asked->application,
                              units_print(work, UNIT_SECONDS, length, sizeof length));
        if (*interval < checkpoint_shortest(app))
            return err_option(err, "--interval: '%s' makes too many checkpoints to simulate",
                              words->list[i]);
    }
    answer->advice.given_count = words->count;
    return 0;
}

/* Sets how an application fails, if it writes checkpoints. */
static int checkpoint_set_failures(struct checkpoint_answer *answer, uint32_t id, struct err *err)
{
    const struct app *app = &answer->study.workload->apps[id];
    double cost = checkpoint_alone(app), between = checkpoint_between(answer, app);
    char label[APP_LABEL], takes[LABEL], fails[LABEL];
    app_label(app, label, sizeof label);
    if (!(cost > 0 && app->facts.total_work > 0))
        return answer->asked->all ? 0
                                  : err_option(err, "--application: '%s' has no %s", label,
                                               cost > 0 ? "work" : "I/O");
    if (cost > between)
        return err_set(err, "'%s': a checkpoint takes %s alone, but a failure comes every %s",
                       label, units_print(cost, UNIT_SECONDS, takes, sizeof takes),
                       units_print(between, UNIT_SECONDS, fails, sizeof fails));
    answer->advice.failures[id] =
        (struct failures){between, isnan(answer->restart) ? cost : answer->restart};
    return 0;
}

static int checkpoint_read_restart(struct checkpoint_answer *answer, struct err *err)
{
    const char *text = answer->asked->restart;
    answer->restart = NAN;
    if (!text)
        return 0;
    if (units_parse(text, UNIT_SECONDS, &answer->restart, err) < 0)
        return err_prepend_option(err, "restart");
    return answer->restart >= 0 ? 0 : err_option(err, "--restart: '%s' is below 0", text);
}

static int checkpoint_prepare(struct checkpoint_answer *answer, struct err *err)
{
    const struct checkpoint_question *asked = answer->asked;
    const struct window none = {.kind = WINDOW_NONE};
    if (asked->all == (asked->application != NULL))
        return err_set(err, "expected either --application NAME or --all");
    if (checkpoint_read_restart(answer, err) < 0 ||
        !(answer->strategy = study_file_system(asked->policy, err)) ||
        study_open(&answer->study, &asked->source, &asked->asking, 0, &none, err) < 0 ||
        workload_check_one_store(answer->study.workload, err) < 0)
        return -1;
    const struct workload *workload = answer->study.workload;
    if (answer->strategy->ops->flags & WEIR_NEEDS_PLAN)
        return err_option(err, "--policy: a plan is made for one set of intervals");
    if (!workload->nodes_known && asked->node_mtbf > 0)
        return err_option(err, "--node-mtbf: the nodes of the applications are unknown");
    if (asked->application ? checkpoint_find(answer, err) < 0
                           : workload_check_io(workload, err) < 0)
        return -1;
    if (intervals_init(&answer->advice, workload, answer->strategy, err) < 0)
        return -1;
    for (uint32_t id = 0; id < workload->count; id++)
        if ((asked->all || id == answer->advice.id) && checkpoint_set_failures(answer, id, err) < 0)
            return -1;
    return asked->all ? 0 : checkpoint_read_intervals(answer, err);
}

/* --- results ------------------------------------------------------------------------------- */

static int checkpoint_report(struct checkpoint_answer *answer, struct err *err)
{
    const struct intervals *advice = &answer->advice;
    const struct advice_list *list = &advice->shown;
    answer->made = study_provenance(&answer->study);
    answer->policy = answer->strategy->name;
    answer->all = answer->asked->all;
    answer->one = !answer->all;
    answer->wasted = advice->after.wasted;
    answer->wasted_as_if_alone = advice->before.wasted;
    if (answer->one) {
        answer->alone = checkpoint_alone(&answer->study.workload->apps[advice->id]);
        answer->between = advice->failures[advice->id].between;
        answer->best = list->lines[list->best].interval;
        answer->young = interval_young(answer->alone, answer->between);
        answer->daly = interval_daly(answer->alone, answer->between);
    }
    answer->intervals = mem_alloc(list->count, sizeof *answer->intervals);
    if (!answer->intervals)
        return err_memory(err);
    for (uint32_t i = 0; i < list->count; i++) {
        const struct advice *line = &list->lines[i];
        answer->intervals[answer->intervals_count++] =
            (struct checkpoint_line){.label = answer->all       ? line->name
                                              : i == list->best ? "best"
                                                                : "",
                                     .name = line->name,
                                     .interval = line->interval,
                                     .checkpoint_takes = line->cost,
                                     .overhead = line->overhead / 100,
                                     .others_delayed = answer->all ? NAN : line->others / 100,
                                     .interval_alone = line->alone};
    }
    return 0;
}

int checkpoint_answer(const struct checkpoint_question *question, struct checkpoint_answer *answer,
                      struct err *err)
{
    struct intervals *advice = &answer->advice;
    answer->asked = question;
    if (checkpoint_prepare(answer, err) < 0)
        return -1;
    stage_begin(advice->workload->name, "trying intervals");
    int status = question->all ? intervals_settle(advice, err)
                               : intervals_advise(advice, question->asking.plot != NULL, err);
    stage_end();
    return status < 0 ? err_run(err) : checkpoint_report(answer, err);
}

void checkpoint_answer_fini(struct checkpoint_answer *answer)
{
    free(answer->intervals);
    study_fini(&answer->study);
    policy_free(answer->strategy);
    intervals_fini(&answer->advice);
}

/* --- what it is ---------------------------------------------------------------------------- */

#define OF(name, what, text) FIELD_OF(struct checkpoint_line, name, what, text)
#define TIME(name, title, text)                                                                    \
    OF(name, NUMBER, text), .unit = UNIT_SECONDS, FIELD_COLUMN(title, INFO, 4)
const struct answer_field checkpoint_line_fields[] = {
    {OF(label, TEXT, ""), .place = FIELD_NO_JSON},
    {OF(name, TEXT, "the application")},
    {TIME(interval, "interval", "its interval")},
    {TIME(checkpoint_takes, "checkpoint_takes", "what a checkpoint takes, waiting included")},
    {OF(overhead, NUMBER, "how far its expected time exceeds the work, as a part of the work"),
     FIELD_COLUMN("overhead_(%)", LOWER, 4), .percent = true},
    {OF(others_delayed, NUMBER,
        "part of their time alone that the others lose; `null` with `--all`"),
     FIELD_COLUMN("others_delayed (%)", INFO, 4), .percent = true},
    {TIME(interval_alone, "interval_alone", "the best interval if it were alone")},
    {.key = NULL},
};
#undef TIME
#undef OF

#define OF(name, what, text) FIELD_OF(struct checkpoint_answer, name, what, text)
#define ONE                  .when = offsetof(struct checkpoint_answer, one)
#define ALL                  .when = offsetof(struct checkpoint_answer, all)
static const struct answer_field fields[] = {
    PROVENANCE_FIELDS(struct checkpoint_answer),
    {OF(policy, TEXT, "the strategy that was simulated")},
    {OF(best, NUMBER, "the best interval of the application"), .unit = UNIT_SECONDS, ONE},
    {OF(young, NUMBER, "Young's interval, alone"), .unit = UNIT_SECONDS, ONE},
    {OF(daly, NUMBER, "Daly's interval, alone"), .unit = UNIT_SECONDS, ONE},
    {OF(wasted, NUMBER, "node seconds wasted, with `--all`"), ALL},
    {OF(wasted_as_if_alone, NUMBER, "the same with the best intervals alone"), ALL},
    {FIELD_LIST_OF(struct checkpoint_answer, intervals, struct checkpoint_line,
                   checkpoint_line_fields,
                   "the curve around the best interval, or those of `--interval` with the best, or "
                   "all applications")},
    {.key = NULL},
};
#undef ALL
#undef ONE
#undef OF

#define AT(member) offsetof(struct checkpoint_question, member)
static const struct option options[] = {
    {"application", 0, OPTION_TEXT, UNIT_NONE, "NAME", AT(application),
     "find the best interval of this one; the others stay as they are"},
    {"all", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(all),
     "find intervals of all applications that waste the least node time together"},
    {"mtbf", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(mtbf),
     "mean time between failures of the application, or of each"},
    {"node-mtbf", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(node_mtbf),
     "the same of one node: an application fails as often as its nodes together"},
    {"interval", 0, OPTION_WORDS, UNIT_NONE, "TIME", AT(intervals),
     "judge this interval beside the best, instead of a curve around that; may be repeated"},
    {"restart", 0, OPTION_TEXT, UNIT_NONE, "TIME", AT(restart),
     "time that a restart takes; default as long as a checkpoint alone"},
    STUDY_FILE_SYSTEM_OPTION(struct checkpoint_question, policy),
    QUESTION_PLOT_OPTION(struct checkpoint_question, "draw the curve"),
    STUDY_SOURCE_OPTIONS(struct checkpoint_question, source),
    QUESTION_JSON_OPTION(struct checkpoint_question, "print everything as JSON"),
    {.name = NULL},
};
#undef AT

static const struct option_rule rules[] = {
    RULE_REQUIRE("mtbf", "node-mtbf"), RULE_EXCLUDE("mtbf", "node-mtbf"),
    RULE_NEED("plot", "application"),  RULE_NEED("interval", "application"),
    RULE_STDOUT("plot", "json"),       {.name = NULL},
};

QUESTION_FUNCTIONS(checkpoint)
const struct question checkpoint_asking = {
    .syntax = {"checkpoint", "FILE", 1, 1, options, rules},
    QUESTION_OF(checkpoint, fields),
};
