/* What threads do together; ThreadSanitizer looks on. */
#include "plan/attempt.h"
#include "plan/persched.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ATTEMPTS = 64 };

/* Three applications that together want 4/3 of 30 bytes/s. */
static struct task list[] = {
    {"a", 1, 10, 100, 10, 10, 0}, {"b", 2, 30, 300, 20, 15, 0}, {"c", 4, 60, 900, 30, 30, 0}};
static const struct tasks tasks = {.list = list, .count = 3, .bandwidth = 30, .nodes = 7};

static void try_all(struct attempt_pool *pool, struct attempt attempts[ATTEMPTS])
{
    for (int i = 0; i < ATTEMPTS; i++)
        attempts[i] = (struct attempt){
            .rules = {.period = 90 + 7 * i, .pick = (enum pattern_pick)(i % PATTERN_PICKS)},
            .refine_dilation = 2,
            .cost_limit = 1e4,
        };
    assert_int_equal(attempt_pool_run(pool, attempts, ATTEMPTS), 0);
}

static void four_threads_find_what_one_finds(void **state)
{
    (void)state;
    struct attempt_pool one = {0}, four = {0};
    static struct attempt alone[ATTEMPTS], together[ATTEMPTS];
    assert_int_equal(attempt_pool_init(&one, &tasks, 1), 0);
    assert_int_equal(attempt_pool_init(&four, &tasks, 4), 0);
    try_all(&one, alone);
    try_all(&four, together);
    int good = 0;
    for (int i = 0; i < ATTEMPTS; i++) {
        assert_true(alone[i].work == together[i].work && alone[i].cost == together[i].cost &&
                    alone[i].rules.period == together[i].rules.period);
        good += alone[i].work > 0;
    }
    assert_true(good > ATTEMPTS / 2);
    attempt_pool_fini(&one);
    attempt_pool_fini(&four);
}

static bool stop_after_ten(void *context)
{
    return atomic_fetch_add((atomic_int *)context, 1) >= 10;
}

static void a_pool_that_is_stopped_leaves_the_rest(void **state)
{
    (void)state;
    struct attempt_pool pool = {0};
    struct attempt attempts[ATTEMPTS];
    atomic_int asked = 0;
    assert_int_equal(attempt_pool_init(&pool, &tasks, 4), 0);
    pool.stop = stop_after_ten;
    pool.context = &asked;
    try_all(&pool, attempts);
    int tried = 0;
    for (int i = 0; i < ATTEMPTS; i++)
        tried += attempts[i].cost > 0;
    assert_true(tried > 0 && tried <= 10);
    attempt_pool_fini(&pool);
}

static void a_search_with_four_threads_is_the_one_with_one(void **state)
{
    (void)state;
    for (int search = 0; search < 2; search++) {
        struct err err = {0};
        struct persched options = persched_defaults;
        options.search = search;
        options.max_factor = 2;
        struct plan *one = persched_plan(&tasks, &options, &err);
        options.jobs = 4;
        struct plan *four = persched_plan(&tasks, &options, &err);
        assert_non_null(one);
        assert_non_null(four);
        assert_true(one->period == four->period);
        assert_int_equal(one->piece_count, four->piece_count);
        for (size_t i = 0; i < one->piece_count; i++)
            assert_true(one->pieces[i].start == four->pieces[i].start &&
                        one->pieces[i].rate == four->pieces[i].rate);
        plan_free(one);
        plan_free(four);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_threads_find_what_one_finds),
        cmocka_unit_test(a_pool_that_is_stopped_leaves_the_rest),
        cmocka_unit_test(a_search_with_four_threads_is_the_one_with_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
