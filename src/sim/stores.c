#include "sim/stores.h"
#include "base/maths.h"
#include "base/mem.h"
#include "sim/state.h"
#include <stdlib.h>
#include <string.h>

/* --- the store at hand ------------------------------------------------------------------------ */

void stores_go(struct sim *sim, uint32_t channel)
{
    struct sim_stores *stores = sim->stores;
    if (channel == stores->here)
        return;
    state_take(sim, &stores->list[stores->here].parts);
    state_bring(sim, &stores->list[channel].parts);
    stores->here = channel;
}

static struct sim_channel *stores_here(struct sim *sim)
{
    return &sim->stores->list[sim->stores->here];
}

/* --- making and freeing ----------------------------------------------------------------------- */

/* The applications as this store's strategy sees them. -1 when memory is out. */
static int stores_copy_apps(struct sim_channel *channel, const struct workload *workload,
                            uint32_t s)
{
    struct app *apps = mem_alloc(workload->count, sizeof *apps);
    if (!apps)
        return -1;
    channel->workload.apps = apps;
    for (uint32_t id = 0; id < workload->count; id++) {
        const struct app_places *places = app_places(&workload->apps[id]);
        apps[id] = workload->apps[id];
        struct weir_app *facts = &apps[id].facts;
        facts->bmax = places->bmax[s];
        /* Its own weight against others; without limits it is 1, as the strategy assumes. */
        if (workload->limits.count > 0) {
            double own = limits_of_name(&workload->limits, apps[id].name).weight;
            facts->share = (float)((own > 0 ? own : 1) * places->nodes[s] / facts->bmax);
        }
    }
    return 0;
}

/* What users may use together on this store. -1 when memory is out. */
static int stores_limit_users(struct sim_channel *channel, const struct workload *workload,
                              uint32_t s)
{
    const struct parties *parties = &workload->parties[PARTY_USER];
    channel->users = mem_alloc(parties->count + 1, sizeof *channel->users);
    channel->limited = mem_alloc(workload->count, sizeof *channel->limited);
    if (!channel->users || !channel->limited)
        return -1;
    for (uint32_t i = 1; i <= parties->count; i++) {
        struct allowance all = limits_of_user(&workload->limits, party_name(parties, i));
        channel->users[i] = (struct limited_user){.limit = all.bandwidth, .weight = all.weight};
    }
    for (uint32_t id = 0; id < workload->count; id++) {
        struct app *app = &channel->workload.apps[id];
        const struct app_places *places = app_places(app);
        double own = limits_of_name(&workload->limits, app->name).weight;
        channel->limited[id] =
            (struct limited){.facts = &app->facts,
                             .user = &channel->users[workload_party(workload, PARTY_USER, id)],
                             .nodes = places->nodes[s],
                             .alone = places->bmax[s],
                             .weight = app->facts.weight,
                             .stake = own > 0 ? own : 1,
                             .id = id};
    }
    return 0;
}

static int stores_open_channel(struct sim *sim, uint32_t s, struct err *err)
{
    struct sim_channel *channel = &sim->stores->list[s];
    const struct workload *workload = sim->workload;
    const char *own = workload->channels ? workload->channels[s].policy : NULL;
    channel->workload = *workload;
    channel->workload.platform.bandwidth = workload_bandwidth(workload, s);
    channel->workload.platform.store = workload_nature(workload, s);
    channel->parts.policy = sim->policy;
    if (own) {
        channel->own = policy_open(own, err);
        if (!channel->own)
            return err_prepend(err, "store '%s'", workload->channels[s].name);
        channel->parts.policy = channel->own;
    }
    if (stores_copy_apps(channel, workload, s) != 0 ||
        (sim->stores->by_user && stores_limit_users(channel, workload, s) != 0))
        return err_memory(err);
    return 0;
}

