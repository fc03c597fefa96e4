#include "cli/filling.h"
#include "base/text.h"
#include "base/units.h"
#include "cli/progress.h"
#include "cli/shell_word.h"
#include "client/clock.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What progress is measured by. */
struct filling_clock {
    double start;
    size_t pending;
};

static void filling_show(void *context, const struct campaign_tally *tally)
{
    const struct filling_clock *clock = context;
    double spent = clock_now() - clock->start;
    double rate = spent > 0 ? (double)tally->done / spent : 0;
    char text[96], left[32];
    double rest = rate > 0 ? (double)(clock->pending - tally->done) / rate : 0;
    units_print(text_round(rest, 2), UNIT_SECONDS, left, sizeof left);
    snprintf(text, sizeof text, "%zu of %zu runs, %.3g/s, %s left", tally->done, clock->pending,
             rate, left);
    progress_tell(text);
}

/* --- signals ------------------------------------------------------------------------------------
 */

static volatile sig_atomic_t filling_signal; /* that came; 0 = none */

static void filling_note(int signal)
{
    filling_signal = signal;
}

/* A second one ends the process at once. */
static void filling_catch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action = {.sa_handler = filling_note, .sa_flags = (int)SA_RESETHAND}, old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

void filling_end(void)
{
    int number = filling_signal ? filling_signal : SIGTERM;
    fflush(stdout);
    signal(number, SIG_DFL);
    raise(number);
    _exit(128 + number); /* not reached, unless it is blocked */
}

/* --- what is printed ----------------------------------------------------------------------------
 */

static void filling_print_end(const struct filling *filling, size_t before, size_t others,
                              const struct campaign_tally *tally)
{
    printf("%s: %zu run%s stored in %s", filling->campaign->name, tally->done,
           tally->done == 1 ? "" : "s", filling->path);
    if (before > 0)
        printf(", %zu there before", before);
    if (others > 0)
        printf(", %zu from other campaigns", others);
    putchar('\n');
    fflush(stdout);
}

static void filling_print_stop(const struct filling *filling, const struct pending *pending,
                               const struct campaign_tally *tally)
{
    fprintf(stderr,
            "%s: %s: %zu of %zu runs are stored in %s; the same command continues the campaign\n",
            filling->program, filling_signal == SIGINT ? "interrupted" : "terminated",
            pending->known + tally->done, pending->known + pending->count, filling->path);
}

/* The command that lists failures. free() frees; NULL when memory is out. */
static char *filling_hint(const struct filling *filling)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fputs("see: weir query ", out);
    shell_word_write(filling->path, strlen(filling->path), out);
    fputs(" \"SELECT strategy, error FROM run WHERE error IS NOT NULL\"", out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* Tells how many of `runs` failed, now or before. 0, or -1 with err if it is all of them. */
static int filling_judge(const struct filling *filling, struct database *database, size_t runs,
                         struct err *err)
{
    size_t count;
    int64_t *failures = database_identities(database, STORE_FAILED, &count, err);
    if (!failures)
        return -1;
    size_t failed = pending_count_in(filling->campaign, filling->shard, failures, count);
    free(failures);
    if (failed == 0)
        return 0;
    char *hint = filling_hint(filling);
    if (!hint)
        return err_memory(err);
    int status = 0;
    if (failed == runs)
        status = err_set(err, runs == 1 ? "the only run failed; %s" : "all runs failed; %s", hint);
    else
        fprintf(stderr, "%s: warning: %zu of %zu runs failed; %s\n", filling->program, failed, runs,
                hint);
    free(hint);
    return status;
}

char *filling_repeats(const struct campaign *campaign, char text[FILLING_NOTE])
{
    size_t once = campaign->repeats / (campaign->seed_count - 1);
    snprintf(text, FILLING_NOTE,
             "%zu workload%s without randomness run%s once, not with each of %zu seeds", once,
             once == 1 ? "" : "s", once == 1 ? "s" : "", campaign->seed_count);
    return text;
}

/* --- the whole ----------------------------------------------------------------------------------
 */

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
static void filling_warn(const struct filling *filling)
{
    const struct campaign *campaign = filling->campaign;
    char text[FILLING_NOTE];
    if (campaign->repeats > 0)
        fprintf(stderr, "%s: note: %s\n", filling->program, filling_repeats(campaign, text));
    for (size_t i = 0; i < campaign->source_count; i++) {
        const struct scenario *scenario = campaign->sources[i].scenario;
        if (scenario && scenario->warning)
            fprintf(stderr, "%s: warning: %s: %s\n", filling->program, scenario->name,
                    scenario->warning);
    }
}

static int filling_do(const struct filling *filling, struct database *database,
                      struct pending *pending, struct campaign_tally *tally, struct err *err)
{
    struct filling_clock clock = {clock_now(), pending->count};
    const struct campaign_task task = {.campaign = filling->campaign,
                                       .pending = pending,
                                       .database = database,
                                       .jobs = filling->jobs,
                                       .patience = filling->patience,
                                       .progress = filling_show,
                                       .context = &clock,
                                       .stop = &filling_signal};
    progress_begin(filling->campaign->name, "starting");
    filling_catch();
    int status = filling->run(&task, tally, err);
    progress_end();
    return status;
}

int filling_run(const struct filling *filling, struct database *database,
                struct campaign_tally *tally, struct err *err)
{
    static struct pending pending; /* threads may still use it after a signal */
    size_t done, others;
    *tally = (struct campaign_tally){0};
    filling_warn(filling);
    int64_t *ids =
        database_identities(database, filling->retry ? STORE_DONE : STORE_ALL, &done, err);
    int status =
        ids ? pending_init(&pending, filling->campaign, filling->shard, ids, done, err) : -1;
    free(ids);
    if (status == 0)
        status = filling_count_others(filling, database, &others, err);
    if (status == 0)
        status = filling_do(filling, database, &pending, tally, err);
    if (status > 0) {
        filling_print_stop(filling, &pending, tally);
        return status;
    }
    if (status == 0) {
        filling_print_end(filling, pending.known, others, tally);
        status = filling_judge(filling, database, pending.known + pending.count, err);
    }
    pending_fini(&pending);
    return status;
}
