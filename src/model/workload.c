#include "model/workload.h"
#include "base/maths.h"
#include "base/mem.h"
#include "base/text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *app_label(const struct app *app, char *buffer, size_t size)
{
    char number[16] = "";
    if (app->replica)
        snprintf(number, sizeof number, ".%u", app->replica);
    size_t room = size - 1 - strlen(number);
    size_t length = text_cut(app->name, strlen(app->name), room);
    snprintf(buffer, size, "%.*s%s", (int)length, app->name, number);
    return buffer;
}

struct iteration app_cut(const struct app *app, struct iteration whole)
{
    double work = maths_max(0, maths_min(whole.work, app->room));
    double volume = maths_max(0, app->room - work) * app_bmax(app, app->facts.iterations - 1);
    return (struct iteration){work, maths_min(volume, whole.volume)};
}

/* `done` is the sum of work and of volume. */
static void app_set_profile(struct app *app, const struct pair_sum *done)
{
    app->facts.total_work = pair_sum_value(done, 0);
    app->facts.total_io = pair_sum_value(done, 1) / app->facts.bmax;
}

/* Where each I/O takes its own time. */
static void app_profile_places(struct app *app)
{
    struct sum work = {0}, io = {0};
    for (uint32_t k = 0; k < app->facts.iterations; k++) {
        struct iteration iteration = app_iteration(app, k);
        sum_add(&work, iteration.work);
        sum_add(&io, iteration.volume / app_bmax(app, k));
    }
    app->facts.total_work = sum_value(&work);
    app->facts.total_io = sum_value(&io);
}

void app_profile(struct app *app)
{
    if (app->placed) {
        app_profile_places(app);
        return;
    }
    uint32_t before = app->facts.iterations - 1;
    struct pair_sum done = {0};
    if (app->stride == 0 && before > 0)
        done.high = before * (maths_pair){app->iterations->work, app->iterations->volume};
    for (uint32_t k = app->stride == 0 ? before : 0; k <= before; k++) {
        struct iteration iteration = app_iteration(app, k);
        pair_sum_add(&done, iteration.work, iteration.volume);
    }
    app_set_profile(app, &done);
}

void app_bytes(const struct app *app, double bytes[STORE_CHANNELS])
{
    if (!app->placed) {
        bytes[0] += app->facts.total_io * app->facts.bmax;
        return;
    }
    for (uint32_t k = 0; k < app->facts.iterations; k++)
        bytes[app_channel(app, k)] += app_iteration(app, k).volume;
}

double app_ideal(const struct app *app)
{
    return app->facts.total_work + app->facts.total_io;
}

/* Times around `end` that differ by less than this are the same, for what has begun at `start`. */
static double slack(double start, double end)
{
    return 1e-9 * (end - start) + MATHS_ROUNDING * end;
}

/* What all applications would do inside [start, end], each alone on the machine. */
struct demand {
    double start, end;
    uint64_t phases; /* that end there */
    struct sum volume[STORE_CHANNELS];
};

/* An application while it is cut so that alone it ends at a time. */
struct window_cut {
    struct sum left;      /* until that time */
    struct pair_sum done; /* work and volume of the iterations before the last */
    double slack;         /* by which a time may miss it */
    double room;          /* for the last one */
    uint32_t count;       /* of iterations, 0 = as many as there are */
};

/* Whether an iteration of this length is not the last. */
static bool cut_passes(struct window_cut *cut, struct iteration iteration, double length)
{
    cut->room = sum_value(&cut->left);
    if (length >= cut->room - cut->slack)
        return false;
    sum_add(&cut->left, -length);
    pair_sum_add(&cut->done, iteration.work, iteration.volume);
    return true;
}

static void cut_finish(struct window_cut *cut, struct app *app)
{
    if (cut->count == 0)
        return;
    bool again = cut->count == app->facts.iterations;
    app->room = again ? fmin(cut->room, app->room) : cut->room;
    app->facts.iterations = cut->count;
    if (app->stride == 0 || app->placed) {
        app_profile(app);
        return;
    }
    struct iteration last = app_iteration(app, cut->count - 1);
    pair_sum_add(&cut->done, last.work, last.volume);
    app_set_profile(app, &cut->done);
}

