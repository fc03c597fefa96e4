#include "compare/compare.h"
#include "base/mem.h"
#include "base/text.h"
#include "experiment/pending.h"
#include "experiment/threads.h"
#include "gen/gen.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPARE_LABEL = 256 };

/* --- cases --------------------------------------------------------------------------------------
 */

/* Keeps a warning that is not one about the file itself. */
static void compare_note_warning(struct comparison *comparison, const struct compare_case *of,
                                 const char *warning)
{
    char label[COMPARE_LABEL];
    const struct scenario *file = of->source->scenario;
    if (!warning || (file && file->warning) || *comparison->warning)
        return;
    compare_label(comparison, (size_t)(of - comparison->cases), false, label, sizeof label);
    snprintf(comparison->warning, sizeof comparison->warning, "%s: %s", label, warning);
}

/* The first member tells what is drawn, and shows whether there can be any. */
static int compare_prepare(struct comparison *comparison, struct compare_case *of, struct err *err)
{
    const struct compare_task *asked = &comparison->asked;
    struct campaign *campaign = comparison->campaign;
    size_t number = (size_t)(of - comparison->cases);
    const struct campaign_workload first =
        campaign_workload(campaign, number * campaign->seed_count);
    struct campaign_draw draw;
    struct workload *workload = NULL;
    int status = campaign_draw(&first, &draw, err);
    if (status == 0) {
        of->ensemble = !campaign_is_drawn(of->source, &draw.varied, &draw.knowledge);
        of->windowed = draw.varied.window.kind != WINDOW_NONE;
        of->knowledge = draw.knowledge;
        compare_note_warning(comparison, of, draw.varied.warning);
        of->members = of->ensemble ? asked->ensemble : asked->seeds;
        workload = workload_realise(&draw.varied, err);
        status = workload ? 0 : -1;
    }
    workload_free(workload);
    campaign_draw_fini(&draw);
    return status < 0 ? err_prepend(err, "%s", of->source->name) : 0;
}

/* The values of the last sweep change fastest. */
static void compare_choose(const struct compare_task *asked, size_t point,
                           struct variation *changes)
{
    for (size_t i = asked->sweep_count; i-- > 0;) {
        const struct sweep *sweep = &asked->sweeps[i];
        changes[i] = (struct variation){sweep->path, sweep->values[point % sweep->count]};
        point /= sweep->count;
    }
}

static int compare_check_size(const struct comparison *comparison, size_t points, struct err *err)
{
    const struct compare_task *asked = &comparison->asked;
    size_t members = asked->seeds > asked->ensemble ? asked->seeds : asked->ensemble;
    double runs = (double)points * (double)asked->source_count * (double)members *
                  (double)asked->policy_count;
    if (runs <= COMPARE_MOST_RUNS)
        return 0;
    return err_set(err, "%.0f runs are too many, expected at most %d", runs, COMPARE_MOST_RUNS);
}

/* How many combinations there are, as far as they count. */
static size_t compare_points(const struct compare_task *asked)
{
    size_t points = 1;
    for (size_t i = 0; i < asked->sweep_count && points <= COMPARE_MOST_RUNS; i++)
        points *= asked->sweeps[i].count;
    return points;
}

/* What every run has that no scenario says. */
static void compare_note(struct comparison *comparison, const char *path, const char *value)
{
    struct campaign *campaign = comparison->campaign;
    const char *copy = arena_strndup(&campaign->arena, value, strlen(value));
    if (copy)
        campaign->noted[campaign->noted_count++] = (struct variation){path, copy};
}

static void compare_note_options(struct comparison *comparison)
{
    const struct compare_task *asked = &comparison->asked;
    char text[KNOWLEDGE_TEXT];
    if (asked->window && asked->window_text)
        compare_note(comparison, "window", asked->window_text);
    if (strcmp(knowledge_print(&asked->knowledge, text, sizeof text), "exact") != 0)
        compare_note(comparison, "knowledge", text);
    if (asked->knowledge.age > 0) {
        snprintf(text, sizeof text, "%.17g", asked->knowledge.age);
        compare_note(comparison, "progress_age", text);
    }
}

