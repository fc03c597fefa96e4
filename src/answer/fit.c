#include "answer/fit.h"
#include "base/maths.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "base/stage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bandwidths whose mean errors differ by less cannot be told apart. */
static const double fit_equal = 0.01;

/* --- the best -------------------------------------------------------------------------------- */

/* Models that are tried at the same time. */
struct fit_trials {
    const struct fit_logs *logs;
    struct fit_model *models;
    struct err *errors;
};

static int fit_turn(void *context, size_t i)
{
    struct fit_trials *trials = context;
    return fit_model_try(trials->logs, &trials->models[i], &trials->errors[i]);
}

static int fit_try_all(const struct fit_logs *logs, struct fit_model *models, size_t count,
                       struct err *err)
{
    struct err *errors = mem_alloc(count, sizeof *errors);
    struct fit_trials trials = {logs, models, errors};
    if (!errors)
        return err_memory(err);
    int status = parallel_run(count, parallel_processors(), fit_turn, &trials);
    for (size_t i = 0; status != 0 && i < count; i++)
        if (*errors[i].text && err) {
            *err = errors[i];
            break;
        }
    for (size_t i = 0; i < count; i++)
        fit_model_fini(&models[i]);
    free(errors);
    return status;
}

/* The nearest to the given one among those that cannot be told from the best. */
static size_t fit_choose(const struct fit_model *models, size_t count, size_t given)
{
    size_t best = given;
    for (size_t i = 0; i < count; i++)
        if (models[i].error.mean < models[best].error.mean)
            best = i;
    return models[given].error.mean <= models[best].error.mean + fit_equal ? given : best;
}

enum { FIT_STEPS = 13, FIT_GIVEN = 6 };

/* Bandwidths from half to twice the given one. */
static int fit_find_bandwidth(struct fit_answer *answer, struct fit_model *best, struct err *err)
{
    struct fit_model models[FIT_STEPS];
    for (int i = 0; i < FIT_STEPS; i++) {
        models[i] = (struct fit_model){.platform = best->platform};
        models[i].platform.bandwidth *= exp2((i - FIT_GIVEN) / (double)FIT_GIVEN);
    }
    if (fit_try_all(&answer->logs, models, FIT_STEPS, err) < 0)
        return -1;
    size_t found = fit_choose(models, FIT_STEPS, FIT_GIVEN), least = found, most = found;
    double limit = models[found].error.mean + fit_equal;
    while (least > 0 && models[least - 1].error.mean <= limit)
        least--;
    while (most + 1 < FIT_STEPS && models[most + 1].error.mean <= limit)
        most++;
    answer->least_bandwidth = models[least].platform.bandwidth;
    answer->most_bandwidth = most + 1 == FIT_STEPS ? NAN : models[most].platform.bandwidth;
    *best = models[found];
    return 0;
}

/* The fastest I/O per node, of those that take a while. */
static double fit_fastest_node(const struct fit_answer *answer)
{
    double fastest = 0;
    for (size_t i = 0; i < answer->observed.count; i++) {
        const struct observed_io *io = &answer->observed.list[i];
        double nodes = maths_max(answer->scenario->apps[io->app].nodes, 1);
        if (io->busy >= 1e-3)
            fastest = maths_max(fastest, io->volume / io->busy / nodes);
    }
    return fastest;
}

/* One bandwidth for all nodes may explain more than what each program reached. */
static int fit_find_node_bandwidth(const struct fit_answer *answer, struct fit_model *best,
                                   struct err *err)
{
    enum { STEPS = 9, BEYOND = 3 };
    struct fit_model models[STEPS + 1];
    double fastest = fit_fastest_node(answer);
    if (!answer->logs.rates || !(fastest > 0))
        return 0;
    models[0] = (struct fit_model){.platform = best->platform};
    for (int i = 0; i < STEPS; i++) {
        models[i + 1] = (struct fit_model){.platform = best->platform};
        models[i + 1].platform.node_bandwidth = fastest * exp2((i - STEPS + BEYOND) / 3.0);
    }
    if (fit_try_all(&answer->logs, models, STEPS + 1, err) < 0)
        return -1;
    *best = models[fit_choose(models, STEPS + 1, 0)];
    return 0;
}

/* --- what it cannot explain ------------------------------------------------------------------ */

