#include "experiment/expand.h"
#include "base/mem.h"
#include "base/paths.h"
#include "experiment/generator.h"
#include "format/format.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All that expansion needs. */
struct expansion {
    struct campaign *campaign;
    const struct campaign_file *file;
    const char *directory; /* of the file, "dir/" or "" */
    size_t source_capacity, policy_capacity;
    struct err *err;
};

/* Puts the line in front of the text; returns -1. */
static int expand_blame(struct expansion *expansion, uint32_t line)
{
    return err_prepend(expansion->err, "%s:%u", expansion->file->where, (unsigned)line);
}

static char *expand_copy(struct expansion *expansion, const char *text)
{
    char *copy = arena_strndup(&expansion->campaign->arena, text, strlen(text));
    if (!copy)
        err_memory(expansion->err);
    return copy;
}

/* --- ranges ------------------------------------------------------------------------------------
 */

/* A whole number at *at, of at most 18 digits; moves *at after it. */
static bool expand_whole(const char **at, uint64_t *value)
{
    const char *start = *at;
    *value = 0;
    for (; **at >= '0' && **at <= '9' && *at - start < 18; ++*at)
        *value = *value * 10 + (uint64_t)(**at - '0');
    return *at > start;
}

/* Whether the text is "5..20", or "7". */
static bool expand_range(const char *text, uint64_t *first, uint64_t *last)
{
    if (!expand_whole(&text, first))
        return false;
    *last = *first;
    if (strncmp(text, "..", 2) == 0) {
        text += 2;
        if (!expand_whole(&text, last))
            return false;
    }
    return *text == 0 && *first <= *last && *last - *first < CAMPAIGN_MOST_RUNS;
}

/* Whether a text is to be a range, right or wrong. */
static bool expand_looks_like_range(const char *text)
{
    return *text >= '0' && *text <= '9' && strstr(text, "..");
}

/* The values of an axis, in which a range stands for each of its numbers. 0 or -1. */
static int expand_values(struct expansion *expansion, const struct file_axis *axis,
                         struct sweep *sweep)
{
    struct arena *arena = &expansion->campaign->arena;
    const struct file_texts *values = &axis->values;
    uint64_t first, last;
    size_t count = 0;
    for (uint32_t i = 0; i < values->count; i++) {
        bool range = expand_range(values->list[i].text, &first, &last);
        if (!range && expand_looks_like_range(values->list[i].text)) {
            err_set(expansion->err, "%s: '%s' is not a range such as 1..10", axis->name.text,
                    values->list[i].text);
            return expand_blame(expansion, values->list[i].line);
        }
        count += range ? (size_t)(last - first + 1) : 1;
    }
    *sweep = (struct sweep){.path = expand_copy(expansion, axis->name.text),
                            .values = arena_alloc(arena, count, sizeof(char *))};
    for (uint32_t i = 0; sweep->path && sweep->values && i < values->count; i++) {
        const char *text = values->list[i].text;
        bool range = expand_looks_like_range(text) && expand_range(text, &first, &last);
        for (uint64_t value = first; range && value <= last; value++) {
            char number[24];
            snprintf(number, sizeof number, "%llu", (unsigned long long)value);
            sweep->values[sweep->count++] = expand_copy(expansion, number);
        }
        if (!range)
            sweep->values[sweep->count++] = expand_copy(expansion, text);
    }
    for (size_t i = 0; i < sweep->count; i++)
        if (!sweep->values[i])
            return -1;
    return sweep->path && sweep->values ? 0 : err_memory(expansion->err);
}

static int expand_seeds(struct expansion *expansion)
{
    struct campaign *campaign = expansion->campaign;
    const struct file_texts *seeds = &expansion->file->seeds;
    uint64_t first, last;
    size_t count = 0;
    for (uint32_t i = 0; i < seeds->count; i++) {
        const char *text = seeds->list[i].text;
        if (!expand_range(text, &first, &last)) {
            err_set(expansion->err, "seeds: '%s' is not a number, or a range such as 1..200", text);
            return expand_blame(expansion, seeds->list[i].line);
        }
        /* A single number is how many there are. */
        bool number = seeds->single && !strstr(text, "..");
        if (number && first == 0) {
            err_set(expansion->err,
                    "seeds: '%s' stands for none, expected at least 1, or a range such as 0..9",
                    text);
            return expand_blame(expansion, seeds->list[i].line);
        }
        uint64_t from = number ? 1 : first;
        if (last - from >= CAMPAIGN_MOST_RUNS) {
            err_set(expansion->err, "seeds: more than %d", CAMPAIGN_MOST_RUNS);
            return expand_blame(expansion, seeds->list[i].line);
        }
        uint64_t *list = arena_alloc(&campaign->arena, count + (last - from) + 1, sizeof *list);
        if (!list)
            return err_memory(expansion->err);
        if (count > 0)
            memcpy(list, campaign->seeds, count * sizeof *list);
        for (uint64_t seed = from; seed <= last; seed++)
            list[count++] = seed;
        campaign->seeds = list;
    }
    campaign->seed_count = count;
    return 0;
}

