/* Windows of machine schedules drawn from the APEX report (Benoit et al. 2024, section 6.3), with
 * the data that the paper used. */
#include "paper/benoit.h"
#include "paper/experiment.h"
#include "paper/run.h"
#include <math.h>
#include <stdio.h>
#include <time.h>

enum { MIN_YIELD, RELATIVE, BELOW, EFFICIENCY, UTILIZATION, SECONDS, HOURS, SCALE, PRESSURE };
static const char *const apex_columns[] = {
    [MIN_YIELD] = "MinYield",
    [RELATIVE] = "MinYield / fair-share's",
    [BELOW] = "part of the windows below fair-share",
    [EFFICIENCY] = "Efficiency",
    [UTILIZATION] = "Utilization",
    [SECONDS] = "processor time of a simulation, s",
    [HOURS] = "length of the window, h",
    [SCALE] = "machine",
    [PRESSURE] = "I/O pressure W",
    NULL,
};
/* Over the I/O pressure, and the pressure itself over the machines. */
enum { TRILAB, NERSC, TRILAB_MACHINES, NERSC_MACHINES };
static const char *const apex_groups[] = {"TRILAB", "NERSC", "TRILAB, machines", "NERSC, machines",
                                          NULL};
static const struct family *const apex_families[] = {&family_apex_trilab, &family_apex_nersc};

/* The paper has 100 schedules for each machine. */
static const int apex_quick_machines[] = {0, 3, 5, 7, 10};
enum { APEX_QUICK_MACHINES = 5, APEX_MACHINES = 11, APEX_QUICK = 3, APEX_FULL = 30 };

static uint32_t apex_units(bool quick)
{
    return 2 * (quick ? APEX_QUICK_MACHINES * APEX_QUICK : APEX_MACHINES * APEX_FULL);
}

/* Of this thread alone, so that it does not depend on what else runs. */
static double apex_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What the windows of a schedule are added to. */
struct apex_unit {
    struct sample sample; /* with group and machine */
    struct samples *samples;
};

static int apex_window(const struct workload *workload, void *context, struct err *err)
{
    const struct apex_unit *unit = context;
    struct sample sample = unit->sample;
    double fair = 0;
    sample.x = workload->io_pressure;
    sample.values[HOURS] = workload->window.end / 3600;
    sample.values[PRESSURE] = workload->io_pressure;
    for (uint16_t i = 0; benoit_series[i]; i++) {
        struct weir_metrics metrics;
        double before = apex_clock();
        if (paper_measure(workload, benoit_series[i], NULL, &metrics, err) < 0)
            return -1;
        fair = i == FAIR_SHARE ? metrics.min_yield : fair;
        sample.series = i;
        sample.values[SECONDS] = apex_clock() - before;
        sample.values[MIN_YIELD] = metrics.min_yield;
        sample.values[RELATIVE] = metrics.min_yield / fair;
        sample.values[BELOW] = metrics.min_yield < fair - 1e-6;
        sample.values[EFFICIENCY] = metrics.efficiency;
        sample.values[UTILIZATION] = metrics.utilization;
        if (samples_add(unit->samples, &sample, err) < 0)
            return -1;
    }
    sample.group += TRILAB_MACHINES;
    sample.series = FAIR_SHARE;
    sample.x = sample.values[SCALE];
    return samples_add(unit->samples, &sample, err);
}

/* The windows of one schedule. */
static int apex_run(uint32_t number, bool quick, struct samples *samples, struct err *err)
{
    uint32_t schedules = quick ? APEX_QUICK : APEX_FULL;
    uint32_t machines = quick ? APEX_QUICK_MACHINES : APEX_MACHINES;
    uint32_t place = number / schedules % machines, group = number / schedules / machines;
    int machine = quick ? apex_quick_machines[place] : (int)place;
    char params[32];
    snprintf(params, sizeof params, "machine=%d data=paper", machine);
    struct apex_unit unit = {{.group = (uint16_t)group, .values = {[SCALE] = machine}}, samples};
    const struct subject_source source = {apex_families[group], params, number % schedules + 1};
    return subject_each_window(&source, apex_window, &unit, err);
}

const struct experiment experiment_apex = {
    .workloads = "the families apex-trilab and apex-nersc with data=paper: the 20 longest windows "
                 "of each schedule, without the jobs that do no I/O in them and with 10 % of noise "
                 "between neighbouring phases, as the authors' program makes them; 3 schedules for "
                 "each of five machines in the quick run, 30 "
                 "for each of eleven in the full one (the paper has 100)",
    .series = benoit_series,
    .columns = apex_columns,
    .groups = apex_groups,
    .x = "I/O pressure W",
    .bin = 0.1,
    .enough = 1,
    .quick_time = 1.4,
    .full_time = 36,
    .units = apex_units,
    .run = apex_run,
};
