/* The table of 56 congested moments on Intrepid, and the Priority variants there and on Mira
 * (Gainaru et al. 2015, slides). */
#include "gen/family.h"
#include "paper/gainaru.h"
#include "paper/result.h"
#include "paper/run.h"

/* Which demand counts as congestion, and the key. */
enum { MOMENTS_APIO, MOMENTS_SLIDES, MOMENTS_HIGH_APIO, MOMENTS_HIGH_SLIDES, MOMENTS_MIRA };
static const char *const moments_groups[] = {"Intrepid, demand from 0.5, key of Zha and Shen",
                                             "Intrepid, demand from 0.5, key of the slides",
                                             "Intrepid, demand from 0.8, key of Zha and Shen",
                                             "Intrepid, demand from 0.8, key of the slides",
                                             "Mira, demand from 0.5, key of Zha and Shen",
                                             NULL};

enum { MOMENTS = 56, MOMENTS_SEEDS = 4000 };

/* The part of the time in which the file system would be busy, if nobody waited. */
static double moments_demand(const struct workload *workload)
{
    double sum = 0;
    for (uint32_t i = 0; i < workload->count; i++) {
        const struct weir_app *facts = &workload->apps[i].facts;
        sum += facts->total_io * facts->bmax / (facts->total_work + facts->total_io);
    }
    return sum / workload->platform.bandwidth;
}

static uint32_t moments_units(bool quick)
{
    (void)quick;
    return MOMENTS_MIRA + 1;
}

/* The first 56 random sets whose demand is at least this. */
static int moments_run(uint32_t unit, bool quick, struct samples *samples, struct err *err)
{
    (void)quick;
    const struct family *family = unit == MOMENTS_MIRA ? &family_mira : &family_intrepid;
    double least = unit == MOMENTS_HIGH_APIO || unit == MOMENTS_HIGH_SLIDES ? 0.8 : 0.5;
    bool slides_key = unit == MOMENTS_SLIDES || unit == MOMENTS_HIGH_SLIDES;
    int found = 0, status = 0;
    for (uint64_t seed = 1; found < MOMENTS && seed <= MOMENTS_SEEDS && status == 0; seed++) {
        struct subject_workload subject;
        status = subject_draw(&subject, family, seed, NULL, err);
        if (status == 0 && moments_demand(subject.workload) >= least) {
            status = gainaru_compare(subject.workload, (struct sample){.group = (uint16_t)unit},
                                     slides_key, samples, err);
            found++;
        }
        subject_fini(&subject);
    }
    return status;
}

const struct experiment experiment_moments = {
    .workloads = "the moments of the slides are not published: the first 56 random sets for the "
                 "machine (families intrepid and mira) whose I/O would keep the file system busy "
                 "for at least half, or 0.8, of the time",
    .series = gainaru_series,
    .columns = gainaru_columns,
    .groups = moments_groups,
    .quick_time = 0.1,
    .full_time = 0.1,
    .units = moments_units,
    .run = moments_run,
};

static const struct printed_number moments_dilation[] = {
    {MOMENTS_APIO, SYSEFF, 0, 2.46},   {MOMENTS_APIO, SYSEFF + PRIORITY, 0, 3.13},
    {MOMENTS_APIO, GAMMA_25, 0, 2.33}, {MOMENTS_APIO, GAMMA_25 + PRIORITY, 0, 2.93},
    {MOMENTS_APIO, GAMMA_50, 0, 1.99}, {MOMENTS_APIO, GAMMA_50 + PRIORITY, 0, 2.43},
    {MOMENTS_APIO, GAMMA_75, 0, 1.69}, {MOMENTS_APIO, GAMMA_75 + PRIORITY, 0, 2.03},
    {MOMENTS_APIO, DILATION, 0, 1.63}, {MOMENTS_APIO, DILATION + PRIORITY, 0, 1.96},
    {MOMENTS_APIO, MACHINE, 0, 2.55}};
static const struct printed_number moments_limit[] = {{MOMENTS_APIO, MACHINE, 0, .9159}};
static const struct printed_number moments_efficiency[] = {
    {MOMENTS_APIO, SYSEFF, 0, .8535},   {MOMENTS_APIO, SYSEFF + PRIORITY, 0, .8298},
    {MOMENTS_APIO, GAMMA_25, 0, .8308}, {MOMENTS_APIO, GAMMA_25 + PRIORITY, 0, .8031},
    {MOMENTS_APIO, GAMMA_50, 0, .772},  {MOMENTS_APIO, GAMMA_50 + PRIORITY, 0, .7296},
    {MOMENTS_APIO, GAMMA_75, 0, .7166}, {MOMENTS_APIO, GAMMA_75 + PRIORITY, 0, .6694},
    {MOMENTS_APIO, DILATION, 0, .7045}, {MOMENTS_APIO, DILATION + PRIORITY, 0, .6564},
    {MOMENTS_APIO, MACHINE, 0, .7112}};

