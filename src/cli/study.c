#include "cli/study.h"
#include "base/mem.h"
#include "cli/progress.h"
#include "gen/gen.h"
#include "report/gantt.h"
#include "report/trace.h"
#include "sim/planned.h"
#include "sim/sim.h"
#include <stdlib.h>
#include <string.h>

int study_init(struct study *study, struct scenario *scenario, const struct window *window,
               struct err *err)
{
    *study = (struct study){.scenario = scenario};
    if (!scenario)
        return -1;
    study->workload = workload_realise(scenario, err);
    if (!study->workload)
        return -1;
    study->runs.workload = study->workload;
    return workload_set_window(study->workload, window ? *window : scenario->window, err);
}

int study_load(struct study *study, const struct study_source *source, const char *path,
               const struct window *window, struct err *err)
{
    const struct format *format = NULL;
    *study = (struct study){0};
    if (source->format && !(format = format_find(source->format, err)))
        return -1;
    struct scenario *scenario = format_load(path, format, &source->platform, err);
    if (scenario && source->seed.given)
        scenario->seed = source->seed.value;
    if (scenario && scenario->warning)
        fprintf(stderr, "weir: warning: %s: %s\n", path, scenario->warning);
    if (study_init(study, scenario, window, err) < 0)
        return scenario ? err_prepend(err, "%s", path) : -1;
    return 0;
}

void study_fini(struct study *study)
{
    runs_fini(&study->runs);
    workload_free(study->workload);
    scenario_free(study->scenario);
    *study = (struct study){0};
}

int study_run(struct study *study, const struct policy *policy, bool check,
              struct timeline *timeline, struct err *err)
{
    struct progress progress = progress_begin(study->workload->name, policy->name);
    struct sim_options options = {
        .check = check, .timeline = timeline, .progress = progress_show, .context = &progress};
    struct outcome *outcome = sim_run(study->workload, policy, &options, err);
    progress_end(&progress);
    if (!outcome)
        return err_prepend(err, "%s: %s", study->workload->name, policy->name);
    int status = runs_add(&study->runs, policy->name, outcome, err);
    outcome_free(outcome);
    return status;
}

struct plan *study_plan(const struct study *study, const struct policy *policy, struct err *err)
{
    const char *name = study->workload->name;
    bool means = false;
    struct plan *plan = sim_plan(study->workload, policy, &means, err);
    if (!plan)
        err_prepend(err, "%s: %s", name, policy->name);
    else if (means && strcmp(policy->ops->name, "plan") == 0)
        fprintf(stderr, "weir: warning: %s: phases vary: their means are planned\n", name);
    return plan;
}

static int add_one(struct policies *policies, const char *name, struct err *err)
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
        return add_one(policies, name, err);
    for (size_t i = 0; policy_all[i]; i++)
        if (add_one(policies, policy_all[i], err) < 0)
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

static const struct run *last_run(const struct study *study)
{
    return &study->runs.list[study->runs.count - 1];
}

int study_write_gantt(FILE *out, const struct study *study, const struct timeline *timeline,
                      struct err *err)
{
    struct gantt_panel panel = {.run = last_run(study), .timeline = timeline};
    return gantt_write(out, study->workload, &panel, 1, err);
}

int study_write_trace(FILE *out, const struct study *study, const struct timeline *timeline,
                      struct err *err)
{
    return trace_write(out, study->workload, timeline, last_run(study)->policy, err);
}
