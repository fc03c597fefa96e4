/* The two parameters of PerSched, K' and epsilon, and how its time grows (Aupy et al. 2017, Theorem
 * 1; the study of K' is in the companion report, its numbers are published with the program). */
#include "gen/family.h"
#include "paper/experiment.h"
#include "paper/jupiter.h"
#include <math.h>
#include <time.h>

static const char *const study_series[] = {"set 1", "set 2", "set 3", "set 4",  "set 5", "set 6",
                                           "set 7", "set 8", "set 9", "set 10", NULL};
enum { STUDY_SYSEFF, STUDY_DILATION, STUDY_RELATIVE, STUDY_TIME, STUDY_SLACK };
static const char *const study_columns[] = {
    [STUDY_SYSEFF] = "SysEfficiency",
    [STUDY_DILATION] = "Dilation",
    [STUDY_RELATIVE] = "SysEfficiency / upper bound",
    [STUDY_TIME] = "processor time, s",
    [STUDY_SLACK] = "processor time / bound of Theorem 1, ns",
    NULL,
};
enum { STUDY_FACTORS, STUDY_EPSILONS, STUDY_APPLICATIONS };
static const char *const study_groups[] = {"K'", "1 / epsilon", "applications", NULL};

static const double study_factors[] = {1, 2, 5, 10, 15, 20, 100};
static const double study_steps[] = {10, 20, 50, 100, 200, 500};
static const double study_sizes[] = {2, 4, 8, 16, 32};
enum {
    STUDY_FACTOR_COUNT = sizeof study_factors / sizeof *study_factors,
    STUDY_STEP_COUNT = sizeof study_steps / sizeof *study_steps,
    STUDY_SIZE_COUNT = sizeof study_sizes / sizeof *study_sizes,
    STUDY_SIZE_FIRST = JUPITER_SETS,
};

/* (1 / epsilon + log K' / log(1 + epsilon)) K^2 (nmax + log K'), nmax the longest over the shortest
 * w + tio: what Theorem 1 says the time grows with. */
static double study_theorem_1(const struct tasks *tasks, const struct persched *options)
{
    double longest = 0, shortest = INFINITY, count = tasks->count;
    for (uint32_t i = 0; i < tasks->count; i++) {
        double length = tasks->list[i].work + tasks->list[i].io;
        longest = fmax(longest, length);
        shortest = fmin(shortest, length);
    }
    double factor = log(options->max_factor);
    return (1 / options->epsilon + factor / log1p(options->epsilon)) * count * count *
           (longest / shortest + factor);
}

/* Of this thread alone, so that it does not depend on what else runs. */
static double study_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int study_try(const struct planned_set *set, struct persched options, struct sample sample,
                     struct samples *samples, struct err *err)
{
    struct persched_claim found;
    double before = study_clock();
    options.claim = &found;
    struct plan *plan = persched_plan(&set->tasks, &options, err);
    if (!plan)
        return -1;
    double seconds = study_clock() - before;
    sample.values[STUDY_SYSEFF] = found.sys_efficiency;
    sample.values[STUDY_DILATION] = found.dilation;
    sample.values[STUDY_RELATIVE] = found.sys_efficiency / set->bounds.sys_efficiency;
    sample.values[STUDY_TIME] = seconds;
    sample.values[STUDY_SLACK] = 1e9 * seconds / study_theorem_1(&set->tasks, &options);
    plan_free(plan);
    return samples_add(samples, &sample, err);
}

/* The search of the published program, which is the one that the theorem is about. */
static struct persched study_options(double min_period)
{
    struct persched options = persched_defaults;
    options.search = PLAN_SEARCH_PAPER;
    options.objective = PLAN_SYS_EFFICIENCY;
    options.min_period = min_period;
    options.max_factor = 10;
    options.epsilon = 0.01;
    return options;
}

static int study_set(uint32_t number, struct samples *samples, struct err *err)
{
    struct planned_set set;
    int status = jupiter_take(&set, (int)number + 1, err);
    for (int i = 0; i < STUDY_FACTOR_COUNT && status == 0; i++) {
        struct persched options = study_options(jupiter_starts[number]);
        options.max_factor = study_factors[i];
        const struct sample sample = {
            .group = STUDY_FACTORS, .series = (uint16_t)number, .x = study_factors[i]};
        status = study_try(&set, options, sample, samples, err);
    }
    for (int i = 0; i < STUDY_STEP_COUNT && status == 0; i++) {
        struct persched options = study_options(jupiter_starts[number]);
        options.epsilon = 1 / study_steps[i];
        const struct sample sample = {
            .group = STUDY_EPSILONS, .series = (uint16_t)number, .x = study_steps[i]};
        status = study_try(&set, options, sample, samples, err);
    }
    planned_set_fini(&set);
    return status;
}

/* Applications of 100 to 1000 s, all sizes with the same shortest and longest, that together need
 * twice the bandwidth. */
static struct scenario *study_scenario(uint32_t count, struct err *err)
{
    struct scenario *scenario = scenario_new("growth", count);
    if (!scenario) {
        err_memory(err);
        return NULL;
    }
    scenario->platform = (struct platform){.nodes = count, .node_bandwidth = 1, .bandwidth = 1};
    for (uint32_t i = 0; i < count; i++) {
        struct app_spec *app = &scenario->apps[i];
        double length = 100 * pow(10, i / (count - 1.0)), part = fmin(0.9, 2.0 / count);
        if (family_name_app(scenario, i) < 0) {
            err_memory(err);
            scenario_free(scenario);
            return NULL;
        }
        app->nodes = 1;
        app->work.mean = (1 - part) * length;
        app->io.mean = part * length;
    }
    family_repeat(scenario, 20);
    return scenario;
}

static int study_growth(uint32_t number, struct samples *samples, struct err *err)
{
    struct planned_set set;
    const struct sample sample = {.group = STUDY_APPLICATIONS, .x = study_sizes[number]};
    const struct persched options = study_options(0);
    int status = planned_set_take(&set, study_scenario((uint32_t)study_sizes[number], err), err);
    if (status == 0)
        status = study_try(&set, options, sample, samples, err);
    planned_set_fini(&set);
    return status;
}

static uint32_t study_units(bool quick)
{
    (void)quick;
    return STUDY_SIZE_FIRST + STUDY_SIZE_COUNT;
}

static int study_run(uint32_t number, bool quick, struct samples *samples, struct err *err)
{
    (void)quick;
    return number < STUDY_SIZE_FIRST ? study_set(number, samples, err)
                                     : study_growth(number - STUDY_SIZE_FIRST, samples, err);
}

const struct experiment experiment_study = {
    .workloads =
        "the ten Jupiter sets with K' from 1 to 100 and epsilon from 0.1 to 0.002; for the "
        "growth with the number of applications 2 to 32 whose iterations take 100 to 1000 s",
    .series = study_series,
    .columns = study_columns,
    .groups = study_groups,
    .x = "K', 1 / epsilon, or applications",
    .quick_time = 5,
    .full_time = 5,
    .units = study_units,
    .run = study_run,
};
