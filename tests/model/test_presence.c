#include "base/mem.h"
#include "model/presence.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define COUNT(list) (uint32_t)(sizeof(list) / sizeof *(list))

static struct occupancy occupancy_of(const struct presence *list, uint32_t count)
{
    struct occupancy occupancy;
    assert_int_equal(occupancy_measure(&occupancy, list, count), 0);
    return occupancy;
}

/* All three are there from 5 to 8. */
static void applications_that_share_a_moment_run_together(void **state)
{
    (void)state;
    const struct presence list[] = {{0, 8, 4}, {5, 30, 1}, {2, 9, 2}};
    struct occupancy occupancy = occupancy_of(list, COUNT(list));
    assert_true(occupancy.together && occupancy.nodes == 7);
    assert_true(occupancy.since == 5 && occupancy.busy == 30);
    assert_true(occupancy.mean == (4 * 8 + 1 * 25 + 2 * 7) / 30.0);
}

/* 4 nodes until 8, 4 + 2 from 6 to 8, 2 + 3 + 1 from 10 on: 6 twice, the first at 6. Nothing is
 * there from 14 to 20. */
static void the_first_time_of_most_nodes_is_found(void **state)
{
    (void)state;
    const struct presence list[] = {{20, 25, 5}, {0, 8, 4}, {9, 12, 3}, {6, 14, 2}, {10, 11, 1}};
    struct occupancy occupancy = occupancy_of(list, COUNT(list));
    assert_false(occupancy.together);
    assert_true(occupancy.nodes == 6 && occupancy.since == 6);
    assert_true(occupancy.busy == 14 + 5);
    assert_true(occupancy.mean == (5 * 5 + 4 * 8 + 3 * 3 + 2 * 8 + 1) / 19.0);
}

/* The end at 0.1 + 0.2 lies an ulp after 0.3. */
static void applications_that_touch_never_run_together(void **state)
{
    (void)state;
    const struct presence list[] = {{0, 0.1 + 0.2, 3}, {0.3, 1, 2}};
    assert_true(list[0].end > list[1].start);
    struct occupancy occupancy = occupancy_of(list, COUNT(list));
    assert_false(occupancy.together);
    assert_true(occupancy.nodes == 3 && occupancy.since == 0 && occupancy.busy == 1);
    /* A millisecond more, after half a year, is not rounding. */
    const struct presence late[] = {{0, 2e7 + 1e-3, 3}, {2e7, 3e7, 2}};
    assert_true(occupancy_of(late, COUNT(late)).nodes == 5);
}

static void what_has_no_length_is_never_there(void **state)
{
    (void)state;
    const struct presence list[] = {{5, 5, 9}, {7, 6, 9}, {0, 2, 1}};
    struct occupancy occupancy = occupancy_of(list, COUNT(list));
    assert_true(occupancy.together && occupancy.nodes == 1 && occupancy.busy == 2);
    occupancy = occupancy_of(list, 2);
    assert_true(occupancy.nodes == 0 && occupancy.busy == 0);
}

static void a_presence_is_clipped_to_a_window(void **state)
{
    (void)state;
    const struct presence whole = {2, 9, 1};
    struct presence part = presence_clip(whole, 4, 6);
    assert_true(part.start == 4 && part.end == 6 && part.nodes == 1);
    part = presence_clip(whole, 10, 20);
    assert_true(occupancy_of(&part, 1).nodes == 0);
}

/* Jobs of 1 s on k nodes, one every 0.4 s: three at a time, the largest last. */
static void thousands_of_jobs_are_followed(void **state)
{
    (void)state;
    enum { JOBS = 5000 };
    struct presence *list = mem_alloc(JOBS, sizeof *list);
    assert_non_null(list);
    for (int k = 0; k < JOBS; k++)
        list[JOBS - 1 - k] = (struct presence){0.4 * k, 0.4 * k + 1, k};
    struct occupancy occupancy = occupancy_of(list, JOBS);
    mem_fail_after(0);
    assert_int_equal(occupancy_measure(&occupancy, list, JOBS), -1);
    mem_fail_after(-1);
    occupancy = occupancy_of(list, JOBS);
    assert_true(occupancy.nodes == 4999 + 4998 + 4997 && occupancy.since == 0.4 * 4999);
    assert_true(occupancy.busy > 2000.6 - 1e-6 && occupancy.busy < 2000.6 + 1e-6);
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(applications_that_share_a_moment_run_together),
        cmocka_unit_test(the_first_time_of_most_nodes_is_found),
        cmocka_unit_test(applications_that_touch_never_run_together),
        cmocka_unit_test(what_has_no_length_is_never_there),
        cmocka_unit_test(a_presence_is_clipped_to_a_window),
        cmocka_unit_test(thousands_of_jobs_are_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
