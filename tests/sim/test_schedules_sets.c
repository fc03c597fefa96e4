/* Schedules worked out by hand for set-10, best-next-event and the strategies of the slides. */
#include "support/small.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static struct small small;

#define EXPECT(policy, ...) small_expect(&small, policy, (const char *const[]){__VA_ARGS__})

/* --- set-10 ----------------------------------------------------------------------------------- */

static void set_10_shares_between_sets_by_powers_of_ten(void **state)
{
    (void)state;
    small_init(&small, 11);
    small_add(&small, 11, "v20")->facts.period = 1;
    small_add(&small, 11, "v11")->facts.period = 10;
    /* Sets 0 and 1, so 10 and 1. 2: the second has 9 left: 9/11 s. */
    EXPECT("set-10", "0 io@10 2", "0 io@1 2 io@11 2.818182");
}

static void a_set_that_cannot_use_its_share_leaves_it_to_the_others(void **state)
{
    (void)state;
    small_init(&small, 111);
    small_add(&small, 4, "v8")->facts.period = 1;
    small_add(&small, 111, "v200")->facts.period = 10;
    small_add(&small, 111, "v20")->facts.period = 100;
    /* Shares 100, 10 and 1; the first takes only 4, and 107 are divided 10 : 1. 2: 102 * ... the
     * second has 200 - 2 * 97.27 = 5.4545 left at 100.9091, the third 20 - 2 * 9.7273 = .5454 at
     * 10.09091: both .05405405 s. */
    EXPECT("set-10", "0 io@4 2", "0 io@97.27273 2 io@100.9091 2.054054",
           "0 io@9.727273 2 io@10.09091 2.054054");
}

static void inside_a_set_it_is_first_come_first_served(void **state)
{
    (void)state;
    small_init(&small, 11);
    small_add(&small, 11, "w1 v10")->facts.period = 1;
    small_add(&small, 6, "v12")->facts.period = 2;
    small_add(&small, 11, "v13")->facts.period = 10;
    /* Periods 1 and 2 are set 0. 0: its only member takes 6 of the 10, the third gets 5. 1: the
     * first gets the 4 that the second leaves of the 10, and the third 1. 2: the second is done,
     * the first has 6 left at 10, the third 7 at 1. 2.6: the third has 6.4 left: 6.4/11 s. */
    EXPECT("set-10", "0 work 1 io@4 2 io@10 2.6", "0 io@6 2", "0 io@5 1 io@1 2.6 io@11 3.181818");
}

static void set_10_learns_the_length_of_the_iterations(void **state)
{
    (void)state;
    small_init(&small, 10001);
    small_add(&small, 10001, "w5 v10000 w9 v20002");
    small_add(&small, 10001, "v152016.2")->facts.period = 100;
    /* 5: a first I/O belongs to set -2, against set 2: 10000 : 1. 6: it works. 15: its second
     * iteration is 9 + 2 s long, and the first does not count: set 1, so 10 : 1, which takes 2.2 s.
     * The other has moved (5 + 9) 10001 + 1 + 2000.2 bytes by then; the last 10001 take 1 s. */
    EXPECT("set-10", "0 work 5 io@10000 6 work 15 io@9091.818 17.2",
           "0 io@10001 5 io@1 6 io@10001 15 io@909.1818 17.2 io@10001 18.2");
}

/* --- best-next-event -------------------------------------------------------------------------- */

static void best_next_event_lets_equals_finish_together(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "w1 v1");
    small_add(&small, 1, "w1 v1");
    /* With the first completing D later: yields 2 / (1 + D) and D / (1 + D), so D = 2. */
    EXPECT("best-next-event", "0 work 1 io@0.5 3", "0 work 1 io@0.5 3");
}

static void best_next_event_balances_the_yields_at_the_event(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "w1 v1");
    small_age(small_add(&small, 1, "w1 v100"), 9, 9);
    /* At 1 the first is 1 s old, the second 10 s, both undelayed. If the first completes D later,
     * 2 / (1 + D) = (9 + D) / (10 + D): D^2 + 8 D = 11, D = sqrt(27) - 4 = 1.196152; the first
     * gets 1 / D. Both together move 101 bytes at full speed from 1 on. */
    EXPECT("best-next-event", "0 work 1 io@0.8360139 2.196152",
           "0 work 1 io@0.1639861 2.196152 io@1 102");
}

