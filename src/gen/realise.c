#include "base/mem.h"
#include "gen/draw.h"
#include "gen/gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How many times as long as the applications take alone a drawn series lasts where there is no
 * window, and the most values it has. */
#define HEALTH_TIMES 4
#define HEALTH_MOST  (1 << 20)

/* An application while it is drawn. */
struct realise_source {
    const struct app_spec *spec;
    const struct app_places *places; /* or NULL */
    uint64_t seed;
    uint32_t stream; /* index of the application */
};

static double add_noise(double value, double noise, struct random *random)
{
    return noise > 0 ? value * (1 + random_between(random, -noise, noise)) : value;
}

static double draw_amount(const struct amount *amount, struct random *random)
{
    return amount->random ? draw_value(amount->random, random) : amount->mean;
}

/* Work and I/O of an iteration have places of their own in the stream, so that changing how one is
 * drawn leaves the other as it was. */
static struct iteration make_iteration(const struct realise_source *source, uint32_t k)
{
    const struct app_spec *spec = source->spec;
    struct random work = random_at(source->seed, source->stream, 2 * k);
    struct random io = random_at(source->seed, source->stream, 2 * k + 1);
    struct iteration mean;
    if (spec->explicit_iterations)
        mean = spec->explicit_iterations[k];
    else
        mean = (struct iteration){draw_amount(&spec->work, &work), draw_amount(&spec->io, &io)};
    return (struct iteration){add_noise(mean.work, spec->noise_work, &work),
                              add_noise(mean.volume, spec->noise_io, &io)};
}

/* Room for iterations, with the places before them if there are any; NULL when memory is out. */
static struct iteration *realise_allocate(struct app *app, uint32_t count,
                                          const struct app_places *places, struct arena *arena)
{
    app->placed = places != NULL;
    if (!places)
        return arena_alloc(arena, count, sizeof(struct iteration));
    size_t size = sizeof(struct app_placed) + count * sizeof(struct iteration);
    struct app_placed *placed = arena_alloc(arena, size, 1);
    if (!placed)
        return NULL;
    placed->places = places;
    return placed->list;
}

/* Sets the iterations; -1 when memory is out. */
static int realise_fill_phases(struct app *app, const struct realise_source *source,
                               struct arena *arena)
{
    const struct app_spec *spec = source->spec;
    uint32_t count = spec->iterations;
    bool drawn = app_spec_drawn(spec);
    app->facts.iterations = count;
    app->stride = drawn || spec->explicit_iterations;
    if (spec->explicit_iterations && !drawn && !source->places) {
        app->iterations = spec->explicit_iterations;
    } else {
        uint32_t stored = app->stride ? count : 1;
        struct iteration *iterations = realise_allocate(app, stored, source->places, arena);
        if (!iterations)
            return -1;
        for (uint32_t k = 0; k < stored; k++)
            iterations[k] = make_iteration(source, k);
        app->iterations = iterations;
    }
    app->room = INFINITY;
    app_profile(app);
    return 0;
}

static const char *realise_user(const struct app_spec *spec)
{
    return spec->extra ? spec->extra->names[PARTY_USER] : NULL;
}

/* What the application can move alone where this is the bandwidth: by its nodes, and by its limits
 * too. */
static double realise_alone(const struct app_spec *spec, const struct workload *workload,
                            double bandwidth, double *nodes)
{
    struct platform platform = workload->platform;
    platform.bandwidth = bandwidth;
    *nodes = app_spec_bmax(spec, &platform);
    if (workload->limits.count == 0)
        return *nodes;
    return limits_alone(*nodes, limits_of_name(&workload->limits, spec->name).bandwidth,
                        limits_of_user(&workload->limits, realise_user(spec)).bandwidth);
}