/* Adds what an application demands, and if it is to be cut, cuts it at the end, in one pass over
 * its phases. */
static __attribute__((always_inline)) inline void
workload_add_phases(struct demand *demand, struct app *app, bool cutting, const bool several)
{
    double bmax = app->facts.bmax, start = app_start(app);
    uint32_t channel = 0;
    double latest = demand->end + slack(demand->start, demand->end);
    struct sum time = {start, 0};
    /* One that starts after the end keeps nothing of its first iteration. */
    struct window_cut cut = {.left = {demand->end - start, 0},
                             .slack = slack(start, demand->end),
                             .room = demand->end - start,
                             .count = cutting && start > latest};
    for (uint32_t k = 0; k < app->facts.iterations && sum_value(&time) <= latest; k++) {
        struct iteration iteration = app_iteration(app, k);
        if (several) {
            bmax = app_bmax(app, k);
            channel = app_channel(app, k);
        }
        double io = iteration.volume / bmax;
        sum_add(&time, iteration.work);
        double posted = sum_value(&time);
        demand->phases += iteration.work > 0 && posted > demand->start && posted <= latest;
        sum_add(&time, io);
        double done = sum_value(&time);
        demand->phases += iteration.volume > 0 && done > demand->start && done <= latest;
        double inside = maths_min(done, demand->end) - maths_max(posted, demand->start);
        if (inside > 0)
            sum_add(&demand->volume[channel], maths_min(iteration.volume, inside * bmax));
        if (cutting && cut.count == 0 && !cut_passes(&cut, iteration, iteration.work + io))
            cut.count = k + 1;
    }
    cut_finish(&cut, app);
}

static void workload_add_demand(struct demand *demand, struct app *app, bool cutting)
{
    if (app->placed)
        workload_add_phases(demand, app, cutting, true);
    else
        workload_add_phases(demand, app, cutting, false);
}

/* The times at which the first and the last application would end, each alone. */
static void find_ends(const struct workload *workload, double *first, double *last)
{
    *first = INFINITY;
    *last = 0;
    for (uint32_t i = 0; i < workload->count; i++) {
        double end = app_start(&workload->apps[i]) + app_ideal(&workload->apps[i]);
        *first = fmin(*first, end);
        *last = fmax(*last, end);
    }
}

static double find_start(const struct workload *workload)
{
    double start = INFINITY;
    for (uint32_t i = 0; i < workload->count; i++)
        start = fmin(start, app_start(&workload->apps[i]));
    return workload->count > 0 ? start : 0;
}

int workload_occupancy(const struct workload *workload, double start, double end,
                       struct occupancy *occupancy)
{
    struct presence *list = mem_alloc(workload->count, sizeof *list);
    if (!list)
        return -1;
    for (uint32_t i = 0; i < workload->count; i++) {
        const struct app *app = &workload->apps[i];
        double begin = app_start(app);
        struct presence alone = {begin, begin + app_ideal(app), app->facts.nodes};
        list[i] = presence_clip(alone, start, end);
    }
    int status = occupancy_measure(occupancy, list, workload->count);
    free(list);
    return status;
}

/* Applications that all run together are assumed to go on forever: each counts over its own
 * length. */
static void steady_pressure(struct workload *workload)
{
    struct sum rates[STORE_CHANNELS] = {0};
    for (uint32_t i = 0; i < workload->count; i++) {
        const struct app *app = &workload->apps[i];
        double bytes[STORE_CHANNELS] = {0};
        if (!(app_ideal(app) > 0))
            continue;
        app_bytes(app, bytes);
        for (uint32_t s = 0; s < workload_channels(workload); s++)
            sum_add(&rates[s], bytes[s] / app_ideal(app));
    }
    for (uint32_t s = 0; s < workload_channels(workload); s++)
        workload->pressures[s] = sum_value(&rates[s]) / workload_bandwidth(workload, s);
}

