/* Make-Pack: examples worked out by hand, the algorithm written down plainly, and LPT against every
 * way of dealing. */
#include "base/mem.h"
#include "common.h"
#include "map/packs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct bench bench;

static void expect_members(const struct packs *packs, uint32_t pack, const char *names)
{
    assert_int_equal(packs->list[pack].count, strlen(names));
    for (uint32_t i = 0; names[i]; i++)
        assert_int_equal(packs->members[packs->list[pack].first + i], names[i] - 'a');
}

/* By decreasing time alone, on 10 nodes:
 *   a 6 nodes, 10 s, 6 bytes: a new pack, which may move 10 bytes.
 *   b 3 nodes,  9 s, 3 bytes: beside a: 9 nodes, 9 bytes.
 *   c 1 node,   8 s, 2 bytes: 11 bytes would exceed 10: a new pack.
 *   d 1 node,   7 s, 1 byte:  the pack of a uses more nodes and is tried first: 10 bytes.
 *   e 1 node,   6 s, 0 bytes: that one has no node left: beside c. */
static void jobs_go_to_the_fullest_pack_with_nodes_and_bandwidth(void **state)
{
    (void)state;
    struct packs packs;
    bench_init(&bench);
    bench_add(&bench, 6, 10, 6);
    bench_add(&bench, 3, 9, 3);
    bench_add(&bench, 1, 8, 2);
    bench_add(&bench, 1, 7, 1);
    bench_add(&bench, 1, 6, 0);
    map_jobs_order(&bench.jobs, MAP_ORDER_MAX, NULL);
    assert_int_equal(packs_make(&packs, &bench.jobs, 1), 0);
    assert_int_equal(packs.count, 2);
    expect_members(&packs, 0, "abd");
    expect_members(&packs, 1, "ce");
    packs_fini(&packs);
    /* First-Fit looks at nodes only. */
    assert_int_equal(packs_make(&packs, &bench.jobs, INFINITY), 0);
    assert_int_equal(packs.count, 2);
    expect_members(&packs, 0, "abc");
    expect_members(&packs, 1, "de");
    packs_fini(&packs);
}

/* In the order of the file a later job may be longer than the pack, which then may move more: b
 * comes to a, as 2 + 7 bytes are at most the 9 of b's length. */
static void a_longer_job_brings_its_own_allowance(void **state)
{
    (void)state;
    struct packs packs;
    bench_init(&bench);
    bench_add(&bench, 5, 3, 2);
    bench_add(&bench, 5, 9, 7);
    map_jobs_order(&bench.jobs, MAP_ORDER_ARRIVAL, NULL);
    assert_int_equal(packs_make(&packs, &bench.jobs, 1), 0);
    assert_int_equal(packs.count, 1);
    assert_true(packs.list[0].length == 9 && packs.list[0].volume == 9);
    packs_fini(&packs);
}

/* Its occupation is 0.8, alone or not. */
static void a_job_above_the_sensitivity_has_a_pack_of_its_own(void **state)
{
    (void)state;
    struct packs packs;
    bench_init(&bench);
    bench_add(&bench, 1, 10, 8);
    bench_add(&bench, 1, 10, 1);
    assert_int_equal(packs_make(&packs, &bench.jobs, 0.5), 0);
    assert_int_equal(packs.count, 2);
    packs_fini(&packs);
}

/* --- Algorithm 2, plainly -------------------------------------------------------------------- */

struct plain {
    struct pack packs[MOST_JOBS];
    uint32_t count;
    uint32_t pack_of[MOST_JOBS];
};

static bool fits(const struct pack *pack, const struct map_job *job, double sensitivity)
{
    double length = fmax(pack->length, job->ideal);
    return pack->nodes + job->nodes <= bench.jobs.nodes &&
           (sensitivity == INFINITY ||
            pack->volume + job->volume <= sensitivity * bench.jobs.bandwidth * length + 1e-6);
}

static void make_plainly(struct plain *plain, double sensitivity)
{
    uint32_t *sorted = map_jobs_sorted(&bench.jobs);
    plain->count = 0;
    for (uint32_t i = 0; i < bench.jobs.count; i++) {
        const struct map_job *job = &bench.list[sorted[i]];
        uint32_t best = plain->count;
        for (uint32_t k = 0; k < plain->count; k++)
            if (fits(&plain->packs[k], job, sensitivity) &&
                (best == plain->count || plain->packs[k].nodes > plain->packs[best].nodes))
                best = k;
        if (best == plain->count)
            plain->packs[plain->count++] = (struct pack){0};
        struct pack *pack = &plain->packs[best];
        pack->nodes += job->nodes;
        pack->volume += job->volume;
        pack->length = fmax(pack->length, job->ideal);
        plain->pack_of[sorted[i]] = best;
    }
    free(sorted);
}

