/* Groups and shares: examples worked out by hand, and every partition of small random sets. */
#include "base/random.h"
#include "policy/partition.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 9 };

struct problem {
    struct partition partition;
    double room[(MOST * PARTITION_ROOM + PARTITION_EXTRA) / sizeof(double)];
};

/* A bandwidth of B and `count` pairs of a volume and a load. */
static void pose(struct problem *problem, double bandwidth, uint32_t count, const double *pairs)
{
    partition_place(&problem->partition, problem->room, MOST);
    problem->partition.bandwidth = bandwidth;
    problem->partition.count = count;
    for (uint32_t i = 0; i < count; i++) {
        problem->partition.apps[i] = (struct partition_app){pairs[2 * i], pairs[2 * i + 1], i};
    }
}
#define POSE(problem, bandwidth, ...)                                                              \
    pose(problem, bandwidth, sizeof((double[]){__VA_ARGS__}) / sizeof(double) / 2,                 \
         (double[]){__VA_ARGS__})

/* --- every partition ------------------------------------------------------------------------ */

/* The smallest stretch of a partition: bisection over what its groups need in all. */
static double judge(const struct problem *problem, const uint32_t *group, uint32_t groups)
{
    double load[MOST] = {0}, low[MOST], high[MOST] = {0}, worst = 1;
    for (uint32_t i = 0; i < problem->partition.count; i++) {
        const struct partition_app *app = &problem->partition.apps[i];
        low[group[i]] = high[group[i]] > 0 ? fmin(low[group[i]], app->volume) : app->volume;
        high[group[i]] = fmax(high[group[i]], app->volume);
        load[group[i]] += app->load;
    }
    for (uint32_t g = 0; g < groups; g++)
        worst += high[g] / low[g];
    double below = 1, above = worst * 1e6, bandwidth = problem->partition.bandwidth;
    for (int round = 0; round < 80; round++) {
        double stretch = (below + above) / 2, needed = 0;
        for (uint32_t g = 0; g < groups; g++)
            needed += fmax(load[g], high[g] / low[g] * bandwidth / stretch);
        *(needed <= bandwidth * (1 + 1e-13) ? &above : &below) = stretch;
    }
    return above;
}

/* The best of all set partitions, in the form of restricted growth strings: application i is in a
 * group below `groups`, or in a new one. */
struct search {
    const struct problem *problem;
    bool contiguous; /* only partitions that are */
    uint32_t group[MOST];
    double best;
};
static void enumerate(struct search *search, uint32_t app, uint32_t groups)
{
    if (app == search->problem->partition.count) {
        search->best = fmin(search->best, judge(search->problem, search->group, groups));
        return;
    }
    uint32_t from = search->contiguous && groups > 0 ? groups - 1 : 0;
    for (uint32_t g = from; g <= groups; g++) {
        search->group[app] = g;
        enumerate(search, app + 1, g == groups ? groups + 1 : groups);
    }
}
static double try_all(const struct problem *problem, bool contiguous)
{
    struct search search = {.problem = problem, .contiguous = contiguous, .best = INFINITY};
    enumerate(&search, 0, 0);
    return search.best;
}

/* Up to `most` applications with volumes over three orders of magnitude and, together, a load of at
 * most `load` times the bandwidth of 100. */
static void roll(struct problem *problem, uint32_t seed, uint32_t most, double load)
{
    struct random dice = random_at(seed, 0, 0);
    uint32_t count = 1 + random_below(&dice, most);
    double pairs[2 * MOST], volume = 1, total = 0;
    double spread = random_between(&dice, 0, 0.8);
    for (uint32_t i = 0; i < count; i++) {
        volume *= random_below(&dice, 5) ? pow(10, random_between(&dice, 0, spread)) : 1;
        pairs[2 * i] = volume;
        pairs[2 * i + 1] = pow(10, random_between(&dice, -2, 0));
        total += pairs[2 * i + 1];
    }
    double scale = 100 * load * (random_below(&dice, 8) ? random_uniform(&dice) : 1) / total;
    for (uint32_t i = 0; i < count; i++)
        pairs[2 * i + 1] *= scale;
    pose(problem, 100, count, pairs);
}