static void best_next_event_gives_unused_bandwidth_away_unless_told_not_to(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_age(small_add(&small, 0.6, "v60"), 10, 5);
    small_age(small_add(&small, 0.6, "v0.06"), 10, 10);
    /* The first is the weakest and at its limit: its yield (5 + D) / (10 + D) rises with D until
     * it meets that of the second, 10.1 / (10 + D): D = 5.1. The second gets 0.06 / 5.1, and
     * nobody the rest. With topup it gets 0.4 and is done at once. */
    EXPECT("best-next-event:topup=off", "0 io@0.6 100", "0 io@0.01176471 5.1");
    EXPECT("best-next-event:topup=on", "0 io@0.6 100", "0 io@0.4 0.15");
}

/* --- the slides ------------------------------------------------------------------------------- */

/* 0.5: the second posts. 1: the first, with the same key and the lower index, takes over until 2,
 * unless what has begun goes first. 2.5: the second is done; it works until 3.5 and posts again.
 * 4: the first posts again. Then rho~/rho is 2 / 4 and 1.5 / 4, so p rho/rho~ is 2 p and 2.67 p;
 * and p rho~ is p 1 / 4 and p 0.5 / 4. */
static void prepare(double second_nodes)
{
    small_init(&small, 1);
    small_add(&small, 1, "w1 v1 w2 v2");
    small_add(&small, 1, "w0.5 v1 w1 v2")->facts.nodes = second_nodes;
}

#define FIRST_WINS_AT_4                                                                            \
    "0 work 1 io@1 2 work 4 io@1 6", "0 work 0.5 io@1 1 wait 2 io@1 2.5 work 3.5 io@1 4 wait 6 "   \
                                     "io@1 7.5"
#define SECOND_WINS_AT_4                                                                           \
    "0 work 1 io@1 2 work 4 wait 5.5 io@1 7.5",                                                    \
        "0 work 0.5 io@1 1 wait 2 io@1 2.5 work 3.5 io@1 5.5"
/* The second goes on until 1.5, then the first until 2.5, where the second posts again. */
#define BEGUN_GOES_FIRST                                                                           \
    "0 work 1 wait 1.5 io@1 2.5 work 4.5 io@1 6.5", "0 work 0.5 io@1 1.5 work 2.5 io@1 4.5"

static void min_dilation_serves_the_largest_dilation(void **state)
{
    (void)state;
    prepare(4);
    EXPECT("min-dilation", SECOND_WINS_AT_4);
    EXPECT("min-dilation:priority", BEGUN_GOES_FIRST);
}

static void max_syseff_serves_the_largest_loss_of_it(void **state)
{
    (void)state;
    prepare(4); /* 2 against 10.67 */
    EXPECT("max-syseff", SECOND_WINS_AT_4);
    EXPECT("max-syseff:priority", BEGUN_GOES_FIRST);
    prepare(0.7); /* 2 against 1.87 */
    EXPECT("max-syseff", FIRST_WINS_AT_4);
    EXPECT("max-syseff:key=apio", FIRST_WINS_AT_4);
}

static void max_syseff_of_the_slides_serves_the_smallest_part_of_it(void **state)
{
    (void)state;
    prepare(4); /* .25 against .5 */
    EXPECT("max-syseff:key=slides", FIRST_WINS_AT_4);
    EXPECT("max-syseff:key=slides,priority", BEGUN_GOES_FIRST);
    prepare(1); /* .25 against .125 */
    EXPECT("max-syseff:key=slides", SECOND_WINS_AT_4);
}

static void min_max_switches_when_an_application_falls_below_gamma(void **state)
{
    (void)state;
    prepare(0.7); /* 1.5 / 4 = .375 */
    EXPECT("min-max:gamma=0.3", FIRST_WINS_AT_4);
    EXPECT("min-max:gamma=0.4", SECOND_WINS_AT_4);
    EXPECT("min-max:gamma=0.4,priority", BEGUN_GOES_FIRST);
    prepare(4);
    EXPECT("min-max:gamma=0.3", SECOND_WINS_AT_4);
    EXPECT("min-max:gamma=0.3,key=slides", FIRST_WINS_AT_4);
    EXPECT("min-max:gamma=0.4,key=slides", SECOND_WINS_AT_4);
}

