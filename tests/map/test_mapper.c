/* Who starts when, if every job takes as long as alone: schedules made by hand, and rules that hold
 * for random jobs. */
#include "base/mem.h"
#include "common.h"
#include "model/mapping.h"
#include <math.h>
#include <string.h>

static struct bench bench;

/* Expects the jobs to start at these times. */
static void expect(const struct map_rules *rules, const double *times)
{
    static struct bench_run run;
    bench_map(&bench, &run, rules);
    for (uint32_t i = 0; i < bench.jobs.count; i++)
        if (run.start[i] != times[i])
            fail_msg("job %c starts at %g, not at %g", 'a' + (int)i, run.start[i], times[i]);
}
#define EXPECT(rules, ...) expect(rules, (const double[]){__VA_ARGS__})

static struct map_rules list = {.method = MAP_METHOD_LIST, .sensitivity = 1, .io_nodes = 1};
static struct map_rules packs = {.method = MAP_METHOD_PACKS, .sensitivity = 1, .io_nodes = 1};

static struct map_rules with_backfill(struct map_rules rules)
{
    rules.backfill = true;
    return rules;
}

static struct map_rules with_io_nodes(struct map_rules rules, uint32_t count)
{
    rules.io_nodes = count;
    return rules;
}

/* --- lists ----------------------------------------------------------------------------------- */

/* a and b fill the nodes until 4, when a ends; c needs 8 nodes and waits for b, and d behind it
 * waits too, though it fits all the time. */
static void a_list_serves_whoever_comes_first(void **state)
{
    (void)state;
    bench_init(&bench);
    bench_add(&bench, 5, 4, 0);
    bench_add(&bench, 4, 10, 0);
    bench_add(&bench, 8, 2, 0);
    bench_add(&bench, 1, 3, 0);
    EXPECT(&list, 0, 0, 10, 10);
    /* c can start at 10, with 2 nodes to spare: d does not keep it from that. */
    struct map_rules rules = with_backfill(list);
    EXPECT(&rules, 0, 0, 10, 0);
}

/* c is to start at 10. d takes 3 s of the 5 nodes that are free from 4 on, and ends in time; e
 * would take 7 s, until 11, of 3 nodes, one more than is spare at 10; f takes as long, but of 2
 * nodes. */
static void backfilling_does_not_delay_the_first_in_the_order(void **state)
{
    (void)state;
    bench_init(&bench);
    bench_add(&bench, 6, 4, 0);
    bench_add(&bench, 4, 10, 0);
    bench_add(&bench, 8, 2, 0);
    bench_add(&bench, 4, 3, 0);
    bench_add(&bench, 3, 7, 0);
    bench_add(&bench, 2, 7, 0);
    struct map_rules rules = with_backfill(list);
    /* At 10 c has 8 nodes and f 2 until 11; then nothing is free before c ends at 12. */
    EXPECT(&rules, 0, 0, 10, 4, 12, 4);
}

/* a and b each move half a byte per second: c, of a quarter, waits for one of them; d moves
 * nothing but waits behind it. */
static void a_list_keeps_average_bandwidths_within_the_limit(void **state)
{
    (void)state;
    bench_init(&bench);
    bench_add(&bench, 1, 4, 2);
    bench_add(&bench, 1, 8, 4);
    bench_add(&bench, 1, 4, 1);
    bench_add(&bench, 1, 1, 0);
    EXPECT(&list, 0, 0, 4, 4);
    struct map_rules rules = with_backfill(list);
    EXPECT(&rules, 0, 0, 4, 0);
    rules = list;
    rules.sensitivity = 0.5;
    EXPECT(&rules, 0, 4, 12, 12);
}

/* a goes to the first of two equal I/O nodes, b to the other, where no bandwidth is used; c finds
 * 1/4 used there and 1/2 at the first. */
static void a_list_prefers_the_io_node_with_the_least_io(void **state)
{
    (void)state;
    static struct bench_run run;
    bench_init(&bench);
    bench_add(&bench, 1, 4, 2);
    bench_add(&bench, 1, 4, 1);
    bench_add(&bench, 1, 4, 1);
    struct map_rules rules = with_io_nodes(list, 2);
    bench_map(&bench, &run, &rules);
    assert_int_equal(run.io_node[0], 0);
    assert_int_equal(run.io_node[1], 1);
    assert_int_equal(run.io_node[2], 1);
    assert_int_equal(run.pack[0], MAPPING_NO_PACK);
}

