/* Periodic applications that share one file system (Vidal 2022, section II.D): GENERAL and UNIFORM
 * workloads, over the weight of I/O W. */
#include "paper/result.h"
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
#define LISTS (SERIES(LIST_FIFO) | SERIES(LIST_JOHNSON) | SERIES(LIST_MOST))
#define TURNS (SERIES(TURN_FIFO) | SERIES(TURN_JOHNSON) | SERIES(TURN_MOST))
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

/* A statement about means over intervals of W, one group relative to the other or to 1. */
#define GENERAL_MEAN(g, s, e)                                                                      \
    {                                                                                              \
        CHAINS_RELATIVE, g, s, CLAIM_MEAN, e                                                       \
    }

static const struct claim claims_ii_4[] = {
    {
        .text = "when the weight of I/O is small, best effort provides the fastest makespan",
        .measured = "the best list's makespan / best effort's, W < 0.5",
        .ours = GENERAL_MEAN(0, LISTS, CLAIM_SMALLEST),
        BETWEEN(0, 0.4999),
        AT_LEAST(1),
    },
    {
        .text = "as soon as the amount of I/O increases, the scheduling strategies outperform best "
                "effort",
        .measured = "the worst strategy's makespan / best effort's, the largest over the intervals "
                    "of W >= 2",
        .ours = GENERAL_MEAN(0, LISTS | TURNS, CLAIM_LARGEST),
        .over = CLAIM_OVER_LARGEST,
        BETWEEN(2, 8),
        AT_MOST(1),
    },
    {
        .text = "the periodic strategies are superposed",
        .measured = "worst - best periodic order, the largest over the intervals",
        .ours = GENERAL_MEAN(0, TURNS, CLAIM_LARGEST),
        .against = GENERAL_MEAN(0, TURNS, CLAIM_SMALLEST),
        DIFFERENCE_OVER(LARGEST),
        AT_MOST(0.005),
    },
    {
        .text = "when the amount of I/O is small, list scheduling performs better than periodic "
                "strategies",
        .measured = "worst list / best periodic order, the largest over the intervals of W < 2",
        .ours = GENERAL_MEAN(0, LISTS, CLAIM_LARGEST),
        .against = GENERAL_MEAN(0, TURNS, CLAIM_SMALLEST),
        RATIO_OVER(LARGEST),
        .to = 1.9999,
        AT_MOST(1),
    },
    {
        .text = "when the weight of I/O increases, the periodic strategies are better than the "
                "lists: by fifo",
        .measured = "periodic / list, both by fifo, the largest over the intervals of W >= 3",
        .ours = GENERAL_MEAN(0, SERIES(TURN_FIFO), CLAIM_LARGEST),
        .against = GENERAL_MEAN(0, SERIES(LIST_FIFO), CLAIM_LARGEST),
        RATIO_OVER(LARGEST),
        BETWEEN(3, 8),
        AT_MOST(1),
    },
    {
        .text = "the same by Johnson's order",
        .measured = "periodic / list, both by johnson, the largest over the intervals of W >= 3",
        .ours = GENERAL_MEAN(0, SERIES(TURN_JOHNSON), CLAIM_LARGEST),
        .against = GENERAL_MEAN(0, SERIES(LIST_JOHNSON), CLAIM_LARGEST),
        RATIO_OVER(LARGEST),
        BETWEEN(3, 8),
        AT_MOST(1),
    },
    {
        .text =
            "periodic approaches are the best ones when the relative amount of I/O is high (the "
            "summary), also against a list by most remaining work",
        .measured = "best periodic order / list by most-remaining, the largest over the intervals "
                    "of W >= 3",
        .ours = GENERAL_MEAN(0, TURNS, CLAIM_SMALLEST),
        .against = GENERAL_MEAN(0, SERIES(LIST_MOST), CLAIM_LARGEST),
        RATIO_OVER(LARGEST),
        BETWEEN(3, 8),
        AT_MOST(1),
        .differs = "a list by what remains lets all applications end at about the same time; under "
                   "the other orders the longest run on after most have ended, and the file system "
                   "idles. What remains is counted here as work and I/O at full bandwidth; the "
                   "thesis does not say how it counts.",
    },
    {.text = NULL},
};

const struct result result_vidal_ii_4 = {
    .name = "vidal-II.4",
    .source = "Vidal 2022, Figure II.4",
    .title = "makespan of lists and periodic orders on general workloads",
    .experiment = EXPERIMENT_general,
    .charts =
        (const struct chart[]){
            {"(a) relative to best effort", "makespan / best effort's", CHART_LINES,
             CHAINS_RELATIVE, .group = 0},
            {"(b) absolute", "makespan (s)", CHART_LINES, CHAINS_ABSOLUTE, .group = 0},
            {.title = NULL},
        },
    .claims = claims_ii_4,
};

