#include "apio.h"
#include "persched.h"
#include <math.h>
#include <stdio.h>

enum { APIO, MIN_MAX, LOOK_AHEAD, FLOOR, BARRIER, PLAN, STRATEGIES };
static const char *const strategies[STRATEGIES] = {
    "apio", "min-max:gamma=0.5", "look-ahead-greedy-yield", "floor", "apio:barrier", "plan",
};
static const char *const distributions[] = {"uniform", "normal", "lognormal"};
enum { DISTRIBUTIONS = 3, MOST_SEEDS = 30 };
enum { DILATION, EFFICIENCY, MEASURES };

/* A mean over runs, and with what scatter. */
struct sample {
    double sum, squares;
    int count;
};

/* All strategies on some scenarios, and how they differ from APIO on the same ones. */
struct comparison {
    struct sample values[STRATEGIES][MEASURES], gains[STRATEGIES][MEASURES];
};

static void add(struct sample *sample, double value)
{
    sample->sum += value;
    sample->squares += value * value;
    sample->count++;
}

static double mean(const struct sample *sample)
{
    return sample->sum / sample->count;
}

/* Half of the 95 % confidence interval of the mean. */
static double half(const struct apio_study *study, const struct sample *sample)
{
    double n = sample->count,
           variance = (sample->squares - sample->sum * sample->sum / n) / (n - 1);
    return study->student * sqrt(fmax(0, variance) / n);
}

static struct scenario *make_scenario(int set, int distribution, double load, uint64_t seed)
{
    struct err err = {""};
    double values[FAMILY_MOST_PARAMS];
    char text[64];
    family_defaults(&family_apio, values);
    snprintf(text, sizeof text, "set=%d", set);
    assert_int_equal(family_set(&family_apio, text, values, &err), 0);
    snprintf(text, sizeof text, "distribution=%s", distributions[distribution]);
    assert_int_equal(family_set(&family_apio, text, values, &err), 0);
    snprintf(text, sizeof text, "load=%g", load);
    assert_int_equal(family_set(&family_apio, text, values, &err), 0);
    struct scenario *scenario = family_make(&family_apio, values, seed, &err);
    if (!scenario)
        fail_msg("%s", err.text);
    return scenario;
}

/* Runs all strategies on one scenario; those that follow a plan have the published search's. */
static void run(struct scenario *scenario, double values[STRATEGIES][MEASURES])
{
    struct planning planning = planning_open(scenario);
    struct plan *plan = planning_run(&planning, PLAN_SEARCH_PAPER, 0);
    planning_validate(&planning, plan);
    for (int s = 0; s < STRATEGIES; s++) {
        struct weir_metrics metrics = simulate_plan(planning.workload, strategies[s], plan);
        values[s][DILATION] = metrics.dilation;
        values[s][EFFICIENCY] = metrics.sys_efficiency;
    }
    plan_free(plan);
    planning_close(&planning);
}

static void print(const struct apio_study *study, const char *name,
                  const struct comparison *comparison, int measure)
{
    printf("%-14s", name);
    for (int s = 0; s < STRATEGIES; s++) {
        const struct sample *sample = &comparison->values[s][measure];
        printf(" %7.4f +- %.4f", mean(sample), half(study, sample));
    }
    printf("\n");
}

static void print_head(double load)
{
    if (load > 0)
        printf("\nload %g, mean and 95 %% confidence interval", load);
    else
        printf("\n100 GB/s, mean and 95 %% confidence interval");
    printf("; first line Dilation, second SysEfficiency\n%-14s", "");
    for (int s = 0; s < STRATEGIES; s++)
        printf(" %-17.17s", strategies[s]);
    printf("\n");
}

static void print_both(const struct apio_study *study, const char *name,
                       const struct comparison *comparison)
{
    print(study, name, comparison, DILATION);
    print(study, "", comparison, EFFICIENCY);
}

static void add_run(struct comparison *comparison, double values[STRATEGIES][MEASURES])
{
    for (int s = 0; s < STRATEGIES; s++)
        for (int m = 0; m < MEASURES; m++) {
            add(&comparison->values[s][m], values[s][m]);
            add(&comparison->gains[s][m], values[APIO][m] - values[s][m]);
        }
}

/* Adds to the means over all sets, seed by seed. */
static void add_part(double means[STRATEGIES][MEASURES], double values[STRATEGIES][MEASURES],
                     int parts)
{
    for (int s = 0; s < STRATEGIES; s++)
        for (int m = 0; m < MEASURES; m++)
            means[s][m] += values[s][m] / parts;
}

