#include "campaign/campaign.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"
#include "campaign/expand.h"
#include "format/format.h"
#include "trial/row.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAMPAIGN_MOST_CHANGES = CAMPAIGN_MOST_SWEEPS + 8 };

/* --- workloads ---------------------------------------------------------------------------------
 */

static uint64_t campaign_seed(const struct campaign *campaign, const struct campaign_source *source,
                              size_t number)
{
    if (campaign->seed_count > 0)
        return campaign->seeds[number];
    return source->scenario ? source->scenario->seed : 1;
}

/* The number is one of mixed bases: the seed is its last digit, the source its first. */
struct campaign_workload campaign_workload(const struct campaign *campaign, size_t number)
{
    struct campaign_workload workload = {.point_count = campaign->sweep_count};
    size_t seeds = campaign->seed_count > 0 ? campaign->seed_count : 1;
    size_t seed = number % seeds, rest = number / seeds;
    for (size_t i = campaign->sweep_count; i-- > 0;) {
        const struct sweep *sweep = &campaign->sweeps[i];
        workload.point[i] = (struct variation){sweep->path, sweep->values[rest % sweep->count]};
        rest /= sweep->count;
    }
    workload.platform = &campaign->platforms[rest % campaign->platform_count];
    workload.source = &campaign->sources[rest / campaign->platform_count];
    workload.seed = campaign_seed(campaign, workload.source, seed);
    return workload;
}

/* Numbers as numbers, so that they can be compared. */
static void campaign_write_values(struct json *json, const struct variation *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *at = list[i].value, *end = at + strlen(at);
        double number;
        if (text_number(&at, end, &number) == 0 && at == end)
            json_number(json, list[i].path, number);
        else
            json_string(json, list[i].path, list[i].value);
    }
}

char *campaign_parameters(const struct campaign_workload *workload, uint64_t content)
{
    char *text = NULL, digits[24];
    size_t size;
    struct json json = {.out = open_memstream(&text, &size)};
    if (!json.out)
        return NULL;
    json_begin_object(&json, NULL);
    campaign_write_values(&json, workload->source->given, workload->source->given_count);
    campaign_write_values(&json, workload->point, workload->point_count);
    snprintf(digits, sizeof digits, "%016" PRIx64, content);
    if (content)
        json_string(&json, "file", digits);
    json_end_object(&json);
    if (fclose(json.out) != 0) {
        free(text);
        return NULL;
    }
    text[strcspn(text, "\n")] = 0;
    return text;
}

/* The values of the platform come first, so that a sweep can multiply them. */
int campaign_vary(const struct campaign_workload *workload, const struct scenario *original,
                  struct scenario *varied, struct knowledge *knowledge, struct err *err)
{
    struct variation changes[CAMPAIGN_MOST_CHANGES];
    const struct campaign_platform *platform = workload->platform;
    size_t count = 0;
    for (size_t i = 0; i < platform->count; i++)
        changes[count++] = platform->values[i];
    for (size_t i = 0; i < workload->point_count; i++)
        changes[count++] = workload->point[i];
    int status = scenario_vary(varied, original, changes, count, err);
    varied->seed = workload->seed;
    return status == 0 ? knowledge_vary(knowledge, changes, count, err) : -1;
}

/* --- repeats -----------------------------------------------------------------------------------
 */

bool campaign_is_drawn(const struct family *family, const struct scenario *varied,
                       const struct knowledge *knowledge)
{
    bool drawn = (family && family->random) || knowledge->volumes == KNOWLEDGE_WITHIN;
    for (uint32_t i = 0; i < varied->count && !drawn; i++)
        drawn = app_spec_drawn(&varied->apps[i]);
    return drawn;
}

bool campaign_is_repeat(const struct campaign *campaign, size_t number)
{
    if (!campaign->fixed || number % campaign->seed_count == 0)
        return false;
    size_t rest = number / campaign->seed_count, point = rest % campaign->points;
    size_t source = rest / campaign->points / campaign->platform_count;
    return campaign->fixed[source * campaign->points + point];
}

/* Looks at one point of a source, on the first platform: what is drawn is the same on all. A
 * scenario that cannot be made counts as drawn; its runs will fail. */
