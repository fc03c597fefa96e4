#include "format/draft.h"
#include "base/mem.h"
#include "format/word.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *draft_base_name(struct arena *arena, const char *where)
{
    const char *slash = strrchr(where, '/');
    const char *base = slash ? slash + 1 : where;
    const char *dot = strrchr(base, '.');
    size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    if (length == 0 || word_fault(base, length))
        return "scenario";
    return arena_strndup(arena, base, length);
}

int draft_init(struct draft *draft, const char *where, struct err *err)
{
    *draft = (struct draft){.where = where};
    draft->scenario = mem_alloc(1, sizeof *draft->scenario);
    if (!draft->scenario)
        return err_memory(err);
    draft->scenario->platform.node_bandwidth = INFINITY;
    draft->scenario->name = draft_base_name(&draft->scenario->arena, where);
    return draft->scenario->name ? 0 : err_memory(err);
}

void draft_fini(struct draft *draft)
{
    scenario_free(draft->scenario);
    free(draft->apps);
    free(draft->lines);
    *draft = (struct draft){0};
}

int draft_fail(const struct draft *draft, size_t line, struct err *err, const char *fmt, ...)
{
    struct err text;
    va_list args;
    va_start(args, fmt);
    vsnprintf(text.text, sizeof text.text, fmt, args);
    va_end(args);
    err_set(err, "%s", text.text);
    return err_prepend(err, "%s:%zu", draft->where, line);
}

void draft_override(struct draft *draft, const struct format_defaults *defaults)
{
    struct platform *platform = &draft->scenario->platform;
    if (!defaults)
        return;
    if (defaults->config) {
        const struct service *config = defaults->config;
        *platform = config->platform;
        draft->scenario->policy = config->policy;
        draft->scenario->stores = config->stores;
        draft->scenario->limits = config->limits;
        draft->scenario->shares = config->shares;
    }
    if (defaults->nodes > 0)
        platform->nodes = defaults->nodes;
    if (defaults->node_bandwidth > 0)
        platform->node_bandwidth = defaults->node_bandwidth;
    if (defaults->bandwidth > 0) {
        platform->bandwidth = defaults->bandwidth;
        platform->least = 0;
    }
}

int draft_add(struct draft *draft, const struct app_spec *app, size_t line, struct err *err)
{
    draft->replicas += app->count;
    if (draft->replicas > FORMAT_MAX_APPLICATIONS)
        return draft_fail(draft, line, err, "more than %d applications", FORMAT_MAX_APPLICATIONS);
    struct app_spec *apps =
        mem_reserve(draft->apps, &draft->capacity, draft->count + 1, sizeof *apps);
    if (!apps)
        return err_memory(err);
    draft->apps = apps;
    uint32_t *lines =
        mem_reserve(draft->lines, &draft->lines_capacity, draft->count + 1, sizeof *lines);
    if (!lines)
        return err_memory(err);
    draft->lines = lines;
    draft->apps[draft->count] = *app;
    draft->lines[draft->count++] = (uint32_t)line;
    return 0;
}

/* Whether the scenario would be accepted if this were its only application. 0 or -1. */
static int validate_alone(const struct scenario *scenario, const struct app_spec *app,
                          struct err *err)
{
    struct app_spec copy = *app;
    struct scenario alone = {.name = scenario->name,
                             .platform = scenario->platform,
                             .stores = scenario->stores,
                             .window = scenario->window,
                             .apps = &copy,
                             .count = 1};
    int status = scenario_validate(&alone, err);
    arena_fini(&alone.arena);
    return status;
}

static bool draft_accepts(const struct scenario *scenario, const struct app_spec *app)
{
    return validate_alone(scenario, app, NULL) == 0;
}

int draft_check(const struct draft *draft, const struct app_spec *app, size_t line, struct err *err)
{
    struct scenario scenario = *draft->scenario;
    if (scenario.platform.bandwidth <= 0)
        scenario.platform.bandwidth = 1;
    if (validate_alone(&scenario, app, err) == 0)
        return 0;
    return err_prepend(err, "%s:%zu", draft->where, line);
}

/* The line at fault in a scenario that was refused, or 0 when it is not one line's. */
static size_t draft_blame(const struct draft *draft)
{
    struct app_spec harmless = app_spec_defaults;
    harmless.bandwidth = harmless.work.mean = 1;
    if (!draft_accepts(draft->scenario, &harmless))
        return draft->platform_line;
    for (size_t i = 0; i < draft->count; i++) {
        if (!draft_accepts(draft->scenario, &draft->apps[i]))
            return draft->lines[i];
    }
    return 0;
}

struct scenario *draft_finish(struct draft *draft, struct err *err)
{
    struct scenario *scenario = draft->scenario;
    scenario->apps = draft->apps;
    scenario->count = (uint32_t)draft->count;
    if (scenario_validate(scenario, err) != 0) {
        scenario->apps = NULL;
        size_t line = draft_blame(draft);
        if (line)
            err_prepend(err, "%s:%zu", draft->where, line);
        else
            err_prepend(err, "%s", draft->where);
        return NULL;
    }
    draft->scenario = NULL;
    draft->apps = NULL;
    return scenario;
}
