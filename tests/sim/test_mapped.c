/* Jobs that start when others end, with the I/O inside: by hand, against runs without mapping, and
 * by rules that hold for random jobs. */
#include "base/mem.h"
#include "base/random.h"
#include "metric/map_metric.h"
#include "sim/mapped.h"
#include "sim/sim.h"
#include "support/small.h"
#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

static struct mapping *try_map(const struct map_rules *rules, const struct policy *policy,
                               struct err *err)
{
    struct map_jobs jobs;
    struct mapping *mapping = NULL;
    if (map_jobs_init(&jobs, &small.workload, false, err) == 0) {
        map_jobs_order(&jobs, MAP_ORDER_MAX, NULL);
        mapping = sim_map(&jobs, rules, policy, &(struct mapped_options){.check = true}, err);
    }
    map_jobs_fini(&jobs);
    return mapping;
}

static struct mapping *map(const struct map_rules *rules, const char *name)
{
    struct err err = {0};
    struct policy *policy = policy_open(name, &err);
    struct mapping *mapping = policy ? try_map(rules, policy, &err) : NULL;
    if (!mapping)
        fail_msg("%s", err.text);
    policy_free(policy);
    return mapping;
}

static const struct map_rules packs = {.method = MAP_METHOD_PACKS, .sensitivity = 1, .io_nodes = 1};

static void expect_job(const struct mapping *mapping, uint32_t job, double start, double end)
{
    expect_near(mapping->jobs[job].start, start, 1e-9);
    expect_near(mapping->jobs[job].end, end, 1e-9);
}

/* Two nodes, 1 byte/s. a and b, one node each, work 2 s and then move 2 bytes, 4 of the 4 that a
 * pack of 4 s may move. Both post at 2; a is served until 4, b until 6. Then c has both nodes for
 * 3 s. */
static void set_up(void)
{
    small_init(&small, 1);
    small_add(&small, 1, "w2 v2");
    small_add(&small, 1, "w2 v2");
    small_add(&small, 1, "w3")->facts.nodes = 2;
    small.workload.platform.nodes = 2;
}

static void a_pack_starts_when_the_last_job_of_the_one_before_ends(void **state)
{
    (void)state;
    set_up();
    struct mapping *mapping = map(&packs, "list:order=fifo");
    expect_job(mapping, 0, 0, 4);
    expect_job(mapping, 1, 0, 6);
    expect_job(mapping, 2, 6, 9);
    assert_int_equal(mapping->packs, 2);
    assert_int_equal(mapping->jobs[2].pack, 1);
    mapping_free(mapping);
}

/* The nodes work 2 + 2 + 2 * 3 = 10 s, move bytes for 4, and wait for 2, in b; of the 2 * 9 s there
 * are, 2 are left: those of a's node from 4 to 6. Per node that is half of it. The stretches are 1,
 * 1.5 and 1, and only c has waited, for 6 s. */
static void measures_of_a_mapping_are_those_of_its_schedule(void **state)
{
    (void)state;
    struct map_metrics metrics;
    set_up();
    struct mapping *mapping = map(&packs, "list:order=fifo");
    assert_int_equal(map_metrics_compute(&small.workload, mapping, &metrics), 0);
    expect_near(metrics.makespan, 9, 1e-9);
    expect_near(metrics.packs, 2, 0);
    expect_near(metrics.max_stretch, 1.5, 1e-9);
    expect_near(metrics.mean_stretch, 3.5 / 3, 1e-9);
    expect_near(metrics.pack_stretch, 1.25, 1e-9);
    expect_near(metrics.useful, 7, 1e-9);
    expect_near(metrics.delayed, 1, 1e-9);
    expect_near(metrics.idle, 1, 1e-9);
    expect_near(metrics.efficiency, 7.0 / 9, 1e-9);
    expect_near(metrics.utilization, 5.0 / 9, 1e-9);
    expect_near(metrics.mean_wait, 2, 1e-9);
    expect_near(metrics.max_wait, 6, 1e-9);
    /* From 2 to 4 one node transfers and the other waits; from 4 to 6 one transfers. */
    double shares[USAGE_KINDS];
    map_usage(&small.workload, mapping, (const double[]){2, 4}, shares);
    expect_near(shares[USAGE_WORK], 0, 1e-9);
    expect_near(shares[USAGE_IO], 0.5, 1e-9);
    expect_near(shares[USAGE_DELAYED], 0.5, 1e-9);
    map_usage(&small.workload, mapping, (const double[]){4, 6}, shares);
    expect_near(shares[USAGE_IO], 0.5, 1e-9);
    expect_near(shares[USAGE_DELAYED], 0, 1e-9);
    mapping_free(mapping);
}

