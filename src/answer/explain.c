#include "answer/explain.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/output.h"
#include <math.h>
#include <stdlib.h>

/* --- following a run -------------------------------------------------------------------------- */

struct explainer {
    struct explain_answer *answer;
    double until;      /* decisions after this are not looked at; INFINITY = all are, */
    bool most;         /* and the one with most I/Os to choose from is kept, not the last */
    bool pending;      /* the time of the next decision is not known yet */
    struct output out; /* of all decisions; closed = not asked for */
    bool failed;       /* memory is out */
};

static double explain_rate(const struct weir_view *view, const struct weir_run *run)
{
    return run->shared ? run->rate * view->scale : run->rate;
}

static struct explain_line explain_see(const struct explain_answer *answer,
                                       const struct weir_view *view, const struct watcher_key *key,
                                       uint32_t id)
{
    const struct weir_run *run = &view->runs[id];
    double remaining = weir_remaining(view, run);
    return (struct explain_line){.name = answer->names[id],
                                 .key = key->of(key->context, id),
                                 .yield = weir_yield(view, run),
                                 .lost = weir_lost(view, run),
                                 .waited = view->now - run->posted,
                                 .rest = remaining / run->app->bmax,
                                 .remaining = remaining,
                                 .bmax = run->app->bmax,
                                 .granted = explain_rate(view, run),
                                 .bmax_mb = run->app->bmax / 1e6,
                                 .granted_mb = explain_rate(view, run) / 1e6};
}

static void explain_write_line(struct json *json, const struct explain_line *line)
{
    fields_json(explain_line_fields, line, NULL, json);
}

/* A line of JSON for the whole decision. */
static void explain_write(struct explainer *explainer, const struct weir_view *view,
                          const struct watcher_key *key)
{
    struct json json = {.out = explainer->out.file};
    json_begin_object(&json, NULL);
    json_number(&json, "t", view->now);
    json_number(&json, "bandwidth", view->bandwidth);
    json_begin_array(&json, "active");
    for (uint32_t i = 0; i < view->active_count; i++) {
        const struct explain_line line = explain_see(explainer->answer, view, key, view->active[i]);
        explain_write_line(&json, &line);
    }
    json_end_array(&json);
    json_end_object(&json);
}

/* Keeps this decision instead of the one before. */
static void explain_keep(struct explainer *explainer, const struct weir_view *view,
                         const struct watcher_key *key)
{
    struct explain_answer *answer = explainer->answer;
    struct explain_line *list =
        mem_reserve(answer->list, &answer->capacity, view->active_count, sizeof *list);
    if (!list) {
        explainer->failed = true;
        return;
    }
    answer->list = list;
    answer->list_count = view->active_count;
    answer->at = view->now;
    answer->next = NAN;
    answer->bandwidth = view->bandwidth;
    answer->granted = 0;
    for (uint32_t i = 0; i < view->active_count; i++) {
        list[i] = explain_see(answer, view, key, view->active[i]);
        answer->granted += list[i].granted;
    }
    explainer->pending = true;
}

static void explain_decided(void *context, const struct weir_view *view,
                            const struct watcher_key *key)
{
    struct explainer *explainer = context;
    struct explain_answer *answer = explainer->answer;
    if (explainer->out.file)
        explain_write(explainer, view, key);
    if (explainer->pending && view->now > answer->at) {
        answer->next = view->now;
        explainer->pending = false;
    }
    if (view->now > explainer->until)
        return;
    answer->decisions++;
    /* Of several decisions with as many I/Os the first is kept: it is the easiest to find again. */
    if (!explainer->most || view->active_count > answer->list_count)
        explain_keep(explainer, view, key);
}

/* --- the question ----------------------------------------------------------------------------- */

static int explain_open(const struct explain_question *question, struct explain_answer *answer,
                        struct err *err)
{
    struct study *study = &answer->study;
    if (!(answer->strategy = study_file_system(question->policy, err)) ||
        study_open(study, &question->source, &question->asking, 0, NULL, err) < 0 ||
        study_parse_knowledge(&question->knowledge, &study->knowledge, err) < 0 ||
        workload_check_io(study->workload, err) < 0)
        return -1;
    if (answer->strategy->ops->flags & WEIR_NEEDS_PLAN &&
        !(answer->plan = study_plan(study, answer->strategy, err)))
        return -1;
    answer->names = mem_alloc(study->workload->count, sizeof *answer->names);
    if (!answer->names)
        return err_memory(err);
    for (uint32_t id = 0; id < study->workload->count; id++)
        app_label(&study->workload->apps[id], answer->names[id], APP_LABEL);
    return 0;
}

static int explain_compare(const void *a, const void *b)
{
    const struct explain_line *x = a, *y = b;
    if (x->granted != y->granted)
        return x->granted < y->granted ? 1 : -1;
    if (x->key != y->key && !isnan(x->key))
        return x->key < y->key ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name); /* they stand in the order of ids */
}

