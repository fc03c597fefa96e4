/* The 12 small windows of data/reference, against the program behind Benoit et al. (2024): seven
 * strategies digit by digit, and best-next-event against an independent exact implementation. */
#include "common.h"
#include "format/format.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one line of expected.csv says. */
struct expectation {
    char instance[8], strategy[32];
    double window_end, interval, pressure, min_yield, efficiency, exact_min_yield;
};

struct table {
    struct expectation rows[128];
    int count;
};

static void read_row(void *context, char **fields)
{
    struct table *table = context;
    struct expectation *row = &table->rows[table->count++];
    assert_true(table->count <= 128);
    snprintf(row->instance, sizeof(row->instance), "%s", fields[0]);
    snprintf(row->strategy, sizeof(row->strategy), "%s", fields[4]);
    row->window_end = atof(fields[1]);
    row->interval = atof(fields[2]);
    row->pressure = atof(fields[3]);
    row->min_yield = atof(fields[5]);
    row->efficiency = atof(fields[6]);
    row->exact_min_yield = atof(fields[7]);
}

static struct scenario *load(const char *instance)
{
    char path[512];
    struct err err = {0};
    snprintf(path, sizeof(path), "%s/data/reference/%s.txt", WEIR_SOURCE_DIR, instance);
    struct format_defaults defaults = {.bandwidth = 1};
    struct scenario *scenario = format_load(path, format_find("instance", &err), &defaults, &err);
    if (!scenario)
        fail_msg("%s", err.text);
    return scenario;
}

/* Calls `compare` for every line, with its window; returns how many lines there were. */
static int for_each_row(void (*compare)(const struct expectation *, const struct workload *))
{
    static struct table table;
    table.count = 0;
    read_csv("reference/expected.csv", read_row, &table);
    for (int i = 0; i < table.count; i++) {
        struct scenario *scenario = load(table.rows[i].instance);
        struct workload *workload = realise(scenario, WINDOW_AUTO);
        compare(&table.rows[i], workload);
        workload_free(workload);
        scenario_free(scenario);
    }
    return table.count;
}

static void compare_window(const struct expectation *row, const struct workload *workload)
{
    assert_near(workload->window.end, row->window_end, 1e-8 * row->window_end);
    assert_near(workload->phase_interval, row->interval, 1e-8 * row->interval);
    assert_near(workload->io_pressure, row->pressure, 1e-6);
}

static void windows_intervals_and_pressures_are_those_of_the_program(void **state)
{
    (void)state;
    assert_int_equal(for_each_row(compare_window), 12 * 8);
}

static bool is_exact(const struct expectation *row)
{
    return strcmp(row->strategy, "best-next-event") == 0;
}

static void compare_strategy(const struct expectation *row, const struct workload *workload)
{
    if (is_exact(row))
        return;
    struct weir_metrics ours = simulate(workload, row->strategy);
    printf("%s %-24s %.6f %.6f  %.6f %.6f\n", row->instance, row->strategy, row->min_yield,
           ours.min_yield, row->efficiency, ours.efficiency);
    assert_near(ours.min_yield, row->min_yield, 1e-6);
    assert_near(ours.efficiency, row->efficiency, 1e-6);
}

static void seven_strategies_equal_the_program_to_six_digits(void **state)
{
    (void)state;
    printf("%-28s MinYield: theirs, ours; Efficiency: theirs, ours\n", "");
    for_each_row(compare_strategy);
}

static void compare_exact(const struct expectation *row, const struct workload *workload)
{
    if (!is_exact(row))
        return;
    double ours = simulate(workload, "best-next-event:topup=off").min_yield;
    printf("%s best-next-event:topup=off %.6f %.6f, their program %.6f\n", row->instance,
           row->exact_min_yield, ours, row->min_yield);
    assert_near(ours, row->exact_min_yield, 1e-5);
}

static void best_next_event_equals_the_exact_implementation(void **state)
{
    (void)state;
    for_each_row(compare_exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_intervals_and_pressures_are_those_of_the_program),
        cmocka_unit_test(seven_strategies_equal_the_program_to_six_digits),
        cmocka_unit_test(best_next_event_equals_the_exact_implementation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