int stores_open(struct sim *sim, struct err *err)
{
    const struct workload *workload = sim->workload;
    struct sim_stores *stores = mem_alloc(1, sizeof *stores);
    size_t count = workload->count;
    if (!stores)
        return err_memory(err);
    sim->stores = stores;
    stores->count = workload_channels(workload);
    for (uint32_t i = 0; i < workload->limits.count; i++)
        stores->by_user |= workload->limits.list[i].by_user;
    stores->ideal = mem_alloc(count, sizeof *stores->ideal);
    stores->worked = mem_alloc(count, sizeof *stores->worked);
    stores->before = mem_alloc(count, sizeof *stores->before);
    stores->spans = mem_alloc(count * stores->count, sizeof *stores->spans);
    if (!stores->ideal || !stores->worked || !stores->before || !stores->spans)
        return err_memory(err);
    const struct policy *policy = sim->policy;
    for (uint32_t s = 0; s < stores->count; s++) {
        struct sim_channel *channel = &stores->list[s];
        sim->policy = policy;
        if (stores_open_channel(sim, s, err) != 0)
            return -1;
        struct sim_store none = channel->parts;
        state_bring(sim, &none);
        stores->here = s;
        if (state_open(sim, &channel->workload, err) != 0)
            return -1;
        state_take(sim, &channel->parts);
    }
    stores->here = stores->count - 1;
    stores_go(sim, 0);
    return 0;
}

void stores_close(struct sim *sim)
{
    struct sim_stores *stores = sim->stores;
    if (!stores)
        return;
    for (uint32_t s = 0; s < stores->count; s++) {
        struct sim_channel *channel = &stores->list[s];
        stores_go(sim, s);
        state_close(sim);
        policy_free(channel->own);
        free(channel->workload.apps);
        free(channel->limited);
        free(channel->users);
    }
    free(stores->ideal);
    free(stores->worked);
    free(stores->before);
    free(stores->spans);
    free(stores);
    sim->stores = NULL;
}

/* --- what happens ----------------------------------------------------------------------------- */

/* Whether an application ever has an I/O there. */
static bool stores_uses(const struct app *app, uint32_t channel)
{
    const struct app_places *places = app_places(app);
    for (uint32_t k = 0; places->channels && k < app->facts.iterations; k++)
        if (places->channels[k] == channel)
            return true;
    return !places->channels && places->only == channel;
}

void stores_join(struct sim *sim, uint32_t id, double lost)
{
    struct sim_stores *stores = sim->stores;
    const struct weir_app *facts = &sim->workload->apps[id].facts;
    for (uint32_t s = 0; s < stores->count; s++) {
        stores_go(sim, s);
        const struct app *here = &stores_here(sim)->workload.apps[id];
        if (stores_uses(here, s)) {
            control_join(sim->control, sim->now, id, &here->facts, lost);
            stores->list[s].changed = true;
        } else {
            control_accompany(sim->control, sim->now, id, &here->facts, lost);
        }
    }
    /* How its earlier progress was made of work and I/O is not known: as the rest will be. */
    double total = facts->total_work + facts->total_io;
    stores->ideal[id] = sim->runs[id].done_ideal;
    stores->worked[id] = stores->ideal[id] * (total > 0 ? facts->total_work / total : 1);
}

void stores_leave(struct sim *sim, uint32_t id)
{
    for (uint32_t s = 0; s < sim->stores->count; s++) {
        stores_go(sim, s);
        if (stores_uses(&sim->workload->apps[id], s)) {
            control_leave(sim->control, sim->now, id);
            sim->stores->list[s].changed = true;
        } else {
            control_dismiss(sim->control, sim->now, id);
        }
    }
}

void stores_iterate(struct sim *sim, uint32_t id, double work)
{
    for (uint32_t s = 0; s < sim->stores->count; s++) {
        stores_go(sim, s);
        control_iterate(sim->control, id, work);
    }
    sim->stores->ideal[id] += work;
    sim->stores->worked[id] += work;
}

void stores_post(struct sim *sim, uint32_t id, uint32_t k)
{
    stores_go(sim, app_channel(&sim->workload->apps[id], k));
    sim->stores->before[id] = sim->runs[id].lost;
    stores_here(sim)->changed = true;
}

/* Where the limit of a user is divided, what an application can move changes during its I/O: what
 * was lost follows from its age. */
