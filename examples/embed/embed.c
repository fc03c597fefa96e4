/* The simulator inside a program: two strategies of the library and one of our own, compared.
 *
 *     cc embed.c $(pkg-config --cflags --libs weir) -o embed && ./embed */
#include <stdio.h>
#include <weir/simulate.h>

static const char text[] =
    "platform: {nodes: 512, node_bandwidth: 10 MB/s, bandwidth: 2 GB/s}\n"
    "applications:\n"
    "  - {name: climate, nodes: 256, work: 5 min, io: 120 GB, iterations: 6}\n"
    "  - {name: combustion, count: 2, nodes: 96, work: 2 min, io: 48 GB, iterations: 12}\n"
    "  - {name: analysis, nodes: 64, work: 20 s, io: 6.4 GB, iterations: 60, release: 1 min}\n";

/* Ours: the bandwidth goes to the I/O that is nearest to its end, one at a time. Equal ones are
 * served by id, because view->active is in no particular order. */
static void decide(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    (void)state;
    uint32_t best = view->active[0];
    for (uint32_t i = 1; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        double left = weir_remaining(view, &view->runs[id]);
        double least = weir_remaining(view, &view->runs[best]);
        if (weir_before(left, id, least, best))
            best = id;
    }
    weir_grant(grants, best, view->runs[best].app->bmax);
}
static const struct weir_policy_ops ours = {
    .abi = WEIR_POLICY_ABI, .name = "nearest-end", .decide = decide};

/* Prints a line, and frees the result; 0, or -1 if there is none. */
static int print(const char *name, struct weir_result *result)
{
    if (result) {
        const struct weir_metrics *metrics = weir_result_metrics(result);
        printf("%-12s %8.1f s %12.4f\n", name, metrics->makespan, metrics->max_stretch);
    }
    weir_result_free(result);
    return result ? 0 : -1;
}

int main(void)
{
    struct weir_error error;
    struct weir_scenario *scenario = weir_scenario_parse(text, NULL, &error);
    int failed = !scenario;
    if (scenario) {
        printf("%-12s %10s %12s\n", "strategy", "makespan", "max stretch");
        failed = print("fair-share", weir_scenario_run(scenario, "fair-share", &error)) ||
                 print("fcfs", weir_scenario_run(scenario, "fcfs", &error)) ||
                 print(ours.name, weir_scenario_run_ops(scenario, &ours, NULL, &error));
    }
    if (failed)
        fprintf(stderr, "embed: %s\n", error.text);
    weir_scenario_free(scenario);
    return failed;
}