/* --- sources -----------------------------------------------------------------------------------
 */

static struct experiment_source *expand_add_source(struct expansion *expansion)
{
    struct campaign *campaign = expansion->campaign;
    struct experiment_source *list = mem_reserve(campaign->sources, &expansion->source_capacity,
                                                 campaign->source_count + 1, sizeof *list);
    if (!list) {
        err_memory(expansion->err);
        return NULL;
    }
    campaign->sources = list;
    list[campaign->source_count] = (struct experiment_source){0};
    return &list[campaign->source_count++];
}

/* A relative path starts at the directory of the campaign file. */
static char *expand_path(struct expansion *expansion, const char *path)
{
    size_t length = *path == '/' ? 0 : strlen(expansion->directory);
    char *whole = arena_alloc(&expansion->campaign->arena, length + strlen(path) + 1, 1);
    if (!whole) {
        err_memory(expansion->err);
        return NULL;
    }
    memcpy(whole, expansion->directory, length);
    strcpy(whole + length, path);
    return whole;
}

static int expand_file(struct expansion *expansion, const char *path, uint32_t line)
{
    struct experiment_source *source = expand_add_source(expansion);
    if (!source)
        return -1;
    source->scenario = source->read =
        format_load(path, NULL, &(struct format_defaults){0}, expansion->err);
    if (!source->scenario)
        return expand_blame(expansion, line);
    source->name = source->scenario->name;
    if (source->scenario->seed > INT64_MAX && expansion->file->seeds.count == 0) {
        err_set(expansion->err, "%s: its seed is larger than %lld", path, (long long)INT64_MAX);
        return expand_blame(expansion, line);
    }
    return 0;
}

/* A file, those of a directory, or those that a pattern fits, in the order of their names. A path
 * that is there is no pattern, whatever characters it has. */
static int expand_scenario(struct expansion *expansion, const struct file_text *name)
{
    static const char every[] = "/*.yaml";
    char *path = expand_path(expansion, name->text);
    if (!path)
        return -1;
    struct path_set files;
    if (paths_find(&files, path, every, expansion->err) < 0)
        return expand_blame(expansion, name->line);
    int status = 0;
    for (size_t i = 0; i < files.count && status == 0; i++)
        status = expand_file(expansion, files.list[i], name->line);
    paths_fini(&files);
    return status;
}

/* What is kept of it is that of the campaign: its directory too. */
static int expand_generator(struct expansion *expansion, const struct file_text *command)
{
    const char *text = expand_copy(expansion, command->text);
    struct experiment_source *source = text ? expand_add_source(expansion) : NULL;
    if (!source)
        return -1;
    if (!generator_is(text)) {
        err_set(expansion->err, "generator: '%s' has no {seed}", text);
        return expand_blame(expansion, command->line);
    }
    source->directory = expansion->directory;
    return source_open(source, text, expansion->err) < 0 ? expand_blame(expansion, command->line)
                                                         : 0;
}

/* The values of one parameter set, of which `number` is the place among all. */
static int expand_parameters(struct expansion *expansion, struct experiment_source *source,
                             const struct file_group *group, const struct sweep *sweeps,
                             size_t number)
{
    source->given = arena_alloc(&expansion->campaign->arena, group->count, sizeof *source->given);
    if (!source->given)
        return err_memory(expansion->err);
    source->given_count = group->count;
    family_defaults(source->family, source->values);
    for (size_t i = group->count; i-- > 0;) {
        const char *value = sweeps[i].values[number % sweeps[i].count];
        char text[600];
        number /= sweeps[i].count;
        source->given[i] = (struct variation){sweeps[i].path, value};
        snprintf(text, sizeof text, "%s=%s", sweeps[i].path, value);
        if (family_set(source->family, text, source->values, expansion->err) < 0)
            return expand_blame(expansion, group->axes[i].name.line);
    }
    return 0;
}

