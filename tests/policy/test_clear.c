/* Clearing posted I/Os: what an order leads to by hand, and every order of small random sets. */
#include "base/random.h"
#include "policy/clear.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 6 };

static struct clear instance;
static struct weir_app apps[MOST];
static double lengths[MOST];
static struct weir_run runs[MOST];
static uint32_t active[MOST];
static struct weir_view view;

/* A file system of bandwidth B, and no I/Os. */
static void pose(double bandwidth, double horizon)
{
    view = (struct weir_view){
        .bandwidth = bandwidth, .horizon = horizon, .runs = runs, .active = active};
}

/* One more I/O of this many bytes. */
static void post(double bmax, double bytes, double age, double progress)
{
    uint32_t id = view.count++;
    lengths[id] = 0;
    apps[id] = (struct weir_app){.nodes = 1, .bmax = bmax, .release = -age};
    runs[id] = (struct weir_run){.app = &apps[id],
                                 .volume = bytes,
                                 .remaining = bytes,
                                 .lost = age - progress,
                                 .state = WEIR_ACTIVE};
    active[view.active_count++] = id;
}

/* What serving them by their ids leads to. */
static struct clear_result play_in_order(const uint8_t *order)
{
    clear_init(&instance, &view, lengths);
    for (uint32_t i = 0; i < instance.count; i++)
        instance.trial.list[i] = order[i];
    clear_try(&instance);
    return instance.trial.result;
}

static void the_last_that_is_served_gets_what_is_left(void **state)
{
    (void)state;
    pose(10, INFINITY);
    post(6, 12, 10, 10);
    post(6, 12, 10, 10);
    post(6, 6, 10, 10);
    /* 0: rates 6, 4. 2: the first ends; the second has 4 left: 6, 4 for the third. 2.67: the second
     * ends; the third has 6 - 2.67 left, at 6: 3.22. Alone they take 2, 2 and 1 s. */
    struct clear_result result = play_in_order((const uint8_t[]){0, 1, 2});
    double yields[] = {12 / 12.0, 12 / (10 + 2 + 2 / 3.0), 11 / (10 + 2 + 2 / 3.0 + 5 / 9.0)};
    double loss = pow(1 - yields[1], 8) + pow(1 - yields[2], 8);
    expect_near(result.least, yields[2], 1e-12);
    assert_int_equal(result.weakest, 2);
    expect_near(result.loss / loss, 1, 1e-9);
}

static void what_the_window_cuts_has_its_yield_there(void **state)
{
    (void)state;
    pose(10, 3);
    post(10, 20, 10, 10);
    post(10, 40, 10, 8);
    /* 3 s are left: the first ends at 2; the second moves 10 of 40 bytes, one second of progress.
     */
    struct clear_result result = play_in_order((const uint8_t[]){0, 1});
    expect_near(result.least, 9 / 13.0, 1e-12);
    lengths[1] = 100;
    result = play_in_order((const uint8_t[]){0, 1});
    /* It has lost 2 s before and 2 s now. */
    expect_near(result.least, 100 / 104.0, 1e-12);
}

/* The largest smallest yield of all orders from `from` on. */
static double best_of_all(uint8_t *order, uint32_t from)
{
    if (from == view.active_count)
        return play_in_order(order).least;
    double best = 0;
    for (uint32_t i = from; i < view.active_count; i++) {
        uint8_t swap = order[from];
        order[from] = order[i];
        order[i] = swap;
        best = fmax(best, best_of_all(order, from + 1));
        order[i] = order[from];
        order[from] = swap;
    }
    return best;
}

/* On a file system that one can fill, earliest deadline first is optimal: no order has a larger
 * smallest yield, up to the exactness of the search. */
static void no_order_reaches_more_than_the_critical_yield(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 300; seed++) {
        struct random dice = random_at(seed, 0, 0);
        uint32_t count = 2 + random_below(&dice, MOST - 1);
        pose(1, INFINITY);
        for (uint32_t i = 0; i < count; i++) {
            double age = random_between(&dice, 0, 50), part = random_between(&dice, 0.5, 1);
            post(1, random_between(&dice, 0.1, 10), age, age * part);
        }
        uint8_t order[MOST] = {0, 1, 2, 3, 4, 5};
        double best = best_of_all(order, 0);
        clear_init(&instance, &view, lengths);
        double critical = clear_find_critical(&instance);
        if (!(critical <= best * (1 + 1e-9) && critical >= best * (1 - 2e-3)))
            fail_msg("seed %u: %.9g, of all orders %.9g", seed, critical, best);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_that_is_served_gets_what_is_left),
        cmocka_unit_test(what_the_window_cuts_has_its_yield_there),
        cmocka_unit_test(no_order_reaches_more_than_the_critical_yield),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
