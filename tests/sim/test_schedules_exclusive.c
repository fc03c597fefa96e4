/* Schedules worked out by hand for the strategies that serve one I/O at a time. */
#include "policy/exclusive.h"
#include "support/small.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static struct small small;

#define EXPECT(policy, ...) small_expect(&small, policy, (const char *const[]){__VA_ARGS__})

/* A takes the file system until 1. B, C and D post an I/O meanwhile:
 *        posted  I/O  work after  left  I/O part         mean a, b    yield at 1
 *   B    0.6     2 s  1 s         3 s   2 / 3.6 = .556   0.8, 1       0.6
 *   C    0.4     1 s  9 s         10 s  1 / 10.4 = .096  4.7, 0.5     10.4 / 11, as it is 10 s old
 *   D    0.2     3 s  4 s         7 s   3 / 7.2 = .417   2.1, 1.5     0.2
 * In Johnson's order B is in the first group; C and D in the second, D with the larger b. At 3 or
 * 4, when the second of them is chosen, the orders by yield and by what is left are the same. */
static void prepare(void)
{
    small_init(&small, 10);
    small_add(&small, 10, "v10");
    small_add(&small, 10, "w0.6 v20 w1");
    small_age(small_add(&small, 10, "w0.4 v10 w9"), 10, 10);
    small_add(&small, 5, "w0.2 v15 w4");
}

static void each_list_order_serves_by_its_own_key(void **state)
{
    (void)state;
    /* When B, C and D are served. */
    static const struct {
        const char *order;
        double b, c, d;
    } cases[] = {
        {"fifo", 5, 4, 1},               /* D C B */
        {"lowest-id", 1, 3, 4},          /* B C D */
        {"longest-io", 4, 6, 1},         /* D B C */
        {"shortest-io", 2, 1, 4},        /* C B D */
        {"most-remaining", 5, 1, 2},     /* C D B */
        {"shortest-remaining", 1, 6, 3}, /* B D C */
        {"bandwidth", 1, 6, 3},          /* only C has done I/O, before it joined: B D C */
        {"bandwidth-total", 5, 1, 2},    /* C D B */
        {"stretch", 4, 6, 1},            /* D B C */
        {"johnson", 1, 6, 3},            /* B D C */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char policy[64], b[96], c[96], d[96];
        double at_b = cases[i].b, at_c = cases[i].c, at_d = cases[i].d;
        snprintf(policy, sizeof(policy), "list:order=%s", cases[i].order);
        snprintf(b, sizeof(b), "0 work 0.6 wait %g io@10 %g work %g", at_b, at_b + 2, at_b + 3);
        snprintf(c, sizeof(c), "0 work 0.4 wait %g io@10 %g work %g", at_c, at_c + 1, at_c + 10);
        snprintf(d, sizeof(d), "0 work 0.2 wait %g io@5 %g work %g", at_d, at_d + 3, at_d + 7);
        prepare();
        EXPECT(policy, "0 io@10 1", b, c, d);
    }
}

/* At 3 the first has had 1 s of I/O in its 3 s, the second none; in the whole they have 2 of 3.5 s
 * and 6 of 8.5 s. */
static void the_ratio_of_bandwidth_is_that_so_far(void **state)
{
    (void)state;
    static const char *const orders[] = {"list:order=bandwidth", "list:order=bandwidth-total"};
    static const char *const first[] = {"0 io@10 1 work 1.5 wait 9 io@10 10 work 11",
                                        "0 io@10 1 work 1.5 wait 3 io@10 4 work 5"};
    static const char *const second[] = {"0 work 2.5 wait 3 io@10 9", "0 work 2.5 wait 4 io@10 10"};
    for (int i = 0; i < 2; i++) {
        small_init(&small, 10);
        small_add(&small, 10, "v10 w0.5 v10 w1");
        small_add(&small, 10, "w2.5 v60");
        small_add(&small, 10, "w0.5 v20 w1");
        EXPECT(orders[i], first[i], second[i], "0 work 0.5 wait 1 io@10 3 work 4");
    }
}

