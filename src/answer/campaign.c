#include "answer/campaign.h"
#include "answer/array_script.h"
#include "base/parallel.h"
#include "base/stage.h"
#include "trial/row.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_JOBS = 1024 };

/* --- the question ---------------------------------------------------------------------------- */

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

static int campaign_read(const struct campaign_question *question, struct campaign_shard *shard,
                         struct err *err)
{
    if (question->array.given && strcmp(question->asking.operands.list[0], "-") == 0)
        return err_option(err, "--slurm-array: expected a campaign file that tasks can read, not "
                               "standard input");
    if (question->asking.scenario_count > 0)
        return err_set(err, "campaign: expected a campaign file, not a scenario");
    return campaign_parse_shard(question->shard, shard, err);
}

/* --- the answer ------------------------------------------------------------------------------ */

/* The texts are copied, since the campaign may go first. 0 or -1. */
static int campaign_describe(const struct campaign *campaign,
                             const struct campaign_question *question,
                             struct campaign_answer *answer, struct err *err)
{
    char note[FILLING_NOTE];
    size_t seeds = campaign->seed_count;
    answer->weir = row_version;
    answer->name = arena_strndup(&answer->arena, campaign->name, strlen(campaign->name));
    answer->database = question->database;
    answer->sources = campaign->source_count;
    answer->platforms = campaign->platform_count;
    answer->points = campaign->points;
    answer->seeds = seeds > 0 ? seeds : 1;
    answer->strategies = campaign->policy_count;
    answer->runs = campaign->runs - campaign->repeats * campaign->policy_count;
    if (campaign->repeats > 0) {
        answer->fixed = campaign->repeats / (seeds - 1);
        filling_repeats(campaign, note);
        answer->repeats = arena_strndup(&answer->arena, note, strlen(note));
    }
    return answer->name && (answer->repeats || !answer->fixed) ? 0 : err_memory(err);
}

/* What is missing in the database, if there is one. */
static int campaign_count(const struct campaign *campaign, const struct campaign_question *question,
                          struct campaign_shard shard, struct campaign_answer *answer,
                          struct err *err)
{
    struct pending pending = {0};
    struct database *database = NULL;
    int64_t *done = NULL;
    size_t count = 0;
    int status = 0;
    if (question->database && access(question->database, F_OK) == 0) {
        database = database_open_read(question->database, err);
        done = database ? filling_find_done(database, question->retry, &count, err) : NULL;
        status = done ? 0 : -1;
    }
    if (status == 0)
        status = pending_init(&pending, campaign, shard, done, count, err);
    answer->to_do = pending.count;
    answer->before = pending.known;
    pending_fini(&pending);
    free(done);
    database_close(database);
    return status;
}

static int campaign_write(const struct campaign *campaign, const struct campaign_question *question,
                          struct campaign_answer *answer, struct err *err)
{
    size_t size;
    const struct array_script script = {.name = campaign->name,
                                        .file = question->asking.operands.list[0],
                                        .database = question->database,
                                        .tasks = question->array.value,
                                        .jobs = question->jobs.given ? question->jobs.value : 0,
                                        .retry = question->retry};
    answer->scripted = true;
    if (script.tasks < 1 || script.tasks > campaign->workloads)
        return err_option(
            err, "--slurm-array: expected a number from 1 to %zu, the workloads of the campaign",
            campaign->workloads);
    FILE *out = open_memstream(&answer->script, &size);
    if (!out)
        return err_memory(err);
    int status = array_script_write(&script, out, err);
    return fclose(out) == 0 ? status : err_memory(err);
}