/* All values of all parameters with each other. */
static int expand_family(struct expansion *expansion, const struct file_group *group)
{
    const struct family *family = family_find(group->name.text, expansion->err);
    size_t count = 1;
    if (!family)
        return expand_blame(expansion, group->name.line);
    if (family->batch) {
        err_set(expansion->err, "%s: its jobs are still to be mapped, see weir map", family->name);
        return expand_blame(expansion, group->name.line);
    }
    if (group->count > FAMILY_MOST_PARAMS) {
        err_set(expansion->err, "%s has fewer parameters", family->name);
        return expand_blame(expansion, group->name.line);
    }
    struct sweep sweeps[FAMILY_MOST_PARAMS];
    for (uint32_t i = 0; i < group->count; i++) {
        if (expand_values(expansion, &group->axes[i], &sweeps[i]) < 0)
            return -1;
        count *= sweeps[i].count;
        if (count > CAMPAIGN_MOST_RUNS) {
            err_set(expansion->err, "more than %d runs", CAMPAIGN_MOST_RUNS);
            return expand_blame(expansion, group->name.line);
        }
    }
    for (size_t number = 0; number < count; number++) {
        struct experiment_source *source = expand_add_source(expansion);
        if (!source)
            return -1;
        source->family = family;
        source->name = family->name;
        if (expand_parameters(expansion, source, group, sweeps, number) < 0)
            return -1;
    }
    return 0;
}

/* --- platforms and sweeps ----------------------------------------------------------------------
 */

static int expand_platform(struct expansion *expansion, const struct file_group *group,
                           struct campaign_platform *platform)
{
    platform->name = expand_copy(expansion, group->name.text);
    platform->values =
        arena_alloc(&expansion->campaign->arena, group->count, sizeof *platform->values);
    if (!platform->name || !platform->values)
        return err_memory(expansion->err);
    for (uint32_t i = 0; i < group->count; i++) {
        const struct file_axis *axis = &group->axes[i];
        struct variation *value = &platform->values[platform->count++];
        *value = (struct variation){expand_copy(expansion, axis->name.text),
                                    expand_copy(expansion, axis->values.list[0].text)};
        if (!value->path || !value->value)
            return -1;
        int status = variation_check(value, expansion->err);
        if (status == 0 &&
            (axis->values.count > 1 || strchr(value->path, '.') || !sweep_is_platform(value->path)))
            status =
                err_set(expansion->err,
                        "a platform has one value each of nodes, node_bandwidth and bandwidth; "
                        "'sweep' takes lists and paths");
        if (status < 0)
            return expand_blame(expansion, axis->name.line);
    }
    return 0;
}

static int expand_platforms(struct expansion *expansion)
{
    struct campaign *campaign = expansion->campaign;
    const struct file_groups *groups = &expansion->file->platforms;
    size_t count = groups->count > 0 ? groups->count : 1; /* the scenario's */
    campaign->platforms = arena_alloc(&campaign->arena, count, sizeof *campaign->platforms);
    if (!campaign->platforms)
        return err_memory(expansion->err);
    campaign->platform_count = count;
    for (uint32_t i = 0; i < groups->count; i++)
        if (expand_platform(expansion, &groups->list[i], &campaign->platforms[i]) < 0)
            return -1;
    return 0;
}

/* Every value can be read, and every scenario that is at hand has such an application. */
static int expand_check_sweep(struct expansion *expansion, const struct sweep *sweep)
{
    const struct campaign *campaign = expansion->campaign;
    for (size_t k = 0; k < sweep->count; k++)
        if (sweep_check(sweep, sweep->values[k], campaign->sources, expansion->err) < 0)
            return -1;
    for (size_t i = 0; i < campaign->source_count; i++)
        if (campaign->sources[i].scenario &&
            sweep_find_in(sweep->path, campaign->sources[i].scenario, expansion->err) < 0)
            return -1;
    return 0;
}

