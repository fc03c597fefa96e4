#include "experiment/worker.h"
#include "experiment/apart.h"
#include "gen/gen.h"
#include "trial/trial.h"
#include <stdlib.h>
#include <string.h>

void campaign_worker_init(struct campaign_worker *worker, const struct campaign *campaign)
{
    *worker = (struct campaign_worker){.campaign = campaign, .patience = APART_PATIENCE};
}

void campaign_worker_fini(struct campaign_worker *worker)
{
    workload_free(worker->workload);
    campaign_draw_fini(&worker->draw);
    free(worker->parameters);
    *worker = (struct campaign_worker){.campaign = worker->campaign, .patience = worker->patience};
}

/* The realised workload; members of an ensemble differ from it by next to nothing. */
static struct workload *worker_realise(const struct campaign_workload *workload,
                                       const struct scenario *varied, struct err *err)
{
    struct workload *plain = workload_realise(varied, err);
    if (!plain || !workload->ensemble)
        return plain;
    struct workload *member = workload_perturb(plain, GEN_ENSEMBLE, workload->seed, err);
    workload_free(plain);
    return member;
}

static void worker_make(struct campaign_worker *worker, const struct campaign_workload *workload)
{
    worker->parameters = campaign_parameters(workload, 0);
    if (!worker->parameters)
        err_memory(&worker->fault);
    else if (campaign_draw(workload, &worker->draw, &worker->fault) == 0)
        worker->workload = worker_realise(workload, &worker->draw.varied, &worker->fault);
}

/* What a run that failed still has. */
static void worker_note_failure(const struct campaign_worker *worker,
                                const struct campaign_workload *workload,
                                const struct policy *policy, struct run_result *result,
                                const struct err *fault)
{
    const struct experiment_source *source = workload->source;
    struct row *row = &result->row;
    row->made.version = row_version;
    row->made.scenario = source->scenario ? source->scenario->name : campaign_family(source);
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

/* One run, of whose workload the worker has what it needs. */
struct worker_turn {
    const struct campaign_worker *worker;
    const struct campaign_workload *workload;
    size_t run;
    struct apart apart; /* for a plug-in: then `stop` shows life */
};

static struct run_result worker_blank(const struct worker_turn *turn)
{
    const struct campaign_workload *workload = turn->workload;
    const int64_t *identities = turn->worker->campaign->identities;
    return (struct run_result){.identity = identities ? identities[turn->run] : 0,
                               .family = campaign_family(workload->source),
                               .platform = workload->platform->name};
}

static const struct policy *worker_policy(const struct worker_turn *turn)
{
    const struct campaign *campaign = turn->worker->campaign;
    return campaign->policies[turn->run % campaign->policy_count];
}

/* Those of the workload, or with the content of the strategy's file. */
static void worker_keep_parameters(const struct worker_turn *turn, struct run_result *result)
{
    const struct campaign *campaign = turn->worker->campaign;
    uint64_t content =
        campaign->contents ? campaign->contents[turn->run % campaign->policy_count] : 0;
    char *own = content ? campaign_parameters(turn->workload, content) : NULL;
    const char *text = own ? own : turn->worker->parameters;
    result->parameters = worker_keep(result, text ? text : "{}");
    free(own);
}

/* A result that has only the fault. */
static void worker_fail(const struct worker_turn *turn, const struct err *fault,
                        struct run_result *result)
{
    *result = worker_blank(turn);
    worker_note_failure(turn->worker, turn->workload, worker_policy(turn), result, fault);
    worker_keep_parameters(turn, result);
}

static void worker_simulate(void *context, struct run_result *result)
{
    struct worker_turn *turn = context;
    const struct campaign_worker *worker = turn->worker;
    struct err fault = {0};
    struct trial trial = {.workload = worker->workload,
                          .policy = worker_policy(turn),
                          .knowledge = worker->draw.knowledge};
    if (turn->apart.work)
        trial.options =
            (struct sim_options){.stop = apart_beat, .context = (void *)(uintptr_t)&turn->apart};
    *result = worker_blank(turn);
    if (trial_run(&trial, &result->row, &fault) == 0) {
        result->row.made.seed = turn->workload->seed; /* also of a member of an ensemble */
        worker_keep_parameters(turn, result);
    } else {
        result_fini(result);
        worker_fail(turn, &fault, result);
    }
}

/* A plug-in runs in a process of its own; how that ends is the error of the result. */
static void worker_simulate_apart(struct worker_turn *turn, struct run_result *result)
{
    struct err fault = {0};
    turn->apart = (struct apart){worker_simulate, turn, turn->worker->patience};
    if (apart_run(&turn->apart, result, &fault) < 0)
        worker_fail(turn, &fault, result);
}

void campaign_worker_run(struct campaign_worker *worker, size_t run, struct run_result *result)
{
    const struct campaign *campaign = worker->campaign;
    size_t number = run / campaign->policy_count;
    const struct campaign_workload workload = campaign_workload(campaign, number);
    struct worker_turn turn = {.worker = worker, .workload = &workload, .run = run};
    if (worker->number != number + 1) {
        campaign_worker_fini(worker);
        worker->number = number + 1;
        worker_make(worker, &workload);
    }
    if (!worker->workload)
        worker_fail(&turn, &worker->fault, result);
    else if (worker_policy(&turn)->path && !campaign->together)
        worker_simulate_apart(&turn, result);
    else
        worker_simulate(&turn, result);
}
