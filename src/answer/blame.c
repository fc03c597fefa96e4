#include "answer/blame.h"
#include "base/mem.h"
#include "base/stage.h"
#include "format/import.h"
#include <math.h>
#include <stdlib.h>

enum { TOP = 20 };

static const char *const blame_keys[] = {"user", "account", "application"}; /* culprits.by */

/* --- reading ------------------------------------------------------------------------------- */

static int blame_load(const struct blame_question *question, struct blame_answer *answer,
                      struct err *err)
{
    const char *path = question->asking.operands.list[0];
    if (!question->journal)
        return study_open(&answer->study, &question->source, &question->asking, 0, NULL, err);
    const struct import_source source = {.paths = &path, .count = 1};
    const struct import_options how = {.platform = question->source.platform,
                                       .store = question->store};
    struct window window;
    char *notes = NULL;
    size_t length;
    FILE *stream;
    if (question->source.window && study_parse_window(question->source.window, &window, err) < 0)
        return -1;
    if (!(stream = open_memstream(&notes, &length)))
        return err_memory(err);
    struct scenario *scenario =
        import_files(import_find("journal", err), &source, &how, stream, err);
    if (fclose(stream) == 0 && scenario)
        stage_note(notes);
    free(notes);
    return study_init(&answer->study, scenario, question->source.window ? &window : NULL, err);
}

/* Reads everything, and finds what is wrong with it before anything runs. 0, or -1 with err. */
static int blame_prepare(const struct blame_question *question, struct blame_answer *answer,
                         struct err *err)
{
    int by = question->by ? option_choose("by", question->by, blame_keys, 3, err)
                          : CULPRITS_APPLICATIONS;
    answer->culprits.by = by;
    if (by < 0)
        return -1;
    if (question->journal && asking_scenario(&question->asking, 0))
        return err_option(err, "--journal: the scenario is not read from a file");
    if (question->journal && question->source.seed.given)
        return err_option(err, "--seed: a journal has nothing random");
    if (!(answer->strategy = study_file_system(question->policy, err)) ||
        blame_load(question, answer, err) < 0 ||
        workload_check_io(answer->study.workload, err) < 0 ||
        workload_check_one_store(answer->study.workload, err) < 0)
        return -1;
    const struct workload *workload = answer->study.workload;
    if (workload->count < 2)
        return err_set(err, "%s: one application delays no other: expected at least two",
                       workload->name);
    if (by != CULPRITS_APPLICATIONS && workload->parties[by].count == 0)
        return err_option(err,
                          "--by %s: no application has the key '%s': add it to the scenario, or "
                          "import a log that has it",
                          question->by, question->by);
    if (answer->strategy->ops->flags & WEIR_NEEDS_PLAN &&
        !(answer->plan = study_plan(&answer->study, answer->strategy, err)))
        return -1;
    return 0;
}

/* --- results ------------------------------------------------------------------------------- */

static int blame_report(struct blame_answer *answer, struct err *err)
{
    const struct culprits *culprits = &answer->culprits;
    const struct culprits_worst *worst = &culprits->worst;
    answer->made = study_provenance(&answer->study);
    answer->policy = answer->strategy->name;
    answer->by = blame_keys[culprits->by];
    answer->lost = culprits->lost;
    answer->idle = culprits->idle;
    answer->worst = (struct blame_worst){.start = worst->start,
                                         .end = worst->end,
                                         .lost = worst->lost,
                                         .charged = worst->charged,
                                         .name = worst->charged > 0 ? culprits->worst.name : NULL};
    answer->list = mem_alloc(culprits->count, sizeof *answer->list);
    if (!answer->list)
        return err_memory(err);
    for (uint32_t i = 0; i < culprits->count; i++) {
        const struct culprit *culprit = &culprits->list[i];
        const struct blame_account *account = &culprit->account;
        answer->list[answer->list_count++] =
            (struct blame_line){.name = culprit->name,
                                .caused = account->caused,
                                .own = account->own,
                                .suffered = account->suffered,
                                .idle = account->idle,
                                .share = 100 * (account->caused + account->own) / answer->lost,
                                .gain_without = culprit->without};
    }
    return 0;
}

int blame_answer(const struct blame_question *question, struct blame_answer *answer,
                 struct err *err)
{
    struct culprits *culprits = &answer->culprits;
    const struct study *study = &answer->study;
    if (blame_prepare(question, answer, err) < 0)
        return -1;
    if (culprits_find(culprits, study, answer->strategy, answer->plan, err) < 0)
        return err_run(err);
    if (!culprits_see_any(culprits, study))
        return err_set(err, "%s: no application runs in the window", study->workload->name);
    uint64_t top = question->top.given ? question->top.value : TOP;
    answer->shown = culprits->count < top ? culprits->count : (uint32_t)top;
    if (culprits_try_without(culprits, study, answer->strategy, (uint32_t)answer->shown, err) < 0)
        return err_run(err);
    return blame_report(answer, err);
}