static const struct claim claims_ii_5[] = {
    {
        .text = "noise slightly degrades the performance when the amount of I/O is small (20 %)",
        .measured =
            "worst periodic order with noise - without, the largest over the intervals of W < 2.5",
        .ours = GENERAL_MEAN(1, TURNS, CLAIM_LARGEST),
        .against = GENERAL_MEAN(0, TURNS, CLAIM_LARGEST),
        DIFFERENCE_OVER(LARGEST),
        .to = 2.4999,
        AT_MOST(0.03),
    },
    {
        .text = "the same with 50 % of noise",
        .measured =
            "worst periodic order with noise - without, the largest over the intervals of W < 2.5",
        .ours = GENERAL_MEAN(2, TURNS, CLAIM_LARGEST),
        .against = GENERAL_MEAN(0, TURNS, CLAIM_LARGEST),
        DIFFERENCE_OVER(LARGEST),
        .to = 2.4999,
        AT_MOST(0.03),
    },
    {
        .text = "noise degrades the lists too when the amount of I/O is small",
        .measured =
            "best list with 50 % of noise - without, the largest over the intervals of W < 1",
        .ours = GENERAL_MEAN(2, LISTS, CLAIM_SMALLEST),
        .against = GENERAL_MEAN(0, LISTS, CLAIM_SMALLEST),
        DIFFERENCE_OVER(LARGEST),
        .to = 0.9999,
        AT_LEAST(0),
        .differs = "with noise the applications do not post their I/Os together, which helps best "
                   "effort less than it helps lists: their ratio falls where there is little I/O.",
    },
    {
        .text = "when the weight of I/O increases, performance is relatively similar to that "
                "without noise",
        .measured =
            "worst periodic order with 50 % of noise - without, largest interval of W >= 2.5",
        .ours = GENERAL_MEAN(2, TURNS, CLAIM_LARGEST),
        .against = GENERAL_MEAN(0, TURNS, CLAIM_LARGEST),
        DIFFERENCE_OVER(LARGEST),
        BETWEEN(2.5, 8),
        AT_MOST(0.02),
    },
    {.text = NULL},
};

const struct result result_vidal_ii_5 = {
    .name = "vidal-II.5",
    .source = "Vidal 2022, Figure II.5",
    .title = "the same with noise on work and I/O",
    .experiment = EXPERIMENT_general,
    .charts =
        (const struct chart[]){
            {"(a) 20 % of noise", "makespan / best effort's", CHART_LINES, CHAINS_RELATIVE,
             .group = 1},
            {"(b) 50 % of noise", "makespan / best effort's", CHART_LINES, CHAINS_RELATIVE,
             .group = 2},
            {.title = NULL},
        },
    .claims = claims_ii_5,
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

#define UNIFORM_MEAN(g, s)                                                                         \
    {                                                                                              \
        CHAINS_RELATIVE, g, SERIES(s), CLAIM_MEAN, CLAIM_LARGEST                                   \
    }

static const struct claim claims_ii_6[] = {
    {
        .text = "best effort is up to 60 % slower than HRR",
        .measured = "makespan / HRR's, the largest over the intervals",
        .ours = UNIFORM_MEAN(0, UNIFORM_BEST_EFFORT),
        .over = CLAIM_OVER_LARGEST,
        IS_WITHIN(1.6, 0.1),
    },
    {
        .text = "fifo is less than 10 % slower",
        .measured = "makespan / HRR's, the largest over the intervals",
        .ours = UNIFORM_MEAN(0, UNIFORM_FIFO),
        .over = CLAIM_OVER_LARGEST,
        AT_MOST(1.1),
    },
    {
        .text = "HRR is optimal (theorem 2)",
        .measured = "fifo's makespan / HRR's, the least of all workloads",
        .ours = {CHAINS_RELATIVE, 0, SERIES(UNIFORM_FIFO), CLAIM_LEAST, CLAIM_LARGEST},
        AT_LEAST(1),
        .tolerance = 1e-9,
    },
    {
        .text = "noise has almost no impact on fifo",
        .measured = "makespan / HRR's with noise, the largest over the intervals",
        .ours = UNIFORM_MEAN(1, UNIFORM_FIFO),
        .over = CLAIM_OVER_LARGEST,
        AT_MOST(1.1),
    },
    {
        .text = "best effort performs better with noise than without",
        .measured = "with noise - without, mean of all",
        .ours = UNIFORM_MEAN(1, UNIFORM_BEST_EFFORT),
        .against = UNIFORM_MEAN(0, UNIFORM_BEST_EFFORT),
        .operation = CLAIM_DIFFERENCE,
        AT_MOST(0),
    },
    {
        .text = "but it is still worse than fifo",
        .measured = "best effort - fifo with noise, the smallest over the intervals",
        .ours = UNIFORM_MEAN(1, UNIFORM_BEST_EFFORT),
        .against = UNIFORM_MEAN(1, UNIFORM_FIFO),
        DIFFERENCE_OVER(SMALLEST),
        AT_LEAST(0),
    },
    {.text = NULL},
};

const struct result result_vidal_ii_6 = {
    .name = "vidal-II.6",
    .source = "Vidal 2022, Figure II.6",
    .title = "makespan relative to Hierarchical Round-Robin on uniform workloads",
    .experiment = EXPERIMENT_uniform,
    .charts =
        (const struct chart[]){
            {"no noise", "makespan / HRR's", CHART_LINES, CHAINS_RELATIVE, .group = 0},
            {"20 % of noise", "makespan / HRR's", CHART_LINES, CHAINS_RELATIVE, .group = 1},
            {.title = NULL},
        },
    .claims = claims_ii_6,
};
