#include "cli/demo_live.h"
#include "answer/study.h"
#include "cli/cli.h"
#include "cli/replay_report.h"
#include "metric/metric.h"
#include "replay/replay.h"
#include <stdio.h>
#include <string.h>

enum { WRITERS = 3, ITERATIONS = 5 };
#define LIMIT  100e6 /* bytes/s of the store */
#define WORK   0.8
#define VOLUME 40e6
#define APART  0.05 /* seconds between their releases: no ties */

/* Alone, each takes 5 times 0.8 + 0.4 s. Together they want the store at the same time, again and
 * again: applications that wait equally long return together. */
static struct scenario *demo_live_make_scenario(struct err *err)
{
    static const char *const names[WRITERS] = {"red", "green", "blue"};
    struct scenario *scenario = scenario_new("three-writers", WRITERS);
    if (!scenario) {
        err_memory(err);
        return NULL;
    }
    scenario->platform = (struct platform){.node_bandwidth = LIMIT, .bandwidth = LIMIT};
    for (uint32_t i = 0; i < WRITERS; i++) {
        struct app_spec *app = &scenario->apps[i];
        app->name = names[i];
        app->nodes = 1;
        app->release = APART * i;
        app->work.mean = WORK;
        app->io.mean = VOLUME;
        app->iterations = ITERATIONS;
    }
    if (scenario_validate(scenario, err) == 0)
        return scenario;
    scenario_free(scenario);
    return NULL;
}

static void demo_live_explain(const struct replay_runs *runs)
{
    const struct outcome *with = replay_runs_median(runs)->replayed.outcome;
    const struct outcome *without = runs->without.outcome;
    struct weir_metrics before, after;
    char text[512];
    metrics_compute(runs->setup.workload, without, &before);
    metrics_compute(runs->setup.workload, with, &after);
    snprintf(text, sizeof text,
             "Without control, the store serves all three at once, and all three wait. Under %s, "
             "they write one after another at full speed, and soon at different times: the last "
             "one ends after %.1f s instead of %.1f s, and the largest stretch is %.2f instead of "
             "%.2f. The simulator predicted this within %.1f %%.",
             runs->setup.policy, after.makespan, before.makespan, after.max_stretch,
             before.max_stretch, 100 * replay_runs_median(runs)->error);
    putchar('\n');
    help_wrap(stdout, text, 0, 0);
}

static int demo_live_replay(const struct study *study, const struct policy *policy, struct err *err)
{
    struct replay_runs runs;
    const struct replay setup = {
        .workload = study->workload, .policy = policy->name, .store_limit = LIMIT};
    int status = replay_runs_make(&runs, &setup, policy,
                                  (struct replay_task){.count = 1, .without = true}, err);
    if (status == 0)
        status = replay_report_apps(&runs, err);
    if (status == 0)
        demo_live_explain(&runs);
    replay_runs_fini(&runs);
    return status;
}

void demo_live(void)
{
    struct err err = {0};
    struct study study = {0};
    struct policy *policy = policy_open("fcfs", &err);
    puts("\nLive: three programs write 40 MB at a time to a store that takes 100 MB/s,");
    puts("first without control, then under weir (about 20 s) ...\n");
    fflush(stdout);
    int status = policy ? study_init(&study, demo_live_make_scenario(&err), NULL, &err) : -1;
    if (status == 0)
        status = demo_live_replay(&study, policy, &err);
    if (status)
        printf("The live part cannot run here: %s.\n", err.text);
    study_fini(&study);
    policy_free(policy);
}
