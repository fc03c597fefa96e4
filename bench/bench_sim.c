/* How many events per second each strategy handles, and how that grows with the number of
 * applications. `make bench` runs it; see results/performance.md for what it prints.
 *
 *     bench_sim [STRATEGY]...
 *
 * The workload is the synthetic family of Benoit et al. (2024) without big applications, at an I/O
 * pressure of 0.8; its horizon shrinks as the machine grows, so that there are always about as
 * many phases. Medians of several runs of one process, in one go: compare columns, not days. */
#include "bench.h"
#include "format/format.h"
#include "gen/gen.h"
#include "metric/metric.h"
#include "sim/sim.h"
#include <math.h>

enum { SIZES = 4, RUNS = 5 };
static const int sizes[SIZES] = {60, 600, 6000, 60000};

/* One size: the workload, and the same as an `instance` file. */
struct subject {
    struct scenario *scenario;
    struct workload *workload;
    char path[64];
    double bytes;
};

/* --- the subject -------------------------------------------------------------------------------
 */

/* Writes the workload whole, before it is cut at the end of its window. */
static void write_instance(struct subject *subject, const struct workload *whole)
{
    FILE *file = fopen(subject->path, "w");
    if (!file)
        exit(1);
    for (uint32_t i = 0; i < whole->count; i++) {
        const struct app *app = &whole->apps[i];
        fprintf(file, "A%u %.9g 0 0 0 %u 0 W", i, app->facts.bmax, 2 * app->facts.iterations);
        for (uint32_t k = 0; k < app->facts.iterations; k++) {
            struct iteration it = app_iteration(app, k);
            fprintf(file, " %.9g %.9g", it.work, it.volume);
        }
        fputc('\n', file);
    }
    subject->bytes = (double)ftell(file);
    fclose(file);
}

static struct subject make_subject(int size, struct err *err)
{
    struct subject subject = {0};
    struct synthetic params = synthetic_defaults;
    params.applications = size;
    params.small = size - size / 3;
    params.pressure = 0.8;
    params.horizon = fmax(2e4, 1.2e8 / size);
    subject.scenario = gen_synthetic(&params, 1, err);
    if (!subject.scenario)
        bench_die(err->text);
    subject.scenario->window = (struct window){.kind = WINDOW_NONE};
    struct workload *whole = workload_realise(subject.scenario, err);
    subject.scenario->window = (struct window){.kind = WINDOW_AUTO};
    subject.workload = workload_realise(subject.scenario, err);
    if (!whole || !subject.workload)
        bench_die(err->text);
    snprintf(subject.path, sizeof(subject.path), "/tmp/weir-bench-%d-%d", (int)getpid(), size);
    write_instance(&subject, whole);
    workload_free(whole);
    return subject;
}

/* --- measuring ---------------------------------------------------------------------------------
 */

/* Events per second of the simulation alone. */
static double run_simulation(const struct subject *subject, const struct policy *policy)
{
    struct err err;
    double start = bench_seconds();
    struct outcome *outcome = sim_run(subject->workload, policy, NULL, &err);
    double spent = bench_seconds() - start;
    if (!outcome)
        bench_die(err.text);
    double rate = (double)outcome->events / spent;
    outcome_free(outcome);
    return rate;
}

/* Events per second of a whole run: read the file, simulate, measure. */
static double run_whole(const struct subject *subject, const struct policy *policy, double *reading)
{
    struct err err;
    struct weir_metrics metrics;
    struct format_defaults defaults = {.bandwidth = 1};
    double start = bench_seconds();
    struct scenario *scenario =
        format_load(subject->path, format_find("instance", &err), &defaults, &err);
    if (!scenario)
        bench_die(err.text);
    *reading = subject->bytes / (bench_seconds() - start);
    scenario->window = (struct window){.kind = WINDOW_AUTO};
    struct workload *workload = workload_realise(scenario, &err);
    if (!workload)
        bench_die(err.text);
    struct outcome *outcome = sim_run(workload, policy, NULL, &err);
    if (!outcome)
        bench_die(err.text);
    metrics_compute(workload, outcome, &metrics);
    double rate = metrics.events / (bench_seconds() - start);
    outcome_free(outcome);
    workload_free(workload);
    scenario_free(scenario);
    return rate;
}

/* Slope of log(seconds per event) over log(applications), by least squares. */
static double growth(const double *rates)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < SIZES; i++) {
        double x = log(sizes[i]), y = -log(rates[i]);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (SIZES * sxy - sx * sy) / (SIZES * sxx - sx * sx);
}

static void print_rates(const double *rates)
{
    for (int i = 0; i < SIZES; i++)
        printf(" %9.0f", rates[i] / 1e3);
}

static void bench(const char *name, const struct subject *subjects, double *reading)
{
    struct err err;
    struct policy *policy = policy_open(name, &err);
    if (!policy)
        bench_die(err.text);
    double alone[SIZES], whole[SIZES];
    for (int size = 0; size < SIZES; size++) {
        double one[RUNS], all[RUNS], read[RUNS];
        run_simulation(&subjects[size], policy); /* warms up */
        for (int run = 0; run < RUNS; run++) {
            one[run] = run_simulation(&subjects[size], policy);
            all[run] = run_whole(&subjects[size], policy, &read[run]);
        }
        alone[size] = bench_median(one, RUNS);
        whole[size] = bench_median(all, RUNS);
        reading[size] = bench_median(read, RUNS);
    }
    printf("%-24s", name);
    print_rates(alone);
    printf("  %5.2f |", growth(alone));
    print_rates(whole);
    printf("\n");
    fflush(stdout);
    policy_free(policy);
}

int main(int argc, char **argv)
{
    struct err err;
    struct subject subjects[SIZES];
    double reading[SIZES] = {0};
    for (int size = 0; size < SIZES; size++)
        subjects[size] = make_subject(sizes[size], &err);
    printf("thousand events per second, I/O pressure 0.8\n%-24s", "");
    printf(" simulation only, growth exponent                | whole run\n%-24s", "applications");
    for (int half = 0; half < 2; half++) {
        for (int size = 0; size < SIZES; size++)
            printf(" %9d", sizes[size]);
        printf(half ? "\n" : "         |");
    }
    if (argc > 1)
        for (int i = 1; i < argc; i++)
            bench(argv[i], subjects, reading);
    else
        for (int i = 0; policy_registry[i]; i++)
            if (!(policy_registry[i]->flags & WEIR_NEEDS_PLAN))
                bench(policy_registry[i]->name, subjects, reading);
    printf("reading `instance` files: ");
    for (int size = 0; size < SIZES; size++) {
        printf("%.0f%s", reading[size] / 1e6, size + 1 < SIZES ? ", " : " MB/s\n");
        unlink(subjects[size].path);
        workload_free(subjects[size].workload);
        scenario_free(subjects[size].scenario);
    }
    return 0;
}