/* The product of what is asked, of which nothing is owned. 0 or -1. */
static int compare_begin_campaign(struct comparison *comparison, size_t points, struct err *err)
{
    static struct campaign_platform own; /* the scenario's */
    const struct compare_task *asked = &comparison->asked;
    size_t most = asked->seeds > asked->ensemble ? asked->seeds : asked->ensemble;
    struct campaign *campaign = comparison->campaign = mem_alloc(1, sizeof *campaign);
    if (!campaign)
        return err_memory(err);
    *campaign = (struct campaign){.name = "compare",
                                  .sources = (struct experiment_source *)(uintptr_t)asked->sources,
                                  .source_count = asked->source_count,
                                  .platforms = &own,
                                  .platform_count = 1,
                                  .sweeps = (struct sweep *)(uintptr_t)asked->sweeps,
                                  .sweep_count = asked->sweep_count,
                                  .points = points,
                                  .policies = (struct policy **)(uintptr_t)asked->policies,
                                  .policy_count = asked->policy_count,
                                  .window = asked->window,
                                  .knowledge = asked->knowledge,
                                  .together = true,
                                  .borrowed = true};
    campaign->seeds = arena_alloc(&campaign->arena, most, sizeof *campaign->seeds);
    if (!campaign->seeds)
        return err_memory(err);
    while (campaign->seed_count < most) {
        campaign->seeds[campaign->seed_count] = asked->first_seed + campaign->seed_count;
        campaign->seed_count++;
    }
    compare_note_options(comparison);
    return campaign_count_runs(campaign, COMPARE_MOST_RUNS, err);
}

/* Tells the campaign how many members each case has. 0 or -1. */
static int compare_end_campaign(struct comparison *comparison, struct err *err)
{
    struct campaign *campaign = comparison->campaign;
    struct campaign_case *cases =
        arena_alloc(&campaign->arena, comparison->count, sizeof *campaign->cases);
    if (!cases)
        return err_memory(err);
    for (size_t i = 0; i < comparison->count; i++)
        cases[i] = (struct campaign_case){(uint32_t)comparison->cases[i].members,
                                          comparison->cases[i].ensemble};
    campaign->cases = cases;
    return 0;
}

int compare_init(struct comparison *comparison, const struct compare_task *asked, struct err *err)
{
    size_t points = compare_points(asked);
    *comparison = (struct comparison){.asked = *asked};
    if (asked->first_seed == 0)
        comparison->asked.first_seed = 1;
    if (compare_check_size(comparison, points, err) < 0 ||
        compare_begin_campaign(comparison, points, err) < 0)
        return -1;
    comparison->cases = mem_alloc(points * asked->source_count, sizeof *comparison->cases);
    if (!comparison->cases)
        return err_memory(err);
    for (size_t i = 0; i < points * asked->source_count; i++) {
        struct compare_case *of = &comparison->cases[comparison->count++];
        *of = (struct compare_case){.source = &asked->sources[i / points],
                                    .knowledge = asked->knowledge,
                                    .first = comparison->members};
        compare_choose(asked, i % points, of->changes);
        if (compare_prepare(comparison, of, err) < 0)
            return -1;
        comparison->members += of->members;
    }
    comparison->metrics =
        mem_alloc(comparison->members * asked->policy_count, sizeof *comparison->metrics);
    return comparison->metrics ? compare_end_campaign(comparison, err) : err_memory(err);
}

void compare_fini(struct comparison *comparison)
{
    free(comparison->cases);
    free(comparison->metrics);
    campaign_free(comparison->campaign);
    *comparison = (struct comparison){0};
}

char *compare_label(const struct comparison *comparison, size_t number, bool brief, char *buffer,
                    size_t size)
{
    const struct compare_case *of = &comparison->cases[number];
    const struct compare_task *asked = &comparison->asked;
    bool named = !brief || asked->source_count > 1 || asked->sweep_count == 0;
    snprintf(buffer, size, "%s", named ? of->source->name : "");
    for (size_t i = 0; i < asked->sweep_count; i++) {
        text_append(buffer, size, *buffer ? ", " : "");
        if (!brief || asked->sweep_count == 1) {
            text_append(buffer, size, of->changes[i].path);
            text_append(buffer, size, "=");
        }
        text_append(buffer, size, of->changes[i].value);
    }
    return buffer;
}

