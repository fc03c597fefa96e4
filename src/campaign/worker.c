#include "campaign/worker.h"
#include "gen/gen.h"
#include "trial/trial.h"
#include <stdlib.h>
#include <string.h>

void campaign_worker_init(struct campaign_worker *worker, const struct campaign *campaign)
{
    *worker = (struct campaign_worker){.campaign = campaign};
}

void campaign_worker_fini(struct campaign_worker *worker)
{
    workload_free(worker->workload);
    scenario_fini_varied(&worker->varied);
    scenario_free(worker->made);
    free(worker->parameters);
    campaign_worker_init(worker, worker->campaign);
}

static void worker_make(struct campaign_worker *worker, const struct campaign_workload *workload)
{
    const struct campaign_source *source = workload->source;
    worker->parameters = campaign_parameters(workload, 0);
    if (!worker->parameters) {
        err_memory(&worker->fault);
        return;
    }
    if (source->family) {
        worker->made = family_make(source->family, source->values, workload->seed, &worker->fault);
        if (!worker->made)
            return;
    }
    const struct scenario *original = worker->made ? worker->made : source->scenario;
    if (campaign_vary(workload, original, &worker->varied, &worker->knowledge, &worker->fault) == 0)
        worker->workload = workload_realise(&worker->varied, &worker->fault);
}

/* What a run that failed still has. */
static void worker_note_failure(const struct campaign_worker *worker,
                                const struct campaign_workload *workload,
                                const struct policy *policy, struct run_result *result,
                                const struct err *fault)
{
    const struct campaign_source *source = workload->source;
    struct row *row = &result->row;
    row->made.version = row_version;
    row->made.scenario = source->scenario ? source->scenario->name : source->family->name;
    row->made.seed = workload->seed;
    if (worker->workload) {
        row->made = row_provenance(worker->workload);
        row->made.scenario =
            arena_strndup(&row->arena, row->made.scenario, strlen(row->made.scenario));
        row->hash = worker->workload->hash;
        row->window = worker->workload->window;
    }
    row->policy = policy->name;
    result->error = arena_strndup(&row->arena, fault->text, strlen(fault->text));
    if (!result->error || !row->made.scenario)
        result->error = row->made.scenario = "out of memory";
}

/* The text in the row's arena, or an error. */
static const char *worker_keep(struct run_result *result, const char *text)
{
    char *copy = arena_strndup(&result->row.arena, text, strlen(text));
    if (copy)
        return copy;
    result->error = "out of memory";
    result->row.count = 0;
    return "";
}

/* Those of the workload, or with the content of the strategy's file. */
static void worker_keep_parameters(const struct campaign_worker *worker,
                                   const struct campaign_workload *workload, uint64_t content,
                                   struct run_result *result)
{
    char *own = content ? campaign_parameters(workload, content) : NULL;
    const char *text = own ? own : worker->parameters;
    result->parameters = worker_keep(result, text ? text : "{}");
    free(own);
}

void campaign_worker_run(struct campaign_worker *worker, size_t run, struct run_result *result)
{
    const struct campaign *campaign = worker->campaign;
    const struct policy *policy = campaign->policies[run % campaign->policy_count];
    size_t number = run / campaign->policy_count;
    const struct campaign_workload workload = campaign_workload(campaign, number);
    struct err fault = {0};
    if (worker->number != number + 1) {
        campaign_worker_fini(worker);
        worker->number = number + 1;
        worker_make(worker, &workload);
    }
    *result = (struct run_result){.identity = campaign->identities[run],
                                  .family = workload.source->family ? workload.source->family->name
                                                                    : NULL,
                                  .platform = workload.platform->name};
    struct trial trial = {
        .workload = worker->workload, .policy = policy, .knowledge = worker->knowledge};
    if (!worker->workload)
        worker_note_failure(worker, &workload, policy, result, &worker->fault);
    else if (trial_run(&trial, &result->row, &fault) < 0)
        worker_note_failure(worker, &workload, policy, result, &fault);
    worker_keep_parameters(worker, &workload, campaign->contents[run % campaign->policy_count],
                           result);
}
