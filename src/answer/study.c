#include "answer/study.h"
#include "base/mem.h"
#include "base/stage.h"
#include "bound/bound.h"
#include "gen/gen.h"
#include "trial/planned.h"
#include "trial/trial.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int study_init(struct study *study, struct scenario *scenario, const struct window *window,
               struct err *err)
{
    *study = (struct study){.scenario = scenario};
    if (!scenario)
        return -1;
    if (window)
        scenario->window = *window;
    stage_begin(scenario->name, "preparing");
    study->workload = workload_realise(scenario, err);
    stage_end();
    return study->workload ? 0 : -1;
}

int study_parse_knowledge(const struct study_knowledge *given, struct knowledge *knowledge,
                          struct err *err)
{
    *knowledge = (struct knowledge){.age = given->age.value};
    if (given->volumes && knowledge_parse(knowledge, given->volumes, err) < 0)
        return err_prepend_option(err, "knowledge");
    return 0;
}

int study_parse_window(const char *text, struct window *window, struct err *err)
{
    return window_parse(window, text, err) < 0 ? err_prepend_option(err, "window") : 0;
}

struct policy *study_file_system(const char *name, struct err *err)
{
    return policy_open(name ? name : "fair-share", err);
}

int study_borrow(struct study *study, const struct scenario *scenario, const struct window *window,
                 struct err *err)
{
    struct scenario *copy = mem_alloc(1, sizeof *copy);
    *study = (struct study){0};
    if (!copy)
        return err_memory(err);
    *copy = *scenario;
    int status = study_init(study, copy, window, err);
    study->borrowed = copy;
    return status;
}

/* Options about a file mean nothing without one. */
static int study_check_memory(const struct study_source *source, struct err *err)
{
    const struct format_defaults *platform = &source->platform;
    const char *option = source->format                 ? "format"
                         : platform->nodes > 0          ? "nodes"
                         : platform->bandwidth > 0      ? "bandwidth"
                         : platform->node_bandwidth > 0 ? "node-bandwidth"
                                                        : NULL;
    return option ? err_option(err, "--%s: the scenario is not read from a file", option) : 0;
}

int study_open(struct study *study, const struct study_source *source, const struct asking *asking,
               size_t operand, const struct window *window, struct err *err)
{
    const struct scenario *given = asking_scenario(asking, operand);
    struct window asked;
    *study = (struct study){0};
    if (!given)
        return study_load(study, source, asking->operands.list[operand], window, err);
    if (study_check_memory(source, err) < 0 ||
        (source->window && study_parse_window(source->window, &asked, err) < 0))
        return -1;
    struct scenario seeded = *given;
    if (source->seed.given)
        seeded.seed = source->seed.value;
    return study_borrow(study, &seeded, window ? window : source->window ? &asked : NULL, err);
}

int study_open_journal(struct study *study, const struct study_source *source,
                       const struct asking *asking, size_t operand,
                       const struct import_options *how, struct err *err)
{
    const struct import_source files = {.paths = &asking->operands.list[operand], .count = 1};
    struct import_options options = *how;
    struct window window;
    char *notes = NULL;
    size_t length;
    FILE *stream;
    *study = (struct study){0};
    if (asking_scenario(asking, operand))
        return err_option(err, "--journal: the scenario is not read from a file");
    if (source->seed.given)
        return err_option(err, "--seed: a journal has nothing random");
    if (source->window && study_parse_window(source->window, &window, err) < 0)
        return -1;
    if (!(stream = open_memstream(&notes, &length)))
        return err_memory(err);
    options.platform = source->platform;
    struct scenario *scenario =
        import_files(import_find("journal", err), &files, &options, stream, err);
    if (fclose(stream) == 0 && scenario)
        stage_note(notes);
    free(notes);
    return study_init(study, scenario, source->window ? &window : NULL, err);
}

int study_load(struct study *study, const struct study_source *source, const char *path,
               const struct window *window, struct err *err)
{
    const struct format *format = NULL;
    struct window asked = {0};
    *study = (struct study){0};
    if (source->format && !(format = format_find(source->format, err)))
        return -1;
    if (source->window && study_parse_window(source->window, &asked, err) < 0)
        return -1;
    stage_begin(path, "reading");
    struct scenario *scenario = format_load(path, format, &source->platform, err);
    stage_end();
    if (scenario && source->seed.given)
        scenario->seed = source->seed.value;
    if (scenario && source->window)
        scenario->window = asked;
    if (scenario && scenario->warning && !source->jobs)
        stage_warn("%s: %s", path, scenario->warning);
    if (study_init(study, scenario, window, err) < 0)
        return scenario ? err_prepend(err, "%s", path) : -1;
    return 0;
}

