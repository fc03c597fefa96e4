#include "model/scenario.h"
#include "base/maths.h"
#include "base/mem.h"
#include "base/units.h"
#include "model/presence.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const distribution_names[DIST_KINDS + 1] = {
#define X(name, text) text,
    DISTRIBUTIONS(X)
#undef X
};

const struct app_spec app_spec_defaults = {.name = "", .count = 1, .iterations = 1, .weight = 1};

/* Bounds that keep every product and quotient of two quantities finite. */
static const double largest = 1e100, smallest = 1e-100;

/* Drawn iterations take memory; without a bound a short file could ask for all of it. */
static const double most_drawn = 0x1p28;
static const double most_apps = 0x1p27;

bool app_spec_drawn(const struct app_spec *spec)
{
    bool random = !spec->explicit_iterations && (spec->work.random || spec->io.random);
    return random || spec->noise_work > 0 || spec->noise_io > 0;
}

double amount_mean(const struct amount *amount)
{
    const struct distribution *d = amount->random;
    if (!d)
        return amount->mean;
    return d->kind == DIST_UNIFORM ? (d->min + d->max) / 2 : d->mean;
}

double app_spec_bmax(const struct app_spec *spec, const struct platform *platform)
{
    return spec->bandwidth > 0 ? fmin(spec->bandwidth, platform->bandwidth)
                               : platform_bmax(platform, spec->nodes);
}

struct scenario *scenario_new(const char *name, uint32_t count)
{
    struct scenario *scenario = mem_alloc(1, sizeof *scenario);
    if (!scenario)
        return NULL;
    scenario->name = arena_strndup(&scenario->arena, name, strlen(name));
    scenario->apps = mem_alloc(count, sizeof *scenario->apps);
    if (!scenario->name || !scenario->apps) {
        scenario_free(scenario);
        return NULL;
    }
    scenario->count = count;
    for (uint32_t i = 0; i < count; i++)
        scenario->apps[i] = app_spec_defaults;
    return scenario;
}

void scenario_forget_apps(struct scenario *scenario)
{
    free(scenario->apps);
    scenario->apps = NULL;
    scenario->count = 0;
}

void scenario_free(struct scenario *scenario)
{
    if (!scenario)
        return;
    free(scenario->apps);
    arena_fini(&scenario->arena);
    free(scenario);
}

int scenario_path(struct scenario *scenario, const char *path, struct err *err)
{
    for (uint32_t i = 0; i < scenario->path_count; i++)
        if (strcmp(scenario->paths[i], path) == 0)
            return (int)i + 1;
    if (scenario->path_count == PLACE_PATHS)
        return err_set(err, "more than %d paths of stores", PLACE_PATHS);
    const char **paths = (const char **)scenario->paths;
    if (!paths)
        scenario->paths = paths = arena_alloc(&scenario->arena, PLACE_PATHS, sizeof *paths);
    char *copy = arena_strndup(&scenario->arena, path, strlen(path));
    if (!paths || !copy)
        return err_memory(err);
    paths[scenario->path_count++] = copy;
    return (int)scenario->path_count;
}

uint32_t scenario_channel(const struct scenario *scenario, uint8_t place)
{
    uint32_t path = place_path(place);
    int store = path ? stores_find(&scenario->stores, scenario->paths[path - 1]) : 0;
    return stores_channel(&scenario->stores, store < 0 ? 0 : (uint32_t)store, place_reads(place));
}

int window_validate(const struct window *window, struct err *err)
{
    if (window->kind != WINDOW_FIXED)
        return 0;
    if (!(window->start >= 0 && window->start <= largest))
        return err_set(err, "a window starts at %g, expected a time from 0 on", window->start);
    if (!(window->end > window->start && window->end <= largest))
        return err_set(err, "a window ends at %g, expected a time after its start at %g",
                       window->end, window->start);
    return 0;
}

