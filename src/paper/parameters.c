/* The synthetic windows of Benoit et al. (2024): impact of the parameters other than the pressure.
 */
#include "paper/benoit.h"
#include "paper/experiment.h"
#include "paper/run.h"
#include "paper/synthetic.h"
#include <stdio.h>

/* n_small, sigma, nu: one of them varies. */
enum { BY_SMALL, BY_SIGMA, BY_NU };
static const char *const parameters_groups[] = {"n_small", "sigma", "nu", NULL};
static const char *const parameters_names[] = {"small", "sigma", "nu"};
enum { PARAMETERS_VALUES = 5 };
static const double parameters_values[][PARAMETERS_VALUES] = {
    {1, 10, 20, 30, 40}, {0.1, 0.3, 0.5, 0.7, 1}, {0.1, 0.3, 0.5, 0.7, 0.9}};

static uint32_t parameters_instances(bool quick)
{
    return quick ? 2 : 20;
}

static uint32_t parameters_units(bool quick)
{
    return 3 * PARAMETERS_VALUES * parameters_instances(quick);
}

static int parameters_run(uint32_t unit, bool quick, struct samples *samples, struct err *err)
{
    uint32_t instances = parameters_instances(quick), place = unit / instances;
    uint32_t group = place / PARAMETERS_VALUES;
    double value = parameters_values[group][place % PARAMETERS_VALUES];
    char params[64];
    struct subject_workload subject;
    snprintf(params, sizeof params, "pressure=0.8 %s=%g", parameters_names[group], value);
    int status = subject_draw(&subject, &family_synthetic, unit % instances + 1, params, err);
    if (status == 0)
        status = synthetic_compare(subject.workload,
                                   (struct sample){.group = (uint16_t)group, .x = value}, NULL,
                                   samples, err);
    subject_fini(&subject);
    return status;
}

const struct experiment experiment_parameters = {
    .workloads = "the family synthetic at W = 0.8, one of n_small, sigma and nu varied: 20 windows "
                 "for each value in the full run, 2 in the quick one",
    .series = benoit_series,
    .columns = synthetic_columns,
    .groups = parameters_groups,
    .x = "value of the parameter",
    .quick_time = 2.7,
    .full_time = 30,
    .units = parameters_units,
    .run = parameters_run,
};