void study_fini(struct study *study)
{
    rows_fini(&study->rows);
    workload_free(study->workload);
    if (study->scenario != study->borrowed)
        scenario_free(study->scenario);
    free(study->borrowed);
    *study = (struct study){0};
}

struct provenance study_provenance(const struct study *study)
{
    struct provenance made = row_provenance(study->workload);
    if (!(made.platform.nodes > 0))
        made.platform.nodes = NAN; /* unknown */
    return made;
}

int study_run(struct study *study, const struct policy *policy, struct sim_options options,
              struct err *err)
{
    struct trial trial = {.workload = study->workload,
                          .policy = policy,
                          .knowledge = study->knowledge,
                          .options = options};
    struct row row;
    const struct stage_host *host = stage_host();
    trial.options.progress = host->show;
    trial.options.stop = host->stop;
    trial.options.context = host->context;
    stage_begin(study->workload->name, policy->name);
    int status = trial_run(&trial, &row, err);
    stage_end();
    if (status < 0)
        return err_prepend(err, "%s: %s", study->workload->name, policy->name);
    return rows_add(&study->rows, &row, err);
}

int study_run_planned(struct study *study, const struct policy *policy, struct err *err)
{
    struct plan *plan = NULL;
    if (policy->ops->flags & WEIR_NEEDS_PLAN && !(plan = study_plan(study, policy, err)))
        return -1;
    int status = study_run(study, policy, (struct sim_options){.plan = plan}, err);
    plan_free(plan);
    return status < 0 ? err_run(err) : 0;
}

int study_bound(struct study *study, struct err *err)
{
    struct weir_metrics *metrics = mem_alloc(1, sizeof *metrics);
    struct bounds bounds;
    if (!metrics)
        return err_memory(err);
    stage_begin(study->workload->name, "looking for bounds");
    int status = bounds_find(study->workload, &bounds, err);
    stage_end();
    if (status == 0)
        *metrics = bounds_as_metrics(&bounds);
    free(study->rows.bounds);
    study->rows.bounds = metrics;
    return status;
}

struct plan *study_plan(const struct study *study, const struct policy *policy, struct err *err)
{
    const char *name = study->workload->name;
    bool means = false;
    stage_begin(name, "planning");
    struct plan *plan = trial_plan(study->workload, policy, &means, err);
    stage_end();
    if (!plan)
        err_prepend(err, "%s: %s", name, policy->name);
    else if (means && strcmp(policy->ops->name, "plan") == 0)
        stage_warn("%s: phases vary, so their means are planned", name);
    return plan;
}

static int study_add_policy(struct policies *policies, const char *name, struct err *err)
{
    struct policy **list = mem_reserve(policies->list, &policies->capacity, policies->count + 1,
                                       sizeof(struct policy *));
    if (!list)
        return err_memory(err);
    policies->list = list;
    struct policy *policy = policy_open(name, err);
    if (!policy)
        return -1;
    policies->list[policies->count++] = policy;
    return 0;
}

int policies_add(struct policies *policies, const char *name, struct err *err)
{
    if (strcmp(name, "all") != 0)
        return study_add_policy(policies, name, err);
    for (size_t i = 0; policy_all[i]; i++)
        if (study_add_policy(policies, policy_all[i], err) < 0)
            return -1;
    return 0;
}

int policies_open(struct policies *policies, const struct words *names, struct err *err)
{
    for (size_t i = 0; names->count == 0 && policy_usual[i]; i++)
        if (policies_add(policies, policy_usual[i], err) < 0)
            return -1;
    for (size_t i = 0; i < names->count; i++)
        if (policies_add(policies, names->list[i], err) < 0)
            return -1;
    return 0;
}

void policies_fini(struct policies *policies)
{
    for (size_t i = 0; i < policies->count; i++)
        policy_free(policies->list[i]);
    free(policies->list);
    *policies = (struct policies){0};
}