int window_parse(struct window *window, const char *text, struct err *err)
{
    const char *colon = strchr(text, ':');
    char start[64];
    *window = (struct window){.kind = WINDOW_FIXED};
    if (strcmp(text, "auto") == 0 || strcmp(text, "none") == 0) {
        window->kind = *text == 'a' ? WINDOW_AUTO : WINDOW_NONE;
        return 0;
    }
    if (!colon || (size_t)(colon - text) >= sizeof start)
        return err_set(err, "invalid window '%s', expected auto, none or START:END", text);
    memcpy(start, text, (size_t)(colon - text));
    start[colon - text] = 0;
    if (units_parse(start, UNIT_SECONDS, &window->start, err) < 0 ||
        units_parse(colon + 1, UNIT_SECONDS, &window->end, err) < 0)
        return -1;
    if (window->start < 0 || window->end <= window->start)
        return err_set(err, "invalid window '%s', expected 0 <= START < END", text);
    return 0;
}

static bool scenario_is_amount(double value)
{
    return value >= 0 && value <= largest;
}

static int scenario_check_amount(const char *what, double value, struct err *err)
{
    if (scenario_is_amount(value))
        return 0;
    return err_set(err, "%s is %g, expected a number from 0 to %g", what, value, largest);
}

static int check_rate(const char *what, double value, struct err *err)
{
    if (value >= smallest && value <= largest)
        return 0;
    return value > largest ? err_set(err, "%s is %g, expected at most %g", what, value, largest)
                           : err_set(err, "%s is %g, expected a number above 0", what, value);
}

/* The moments that the kind uses; the rest may hold anything. */
static int check_distribution(const char *what, const struct distribution *d, struct err *err)
{
    if (d->kind != DIST_UNIFORM && scenario_check_amount(what, d->mean, err) != 0)
        return -1;
    if ((d->kind == DIST_NORMAL || d->kind == DIST_LOGNORMAL) &&
        scenario_check_amount("sd", d->sd, err) != 0)
        return err_prepend(err, "%s", what);
    if (d->kind == DIST_LOGNORMAL && !(d->mean >= smallest))
        return err_set(err, "%s: the mean of a lognormal is %g, expected a number above 0", what,
                       d->mean);
    if (scenario_check_amount("min", d->min, err) != 0)
        return err_prepend(err, "%s", what);
    if (!(d->max >= d->min))
        return err_set(err, "%s: max is %g, expected a number from min = %g on", what, d->max,
                       d->min);
    if (d->kind == DIST_UNIFORM && scenario_check_amount("max", d->max, err) != 0)
        return err_prepend(err, "%s", what);
    return 0;
}

static int check_drawn(const char *what, const struct amount *amount, struct err *err)
{
    if (amount->random)
        return check_distribution(what, amount->random, err);
    return scenario_check_amount(what, amount->mean, err);
}

static double largest_mean(const struct amount *amount)
{
    const struct distribution *d = amount->random;
    if (!d)
        return amount->mean;
    return d->kind == DIST_UNIFORM ? d->max : fmax(d->mean, d->min);
}

/* The first iteration with an invalid amount, `count` if there is none; adds them up. Mostly the
 * least of them and their sum tell that all are valid. */
static uint32_t scenario_find_invalid(const struct iteration *list, uint32_t count, double *total)
{
    double sum = 0, least = 0;
    uint32_t k = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += list[i].work + list[i].volume;
        least = maths_min(list[i].work, maths_min(list[i].volume, least));
    }
    *total = sum;
    if (least >= 0 && sum <= largest)
        return count;
    while (k < count && scenario_is_amount(list[k].work) && scenario_is_amount(list[k].volume))
        k++;
    return k;
}

