#include "cli/study.h"
#include "base/mem.h"
#include "cli/progress.h"
#include "gen/gen.h"
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
    progress_begin(scenario->name, "preparing");
    study->workload = workload_realise(scenario, err);
    study->runs.workload = study->workload;
    int status = -1;
    if (study->workload)
        status = workload_set_window(study->workload, window ? *window : scenario->window, err);
    progress_end();
    return status;
}

static int study_parse_window(const char *text, struct window *window, struct err *err)
{
    const char *colon = strchr(text, ':');
    char start[64];
    if (strcmp(text, "auto") == 0 || strcmp(text, "none") == 0) {
        window->kind = *text == 'a' ? WINDOW_AUTO : WINDOW_NONE;
        return 0;
    }
    if (!colon || (size_t)(colon - text) >= sizeof start)
        return err_set(err, "--window: invalid window '%s', expected auto, none or START:END",
                       text);
    memcpy(start, text, (size_t)(colon - text));
    start[colon - text] = 0;
    window->kind = WINDOW_FIXED;
    if (units_parse(start, UNIT_SECONDS, &window->start, err) < 0 ||
        units_parse(colon + 1, UNIT_SECONDS, &window->end, err) < 0)
        return err_prepend(err, "--window");
    if (window->start < 0 || window->end <= window->start)
        return err_set(err, "--window: invalid window '%s', expected 0 <= START < END", text);
    return 0;
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
    progress_begin(path, "reading");
    struct scenario *scenario = format_load(path, format, &source->platform, err);
    progress_end();
    if (scenario && source->seed.given)
        scenario->seed = source->seed.value;
    if (scenario && source->window)
        scenario->window = asked;
    if (scenario && scenario->warning && !source->jobs)
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

struct provenance study_provenance(const struct study *study)
{
    struct provenance provenance = {.version = WEIR_VERSION,
                                    .scenario = study->workload->name,
                                    .seed = study->scenario->seed,
                                    .platform = study->workload->platform};
    if (!study->workload->nodes_known)
        provenance.platform.nodes = 0;
    return provenance;
}

void study_print_window(const struct study *study)
{
    const struct window *window = &study->workload->window;
    char start[64], end[64];
    if (window->kind == WINDOW_FIXED)
        printf("window %s to %s\n", units_print(window->start, UNIT_SECONDS, start, sizeof start),
               units_print(window->end, UNIT_SECONDS, end, sizeof end));
}

int study_run(struct study *study, const struct policy *policy, bool check,
              struct timeline *timeline, struct err *err)
{
    struct sim_options options = {.check = check,
                                  .timeline = timeline,
                                  .progress = progress_show,
                                  .release_latency = study->release_latency};
    progress_begin(study->workload->name, policy->name);
    struct outcome *outcome = sim_run(study->workload, policy, &options, err);
    progress_end();
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
    progress_begin(name, "planning");
    struct plan *plan = sim_plan(study->workload, policy, &means, err);
    progress_end();
    if (!plan)
        err_prepend(err, "%s: %s", name, policy->name);
    else if (means && strcmp(policy->ops->name, "plan") == 0)
        fprintf(stderr, "weir: warning: %s: phases vary, so their means are planned\n", name);
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
    static const char *usual[] = {
        "fair-share", "fcfs", "greedy-yield", "greedy-com", "look-ahead-greedy-yield", "floor"};
    const struct words defaults = {.list = usual, .count = sizeof usual / sizeof *usual};
    names = names->count ? names : &defaults;
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
