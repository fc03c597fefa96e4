#include "base/text.h"
#include "format/format.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A flow mapping while it is written: members that say nothing new are left out. */
struct flow_mapping {
    FILE *out;
    const char *comma;
};

static void scenario_write_write_number(FILE *out, double value)
{
    char text[TEXT_NUMBER_SIZE];
    fputs(text_print_number(value, text), out);
}

/* Plain where that is safe, else in double quotes. */
static void write_text(FILE *out, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    if (*text && *text != '-' && *text != '.' && strspn(text, plain) == strlen(text)) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void begin_member(struct flow_mapping *flow, const char *key)
{
    fprintf(flow->out, "%s%s: ", flow->comma, key);
    flow->comma = ", ";
}

static void write_member(struct flow_mapping *flow, const char *key, double value, double usual)
{
    if (value == usual)
        return;
    begin_member(flow, key);
    scenario_write_write_number(flow->out, value);
}

/* A text that may be missing. */
static void write_name(struct flow_mapping *flow, const char *key, const char *text)
{
    if (!text)
        return;
    begin_member(flow, key);
    write_text(flow->out, text);
}

/* Members that a reader requires of this kind are always written: nothing equals NAN. */
static void write_amount(struct flow_mapping *flow, const char *key, const struct amount *amount)
{
    const struct distribution *d = amount->random;
    begin_member(flow, key);
    if (!d) {
        scenario_write_write_number(flow->out, amount->mean);
        return;
    }
    struct flow_mapping inner = {flow->out, ""};
    bool uniform = d->kind == DIST_UNIFORM;
    bool spread = d->kind == DIST_NORMAL || d->kind == DIST_LOGNORMAL;
    fputc('{', flow->out);
    begin_member(&inner, "distribution");
    fputs(distribution_names[d->kind], flow->out);
    write_member(&inner, "mean", d->mean, uniform ? 0 : NAN);
    write_member(&inner, "sd", d->sd, spread ? NAN : 0);
    write_member(&inner, "min", d->min, uniform ? NAN : 0);
    write_member(&inner, "max", d->max, INFINITY);
    fputc('}', flow->out);
}

/* An I/O with its direction and store, as far as they are known. */
static void write_transfer(struct flow_mapping *phase, double volume, uint8_t place,
                           const struct scenario *scenario)
{
    write_member(phase, place_reads(place) ? "read" : "io", volume, NAN);
    if (place_path(place))
        write_name(phase, "store", scenario->paths[place_path(place) - 1]);
}

static void scenario_write_write_phases(struct flow_mapping *flow, const struct app_spec *app,
                                        const struct scenario *scenario)
{
    const uint8_t *places = app->extra ? app->extra->places : NULL;
    begin_member(flow, "phases");
    const char *comma = "[";
    for (uint32_t i = 0; i < app->iterations; i++) {
        struct flow_mapping phase = {flow->out, ""};
        fprintf(flow->out, "%s{", comma);
        write_member(&phase, "work", app->explicit_iterations[i].work, NAN);
        write_transfer(&phase, app->explicit_iterations[i].volume, places ? places[i] : 0, scenario);
        fputc('}', flow->out);
        comma = ", ";
    }
    fputc(']', flow->out);
}

static void scenario_write_write_application(FILE *out, const struct app_spec *app,
                                             const struct scenario *scenario)
{
    struct flow_mapping flow = {out, ""};
    fputs("  - {", out);
    begin_member(&flow, "name");
    write_text(out, app->name);
    write_member(&flow, "count", app->count, 1);
    write_member(&flow, "nodes", app->nodes, 0);
    write_member(&flow, "bandwidth", app->bandwidth, 0);
    write_member(&flow, "release", app->release, 0);
    write_member(&flow, "weight", app->weight, 1);
    for (int kind = 0; app->extra && kind < PARTY_KINDS; kind++)
        write_name(&flow, party_kind_names[kind], app->extra->names[kind]);
    if (app->extra && app->extra->path)
        write_name(&flow, "store", scenario->paths[app->extra->path - 1]);
    write_member(&flow, "progress", app->progress, 0);
    write_member(&flow, "waiting", app->waiting, 0);
    write_member(&flow, "period", app->period, 0);
    write_member(&flow, "calls", app->calls, 0);
    write_member(&flow, "length", app_spec_length(app), 0);
    if (app->noise_work > 0 || app->noise_io > 0) {
        struct flow_mapping noise = {out, ""};
        begin_member(&flow, "noise");
        fputc('{', out);
        write_member(&noise, "work", app->noise_work, 0);
        write_member(&noise, "io", app->noise_io, 0);
        fputc('}', out);
    }
    if (app->explicit_iterations) {
        scenario_write_write_phases(&flow, app, scenario);
    } else {
        write_amount(&flow, "work", &app->work);
        write_amount(&flow, "io", &app->io);
        write_member(&flow, "iterations", app->iterations, NAN);
    }
    fputs("}\n", out);
}

static void write_numbers(struct flow_mapping *flow, const char *key, const double *values,
                          uint32_t count)
{
    begin_member(flow, key);
    for (uint32_t i = 0; i < count; i++) {
        fputs(i == 0 ? "[" : ", ", flow->out);
        scenario_write_write_number(flow->out, values[i]);
    }
    fputc(']', flow->out);
}

static void write_changes(struct flow_mapping *flow, const struct health *health)
{
    begin_member(flow, "health");
    for (uint32_t i = 0; i < health->count; i++) {
        struct flow_mapping change = {flow->out, ""};
        fputs(i == 0 ? "[{" : ", {", flow->out);
        write_member(&change, "at", health->changes[i].at, NAN);
        write_member(&change, "factor", health->changes[i].factor, NAN);
        fputc('}', flow->out);
    }
    fputc(']', flow->out);
}

static void scenario_write_write_store(struct flow_mapping *flow, const struct store *store)
{
    const struct health *health = &store->health;
    if (store->curve.count > 0)
        write_numbers(flow, "contention", store->curve.factors, store->curve.count);
    else
        write_member(flow, "contention", store->curve.slope, 0);
    if (health->quantiles) {
        struct flow_mapping drawn = {flow->out, ""};
        begin_member(flow, "health");
        fputc('{', flow->out);
        write_numbers(&drawn, "quantiles", health->quantiles, HEALTH_QUANTILES);
        write_member(&drawn, "every", health->every, NAN);
        fputc('}', flow->out);
    } else if (health->count > 0) {
        write_changes(flow, health);
    }
}

static void scenario_write_write_platform(FILE *out, const struct platform *platform)
{
    struct flow_mapping flow = {out, ""};
    fputs("platform: {", out);
    write_member(&flow, "nodes", platform->nodes, 0);
    write_member(&flow, "node_bandwidth", platform->node_bandwidth, INFINITY);
    write_member(&flow, "bandwidth", platform->bandwidth, NAN);
    if (platform->store)
        scenario_write_write_store(&flow, platform->store);
    fputs("}\n", out);
}

static void write_levels(FILE *out, const struct shares *shares)
{
    const char *comma = "";
    fputs("  by: [", out);
    for (int level = 0; level < SHARE_LEVEL_COUNT; level++) {
        if (!shares_have(shares, (enum share_level)level))
            continue;
        fprintf(out, "%s%s", comma, share_level_names[level]);
        comma = ", ";
    }
    fputs("]\n", out);
}

static void write_shares(FILE *out, const struct shares *shares)
{
    fputs("shares:\n", out);
    write_levels(out, shares);
    fputs("  period: ", out);
    scenario_write_write_number(out, shares->period);
    fputs(shares->account_count > 0 ? "\n  accounts:\n" : "\n", out);
    for (uint32_t i = 0; i < shares->account_count; i++) {
        struct flow_mapping flow = {out, ""};
        fputs("    - {", out);
        write_name(&flow, "name", shares->accounts[i].name);
        write_name(&flow, "parent", shares->accounts[i].parent);
        write_member(&flow, "weight", shares->accounts[i].weight, 1);
        fputs("}\n", out);
    }
    fputs(shares->user_count > 0 ? "  users:\n" : "", out);
    for (uint32_t i = 0; i < shares->user_count; i++) {
        struct flow_mapping flow = {out, ""};
        fputs("    - {", out);
        write_name(&flow, "name", shares->users[i].name);
        write_name(&flow, "account", shares->users[i].account);
        write_member(&flow, "weight", shares->users[i].weight, 1);
        fputs("}\n", out);
    }
}

static void write_stores(FILE *out, const struct stores *stores)
{
    fputs(stores->count > 0 ? "stores:\n" : "", out);
    for (uint32_t i = 0; i < stores->count; i++) {
        const struct site_store *store = &stores->list[i];
        struct flow_mapping flow = {out, ""};
        fputs("  - {", out);
        write_name(&flow, "path", store->path);
        write_member(&flow, "bandwidth", store->bandwidth, 0);
        write_member(&flow, "read", store->reads, 0);
        write_member(&flow, "write", store->writes, 0);
        write_name(&flow, "policy", store->policy);
        if (store->nature)
            scenario_write_write_store(&flow, store->nature);
        write_member(&flow, "pieces", store->pieces, 0);
        fputs("}\n", out);
    }
}

static void write_limits(FILE *out, const struct limits *limits)
{
    fputs(limits->count > 0 ? "limits:\n" : "", out);
    for (uint32_t i = 0; i < limits->count; i++) {
        const struct limit *limit = &limits->list[i];
        struct flow_mapping flow = {out, ""};
        fputs("  - {", out);
        write_name(&flow, "name", *limit->name ? limit->name : NULL);
        write_name(&flow, "user", limit->user);
        write_member(&flow, "bandwidth", limit->bandwidth, 0);
        write_member(&flow, "ops", limit->ops, 0);
        write_member(&flow, "weight", limit->weight, 0);
        fputs("}\n", out);
    }
}

void scenario_write(FILE *out, const struct scenario *scenario)
{
    fputs("name: ", out);
    write_text(out, scenario->name);
    fputc('\n', out);
    scenario_write_write_platform(out, &scenario->platform);
    if (scenario->window.kind == WINDOW_AUTO)
        fputs("window: auto\n", out);
    if (scenario->window.kind == WINDOW_FIXED) {
        struct flow_mapping flow = {out, ""};
        fputs("window: {", out);
        write_member(&flow, "start", scenario->window.start, NAN);
        write_member(&flow, "end", scenario->window.end, NAN);
        fputs("}\n", out);
    }
    fprintf(out, "seed: %" PRIu64 "\n", scenario->seed);
    if (scenario->policy) {
        fputs("policy: ", out);
        write_text(out, scenario->policy);
        fputc('\n', out);
    }
    write_stores(out, &scenario->stores);
    write_limits(out, &scenario->limits);
    if (scenario->shares)
        write_shares(out, scenario->shares);
    fputs("applications:\n", out);
    for (uint32_t i = 0; i < scenario->count; i++)
        scenario_write_write_application(out, &scenario->apps[i], scenario);
}