static double stores_correct(const struct sim *sim, uint32_t id, double lost)
{
    if (!sim->stores->by_user)
        return lost;
    const struct weir_app *facts = &sim->workload->apps[id].facts;
    return maths_max(0, sim->now - facts->release - sim->stores->ideal[id]);
}

void stores_complete(struct sim *sim, uint32_t id, double lost)
{
    struct sim_stores *stores = sim->stores;
    const struct app *app = &sim->workload->apps[id];
    uint32_t home = stores->here, k = sim->runs[id].finished - 1;
    struct iteration iteration = app_iteration(app, k);
    double alone = iteration.volume / app_bmax(app, k), ideal = iteration.work + alone;
    stores->ideal[id] += ideal;
    stores->worked[id] += iteration.work;
    if (!sim->lost) /* else it was complete some time ago */
        lost = stores_correct(sim, id, lost);
    struct app_channel_span *span = &stores->spans[home * (size_t)sim->workload->count + id];
    span->bytes += iteration.volume;
    span->alone += alone;
    span->lost += lost - stores->before[id];
    stores->list[home].changed = true;
    for (uint32_t s = 0; s < stores->count; s++) {
        stores_go(sim, s);
        if (s != home)
            control_elsewhere(sim->control, id, ideal, lost);
        else if (stores->by_user)
            control_amend(sim->control, id, lost);
    }
    stores_go(sim, home);
}

void stores_divide(struct sim *sim)
{
    struct sim_channel *channel = stores_here(sim);
    if (!sim->stores->by_user)
        return;
    /* Telling one takes it out of the list and puts it back at its end: no claim is missed. */
    const struct weir_view *view = control_view(sim->control, sim->now);
    for (uint32_t i = 0; i < view->active_count; i++)
        limits_claim(&channel->limited[view->active[i]]);
    for (uint32_t i = 0; i <= sim->workload->parties[PARTY_USER].count; i++)
        limits_divide(sim->control, sim->now, &channel->users[i], (struct limits_told){0});
}

/* --- what is measured ------------------------------------------------------------------------- */

/* Goes to the store of its current I/O; any will do while it has none. */
static const struct weir_run *stores_find_run(struct sim *sim, uint32_t id)
{
    const struct app *app = &sim->workload->apps[id];
    uint32_t k = sim->runs[id].finished;
    stores_go(sim, app_channel(app, k < app->facts.iterations ? k : app->facts.iterations - 1));
    return &sim->runs[id];
}

/* What its current I/O has moved and lost. */
static struct app_channel_span stores_current(struct sim *sim, uint32_t id)
{
    const struct weir_run *run = stores_find_run(sim, id);
    const struct weir_view *view = control_view(sim->control, sim->now);
    if (run->state < WEIR_ACTIVE)
        return (struct app_channel_span){0};
    const struct app *app = &sim->workload->apps[id];
    double bytes = run->volume - weir_remaining(view, run);
    double alone = bytes / app_bmax(app, run->finished);
    double age = sim->now - app->facts.release;
    double lost = sim->stores->by_user ? age - sim->stores->ideal[id] - run->work - alone
                                       : weir_lost(view, run);
    return (struct app_channel_span){
        .bytes = bytes, .alone = alone, .lost = lost - sim->stores->before[id]};
}

double stores_lost(struct sim *sim, uint32_t id)
{
    if (stores_find_run(sim, id)->state < WEIR_ACTIVE)
        return sim->runs[id].lost;
    return sim->stores->before[id] + stores_current(sim, id).lost;
}

double stores_worked(struct sim *sim, uint32_t id)
{
    const struct weir_run *run = stores_find_run(sim, id);
    return sim->stores->worked[id] + (run->state >= WEIR_ACTIVE ? run->work : 0);
}

struct app_channel_span stores_span(struct sim *sim, uint32_t channel, uint32_t id)
{
    struct app_channel_span span =
        sim->stores->spans[channel * (size_t)sim->workload->count + id];
    struct app_channel_span current = stores_current(sim, id);
    if (sim->stores->here != channel || sim_lingers(sim, id))
        return span;
    return (struct app_channel_span){span.bytes + current.bytes, span.alone + current.alone,
                                     span.lost + current.lost};
}
