#include "base/output.h"
#include "base/parallel.h"
#include "campaign/campaign.h"
#include "campaign/pending.h"
#include "campaign/threads.h"
#include "cli/array_script.h"
#include "cli/commands.h"
#include "cli/filling.h"
#include "cli/progress.h"
#include "store/database.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct campaign_command {
    struct words operands; /* the file */
    const char *database, *shard, *output;
    struct whole jobs, array;
    bool dry_run, retry;
};

enum { CAMPAIGN_MOST_JOBS = 1024 };

/* --- options -----------------------------------------------------------------------------------
 */

/* "3/8"; without it, the whole. */
static int campaign_parse_shard(const char *text, struct campaign_shard *shard, struct err *err)
{
    unsigned number, count;
    char end;
    *shard = (struct campaign_shard){1, 1};
    if (!text)
        return 0;
    if (strspn(text, "0123456789/") != strlen(text) || strlen(text) > 15 ||
        sscanf(text, "%u/%u%c", &number, &count, &end) != 2 || number < 1 || number > count)
        return err_option(err, "--shard: '%s' is not K/N with 1 <= K <= N", text);
    *shard = (struct campaign_shard){number, count};
    return 0;
}

static int campaign_check_options(const struct campaign_command *options,
                                  struct campaign_shard *shard, struct err *err)
{
    if (!options->database && !options->dry_run)
        return err_set(err, "campaign: missing --db FILE");
    if (options->jobs.given &&
        (options->jobs.value < 1 || options->jobs.value > CAMPAIGN_MOST_JOBS))
        return err_option(err, "--jobs: expected a number from 1 to %d", CAMPAIGN_MOST_JOBS);
    if (options->output && !options->array.given)
        return err_option(err, "--output is for the script of --slurm-array");
    if (options->array.given && (options->shard || options->dry_run))
        return err_option(err, "--slurm-array and --%s exclude each other",
                          options->shard ? "shard" : "dry-run");
    if (options->array.given && strcmp(options->operands.list[0], "-") == 0)
        return err_option(err, "--slurm-array: expected a campaign file that tasks can read, not "
                               "standard input");
    return campaign_parse_shard(options->shard, shard, err);
}

/* --- what is done ------------------------------------------------------------------------------
 */

static const char *campaign_plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void campaign_print_product(const struct campaign *campaign)
{
    const struct {
        const char *one, *many;
        size_t count;
    } factors[] = {
        {"scenario or parameter set", "scenarios or parameter sets", campaign->source_count},
        {"platform", "platforms", campaign->platform_count},
        {"point of the sweep", "points of the sweep", campaign->points},
        {"seed", "seeds", campaign->seed_count > 0 ? campaign->seed_count : 1},
        {"strategy", "strategies", campaign->policy_count}};
    size_t runs = campaign->runs - campaign->repeats * campaign->policy_count;
    char note[FILLING_NOTE];
    printf("%s: %zu run%s\n", campaign->name, runs, campaign_plural(runs));
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        printf("%8zu %s\n", factors[i].count,
               factors[i].count == 1 ? factors[i].one : factors[i].many);
    if (campaign->repeats > 0)
        puts(filling_repeats(campaign, note));
}

/* The runs that need not be done: all that are stored, or, with --retry, those that did not fail.
 * NULL with err. */
static int64_t *campaign_find_done(const char *path, bool retry, size_t *count, struct err *err)
{
    struct database *database = database_open_read(path, err);
    int64_t *done =
        database ? database_identities(database, retry ? STORE_DONE : STORE_ALL, count, err) : NULL;
    database_close(database);
    return done;
}

/* What is missing in the database, if there is one. */
static int campaign_print_plan(const struct campaign *campaign,
                               const struct campaign_command *options, struct campaign_shard shard,
                               struct err *err)
{
    struct pending pending;
    int64_t *stored = NULL;
    size_t count = 0;
    if (options->database && access(options->database, F_OK) == 0) {
        stored = campaign_find_done(options->database, options->retry, &count, err);
        if (!stored)
            return STATUS_MISUSE;
    }
    int status = pending_init(&pending, campaign, shard, stored, count, err);
    if (status == 0) {
        campaign_print_product(campaign);
        printf("%zu run%s to do\n", pending.count, campaign_plural(pending.count));
    }
    pending_fini(&pending);
    free(stored);
    return status == 0 ? STATUS_DONE : STATUS_FAILED;
}