/* Which channels it uses, and how fast; NULL when memory is out. */
static const struct app_places *realise_places(struct workload *workload,
                                               const struct scenario *scenario,
                                               const struct app_spec *spec)
{
    struct app_places *places = arena_alloc(&workload->arena, 1, sizeof *places);
    bool each = spec->explicit_iterations && spec->extra && spec->extra->places;
    uint8_t *channels = each ? arena_alloc(&workload->arena, spec->iterations, 1) : NULL;
    if (!places || (each && !channels))
        return NULL;
    for (uint32_t s = 0; s < workload_channels(workload); s++)
        places->bmax[s] = realise_alone(spec, workload, workload_bandwidth(workload, s),
                                        &places->nodes[s]);
    for (uint32_t k = 0; each && k < spec->iterations; k++)
        channels[k] = (uint8_t)scenario_channel(scenario, app_spec_place(spec, k));
    places->channels = channels;
    places->only = (uint8_t)scenario_channel(scenario, app_spec_place(spec, 0));
    return places;
}

/* The largest bandwidth of those channels that it uses. */
static double realise_fastest(const struct app_places *places, uint32_t iterations)
{
    double most = places->bmax[places->only];
    for (uint32_t k = 0; places->channels && k < iterations; k++)
        most = fmax(most, places->bmax[places->channels[k]]);
    return most;
}

static void fill_facts(struct app *app, const struct realise_source *source,
                       const struct workload *workload)
{
    const struct app_spec *spec = source->spec;
    double nodes, bmax = realise_alone(spec, workload, workload->platform.bandwidth, &nodes);
    if (source->places)
        bmax = realise_fastest(source->places, spec->iterations);
    app->facts = (struct weir_app){.nodes = workload->nodes_known ? spec->nodes : bmax,
                                   .bmax = bmax,
                                   .release = spec->release,
                                   .progress = spec->progress,
                                   .weight = spec->weight,
                                   .period = spec->period};
    app->name = spec->name;
    if (workload->limits.count == 0)
        return;
    /* A limit lowers what it can move, not its weight against others. */
    double weight = limits_of_name(&workload->limits, spec->name).weight;
    app->facts.weight = weight > 0 ? weight : spec->weight;
    app->facts.share = (float)((weight > 0 ? weight : 1) * nodes / bmax);
}

/* What is rare about applications, if it is there; -1 when memory is out. */
static int realise_rare(struct workload *workload, const struct scenario *scenario)
{
    bool any = false;
    for (uint32_t i = 0; i < scenario->count; i++)
        any |= scenario->apps[i].calls > 0 || scenario->apps[i].waiting > 0;
    if (!any)
        return 0;
    struct app_rare *rare = arena_alloc(&workload->arena, workload->count, sizeof *rare);
    for (uint32_t i = 0, id = 0; rare && i < scenario->count; i++) {
        const struct app_spec *spec = &scenario->apps[i];
        for (uint32_t replica = 0; replica < spec->count; replica++)
            rare[id++] = (struct app_rare){.waiting = spec->waiting, .calls = spec->calls};
    }
    workload->rare = rare;
    return rare ? 0 : -1;
}

/* The lengths that are declared, if any is; -1 when memory is out. */
static int realise_lengths(struct workload *workload, const struct scenario *scenario)
{
    bool any = false;
    for (uint32_t i = 0; i < scenario->count; i++)
        any |= app_spec_length(&scenario->apps[i]) > 0;
    if (!any)
        return 0;
    double *lengths = arena_alloc(&workload->arena, workload->count, sizeof *lengths);
    for (uint32_t i = 0, id = 0; lengths && i < scenario->count; i++)
        for (uint32_t replica = 0; replica < scenario->apps[i].count; replica++)
            lengths[id++] = app_spec_length(&scenario->apps[i]);
    workload->lengths = lengths;
    return lengths ? 0 : -1;
}