#define OTHER_MOMENTS                                                                              \
    .differs = "other workloads: the moments are not published, and the machine has burst "        \
               "buffers. Only the order of the strategies can be compared."

#define NAME_SYSEFF   "MaxSysEff"
#define NAME_GAMMA_25 "MinMax-0.25"
#define NAME_GAMMA_50 "MinMax-0.5"
#define NAME_GAMMA_75 "MinMax-0.75"
#define NAME_DILATION "MinDilation"

#define FALLS(column, what, group, key, from, to, ...)                                             \
    {                                                                                              \
        .text = what " falls from " NAME_##from " to " NAME_##to ", " key,                         \
        .measured = "difference of the means", .ours = SLIDES_MEAN(column, group, to),             \
        .against = SLIDES_MEAN(column, group, from), .operation = CLAIM_DIFFERENCE,                \
        .relation = CLAIM_AT_MOST, __VA_ARGS__                                                     \
    }
#define KEY_RISES                                                                                  \
    .differs = "by increasing p rho~ the large applications, which bring SysEfficiency, come "     \
               "last: with this key max-syseff is the worst of all."
#define SAME_ORDER                                                                                 \
    .differs = "with this demand MinMax-0.5 hardly ever leaves the order of MaxSysEff: their "     \
               "means are equal to four decimals. With a demand from 0.8 on SysEfficiency falls."
/* `first` and `second` are why SysEfficiency does not fall from one to the next. */
#define ORDER(group, key, first, second)                                                           \
    FALLS(SLIDES_DILATION, "Dilation", group, key, SYSEFF, GAMMA_25, .differs = NULL),             \
        FALLS(SLIDES_DILATION, "Dilation", group, key, GAMMA_25, GAMMA_50, .differs = NULL),       \
        FALLS(SLIDES_DILATION, "Dilation", group, key, GAMMA_50, GAMMA_75, .differs = NULL),       \
        FALLS(SLIDES_DILATION, "Dilation", group, key, GAMMA_75, DILATION, .differs = NULL),       \
        FALLS(SLIDES_SYSEFF, "SysEfficiency", group, key, SYSEFF, GAMMA_50, first),                \
        FALLS(SLIDES_SYSEFF, "SysEfficiency", group, key, GAMMA_50, DILATION, second)

const struct result result_gainaru_moments = {
    .name = "gainaru-moments",
    .source = "Gainaru et al. 2015, slides, table of 56 congested moments on Intrepid",
    .title = "Dilation and SysEfficiency of the slides' strategies",
    .experiment = EXPERIMENT_moments,
    .note = "The slides print that MaxSysEff favours low values of p rho~ (key=slides); Zha and "
            "Shen (2022) print high values of p rho / rho~ (key=apio). Both are run. Fair sharing "
            "stands for the machine without a scheduler.",
    .charts = (const struct chart[]){{"key of Zha and Shen", "Dilation", CHART_BOXES,
                                      SLIDES_DILATION, .group = MOMENTS_APIO},
                                     {"key of Zha and Shen", "SysEfficiency", CHART_BOXES,
                                      SLIDES_SYSEFF, .group = MOMENTS_APIO},
                                     {"key of the slides", "Dilation", CHART_BOXES, SLIDES_DILATION,
                                      .group = MOMENTS_SLIDES},
                                     {"key of the slides", "SysEfficiency", CHART_BOXES,
                                      SLIDES_SYSEFF, .group = MOMENTS_SLIDES},
                                     {.title = NULL}},
    .printed =
        (const struct printed[]){{.text = "Dilation",
                                  .column = SLIDES_DILATION,
                                  .list = moments_dilation,
                                  .count = sizeof moments_dilation / sizeof *moments_dilation,
                                  .tolerance = 0.005,
                                  .runs = MOMENTS,
                                  OTHER_MOMENTS},
                                 {.text = "SysEfficiency",
                                  .column = SLIDES_SYSEFF,
                                  .list = moments_efficiency,
                                  .count = sizeof moments_efficiency / sizeof *moments_efficiency,
                                  .tolerance = 5e-5,
                                  .runs = MOMENTS,
                                  OTHER_MOMENTS},
                                 {.text = "upper limit of SysEfficiency",
                                  .column = SLIDES_BOUND,
                                  .list = moments_limit,
                                  .count = sizeof moments_limit / sizeof *moments_limit,
                                  .tolerance = 5e-5,
                                  .runs = MOMENTS,
                                  OTHER_MOMENTS},
                                 {.text = NULL}},
    .claims =
        (const struct claim[]){
            ORDER(MOMENTS_APIO, "key of Zha and Shen", SAME_ORDER, .differs = NULL),
            ORDER(MOMENTS_HIGH_APIO, "key of Zha and Shen, demand from 0.8", .differs = NULL,
                  .differs = NULL),
            ORDER(MOMENTS_SLIDES, "key of the slides", KEY_RISES, KEY_RISES),
            {.text = "MaxSysEff has the best SysEfficiency, key of Zha and Shen",
             .measured = "max-syseff - the best other",
             .ours = SLIDES_MEAN(SLIDES_SYSEFF, MOMENTS_APIO, SYSEFF),
             .against = {SLIDES_SYSEFF, MOMENTS_APIO, ~SERIES(SYSEFF)},
             .operation = CLAIM_DIFFERENCE,
             .relation = CLAIM_AT_LEAST,
             SAME_ORDER},
            {.text = NULL}},
};