void blame_answer_fini(struct blame_answer *answer)
{
    free(answer->list);
    study_fini(&answer->study);
    policy_free(answer->strategy);
    plan_free(answer->plan);
    culprits_fini(&answer->culprits);
}

/* --- what it is ---------------------------------------------------------------------------- */

#define OF(name, what, text) FIELD_OF(struct blame_line, name, what, text)
#define TIME(name, title, text)                                                                    \
    OF(name, NUMBER, text), .unit = UNIT_SECONDS, FIELD_COLUMN(title, INFO, 4)
const struct answer_field blame_line_fields[] = {
    {OF(name, TEXT, "of the application, user or account; `-` = unknown")},
    {TIME(caused, "caused", "lost by others because of it")},
    {TIME(own, "to_itself", "lost by its own other applications because of it")},
    {OF(share, NUMBER, ""), FIELD_COLUMN("share_(%)", INFO, 3), .place = FIELD_NO_JSON},
    {TIME(suffered, "suffered", "lost by it")},
    {OF(idle, NUMBER, "of that, while bandwidth was free"), .unit = UNIT_SECONDS},
    {TIME(gain_without, "gain_without",
          "how much less the others lose without it; `null` = not tried")},
    {.key = NULL},
};
#undef TIME
#undef OF

#define OF(name, what, text) FIELD_OF(struct blame_worst, name, what, text)
static const struct answer_field worst_fields[] = {
    {OF(start, NUMBER, "its start"), .unit = UNIT_SECONDS},
    {OF(end, NUMBER, "its end"), .unit = UNIT_SECONDS},
    {OF(lost, NUMBER, "lost in it"), .unit = UNIT_SECONDS},
    {OF(name, TEXT, "the one that is charged most of it; `null` = none is charged")},
    {OF(charged, NUMBER, "charged to it"), .unit = UNIT_SECONDS},
    {.key = NULL},
};
#undef OF

#define OF(name, what, text) FIELD_OF(struct blame_answer, name, what, text)
static const struct answer_field fields[] = {
    PROVENANCE_FIELDS(struct blame_answer),
    {OF(policy, TEXT, "the strategy that was simulated")},
    {OF(by, TEXT, "`application`, `user` or `account`")},
    {OF(lost, NUMBER, "by all applications"), .unit = UNIT_SECONDS},
    {OF(idle, NUMBER, "of that, while bandwidth was free"), .unit = UNIT_SECONDS},
    {OF(worst, OBJECT, "the twenty-fourth of the time in which most is lost"),
     .members = worst_fields},
    {FIELD_LIST_OF(struct blame_answer, list, struct blame_line, blame_line_fields,
                   "all of them, the one that causes most first")},
    {.key = NULL},
};
#undef OF

#define AT(member) offsetof(struct blame_question, member)
static const struct option options[] = {
    STUDY_FILE_SYSTEM_OPTION(struct blame_question, policy),
    {"by", 0, OPTION_TEXT, UNIT_NONE, "application|user|account", AT(by),
     "whom to charge; default application"},
    {"top", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(top), "how many to show; default 20"},
    {"journal", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(journal),
     "FILE is the journal of a controller: what happened is simulated under the strategy"},
    {"store", 0, OPTION_TEXT, UNIT_NONE, "S", AT(store),
     "with --journal: what happened on this store; default the first"},
    QUESTION_PLOT_OPTION(struct blame_question,
                         "draw what each causes and suffers, and what is lost over time"),
    STUDY_WINDOW_OPTION(struct blame_question, source),
    STUDY_SOURCE_OPTIONS(struct blame_question, source),
    QUESTION_JSON_OPTION(struct blame_question, "print everything as JSON"),
    {.name = NULL},
};
#undef AT

static const struct option_rule rules[] = {
    RULE_RANGE("top", 1, 0),
    RULE_STDOUT("plot", "json"),
    RULE_NEED("store", "journal"),
    RULE_EXCLUDE("journal", "format"),
    {.name = NULL},
};

QUESTION_FUNCTIONS(blame)
const struct question blame_asking = {
    .syntax = {"blame", "FILE", 1, 1, options, rules},
    QUESTION_OF(blame, fields),
};