static int fit_compare_lengths(const void *a, const void *b)
{
    const struct fit_pair *x = a, *y = b;
    double one = x->logged - x->simulated, other = y->logged - y->simulated;
    if (one != other)
        return one > other ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void fit_find_strangers(struct fit_answer *answer, struct fit_model *model)
{
    double strange = 0;
    if (model->ios)
        qsort(model->pairs, model->ios, sizeof *model->pairs, fit_compare_lengths);
    for (uint64_t i = 0; i < model->ios; i++) {
        const struct fit_pair *pair = &model->pairs[i];
        const struct observed_io *io = &answer->observed.list[pair->index];
        if (!(pair->logged > 2 * pair->simulated))
            continue;
        strange += pair->logged;
        answer->strange_ios++;
        if (answer->strangers_count == FIT_STRANGERS)
            continue;
        struct fit_stranger *stranger = &answer->list[answer->strangers_count++];
        *stranger = (struct fit_stranger){
            .start = io->start, .logged = pair->logged, .simulated = pair->simulated};
        snprintf(stranger->label, sizeof stranger->label, "%s",
                 answer->scenario->apps[io->app].name);
        stranger->name = stranger->label;
    }
    answer->strangers = answer->list;
    answer->strange = model->error.logged > 0 ? strange / model->error.logged : 0;
}

/* --- all of it ------------------------------------------------------------------------------- */

static int fit_load(const struct fit_question *question, struct fit_answer *answer, struct err *err)
{
    const struct words *paths = &question->asking.operands;
    const struct import_source source = {paths->list, paths->count};
    const struct import_options how = {.platform = question->platform,
                                       .lenient = question->lenient,
                                       .gap = question->gap,
                                       .iterations = (uint32_t)question->iterations.value,
                                       .procs_per_node = question->procs_per_node,
                                       .store = question->store,
                                       .observed = &answer->observed};
    const struct importer *importer =
        question->from ? import_find(question->from, err) : import_guess(paths->list[0], err);
    char *notes = NULL;
    size_t length;
    if (!importer || import_check(importer, &how, err) < 0)
        return -1;
    if (!importer->measures)
        return err_option(err, "--from: logs of '%s' do not say how long I/O took", importer->name);
    FILE *stream = open_memstream(&notes, &length);
    if (!stream)
        return err_memory(err);
    stage_begin(paths->list[0], "reading");
    answer->scenario = import_files(importer, &source, &how, stream, err);
    stage_end();
    if (fclose(stream) == 0 && answer->scenario)
        stage_note(notes);
    free(notes);
    answer->logs.rates = importer->rates;
    if (answer->scenario && answer->observed.count == 0)
        return err_set(err, "%s: no I/O of these logs has a duration to compare with",
                       paths->list[0]);
    return answer->scenario ? 0 : -1;
}

static int fit_run(const struct fit_question *question, struct fit_answer *answer, struct err *err)
{
    struct fit_model model = {.platform = answer->scenario->platform}, best = model;
    stage_begin(answer->scenario->name, "comparing with the logs");
    int status = fit_model_try(&answer->logs, &model, err);
    if (status == 0) {
        answer->error = model.error;
        answer->ios = model.ios;
        answer->disturbed = model.disturbed;
        answer->applications = answer->scenario->count;
        answer->unknown =
            model.applications ? (double)model.unknown / (double)model.applications : 0;
        answer->bandwidth = model.platform.bandwidth;
        answer->node_bandwidth = model.platform.node_bandwidth;
        fit_find_strangers(answer, &model);
        best = (struct fit_model){.platform = model.platform};
        status = fit_find_bandwidth(answer, &best, err);
    }
    if (status == 0 && !(question->platform.node_bandwidth > 0))
        status = fit_find_node_bandwidth(answer, &best, err);
    if (status == 0) {
        answer->best = best.error;
        answer->best_bandwidth = best.platform.bandwidth;
        answer->best_node_bandwidth = best.platform.node_bandwidth;
    }
    stage_end();
    fit_model_fini(&model);
    return status;
}

int fit_answer(const struct fit_question *question, struct fit_answer *answer, struct err *err)
{
    if (study_parse_knowledge(&question->knowledge, &answer->logs.knowledge, err) < 0 ||
        !(answer->strategy = study_file_system(question->policy, err)) ||
        fit_load(question, answer, err) < 0)
        return -1;
    answer->policy = answer->strategy->name;
    answer->logs.scenario = answer->scenario;
    answer->logs.observed = &answer->observed;
    answer->logs.policy = answer->strategy;
    answer->logs.latency = question->latency.value;
    answer->made = (struct provenance){.scenario = answer->scenario->name,
                                       .platform = answer->scenario->platform};
    return fit_run(question, answer, err) < 0 ? err_run(err) : 0;
}

void fit_answer_fini(struct fit_answer *answer)
{
    scenario_free(answer->scenario);
    observed_fini(&answer->observed);
    policy_free(answer->strategy);
}

/* --- what it is ------------------------------------------------------------------------------ */

#define OF(name, what, text) FIELD_OF(struct fit_error, name, what, text)
static const struct answer_field error_fields[] = {
    {OF(median, NUMBER, "error that half of the time of I/O does not exceed")},
    {OF(p90, NUMBER, "error that 90 % of it does not exceed")},
    {OF(disturbed_median, NUMBER,
        "the same of I/Os that others disturbed; `null` = there are none")},
    {OF(disturbed_p90, NUMBER, "the same")},
    {OF(correlation, NUMBER,
        "between delays in the logs and in the simulation; `null` = no delays")},
    {OF(mean, NUMBER, "mean error over the time of I/O, relative to the longer of both")},
    {OF(logged, NUMBER, "time of all I/Os in the logs"), .unit = UNIT_SECONDS},
    {OF(simulated, NUMBER, "and in the simulation"), .unit = UNIT_SECONDS},
    {OF(lost_logged, NUMBER, "time that disturbed I/Os took longer than alone, in the logs"),
     .unit = UNIT_SECONDS},
    {OF(lost, NUMBER, "time that all I/Os took longer than alone, in the simulation"),
     .unit = UNIT_SECONDS},
    {.key = NULL},
};
#undef OF

#define OF(name, what, text) FIELD_OF(struct fit_stranger, name, what, text)
static const struct answer_field stranger_fields[] = {
    {OF(name, TEXT, "the application")},
    {OF(start, NUMBER, "when the I/O began"), .unit = UNIT_SECONDS},
    {OF(logged, NUMBER, "how long it took"), .unit = UNIT_SECONDS},
    {OF(simulated, NUMBER, "how long it takes in the simulation"), .unit = UNIT_SECONDS},
    {.key = NULL},
};
#undef OF

#define OF(name, what, text) FIELD_OF(struct fit_answer, name, what, text)
static const struct answer_field fields[] = {
    {.key = "scenario",
     .kind = FIELD_TEXT,
     .offset = offsetof(struct fit_answer, made.scenario),
     .help = "the name of the logs"},
    {OF(policy, TEXT, "what shares the file system in the simulation")},
    {OF(applications, WHOLE, "number of applications")},
    {OF(ios, WHOLE, "I/Os that are compared")},
    {OF(disturbed, WHOLE, "of these, I/Os that others probably slowed down")},
    {OF(bandwidth, NUMBER, "of the file system, as given or assumed"), .unit = UNIT_RATE},
    {OF(node_bandwidth, NUMBER, "of a node, as given; `null` = by what each program reached"),
     .unit = UNIT_RATE},
    {OF(error, OBJECT, "how well these explain the logs"), .members = error_fields},
    {OF(best_bandwidth, NUMBER, "that fits best; the given one if no other fits clearly better"),
     .unit = UNIT_RATE},
    {OF(least_bandwidth, NUMBER, "the least that fits as well"), .unit = UNIT_RATE},
    {OF(most_bandwidth, NUMBER,
        "the most that fits as well; `null` = twice the given one and more"),
     .unit = UNIT_RATE},
    {OF(best_node_bandwidth, NUMBER, "that fits best; `null` = by what each program reached"),
     .unit = UNIT_RATE},
    {OF(best, OBJECT, "how well the best explain the logs"), .members = error_fields},
    {OF(unknown, NUMBER, "part of the applications of which only contended rates are known")},
    {OF(strange_ios, WHOLE, "I/Os that took more than twice as long as in the simulation")},
    {OF(strange, NUMBER, "the part of the time of I/O that these took")},
    {FIELD_LIST_OF(struct fit_answer, strangers, struct fit_stranger, stranger_fields,
                   "those that took longest")},
    {.key = NULL},
};
#undef OF

#define AT(member) offsetof(struct fit_question, member)
static const struct option options[] = {
    {"bandwidth", 0, OPTION_AMOUNT, UNIT_RATE, "RATE", AT(platform.bandwidth),
     "bandwidth of the file system; default the most that the logs moved together"},
    {"node-bandwidth", 0, OPTION_AMOUNT, UNIT_RATE, "RATE", AT(platform.node_bandwidth),
     "bandwidth of a node; default what each program reached undisturbed"},
    {"procs-per-node", 0, OPTION_AMOUNT, UNIT_NONE, "N", AT(procs_per_node),
     "processes per node, for logs that count these; default 1"},
    {"gap", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(gap),
     "time without I/O that ends an I/O phase; default chosen from the trace"},
    {"iterations", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(iterations),
     "number of iterations over which I/O of unknown time is spread evenly; default 1"},
    STUDY_FILE_SYSTEM_OPTION(struct fit_question, policy),
    STUDY_KNOWLEDGE_OPTIONS(struct fit_question, knowledge),
    {"release-latency", 0, OPTION_DELAY, UNIT_SECONDS, "TIME", AT(latency),
     "the controller learns this late that an I/O has ended; default at once"},
    {"from", 0, OPTION_TEXT, UNIT_NONE, "FORMAT", AT(from),
     "what the logs are: darshan, tmio or journal; default by how the first begins"},
    {"store", 0, OPTION_TEXT, UNIT_NONE, "S", AT(store),
     "of a journal with several stores, the one to look at; default the first"},
    {"lenient", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(lenient), "skip what cannot be understood"},
    QUESTION_JSON_OPTION(struct fit_question, "print the numbers as JSON"),
    {.name = NULL},
};
#undef AT

static const struct option_rule rules[] = {
    RULE_RANGE("iterations", 1, IMPORT_MOST_ITERATIONS),
    {.name = NULL},
};

QUESTION_FUNCTIONS(fit)
const struct question fit_asking = {
    .syntax = {"fit", "LOG...", 1, SIZE_MAX, options, rules},
    QUESTION_OF(fit, fields),
};