/* --- Priority variants ---------------------------------------------------------------------- */

#define PRIORITY_WORSE(column, what, strategy, group, relation_, ...)                              \
    {                                                                                              \
        .text = "the Priority variant of " NAME_##strategy " is worse in " what,                   \
        .measured = "with priority - without",                                                     \
        .ours = SLIDES_MEAN(column, group, strategy + PRIORITY),                                   \
        .against = SLIDES_MEAN(column, group, strategy), .operation = CLAIM_DIFFERENCE,            \
        .relation = relation_, __VA_ARGS__                                                         \
    }
#define DILATION_WORSE(strategy, ...)                                                              \
    PRIORITY_WORSE(SLIDES_DILATION, "Dilation", strategy, MOMENTS_APIO, CLAIM_AT_LEAST, __VA_ARGS__)
#define SYSEFF_WORSE(strategy, ...)                                                                \
    PRIORITY_WORSE(SLIDES_SYSEFF, "SysEfficiency", strategy, MOMENTS_APIO, CLAIM_AT_MOST,          \
                   __VA_ARGS__)
#define PRIORITY_SMALL                                                                             \
    .differs = "the effect is of either sign: to finish what has begun frees its application "     \
               "earlier, and keeps a starved one waiting."

const struct result result_gainaru_priority = {
    .name = "gainaru-priority",
    .source = "Gainaru et al. 2015, slides, Priority variants on Intrepid and Mira",
    .title = "strategies that let an application finish the I/O it has begun",
    .experiment = EXPERIMENT_moments,
    .charts =
        (const struct chart[]){
            {"Mira", "Dilation", CHART_BOXES, SLIDES_DILATION, .group = MOMENTS_MIRA},
            {"Mira", "SysEfficiency", CHART_BOXES, SLIDES_SYSEFF, .group = MOMENTS_MIRA},
            {.title = NULL}},
    .claims =
        (const struct claim[]){
            DILATION_WORSE(SYSEFF, PRIORITY_SMALL),
            DILATION_WORSE(GAMMA_25, PRIORITY_SMALL),
            DILATION_WORSE(GAMMA_50, PRIORITY_SMALL),
            DILATION_WORSE(GAMMA_75, .differs = NULL),
            DILATION_WORSE(DILATION, .differs = NULL),
            SYSEFF_WORSE(SYSEFF, .differs = NULL),
            SYSEFF_WORSE(GAMMA_25, .differs = NULL),
            SYSEFF_WORSE(GAMMA_50, .differs = NULL),
            SYSEFF_WORSE(GAMMA_75, .differs = NULL),
            SYSEFF_WORSE(DILATION, PRIORITY_SMALL),
            {.text = "the Priority heuristics improve the SysEfficiency of Mira",
             .measured = "the best with priority - fair-share",
             .ours = {SLIDES_SYSEFF, MOMENTS_MIRA,
                      SERIES(SYSEFF + PRIORITY) | SERIES(GAMMA_25 + PRIORITY) |
                          SERIES(GAMMA_50 + PRIORITY) | SERIES(GAMMA_75 + PRIORITY) |
                          SERIES(DILATION + PRIORITY)},
             .against = SLIDES_MEAN(SLIDES_SYSEFF, MOMENTS_MIRA, MACHINE),
             .operation = CLAIM_DIFFERENCE,
             .relation = CLAIM_AT_LEAST},
            {.text = "the Priority heuristics improve the Dilation of Mira",
             .measured = "the best with priority - fair-share",
             .ours = {SLIDES_DILATION, MOMENTS_MIRA,
                      SERIES(SYSEFF + PRIORITY) | SERIES(GAMMA_25 + PRIORITY) |
                          SERIES(GAMMA_50 + PRIORITY) | SERIES(GAMMA_75 + PRIORITY) |
                          SERIES(DILATION + PRIORITY),
                      CLAIM_MEAN, CLAIM_SMALLEST},
             .against = SLIDES_MEAN(SLIDES_DILATION, MOMENTS_MIRA, MACHINE),
             .operation = CLAIM_DIFFERENCE,
             .relation = CLAIM_AT_MOST,
             .differs = "the paper compares with a measured machine, which we simulate as fair "
                        "sharing: its mean Dilation is smaller by 0.004."},
            {.text = NULL}},
};
