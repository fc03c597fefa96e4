/* Schedules worked out by hand for groups. */
#include "metric/metric.h"
#include "support/small.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

#define EXPECT(policy, ...) small_expect(&small, policy, (const char *const[]){__VA_ARGS__})

static void a_group_serves_one_at_a_time_in_its_share(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w9 v10");
    small_add(&small, 10, "w9 v10");
    small_add(&small, 10, "w10 v100");
    /* Loads 1, 1 and 100/20 = 5; {10, 10} and {100} have ratios 1 and 1: 5 each. 11: the first
     * leaves, and nothing changes. 13: the third is alone with 85 left. */
    EXPECT("groups:lend=off", "0 work 9 io@5 11", "0 work 9 wait 11 io@5 13",
           "0 work 10 io@5 13 io@10 21.5");
}

static void what_a_member_cannot_use_of_its_share_stays_unused(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 2, "w8 v4");
    small_add(&small, 10, "w9 v100");
    /* Loads .4 and 100/19 = 5.263158, which is more than half: the first has 4.736842 and takes 2.
     */
    EXPECT("groups:lend=off", "0 work 8 io@2 10", "0 work 9 io@5.263158 10 io@10 19.47368");
}

static void a_group_without_an_io_lends_its_share(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w9 v10");
    small_add(&small, 10, "w9 v10");
    small_add(&small, 10, "w10 v100");
    /* 5 for {10, 10} and for {100}, as above. 9: the first has all of it, 10: the third posts, and
     * takes its own back. 12: the third is alone with 90 left. */
    EXPECT("groups", "0 work 9 io@10 10", "0 work 9 wait 10 io@5 12", "0 work 10 io@5 12 io@10 21");
}

static void what_is_lent_is_divided_in_proportion_to_the_shares(void **state)
{
    (void)state;
    small_init(&small, 12);
    small_add(&small, 2, "w100 v10");
    small_add(&small, 12, "w10 v60")->facts.release = 40;
    small_add(&small, 12, "w50 v600");
    /* Loads 10/105 < 1, 60/15 = 4 and 600/100 = 6. In three groups the last two need these as their
     * shares, and 2 are left for the first. 50: the first works and lends its 2, so the others have
     * 12 * 4/10 and 12 * 6/10. 62.5: the third is alone, with 510 left. 100: the first takes only
     * 2, whatever its share. 105: 10 are left. */
    EXPECT("groups", "0 work 100 io@2 105", "40 work 50 io@4.8 62.5",
           "0 work 50 io@7.2 62.5 io@12 100 io@10 105 io@12 105.8333");
}

static double max_stretch(const char *policy)
{
    struct outcome *outcome = small_run(&small, policy, NULL);
    struct weir_metrics metrics;
    metrics_compute(&small.workload, outcome, &metrics);
    outcome_free(outcome);
    return metrics.max_stretch;
}

/* Two applications of very different periods, as in the thesis's Fig. V.1: one at a time is bad,
 * and to divide the bandwidth for ever is little better, since each of them leaves its half idle
 * while it works. With lending groups are as good as fair-share. */
static void lending_makes_groups_as_good_as_sharing_for_unlike_applications(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_repeat(small_add(&small, 1, "w20 v20"), 10);
    small_repeat(small_add(&small, 1, "w2 v1"), 133);
    double shared = max_stretch("fair-share");
    expect_near(shared, 1.167920, 1e-6);
    expect_near(max_stretch("groups"), shared, 1e-9);
    expect_near(max_stretch("groups:lend=off"), 1.44, 1e-9);
    assert_true(max_stretch("list:order=fifo") > 1.44);
}

static void too_much_load_makes_one_group(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w1 v10");
    small_add(&small, 10, "w1 v100");
    /* Loads 10/2 = 5 and 100/11 > 9: more than 10. */
    EXPECT("groups", "0 work 1 io@10 2", "0 work 1 wait 2 io@10 12");
}

static void the_earliest_posted_of_a_group_goes_first(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w12 v20");
    small_add(&small, 10, "w11 v20");
    small_add(&small, 10, "w10 v20");
    /* Equal volumes, one group of load 20/14 + 20/13 + 20/12 = 4.6. */
    EXPECT("groups", "0 work 12 wait 14 io@10 16", "0 work 11 wait 12 io@10 14",
           "0 work 10 io@10 12");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_serves_one_at_a_time_in_its_share),
        cmocka_unit_test(what_a_member_cannot_use_of_its_share_stays_unused),
        cmocka_unit_test(a_group_without_an_io_lends_its_share),
        cmocka_unit_test(what_is_lent_is_divided_in_proportion_to_the_shares),
        cmocka_unit_test(lending_makes_groups_as_good_as_sharing_for_unlike_applications),
        cmocka_unit_test(too_much_load_makes_one_group),
        cmocka_unit_test(the_earliest_posted_of_a_group_goes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
