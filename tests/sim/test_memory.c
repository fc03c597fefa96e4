/* The goal for memory: 256 bytes per application and 16 per phase, of everything that a run needs.
 * See results/performance.md. */
#include "base/mem.h"
#include "format/format.h"
#include "gen/gen.h"
#include "metric/metric.h"
#include "sim/sim.h"
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { FEW = 6000, MANY = 60000 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PADDED true /* by the sanitizer: what is resident says nothing */
#else
#define PADDED false
#endif

/* Each of as many iterations, no two alike; 0 = replicas of one iteration. */
static struct scenario *listed(uint32_t count, uint32_t iterations)
{
    size_t room = (32 + 32 * (size_t)iterations) * count, length = 0;
    char *text = mem_alloc(room, 1);
    struct err err;
    for (uint32_t id = 0; id < count; id++) {
        length += (size_t)snprintf(text + length, room - length, "A%u 1e7 0 0 0 %u 0 W", id,
                                   2 * iterations);
        for (uint32_t k = 0; k < iterations; k++)
            length += (size_t)snprintf(text + length, room - length, " %.9g %.9g", 90 + 0.001 * id,
                                       1e8 - 0.1 * id);
        text[length++] = '\n';
    }
    struct format_defaults defaults = {.bandwidth = 1e11};
    struct scenario *scenario =
        format_find("instance", &err)->parse(text, length, "listed", &defaults, &err);
    free(text);
    return scenario;
}

static struct scenario *replicated(uint32_t count)
{
    struct scenario *scenario = scenario_new("replicated", 1);
    scenario->platform = (struct platform){.node_bandwidth = 1e7, .bandwidth = 1e11};
    struct app_spec *app = scenario->apps;
    app->name = "app";
    app->count = count;
    app->nodes = 1;
    app->work.mean = 100;
    app->io.mean = 1e8;
    return scenario;
}

/* Simulates, and ends the process with its largest resident set in KiB on the pipe. */
static void run(struct scenario *scenario, const char *name, int out)
{
    struct err err;
    struct weir_metrics metrics;
    struct policy *policy = policy_open(name, &err);
    struct workload *workload = workload_realise(scenario, &err);
    scenario_forget_apps(scenario);
    struct rusage usage;
    struct outcome *outcome = workload ? sim_run(workload, policy, NULL, &err) : NULL;
    if (!outcome)
        _exit(1);
    metrics_compute(workload, outcome, &metrics);
    getrusage(RUSAGE_SELF, &usage);
    _exit(write(out, &usage.ru_maxrss, sizeof usage.ru_maxrss) == sizeof usage.ru_maxrss ? 0 : 1);
}

/* The kernel counts pages by processor, and is not exact about those of several. */
static void stay_on_one_processor(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(sched_getcpu(), &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* KiB of a process of its own. */
static double measure(uint32_t count, uint32_t iterations, const char *policy)
{
    int ends[2], status;
    long kib = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
        stay_on_one_processor();
        mem_return_large();
        run(iterations ? listed(count, iterations) : replicated(count), policy, ends[1]);
    }
    assert_int_equal(read(ends[0], &kib, sizeof kib), sizeof kib);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close(ends[0]);
    close(ends[1]);
    return (double)kib;
}

static void expect_small(uint32_t iterations)
{
    static const char *const policies[] = {"fcfs", "fair-share", "greedy-com", "set-10"};
    double goal = 256 + 16 * 2 * (iterations ? iterations : 1);
    if (PADDED)
        skip();
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        double grown =
            measure(MANY, iterations, policies[i]) - measure(FEW, iterations, policies[i]);
        double bytes = 1024 * grown / (MANY - FEW);
        if (!(bytes < goal))
            fail_msg("%s: %.0f bytes per application, expected less than %.0f", policies[i], bytes,
                     goal);
    }
}

static void replicas_stay_within_the_goal(void **state)
{
    (void)state;
    expect_small(0);
}

static void applications_of_two_iterations_stay_within_the_goal(void **state)
{
    (void)state;
    expect_small(2);
}

static void applications_of_many_iterations_stay_within_the_goal(void **state)
{
    (void)state;
    expect_small(5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replicas_stay_within_the_goal),
        cmocka_unit_test(applications_of_two_iterations_stay_within_the_goal),
        cmocka_unit_test(applications_of_many_iterations_stay_within_the_goal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
