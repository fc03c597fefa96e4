/* Periodic applications that share one file system (Vidal 2022, section II.D): GENERAL and UNIFORM
 * workloads, over the weight of I/O W. */
#include "paper/experiment.h"
#include "paper/run.h"
#include "plan/hrr.h"
#include <math.h>
#include <stdio.h>

/* 15 applications that are half of their time in I/O have the largest W, 7.5; noise may add a
 * little, which belongs in the last interval. */
enum { CHAINS_MOST_APPS = 15 };
#define CHAINS_BIN   0.5
#define CHAINS_MOST  7.499
#define CHAINS_NOISE "noise=%g"

/* Means of fewer instances scatter more than the strategies differ. */
enum { CHAINS_ENOUGH = 30 };

enum { CHAINS_RELATIVE, CHAINS_ABSOLUTE };
static const char *const chains_columns[] = {"makespan / reference", "makespan, s", NULL};
static const char *const chains_groups[] = {"no noise", "20 % of noise", "50 % of noise", NULL};
static const double chains_noises[] = {0, 0.2, 0.5};

/* As many instances as the thesis has (Table II.1), and ten times as many. */
static uint32_t chains_instances(bool quick)
{
    return quick ? 1000 : 10000;
}

/* Runs all series of one instance. The reference is the makespan that others are divided by; 0 =
 * that of the first series. */
static int chains_compare(const struct experiment *experiment, uint16_t group,
                          const struct workload *workload, double reference,
                          struct samples *samples, struct err *err)
{
    double weight;
    if (workload_io_weight(workload, &weight) < 0)
        return err_memory(err);
    for (uint16_t i = 0; experiment->series[i]; i++) {
        struct weir_metrics metrics;
        if (paper_measure(workload, experiment->series[i], NULL, &metrics, err) < 0)
            return -1;
        if (reference == 0)
            reference = metrics.makespan;
        const struct sample sample = {group,
                                      i,
                                      fmin(weight, CHAINS_MOST),
                                      {[CHAINS_RELATIVE] = metrics.makespan / reference,
                                       [CHAINS_ABSOLUTE] = metrics.makespan}};
        if (samples_add(samples, &sample, err) < 0)
            return -1;
    }
    return 0;
}

static int chains_draw(struct subject_workload *subject, const struct family *family, uint32_t unit,
                       bool quick, struct err *err)
{
    char params[32];
    uint32_t instances = chains_instances(quick);
    snprintf(params, sizeof params, CHAINS_NOISE, chains_noises[unit / instances]);
    return subject_draw(subject, family, unit % instances + 1, params, err);
}

/* --- GENERAL, relative to best effort ------------------------------------------------------- */

enum { BEST_EFFORT, LIST_FIFO, LIST_JOHNSON, LIST_MOST, TURN_FIFO, TURN_JOHNSON, TURN_MOST };
static const char *const general_series[] = {
    [BEST_EFFORT] = "best-effort",
    [LIST_FIFO] = "list:order=fifo",
    [LIST_JOHNSON] = "list:order=johnson",
    [LIST_MOST] = "list:order=most-remaining",
    [TURN_FIFO] = "periodic:order=fifo",
    [TURN_JOHNSON] = "periodic:order=johnson",
    [TURN_MOST] = "periodic:order=most-remaining",
    NULL,
};

static uint32_t general_units(bool quick)
{
    return 3 * chains_instances(quick);
}

static int general_run(uint32_t unit, bool quick, struct samples *samples, struct err *err)
{
    struct subject_workload subject;
    int status = chains_draw(&subject, &family_general, unit, quick, err);
    if (status == 0)
        status = chains_compare(&experiment_general, (uint16_t)(unit / chains_instances(quick)),
                                subject.workload, 0, samples, err);
    subject_fini(&subject);
    return status;
}

const struct experiment experiment_general = {
    .workloads = "the family general: 2 to 15 periodic applications (Table II.1), 1,000 workloads "
                 "for each noise in the quick run, 10,000 in the full one",
    .series = general_series,
    .columns = chains_columns,
    .groups = chains_groups,
    .x = "weight of I/O W",
    .bin = CHAINS_BIN,
    .enough = CHAINS_ENOUGH,
    .quick_time = 1.4,
    .full_time = 14,
    .units = general_units,
    .run = general_run,
};

/* --- UNIFORM, relative to Hierarchical Round-Robin ------------------------------------------ */

enum { UNIFORM_BEST_EFFORT, UNIFORM_FIFO };
static const char *const uniform_series[] = {
    [UNIFORM_BEST_EFFORT] = "best-effort",
    [UNIFORM_FIFO] = "list:order=fifo",
    NULL,
};
static const char *const uniform_groups[] = {"no noise", "20 % of noise", NULL};

/* In closed form, from the lengths without noise. */
static double uniform_hrr(const struct scenario *scenario)
{
    uint32_t iterations[CHAINS_MOST_APPS];
    for (uint32_t i = 0; i < scenario->count && i < CHAINS_MOST_APPS; i++)
        iterations[i] = scenario->apps[i].iterations;
    return hrr_makespan(scenario->apps[0].work.mean, scenario->apps[0].io.mean, iterations,
                        scenario->count);
}

static uint32_t uniform_units(bool quick)
{
    return 2 * chains_instances(quick);
}

static int uniform_run(uint32_t unit, bool quick, struct samples *samples, struct err *err)
{
    struct subject_workload subject;
    int status = chains_draw(&subject, &family_uniform, unit, quick, err);
    if (status == 0)
        status = chains_compare(&experiment_uniform, (uint16_t)(unit / chains_instances(quick)),
                                subject.workload, uniform_hrr(subject.scenario), samples, err);
    subject_fini(&subject);
    return status;
}

const struct experiment experiment_uniform = {
    .workloads = "the family uniform: 2 to 15 applications that differ in nothing but their number "
                 "of iterations (Table II.1), 1,000 workloads for each noise in the quick run, "
                 "10,000 in the full one",
    .series = uniform_series,
    .columns = chains_columns,
    .groups = uniform_groups,
    .x = "weight of I/O W",
    .bin = CHAINS_BIN,
    .enough = 1,
    .quick_time = 0.7,
    .full_time = 6.7,
    .units = uniform_units,
    .run = uniform_run,
};