/* --- running ------------------------------------------------------------------------------------
 */

/* A comparison while it runs: its results go into memory, and into a database if there is one. */
struct compare_race {
    struct comparison *comparison;
    const struct compare_options *options;
    size_t before, runs; /* that were stored, and all */
    uint32_t faulty;     /* the first run that fails; UINT32_MAX = none */
    bool unmade;         /* it has not even a workload */
    char fault[512];
};

/* Where the measures of a run go. */
static struct weir_metrics *compare_place(struct comparison *comparison, uint32_t run)
{
    const struct campaign *campaign = comparison->campaign;
    size_t policies = campaign->policy_count, number = run / policies;
    const struct compare_case *of = &comparison->cases[number / campaign->seed_count];
    size_t member = of->first + number % campaign->seed_count;
    return &comparison->metrics[member * policies + run % policies];
}

/* --- runs that are stored --------------------------------------------------------------------- */

struct compare_known {
    struct comparison *comparison;
    int64_t *identities; /* ascending */
    size_t count;
    struct compare_index *index;
};

/* Runs by their identity. */
struct compare_index {
    int64_t identity;
    uint32_t run;
};

static int compare_order(const void *one, const void *two)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)two;
    return (a > b) - (a < b);
}

static int compare_known_head(void *context, const char *const *names, int count, struct err *err)
{
    (void)context;
    (void)names;
    (void)count;
    (void)err;
    return 0;
}

/* An identity and all measures. */
static int compare_known_row(void *context, const struct store_cell *cells, int count,
                             struct err *err)
{
    struct compare_known *known = context;
    const struct campaign *campaign = known->comparison->campaign;
    const struct compare_index *found =
        bsearch(&cells[0].integer, known->index, campaign->runs, sizeof *found, compare_order);
    (void)err;
    if (!found || campaign_is_repeat(campaign, found->run / campaign->policy_count))
        return 0;
    struct weir_metrics *metrics = compare_place(known->comparison, found->run);
    for (int i = 1; i < count; i++)
        *(double *)(void *)((char *)metrics + measures[i - 1].offset) =
            cells[i].kind == STORE_REAL      ? cells[i].real
            : cells[i].kind == STORE_INTEGER ? (double)cells[i].integer
                                             : NAN;
    known->identities[known->count++] = cells[0].integer;
    return 0;
}

static char *compare_known_sql(void)
{
    char *text = NULL;
    size_t size;
    FILE *sql = open_memstream(&text, &size);
    if (!sql)
        return NULL;
    fputs("SELECT identity", sql);
    for (size_t i = 0; i < MEASURE_COUNT; i++)
        fprintf(sql, ", %s", measures[i].name);
    fputs(" FROM run WHERE error IS NULL ORDER BY identity", sql);
    if (fclose(sql) == 0)
        return text;
    free(text);
    return NULL;
}

/* Takes over the measures of runs that a database has. 0 or -1; the identities are to be freed in
 * both cases. */
static int compare_find_known(struct comparison *comparison, struct database *database,
                              struct compare_known *known, struct err *err)
{
    struct campaign *campaign = comparison->campaign;
    const struct store_reader reader = {compare_known_head, compare_known_row, known};
    if (!campaign->identities && campaign_identify(campaign, err) < 0)
        return -1;
    char *sql = compare_known_sql();
    known->comparison = comparison;
    known->identities = mem_alloc(campaign->runs, sizeof *known->identities);
    known->index = mem_alloc(campaign->runs, sizeof *known->index);
    int status = sql && known->identities && known->index ? 0 : err_memory(err);
    for (size_t i = 0; status == 0 && i < campaign->runs; i++)
        known->index[i] = (struct compare_index){campaign->identities[i], (uint32_t)i};
    if (status == 0) {
        qsort(known->index, campaign->runs, sizeof *known->index, compare_order);
        status = database_query(database, sql, &reader, err);
    }
    free(known->index);
    free(sql);
    return status;
}

