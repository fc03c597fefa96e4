#include "answer/filling.h"
#include "base/mem.h"
#include "base/shell_word.h"
#include "base/stage.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *filling_repeats(const struct campaign *campaign, char text[FILLING_NOTE])
{
    size_t once = campaign->repeats / (campaign->seed_count - 1);
    snprintf(text, FILLING_NOTE,
             "%zu workload%s without randomness run%s once, not with each of %zu seeds", once,
             once == 1 ? "" : "s", once == 1 ? "s" : "", campaign->seed_count);
    return text;
}

/* The command that lists failures. free() frees; NULL when memory is out. */
static char *filling_hint(const char *path)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fputs("see: weir query ", out);
    shell_word_write(path, strlen(path), out);
    fputs(" \"SELECT strategy, error FROM run WHERE error IS NOT NULL\"", out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

int filling_judge(const struct filled *filled, const char *path, struct err *err)
{
    if (filled->failed == 0)
        return 0;
    char *hint = filling_hint(path);
    if (!hint)
        return err_memory(err);
    int status = 0;
    if (filled->failed == filled->runs)
        status = err_set(err, filled->runs == 1 ? "the only run failed; %s" : "all runs failed; %s",
                         hint);
    else
        stage_warn("%zu of %zu runs failed; %s", filled->failed, filled->runs, hint);
    free(hint);
    return status;
}

/* How many runs of the shard failed, now or before. 0, or -1 with err. */
static int filling_count_failed(const struct filling *filling, struct database *database,
                                size_t *failed, struct err *err)
{
    size_t count;
    int64_t *failures = database_identities(database, STORE_FAILED, &count, err);
    if (!failures)
        return -1;
    *failed = pending_count_in(filling->campaign, filling->shard, failures, count);
    free(failures);
    return 0;
}

/* How many runs are stored that are not of this campaign. 0, or -1 with err. */
static int filling_count_others(const struct filling *filling, struct database *database,
                                size_t *others, struct err *err)
{
    size_t stored;
    int64_t *ids = database_identities(database, STORE_ALL, &stored, err);
    const struct campaign_shard whole = {1, 1};
    if (!ids)
        return -1;
    *others = stored - pending_count_in(filling->campaign, whole, ids, stored);
    free(ids);
    return 0;
}

/* What is doubtful about scenario files, and what differs from what the file asks for. */
static void filling_warn(const struct campaign *campaign)
{
    char text[FILLING_NOTE], note[FILLING_NOTE + 8];
    if (campaign->repeats > 0) {
        snprintf(note, sizeof note, "note: %s", filling_repeats(campaign, text));
        stage_note(note);
    }
    for (size_t i = 0; i < campaign->source_count; i++) {
        const struct scenario *scenario = campaign->sources[i].scenario;
        if (scenario && scenario->warning)
            stage_warn("%s: %s", scenario->name, scenario->warning);
    }
}

static void filling_show(void *context, const struct campaign_tally *tally)
{
    const struct pending *pending = context;
    stage_count(tally->done, pending->count);
}

static int filling_do(const struct filling *filling, struct database *database,
                      struct pending *pending, struct campaign_tally *tally, struct err *err)
{
    const struct stage_host *host = stage_host();
    const struct campaign_task task = {.campaign = filling->campaign,
                                       .pending = pending,
                                       .sink = {campaign_store, database},
                                       .jobs = filling->jobs,
                                       .patience = filling->patience,
                                       .progress = filling_show,
                                       .context = pending,
                                       .stop = host->stop,
                                       .stop_context = host->context,
                                       .leave = host->ends};
    stage_begin(filling->campaign->name, "starting");
    int status = filling->run(&task, tally, err);
    stage_end();
    return status;
}

int64_t *filling_find_done(struct database *database, bool retry, size_t *count, struct err *err)
{
    return database_identities(database, retry ? STORE_DONE : STORE_ALL, count, err);
}

/* What is pending lives on after a stop that the process does not survive: threads may use it. */
static void filling_fini(struct pending *pending, int status)
{
    if (status > 0 && stage_host()->ends)
        return;
    pending_fini(pending);
    free(pending);
}

int filling_run(const struct filling *filling, struct database *database, struct filled *filled,
                struct err *err)
{
    struct pending *pending = mem_alloc(1, sizeof *pending);
    struct campaign_tally tally = {0};
    size_t done;
    *filled = (struct filled){0};
    if (!pending)
        return err_memory(err);
    filling_warn(filling->campaign);
    int64_t *ids = filling_find_done(database, filling->retry, &done, err);
    int status =
        ids ? pending_init(pending, filling->campaign, filling->shard, ids, done, err) : -1;
    free(ids);
    if (status == 0)
        status = filling_count_others(filling, database, &filled->others, err);
    if (status == 0)
        status = filling_do(filling, database, pending, &tally, err);
    filled->runs = pending->known + pending->count;
    filled->before = pending->known;
    filled->stored = tally.done;
    filled->lost = tally.lost;
    if (status == 0)
        status = filling_count_failed(filling, database, &filled->failed, err);
    else if (status > 0)
        err_set(err,
                "interrupted: %zu of %zu runs are stored in %s; the same command continues "
                "the campaign",
                filled->before + filled->stored, filled->runs, filling->path);
    filling_fini(pending, status);
    return status == 0 ? 0 : err_run(err);
}
