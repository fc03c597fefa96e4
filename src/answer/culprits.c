#include "answer/culprits.h"
#include "base/mem.h"
#include "base/stage.h"
#include "model/subset.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- groups ----------------------------------------------------------------------------------- */

/* The group of each application; those whose user or account is unknown are in one of their own,
 * the last. NULL when memory is out; free() frees. */
static uint32_t *culprits_group(const struct culprits *culprits, const struct workload *workload)
{
    uint32_t *groups = mem_alloc(workload->count, sizeof *groups);
    for (uint32_t id = 0; groups && id < workload->count; id++) {
        bool whole = culprits->by == CULPRITS_APPLICATIONS;
        uint32_t party = whole ? 0 : workload_party(workload, (enum party_kind)culprits->by, id);
        groups[id] = whole ? id : party > 0 ? party - 1 : culprits->count - 1;
    }
    return groups;
}

static int culprits_name(struct culprits *culprits, const struct workload *workload,
                         struct err *err)
{
    const struct parties *parties =
        culprits->by == CULPRITS_APPLICATIONS ? NULL : &workload->parties[culprits->by];
    culprits->count = parties ? parties->count + 1 : workload->count;
    culprits->list = mem_alloc(culprits->count, sizeof *culprits->list);
    if (!culprits->list)
        return err_memory(err);
    for (uint32_t i = 0; i < culprits->count; i++) {
        struct culprit *culprit = &culprits->list[i];
        culprit->app = i;
        culprit->without = NAN;
        if (!parties)
            app_label(&workload->apps[i], culprit->name, APP_LABEL);
        else
            snprintf(culprit->name, APP_LABEL, "%s", i < parties->count ? parties->names[i] : "-");
    }
    return 0;
}

/* Whether the user or account of some application is unknown. */
static bool culprits_have_strangers(const struct culprits *culprits,
                                    const struct workload *workload)
{
    for (uint32_t id = 0; id < workload->count; id++)
        if (workload_party(workload, (enum party_kind)culprits->by, id) == 0)
            return true;
    return false;
}

/* --- charging --------------------------------------------------------------------------------- */

static double culprit_charged(const struct blame_account *account)
{
    return account->caused + account->own;
}

static void culprits_add_part(struct culprits *culprits, const struct blame_account *accounts,
                              uint32_t part)
{
    for (uint32_t i = 0; i < culprits->count; i++) {
        struct blame_account *account = &culprits->list[i].account;
        account->caused += accounts[i].caused;
        account->own += accounts[i].own;
        account->suffered += accounts[i].suffered;
        account->idle += accounts[i].idle;
        culprits->parts[part] += accounts[i].suffered;
        culprits->idle += accounts[i].idle;
    }
    culprits->lost += culprits->parts[part];
}

static void culprits_add(struct culprits *culprits, const struct blame *blame)
{
    struct culprits_worst *worst = &culprits->worst;
    double start = culprits->outcome->start;
    double length = (culprits->outcome->end - start) / CULPRITS_PARTS;
    uint32_t part = 0, most = 0;
    for (uint32_t i = 0; i < CULPRITS_PARTS; i++) {
        culprits_add_part(culprits, blame_accounts(blame, i), i);
        part = culprits->parts[i] > culprits->parts[part] ? i : part;
    }
    const struct blame_account *accounts = blame_accounts(blame, part);
    for (uint32_t i = 1; i < culprits->count; i++)
        most = culprit_charged(&accounts[i]) > culprit_charged(&accounts[most]) ? i : most;
    *worst = (struct culprits_worst){.start = start + part * length,
                                     .end = start + (part + 1) * length,
                                     .lost = culprits->parts[part],
                                     .charged = culprit_charged(&accounts[most])};
    memcpy(worst->name, culprits->list[most].name, APP_LABEL);
}

static int culprits_compare_pairs(const void *a, const void *b)
{
    const struct blame_pair *x = a, *y = b;
    if (x->lost != y->lost)
        return x->lost > y->lost ? -1 : 1;
    if (x->suffers != y->suffers)
        return x->suffers < y->suffers ? -1 : 1;
    return (x->causes > y->causes) - (x->causes < y->causes);
}

/* Keeps the pairs in which most is lost, while the list is still in the order of the groups. */
static int culprits_add_pairs(struct culprits *culprits, const struct blame *blame, struct err *err)
{
    const struct blame_pairs *found = blame_pairs(blame);
    struct blame_pair *sorted = found ? mem_alloc(found->count, sizeof *sorted) : NULL;
    if (!sorted)
        return err_memory(err);
    if (found->count) {
        memcpy(sorted, found->list, found->count * sizeof *sorted);
        qsort(sorted, found->count, sizeof *sorted, culprits_compare_pairs);
    }
    size_t most = culprits->most_pairs < found->count ? culprits->most_pairs : found->count;
    culprits->pairs_met = found->count;
    culprits->pairs = mem_alloc(most, sizeof *culprits->pairs);
    for (size_t i = 0; culprits->pairs && i < most && sorted[i].lost > 0; i++) {
        struct culprits_pair *pair = &culprits->pairs[culprits->pair_count++];
        pair->pair = sorted[i];
        memcpy(pair->suffers, culprits->list[sorted[i].suffers].name, APP_LABEL);
        memcpy(pair->causes, culprits->list[sorted[i].causes].name, APP_LABEL);
    }
    free(sorted);
    return culprits->pairs ? 0 : err_memory(err);
}

