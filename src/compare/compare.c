#include "compare/compare.h"
#include "base/mem.h"
#include "base/parallel.h"
#include "base/text.h"
#include "campaign/campaign.h"
#include "gen/gen.h"
#include "trial/trial.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- members ------------------------------------------------------------------------------------
 */

enum { COMPARE_LABEL = 256 };

/* A member while it runs. */
struct compare_member {
    struct scenario *made;  /* of a family */
    struct scenario varied; /* as it runs; borrows from that, or from the file's */
    struct workload *workload;
};

static int member_draw(struct compare_member *member, const struct comparison *comparison,
                       const struct compare_case *of, uint64_t seed, struct err *err)
{
    const struct compare_source *source = of->source;
    const struct window *window = comparison->asked.window;
    const struct scenario *original = source->scenario;
    if (!original) {
        original = member->made = family_make(source->family, of->values, seed, err);
        if (!original)
            return -1;
    }
    if (scenario_vary(&member->varied, original, of->plain, of->plain_count, err) < 0)
        return -1;
    member->varied.seed = seed;
    if (window)
        member->varied.window = *window;
    return 0;
}

static void member_fini(struct compare_member *member)
{
    workload_free(member->workload);
    if (member->varied.apps)
        scenario_fini_varied(&member->varied);
    scenario_free(member->made);
}

/* An ensemble is drawn once: the seed is that of what perturbs it. */
static int member_init(struct compare_member *member, const struct comparison *comparison,
                       const struct compare_case *of, uint64_t seed, struct err *err)
{
    *member = (struct compare_member){0};
    if (member_draw(member, comparison, of, of->ensemble ? 1 : seed, err) < 0)
        return -1;
    member->workload = workload_realise(&member->varied, err);
    if (!member->workload || !of->ensemble)
        return member->workload ? 0 : -1;
    struct workload *plain = member->workload;
    member->workload = workload_perturb(plain, GEN_ENSEMBLE, seed, err);
    workload_free(plain);
    return member->workload ? 0 : -1;
}

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
    struct compare_member member = {0};
    struct workload *workload = NULL;
    int status = member_draw(&member, comparison, of, asked->first_seed, err);
    if (status == 0) {
        of->ensemble = !campaign_is_drawn(of->source->family, &member.varied, &of->knowledge);
        of->windowed = member.varied.window.kind != WINDOW_NONE;
        compare_note_warning(comparison, of, member.varied.warning);
        of->members = of->ensemble ? asked->ensemble : asked->seeds;
        workload = workload_realise(&member.varied, err);
        status = workload ? 0 : -1;
    }
    workload_free(workload);
    member_fini(&member);
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

/* Parameters of the family change before its scenarios are drawn, all else afterwards. */
static int compare_divide(const struct compare_task *asked, struct compare_case *of,
                          struct err *err)
{
    memcpy(of->values, of->source->values, sizeof of->values);
    for (size_t i = 0; i < asked->sweep_count; i++) {
        if (!asked->sweeps[i].parameter)
            of->plain[of->plain_count++] = of->changes[i];
        else if (parameter_vary(of->source->family, &of->changes[i], of->values, err) < 0)
            return err_prepend(err, "%s", of->source->name);
    }
    return knowledge_vary(&of->knowledge, of->plain, of->plain_count, err);
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

int compare_init(struct comparison *comparison, const struct compare_task *asked, struct err *err)
{
    size_t points = compare_points(asked);
    *comparison = (struct comparison){.asked = *asked};
    if (asked->first_seed == 0)
        comparison->asked.first_seed = 1;
    if (compare_check_size(comparison, points, err) < 0)
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
        if (compare_divide(asked, of, err) < 0 || compare_prepare(comparison, of, err) < 0)
            return -1;
        comparison->members += of->members;
    }
    comparison->metrics =
        mem_alloc(comparison->members * asked->policy_count, sizeof *comparison->metrics);
    return comparison->metrics ? 0 : err_memory(err);
}

void compare_fini(struct comparison *comparison)
{
    free(comparison->cases);
    free(comparison->metrics);
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

/* What the threads share. */
struct compare_race {
    struct comparison *comparison;
    const struct compare_options *options;
    atomic_size_t done;
    pthread_mutex_t lock; /* of the fault */
    size_t faulty;        /* the first member that fails */
    struct err fault;
};

static const struct compare_case *compare_case_of(const struct comparison *comparison,
                                                  size_t member)
{
    const struct compare_case *of = comparison->cases;
    while (member >= of->first + of->members)
        of++;
    return of;
}

static int compare_run_policies(struct comparison *comparison, const struct compare_case *of,
                                const struct workload *workload, size_t member, struct err *err)
{
    const struct compare_task *asked = &comparison->asked;
    size_t policies = asked->policy_count;
    for (size_t p = 0; p < policies; p++) {
        const struct policy *policy = asked->policies[p];
        struct row row;
        const struct trial trial = {
            .workload = workload, .policy = policy, .knowledge = of->knowledge};
        if (trial_run(&trial, &row, err) < 0)
            return err_prepend(err, "%s", policy->name);
        comparison->metrics[member * policies + p] = row.metrics;
        row_fini(&row);
    }
    return 0;
}

static void compare_note_fault(struct compare_race *race, size_t number, const struct err *err)
{
    pthread_mutex_lock(&race->lock);
    if (number < race->faulty) {
        race->faulty = number;
        race->fault = *err;
    }
    pthread_mutex_unlock(&race->lock);
}

/* "synthetic, bandwidth=2x: seed 7", or "quickstart: run 7 of the ensemble". */
static void compare_blame(const struct comparison *comparison, const struct compare_case *of,
                          size_t member, struct err *err)
{
    char label[COMPARE_LABEL];
    compare_label(comparison, (size_t)(of - comparison->cases), false, label, sizeof label);
    if (of->ensemble)
        err_prepend(err, "%s: run %zu of the ensemble", label, member + 1);
    else
        err_prepend(err, "%s: seed %llu", label,
                    (unsigned long long)(comparison->asked.first_seed + member));
}

static int compare_turn(void *context, size_t number)
{
    struct compare_race *race = context;
    struct comparison *comparison = race->comparison;
    const struct compare_case *of = compare_case_of(comparison, number);
    uint64_t seed = comparison->asked.first_seed + (number - of->first);
    struct compare_member member;
    struct err err = {0};
    int status = member_init(&member, comparison, of, seed, &err);
    if (status == 0)
        status = compare_run_policies(comparison, of, member.workload, number, &err);
    member_fini(&member);
    if (status < 0) {
        compare_blame(comparison, of, number - of->first, &err);
        compare_note_fault(race, number, &err);
        return -1;
    }
    size_t done = atomic_fetch_add(&race->done, 1) + 1;
    if (race->options->progress)
        race->options->progress(race->options->context, (double)done / (double)comparison->members);
    return 0;
}

int compare_run(struct comparison *comparison, const struct compare_options *options,
                struct err *err)
{
    struct compare_race race = {.comparison = comparison,
                                .options = options,
                                .lock = PTHREAD_MUTEX_INITIALIZER,
                                .faulty = SIZE_MAX};
    if (parallel_run(comparison->members, options->jobs, compare_turn, &race) == 0)
        return 0;
    if (err)
        *err = race.fault;
    return -1;
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