static void compare_note_fault(struct compare_race *race, uint32_t run,
                               const struct run_result *result)
{
    if (run > race->faulty)
        return;
    race->faulty = run;
    race->unmade = result->row.hash == 0;
    snprintf(race->fault, sizeof race->fault, "%s", result->error);
}

/* Runs begin in order, so that no earlier one can fail after those under way. */
static int compare_take(void *context, const uint32_t *runs, const struct run_result *results,
                        size_t count, struct err *err)
{
    struct compare_race *race = context;
    struct database *database = race->options->database;
    if (database && database_store(database, results, count, err) < 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (results[i].error)
            compare_note_fault(race, runs[i], &results[i]);
        else
            *compare_place(race->comparison, runs[i]) = results[i].row.metrics;
    }
    return race->faulty < UINT32_MAX;
}

/* "synthetic, bandwidth=2x: seed 7: fcfs", or "quickstart: run 7 of the ensemble". */
static int compare_blame(const struct compare_race *race, struct err *err)
{
    const struct comparison *comparison = race->comparison;
    const struct campaign *campaign = comparison->campaign;
    size_t number = race->faulty / campaign->policy_count, of = number / campaign->seed_count;
    size_t member = number % campaign->seed_count;
    char label[COMPARE_LABEL];
    err_set(err, "%s", race->fault);
    if (!race->unmade)
        err_prepend(err, "%s", campaign->policies[race->faulty % campaign->policy_count]->name);
    compare_label(comparison, of, false, label, sizeof label);
    if (comparison->cases[of].ensemble)
        return err_prepend(err, "%s: run %zu of the ensemble", label, member + 1);
    return err_prepend(err, "%s: seed %llu", label,
                       (unsigned long long)(comparison->asked.first_seed + member));
}

static void compare_show(void *context, const struct campaign_tally *tally)
{
    const struct compare_race *race = context;
    if (race->options->progress)
        race->options->progress(race->options->context,
                                (double)(race->before + tally->done) / (double)race->runs);
}

static int compare_do(struct compare_race *race, struct pending *pending, struct err *err)
{
    const struct campaign_task task = {.campaign = race->comparison->campaign,
                                       .pending = pending,
                                       .sink = {compare_take, race},
                                       .jobs = race->options->jobs,
                                       .progress = compare_show,
                                       .context = race,
                                       .stop = race->options->stop,
                                       .stop_context = race->options->context};
    struct campaign_tally tally;
    int status = campaign_run(&task, &tally, err);
    if (status > 0)
        status = race->faulty < UINT32_MAX ? compare_blame(race, err) : err_set(err, "interrupted");
    return status;
}

int compare_run(struct comparison *comparison, const struct compare_options *options,
                struct err *err)
{
    struct compare_race race = {.comparison = comparison, .options = options, .faulty = UINT32_MAX};
    struct compare_known known = {0};
    struct pending pending;
    if (options->database && compare_find_known(comparison, options->database, &known, err) < 0) {
        free(known.identities);
        return -1;
    }
    int status = pending_init(&pending, comparison->campaign, (struct campaign_shard){1, 1},
                              known.identities, known.count, err);
    race.before = pending.known;
    race.runs = pending.known + pending.count;
    if (status == 0 && pending.count > 0)
        status = compare_do(&race, &pending, err);
    pending_fini(&pending);
    free(known.identities);
    return status;
}

/* --- conclusions --------------------------------------------------------------------------------
 */

struct compare_cell compare_measure(const struct comparison *comparison, size_t number,
                                    size_t policy, const struct measure *measure)
{
    const struct compare_case *of = &comparison->cases[number];
    size_t policies = comparison->asked.policy_count;
    struct compare_cell cell = {0};
    for (size_t i = of->first; i < of->first + of->members; i++) {
        const struct weir_metrics *metrics = &comparison->metrics[i * policies];
        double value = measure_of(measure, &metrics[policy]);
        summary_add(&cell.value, value);
        paired_add(&cell.difference, value,
                   measure_of(measure, &metrics[comparison->asked.baseline]));
    }
    return cell;
}
