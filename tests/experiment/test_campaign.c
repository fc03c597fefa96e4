/* What a campaign file stands for: which runs, in which order, and how they are handed out. */
#include "base/mem.h"
#include "experiment/campaign.h"
#include "experiment/pending.h"
#include "experiment/worker.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char grid[] =
    "families: [{name: general, noise: [0, 0.1]}, {name: jupiter, set: 2..3}]\n"
    "platforms: [{name: slow, bandwidth: 1 GB/s}, as-published]\n"
    "sweep: {bandwidth: [1x, 2x], applications.*.weight: [1, 2, 3]}\n"
    "seeds: [7, 10..12]\n"
    "strategies: [fcfs, floor]\n";

/* Loads a campaign from a text, which stands in a file. NULL with err. */
static struct campaign *load(const char *text, struct err *err)
{
    char path[] = "/tmp/weir-campaign-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    struct campaign *campaign = campaign_load(path, err);
    unlink(path);
    return campaign;
}

static struct campaign *open_campaign(const char *text)
{
    struct err err;
    struct campaign *campaign = load(text, &err);
    if (!campaign)
        fail_msg("%s", err.text);
    return campaign;
}

static void expect_parameters(const struct campaign *campaign, size_t number, const char *expected)
{
    const struct campaign_workload workload = campaign_workload(campaign, number);
    char *text = campaign_parameters(&workload, 0);
    assert_string_equal(text, expected);
    free(text);
}

/* 4 sources, 2 platforms, 2 x 3 points, 4 seeds, 2 strategies. */
static void a_campaign_combines_each_with_each(void **state)
{
    (void)state;
    struct campaign *campaign = open_campaign(grid);
    assert_int_equal(campaign->source_count, 4);
    assert_int_equal(campaign->points, 6);
    assert_int_equal(campaign->workloads, 4 * 2 * 6 * 4);
    assert_int_equal(campaign->runs, 4 * 2 * 6 * 4 * 2);
    static const uint64_t seeds[] = {7, 10, 11, 12};
    for (size_t i = 0; i < 8; i++)
        assert_true(campaign_workload(campaign, i).seed == seeds[i % 4]);
    expect_parameters(campaign, 0,
                      "{\"noise\":0,\"bandwidth\":\"1x\",\"applications.*.weight\":1}");
    expect_parameters(campaign, 4,
                      "{\"noise\":0,\"bandwidth\":\"1x\",\"applications.*.weight\":2}");
    expect_parameters(campaign, 12,
                      "{\"noise\":0,\"bandwidth\":\"2x\",\"applications.*.weight\":1}");
    expect_parameters(campaign, campaign->workloads - 1,
                      "{\"set\":3,\"bandwidth\":\"2x\",\"applications.*.weight\":3}");
    assert_string_equal(campaign_workload(campaign, 23).platform->name, "slow");
    assert_string_equal(campaign_workload(campaign, 24).platform->name, "as-published");
    campaign_free(campaign);
}

/* The same runs in another order, and one more, have the same identities. */
static void an_identity_does_not_depend_on_the_place(void **state)
{
    (void)state;
    struct campaign *one = open_campaign("families: [jupiter]\nstrategies: [fcfs, floor]\n");
    struct campaign *two = open_campaign("families: [{name: jupiter, set: 5}, jupiter]\n"
                                         "seeds: [2, 1]\nstrategies: [floor, fcfs, list]\n");
    assert_int_equal(two->runs, 12);
    assert_true(one->identities[0] == two->identities[10] &&
                one->identities[1] == two->identities[9]);
    assert_true(one->identities[0] > 0 && one->identities[0] != one->identities[1]);
    campaign_free(one);
    campaign_free(two);
}

static void a_single_number_of_seeds_counts_them(void **state)
{
    (void)state;
    struct campaign *campaign = open_campaign("families: [jupiter]\nseeds: 5\n");
    assert_int_equal(campaign->seed_count, 5);
    assert_true(campaign->seeds[0] == 1 && campaign->seeds[4] == 5);
    assert_true(campaign->policy_count > 3); /* the usual ones */
    campaign_free(campaign);
}

/* --- handing out -------------------------------------------------------------------------------
 */

/* Whatever the number of workers, every run is handed out once, and a share has one workload. */
static void each_run_is_handed_out_once(void **state)
{
    (void)state;
    struct campaign *campaign = open_campaign(grid);
    for (size_t workers = 1; workers < 70; workers += 3) {
        struct pending pending;
        struct err err;
        size_t next = 0, run = 0, first, count;
        assert_int_equal(
            pending_init(&pending, campaign, (struct campaign_shard){1, 1}, NULL, 0, &err), 0);
        while (first = pending_take(&pending, workers, &count), count > 0) {
            assert_int_equal(first, next);
            while (campaign_is_repeat(campaign, run / 2))
                run++;
            assert_int_equal(pending.runs[first], run);
            run += count;
            assert_int_equal(pending.runs[first] / 2, pending.runs[first + count - 1] / 2);
            next += count;
        }
        assert_int_equal(next, campaign->runs - 2 * campaign->repeats);
        pending_fini(&pending);
    }
    campaign_free(campaign);
}