/* b arrives at 1 and starts then; c, which is first in the file, only at 2. */
static void nobody_starts_before_arriving(void **state)
{
    (void)state;
    bench_init(&bench);
    bench_add(&bench, 2, 4, 0);
    bench_add(&bench, 8, 4, 0)->release = 1;
    bench_add(&bench, 8, 4, 0)->release = 2;
    map_jobs_order(&bench.jobs, MAP_ORDER_ARRIVAL, NULL);
    EXPECT(&list, 0, 1, 5);
}

/* --- packs ----------------------------------------------------------------------------------- */

/* The packs are a with b, and c with d (c uses more nodes than a has left). Both start together,
 * the second when a ends; it uses more nodes, 9 against 8, and so runs first. */
static void packs_run_one_after_the_other_the_fullest_first(void **state)
{
    (void)state;
    bench_init(&bench);
    bench_add(&bench, 6, 10, 0);
    bench_add(&bench, 2, 9, 0);
    bench_add(&bench, 7, 8, 0);
    bench_add(&bench, 2, 7, 7);
    bench.list[0].volume = 4; /* 4 + 7 bytes are too many for 10 s: d cannot go to a */
    map_jobs_order(&bench.jobs, MAP_ORDER_MAX, NULL);
    EXPECT(&packs, 8, 8, 0, 0);
    struct map_rules rules = with_io_nodes(packs, 2);
    EXPECT(&rules, 0, 0, 0, 0);
}

/* The pack of a and b lasts 10 s; from 4 on 5 nodes are free. Of the next pack, c and d, only d
 * takes at most 6 s. */
static void packs_are_filled_with_jobs_that_end_in_time(void **state)
{
    (void)state;
    bench_init(&bench);
    bench_add(&bench, 5, 10, 0);
    bench_add(&bench, 5, 4, 0);
    bench_add(&bench, 5, 7, 0);
    bench_add(&bench, 5, 6, 0);
    EXPECT(&packs, 0, 0, 10, 10);
    struct map_rules rules = with_backfill(packs);
    EXPECT(&rules, 0, 0, 10, 4);
    /* With 3 bytes more d would exceed the 10 that a pack of 10 s may move. */
    bench.list[0].volume = 8;
    bench.list[3].volume = 3;
    EXPECT(&rules, 0, 0, 10, 10);
}

/* The first pack waits for b, which comes at 5; the second, c, does not. */
static void a_pack_starts_when_all_its_jobs_have_arrived(void **state)
{
    (void)state;
    bench_init(&bench);
    bench_add(&bench, 5, 4, 0);
    bench_add(&bench, 5, 4, 0)->release = 5;
    bench_add(&bench, 9, 3, 0);
    EXPECT(&packs, 5, 5, 0);
}

/* --- any jobs -------------------------------------------------------------------------------- */

/* At the start of each job, what runs beside it fits. */
static void check_use(const struct bench_run *run, const struct map_rules *rules)
{
    for (uint32_t i = 0; i < bench.jobs.count; i++) {
        double nodes = 0, rate = 0;
        for (uint32_t k = 0; k < bench.jobs.count; k++)
            if (run->io_node[k] == run->io_node[i] && run->start[k] <= run->start[i] &&
                run->end[k] > run->start[i]) {
                nodes += bench.list[k].nodes;
                rate += map_job_rate(&bench.list[k]);
            }
        assert_true(nodes <= bench.jobs.nodes);
        assert_true(rules->method != MAP_METHOD_LIST || rate <= rules->sensitivity + 1e-6);
        assert_true(run->start[i] >= bench.list[i].release);
    }
}

