/* How long planning takes. `make bench` runs it; results/performance.md says what it prints.
 *
 * First the ten Jupiter sets: the published search on one core beside the times that the authors'
 * program was measured with elsewhere, on a machine of the same kind, and our own search. Then a
 * thousand applications whose periods spread over three decades. */
#include "bench.h"
#include "gen/gen.h"
#include "plan/bound.h"
#include "plan/persched.h"
#include <math.h>

enum { SETS = 10, RUNS = 5, MANY = 1000 };

/* Milliseconds of the authors' program, and the start period it uses. */
static const struct {
    double milliseconds, start;
} published[SETS] = {{18, 900},   {364, 16000}, {422, 16000}, {214, 16000}, {1813, 495000},
                     {73, 16000}, {11, 4544},   {20, 495000}, {6, 16000},   {5, 16000}};

/* Seconds that a plan takes, the median of `runs`; and its distance from the bound. */
static double measure(const struct tasks *tasks, const struct persched *options, int runs,
                      double *gap)
{
    struct err err;
    struct plan_bounds bounds;
    double times[RUNS];
    for (int run = 0; run < runs; run++) {
        double start = bench_seconds();
        struct plan *plan = persched_plan(tasks, options, &err);
        times[run] = bench_seconds() - start;
        if (!plan || bounds_compute(tasks, &bounds))
            bench_die(err.text);
        *gap = 1 - plan_sys_efficiency(plan, tasks) / bounds.sys_efficiency_bandwidth;
        plan_free(plan);
    }
    return bench_median(times, (size_t)runs);
}

static void bench_jupiter(void)
{
    double theirs = 0, ours = 0;
    printf("set   published search: theirs, ours (ms)  gap %%   best search (s)  gap %%\n");
    for (int set = 0; set < SETS; set++) {
        struct err err;
        struct tasks tasks;
        struct scenario *scenario = gen_jupiter(set + 1, &err);
        struct workload *workload = scenario ? workload_realise(scenario, &err) : NULL;
        if (!workload || tasks_init(&tasks, workload, &err))
            bench_die(err.text);
        struct persched options = persched_defaults;
        double best_gap, paper_gap, best = measure(&tasks, &options, 1, &best_gap);
        options.search = PLAN_SEARCH_PAPER;
        options.min_period = published[set].start;
        double paper = measure(&tasks, &options, RUNS, &paper_gap);
        printf("%3d %24.0f %12.2f %7.3f %17.2f %6.3f\n", set + 1, published[set].milliseconds,
               1e3 * paper, 100 * paper_gap, best, 100 * best_gap);
        fflush(stdout);
        theirs += published[set].milliseconds;
        ours += 1e3 * paper;
        tasks_fini(&tasks);
        workload_free(workload);
        scenario_free(scenario);
    }
    printf("all %24.0f %12.2f, %.0f times faster\n", theirs, ours, theirs / ours);
}

/* A thousand applications of 100 to 100,000 s an iteration, up to 30 % of it I/O. */
static void bench_many(void)
{
    static struct task list[MANY];
    struct tasks tasks = {.list = list, .count = MANY, .bandwidth = 1e12, .nodes = 100 * MANY};
    uint32_t dice = 1;
    for (int i = 0; i < MANY; i++) {
        double parts[2];
        for (int k = 0; k < 2; k++) {
            dice = dice * 1664525u + 1013904223u;
            parts[k] = (dice >> 8) / 16777216.0;
        }
        double length = 100 * pow(1000, parts[0]), io = length * 0.3 * (0.01 + 0.99 * parts[1]);
        list[i] = (struct task){"app", 100, length - io, io * 6e9, 6e9, io, 0};
    }
    double gap, spent = measure(&tasks, &persched_defaults, 1, &gap);
    printf("%d applications over three decades: %.1f s, gap %.2f %%\n", MANY, spent, 100 * gap);
}

int main(void)
{
    bench_jupiter();
    bench_many();
    return 0;
}