/* How often APIO is better, and worse, by more than chance. */
struct score {
    int better[STRATEGIES][MEASURES], worse[STRATEGIES][MEASURES];
};

/* What is known of all sets so far. */
struct tally {
    double means[MOST_SEEDS][STRATEGIES][MEASURES];
    struct score score;
};

static void judge(const struct apio_study *study, const struct comparison *comparison,
                  struct score *score)
{
    for (int s = 0; s < STRATEGIES; s++)
        for (int m = 0; m < MEASURES; m++) {
            const struct sample *gain = &comparison->gains[s][m];
            double better = (m == DILATION ? -1 : 1) * mean(gain), slack = half(study, gain);
            score->better[s][m] += better > slack;
            score->worse[s][m] += better < -slack;
        }
}

static void print_score(const struct score *score)
{
    printf("apio, of %d sets and distributions, is significantly\n", DISTRIBUTIONS * SETS);
    for (int s = APIO + 1; s < STRATEGIES; s++)
        printf(
            "  in Dilation better in %2d, worse in %2d; in SysEfficiency better in %2d, worse in "
            "%2d than %s\n",
            score->better[s][DILATION], score->worse[s][DILATION], score->better[s][EFFICIENCY],
            score->worse[s][EFFICIENCY], strategies[s]);
}

/* Compares on every set of a distribution, `check`s each, and adds to the means by seed. */
static void study_distribution(const struct apio_study *study, double load, int distribution,
                               void (*check)(const struct comparison *comparison),
                               struct tally *tally)
{
    double means[MOST_SEEDS][STRATEGIES][MEASURES] = {{{0}}};
    struct comparison whole = {0};
    char name[32];
    for (int set = 1; set <= SETS; set++) {
        struct comparison one = {0};
        for (int seed = 0; seed < study->seeds; seed++) {
            double values[STRATEGIES][MEASURES];
            run(make_scenario(set, distribution, load, (uint64_t)seed + 1), values);
            add_run(&one, values);
            add_part(means[seed], values, SETS);
        }
        snprintf(name, sizeof name, "%s %d", distributions[distribution], set);
        print_both(study, name, &one);
        judge(study, &one, &tally->score);
        if (check)
            check(&one);
    }
    for (int seed = 0; seed < study->seeds; seed++) {
        add_run(&whole, means[seed]);
        add_part(tally->means[seed], means[seed], DISTRIBUTIONS);
    }
    snprintf(name, sizeof name, "%s all", distributions[distribution]);
    print_both(study, name, &whole);
}

/* Compares on every set and distribution, and returns the means over all. */
static struct comparison study_all(const struct apio_study *study, double load,
                                   void (*check)(const struct comparison *comparison))
{
    struct comparison all = {0};
    struct tally tally = {0};
    print_head(load);
    for (int distribution = 0; distribution < DISTRIBUTIONS; distribution++)
        study_distribution(study, load, distribution, check, &tally);
    for (int seed = 0; seed < study->seeds; seed++)
        add_run(&all, tally.means[seed]);
    print_both(study, "all", &all);
    print_score(&tally.score);
    return all;
}

static void check_published(const struct comparison *comparison)
{
    for (int m = 0; m < MEASURES; m++)
        assert_near(mean(&comparison->values[APIO][m]) / mean(&comparison->values[MIN_MAX][m]), 1,
                    0.01);
}

void apio_as_published(const struct apio_study *study)
{
    study_all(study, 0, check_published);
}

void apio_congested(const struct apio_study *study, double load)
{
    struct comparison all = study_all(study, load, NULL);
    double efficiency = mean(&all.values[APIO][EFFICIENCY]);
    double dilation = mean(&all.values[APIO][DILATION]);
    /* Adjusting is worth much, and the barrier costs. */
    for (int s = BARRIER; s <= PLAN; s++) {
        assert_true(dilation < mean(&all.values[s][DILATION]));
        assert_true(efficiency > mean(&all.values[s][EFFICIENCY]));
    }
    /* But who decides anew at every event is better off than who keeps to a placement. */
    for (int s = MIN_MAX; s <= FLOOR; s++)
        assert_true(efficiency < mean(&all.values[s][EFFICIENCY]));
    assert_true(dilation > mean(&all.values[LOOK_AHEAD][DILATION]));
    assert_true(dilation > mean(&all.values[FLOOR][DILATION]));
    assert_near(dilation / mean(&all.values[MIN_MAX][DILATION]), 1, 0.03);
}