static void obeys_the_constraints(const struct partition *partition)
{
    double shares = 0, worst = 0;
    uint32_t next = 0;
    for (uint32_t g = 0; g < partition->group_count; g++) {
        const struct partition_group *group = &partition->groups[g];
        double load = 0;
        assert_int_equal(group->first, next);
        assert_true(group->count > 0);
        for (; next < group->first + group->count; next++)
            load += partition->apps[next].load;
        assert_true(load <= group->share * (1 + 1e-12));
        double ratio = partition->apps[next - 1].volume / partition->apps[group->first].volume;
        worst = fmax(worst, ratio * partition->bandwidth / group->share);
        shares += group->share;
    }
    assert_int_equal(next, partition->count);
    expect_near(shares, partition->bandwidth, 1e-11);
    expect_near(worst, partition->stretch, 1e-11);
}

static void of_the_contiguous_partitions_the_best_is_found(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 3000; seed++) {
        struct problem problem;
        roll(&problem, seed, MOST, 1);
        assert_true(partition_solve(&problem.partition));
        obeys_the_constraints(&problem.partition);
        expect_near(problem.partition.stretch, try_all(&problem, true), 1e-9);
    }
}

/* Nobody has proved this (thesis intuition 1): 20000 sets were tried. */
static void of_all_partitions_none_is_better_up_to_half_load(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 400; seed++) {
        struct problem problem;
        roll(&problem, seed, seed % 20 ? 7 : MOST, 0.5);
        assert_true(partition_solve(&problem.partition));
        expect_near(problem.partition.stretch, try_all(&problem, false), 1e-9);
    }
}

static void no_partition_at_all_is_below_the_bound(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 400; seed++) {
        struct problem problem;
        roll(&problem, seed, seed % 20 ? 7 : MOST, 1);
        assert_true(partition_solve(&problem.partition));
        double best = try_all(&problem, false);
        assert_true(problem.partition.bound <= best * (1 + 1e-9));
        assert_true(best <= problem.partition.stretch * (1 + 1e-9));
    }
}

/* --- by hand -------------------------------------------------------------------------------- */

/* Groups as the number of members and the share of each. */
static void expect_groups(struct problem *problem, double stretch, uint32_t count,
                          const double *pairs)
{
    const struct partition *partition = &problem->partition;
    assert_true(partition_solve(&problem->partition));
    obeys_the_constraints(partition);
    expect_near(partition->stretch, stretch, 1e-12);
    assert_int_equal(partition->group_count, count);
    for (uint32_t g = 0; g < count; g++) {
        assert_int_equal(partition->groups[g].count, (uint32_t)pairs[2 * g]);
        expect_near(partition->groups[g].share, pairs[2 * g + 1], 1e-12);
    }
}
#define EXPECT_GROUPS(problem, stretch, ...)                                                       \
    expect_groups(problem, stretch, sizeof((double[]){__VA_ARGS__}) / sizeof(double) / 2,          \
                  (double[]){__VA_ARGS__})

static void equals_form_one_group(void **state)
{
    (void)state;
    struct problem problem;
    POSE(&problem, 10, 7, 1, 7, 2, 7, 3);
    EXPECT_GROUPS(&problem, 1, 3, 10);
}

static void the_unlike_are_kept_apart(void **state)
{
    (void)state;
    struct problem problem;
    /* Together 100; apart each has half of the bandwidth, so 2. */
    POSE(&problem, 10, 100, 1, 1, 1);
    EXPECT_GROUPS(&problem, 2, 1, 5, 1, 5);
    assert_int_equal(problem.partition.apps[0].id, 1);
    /* Two by two: ratios 1.5 and 1.5, so half each, and 1.5 * 2. Four groups would have 4. */
    POSE(&problem, 10, 1, 1, 1.5, 1, 100, 1, 150, 1);
    EXPECT_GROUPS(&problem, 3, 2, 5, 2, 5);
    /* {1, 2}, {100} and {1}, {2}, {100} both have the sum of ratios 3: fewer groups are taken. */
    POSE(&problem, 9, 1, 1, 2, 1, 100, 1);
    EXPECT_GROUPS(&problem, 3, 2, 6, 1, 3);
}

