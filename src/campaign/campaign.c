#include "campaign/campaign.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"
#include "campaign/expand.h"
#include "format/format.h"
#include "trial/row.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Of the file that a strategy names. 0 or -1. */
static int identity_file(const struct policy *policy, uint64_t *hash, struct err *err)
{
    int file = policy_param(policy, "file");
    size_t length;
    *hash = 0;
    if (file < 0 || !policy->texts[file])
        return 0;
    char *text = text_load(policy->texts[file], &length, err);
    if (!text)
        return err_prepend(err, "%s", policy->name);
    for (size_t i = 0; i < length; i++)
        *hash = identity_mix(*hash, (unsigned char)text[i]);
    *hash = identity_mix(*hash, length);
    *hash = *hash ? *hash : 1;
    free(text);
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
        if (identity_file(campaign->policies[k], &campaign->contents[k], err) < 0)
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
