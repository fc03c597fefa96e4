/* PerSched (Aupy et al. 2017) on random sets: what the published program prints, to six digits; and
 * its bounds and our search on the sets of src/paper/jupiter.c. */
#include "common.h"
#include "paper/jupiter.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void assert_six_digits(double ours, double theirs)
{
    assert_near(ours, theirs, 5.5e-6 * pow(10, floor(log10(theirs))));
}

/* --- random sets: data/persched ------------------------------------------------------------- */

enum { RANDOM_TASKS = 512, RANDOM_SETS = 108 };
struct random_sets {
    char owner[RANDOM_TASKS][16]; /* the set that a task belongs to */
    struct task list[RANDOM_TASKS];
    uint32_t count;
    int compared, overlapping, shrunk;
};

static void read_task(void *context, char **fields)
{
    struct random_sets *sets = context;
    double nodes = atof(fields[1]), volume = 1e9 * atof(fields[3]);
    double bmax = fmin(1e7 * nodes, 3e9);
    assert_true(sets->count < RANDOM_TASKS);
    snprintf(sets->owner[sets->count], sizeof(sets->owner[0]), "%s", fields[0]);
    sets->list[sets->count++] = (struct task){.name = "application",
                                              .nodes = nodes,
                                              .work = atof(fields[2]),
                                              .volume = volume,
                                              .bmax = bmax,
                                              .io = volume / bmax};
}

/* The rows of one set lie together. */
static struct tasks find_set(struct random_sets *sets, const char *name)
{
    struct tasks tasks = {.bandwidth = 3e9, .nodes = 640};
    for (uint32_t i = 0; i < sets->count; i++) {
        if (strcmp(sets->owner[i], name) != 0)
            continue;
        if (!tasks.list)
            tasks.list = &sets->list[i];
        tasks.count++;
    }
    return tasks;
}

static void compare_set(void *context, char **fields)
{
    struct random_sets *sets = context;
    struct tasks tasks = find_set(sets, fields[0]);
    struct persched_claim claim;
    struct persched options = persched_defaults;
    struct err err = {0};
    options.search = PLAN_SEARCH_PAPER;
    options.min_period = atof(fields[1]);
    options.claim = &claim;
    struct plan *plan = persched_plan(&tasks, &options, &err);
    if (!plan)
        fail_msg("set %s: %s", fields[0], err.text);
    double efficiency = plan_sys_efficiency(plan, &tasks);
    if (strspn(fields[0], "0123456789") == 0)
        printf("%-10s %.6f %.6f %.6f %.0f\n", fields[0], claim.sys_efficiency, efficiency,
               claim.dilation, plan->period);
    assert_six_digits(claim.sys_efficiency, atof(fields[2]));
    assert_six_digits(claim.dilation, atof(fields[3]));
    assert_six_digits(plan->period, atof(fields[4]));
    assert_near(efficiency, claim.sys_efficiency, 2e-5);
    sets->compared++;
    sets->overlapping += plan_validate(plan, &tasks, NULL) != 0;
    sets->shrunk += claim.sys_efficiency - efficiency > 1e-9;
    plan_free(plan);
}

static void the_published_search_gives_the_published_digits(void **state)
{
    (void)state;
    static struct random_sets sets;
    read_csv("persched/sets.csv", read_task, &sets);
    printf("set     it prints: SysEfficiency, its plan has, Dilation, T\n");
    read_csv("persched/expected.csv", compare_set, &sets);
    printf("%d sets; %d plans cannot be followed, %d have less work than is printed\n",
           sets.compared, sets.overlapping, sets.shrunk);
    assert_int_equal(sets.compared, RANDOM_SETS);
    assert_true(sets.overlapping >= 3 && sets.shrunk >= 1);
}

/* --- bounds, and our search ------------------------------------------------------------------ */

static struct planned_set take_jupiter(int number)
{
    struct planned_set set;
    struct err err = {0};
    if (jupiter_take(&set, number, &err) < 0)
        fail_msg("%s", err.text);
    return set;
}

static void on_set_1_the_bounds_show_that_persched_is_nearly_optimal(void **state)
{
    (void)state;
    struct planned_set set = take_jupiter(1);
    const struct plan_bounds *bounds = &set.bounds;
    /* Ten of w = 76.8 s, v = 235.8 GB, p = 64 and bmax = 0.64 GB/s, so tio = 368.4375 s, on N = 640
     * and B = 3 GB/s. B / v = 0.0127226 instances per second in all, each 64 * 76.8 node-seconds:
     * 0.0127226 * 64 * 76.8 / 640 = 0.0977099. Without contention each has 76.8 / 445.2375 =
     * 0.1724922. Dilation: 10 * 235.8 / (445.2375 * 3) = 1.7653500. */
    assert_near(bounds->sys_efficiency_bandwidth, 0.0977099, 1e-7);
    assert_near(bounds->sys_efficiency, 0.1724922, 1e-7);
    assert_near(bounds->dilation_bandwidth, 1.7653500, 1e-7);
    planned_set_fini(&set);
}

static bool is_enough(void *left)
{
    return --*(int *)left < 0;
}

static void our_search_is_valid_and_no_worse_even_when_it_is_cut_short(void **state)
{
    (void)state;
    struct err err = {0};
    for (int number = 1; number <= JUPITER_SETS; number++) {
        struct planned_set set = take_jupiter(number);
        int left = 1;
        struct persched options = persched_defaults;
        options.min_period = jupiter_starts[number - 1];
        options.stop = is_enough;
        options.context = &left;
        struct plan *theirs = jupiter_search(&set, number, PLAN_SYS_EFFICIENCY, &err);
        struct plan *ours = persched_plan(&set.tasks, &options, &err);
        if (!theirs || !ours || plan_validate(ours, &set.tasks, &err) != 0)
            fail_msg("set %d: %s", number, err.text);
        assert_true(planned_set_measure(&set, ours).sys_efficiency >=
                    planned_set_measure(&set, theirs).sys_efficiency);
        plan_free(theirs);
        plan_free(ours);
        planned_set_fini(&set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_search_gives_the_published_digits),
        cmocka_unit_test(on_set_1_the_bounds_show_that_persched_is_nearly_optimal),
        cmocka_unit_test(our_search_is_valid_and_no_worse_even_when_it_is_cut_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
