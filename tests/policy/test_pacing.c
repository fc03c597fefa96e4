/* Rates and deadlines of applications that repeat themselves, worked out by hand. */
#include "policy/pacing.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { APPS = 3 };

static struct weir_app apps[APPS];
static struct weir_run runs[APPS];
static struct weir_view view;
static struct pacing pacing;
static double room[APPS * PACING_ROOM / sizeof(double) + 1];

static void begin(double limit)
{
    view = (struct weir_view){.bandwidth = 10,
                              .horizon = INFINITY,
                              .active_bmax = 20, /* they compete */
                              .runs = runs,
                              .count = APPS};
    pacing = (struct pacing){.patience = 1, .limit = limit};
    for (size_t i = 0; i < sizeof room / sizeof *room; i++)
        room[i] = 0;
    pacing_init(&pacing, room, APPS);
}

/* An application on 10 nodes that works w seconds and posts v bytes. */
static void post(uint32_t id, double work, double volume)
{
    apps[id] = (struct weir_app){.nodes = 10, .bmax = 10};
    runs[id] = (struct weir_run){.app = &apps[id], .state = WEIR_WORKING};
    pacing_joined(&pacing, &view, id);
    runs[id] = (struct weir_run){.app = &apps[id],
                                 .posted = view.now,
                                 .volume = volume,
                                 .remaining = volume,
                                 .work = work,
                                 .state = WEIR_ACTIVE};
    pacing_posted(&pacing, &view, id);
}

/* A: i = 8 + 2, 2 bytes/s at its full rate, p w / v = 4. B: i = 2 + 18, 9 bytes/s, 20 / 180. All
 * want 11 of 10 bytes/s. */
static void with_a_limit_of_1_delays_are_even(void **state)
{
    (void)state;
    begin(1);
    post(0, 8, 20);
    post(1, 2, 180);
    expect_near(pacing.pacers[0].length, 11, 1e-12);
    expect_near(pacing.pacers[1].length, 22, 1e-12);
}

/* With D = 1.65 both have 11 / 1.65 = 6.67 bytes/s at least. A is raised to 1 / i, which takes
 * 2 (1 - 1 / 1.65) = .788; B gets the rest, 2.545: a yield of 1 / 1.65 + 2.545 / 9 = 8 / 9. */
static void above_it_the_largest_gain_per_byte_goes_first(void **state)
{
    (void)state;
    begin(1.5);
    post(0, 8, 20);
    post(1, 2, 180);
    pacing.changed = true;
    pacing.pacers[0].posted = -1; /* once more, with both */
    pacing_posted(&pacing, &view, 0);
    expect_near(pacing.pacers[0].length, 10, 1e-12);
    expect_near(pacing.pacers[1].length, 22.5, 1e-12);
    expect_near(pacing.pacers[0].deadline, 2, 1e-12);
}

/* Two of the kind of B, which differ by 5 %, and A: the same yield for both, though only one can
 * be raised. */
static void those_of_a_kind_get_the_same_yield(void **state)
{
    (void)state;
    begin(1.5);
    post(0, 8, 20);
    post(1, 2, 180);
    post(2, 2, 189);
    double yields[2];
    for (uint32_t id = 1; id < 3; id++)
        yields[id - 1] = pacing_ideal(&pacing.pacers[id], &apps[id]) / pacing.pacers[id].length;
    expect_near(yields[0], yields[1], 1e-12);
    assert_true(yields[0] < 0.6 && yields[0] > 1 / (1.5 * 2.1));
}

static void what_was_late_is_made_up_for(void **state)
{
    (void)state;
    begin(1);
    post(0, 8, 20);
    view.now = 7; /* 5 s late: alone it should have ended at 2 */
    runs[0].remaining = 0;
    pacing_completed(&pacing, &view, 0);
    expect_near(pacing.pacers[0].lag, 5, 1e-12);
    runs[0].done_work = 8;
    runs[0].posted = view.now = 15;
    runs[0].volume = runs[0].remaining = 40; /* 20 more than usual */
    pacing_posted(&pacing, &view, 0);
    expect_near(pacing.pacers[0].deadline, 15 + 2 + 2 - 0.9 * 5, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_a_limit_of_1_delays_are_even),
        cmocka_unit_test(above_it_the_largest_gain_per_byte_goes_first),
        cmocka_unit_test(those_of_a_kind_get_the_same_yield),
        cmocka_unit_test(what_was_late_is_made_up_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