/* Where the run begins and ends: a window says so, else a run without charges finds out. 0 or -1.
 */
static int culprits_span(const struct workload *workload, const struct policy *policy,
                         const struct sim_options *how, struct blame_task *question,
                         struct err *err)
{
    if (workload->window.kind == WINDOW_FIXED) {
        question->start = workload->window.start;
        question->end = workload->window.end;
        return 0;
    }
    struct outcome *outcome = sim_run(workload, policy, how, err);
    if (!outcome)
        return -1;
    question->start = outcome->start;
    question->end = outcome->end;
    outcome_free(outcome);
    return 0;
}

/* Charges part by part while the workload runs: a timeline would need memory for every change of
 * every rate. 0 or -1. */
static int culprits_charge(struct culprits *culprits, const struct study *study,
                           const struct policy *policy, struct sim_options how,
                           const struct blame_task *question, struct err *err)
{
    struct blame *blame = blame_new(question, err);
    if (!blame)
        return -1;
    const struct watcher watcher = blame_watcher(blame);
    how.watcher = &watcher;
    culprits->outcome = sim_run(study->workload, policy, &how, err);
    int status = culprits->outcome ? 0 : -1;
    if (status == 0 && question->pairs)
        status = culprits_add_pairs(culprits, blame, err);
    if (status == 0)
        culprits_add(culprits, blame);
    blame_free(blame);
    return status;
}

static int culprits_run(struct culprits *culprits, const struct study *study,
                        const struct policy *policy, const struct plan *plan, struct err *err)
{
    const struct stage_host *host = stage_host();
    const struct sim_options how = {
        .plan = plan, .progress = host->show, .stop = host->stop, .context = host->context};
    uint32_t *groups = culprits_group(culprits, study->workload);
    struct blame_task question = {.workload = study->workload,
                                  .groups = groups,
                                  .group_count = culprits->count,
                                  .parts = CULPRITS_PARTS,
                                  .pairs = culprits->most_pairs > 0};
    if (!groups)
        return err_memory(err);
    int status = culprits_span(study->workload, policy, &how, &question, err);
    if (status == 0)
        status = culprits_charge(culprits, study, policy, how, &question, err);
    free(groups);
    return status;
}

static int culprits_compare(const void *a, const void *b)
{
    const struct culprit *x = a, *y = b;
    if (x->account.caused != y->account.caused)
        return x->account.caused < y->account.caused ? 1 : -1;
    return (x->app > y->app) - (x->app < y->app);
}

int culprits_find(struct culprits *culprits, const struct study *study, const struct policy *policy,
                  const struct plan *plan, struct err *err)
{
    if (culprits_name(culprits, study->workload, err) < 0)
        return -1;
    stage_begin(study->workload->name, policy->name);
    int status = culprits_run(culprits, study, policy, plan, err);
    stage_end();
    qsort(culprits->list, culprits->count, sizeof *culprits->list, culprits_compare);
    /* Unknown users are there only if there are any: without, they have caused nothing, and are the
     * last. */
    if (culprits->by != CULPRITS_APPLICATIONS &&
        !culprits_have_strangers(culprits, study->workload))
        culprits->count--;
    return status;
}

void culprits_fini(struct culprits *culprits)
{
    free(culprits->list);
    free(culprits->pairs);
    outcome_free(culprits->outcome);
}

bool culprits_see_any(const struct culprits *culprits, const struct study *study)
{
    const struct outcome *outcome = culprits->outcome;
    for (uint32_t id = 0; id < outcome->count; id++)
        if (study->workload->apps[id].facts.release < outcome->end &&
            !(outcome->apps[id].completion <= outcome->start))
            return true;
    return false;
}

/* --- with it and without it ------------------------------------------------------------------- */

/* What all but one application lose. */
static double culprits_lost_by_others(const struct outcome *outcome, uint32_t id)
{
    double lost = 0;
    for (uint32_t i = 0; i < outcome->count; i++)
        lost += i == id ? 0 : outcome->spans[i].lost;
    return lost;
}

static int culprit_try_without(struct culprit *culprit, const struct culprits *culprits,
                               const struct study *study, const struct policy *policy,
                               struct err *err)
{
    struct workload *less = workload_without(study->workload, culprit->app, err);
    struct outcome *outcome = less ? sim_run(less, policy, NULL, err) : NULL;
    if (outcome)
        culprit->without = culprits_lost_by_others(culprits->outcome, culprit->app) -
                           culprits_lost_by_others(outcome, UINT32_MAX);
    workload_free(less);
    outcome_free(outcome);
    return outcome ? 0 : -1;
}

int culprits_try_without(struct culprits *culprits, const struct study *study,
                         const struct policy *policy, uint32_t few, struct err *err)
{
    int status = 0;
    if (culprits->by != CULPRITS_APPLICATIONS || culprits->count < 2 ||
        policy->ops->flags & WEIR_NEEDS_PLAN)
        return 0;
    stage_begin(study->workload->name, "running without each");
    for (uint32_t i = 0; i < few && status == 0; i++) {
        stage_show((double)i / few);
        status = culprit_try_without(&culprits->list[i], culprits, study, policy, err);
    }
    stage_end();
    return status;
}