static void list_orders_break_ties_by_index(void **state)
{
    (void)state;
    for (int i = 0; exclusive_list_orders[i]; i++) {
        char policy[64];
        snprintf(policy, sizeof(policy), "list:order=%s", exclusive_list_orders[i]);
        small_init(&small, 3);
        small_add(&small, 3, "w1 v3 w1");
        small_add(&small, 3, "w1 v3 w1");
        small_add(&small, 3, "w1 v3 w1");
        EXPECT(policy, "0 work 1 io@3 2 work 3", "0 work 1 wait 2 io@3 3 work 4",
               "0 work 1 wait 3 io@3 4 work 5");
    }
}

static void list_never_shares_even_if_there_is_room(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 4, "v8");
    small_add(&small, 4, "v4");
    EXPECT("list:order=longest-io", "0 io@4 2", "0 wait 2 io@4 3");
}

static void periodic_waits_for_the_one_whose_turn_it_is(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "w1 v1 w3 v1");
    small_add(&small, 1, "w2 v1 w1 v1 w1 v1");
    /* By first post the first goes first: 1 and 2. The second posts again at 4, but its turn comes
     * after the first's, at 5. At 6 the first is finished and drops out. */
    EXPECT("periodic:order=fifo", "0 work 1 io@1 2 work 5 io@1 6",
           "0 work 2 io@1 3 work 4 wait 6 io@1 7 work 8 io@1 9");
    /* The second has 7 s to do in all, the first 6 s: it waits for the second until 2. */
    EXPECT("periodic:order=most-remaining", "0 work 1 wait 3 io@1 4 work 7 io@1 8",
           "0 work 2 io@1 3 work 4 io@1 5 work 6 wait 8 io@1 9");
}

static void periodic_fifo_goes_by_the_first_post_not_the_index(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "w2 v1 w1 v1");
    small_add(&small, 1, "w1 v1 w4 v1");
    /* The second is before the first: in the next round, too, at 6. */
    EXPECT("periodic:order=fifo", "0 work 2 io@1 3 work 4 wait 7 io@1 8",
           "0 work 1 io@1 2 work 6 io@1 7");
}

static void periodic_johnson_orders_by_both_lengths(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "w2 v1");
    small_add(&small, 1, "w3 v2");
    /* Both have a > b; the larger b first, though it is not there before 3. */
    EXPECT("periodic:order=johnson", "0 work 2 wait 5 io@1 6", "0 work 3 io@1 5");
    small_init(&small, 1);
    small_add(&small, 1, "w2 v3");
    small_add(&small, 1, "w1 v1");
    /* Both have a <= b; the smaller a first. */
    EXPECT("periodic:order=johnson", "0 work 2 io@1 5", "0 work 1 io@1 2");
    small_init(&small, 1);
    small_add(&small, 1, "w3 v2");
    small_add(&small, 1, "w2 v2");
    /* a = b belongs to those with a <= b, who go first. */
    EXPECT("periodic:order=johnson", "0 work 3 wait 4 io@1 6", "0 work 2 io@1 4");
}

static void an_application_released_later_joins_the_round(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "w1 v1 w1 v1");
    small_add(&small, 1, "w0.5 v1")->facts.release = 1;
    EXPECT("periodic:order=fifo", "0 work 1 io@1 2 work 3 io@1 4", "1 work 1.5 wait 2 io@1 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_list_order_serves_by_its_own_key),
        cmocka_unit_test(the_ratio_of_bandwidth_is_that_so_far),
        cmocka_unit_test(list_orders_break_ties_by_index),
        cmocka_unit_test(list_never_shares_even_if_there_is_room),
        cmocka_unit_test(periodic_waits_for_the_one_whose_turn_it_is),
        cmocka_unit_test(periodic_fifo_goes_by_the_first_post_not_the_index),
        cmocka_unit_test(periodic_johnson_orders_by_both_lengths),
        cmocka_unit_test(an_application_released_later_joins_the_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
