/* The exclusive strategies on 64 batches of the Tucan applications (Vidal, thesis 2022, Table
 * III.1), against an independent implementation: largest stretch, and makespan relative to fifo.
 *
 * All five applications have the same part of I/O, so the order `bandwidth` is pure tie-breaking
 * and equals lowest-id. */
#include "common.h"
#include "gen/gen.h"
#include <stdio.h>

static const struct {
    const char *policy;
    double max_stretch, makespan;
} expected[] = {
    {"list:order=longest-io", 1.833, 1.262}, {"list:order=shortest-remaining", 1.833, 1.262},
    {"list:order=fifo", 1.452, 1},           {"list:order=lowest-id", 1.345, .926},
    {"list:order=bandwidth", 1.345, .926},   {"list:order=stretch", 1.321, .910},
    {"list:order=shortest-io", 1.321, .910}, {"list:order=most-remaining", 1.321, .910},
};

static void list_orders_on_64_batches_give_the_known_stretch_and_makespan(void **state)
{
    (void)state;
    struct err err = {""};
    struct scenario *scenario = gen_tucan(64, &err);
    if (!scenario)
        fail_msg("%s", err.text);
    struct workload *workload = realise(scenario, WINDOW_NONE);
    double fifo = simulate(workload, "list:order=fifo").makespan;
    printf("%-30s max stretch: expected, ours; makespan / fifo: expected, ours\n", "");
    for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
        struct metrics ours = simulate(workload, expected[i].policy);
        printf("%-30s %.3f %.4f  %.3f %.4f\n", expected[i].policy, expected[i].max_stretch,
               ours.max_stretch, expected[i].makespan, ours.makespan / fifo);
        assert_near(ours.max_stretch, expected[i].max_stretch, 2e-3);
        assert_near(ours.makespan / fifo, expected[i].makespan, 2e-3);
    }
    workload_free(workload);
    scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(list_orders_on_64_batches_give_the_known_stretch_and_makespan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