/* With half of the bandwidth each, a and b end at 6, and have lost a second per node. */
static void shared_bandwidth_counts_as_io_and_delay_in_proportion(void **state)
{
    (void)state;
    double shares[USAGE_KINDS];
    set_up();
    struct mapping *mapping = map(&packs, "fair-share");
    expect_job(mapping, 0, 0, 6);
    expect_job(mapping, 1, 0, 6);
    map_usage(&small.workload, mapping, (const double[]){2, 6}, shares);
    expect_near(shares[USAGE_IO], 0.5, 1e-9);
    expect_near(shares[USAGE_DELAYED], 0.5, 1e-9);
    mapping_free(mapping);
}

/* c needs both nodes and starts when b ends, two seconds later than could be foreseen; d, which
 * arrives behind it, is not let past it. */
static void a_list_waits_for_what_really_ends(void **state)
{
    (void)state;
    const struct map_rules list = {
        .method = MAP_METHOD_LIST, .sensitivity = 1, .backfill = true, .io_nodes = 1};
    set_up();
    small_add(&small, 1, "w1");
    small.workload.platform.nodes = 2;
    struct mapping *mapping = map(&list, "list:order=fifo");
    expect_job(mapping, 1, 0, 6);
    expect_job(mapping, 2, 6, 9);
    expect_job(mapping, 3, 9, 10);
    assert_int_equal(mapping->packs, 0);
    mapping_free(mapping);
}

/* --- against runs without mapping ------------------------------------------------------------ */

static void draw(uint64_t seed, uint32_t count)
{
    struct random random = random_at(seed, 0, 0);
    small_init(&small, 10);
    for (uint32_t i = 0; i < count; i++) {
        struct iteration list[6];
        uint32_t length = 1 + random_below(&random, 6);
        for (uint32_t k = 0; k < length; k++)
            list[k] = (struct iteration){random_below(&random, 8), random_below(&random, 30)};
        list[0].work += 1;
        small_add_list(&small, 1 + random_below(&random, 10), list, length)->facts.nodes =
            1 + random_below(&random, 4);
    }
}

static void one_pack_with_everybody_is_a_run_without_mapping(void **state)
{
    (void)state;
    const struct map_rules all = {.method = MAP_METHOD_FIRST_FIT, .io_nodes = 1};
    for (size_t i = 0; policy_all[i]; i++) {
        struct err err = {0};
        struct policy *policy = policy_open(policy_all[i], &err);
        assert_non_null(policy);
        for (uint64_t seed = 0; seed < 20 && !(policy->ops->flags & WEIR_NEEDS_PLAN); seed++) {
            draw(seed, 12);
            small.workload.platform.nodes = 100;
            struct outcome *outcome = small_run_policy(&small, policy, NULL);
            struct mapping *mapping = map(&all, policy_all[i]);
            for (uint32_t k = 0; k < mapping->count; k++)
                assert_true(mapping->jobs[k].end == outcome->apps[k].completion);
            outcome_free(outcome);
            mapping_free(mapping);
        }
        policy_free(policy);
    }
}

/* --- any jobs -------------------------------------------------------------------------------- */

static void check(const struct mapping *mapping)
{
    struct map_metrics metrics;
    double sums[USAGE_KINDS] = {0}, nodes = small.workload.platform.nodes * mapping->io_nodes;
    assert_int_equal(map_metrics_compute(&small.workload, mapping, &metrics), 0);
    for (int kind = 0; kind < USAGE_KINDS; kind++)
        for (int part = 0; part < USAGE_PARTS; part++)
            sums[kind] += mapping->usage.parts[part][kind] / nodes;
    expect_near(sums[USAGE_WORK] + sums[USAGE_IO], metrics.useful, 1e-6);
    expect_near(sums[USAGE_WORK], metrics.utilization * metrics.makespan, 1e-6);
    expect_near(sums[USAGE_DELAYED], metrics.delayed, 1e-6);
    expect_near(metrics.useful + metrics.delayed + metrics.idle, metrics.makespan, 1e-6);
    for (uint32_t i = 0; i < mapping->count; i++) {
        double used = 0;
        for (uint32_t k = 0; k < mapping->count; k++)
            if (mapping->jobs[k].io_node == mapping->jobs[i].io_node &&
                mapping->jobs[k].start <= mapping->jobs[i].start &&
                mapping->jobs[k].end > mapping->jobs[i].start)
                used += small.apps[k].facts.nodes;
        assert_true(used <= small.workload.platform.nodes);
    }
}