/* Of 10 bytes/s the first takes 6. The second can use 6 and gets the other 4, or nothing; the third
 * can use 4, and then goes before it. At 1 the rest is free. */
static void whole_grants_are_all_or_nothing(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 6, "v6");
    small_add(&small, 6, "v12");
    small_add(&small, 4, "v4");
    static const char *const names[] = {"min-dilation", "max-syseff", "min-max:gamma=0.5"};
    for (int i = 0; i < 3; i++) {
        char name[64];
        EXPECT(names[i], "0 io@6 1", "0 io@4 1 io@6 2.333333", "0 wait 1 io@4 2");
        snprintf(name, sizeof name, "%s%cgrants=whole", names[i], i < 2 ? ':' : ',');
        EXPECT(name, "0 io@6 1", "0 wait 1 io@6 3", "0 io@4 1");
    }
    /* Ten tenths fit, whatever their sum is rounded to. */
    small_init(&small, 1);
    for (int i = 0; i < 11; i++)
        small_add(&small, 0.1, "v0.1");
    struct outcome *outcome = small_run(&small, "min-dilation:grants=whole", NULL);
    expect_near(outcome->end, 2, 1e-9);
    outcome_free(outcome);
}

static void weights_multiply_the_dilation(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "w1 v1 w2 v1");
    struct app *second = small_add(&small, 1, "w1 v1 w1 v1");
    /* Both post again at 4, each with rho~/rho = 2 / 4. */
    EXPECT("min-dilation", "0 work 1 io@1 2 work 4 io@1 5",
           "0 work 1 wait 2 io@1 3 work 4 wait 5 io@1 6");
    /* The second is first from the start. 5: the first posts again, and is done. */
    second->facts.weight = 2;
    EXPECT("min-dilation", "0 work 1 wait 2 io@1 3 work 5 io@1 6", "0 work 1 io@1 2 work 3 io@1 4");
}

/* Nobody waits until both post at 4, where rho~/rho is 2 / 4 and 3 / 4, and rho~ 1 / 4 and 2 / 4.
 */
static void weights_multiply_the_nodes_in_syseff(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "w1 v1 w2 v2");
    struct app *second = small_add(&small, 1, "w2 v1 w1 v2");
#define FIRST_WINS  "0 work 1 io@1 2 work 4 io@1 6", "0 work 2 io@1 3 work 4 wait 6 io@1 8"
#define SECOND_WINS "0 work 1 io@1 2 work 4 wait 6 io@1 8", "0 work 2 io@1 3 work 4 io@1 6"
    EXPECT("max-syseff", FIRST_WINS); /* 2 against 1.33 */
    EXPECT("max-syseff:key=slides", FIRST_WINS);
    second->facts.weight = 2; /* 2.67 */
    EXPECT("max-syseff", SECOND_WINS);
    second->facts.weight = 4; /* .25 against .5 / 4 */
    EXPECT("max-syseff:key=slides", SECOND_WINS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_10_shares_between_sets_by_powers_of_ten),
        cmocka_unit_test(a_set_that_cannot_use_its_share_leaves_it_to_the_others),
        cmocka_unit_test(inside_a_set_it_is_first_come_first_served),
        cmocka_unit_test(set_10_learns_the_length_of_the_iterations),
        cmocka_unit_test(best_next_event_lets_equals_finish_together),
        cmocka_unit_test(best_next_event_balances_the_yields_at_the_event),
        cmocka_unit_test(best_next_event_gives_unused_bandwidth_away_unless_told_not_to),
        cmocka_unit_test(min_dilation_serves_the_largest_dilation),
        cmocka_unit_test(max_syseff_serves_the_largest_loss_of_it),
        cmocka_unit_test(max_syseff_of_the_slides_serves_the_smallest_part_of_it),
        cmocka_unit_test(min_max_switches_when_an_application_falls_below_gamma),
        cmocka_unit_test(whole_grants_are_all_or_nothing),
        cmocka_unit_test(weights_multiply_the_dilation),
        cmocka_unit_test(weights_multiply_the_nodes_in_syseff),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