/* Jobs of one pack start together unless they fill it, and packs of one I/O node do not overlap. */
static void check_packs(const struct bench_run *run, const struct map_rules *rules)
{
    for (uint32_t i = 0; i < bench.jobs.count; i++)
        for (uint32_t k = 0; k < bench.jobs.count; k++) {
            bool same = run->pack[i] == run->pack[k];
            assert_true(!same || run->io_node[i] == run->io_node[k]);
            assert_true(!same || rules->backfill || run->start[i] == run->start[k]);
            assert_true(same || run->io_node[i] != run->io_node[k] ||
                        run->end[i] <= run->start[k] || run->end[k] <= run->start[i]);
        }
}

static void rules_hold_for_random_jobs_and_all_methods(void **state)
{
    (void)state;
    static struct bench_run run;
    for (uint64_t seed = 0; seed < 300; seed++)
        for (int method = 0; method < MAP_METHODS_COUNT; method++)
            for (int backfill = 0; backfill < 2; backfill++) {
                struct map_rules rules = {.method = (enum map_method)method,
                                          .sensitivity = seed % 2 ? 1 : INFINITY,
                                          .backfill = backfill,
                                          .io_nodes = 1 + (uint32_t)(seed % 3)};
                bench_draw(&bench, 25, seed, (enum map_order)(seed % MAP_ORDERS_COUNT));
                for (uint32_t i = 0; seed % 5 == 0 && i < bench.jobs.count; i++)
                    bench.list[i].release = i % 7;
                bench_map(&bench, &run, &rules);
                check_use(&run, &rules);
                if (method != MAP_METHOD_LIST)
                    check_packs(&run, &rules);
            }
}

/* While jobs take as long as foreseen, the first in the order at time 0 that has to wait starts no
 * later with backfilling: on one I/O node the one before it cannot be overtaken. */
static void backfilling_never_delays_the_first_that_waits(void **state)
{
    (void)state;
    static struct bench_run plain, filled;
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct map_rules rules = with_backfill(list);
        bench_draw(&bench, 25, seed, MAP_ORDER_ARRIVAL);
        bench_map(&bench, &plain, &list);
        bench_map(&bench, &filled, &rules);
        uint32_t first = 0;
        while (first < bench.jobs.count && plain.start[first] == 0)
            first++;
        if (first < bench.jobs.count)
            assert_true(filled.start[first] <= plain.start[first]);
    }
}

/* --- refusals -------------------------------------------------------------------------------- */

static void a_job_above_the_limit_of_a_list_is_named(void **state)
{
    (void)state;
    struct err err = {0};
    struct map_rules rules = list;
    bench_init(&bench);
    bench_add(&bench, 1, 10, 1);
    bench_add(&bench, 1, 10, 6);
    rules.sensitivity = 0.5;
    assert_null(mapper_new(&rules, &bench.jobs, &err));
    assert_non_null(strstr(err.text, "job 'b' fits nowhere"));
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    bench_draw(&bench, 20, 1, MAP_ORDER_MAX);
    for (int method = 0; method < MAP_METHODS_COUNT; method++) {
        const struct map_rules rules = {(enum map_method)method, 1, true, 2};
        struct mapper *mapper = NULL;
        for (long n = 0; !mapper; n++) {
            struct err err = {0};
            mem_fail_after(n);
            mapper = mapper_new(&rules, &bench.jobs, &err);
            mem_fail_after(-1);
            assert_true(mapper || strcmp(err.text, "out of memory") == 0);
        }
        mapper_free(mapper);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_serves_whoever_comes_first),
        cmocka_unit_test(backfilling_does_not_delay_the_first_in_the_order),
        cmocka_unit_test(a_list_keeps_average_bandwidths_within_the_limit),
        cmocka_unit_test(a_list_prefers_the_io_node_with_the_least_io),
        cmocka_unit_test(nobody_starts_before_arriving),
        cmocka_unit_test(packs_run_one_after_the_other_the_fullest_first),
        cmocka_unit_test(packs_are_filled_with_jobs_that_end_in_time),
        cmocka_unit_test(a_pack_starts_when_all_its_jobs_have_arrived),
        cmocka_unit_test(rules_hold_for_random_jobs_and_all_methods),
        cmocka_unit_test(backfilling_never_delays_the_first_that_waits),
        cmocka_unit_test(a_job_above_the_limit_of_a_list_is_named),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