static int campaign_write_script(const struct campaign *campaign,
                                 const struct campaign_command *options, struct err *err)
{
    struct output output = {0};
    const struct array_script script = {.name = campaign->name,
                                        .file = options->operands.list[0],
                                        .database = options->database,
                                        .tasks = options->array.value,
                                        .jobs = options->jobs.given ? options->jobs.value : 0,
                                        .retry = options->retry};
    if (script.tasks < 1 || script.tasks > campaign->workloads) {
        err_option(err,
                   "--slurm-array: expected a number from 1 to %zu, the workloads of the campaign",
                   campaign->workloads);
        return STATUS_MISUSE;
    }
    if (output_open(&output, options->output ? options->output : "-", err) < 0)
        return STATUS_MISUSE;
    if (array_script_write(&script, output.file, err) == 0 && output_commit(&output, err) == 0)
        return STATUS_DONE;
    output_discard(&output);
    return STATUS_FAILED;
}

static int campaign_act(const struct campaign *campaign, const struct campaign_command *options,
                        struct campaign_shard shard, struct err *err)
{
    if (options->array.given)
        return campaign_write_script(campaign, options, err);
    if (options->dry_run)
        return campaign_print_plan(campaign, options, shard, err);
    struct database *database = database_open_write(options->database, err);
    if (!database)
        return STATUS_MISUSE;
    const struct filling filling = {.program = "weir",
                                    .campaign = campaign,
                                    .shard = shard,
                                    .path = options->database,
                                    .retry = options->retry,
                                    .run = campaign_run,
                                    .jobs = options->jobs.given ? options->jobs.value
                                                                : parallel_processors()};
    struct campaign_tally tally;
    int status = filling_run(&filling, database, &tally, err);
    database_close(database);
    if (status > 0)
        filling_end();
    return status == 0 ? STATUS_DONE : STATUS_FAILED;
}

static int cli_campaign_run(const void *values, struct err *err)
{
    const struct campaign_command *options = values;
    struct campaign_shard shard;
    if (campaign_check_options(options, &shard, err) < 0)
        return STATUS_MISUSE;
    progress_begin(options->operands.list[0], "reading");
    struct campaign *campaign = campaign_load(options->operands.list[0], err);
    progress_end();
    if (!campaign)
        return STATUS_MISUSE;
    int status = campaign_act(campaign, options, shard, err);
    campaign_free(campaign);
    return status;
}

#define AT(member) offsetof(struct campaign_command, member)
static const struct option options[] = {
    {"db", 0, OPTION_TEXT, UNIT_NONE, "FILE", AT(database),
     "the SQLite database of results; it is created if it is missing"},
    {"jobs", 'j', OPTION_WHOLE, UNIT_NONE, "N", AT(jobs),
     "runs at the same time; default the number of processors"},
    {"dry-run", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(dry_run),
     "only check the file, and print how many runs there are, and how many are still to do"},
    {"retry", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(retry), "run failed runs again"},
    {"shard", 0, OPTION_TEXT, UNIT_NONE, "K/N", AT(shard),
     "only every Nth workload, from the Kth on"},
    {"slurm-array", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(array),
     "only write a batch script whose N tasks make a shard each, with --jobs and --retry if they "
     "are given; 'weir merge' joins them"},
    {"output", 'o', OPTION_TEXT, UNIT_NONE, "FILE", AT(output),
     "where the script goes; default standard output"},
    {.name = NULL},
};
#undef AT

const struct command command_campaign = {
    .name = "campaign",
    .summary = "run many scenarios under many strategies into a database",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .options = options,
    .details =
        "The file lists scenarios or families, platforms, values to sweep, seeds and strategies; "
        "every combination is run. A run that fails is stored with its error. However a "
        "campaign ends, the same command continues it, and the database is the same in the end, "
        "whatever the number of jobs. docs/reference/campaign.md describes the file and the tables.",
    .example = "weir campaign examples/campaign/bandwidth.yaml --db results.sqlite",
    .size = sizeof(struct campaign_command),
    .run = cli_campaign_run,
};