static int check_phases(const struct app_spec *app, struct err *err)
{
    double total;
    if (app->iterations == 0)
        return err_set(err, "has no iterations, expected at least 1");
    if (!app->explicit_iterations) {
        if (check_drawn("work", &app->work, err) != 0 || check_drawn("io", &app->io, err) != 0)
            return -1;
        total = largest_mean(&app->work) + largest_mean(&app->io);
    } else {
        const struct iteration *list = app->explicit_iterations;
        uint32_t k = scenario_find_invalid(list, app->iterations, &total);
        if (k < app->iterations) {
            if (scenario_check_amount("work", list[k].work, err) == 0)
                scenario_check_amount("io", list[k].volume, err);
            return err_prepend(err, "phase %u", k + 1);
        }
    }
    return total > 0 ? 0 : err_set(err, "has nothing to do: no work and no I/O");
}

static int check_noise(const char *what, double value, struct err *err)
{
    if (value >= 0 && value <= 1)
        return 0;
    return err_set(err, "noise of %s is %g, expected a ratio from 0 to 1", what, value);
}

static int check_nodes(const struct app_spec *app, const struct platform *platform, struct err *err)
{
    if (app->bandwidth != 0 && check_rate("bandwidth", app->bandwidth, err) != 0)
        return -1;
    if (app->nodes == 0 && app->bandwidth != 0)
        return 0;
    if (!(app->nodes >= 1 && app->nodes <= largest))
        return err_set(err, "has %g nodes, expected at least 1", app->nodes);
    if (platform->nodes != 0 && app->nodes > platform->nodes)
        return err_set(err, "has %.15g nodes, but the platform only %.15g", app->nodes,
                       platform->nodes);
    return 0;
}

static int check_past(const struct app_spec *app, struct err *err)
{
    if (!(fabs(app->release) <= largest))
        return err_set(err, "release is %g, expected a finite time", app->release);
    if (scenario_check_amount("progress", app->progress, err) != 0 ||
        scenario_check_amount("time already waited", app->waiting, err) != 0 ||
        scenario_check_amount("size of calls", app->calls, err) != 0)
        return -1;
    /* The ages in files are rounded. */
    double age = fmax(0, -app->release) * (1 + 1e-6);
    if (app->progress > age)
        return err_set(err, "progress is %.15g s, more than its age of %.15g s at time 0",
                       app->progress, fmax(0, -app->release));
    if (app->waiting > age)
        return err_set(err, "has waited for %.15g s, longer than its age of %.15g s at time 0",
                       app->waiting, fmax(0, -app->release));
    return 0;
}

static int scenario_check_app(const struct app_spec *app, const struct platform *platform,
                              struct err *err)
{
    if (app->count == 0)
        return err_set(err, "count is 0, expected at least 1");
    if (check_rate("weight", app->weight, err) != 0 ||
        scenario_check_amount("period", app->period, err) != 0 ||
        scenario_check_amount("length", app_spec_length(app), err) != 0 ||
        check_past(app, err) != 0 || check_nodes(app, platform, err) != 0 ||
        check_noise("work", app->noise_work, err) != 0 ||
        check_noise("io", app->noise_io, err) != 0)
        return -1;
    return check_phases(app, err);
}

static int scenario_check_platform(const struct platform *platform, struct err *err)
{
    if (platform->least > 0)
        return err_set(err, "bandwidth is 'auto', which only a controller can measure; give "
                            "--bandwidth RATE");
    if (check_rate("bandwidth", platform->bandwidth, err) != 0)
        return -1;
    if (platform->node_bandwidth != INFINITY &&
        check_rate("node bandwidth", platform->node_bandwidth, err) != 0)
        return -1;
    if (platform->nodes != 0 && !(platform->nodes >= 1 && platform->nodes <= largest))
        return err_set(err, "nodes is %g, expected at least 1", platform->nodes);
    return platform->store ? store_validate(platform->store, err) : 0;
}

/* Every path that is named is in a store, and what only stores say of the bandwidth is the
 * platform's. */