/* Bytes wanted over those that the file systems can move in this time. */
static void demand_pressure(struct workload *workload, const struct demand *demand, double seconds)
{
    for (uint32_t s = 0; s < workload_channels(workload); s++) {
        double most = workload_bandwidth(workload, s) * seconds;
        workload->pressures[s] = most > 0 ? sum_value(&demand->volume[s]) / most : 0;
    }
}

int workload_set_window(struct workload *workload, struct window window, struct err *err)
{
    double first, last;
    if (window_validate(&window, err) != 0)
        return -1;
    find_ends(workload, &first, &last);
    bool automatic = window.kind == WINDOW_AUTO;
    if (automatic && !(first > 0))
        return err_set(err, "no window: an application has nothing to do");
    if (automatic)
        window = (struct window){.kind = WINDOW_FIXED, .end = first};

    bool whole = window.kind == WINDOW_NONE;
    struct demand demand = {.start = whole ? find_start(workload) : window.start,
                            .end = whole ? last : window.end};
    struct occupancy all;
    if (workload_occupancy(workload, 0, INFINITY, &all) < 0 ||
        workload_occupancy(workload, demand.start, demand.end, &workload->occupancy) < 0)
        return err_memory(err);
    for (uint32_t i = 0; i < workload->count; i++)
        workload_add_demand(&demand, &workload->apps[i], automatic);
    double length = demand.end - demand.start;
    workload->window = window;
    workload->phase_interval = demand.phases > 0 ? length / (double)demand.phases : 0;
    if (whole && all.together)
        steady_pressure(workload);
    else
        demand_pressure(workload, &demand, all.together ? length : workload->occupancy.busy);
    workload->io_pressure = workload->pressures[0];
    for (uint32_t s = 1; s < workload->channel_count; s++)
        workload->io_pressure = maths_max(workload->io_pressure, workload->pressures[s]);
    return 0;
}

int workload_io_weight(const struct workload *workload, double *weight)
{
    struct occupancy occupancy;
    struct sum shares = {0}, seconds = {0};
    if (workload_occupancy(workload, 0, INFINITY, &occupancy) < 0)
        return -1;
    for (uint32_t i = 0; i < workload->count; i++) {
        const struct app *app = &workload->apps[i];
        sum_add(&seconds, app->facts.total_io);
        if (app_ideal(app) > 0)
            sum_add(&shares, app->facts.total_io / app_ideal(app));
    }
    *weight = occupancy.together ? sum_value(&shares) : sum_value(&seconds) / occupancy.busy;
    return 0;
}

double workload_io_load(const struct workload *workload)
{
    struct sum busy[STORE_CHANNELS] = {0}, nodes = {0};
    double most = 0;
    for (uint32_t i = 0; i < workload->count; i++) {
        double bytes[STORE_CHANNELS] = {0};
        app_bytes(&workload->apps[i], bytes);
        for (uint32_t s = 0; s < workload_channels(workload); s++)
            sum_add(&busy[s], bytes[s] / workload_bandwidth(workload, s));
        sum_add(&nodes, workload->apps[i].facts.nodes * app_ideal(&workload->apps[i]));
    }
    for (uint32_t s = 0; s < workload_channels(workload); s++)
        most = maths_max(most, sum_value(&busy[s]));
    if (!workload->nodes_known || !(sum_value(&nodes) > 0))
        return NAN;
    return workload->platform.nodes * most / sum_value(&nodes);
}

int workload_check_io(const struct workload *workload, struct err *err)
{
    for (uint32_t id = 0; id < workload->count; id++)
        if (workload->apps[id].facts.total_io > 0)
            return 0;
    return err_set(err, "%s: no application has I/O", workload->name);
}

int workload_check_one_store(const struct workload *workload, struct err *err)
{
    if (workload->channel_count <= 1)
        return 0;
    return err_set(err, "%s: there are %u bandwidths ('%s', '%s', ...), expected a single store",
                   workload->name, workload->channel_count, workload->channels[0].name,
                   workload->channels[1].name);
}

void workload_free(struct workload *workload)
{
    if (!workload)
        return;
    arena_fini(&workload->arena);
    free(workload);
}