static int explain_run(const struct explain_question *question, struct explainer *explainer,
                       struct err *err)
{
    struct explain_answer *answer = explainer->answer;
    const struct watcher watcher = {.decided = explain_decided, .context = explainer};
    const struct sim_options how = {.plan = answer->plan, .watcher = &watcher};
    if (question->output && output_open(&explainer->out, question->output, err) < 0)
        return -1;
    int status = study_run(&answer->study, answer->strategy, how, err);
    if (status == 0 && explainer->failed)
        status = err_memory(err);
    if (status < 0) {
        output_discard(&explainer->out);
        return err_run(err);
    }
    return question->output ? output_commit(&explainer->out, err) : 0;
}

int explain_answer(const struct explain_question *question, struct explain_answer *answer,
                   struct err *err)
{
    struct explainer explainer = {.answer = answer,
                                  .until = question->at.given ? question->at.value : INFINITY,
                                  .most = !question->at.given};
    answer->at = answer->next = NAN;
    if (explain_open(question, answer, err) < 0 || explain_run(question, &explainer, err) < 0)
        return -1;
    if (answer->list_count == 0)
        return err_option(err, "--at: nothing was decided up to then");
    answer->made = study_provenance(&answer->study);
    answer->policy = answer->strategy->name;
    qsort(answer->list, answer->list_count, sizeof *answer->list, explain_compare);
    return 0;
}

void explain_answer_fini(struct explain_answer *answer)
{
    free(answer->list);
    free(answer->names);
    study_fini(&answer->study);
    policy_free(answer->strategy);
    plan_free(answer->plan);
}

/* --- what it is ------------------------------------------------------------------------------- */

#define OF(name, what, text) FIELD_OF(struct explain_line, name, what, text)
const struct answer_field explain_line_fields[] = {
    {OF(name, TEXT, "of the application")},
    {OF(key, NUMBER,
        "what the order goes by, the smaller first; `null` = the strategy does not say"),
     FIELD_COLUMN("key", INFO, 6)},
    {OF(yield, NUMBER, "its yield so far"), FIELD_COLUMN("yield", INFO, 4)},
    {OF(lost, NUMBER, "lost since its release"), .unit = UNIT_SECONDS,
     FIELD_COLUMN("lost", INFO, 4)},
    {OF(waited, NUMBER, "since it posted the I/O"), .unit = UNIT_SECONDS,
     FIELD_COLUMN("posted_ago", INFO, 4)},
    {OF(rest, NUMBER, "that the rest of the I/O takes alone"), .unit = UNIT_SECONDS,
     FIELD_COLUMN("rest_alone", INFO, 4)},
    {OF(remaining, NUMBER, "of the I/O that remain"), .unit = UNIT_BYTES},
    {OF(bmax, NUMBER, "that it can use"), .unit = UNIT_RATE},
    {OF(granted, NUMBER, "that it is granted"), .unit = UNIT_RATE},
    {OF(bmax_mb, NUMBER, ""), FIELD_COLUMN("limit_(MB/s)", INFO, 4), .place = FIELD_NO_JSON},
    {OF(granted_mb, NUMBER, ""), FIELD_COLUMN("granted_(MB/s)", INFO, 4), .place = FIELD_NO_JSON},
    {.key = NULL},
};
#undef OF

#define OF(name, what, text) FIELD_OF(struct explain_answer, name, what, text)
static const struct answer_field fields[] = {
    PROVENANCE_FIELDS(struct explain_answer),
    {OF(policy, TEXT, "the strategy")},
    {OF(at, NUMBER, "when it was decided"), .unit = UNIT_SECONDS},
    {OF(next, NUMBER, "when it was decided again; `null` = it was the last time"),
     .unit = UNIT_SECONDS},
    {OF(bandwidth, NUMBER, "of the file system then"), .unit = UNIT_RATE},
    {OF(granted, NUMBER, "granted to all together"), .unit = UNIT_RATE},
    {OF(decisions, WHOLE, "up to then; up to the end if no time was asked for")},
    {FIELD_LIST_OF(struct explain_answer, list, struct explain_line, explain_line_fields,
                   "the applications with an I/O; the one that is granted most first")},
    {.key = NULL},
};
#undef OF

#define AT(member) offsetof(struct explain_question, member)
static const struct option options[] = {
    STUDY_FILE_SYSTEM_OPTION(struct explain_question, policy),
    {"at", 0, OPTION_DELAY, UNIT_SECONDS, "TIME", AT(at),
     "the decision in force at this time; default the one with most I/Os to choose from"},
    {"output", 'o', OPTION_TEXT, UNIT_NONE, "FILE", AT(output),
     "write every decision of the run to this file, a line of JSON for each"},
    STUDY_WINDOW_OPTION(struct explain_question, source),
    STUDY_KNOWLEDGE_OPTIONS(struct explain_question, knowledge),
    STUDY_SOURCE_OPTIONS(struct explain_question, source),
    QUESTION_JSON_OPTION(struct explain_question, "print everything as JSON"),
    {.name = NULL},
};
#undef AT

static const struct option_rule rules[] = {
    RULE_STDOUT("output", "json"),
    {.name = NULL},
};

QUESTION_FUNCTIONS(explain)
const struct question explain_asking = {
    .syntax = {"explain", "FILE", 1, 1, options, rules},
    QUESTION_OF(explain, fields),
};
