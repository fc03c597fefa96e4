/* Exclusive access against sharing for two applications (Vidal 2022, section V.B.1). */
#include "paper/experiment.h"
#include "paper/run.h"

enum { SHARED, EXCLUSIVE };
static const char *const pair_series[] = {
    [SHARED] = "best-effort", [EXCLUSIVE] = "list:order=fifo", NULL};
enum { PAIR_MAX_STRETCH, PAIR_MEAN_STRETCH };
static const char *const pair_columns[] = {"max stretch", "mean stretch", NULL};
static const char *const pair_groups[] = {"two applications", NULL};

/* The first application's iteration is this many times as long as the second's. */
static const double pair_ratios[] = {1, 2, 3, 5, 8, 12, 20};

static uint32_t pair_units(bool quick)
{
    (void)quick;
    return sizeof pair_ratios / sizeof *pair_ratios;
}

/* Both spend 40 % of their time alone in I/O, and each can saturate the file system. */
static struct scenario *pair_scenario(double ratio, struct err *err)
{
    struct scenario *scenario = scenario_new("pair", 2);
    if (!scenario) {
        err_memory(err);
        return NULL;
    }
    scenario->platform = (struct platform){.node_bandwidth = 1, .bandwidth = 1};
    for (int i = 0; i < 2; i++) {
        struct app_spec *app = &scenario->apps[i];
        double length = i == 0 ? ratio : 1;
        app->name = i == 0 ? "app1" : "app2";
        app->bandwidth = 1;
        app->work.mean = 0.6 * length;
        app->io.mean = 0.4 * length;
        app->iterations = (uint32_t)(1200 / length);
    }
    return scenario;
}

static int pair_run(uint32_t unit, bool quick, struct samples *samples, struct err *err)
{
    (void)quick;
    struct subject_workload subject = {0};
    int status = subject_take(&subject, pair_scenario(pair_ratios[unit], err), err);
    for (uint16_t i = 0; pair_series[i] && status == 0; i++) {
        struct weir_metrics metrics;
        status = paper_measure(subject.workload, pair_series[i], NULL, &metrics, err);
        const struct sample sample = {
            0,
            i,
            pair_ratios[unit],
            {[PAIR_MAX_STRETCH] = metrics.max_stretch, [PAIR_MEAN_STRETCH] = metrics.mean_stretch}};
        if (status == 0)
            status = samples_add(samples, &sample, err);
    }
    subject_fini(&subject);
    return status;
}

const struct experiment experiment_pair = {
    .workloads = "two applications that spend 40 % of their time alone in I/O; an iteration of the "
                 "first is 1 to 20 times as long as one of the second",
    .series = pair_series,
    .columns = pair_columns,
    .groups = pair_groups,
    .x = "ratio of the iterations' lengths",
    .quick_time = 0.01,
    .full_time = 0.01,
    .units = pair_units,
    .run = pair_run,
};
