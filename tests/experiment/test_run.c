/* A campaign in threads: whatever their number, the database has the same. ThreadSanitizer looks
 * on. */
#include "experiment/threads.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { TEXT_SIZE = 1 << 20 };

static struct campaign *open_campaign(const char *directory)
{
    static const char text[] = "families: [{name: general, noise: [0, 0.1]}]\nseeds: 25\n"
                               "sweep: {applications.*.weight: [1, 2]}\n"
                               "strategies: [fcfs, fair-share, floor]\n";
    char path[128];
    struct err err;
    snprintf(path, sizeof path, "%s/campaign.yaml", directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    struct campaign *campaign = campaign_load(path, &err);
    unlink(path);
    if (!campaign)
        fail_msg("%s", err.text);
    return campaign;
}

/* --- the content as text -----------------------------------------------------------------------
 */

struct dump {
    char *text;
    size_t length;
};

static int dump_head(void *context, const char *const *names, int count, struct err *err)
{
    (void)context, (void)names, (void)count, (void)err;
    return 0;
}

static int dump_row(void *context, const struct store_cell *cells, int count, struct err *err)
{
    (void)err;
    struct dump *dump = context;
    for (int i = 0; i < count; i++)
        dump->length +=
            (size_t)snprintf(dump->text + dump->length, TEXT_SIZE - dump->length, "%d %lld %a %s\n",
                             (int)cells[i].kind, (long long)cells[i].integer, cells[i].real,
                             cells[i].text ? cells[i].text : "");
    assert_true(dump->length < TEXT_SIZE);
    return 0;
}

/* Runs the campaign and returns what is in its database. */
static char *run(const struct campaign *campaign, const char *directory, size_t jobs)
{
    char path[128];
    struct err err = {0};
    struct pending pending;
    struct campaign_tally tally;
    struct dump dump = {.text = calloc(1, TEXT_SIZE)};
    struct store_reader reader = {dump_head, dump_row, &dump};
    snprintf(path, sizeof path, "%s/results.sqlite", directory);
    struct database *database = database_open_write(path, &err);
    assert_non_null(database);
    assert_int_equal(pending_init(&pending, campaign, (struct campaign_shard){1, 1}, NULL, 0, &err),
                     0);
    const struct campaign_task task = {
        .campaign = campaign, .pending = &pending, .sink = {campaign_store, database}, .jobs = jobs};
    if (campaign_run(&task, &tally, &err) < 0)
        fail_msg("%s", err.text);
    assert_int_equal(tally.done, campaign->runs);
    pending_fini(&pending);
    if (database_query(database,
                       "SELECT identity, scenario, hash, parameters, seed, strategy, error, "
                       "min_yield, mean_stretch, total FROM run LEFT JOIN (SELECT run, "
                       "group_concat(name || number || yield) AS total FROM application "
                       "GROUP BY run) ON run = id ORDER BY identity",
                       &reader, &err) < 0)
        fail_msg("%s", err.text);
    database_close(database);
    unlink(path);
    return dump.text;
}

static void any_number_of_workers_stores_the_same(void **state)
{
    (void)state;
    char directory[] = "/tmp/weir-run-XXXXXX";
    assert_non_null(mkdtemp(directory));
    struct campaign *campaign = open_campaign(directory);
    char *one = run(campaign, directory, 1), *four = run(campaign, directory, 4);
    assert_true(strlen(one) > 1000);
    assert_string_equal(one, four);
    free(one);
    free(four);
    campaign_free(campaign);
    assert_int_equal(rmdir(directory), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_workers_stores_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
