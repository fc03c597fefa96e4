/* What Aupy et al. (2017) say of plans beside online strategies, and of none: Figure 7 and Table 3.
 * Neither is confirmed here; the tests state what we get instead. */
#include "persched.h"
#include "policy/policy.h"
#include "sim/sim.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- Figure 7: 100 random sets on each machine ------------------------------------------------ */

enum { RANDOM_SETS = 100 };

/* How much better the published plan is than the best online strategy: means, in parts. */
struct gain {
    double efficiency, dilation;
    double least, most; /* in SysEfficiency, of a set */
    int better;         /* sets */
};

static void add(struct gain *gain, const struct planning *planning, const struct plan *plan,
                const char *const *strategies)
{
    struct online online = planning_online(planning, strategies);
    double efficiency = plan_sys_efficiency(plan, &planning->tasks) / online.sys_efficiency - 1;
    double dilation = 1 - plan_max_dilation(plan, &planning->tasks) / online.dilation;
    gain->efficiency += efficiency / RANDOM_SETS;
    gain->dilation += dilation / RANDOM_SETS;
    gain->least = fmin(gain->least, efficiency);
    gain->most = fmax(gain->most, efficiency);
    gain->better += efficiency > 0;
}

static void print(const char *beside, const struct gain *gain)
{
    printf("    beside %s: SysEfficiency %+.2f %% (%+.1f to %+.1f, better on %d of %d sets), "
           "Dilation %+.2f %%\n",
           beside, 100 * gain->efficiency, 100 * gain->least, 100 * gain->most, gain->better,
           RANDOM_SETS, 100 * gain->dilation);
}

static void compare(const struct family *family)
{
    static const char *const waiting[] = {"periodic:order=fifo", NULL};
    struct gain slides = {.least = INFINITY, .most = -INFINITY}, all = slides, turns = slides;
    for (uint64_t seed = 1; seed <= RANDOM_SETS; seed++) {
        struct planning planning = planning_open(make_random(family, seed));
        struct plan *plan = planning_run(&planning, PLAN_SEARCH_PAPER, 0);
        add(&slides, &planning, plan, slides_strategies);
        add(&all, &planning, plan, policy_all);
        add(&turns, &planning, plan, waiting);
        plan_free(plan);
        planning_close(&planning);
    }
    printf("the published plan, %s\n", family->name);
    print("the best of the slides", &slides);
    print("the best of all", &all);
    print("periodic:order=fifo", &turns);
    assert_true(slides.efficiency < 0 && slides.efficiency > -0.03 && slides.most < 0.1);
    assert_true(all.efficiency <= slides.efficiency && all.efficiency > -0.05);
    assert_true(turns.efficiency > 0.2);
    assert_true(slides.dilation < 0 && all.dilation <= slides.dilation);
}

/* "On average the system efficiency is improved by 16% on intrepid (32% on Mira) with peaks up to
 * 116%"; "an average of 0.6% degradation" of Dilation on Intrepid, "improves on average by 22%" on
 * Mira. */
static void published_plans_are_not_better_than_the_best_online_strategy(void **state)
{
    (void)state;
    compare(&family_intrepid);
    compare(&family_mira);
}

/* --- Table 3: the machine without a scheduler ------------------------------------------------- */

/* SysEfficiency, and by how much of bmax the bandwidth of a kind of application falls short. */
enum { ROWS = 6, KINDS = 2 };
static const struct {
    int set;
    double sys_efficiency, slowdown[KINDS];
    const char *kinds[KINDS];
} table3[ROWS] = {
    {1, .064561, {.6572}, {"turbulence2"}},
    {2, .250105, {.6393, .3812}, {"turbulence2", "astrophysics"}},
    {3, .439038, {.5692, .3021}, {"turbulence2", "astrophysics"}},
    {4, .610826, {.3490, .2492}, {"turbulence2", "astrophysics"}},
    {6, .621977, {.3467, .5206}, {"turbulence2", "astrophysics"}},
    {10, .985470, {.1179, .2108}, {"turbulence1", "astrophysics"}},
};

static bool is_of_kind(const struct app *app, const char *kind)
{
    return strncmp(app->name, kind, strlen(kind)) == 0;
}

/* Mean over the applications of a kind: 1 - (I/O alone) / (I/O and waiting for it). */
static double slowdown_of(const struct workload *workload, const struct outcome *outcome,
                          const char *kind)
{
    double sum = 0;
    int count = 0;
    for (uint32_t i = 0; i < workload->count; i++) {
        if (!is_of_kind(&workload->apps[i], kind))
            continue;
        double io = outcome->apps[i].done_ideal - outcome->apps[i].done_work;
        sum += 1 - io / (io + outcome->apps[i].lost);
        count++;
    }
    assert_true(count > 0);
    return sum / count;
}

/* The SysEfficiency that follows from the printed slowdowns s: (1/N) sum p w / (w + tio / (1 - s)).
 */
static double implied_efficiency(const struct planning *planning, int row)
{
    double sum = 0;
    for (uint32_t i = 0; i < planning->workload->count; i++) {
        const struct task *task = &planning->tasks.list[i];
        for (int kind = 0; kind < KINDS && table3[row].kinds[kind]; kind++)
            if (is_of_kind(&planning->workload->apps[i], table3[row].kinds[kind]))
                sum += task->nodes * task->work /
                       (task->work + task->io / (1 - table3[row].slowdown[kind]));
    }
    return sum / planning->tasks.nodes;
}

static void compare_row(int row)
{
    struct err err = {""};
    struct planning planning = planning_open(make_jupiter(table3[row].set));
    struct policy *policy = policy_open("fair-share", &err);
    struct outcome *outcome =
        sim_run(planning.workload, policy, &(struct sim_options){.check = true}, &err);
    assert_non_null(outcome);
    struct weir_metrics metrics;
    metrics_compute(planning.workload, outcome, &metrics);
    double printed = table3[row].sys_efficiency, implied = implied_efficiency(&planning, row);
    printf("%3d %13.4f %.4f %.4f ", table3[row].set, printed, implied, metrics.sys_efficiency);
    for (int kind = 0; kind < KINDS && table3[row].kinds[kind]; kind++)
        printf("  %s %.1f, %.1f", table3[row].kinds[kind], 100 * table3[row].slowdown[kind],
               100 * slowdown_of(planning.workload, outcome, table3[row].kinds[kind]));
    printf("\n");
    assert_true(metrics.sys_efficiency > printed);
    /* The printed columns belong together, but on set 6. */
    assert_true(table3[row].set == 6 ? implied > 1.25 * printed
                                     : fabs(implied / printed - 1) < 0.04);
    outcome_free(outcome);
    policy_free(policy);
    planning_close(&planning);
}

static void a_machine_without_a_scheduler_is_slower_than_fair_sharing(void **state)
{
    (void)state;
    printf("set  SysEfficiency: measured, implied, fair-share; bandwidth slowdown in %%: measured, "
           "fair-share\n");
    for (int row = 0; row < ROWS; row++)
        compare_row(row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_plans_are_not_better_than_the_best_online_strategy),
        cmocka_unit_test(a_machine_without_a_scheduler_is_slower_than_fair_sharing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