static void a_group_gets_at_least_its_load(void **state)
{
    (void)state;
    struct problem problem;
    /* Apart, the second needs 8 and leaves 2 of 10: a stretch of 5 for the first. */
    POSE(&problem, 10, 1, 1, 100, 8);
    EXPECT_GROUPS(&problem, 5, 1, 2, 1, 8);
    expect_near(problem.partition.bound, 2, 1e-12);
    /* All is load: shares are the loads, and the first has 1 of 10. */
    POSE(&problem, 10, 1, 1, 100, 9);
    EXPECT_GROUPS(&problem, 10, 1, 1, 1, 9);
}

static void at_full_load_a_partition_that_is_not_contiguous_may_be_better(void **state)
{
    (void)state;
    struct problem problem;
    /* All 20 are load, so every share is a load. {1, 9.8, 10}, {9.9, 10.1, 99}: ratios 10, shares
     * 7 + 3, so 10 * 20 / 10 = 20. Contiguous groups cannot halve 7 + 7 + 3 + 3: 7 | 13 gives
     * 9.8 * 20 / 7 = 28, 14 | 6 gives 9.9 * 20 / 6 = 33, 17 | 3 gives 9.8 * 20 / 3, and alone 1 and
     * 99 would have no share. */
    POSE(&problem, 20, 1, 0, 9.8, 7, 9.9, 7, 10, 3, 10.1, 3, 99, 0);
    EXPECT_GROUPS(&problem, 28, 2, 7, 4, 13);
    expect_near(try_all(&problem, false), 20, 1e-9);
    assert_true(problem.partition.bound < 20);
}

static void too_much_load_is_told_and_everybody_is_in_one_group(void **state)
{
    (void)state;
    struct problem problem;
    POSE(&problem, 10, 1, 6, 4, 6);
    assert_false(partition_solve(&problem.partition));
    expect_near(problem.partition.load, 12, 1e-12);
    assert_int_equal(problem.partition.group_count, 1);
    expect_near(problem.partition.groups[0].share, 10, 1e-12);
    expect_near(problem.partition.stretch, 4, 1e-12);
}

static void volume_and_load_come_from_the_profile(void **state)
{
    (void)state;
    struct problem problem;
    struct weir_app facts = {.bmax = 10, .total_work = 54, .total_io = 6, .iterations = 3};
    POSE(&problem, 10, 1, 1);
    assert_true(partition_add(&problem.partition, &facts, 7));
    /* 6 s at 10 bytes/s in three iterations of 20 s: 20 bytes each, 1 byte/s. */
    expect_near(problem.partition.apps[1].volume, 20, 1e-12);
    expect_near(problem.partition.apps[1].load, 1, 1e-12);
    assert_int_equal(problem.partition.apps[1].id, 7);
    facts.total_io = 0;
    assert_false(partition_add(&problem.partition, &facts, 8));
    assert_int_equal(problem.partition.count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_the_contiguous_partitions_the_best_is_found),
        cmocka_unit_test(of_all_partitions_none_is_better_up_to_half_load),
        cmocka_unit_test(no_partition_at_all_is_below_the_bound),
        cmocka_unit_test(equals_form_one_group),
        cmocka_unit_test(the_unlike_are_kept_apart),
        cmocka_unit_test(a_group_gets_at_least_its_load),
        cmocka_unit_test(at_full_load_a_partition_that_is_not_contiguous_may_be_better),
        cmocka_unit_test(too_much_load_is_told_and_everybody_is_in_one_group),
        cmocka_unit_test(volume_and_load_come_from_the_profile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
