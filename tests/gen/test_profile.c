#include "base/mem.h"
#include "base/random.h"
#include "gen/profile.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void jobs_fill_the_holes_that_others_leave(void **state)
{
    (void)state;
    struct profile profile;
    assert_int_equal(profile_init(&profile, 10), 0);
    /* 6 nodes until 100; 8 do not fit beside them, so they come at 100, and leave 4 before. */
    assert_true(profile_fit(&profile, 0, 6, 100) == 0);
    assert_int_equal(profile_take(&profile, 0, 100, 6), 0);
    assert_true(profile_fit(&profile, 0, 8, 50) == 100);
    assert_int_equal(profile_take(&profile, 100, 150, 8), 0);
    assert_true(profile_fit(&profile, 0, 4, 100) == 0);
    assert_true(profile_fit(&profile, 0, 4, 101) == 150);
    assert_true(profile_fit(&profile, 0, 2, 1000) == 0);
    assert_true(profile_fit(&profile, 70.5, 2, 1000) == 70.5);
    assert_true(profile_fit(&profile, 0, 10, 1) == 150);
    profile_fini(&profile);
}

/* The same on a grid of seconds, where every second is looked at. */
enum { NODES = 16, SECONDS = 4000, JOBS = 300 };

static int fit_slowly(const uint32_t *used, uint32_t nodes, int length)
{
    int start = 0;
    for (int t = 0; t - start < length; t++)
        if (used[t] + nodes > NODES)
            start = t + 1;
    return start;
}

static void every_job_starts_as_early_as_a_search_of_all_seconds_finds(void **state)
{
    (void)state;
    struct profile profile;
    uint32_t used[SECONDS] = {0};
    struct random random = random_at(1, 0, 0);
    assert_int_equal(profile_init(&profile, NODES), 0);
    for (int i = 0; i < JOBS; i++) {
        uint32_t nodes = 1 + random_below(&random, NODES);
        int length = 1 + (int)random_below(&random, 20);
        int start = fit_slowly(used, nodes, length);
        assert_true(start + length < SECONDS);
        assert_true(profile_fit(&profile, 0, nodes, length) == start);
        assert_int_equal(profile_take(&profile, start, start + length, nodes), 0);
        for (int t = start; t < start + length; t++)
            used[t] += nodes;
    }
    profile_fini(&profile);
}

static void running_out_of_memory_changes_nothing(void **state)
{
    (void)state;
    struct profile profile;
    mem_fail_after(0);
    assert_int_equal(profile_init(&profile, 4), -1);
    mem_fail_after(-1);
    profile_fini(&profile);
    assert_int_equal(profile_init(&profile, 4), 0);
    int failed = 0, taken = 0;
    for (int i = 0; i < 100; i++) {
        mem_fail_after(0);
        int status = profile_take(&profile, 2 * i, 2 * i + 1, 4);
        mem_fail_after(-1);
        if (status == 0)
            taken++;
        else
            failed++;
        if (status != 0)
            assert_int_equal(profile_take(&profile, 2 * i, 2 * i + 1, 4), 0);
    }
    assert_true(failed > 0 && taken > 0);
    assert_true(profile_fit(&profile, 0, 1, 1) == 1);
    assert_true(profile_fit(&profile, 0, 1, 2) == 199);
    profile_fini(&profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_fill_the_holes_that_others_leave),
        cmocka_unit_test(every_job_starts_as_early_as_a_search_of_all_seconds_finds),
        cmocka_unit_test(running_out_of_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