static int scenario_check_stores(struct scenario *scenario, struct err *err)
{
    struct store_channel channels[STORE_CHANNELS];
    uint32_t count = stores_plan(&scenario->stores, scenario->platform.bandwidth, channels);
    double sum = 0;
    for (uint32_t i = 0; i < scenario->path_count; i++) {
        const char *path = scenario->paths[i];
        if (scenario->stores.count == 0)
            return err_set(err, "unknown store '%s': there is no list of stores", path);
        if (stores_find(&scenario->stores, path) < 0)
            return err_set(err, "unknown store '%s', expected one such as '%s'", path,
                           scenario->stores.list[0].path);
    }
    if (count > STORE_CHANNELS)
        return err_set(err, "stores: at most %d bandwidths, the platform's included",
                       STORE_CHANNELS);
    for (uint32_t i = 0; i < count; i++)
        sum += channels[i].bandwidth;
    if (scenario->platform.bandwidth == 0 && scenario->stores.count > 0 && channels[0].bandwidth > 0)
        scenario->platform.bandwidth = sum;
    return 0;
}

/* --- all applications together --------------------------------------------------------------- */

struct presence app_spec_presence(const struct app_spec *app, const struct platform *platform)
{
    double work = app->iterations * amount_mean(&app->work);
    double volume = app->iterations * amount_mean(&app->io);
    if (app->explicit_iterations)
        work = volume = 0;
    for (uint32_t k = 0; app->explicit_iterations && k < app->iterations; k++) {
        work += app->explicit_iterations[k].work;
        volume += app->explicit_iterations[k].volume;
    }
    double start = fmax(0, app->release);
    return (struct presence){.start = start,
                             .end = start + work + volume / app_spec_bmax(app, platform),
                             .nodes = app->nodes * app->count};
}

/* Warns if more nodes are in use at once than there are. */
static int check_occupancy(struct scenario *scenario, struct err *err)
{
    struct occupancy occupancy;
    struct presence *list = mem_alloc(scenario->count, sizeof *list);
    if (!list)
        return err_memory(err);
    for (uint32_t i = 0; i < scenario->count; i++)
        list[i] = app_spec_presence(&scenario->apps[i], &scenario->platform);
    int status = occupancy_measure(&occupancy, list, scenario->count);
    free(list);
    if (status < 0)
        return err_memory(err);
    if (occupancy.nodes <= scenario->platform.nodes)
        return 0;
    char text[160], time[32];
    int length = snprintf(
        text, sizeof text, "the applications use %.15g nodes at once at %s, the platform has %.15g",
        occupancy.nodes, units_print(occupancy.since, UNIT_SECONDS, time, sizeof time),
        scenario->platform.nodes);
    scenario->warning = arena_strndup(&scenario->arena, text, (size_t)length);
    return scenario->warning ? 0 : err_memory(err);
}

static int check_totals(struct scenario *scenario, struct err *err)
{
    double nodes = 0, apps = 0, drawn = 0;
    for (uint32_t i = 0; i < scenario->count; i++) {
        const struct app_spec *app = &scenario->apps[i];
        nodes += app->nodes * app->count;
        apps += app->count;
        drawn += app_spec_drawn(app) ? (double)app->count * app->iterations : 0;
    }
    if (apps > most_apps)
        return err_set(err, "%.0f applications, expected at most %.0f", apps, most_apps);
    if (drawn > most_drawn)
        return err_set(err, "%.0f random iterations, expected at most %.0f", drawn, most_drawn);
    bool enough = scenario->platform.nodes == 0 || nodes <= scenario->platform.nodes;
    return enough ? 0 : check_occupancy(scenario, err);
}

int scenario_validate(struct scenario *scenario, struct err *err)
{
    if (scenario_check_stores(scenario, err) != 0)
        return -1;
    if (scenario_check_platform(&scenario->platform, err) != 0)
        return err_prepend(err, "platform");
    if (window_validate(&scenario->window, err) != 0)
        return -1;
    if (scenario->count == 0)
        return err_set(err, "no applications, expected at least one");
    for (uint32_t i = 0; i < scenario->count; i++)
        if (scenario_check_app(&scenario->apps[i], &scenario->platform, err) != 0)
            return err_prepend(err, "application '%s'", scenario->apps[i].name);
    return check_totals(scenario, err);
}
