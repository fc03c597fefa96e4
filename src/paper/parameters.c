/* The synthetic windows of Benoit et al. (2024): impact of the parameters other than the pressure.
 */
#include "paper/benoit.h"
#include "paper/result.h"
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

#define PARAMETER_CHARTS(parameter, name)                                                          \
    {name ": MinYield", "MinYield", CHART_BOXES, MIN_YIELD, .group = parameter},                   \
        {name ": Efficiency", "Efficiency", CHART_BOXES, EFFICIENCY, .group = parameter},          \
    {                                                                                              \
        name ": Utilization", "Utilization", CHART_BOXES, UTILIZATION, .group = parameter          \
    }
/* The best - the worst value of the parameter, over the strategies. */
#define NO_IMPACT(group, name, series_, low, high, ...)                                            \
    {                                                                                              \
        .text = name, .measured = "MinYield with the largest value - with the smallest",           \
        .ours = {MIN_YIELD, group, series_, .from = (high)-0.01, .to = (high) + 0.01},             \
        .against = {MIN_YIELD, group, series_, .from = (low)-0.01, .to = (low) + 0.01},            \
        .operation = CLAIM_DIFFERENCE, __VA_ARGS__                                                 \
    }

const struct result result_benoit_parameters = {
    .name = "benoit-parameters",
    .source = "Benoit et al. 2024, section 6.2.2, impact of the other parameters",
    .title = "impact of n_small, sigma and nu on MinYield, Efficiency and Utilization",
    .experiment = EXPERIMENT_parameters,
    .note = "The figures are in the authors' report; the paper prints the findings.",
    .charts = (const struct chart[]){PARAMETER_CHARTS(BY_SMALL, "n_small"),
                                     PARAMETER_CHARTS(BY_SIGMA, "sigma"),
                                     PARAMETER_CHARTS(BY_NU, "nu"),
                                     {.title = NULL}},
    .claims =
        (const struct claim[]){
            NO_IMPACT(BY_SMALL, "n_small does not impact the performance: greedy-yield",
                      SERIES(GREEDY_YIELD), 1, 40, .relation = CLAIM_IS, .tolerance = 0.03),
            NO_IMPACT(BY_SMALL, "n_small does not impact the performance: fair-share",
                      SERIES(FAIR_SHARE), 1, 40, .relation = CLAIM_IS, .tolerance = 0.03),
            NO_IMPACT(BY_NU, "nu does not impact the performance: greedy-yield",
                      SERIES(GREEDY_YIELD), 0.1, 0.9, .relation = CLAIM_IS, .tolerance = 0.02),
            NO_IMPACT(BY_NU, "nu does not impact the performance: fair-share", SERIES(FAIR_SHARE),
                      0.1, 0.9, .relation = CLAIM_IS, .tolerance = 0.02),
            NO_IMPACT(BY_SIGMA, "sigma does not impact the others: greedy-yield",
                      SERIES(GREEDY_YIELD), 0.1, 1, .relation = CLAIM_IS, .tolerance = 0.02),
            NO_IMPACT(BY_SIGMA, "sigma does not impact the others: fair-share", SERIES(FAIR_SHARE),
                      0.1, 1, .relation = CLAIM_IS, .tolerance = 0.03),
            NO_IMPACT(BY_SIGMA, "high sigma impacts the MinYield of fcfs negatively", SERIES(FCFS),
                      0.1, 1, .relation = CLAIM_AT_MOST, .bound = -0.05),
            NO_IMPACT(BY_SIGMA, "high sigma impacts the MinYield of set-10 negatively",
                      SERIES(SET_10), 0.1, 1, .relation = CLAIM_AT_MOST, .bound = -0.01),
            {.text = NULL}},
};