/* The channels of the stores; a single one is the platform. -1 when memory is out. */
static int realise_channels(struct workload *workload, const struct scenario *scenario)
{
    struct store_channel list[STORE_CHANNELS];
    uint32_t count = stores_plan(&scenario->stores, scenario->platform.bandwidth, list);
    workload->limits = scenario->limits;
    workload->policy = scenario->policy;
    if (scenario->stores.count == 0)
        return 0;
    if (count == 1) {
        workload->platform.bandwidth = list[0].bandwidth;
        if (list[0].nature)
            workload->platform.store = list[0].nature;
    }
    struct store_channel *channels = arena_alloc(&workload->arena, count, sizeof *channels);
    if (!channels)
        return -1;
    memcpy(channels, list, count * sizeof *channels);
    workload->channels = channels;
    workload->channel_count = count;
    return 0;
}

/* What follows from the scenario as a whole; -1 when memory is out. */
static int realise_prepare(struct workload *workload, const struct scenario *scenario)
{
    workload->name = scenario->name;
    workload->seed = scenario->seed;
    workload->hash = scenario_hash(scenario);
    workload->platform = scenario->platform;
    workload->nodes_known = true;
    for (uint32_t i = 0; i < scenario->count; i++) {
        workload->count += scenario->apps[i].count;
        workload->nodes_known &= scenario->apps[i].nodes > 0;
    }
    workload->apps = arena_alloc(&workload->arena, workload->count, sizeof *workload->apps);
    if (!workload->apps || realise_rare(workload, scenario) != 0 ||
        realise_channels(workload, scenario) != 0)
        return -1;
    return realise_lengths(workload, scenario);
}

/* Where the draws of a specification begin, whose first application has this index: those of the
 * one that is drawn last follow all others. */
static uint32_t realise_stream(const struct workload *workload, const struct scenario *scenario,
                               uint32_t first, const struct app_spec *spec)
{
    const struct app_spec *last = scenario->drawn_last;
    if (!last || spec < last)
        return first;
    return spec == last ? workload->count - last->count : first - last->count;
}

/* Makes the replicas of one specification, from application `first` on. Those that are not drawn
 * are alike and share their phases. */
static int replicate(struct workload *workload, uint32_t first, const struct scenario *scenario,
                     const struct app_spec *spec)
{
    uint32_t stream = realise_stream(workload, scenario, first, spec);
    bool drawn = app_spec_drawn(spec);
    const struct app_places *places = NULL;
    if ((workload->channel_count > 1 || workload->limits.count > 0) &&
        !(places = realise_places(workload, scenario, spec)))
        return -1;
    for (uint32_t i = 0; i < spec->count; i++) {
        struct app *app = &workload->apps[first + i];
        struct realise_source source = {
            .spec = spec, .places = places, .seed = scenario->seed, .stream = stream + i};
        if (i > 0 && !drawn) {
            *app = workload->apps[first];
        } else {
            fill_facts(app, &source, workload);
            if (realise_fill_phases(app, &source, &workload->arena) != 0)
                return -1;
        }
        app->replica = spec->count > 1 ? (i + 1) & (UINT32_MAX >> 1) : 0;
    }
    return 0;
}

/* Of an account that is not given, the one that the shares list for the user; NULL if unknown. */
static const char *realise_party(const struct scenario *scenario, const struct app_spec *spec,
                                 enum party_kind kind)
{
    const struct app_extra *owner = spec->extra;
    if (!owner)
        return NULL;
    if (kind != PARTY_ACCOUNT || owner->names[kind] || !owner->names[PARTY_USER])
        return owner->names[kind];
    return scenario->shares ? shares_account_of(scenario->shares, owner->names[PARTY_USER]) : NULL;
}

/* Numbers the parties of one kind; `texts` and `numbers` have room for each specification. */
static int realise_number(struct workload *workload, const struct scenario *scenario,
                          enum party_kind kind, const char **texts, uint32_t *numbers)
{
    struct owner *owner = (struct owner *)workload->owners;
    for (uint32_t i = 0; i < scenario->count; i++)
        texts[i] = realise_party(scenario, &scenario->apps[i], kind);
    if (parties_number(&workload->parties[kind], texts, numbers, scenario->count,
                       &workload->arena) != 0)
        return -1;
    for (uint32_t i = 0; i < scenario->count; i++)
        for (uint32_t k = 0; k < scenario->apps[i].count; k++)
            owner++->numbers[kind] = numbers[i];
    return 0;
}