static int expand_sweeps(struct expansion *expansion)
{
    struct campaign *campaign = expansion->campaign;
    const struct file_group *group = &expansion->file->sweep;
    if (group->count > CAMPAIGN_MOST_SWEEPS)
        return err_set(expansion->err, "%s: sweep has more than %d paths", expansion->file->where,
                       CAMPAIGN_MOST_SWEEPS);
    campaign->points = 1;
    campaign->sweeps = arena_alloc(&campaign->arena, group->count, sizeof *campaign->sweeps);
    if (!campaign->sweeps)
        return err_memory(expansion->err);
    for (uint32_t i = 0; i < group->count; i++) {
        struct sweep *sweep = &campaign->sweeps[campaign->sweep_count++];
        if (expand_values(expansion, &group->axes[i], sweep) < 0)
            return -1;
        sweep->parameter = source_has_parameter(campaign->sources, sweep->path);
        if (expand_check_sweep(expansion, sweep) < 0)
            return expand_blame(expansion, group->axes[i].name.line);
        campaign->points *= sweep->count;
        if (campaign->points > CAMPAIGN_MOST_RUNS) {
            err_set(expansion->err, "more than %d runs", CAMPAIGN_MOST_RUNS);
            return expand_blame(expansion, group->axes[i].name.line);
        }
    }
    return 0;
}

/* --- strategies --------------------------------------------------------------------------------
 */

/* A relative path of the file that the strategy names starts where those of scenarios do. */
static int expand_policy_file(struct expansion *expansion, struct policy *policy)
{
    int file = policy_param(policy, "file");
    if (file < 0 || !policy->texts[file])
        return 0;
    const char *path = expand_path(expansion, policy->texts[file]);
    char *whole = path ? mem_alloc(strlen(path) + 1, 1) : NULL;
    if (!whole)
        return err_memory(expansion->err);
    strcpy(whole, path);
    free(policy->texts[file]);
    policy->texts[file] = whole;
    return 0;
}

static int expand_add_policy(struct expansion *expansion, const char *name)
{
    struct campaign *campaign = expansion->campaign;
    struct policy **list = mem_reserve(campaign->policies, &expansion->policy_capacity,
                                       campaign->policy_count + 1, sizeof(struct policy *));
    if (!list)
        return err_memory(expansion->err);
    campaign->policies = list;
    list[campaign->policy_count] = policy_open_at(name, expansion->directory, expansion->err);
    if (!list[campaign->policy_count])
        return -1;
    return expand_policy_file(expansion, list[campaign->policy_count++]);
}

static int expand_add_policies(struct expansion *expansion, const char *const *names)
{
    for (size_t i = 0; names[i]; i++)
        if (expand_add_policy(expansion, names[i]) < 0)
            return -1;
    return 0;
}

static int expand_policies(struct expansion *expansion)
{
    const struct file_texts *names = &expansion->file->strategies;
    if (names->count == 0)
        return expand_add_policies(expansion, policy_usual);
    for (uint32_t i = 0; i < names->count; i++) {
        const char *name = names->list[i].text;
        int status = strcmp(name, "all") == 0 ? expand_add_policies(expansion, policy_all)
                                              : expand_add_policy(expansion, name);
        if (status < 0)
            return expand_blame(expansion, names->list[i].line);
    }
    return 0;
}

/* --- the whole ---------------------------------------------------------------------------------
 */

int campaign_expand(struct campaign *campaign, const struct campaign_file *file, const char *path,
                    struct err *err)
{
    struct expansion expansion = {.campaign = campaign, .file = file, .err = err};
    const char *slash = strrchr(path, '/');
    expansion.directory =
        arena_strndup(&campaign->arena, path, slash ? (size_t)(slash - path) + 1 : 0);
    campaign->name = expand_copy(&expansion, file->name);
    if (!campaign->name || !expansion.directory)
        return err_memory(err);
    for (uint32_t i = 0; i < file->scenarios.count; i++)
        if (expand_scenario(&expansion, &file->scenarios.list[i]) < 0)
            return -1;
    for (uint32_t i = 0; i < file->generators.count; i++)
        if (expand_generator(&expansion, &file->generators.list[i]) < 0)
            return -1;
    for (uint32_t i = 0; i < file->families.count; i++)
        if (expand_family(&expansion, &file->families.list[i]) < 0)
            return -1;
    if (expand_seeds(&expansion) < 0 || expand_platforms(&expansion) < 0 ||
        expand_sweeps(&expansion) < 0 || expand_policies(&expansion) < 0)
        return -1;
    return campaign_count_runs(campaign, CAMPAIGN_MOST_RUNS, err) < 0
               ? err_prepend(err, "%s", file->where)
               : 0;
}
