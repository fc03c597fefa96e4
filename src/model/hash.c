#include "model/scenario.h"
#include <string.h>

static uint64_t hash_whole(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

/* By its bits, but -0 as 0. */
static uint64_t hash_number(uint64_t hash, double value)
{
    uint64_t bits;
    value += 0.0;
    memcpy(&bits, &value, sizeof bits);
    return hash_whole(hash, bits);
}

static uint64_t hash_numbers(uint64_t hash, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = hash_number(hash, values[i]);
    return hash;
}

/* NULL differs from any text. */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    if (!text)
        return hash_whole(hash, 0);
    for (const char *c = text; *c; c++)
        hash = hash_whole(hash, (unsigned char)*c);
    return hash_whole(hash, 256);
}

static uint64_t hash_shares(uint64_t hash, const struct shares *shares)
{
    hash = hash_number(hash_whole(hash, 1 + (uint64_t)shares->levels), shares->period);
    hash = hash_whole(hash, (uint64_t)shares->account_count << 32 | shares->user_count);
    for (uint32_t i = 0; i < shares->account_count; i++) {
        const struct share_account *account = &shares->accounts[i];
        hash = hash_text(hash_text(hash, account->name), account->parent);
        hash = hash_number(hash, account->weight);
    }
    for (uint32_t i = 0; i < shares->user_count; i++) {
        const struct share_user *user = &shares->users[i];
        hash = hash_text(hash_text(hash, user->name), user->account);
        hash = hash_number(hash, user->weight);
    }
    return hash;
}

static uint64_t hash_store(uint64_t hash, const struct store *store)
{
    const struct curve *curve = &store->curve;
    const struct health *health = &store->health;
    hash = hash_number(hash_text(hash, "contention"), curve->slope);
    hash = hash_numbers(hash, curve->factors, curve->count);
    hash = hash_number(hash_text(hash, "health"), health->every);
    for (uint32_t i = 0; i < health->count; i++) {
        hash = hash_number(hash, health->changes[i].at);
        hash = hash_number(hash, health->changes[i].factor);
    }
    return hash_numbers(hash, health->quantiles, health->quantiles ? HEALTH_QUANTILES : 0);
}

static uint64_t hash_amount(uint64_t hash, const struct amount *amount)
{
    const struct distribution *random = amount->random;
    if (!random)
        return hash_number(hash, amount->mean);
    const double values[] = {random->mean, random->sd, random->min, random->max};
    return hash_numbers(hash_whole(hash, 1 + random->kind), values, 4);
}

static uint64_t hash_app(uint64_t hash, const struct app_spec *spec)
{
    const double values[] = {spec->nodes,  spec->bandwidth,  spec->release,
                             spec->weight, spec->progress,   spec->waiting,
                             spec->period, spec->noise_work, spec->noise_io};
    hash = hash_text(hash, spec->name);
    for (int kind = 0; spec->extra && kind < PARTY_KINDS; kind++)
        hash = hash_text(hash, spec->extra->names[kind]);
    hash = hash_whole(hash, (uint64_t)spec->count << 32 | spec->iterations);
    hash = hash_numbers(hash, values, sizeof values / sizeof *values);
    if (spec->calls > 0) /* scenarios from before there were any keep their numbers */
        hash = hash_number(hash_text(hash, "calls"), spec->calls);
    if (app_spec_length(spec) > 0)
        hash = hash_number(hash_text(hash, "length"), app_spec_length(spec));
    if (!spec->explicit_iterations)
        return hash_amount(hash_amount(hash, &spec->work), &spec->io);
    for (uint32_t k = 0; k < spec->iterations; k++) {
        hash = hash_number(hash, spec->explicit_iterations[k].work);
        hash = hash_number(hash, spec->explicit_iterations[k].volume);
    }
    return hash;
}

static uint64_t hash_stores(uint64_t hash, const struct scenario *scenario)
{
    for (uint32_t i = 0; i < scenario->stores.count; i++) {
        const struct site_store *store = &scenario->stores.list[i];
        const double values[] = {store->bandwidth, store->reads, store->writes};
        hash = hash_text(hash_text(hash_text(hash, "store"), store->path), store->policy);
        hash = hash_numbers(hash, values, sizeof values / sizeof *values);
        if (store->nature)
            hash = hash_store(hash, store->nature);
    }
    for (uint32_t i = 0; i < scenario->path_count; i++)
        hash = hash_text(hash, scenario->paths[i]);
    for (uint32_t i = 0; i < scenario->limits.count; i++) {
        const struct limit *limit = &scenario->limits.list[i];
        hash = hash_text(hash_text(hash_text(hash, "limit"), limit->name), limit->user);
        hash = hash_number(hash_number(hash, limit->bandwidth), limit->weight);
    }
    return hash;
}

/* Where its I/Os go, if it says so. */
static uint64_t hash_places(uint64_t hash, const struct app_spec *spec)
{
    if (!spec->extra || (spec->extra->path == 0 && !spec->extra->places))
        return hash;
    hash = hash_whole(hash_text(hash, "places"), spec->extra->path);
    for (uint32_t k = 0; spec->extra->places && k < spec->iterations; k++)
        hash = hash_whole(hash, spec->extra->places[k]);
    return hash;
}

uint64_t scenario_hash(const struct scenario *scenario)
{
    const struct window *window = &scenario->window;
    const struct platform *platform = &scenario->platform;
    const double values[] = {platform->nodes, platform->node_bandwidth, platform->bandwidth,
                             window->kind == WINDOW_FIXED ? window->start : 0,
                             window->kind == WINDOW_FIXED ? window->end : 0};
    uint64_t last =
        scenario->drawn_last ? 1 + (uint64_t)(scenario->drawn_last - scenario->apps) : 0;
    uint64_t hash = hash_whole(hash_whole(0, window->kind), last);
    hash = hash_numbers(hash, values, sizeof values / sizeof *values);
    if (platform->store)
        hash = hash_store(hash, platform->store);
    for (uint32_t i = 0; i < scenario->count; i++)
        hash = hash_places(hash_app(hash, &scenario->apps[i]), &scenario->apps[i]);
    hash = hash_stores(hash, scenario);
    return scenario->shares ? hash_shares(hash, scenario->shares) : hash;
}
