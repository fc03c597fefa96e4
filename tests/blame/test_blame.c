/* Who is charged for what, by hand. */
#include "blame/blame.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;
static struct blame_account accounts[3];
static double lost[2];
static struct blame_pair pairs[6];
static size_t pair_count;

/* Runs the workload under a strategy and charges what is lost between 0 and the end. */
static void charge(const char *policy, const uint32_t *groups, double end)
{
    const struct blame_task question = {.workload = &small.workload,
                                        .groups = groups,
                                        .group_count = 3,
                                        .start = 0,
                                        .end = end,
                                        .parts = 2,
                                        .pairs = true};
    struct blame *blame = blame_new(&question, NULL);
    const struct watcher watcher = blame_watcher(blame);
    small.watcher = &watcher;
    outcome_free(small_run(&small, policy, NULL));
    for (uint32_t i = 0; i < (groups ? 3 : small.workload.count); i++) {
        const struct blame_account *first = &blame_accounts(blame, 0)[i],
                                   *second = &blame_accounts(blame, 1)[i];
        accounts[i] = (struct blame_account){
            .caused = first->caused + second->caused,
            .own = first->own + second->own,
            .suffered = first->suffered + second->suffered,
            .idle = first->idle + second->idle,
        };
        lost[0] = (i ? lost[0] : 0) + first->suffered;
        lost[1] = (i ? lost[1] : 0) + second->suffered;
    }
    pair_count = blame_pairs(blame)->count;
    assert_true(pair_count <= 6);
    for (size_t i = 0; i < pair_count; i++)
        pairs[i] = blame_pairs(blame)->list[i];
    blame_free(blame);
}

/* The pair adds up to this, and its I/Os meet so often. */
static void expect_pair(uint32_t suffers, uint32_t causes, double seconds, double together,
                        uint64_t met)
{
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].suffers == suffers && pairs[i].causes == causes) {
            expect_near(pairs[i].lost, seconds, 1e-9);
            expect_near(pairs[i].together, together, 1e-9);
            assert_int_equal(pairs[i].met, met);
            return;
        }
    fail_msg("%u and %u never met", suffers, causes);
}

static void expect(int group, double caused, double own, double suffered, double idle)
{
    expect_near(accounts[group].caused, caused, 1e-9);
    expect_near(accounts[group].own, own, 1e-9);
    expect_near(accounts[group].suffered, suffered, 1e-9);
    expect_near(accounts[group].idle, idle, 1e-9);
}

/* The first is served for 2 s, then the second for 3 s. */
static void waiting_is_charged_to_the_one_that_is_served(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "v20");
    small_add(&small, 10, "v30");
    small_add(&small, 10, "w1");
    charge("fcfs", NULL, 5);
    expect(0, 2, 0, 0, 0);
    expect(1, 0, 0, 2, 0);
    expect(2, 0, 0, 0, 0);
    expect_near(lost[0], 2, 1e-9);
    expect_near(lost[1], 0, 1e-9);
    expect_pair(1, 0, 2, 2, 1);
    expect_pair(0, 1, 0, 2, 1);
    assert_int_equal(pair_count, 2);
}

/* 10 B/s are shared by 10 and 5: both at 2/3, so each loses 1/3 s per second because of the other,
 * until the second has moved its 10 bytes after 3 s. */
static void sharing_is_charged_both_ways(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "v30");
    small_add(&small, 5, "v10");
    charge("fair-share", NULL, 4);
    expect(0, 1, 0, 1, 0);
    expect(1, 1, 0, 1, 0);
    expect_near(lost[0], 4.0 / 3, 1e-9); /* 2/3 of a second in each of the first two */
    expect_near(lost[1], 2.0 / 3, 1e-9);
}

/* Two of one user keep a third waiting, and one the other. */
static void what_a_group_does_to_itself_is_its_own(void **state)
{
    (void)state;
    static const uint32_t groups[] = {0, 0, 1};
    small_init(&small, 10);
    small_add(&small, 10, "v20");
    small_add(&small, 10, "v10");
    small_add(&small, 10, "v10");
    charge("fcfs", groups, 4);
    expect(0, 3, 2, 2, 0);
    expect(1, 0, 0, 3, 0);
}

/* One I/O at a time, though another could use half of the bandwidth: half of its loss is charged to
 * the one that is served, which takes it; half is free. */
static void free_bandwidth_is_charged_to_no_application(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 5, "v10");
    small_add(&small, 10, "v10");
    charge("list:order=lowest-id", NULL, 3);
    expect(0, 1, 0, 0, 0);
    expect(1, 0, 0, 2, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_is_charged_to_the_one_that_is_served),
        cmocka_unit_test(sharing_is_charged_both_ways),
        cmocka_unit_test(what_a_group_does_to_itself_is_its_own),
        cmocka_unit_test(free_bandwidth_is_charged_to_no_application),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