static void shards_have_each_workload_once_and_leave_out_what_is_stored(void **state)
{
    (void)state;
    struct campaign *campaign = open_campaign(grid);
    int64_t stored[] = {campaign->identities[0]};
    size_t all = 0;
    for (size_t number = 1; number <= 5; number++) {
        struct pending pending;
        struct err err;
        assert_int_equal(
            pending_init(&pending, campaign, (struct campaign_shard){number, 5}, stored, 1, &err),
            0);
        for (size_t i = 0; i < pending.count; i++)
            assert_int_equal(pending.runs[i] / 2 % 5, number - 1);
        all += pending.count;
        pending_fini(&pending);
    }
    assert_int_equal(all, campaign->runs - 2 * campaign->repeats - 1);
    campaign_free(campaign);
}

/* --- runs --------------------------------------------------------------------------------------
 */

/* A worker that comes from another workload, or from none, gives the same. */
static void a_run_does_not_depend_on_those_before(void **state)
{
    (void)state;
    struct campaign *campaign = open_campaign(grid);
    struct campaign_worker fresh, used;
    campaign_worker_init(&used, campaign);
    for (size_t run = 0; run < campaign->runs; run += 37) {
        struct run_result one, two;
        campaign_worker_init(&fresh, campaign);
        campaign_worker_run(&fresh, run, &one);
        campaign_worker_run(&used, run, &two);
        assert_null(one.error);
        assert_true(one.identity == campaign->identities[run] && one.identity == two.identity);
        assert_memory_equal(&one.row.metrics, &two.row.metrics, sizeof one.row.metrics);
        assert_string_equal(one.parameters, two.parameters);
        result_fini(&one);
        result_fini(&two);
        campaign_worker_fini(&fresh);
    }
    campaign_worker_fini(&used);
    campaign_free(campaign);
}

static void a_scenario_that_cannot_be_is_a_result_with_an_error(void **state)
{
    (void)state;
    struct campaign *campaign =
        open_campaign("families: [jupiter]\nsweep: {applications.nothing.work: 2x}\n"
                      "strategies: [fcfs]\n");
    struct campaign_worker worker;
    struct run_result result;
    campaign_worker_init(&worker, campaign);
    campaign_worker_run(&worker, 0, &result);
    assert_non_null(strstr(result.error, "has no application 'nothing'"));
    assert_string_equal(result.row.made.scenario, "jupiter");
    assert_string_equal(result.row.policy, "fcfs");
    assert_int_equal(result.row.count, 0);
    result_fini(&result);
    campaign_worker_fini(&worker);
    campaign_free(campaign);
}

/* The process of a plug-in that computes and computes is ended; the campaign goes on. */
static void a_decision_without_end_is_a_result_with_an_error(void **state)
{
    (void)state;
    struct campaign *campaign =
        open_campaign("families: [general]\nstrategies: [" WEIR_PLUGIN_DIR
                      "/crashes.so:way=loop, " WEIR_PLUGIN_DIR "/crashes.so, fcfs]\n");
    struct campaign_worker worker;
    campaign_worker_init(&worker, campaign);
    worker.patience = 1;
    for (size_t run = 0; run < campaign->runs; run++) {
        struct run_result result;
        campaign_worker_run(&worker, run, &result);
        if (run == 0)
            assert_string_equal(result.error,
                                "the plug-in did not come back from a decision for 1 s");
        else
            assert_null(result.error);
        assert_true(run == 0 || result.row.metrics.makespan > 0);
        assert_int_equal(result.identity, campaign->identities[run]);
        assert_non_null(strstr(result.parameters, run < 2 ? "\"file\"" : "{}"));
        result_fini(&result);
    }
    campaign_worker_fini(&worker);
    campaign_free(campaign);
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    struct err err;
    bool done = false;
    for (long n = 0; !done && n < 100000; n++) {
        mem_fail_after(n);
        struct campaign *campaign = load(grid, &err);
        mem_fail_after(-1);
        done = campaign != NULL;
        campaign_free(campaign);
    }
    assert_true(done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_campaign_combines_each_with_each),
        cmocka_unit_test(an_identity_does_not_depend_on_the_place),
        cmocka_unit_test(a_single_number_of_seeds_counts_them),
        cmocka_unit_test(each_run_is_handed_out_once),
        cmocka_unit_test(shards_have_each_workload_once_and_leave_out_what_is_stored),
        cmocka_unit_test(a_run_does_not_depend_on_those_before),
        cmocka_unit_test(a_scenario_that_cannot_be_is_a_result_with_an_error),
        cmocka_unit_test(a_decision_without_end_is_a_result_with_an_error),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