static void node_time_adds_up_for_random_jobs_and_all_methods(void **state)
{
    (void)state;
    static const char *const policies[] = {"list:order=fifo", "fair-share", "greedy-yield"};
    for (uint64_t seed = 0; seed < 90; seed++)
        for (int method = 0; method < MAP_METHODS_COUNT; method++) {
            const struct map_rules rules = {.method = (enum map_method)method,
                                            .sensitivity = 1,
                                            .backfill = seed % 2,
                                            .io_nodes = 1 + (uint32_t)(seed % 3)};
            draw(seed, 30);
            small.workload.platform.nodes = 6;
            for (uint32_t i = 0; seed % 4 == 0 && i < small.workload.count; i++)
                small.apps[i].facts.release = i % 9;
            struct mapping *mapping = map(&rules, policies[seed % 3]);
            check(mapping);
            mapping_free(mapping);
        }
}

/* --- refusals -------------------------------------------------------------------------------- */

static void expect_refusal(const char *policy_name, const char *text)
{
    struct err err = {0};
    struct policy *policy = policy_open(policy_name, &err);
    assert_non_null(policy);
    assert_null(try_map(&packs, policy, &err));
    if (!strstr(err.text, text))
        fail_msg("%s", err.text);
    policy_free(policy);
}

static void jobs_that_cannot_be_mapped_are_named(void **state)
{
    (void)state;
    set_up();
    small.apps[1].name = "wide";
    small.apps[1].facts.nodes = 3;
    expect_refusal("fcfs", "job 'wide' fits nowhere: it needs 3 nodes");
    set_up();
    small.apps[2].name = "old";
    small.apps[2].facts.release = -1;
    expect_refusal("fcfs", "job 'old' already runs");
    set_up();
    small.workload.nodes_known = false;
    expect_refusal("fcfs", "numbers of nodes are unknown");
    set_up();
    expect_refusal("plan", "follows a plan");
}

static void grant_nothing(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    (void)state;
    (void)view;
    (void)grants;
}

static void a_strategy_that_grants_nothing_is_an_error(void **state)
{
    (void)state;
    static const struct weir_policy_ops ops = {
        .abi = WEIR_POLICY_ABI, .name = "miser", .decide = grant_nothing};
    struct err err = {0};
    struct policy *policy = policy_wrap(&ops, NULL, &err);
    assert_non_null(policy);
    set_up();
    assert_null(try_map(&packs, policy, &err));
    assert_non_null(strstr(err.text, "never granted bandwidth"));
    policy_free(policy);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    struct err err = {0};
    struct policy *policy = policy_open("list:order=fifo", &err);
    struct mapping *mapping = NULL;
    set_up();
    for (long n = 0; !mapping; n++) {
        mem_fail_after(n);
        mapping = try_map(&packs, policy, &err);
        mem_fail_after(-1);
        assert_true(mapping || strcmp(err.text, "out of memory") == 0);
    }
    mapping_free(mapping);
    policy_free(policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pack_starts_when_the_last_job_of_the_one_before_ends),
        cmocka_unit_test(measures_of_a_mapping_are_those_of_its_schedule),
        cmocka_unit_test(shared_bandwidth_counts_as_io_and_delay_in_proportion),
        cmocka_unit_test(a_list_waits_for_what_really_ends),
        cmocka_unit_test(one_pack_with_everybody_is_a_run_without_mapping),
        cmocka_unit_test(node_time_adds_up_for_random_jobs_and_all_methods),
        cmocka_unit_test(jobs_that_cannot_be_mapped_are_named),
        cmocka_unit_test(a_strategy_that_grants_nothing_is_an_error),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
