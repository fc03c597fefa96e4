#include "base/mem.h"
#include "model/busiest.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

static struct busiest busiest_of(double start, double end, double length)
{
    struct busiest busiest;
    const double span[] = {start, end};
    assert_int_equal(workload_busiest(&small.workload, span, length, &busiest), 0);
    return busiest;
}

/* On 10 bytes/s. The first moves 10/s in [5, 9] and [14, 16], the second 5/s in [6, 14]. In 4 s
 * they want most from 5 to 9: 4 * 10 + 3 * 5 bytes. In 10 s from 4 to 14 or 5 to 15: 40 + 40, and
 * 10 more in [14, 15]. */
static void prepare(void)
{
    small_init(&small, 10);
    small_add(&small, 10, "w5 v40 w5 v20");
    small_add(&small, 5, "w6 v40 w100");
}

static void the_time_of_most_demand_is_found(void **state)
{
    (void)state;
    prepare();
    struct busiest busiest = busiest_of(0, 100, 4);
    expect_near(busiest.pressure, 55 / 40.0, 1e-12);
    expect_near(busiest.start, 5, 1e-12);
    busiest = busiest_of(0, 100, 10);
    expect_near(busiest.pressure, 90 / 100.0, 1e-12);
    expect_near(busiest.start, 5, 1e-12);
}

/* From 12 on: 2 s at 5/s and 2 s at 10/s in [12, 16]. */
static void only_times_inside_the_span_count(void **state)
{
    (void)state;
    prepare();
    struct busiest busiest = busiest_of(12, 100, 4);
    expect_near(busiest.pressure, 30 / 40.0, 1e-12);
    expect_near(busiest.start, 12, 1e-12);
    /* The last one that fits is [2, 6]: 1 s at 10/s. */
    busiest = busiest_of(0, 6, 4);
    expect_near(busiest.pressure, 10 / 40.0, 1e-12);
    expect_near(busiest.start, 2, 1e-12);
    /* The whole span is one. */
    busiest = busiest_of(5, 9, 4);
    expect_near(busiest.pressure, 55 / 40.0, 1e-12);
}

static void a_span_that_is_too_short_has_none(void **state)
{
    (void)state;
    prepare();
    struct busiest busiest = busiest_of(0, 3.9, 4);
    assert_true(isnan(busiest.start) && isnan(busiest.pressure));
}

/* Bytes that one application wants in [start, start + length], looked up in its phases. */
static double wanted(const struct app *app, double start, double length)
{
    double time = app_start(app), bytes = 0;
    for (uint32_t k = 0; k < app->facts.iterations; k++) {
        struct iteration iteration = app_iteration(app, k);
        double posted = time + iteration.work, done = posted + iteration.volume / app->facts.bmax;
        bytes += fmax(0, fmin(done, start + length) - fmax(posted, start)) * app->facts.bmax;
        time = done;
    }
    return bytes;
}

/* Three that never fall into step, against every start in steps of 1/64 s. */
static void no_start_on_a_grid_has_more(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_repeat(small_add(&small, 3, "w7 v11"), 40);
    small_repeat(small_add(&small, 10, "w2 v13"), 60);
    small_repeat(small_add(&small, 6, "w0 v20"), 9);
    small.apps[2].facts.release = 31.7;
    struct busiest found = busiest_of(3, 200, 17);
    double most = 0;
    for (int i = 0; i <= (200 - 3 - 17) * 64; i++) {
        double bytes = 0;
        for (int id = 0; id < 3; id++)
            bytes += wanted(&small.apps[id], 3 + i / 64.0, 17);
        most = fmax(most, bytes);
    }
    double there = 0;
    for (int id = 0; id < 3; id++)
        there += wanted(&small.apps[id], found.start, 17);
    expect_near(found.pressure * 170, there, 1e-9);
    assert_true(there >= most * (1 - 1e-9) && there <= most + 30 / 64.0);
}

static void without_io_the_first_hour_is_as_busy_as_any(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w9000");
    struct busiest busiest = busiest_of(0, 9000, 3600);
    assert_true(busiest.start == 0 && busiest.pressure == 0);
}

static void running_out_of_memory_fails(void **state)
{
    (void)state;
    prepare();
    const double span[] = {0, 100};
    struct busiest busiest;
    for (int n = 0; n < 6; n++) {
        mem_fail_after(n);
        assert_int_equal(workload_busiest(&small.workload, span, 4, &busiest), -1);
        mem_fail_after(-1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_of_most_demand_is_found),
        cmocka_unit_test(only_times_inside_the_span_count),
        cmocka_unit_test(a_span_that_is_too_short_has_none),
        cmocka_unit_test(no_start_on_a_grid_has_more),
        cmocka_unit_test(without_io_the_first_hour_is_as_busy_as_any),
        cmocka_unit_test(running_out_of_memory_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
