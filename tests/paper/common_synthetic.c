#include "common.h"
#include "gen/gen.h"
#include "synthetic.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THEIR_INSTANCES = 10, MAX_ROWS = 64 };

/* One strategy at one pressure: theirs, and sums over our instances. */
struct row {
    double pressure;
    char strategy[32];
    double their_yield, their_efficiency; /* NAN = not in the file */
    double yield, yield_squares, efficiency, efficiency_squares;
};

struct table {
    struct row rows[MAX_ROWS];
    int count;
};

static void add_row(struct table *table, struct row row)
{
    assert_true(table->count < MAX_ROWS);
    table->rows[table->count++] = row;
}

static void read_row(void *context, char **fields)
{
    struct table *table = context;
    struct row row = {.pressure = atof(fields[0]),
                      .their_yield = atof(fields[2]),
                      .their_efficiency = atof(fields[3])};
    snprintf(row.strategy, sizeof(row.strategy), "%s", fields[1]);
    add_row(table, row);
    /* Ours beside theirs, once per pressure. */
    if (strcmp(row.strategy, "set-10") == 0) {
        snprintf(row.strategy, sizeof(row.strategy), "floor");
        row.their_yield = row.their_efficiency = NAN;
        add_row(table, row);
    }
}

static void run_instance(struct table *table, double pressure, uint64_t seed)
{
    struct err err = {""};
    struct synthetic params = synthetic_defaults;
    params.pressure = pressure;
    struct scenario *scenario = gen_synthetic(&params, seed, &err);
    if (!scenario)
        fail_msg("%s", err.text);
    struct workload *workload = realise(scenario, WINDOW_AUTO);
    for (int i = 0; i < table->count; i++) {
        struct row *row = &table->rows[i];
        if (row->pressure != pressure)
            continue;
        struct weir_metrics metrics = simulate(workload, row->strategy);
        row->yield += metrics.min_yield;
        row->yield_squares += metrics.min_yield * metrics.min_yield;
        row->efficiency += metrics.efficiency;
        row->efficiency_squares += metrics.efficiency * metrics.efficiency;
    }
    workload_free(workload);
    scenario_free(scenario);
}

/* Standard error of the difference of two means, ours over n and theirs over 10 instances, which
 * are assumed to scatter alike. */
static double standard_error(double sum, double squares, int n)
{
    double variance = (squares - sum * sum / n) / (n - 1);
    return sqrt(fmax(0, variance) * (1.0 / n + 1.0 / THEIR_INSTANCES));
}

static const struct row *find(const struct table *table, double pressure, const char *strategy)
{
    for (int i = 0; i < table->count; i++)
        if (table->rows[i].pressure == pressure && !strcmp(table->rows[i].strategy, strategy))
            return &table->rows[i];
    fail();
    return NULL;
}

/* 3.5 standard errors: some eighty comparisons are made. Theirs have four digits. */
static void check_row(const struct row *row, int n)
{
    double yield = row->yield / n, efficiency = row->efficiency / n;
    double yield_slack = 3.5 * standard_error(row->yield, row->yield_squares, n) + 5e-5;
    double slack = 3.5 * standard_error(row->efficiency, row->efficiency_squares, n) + 5e-5;
    printf("%4.1f %-24s %7.4f %7.4f +- %.4f | %7.4f %7.4f +- %.4f\n", row->pressure, row->strategy,
           row->their_yield, yield, yield_slack, row->their_efficiency, efficiency, slack);
    if (isnan(row->their_yield))
        return;
    if (strcmp(row->strategy, "best-next-event") == 0) {
        assert_true(yield >= row->their_yield - yield_slack);
        return;
    }
    assert_near(yield, row->their_yield, yield_slack);
    assert_near(efficiency, row->their_efficiency, slack);
}

static void check_floor(const struct table *table, double pressure)
{
    const struct row *ours = find(table, pressure, "floor");
    for (int i = 0; i < table->count; i++)
        if (table->rows[i].pressure == pressure)
            assert_true(ours->yield >= 0.99 * table->rows[i].yield);
    assert_true(ours->efficiency > find(table, pressure, "look-ahead-greedy-yield")->efficiency);
}

void synthetic_compare(int instances, double lowest)
{
    static struct table table;
    table.count = 0;
    read_csv("synthetic_reference.csv", read_row, &table);
    assert_int_equal(table.count, 6 * 9);
    printf("%-29s MinYield: theirs, ours | Efficiency: theirs, ours\n", "W");
    for (int i = 0; i < table.count; i++) {
        double pressure = table.rows[i].pressure;
        bool new = i == 0 || table.rows[i - 1].pressure != pressure;
        if (pressure < lowest)
            continue;
        if (new)
            for (int seed = 1; seed <= instances; seed++)
                run_instance(&table, pressure, (uint64_t)seed);
        check_row(&table.rows[i], instances);
        if (new)
            check_floor(&table, pressure);
    }
}