/* Notes whose the applications are, if that is known of any; -1 when memory is out. */
static int realise_owners(struct workload *workload, const struct scenario *scenario)
{
    bool owned = false;
    for (uint32_t i = 0; i < scenario->count; i++)
        for (int kind = 0; scenario->apps[i].extra && kind < PARTY_KINDS; kind++)
            owned |= scenario->apps[i].extra->names[kind] != NULL;
    workload->shares = scenario->shares;
    if (!owned)
        return 0;
    const char **texts = mem_alloc(scenario->count, sizeof *texts);
    uint32_t *numbers = mem_alloc(scenario->count, sizeof *numbers);
    workload->owners = arena_alloc(&workload->arena, workload->count, sizeof *workload->owners);
    bool failed = !texts || !numbers || !workload->owners;
    for (int kind = 0; kind < PARTY_KINDS && !failed; kind++)
        failed = realise_number(workload, scenario, (enum party_kind)kind, texts, numbers) != 0;
    free(texts);
    free(numbers);
    return failed ? -1 : 0;
}

/* All but the window; -1 when memory is out. */
static int realise_apps(struct workload *workload, const struct scenario *scenario)
{
    uint32_t first = 0;
    if (realise_prepare(workload, scenario) != 0)
        return -1;
    for (uint32_t i = 0; i < scenario->count; i++) {
        if (replicate(workload, first, scenario, &scenario->apps[i]) != 0)
            return -1;
        first += scenario->apps[i].count;
    }
    if (realise_owners(workload, scenario) != 0)
        return -1;
    if (workload->platform.nodes > 0 && workload->nodes_known)
        return 0;
    struct occupancy occupancy;
    if (workload_occupancy(workload, 0, INFINITY, &occupancy) != 0)
        return -1;
    workload->platform.nodes = occupancy.nodes;
    return 0;
}

/* Draws a series that lasts for the window, or for some times what the applications take alone;
 * then it repeats. -1 when memory is out. */
static int realise_draw_health(struct workload *workload, const struct store **nature, uint64_t seed)
{
    const struct store *declared = *nature;
    if (!declared || !declared->health.quantiles)
        return 0;
    double end = 0;
    for (uint32_t id = 0; id < workload->count; id++)
        end = fmax(end, app_start(&workload->apps[id]) + app_ideal(&workload->apps[id]));
    end = workload->window.kind == WINDOW_FIXED ? workload->window.end : HEALTH_TIMES * end;
    double count = fmin(fmax(ceil(end / declared->health.every), 1), HEALTH_MOST);
    struct store *store = arena_alloc(&workload->arena, 1, sizeof *store);
    struct health_change *changes = arena_alloc(&workload->arena, (uint32_t)count, sizeof *changes);
    if (!store || !changes)
        return -1;
    *store = *declared;
    store->health = draw_health(&declared->health, changes, (uint32_t)count, seed);
    *nature = store;
    return 0;
}

/* The platform's, and those of stores with their own bandwidth, each by a seed of its own. */
static int realise_health(struct workload *workload)
{
    struct store_channel *channels = (struct store_channel *)workload->channels;
    for (uint32_t s = 0; s < workload->channel_count; s++)
        if (realise_draw_health(workload, &channels[s].nature, workload->seed + s + 1) != 0)
            return -1;
    return realise_draw_health(workload, &workload->platform.store, workload->seed);
}

struct workload *workload_realise(const struct scenario *scenario, struct err *err)
{
    struct workload *workload = mem_alloc(1, sizeof *workload);
    if (!workload || realise_apps(workload, scenario) != 0)
        err_memory(err);
    else if (workload_set_window(workload, scenario->window, err) == 0) {
        if (realise_health(workload) == 0)
            return workload;
        err_memory(err);
    }
    workload_free(workload);
    return NULL;
}
