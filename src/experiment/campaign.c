#include "experiment/campaign.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"
#include "experiment/content.h"
#include "experiment/expand.h"
#include "gen/gen.h"
#include "trial/row.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAMPAIGN_MOST_CHANGES = CAMPAIGN_MOST_SWEEPS + 8 };

/* --- workloads ---------------------------------------------------------------------------------
 */

static uint64_t campaign_seed(const struct campaign *campaign,
                              const struct experiment_source *source, size_t number)
{
    if (campaign->seed_count > 0)
        return campaign->seeds[number];
    return source->scenario ? source->scenario->seed : 1;
}

static size_t campaign_seeds(const struct campaign *campaign)
{
    return campaign->seed_count > 0 ? campaign->seed_count : 1;
}

/* NULL = it has all seeds. */
static const struct campaign_case *campaign_case_of(const struct campaign *campaign, size_t number)
{
    if (!campaign->cases)
        return NULL;
    size_t rest = number / campaign_seeds(campaign), point = rest % campaign->points;
    size_t source = rest / campaign->points / campaign->platform_count;
    return &campaign->cases[source * campaign->points + point];
}

/* The number is one of mixed bases: the seed is its last digit, the source its first. */
struct campaign_workload campaign_workload(const struct campaign *campaign, size_t number)
{
    struct campaign_workload workload = {.campaign = campaign,
                                         .point_count = campaign->sweep_count};
    const struct campaign_case *of = campaign_case_of(campaign, number);
    size_t seeds = campaign_seeds(campaign);
    size_t seed = number % seeds, rest = number / seeds;
    for (size_t i = campaign->sweep_count; i-- > 0;) {
        const struct sweep *sweep = &campaign->sweeps[i];
        workload.point[i] = (struct variation){sweep->path, sweep->values[rest % sweep->count]};
        rest /= sweep->count;
    }
    workload.platform = &campaign->platforms[rest % campaign->platform_count];
    workload.source = &campaign->sources[rest / campaign->platform_count];
    workload.seed = campaign_seed(campaign, workload.source, seed);
    workload.ensemble = of && of->ensemble;
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
    campaign_write_values(&json, workload->campaign->noted, workload->campaign->noted_count);
    if (workload->ensemble)
        json_number(&json, "ensemble", GEN_ENSEMBLE);
    snprintf(digits, sizeof digits, "%016" PRIx64, workload->source->content);
    if (workload->source->content)
        json_string(&json, "generator", digits);
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

/* The values of the platform come first, so that a sweep can multiply them. Parameters change
 * before a scenario is drawn, all else afterwards. */
static int campaign_draw_varied(const struct campaign_workload *workload,
                                struct campaign_draw *draw, struct err *err)
{
    struct variation changes[CAMPAIGN_MOST_CHANGES], parameters[CAMPAIGN_MOST_SWEEPS];
    const struct campaign *campaign = workload->campaign;
    const struct campaign_platform *platform = workload->platform;
    const struct scenario *original = workload->source->scenario;
    size_t count = 0, parameter_count = 0;
    /* An ensemble is drawn once: its seed is that of what perturbs it. */
    uint64_t seed = workload->ensemble ? 1 : workload->seed;
    for (size_t i = 0; i < platform->count; i++)
        changes[count++] = platform->values[i];
    for (size_t i = 0; i < workload->point_count; i++)
        if (campaign->sweeps[i].parameter)
            parameters[parameter_count++] = workload->point[i];
        else
            changes[count++] = workload->point[i];
    if (parameter_count > 0 && original)
        return parameter_vary(NULL, parameters, NULL, err);
    if (!original)
        original = draw->made =
            source_draw(workload->source, seed, parameters, parameter_count, err);
    if (!original || scenario_vary(&draw->varied, original, changes, count, err) < 0)
        return -1;
    draw->varied.seed = seed;
    if (campaign->window)
        draw->varied.window = *campaign->window;
    return knowledge_vary(&draw->knowledge, changes, count, err);
}

int campaign_draw(const struct campaign_workload *workload, struct campaign_draw *draw,
                  struct err *err)
{
    *draw = (struct campaign_draw){.knowledge = workload->campaign->knowledge};
    return campaign_draw_varied(workload, draw, err);
}

void campaign_draw_fini(struct campaign_draw *draw)
{
    if (draw->varied.apps)
        scenario_fini_varied(&draw->varied);
    scenario_free(draw->made);
    *draw = (struct campaign_draw){0};
}

/* --- repeats -----------------------------------------------------------------------------------
 */

bool campaign_is_drawn(const struct experiment_source *source, const struct scenario *varied,
                       const struct knowledge *knowledge)
{
    bool drawn = source->generator || (source->family && source->family->random) ||
                 knowledge->volumes == KNOWLEDGE_WITHIN;
    for (uint32_t i = 0; i < varied->count && !drawn; i++)
        drawn = app_spec_drawn(&varied->apps[i]);
    return drawn;
}

bool campaign_is_repeat(const struct campaign *campaign, size_t number)
{
    const struct campaign_case *of = campaign_case_of(campaign, number);
    return of && number % campaign_seeds(campaign) >= of->members;
}

/* Looks at one point of a source, on the first platform: what is drawn is the same on all. A
 * scenario that cannot be made counts as drawn; its runs will fail. */
static bool campaign_is_fixed(const struct campaign *campaign, size_t source, size_t point)
{
    const struct experiment_source *of = &campaign->sources[source];
    size_t number =
        (source * campaign->platform_count * campaign->points + point) * campaign->seed_count;
    if (of->generator || (of->family && of->family->random))
        return false;
    const struct campaign_workload workload = campaign_workload(campaign, number);
    struct campaign_draw draw;
    bool fixed = campaign_draw(&workload, &draw, NULL) == 0 &&
                 !campaign_is_drawn(of, &draw.varied, &draw.knowledge);
    campaign_draw_fini(&draw);
    return fixed;
}

static int campaign_find_fixed(struct campaign *campaign, struct err *err)
{
    if (campaign->seed_count < 2)
        return 0;
    struct campaign_case *cases = arena_alloc(
        &campaign->arena, campaign->source_count * campaign->points, sizeof *campaign->cases);
    if (!cases)
        return err_memory(err);
    for (size_t i = 0; i < campaign->source_count; i++)
        for (size_t point = 0; point < campaign->points; point++)
            cases[i * campaign->points + point].members =
                campaign_is_fixed(campaign, i, point) ? 1 : (uint32_t)campaign->seed_count;
    campaign->cases = cases;
    for (size_t i = 0; i < campaign->workloads; i++)
        campaign->repeats += campaign_is_repeat(campaign, i);
    return 0;
}

/* --- identities --------------------------------------------------------------------------------
 */

const char *campaign_family(const struct experiment_source *source)
{
    return source->family ? source->family->name : source->generator;
}

/* Of all runs of a workload: what they have in common. 0 or -1. */
static int identity_workload(const struct campaign_workload *workload, uint64_t *hash)
{
    const struct experiment_source *source = workload->source;
    char *parameters = campaign_parameters(workload, 0);
    if (!parameters)
        return -1;
    *hash = content_text(0x5765697243616d70u, row_version);
    *hash = content_text(*hash, campaign_family(source));
    *hash = content_text(*hash, source->scenario ? source->scenario->name : NULL);
    *hash = content_mix(*hash, source->scenario ? scenario_hash(source->scenario) : 0);
    *hash = content_text(*hash, parameters);
    *hash = content_text(*hash, workload->platform->name);
    for (size_t i = 0; i < workload->platform->count; i++) {
        *hash = content_text(*hash, workload->platform->values[i].path);
        *hash = content_text(*hash, workload->platform->values[i].value);
    }
    *hash = content_mix(*hash, workload->seed);
    free(parameters);
    return 0;
}

/* Of the file that a strategy names, and of that of a plug-in: once it is built again, its results
 * are others. 0 = there is neither. 0 or -1. */
static int identity_content(const struct policy *policy, uint64_t *hash, struct err *err)
{
    int named = policy_param(policy, "file");
    const char *path = named < 0 ? NULL : policy->texts[named];
    *hash = 0;
    if ((path && content_file(path, hash, err) < 0) ||
        (policy->path && content_file(policy->path, hash, err) < 0))
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
    const struct experiment_source *source = one->source;
    if (source != two->source)
        return source->scenario
                   ? err_set(err, "scenario '%s' is listed twice", source->scenario->name)
                   : err_set(err, "%s '%s' is listed twice with the same parameters",
                             source->family ? "family" : "generator", campaign_family(source));
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

int campaign_identify(struct campaign *campaign, struct err *err)
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
            uint64_t hash = content_text(common, campaign->policies[k]->name);
            if (campaign->contents[k])
                hash = content_mix(hash, campaign->contents[k]);
            int64_t id = (int64_t)(hash >> 1);
            campaign->identities[i * campaign->policy_count + k] = id ? id : 1;
        }
    }
    return campaign_check_identities(campaign, err);
}

/* --- the whole ---------------------------------------------------------------------------------
 */

int campaign_count_runs(struct campaign *campaign, size_t most, struct err *err)
{
    const size_t factors[] = {campaign->source_count, campaign->platform_count, campaign->points,
                              campaign_seeds(campaign), campaign->policy_count};
    campaign->runs = 1;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        campaign->runs *= factors[i];
        if (campaign->runs > most)
            return err_set(err, "more than %zu runs", most);
    }
    campaign->workloads = campaign->runs / campaign->policy_count;
    return 0;
}

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
    for (size_t i = 0; !campaign->borrowed && i < campaign->policy_count; i++)
        policy_free(campaign->policies[i]);
    for (size_t i = 0; !campaign->borrowed && i < campaign->source_count; i++)
        source_fini(&campaign->sources[i]);
    arena_fini(&campaign->arena);
    if (!campaign->borrowed) {
        free(campaign->policies);
        free(campaign->sources);
    }
    free(campaign);
}
