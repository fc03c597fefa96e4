#include "gen/family.h"
#include "gen/gen.h"
#include <stdio.h>

/* Thesis Table III.1. The I/O durations are those of an application that has the file system for
 * itself; one batch is this number of iterations. */
static const struct tucan_row {
    const char *name;
    double work, io;
    uint32_t iterations;
} rows[] = {
    {"app1", 32, 10, 250},  {"app2", 16, 5, 500}, {"app3", 8, 2.5, 1000},
    {"app4", 8, 2.5, 1000}, {"app5", 16, 5, 500},
};
enum { ROWS = sizeof rows / sizeof *rows, MOST_BATCHES = 64 };

/* Thesis section III.D: 10 Gb/s Ethernet. The results do not depend on it. */
static const double bandwidth = 1.25e9;

static struct scenario *tucan_make(const double *values, uint64_t seed, struct err *err)
{
    (void)seed;
    int batches = (int)values[0];
    char name[32];
    snprintf(name, sizeof name, "tucan-%d", batches);
    struct scenario *scenario = scenario_new(name, ROWS);
    if (!scenario) {
        err_memory(err);
        return NULL;
    }
    scenario->platform = (struct platform){.node_bandwidth = bandwidth, .bandwidth = bandwidth};
    for (int i = 0; i < ROWS; i++) {
        struct app_spec *app = &scenario->apps[i];
        app->name = rows[i].name;
        app->bandwidth = bandwidth;
        app->work.mean = rows[i].work;
        app->io.mean = rows[i].io * bandwidth;
        app->iterations = rows[i].iterations * (uint32_t)batches;
    }
    return scenario;
}

static const struct family_param params[] = {
    {"batches", "how many", 1, MOST_BATCHES, MOST_BATCHES, true, NULL},
    {.name = NULL},
};

const struct family family_tucan = {
    .name = "tucan",
    .summary = "batches of five applications",
    .paper = "Vidal 2022, section III.D",
    .params = params,
    .make = tucan_make,
};

struct scenario *gen_tucan(int batches, struct err *err)
{
    return family_make(&family_tucan, (const double[]){batches}, 0, err);
}