static bool campaign_is_fixed(const struct campaign *campaign, size_t source, size_t point,
                              const struct scenario *original)
{
    size_t number =
        (source * campaign->platform_count * campaign->points + point) * campaign->seed_count;
    const struct campaign_workload workload = campaign_workload(campaign, number);
    struct scenario varied = {0};
    struct knowledge knowledge = {0};
    bool fixed = campaign_vary(&workload, original, &varied, &knowledge, NULL) == 0 &&
                 !campaign_is_drawn(workload.source->family, &varied, &knowledge);
    scenario_fini_varied(&varied);
    return fixed;
}

static int campaign_find_fixed(struct campaign *campaign, struct err *err)
{
    if (campaign->seed_count < 2)
        return 0;
    campaign->fixed = arena_alloc(&campaign->arena, campaign->source_count * campaign->points,
                                  sizeof *campaign->fixed);
    if (!campaign->fixed)
        return err_memory(err);
    for (size_t i = 0; i < campaign->source_count; i++) {
        const struct campaign_source *source = &campaign->sources[i];
        if (source->family && source->family->random)
            continue;
        struct scenario *made =
            source->family ? family_make(source->family, source->values, campaign->seeds[0], NULL)
                           : NULL;
        const struct scenario *original = made ? made : source->scenario;
        for (size_t point = 0; original && point < campaign->points; point++)
            campaign->fixed[i * campaign->points + point] =
                campaign_is_fixed(campaign, i, point, original);
        scenario_free(made);
    }
    for (size_t i = 0; i < campaign->workloads; i++)
        campaign->repeats += campaign_is_repeat(campaign, i);
    return 0;
}

/* --- identities --------------------------------------------------------------------------------
 */

static uint64_t identity_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* NULL differs from any text. */
static uint64_t identity_text(uint64_t hash, const char *text)
{
    for (const char *c = text; c && *c; c++)
        hash = identity_mix(hash, (unsigned char)*c);
    return identity_mix(hash, text ? 256 : 257);
}

/* Of all runs of a workload: what they have in common. 0 or -1. */
static int identity_workload(const struct campaign_workload *workload, uint64_t *hash)
{
    const struct campaign_source *source = workload->source;
    char *parameters = campaign_parameters(workload, 0);
    if (!parameters)
        return -1;
    *hash = identity_text(0x5765697243616d70u, row_version);
    *hash = identity_text(*hash, source->family ? source->family->name : NULL);
    *hash = identity_text(*hash, source->scenario ? source->scenario->name : NULL);
    *hash = identity_mix(*hash, source->scenario ? scenario_hash(source->scenario) : 0);
    *hash = identity_text(*hash, parameters);
    *hash = identity_text(*hash, workload->platform->name);
    for (size_t i = 0; i < workload->platform->count; i++) {
        *hash = identity_text(*hash, workload->platform->values[i].path);
        *hash = identity_text(*hash, workload->platform->values[i].value);
    }
    *hash = identity_mix(*hash, workload->seed);
    free(parameters);
    return 0;
}

/* Mixes in the content of a file. 0 or -1. */
static int identity_file(const char *path, uint64_t *hash, struct err *err)
{
    FILE *file = fopen(path, "rb");
    uint64_t length = 0;
    if (!file)
        return err_set(err, "cannot read '%s': %s", path, strerror(errno));
    for (int byte; (byte = getc_unlocked(file)) != EOF; length++)
        *hash = identity_mix(*hash, (uint64_t)byte);
    *hash = identity_mix(*hash, length);
    int status = ferror(file) ? err_set(err, "cannot read '%s'", path) : 0;
    fclose(file);
    return status;
}

/* Of the file that a strategy names, and of that of a plug-in: once it is built again, its results
 * are others. 0 = there is neither. 0 or -1. */
static int identity_content(const struct policy *policy, uint64_t *hash, struct err *err)
{
    int named = policy_param(policy, "file");
    const char *path = named < 0 ? NULL : policy->texts[named];
    *hash = 0;
    if ((path && identity_file(path, hash, err) < 0) ||
        (policy->path && identity_file(policy->path, hash, err) < 0))
        return err_prepend(err, "%s", policy->name);
    if (path || policy->path)
        *hash = *hash ? *hash : 1;
    return 0;
}

static int campaign_compare_identities(const void *one, const void *two)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)two;
    return (a > b) - (a < b);
}

