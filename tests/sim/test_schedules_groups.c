/* Schedules worked out by hand for groups. */
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
    EXPECT("groups", "0 work 9 io@5 11", "0 work 9 wait 11 io@5 13",
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
    EXPECT("groups", "0 work 8 io@2 10", "0 work 9 io@5.263158 10 io@10 19.47368");
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
        cmocka_unit_test(too_much_load_makes_one_group),
        cmocka_unit_test(the_earliest_posted_of_a_group_goes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