static int campaign_fill(const struct campaign *campaign, const struct campaign_question *question,
                         struct campaign_shard shard, struct campaign_answer *answer,
                         struct err *err)
{
    const struct filling filling = {.campaign = campaign,
                                    .shard = shard,
                                    .path = question->database,
                                    .retry = question->retry,
                                    .run = campaign_run,
                                    .jobs = question->jobs.given ? question->jobs.value
                                                                 : parallel_processors()};
    struct filled *filled = &answer->filled;
    struct database *database = database_open_write(question->database, err);
    if (!database)
        return -1;
    int status = filling_run(&filling, database, filled, err);
    database_close(database);
    answer->done = true;
    answer->runs = filled->runs;
    answer->to_do = filled->runs - filled->before - filled->stored;
    answer->stored = filled->stored;
    answer->before = filled->before;
    answer->others = filled->others;
    answer->failed = filled->failed;
    return status;
}

int campaign_answer(const struct campaign_question *question, struct campaign_answer *answer,
                    struct err *err)
{
    struct campaign_shard shard;
    if (campaign_read(question, &shard, err) < 0)
        return -1;
    stage_begin(question->asking.operands.list[0], "reading");
    struct campaign *campaign = campaign_load(question->asking.operands.list[0], err);
    stage_end();
    int status = campaign ? campaign_describe(campaign, question, answer, err) : -1;
    if (status == 0 && question->array.given)
        status = campaign_write(campaign, question, answer, err);
    else if (status == 0 && question->dry_run)
        status = campaign_count(campaign, question, shard, answer, err);
    else if (status == 0)
        status = campaign_fill(campaign, question, shard, answer, err);
    /* Threads that a process does not wait for before it ends may still use the campaign. */
    if (!(status < 0 && answer->done && stage_host()->ends))
        campaign_free(campaign);
    return status;
}

void campaign_answer_fini(struct campaign_answer *answer)
{
    free(answer->script);
    arena_fini(&answer->arena);
}

/* --- what it is ------------------------------------------------------------------------------ */

#define OF(name, what, text) FIELD_OF(struct campaign_answer, name, what, text)
#define IF(flag)             .when = offsetof(struct campaign_answer, flag)
static const struct answer_field fields[] = {
    {OF(weir, TEXT, "version of the program")},
    {OF(name, TEXT, "name of the campaign")},
    {OF(database, TEXT, "the database of results, as it was given; `null` = none")},
    {OF(runs, WHOLE, "runs of the campaign, or of the shard that was run")},
    {OF(sources, WHOLE, "scenarios or parameter sets")},
    {OF(platforms, WHOLE, "platforms")},
    {OF(points, WHOLE, "points of the sweep")},
    {OF(seeds, WHOLE, "seeds")},
    {OF(strategies, WHOLE, "strategies")},
    {OF(fixed, WHOLE, "workloads without randomness, which run once and not with every seed")},
    {OF(to_do, WHOLE, "runs that the database lacks")},
    {OF(before, WHOLE, "runs that were stored before")},
    {OF(stored, WHOLE, "runs stored now"), IF(done)},
    {OF(others, WHOLE, "runs in the database from other campaigns"), IF(done)},
    {OF(failed, WHOLE, "runs that failed, now or before"), IF(done)},
    {OF(script, TEXT, "the batch script of `--slurm-array`"), IF(scripted)},
    {.key = NULL},
};
#undef OF
#undef IF

#define AT(member) offsetof(struct campaign_question, member)
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
    QUESTION_JSON_OPTION(struct campaign_question, "print what was done as JSON"),
    {.name = NULL},
};
#undef AT

static const struct option_rule rules[] = {
    RULE_REQUIRE("db", "dry-run"),
    RULE_RANGE("jobs", 1, MOST_JOBS),
    RULE_NEED("output", "slurm-array"),
    RULE_EXCLUDE("slurm-array", "shard"),
    RULE_EXCLUDE("slurm-array", "dry-run"),
    RULE_EXCLUDE("slurm-array", "json"),
    {.name = NULL},
};

QUESTION_FUNCTIONS(campaign)
const struct question campaign_asking = {
    .syntax = {"campaign", "FILE", 1, 1, options, rules},
    QUESTION_OF(campaign, fields),
};