static void compare(uint32_t count, uint64_t seed)
{
    static struct plain plain;
    static const double sensitivities[] = {0.3, 1, 2.5, INFINITY};
    for (int order = 0; order < MAP_ORDERS_COUNT; order++)
        for (int s = 0; s < 4; s++) {
            struct packs packs;
            bench_draw(&bench, count, seed, (enum map_order)order);
            make_plainly(&plain, sensitivities[s]);
            assert_int_equal(packs_make(&packs, &bench.jobs, sensitivities[s]), 0);
            assert_int_equal(packs.count, plain.count);
            for (uint32_t i = 0; i < packs.count; i++)
                for (uint32_t k = 0; k < packs.list[i].count; k++)
                    assert_int_equal(plain.pack_of[packs.members[packs.list[i].first + k]], i);
            packs_fini(&packs);
        }
}

static void packs_are_those_of_the_algorithm_written_plainly(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++)
        compare(1 + (uint32_t)(seed % 30), seed);
}

static void thousands_of_packs_are_found_as_plainly(void **state)
{
    (void)state;
    compare(MOST_JOBS, 1);
    compare(MOST_JOBS, 2);
}

/* --- dealing --------------------------------------------------------------------------------- */

/* The smallest largest sum over all ways of dealing the lengths to `nodes`. */
static double deal_best(const struct packs *packs, uint32_t at, double *sums, uint32_t nodes)
{
    double best = INFINITY;
    if (at == packs->count) {
        double most = 0;
        for (uint32_t i = 0; i < nodes; i++)
            most = fmax(most, sums[i]);
        return most;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        sums[i] += packs->list[at].length;
        best = fmin(best, deal_best(packs, at + 1, sums, nodes));
        sums[i] -= packs->list[at].length;
    }
    return best;
}

/* Graham (1969): LPT is at most 4/3 - 1/(3 R) times the optimum. */
static void packs_are_dealt_within_the_bound_of_lpt(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        const uint32_t nodes = 2 + (uint32_t)(seed % 2);
        struct packs packs;
        double sums[3] = {0}, most = 0;
        bench_draw(&bench, 10, seed, MAP_ORDER_MAX);
        assert_int_equal(packs_make(&packs, &bench.jobs, 1), 0);
        assert_int_equal(packs_deal(&packs, nodes), 0);
        for (uint32_t i = 0; i < packs.count; i++) {
            const struct pack *pack = &packs.list[i], *before = i > 0 ? pack - 1 : NULL;
            sums[pack->io_node] += pack->length;
            most = fmax(most, sums[pack->io_node]);
            if (before && before->io_node == pack->io_node)
                assert_true(before->nodes >= pack->nodes);
        }
        double best = deal_best(&packs, 0, (double[3]){0}, nodes);
        assert_true(most <= best * (4.0 / 3 - 1.0 / (3 * nodes)) + 1e-9);
        packs_fini(&packs);
    }
}

/* Lengths 5, 4, 3, 3, 3 for two: 5 and 4; then 3 makes 7 with the second, 3 makes 8 with the first,
 * and 3 makes 10 with the second. */
static void the_longest_pack_goes_to_whoever_has_the_least(void **state)
{
    (void)state;
    static const double lengths[] = {5, 4, 3, 3, 3};
    struct packs packs;
    double sums[2] = {0};
    bench_init(&bench);
    for (int i = 0; i < 5; i++)
        bench_add(&bench, 10, lengths[i], 0);
    assert_int_equal(packs_make(&packs, &bench.jobs, 1), 0);
    assert_int_equal(packs_deal(&packs, 2), 0);
    for (uint32_t i = 0; i < packs.count; i++)
        sums[packs.list[i].io_node] += packs.list[i].length;
    assert_true(sums[0] == 8 && sums[1] == 10);
    packs_fini(&packs);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    int status = -1;
    bench_draw(&bench, 40, 1, MAP_ORDER_MAX);
    for (long n = 0; status != 0; n++) {
        struct packs packs;
        mem_fail_after(n);
        status = packs_make(&packs, &bench.jobs, 1) == 0 ? packs_deal(&packs, 2) : -1;
        mem_fail_after(-1);
        packs_fini(&packs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_go_to_the_fullest_pack_with_nodes_and_bandwidth),
        cmocka_unit_test(a_longer_job_brings_its_own_allowance),
        cmocka_unit_test(a_job_above_the_sensitivity_has_a_pack_of_its_own),
        cmocka_unit_test(packs_are_those_of_the_algorithm_written_plainly),
        cmocka_unit_test(thousands_of_packs_are_found_as_plainly),
        cmocka_unit_test(packs_are_dealt_within_the_bound_of_lpt),
        cmocka_unit_test(the_longest_pack_goes_to_whoever_has_the_least),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