/* What two workloads of the same identity are listed twice for. */
static int campaign_fail_workload(const struct campaign_workload *one,
                                  const struct campaign_workload *two, struct err *err)
{
    const struct campaign_source *source = one->source;
    if (source != two->source)
        return source->scenario
                   ? err_set(err, "scenario '%s' is listed twice", source->scenario->name)
                   : err_set(err, "family '%s' is listed twice with the same parameters",
                             source->family->name);
    if (one->platform != two->platform)
        return err_set(err, "platform '%s' is listed twice", one->platform->name);
    for (size_t i = 0; i < one->point_count; i++)
        if (one->point[i].value != two->point[i].value)
            return err_set(err, "value '%s' of %s is listed twice", one->point[i].value,
                           one->point[i].path);
    return err_set(err, "seed %" PRIu64 " is listed twice", one->seed);
}

static int campaign_fail_twice(const struct campaign *campaign, int64_t id, struct err *err)
{
    size_t first = 0, policies = campaign->policy_count;
    while (campaign->identities[first] != id)
        first++;
    size_t second = first + 1;
    while (campaign->identities[second] != id)
        second++;
    if (first / policies == second / policies)
        return err_set(err, "strategy '%s' is listed twice",
                       campaign->policies[first % policies]->name);
    const struct campaign_workload one = campaign_workload(campaign, first / policies);
    const struct campaign_workload two = campaign_workload(campaign, second / policies);
    return campaign_fail_workload(&one, &two, err);
}

static int campaign_check_identities(const struct campaign *campaign, struct err *err)
{
    int64_t *sorted = mem_alloc(campaign->runs, sizeof *sorted), twice = 0;
    if (!sorted)
        return err_memory(err);
    memcpy(sorted, campaign->identities, campaign->runs * sizeof *sorted);
    qsort(sorted, campaign->runs, sizeof *sorted, campaign_compare_identities);
    for (size_t i = 1; i < campaign->runs && !twice; i++)
        if (sorted[i] == sorted[i - 1])
            twice = sorted[i];
    free(sorted);
    return twice ? campaign_fail_twice(campaign, twice, err) : 0;
}

static int campaign_read_contents(struct campaign *campaign, struct err *err)
{
    campaign->contents =
        arena_alloc(&campaign->arena, campaign->policy_count, sizeof *campaign->contents);
    if (!campaign->contents)
        return err_memory(err);
    for (size_t k = 0; k < campaign->policy_count; k++)
        if (identity_content(campaign->policies[k], &campaign->contents[k], err) < 0)
            return -1;
    return 0;
}

static int campaign_identify(struct campaign *campaign, struct err *err)
{
    campaign->identities =
        arena_alloc(&campaign->arena, campaign->runs, sizeof *campaign->identities);
    if (!campaign->identities)
        return err_memory(err);
    if (campaign_read_contents(campaign, err) < 0)
        return -1;
    for (size_t i = 0; i < campaign->workloads; i++) {
        const struct campaign_workload workload = campaign_workload(campaign, i);
        uint64_t common;
        if (identity_workload(&workload, &common) < 0)
            return err_memory(err);
        for (size_t k = 0; k < campaign->policy_count; k++) {
            uint64_t hash = identity_text(common, campaign->policies[k]->name);
            if (campaign->contents[k])
                hash = identity_mix(hash, campaign->contents[k]);
            int64_t id = (int64_t)(hash >> 1);
            campaign->identities[i * campaign->policy_count + k] = id ? id : 1;
        }
    }
    return campaign_check_identities(campaign, err);
}

/* --- the whole ---------------------------------------------------------------------------------
 */

struct campaign *campaign_load(const char *path, struct err *err)
{
    struct campaign_file file;
    struct campaign *campaign = mem_alloc(1, sizeof *campaign);
    if (!campaign) {
        err_memory(err);
        return NULL;
    }
    int status = campaign_file_load(path, &file, err);
    if (status == 0)
        status = campaign_expand(campaign, &file, path, err);
    if (status == 0 && campaign_identify(campaign, err) < 0)
        status = err_prepend(err, "%s", file.where);
    if (status == 0)
        status = campaign_find_fixed(campaign, err);
    campaign_file_fini(&file);
    if (status == 0)
        return campaign;
    campaign_free(campaign);
    return NULL;
}

void campaign_free(struct campaign *campaign)
{
    if (!campaign)
        return;
    for (size_t i = 0; i < campaign->policy_count; i++)
        policy_free(campaign->policies[i]);
    for (size_t i = 0; i < campaign->source_count; i++)
        scenario_free(campaign->sources[i].scenario);
    arena_fini(&campaign->arena);
    free(campaign->policies);
    free(campaign->sources);
    free(campaign);
}
