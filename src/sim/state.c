#include "sim/state.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>

/* A strategy that follows a plan has one, for as many applications. */
static int state_check_plan(const struct sim *sim, struct err *err)
{
    const struct plan *plan = sim->options->plan;
    if (!(sim->policy->ops->flags & WEIR_NEEDS_PLAN))
        return 0;
    if (!plan)
        return err_set(err, "the strategy follows a plan, and was given none");
    if (plan->count != sim->workload->count)
        return err_set(err, "the plan is for %u applications, there are %u", plan->count,
                       sim->workload->count);
    for (uint32_t id = 0; id < plan->count; id++)
        if (plan->apps[id].count == 0)
            return err_set(err, "the plan has no instance of application %u", id);
    return 0;
}

static int state_prepare_orders(struct sim *sim, struct err *err)
{
    const struct workload *workload = sim->workload;
    struct sim_order *posted = sim->options->posted;
    size_t most = 0; /* at most one I/O per iteration */
    for (uint32_t id = 0; posted && id < workload->count; id++)
        most += workload->apps[id].facts.iterations;
    if (posted)
        *posted = (struct sim_order){.ids = mem_alloc(most, sizeof *posted->ids)};
    if (sim->options->order)
        sim->early = mem_alloc(workload->count, sizeof *sim->early);
    bool complete = (!posted || posted->ids) && (!sim->options->order || sim->early);
    return complete ? 0 : err_memory(err);
}

/* With shares, the controller knows whose the applications are. */
static int state_place(struct sim *sim, const struct workload *workload, struct err *err)
{
    if (!workload->shares)
        return 0;
    if (control_share(sim->control, workload->shares, err) != 0)
        return -1;
    for (uint32_t id = 0; id < workload->count; id++) {
        const struct parties *parties = workload->parties;
        struct control_party party = {
            .account =
                party_name(&parties[PARTY_ACCOUNT], workload_party(workload, PARTY_ACCOUNT, id)),
            .user = party_name(&parties[PARTY_USER], workload_party(workload, PARTY_USER, id)),
            .nodes = workload->apps[id].facts.nodes};
        if (control_place(sim->control, id, &party, err) != 0)
            return -1;
    }
    return 0;
}

/* What the controller does not know of the I/Os on its store. */
static int state_hide(struct sim *sim, const struct workload *workload, struct err *err)
{
    const struct sim_options *options = sim->options;
    if (flows_needed(workload)) {
        sim->flows = flows_new(workload, options->expected, options->blind, err);
        return sim->flows ? 0 : -1;
    }
    if (options->expected && !(sim->actual = actual_new(options->expected, options->blind)))
        return err_memory(err);
    return 0;
}

int state_open(struct sim *sim, const struct workload *workload, struct err *err)
{
    const struct sim_options *options = sim->options;
    bool window = workload->window.kind == WINDOW_FIXED;
    bool check = options->check || sim->policy->foreign;
    if (state_check_plan(sim, err))
        return -1;
    const struct curve *curve = platform_curve(&workload->platform);
    if (curve && !(sim->curve = curve_tabulate(curve, workload->count)))
        return err_memory(err);
    struct weir_setup setup = {.bandwidth = workload->platform.bandwidth,
                               .curve = sim->curve,
                               .horizon = window ? workload->window.end : INFINITY,
                               .phase_interval = workload->phase_interval,
                               .capacity = workload->count,
                               .plan = options->plan,
                               .lengths = workload->lengths,
                               .planner = &sim->planner.planner};
    sim->control = control_new(sim->policy, &setup, err);
    if (!sim->control || state_place(sim, workload, err) != 0)
        return -1;
    sim->runs = control_view(sim->control, 0)->runs;
    if (check && !(sim->check = check_new(workload->count)))
        return err_memory(err);
    /* Of several stores, each is shown what happens on the others as work. */
    if (sim->policy->foreign && !sim->stores && !(sim->untouched = untouched_new(workload)))
        return err_memory(err);
    if (state_hide(sim, workload, err) != 0)
        return -1;
    sim->bandwidth = workload->platform.bandwidth;
    sim->varies = platform_health(&workload->platform) != NULL;
    if (sim->varies)
        sim->health = health_start(&workload->platform.store->health);
    return control_blur(sim->control, options->progress_age, err);
}

void state_close(struct sim *sim)
{
    control_free(sim->control);
    actual_free(sim->actual);
    flows_free(sim->flows);
    check_free(sim->check);
    untouched_free(sim->untouched);
    free(sim->curve);
    state_bring(sim, &(struct sim_store){0});
}

/* Opens the only store, or all. */
static int state_open_all(struct sim *sim, struct err *err)
{
    const struct workload *workload = sim->workload;
    if (workload->channel_count <= 1 && workload->limits.count == 0)
        return state_open(sim, workload, err);
    if (stores_open(sim, err) != 0)
        return -1;
    if (sim->outcome && outcome_divide(sim->outcome, sim->stores->count) != 0)
        return err_memory(err);
    return 0;
}

static int state_prepare(struct sim *sim, struct err *err)
{
    const struct workload *workload = sim->workload;
    const struct sim_options *options = sim->options;
    direct_planner_init(&sim->planner);
    sim->outcome = outcome_new(workload->count);
    if (state_open_all(sim, err) != 0)
        return -1;
    if (options->timeline)
        sim->recorder = recorder_new(options->timeline, workload->count);
    if (workload->owners && (!(sim->wanting = wanting_new(workload)) || !sim->outcome ||
                             outcome_party(sim->outcome, workload->parties) != 0))
        return err_memory(err);
    if (!sim->outcome || (options->timeline && !sim->recorder) ||
        agenda_init(&sim->times, workload->count))
        return err_memory(err);
    if (options->watcher)
        sim->watcher = *options->watcher;
    else if (sim->recorder)
        sim->watcher = recorder_watcher(sim->recorder);
    sim->rates_told = sim->watcher.enter && !sim->watcher.coarse;
    if (options->release_latency > 0) {
        sim->lost = mem_alloc(workload->count, sizeof *sim->lost);
        if (!sim->lost || agenda_init(&sim->late, workload->count))
            return err_memory(err);
    }
    sim->detours = sim->lost || sim->actual || sim->flows || sim->varies || sim->stores;
    return state_prepare_orders(sim, err);
}

struct sim *sim_new(const struct workload *workload, const struct policy *policy,
                    const struct sim_options *options, struct err *err)
{
    static const struct sim_options defaults;
    struct sim *sim = mem_alloc(1, sizeof *sim);
    if (!sim) {
        err_memory(err);
        return NULL;
    }
    *sim = (struct sim){
        .workload = workload, .policy = policy, .options = options ? options : &defaults};
    policy_running = policy->path;
    if (state_prepare(sim, err)) {
        sim_free(sim);
        return NULL;
    }
    return sim;
}

void sim_free(struct sim *sim)
{
    policy_running = NULL;
    if (!sim)
        return;
    if (sim->stores)
        stores_close(sim);
    else
        state_close(sim);
    direct_planner_fini(&sim->planner);
    agenda_fini(&sim->times);
    agenda_fini(&sim->late);
    free(sim->lost);
    free(sim->early);
    recorder_free(sim->recorder);
    wanting_free(sim->wanting);
    outcome_free(sim->outcome);
    free(sim);
}
