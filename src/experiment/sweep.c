#include "experiment/sweep.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "base/units.h"
#include "experiment/source.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEP_MOST_PATHS = 32, SWEEP_PATH_SIZE = 64 };
static const char sweep_apps[] = "applications.", sweep_platform[] = "platform.";

/* How a value is kept. */
enum sweep_type {
    SWEEP_NUMBER, /* double */
    SWEEP_GIVEN,  /* double that may be missing: 0 or INFINITY */
    SWEEP_WHOLE,  /* uint32_t from 1 on */
    SWEEP_WORK,   /* struct amount, or in each phase */
    SWEEP_IO,
    SWEEP_VOLUMES, /* struct knowledge, which reads it itself */
};

struct sweep_key {
    const char *name;
    enum sweep_type type;
    enum unit unit;
    size_t offset;
};

static const struct sweep_key platform_paths[] = {
    {"nodes", SWEEP_GIVEN, UNIT_NONE, offsetof(struct platform, nodes)},
    {"node_bandwidth", SWEEP_GIVEN, UNIT_RATE, offsetof(struct platform, node_bandwidth)},
    {"bandwidth", SWEEP_GIVEN, UNIT_RATE, offsetof(struct platform, bandwidth)},
    {0}};

#define AT(member) offsetof(struct app_spec, member)
/* A name that ends like another stands before it. */
static const struct sweep_key app_paths[] = {
    {"noise.work", SWEEP_NUMBER, UNIT_RATIO, AT(noise_work)},
    {"noise.io", SWEEP_NUMBER, UNIT_RATIO, AT(noise_io)},
    {"count", SWEEP_WHOLE, UNIT_NONE, AT(count)},
    {"nodes", SWEEP_GIVEN, UNIT_NONE, AT(nodes)},
    {"bandwidth", SWEEP_GIVEN, UNIT_RATE, AT(bandwidth)},
    {"work", SWEEP_WORK, UNIT_SECONDS, AT(work)},
    {"io", SWEEP_IO, UNIT_BYTES, AT(io)},
    {"iterations", SWEEP_WHOLE, UNIT_NONE, AT(iterations)},
    {"release", SWEEP_NUMBER, UNIT_SECONDS, AT(release)},
    {"weight", SWEEP_NUMBER, UNIT_NONE, AT(weight)},
    {"progress", SWEEP_NUMBER, UNIT_SECONDS, AT(progress)},
    {"waiting", SWEEP_NUMBER, UNIT_SECONDS, AT(waiting)},
    {"period", SWEEP_GIVEN, UNIT_SECONDS, AT(period)},
    {"calls", SWEEP_GIVEN, UNIT_BYTES, AT(calls)},
    {0}};
#undef AT

static const struct sweep_key knowledge_paths[] = {
    {"knowledge", SWEEP_VOLUMES, UNIT_NONE, 0},
    {"progress_age", SWEEP_NUMBER, UNIT_SECONDS, offsetof(struct knowledge, age)},
    {0}};

/* --- paths and values --------------------------------------------------------------------------
 */

/* A path that is understood. */
struct sweep_target {
    const struct sweep_key *key;
    bool knowledge;  /* it is of what strategies know; else: */
    const char *app; /* the name of the applications, `length` bytes; NULL = the platform */
    size_t length;
};

/* What a value is: a number of the key's unit, or a multiple. */
struct sweep_value {
    double number;
    bool multiple;
};

static int sweep_fail_path(const char *path, struct err *err)
{
    char texts[SWEEP_MOST_PATHS][SWEEP_PATH_SIZE];
    const char *names[SWEEP_MOST_PATHS + 1] = {NULL};
    size_t count = 0;
    const char *app = strncmp(path, sweep_apps, sizeof sweep_apps - 1) == 0
                          ? path + sizeof sweep_apps - 1
                          : "NAME.";
    for (const struct sweep_key *key = platform_paths; key->name; key++)
        names[count++] = key->name;
    for (const struct sweep_key *key = knowledge_paths; key->name; key++)
        names[count++] = key->name;
    for (const struct sweep_key *key = app_paths; key->name; key++) {
        snprintf(texts[count], SWEEP_PATH_SIZE, "%s%.*s.%s", sweep_apps, (int)strcspn(app, "."),
                 app, key->name);
        names[count] = texts[count];
        count++;
    }
    return err_set(err, "unknown path '%s'%s", path, suggest(path, names, "docs/reference/campaign.md").text);
}

/* The name of an application may have dots: the key is what the path ends with. */
static const struct sweep_key *sweep_find_app_key(const char *path, size_t *length)
{
    size_t all = strlen(path);
    for (const struct sweep_key *key = app_paths; key->name; key++) {
        size_t end = strlen(key->name);
        if (all < end + 2 || path[all - end - 1] != '.' || strcmp(path + all - end, key->name) != 0)
            continue;
        *length = all - end - 1;
        return key;
    }
    return NULL;
}

/* The one of this name, or NULL. */
static const struct sweep_key *sweep_find_key(const struct sweep_key *keys, const char *name)
{
    while (keys->name && strcmp(keys->name, name) != 0)
        keys++;
    return keys->name ? keys : NULL;
}

static int sweep_find(const char *path, struct sweep_target *target, struct err *err)
{
    *target = (struct sweep_target){0};
    if (strncmp(path, sweep_apps, sizeof sweep_apps - 1) == 0) {
        target->app = path + sizeof sweep_apps - 1;
        target->key = sweep_find_app_key(target->app, &target->length);
        return target->key ? 0 : sweep_fail_path(path, err);
    }
    target->key = sweep_find_key(knowledge_paths, path);
    target->knowledge = target->key != NULL;
    if (target->knowledge)
        return 0;
    const char *name = path;
    if (strncmp(path, sweep_platform, sizeof sweep_platform - 1) == 0)
        name += sizeof sweep_platform - 1;
    target->key = sweep_find_key(platform_paths, name);
    return target->key ? 0 : sweep_fail_path(path, err);
}

bool sweep_is_platform(const char *path)
{
    struct sweep_target target;
    return sweep_find(path, &target, NULL) == 0 && !target.knowledge && !target.app;
}

static int sweep_read(const struct variation *change, const struct sweep_key *key,
                      struct sweep_value *value, struct err *err)
{
    size_t length = strlen(change->value);
    char number[64];
    value->multiple = length > 1 && length < sizeof number && change->value[length - 1] == 'x';
    if (!value->multiple) {
        if (units_parse(change->value, key->unit, &value->number, err) < 0)
            return err_prepend(err, "%s", change->path);
        return 0;
    }
    memcpy(number, change->value, length - 1);
    number[length - 1] = 0;
    if (units_parse(number, UNIT_NONE, &value->number, NULL) < 0 || value->number <= 0)
        return err_set(err, "%s: '%s' is not a multiple, expected one such as '2x'", change->path,
                       change->value);
    return 0;
}

/* Nothing that strategies know can be multiplied. */
static int sweep_know(struct knowledge *knowledge, const struct variation *change,
                      const struct sweep_key *key, struct err *err)
{
    double *number = (double *)(void *)((char *)knowledge + key->offset);
    if (key->type == SWEEP_VOLUMES ? knowledge_parse(knowledge, change->value, err) < 0
                                   : units_parse(change->value, key->unit, number, err) < 0)
        return err_prepend(err, "%s", change->path);
    if (key->type == SWEEP_NUMBER && *number < 0)
        return err_set(err, "%s: '%s' is below 0", change->path, change->value);
    return 0;
}

int knowledge_vary(struct knowledge *knowledge, const struct variation *changes, size_t count,
                   struct err *err)
{
    for (size_t i = 0; i < count; i++) {
        struct sweep_target target;
        if (sweep_find(changes[i].path, &target, err) < 0 ||
            (target.knowledge && sweep_know(knowledge, &changes[i], target.key, err) < 0))
            return -1;
    }
    return 0;
}

int variation_check(const struct variation *change, struct err *err)
{
    struct sweep_target target;
    struct sweep_value value;
    struct knowledge knowledge = {0};
    if (sweep_find(change->path, &target, err) < 0)
        return -1;
    return target.knowledge ? sweep_know(&knowledge, change, target.key, err)
                            : sweep_read(change, target.key, &value, err);
}

int parameter_vary(const struct family *family, const struct variation *change,
                   double values[FAMILY_MOST_PARAMS], struct err *err)
{
    char text[128];
    if (!family)
        return err_set(err, "'%s' is a parameter of a family, and this is a file", change->path);
    snprintf(text, sizeof text, "%s=%s", change->path, change->value);
    return family_set(family, text, values, err);
}

/* What a scenario has by this name goes before a parameter of its family. */
bool sweep_is_parameter(const char *path, const struct family *family)
{
    struct sweep_target target;
    if (!family || sweep_find(path, &target, NULL) == 0)
        return false;
    for (const struct family_param *param = family->params; param->name; param++)
        if (strcmp(param->name, path) == 0)
            return true;
    return false;
}

int sweep_check(const struct sweep *sweep, const char *value,
                const struct experiment_source *source, struct err *err)
{
    const struct variation change = {sweep->path, value};
    double values[FAMILY_MOST_PARAMS];
    if (!sweep->parameter)
        return variation_check(&change, err);
    return source->family ? parameter_vary(source->family, &change, values, err) : 0;
}

int sweep_parse(struct sweep *sweep, const char *text, const struct experiment_source *source,
                struct arena *arena, struct err *err)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return err_set(err, "'%s' is not PATH=VALUE,VALUE,..., such as bandwidth=1x,2x", text);
    char *values = arena_strndup(arena, equals + 1, strlen(equals + 1));
    size_t most = 1;
    for (const char *c = equals; *c; c++)
        most += *c == ',';
    *sweep = (struct sweep){.path = arena_strndup(arena, text, (size_t)(equals - text)),
                            .values = arena_alloc(arena, most, sizeof(char *))};
    if (!values || !sweep->path || !sweep->values)
        return err_memory(err);
    sweep->parameter = source_has_parameter(source, sweep->path);
    for (char *rest = values; rest;) {
        char *value = strsep(&rest, ",");
        if (sweep_check(sweep, value, source, err) < 0)
            return -1;
        sweep->values[sweep->count++] = value;
    }
    return 0;
}

/* --- changing ----------------------------------------------------------------------------------
 */

static int sweep_set_number(double *number, const struct sweep_value *value, bool given,
                            struct err *err)
{
    if (!value->multiple) {
        *number = value->number;
        return 0;
    }
    if (given && (*number == 0 || !isfinite(*number)))
        return err_set(err, "the scenario has no value to multiply");
    *number *= value->number;
    return 0;
}

static int sweep_set_whole(uint32_t *whole, const struct sweep_value *value, struct err *err)
{
    double number = value->multiple ? *whole * value->number : value->number;
    if (!(number >= 1 && number <= UINT32_MAX && number == floor(number)))
        return err_set(err, "%.10g is not a whole number from 1 on", number);
    *whole = (uint32_t)number;
    return 0;
}

/* Every phase of an application that has them one by one can be multiplied, but not replaced. */
static int sweep_set_phases(struct app_spec *app, const struct sweep_key *key,
                            const struct sweep_value *value, struct arena *arena, struct err *err)
{
    if (!value->multiple)
        return err_set(err, "%s has its phases one by one, expected a multiple such as '2x'",
                       app->name);
    struct iteration *list = arena_alloc(arena, app->iterations, sizeof *list);
    if (!list)
        return err_memory(err);
    for (uint32_t k = 0; k < app->iterations; k++) {
        list[k] = app->explicit_iterations[k];
        *(key->type == SWEEP_WORK ? &list[k].work : &list[k].volume) *= value->number;
    }
    app->explicit_iterations = list;
    return 0;
}

static int sweep_set_amount(struct amount *amount, const struct sweep_value *value,
                            struct arena *arena, struct err *err)
{
    if (!value->multiple || !amount->random) {
        amount->random = NULL;
        return sweep_set_number(&amount->mean, value, false, err);
    }
    struct distribution *scaled = arena_alloc(arena, 1, sizeof *scaled);
    if (!scaled)
        return err_memory(err);
    *scaled = *amount->random;
    scaled->mean *= value->number;
    scaled->sd *= value->number;
    scaled->min *= value->number;
    scaled->max *= value->number;
    amount->random = scaled;
    return 0;
}

static int sweep_set_app(struct app_spec *app, const struct sweep_key *key,
                         const struct sweep_value *value, struct arena *arena, struct err *err)
{
    void *member = (char *)app + key->offset;
    switch (key->type) {
    case SWEEP_NUMBER:
    case SWEEP_GIVEN:
        return sweep_set_number(member, value, key->type == SWEEP_GIVEN, err);
    case SWEEP_WHOLE:
        if (member == &app->iterations && app->explicit_iterations)
            return err_set(err, "%s has its phases one by one", app->name);
        return sweep_set_whole(member, value, err);
    default:
        return app->explicit_iterations ? sweep_set_phases(app, key, value, arena, err)
                                        : sweep_set_amount(member, value, arena, err);
    }
}

static bool sweep_names(const struct sweep_target *target, const struct app_spec *app)
{
    if (target->length == 1 && *target->app == '*')
        return true;
    return strlen(app->name) == target->length &&
           memcmp(app->name, target->app, target->length) == 0;
}

static int sweep_fail_app(const char *path, const struct sweep_target *target,
                          const struct scenario *scenario, struct err *err)
{
    return err_set(err, "%s: %s has no application '%.*s'", path, scenario->name,
                   (int)target->length, target->app);
}

int sweep_find_in(const char *path, const struct scenario *scenario, struct err *err)
{
    struct sweep_target target;
    if (sweep_find(path, &target, err) < 0)
        return -1;
    for (uint32_t i = 0; target.app && i < scenario->count; i++)
        if (sweep_names(&target, &scenario->apps[i]))
            return 0;
    return target.app ? sweep_fail_app(path, &target, scenario, err) : 0;
}

static int sweep_apply(struct scenario *scenario, const struct variation *change, struct err *err)
{
    struct sweep_target target;
    struct sweep_value value;
    bool found = false;
    if (sweep_find(change->path, &target, err) < 0)
        return -1;
    if (target.knowledge)
        return 0;
    if (sweep_read(change, target.key, &value, err) < 0)
        return -1;
    if (!target.app) {
        double *member = (double *)((char *)&scenario->platform + target.key->offset);
        int status = sweep_set_number(member, &value, true, err);
        return status < 0 ? err_prepend(err, "%s", change->path) : 0;
    }
    for (uint32_t i = 0; i < scenario->count; i++) {
        if (!sweep_names(&target, &scenario->apps[i]))
            continue;
        found = true;
        if (sweep_set_app(&scenario->apps[i], target.key, &value, &scenario->arena, err) < 0)
            return err_prepend(err, "%s", change->path);
    }
    return found ? 0 : sweep_fail_app(change->path, &target, scenario, err);
}

int scenario_vary(struct scenario *copy, const struct scenario *original,
                  const struct variation *changes, size_t count, struct err *err)
{
    *copy = *original;
    copy->warning = NULL;
    copy->arena = (struct arena){0};
    copy->apps = mem_alloc(original->count, sizeof *copy->apps);
    if (!copy->apps)
        return err_memory(err);
    memcpy(copy->apps, original->apps, original->count * sizeof *copy->apps);
    if (original->drawn_last)
        copy->drawn_last = copy->apps + (original->drawn_last - original->apps);
    for (size_t i = 0; i < count; i++)
        if (sweep_apply(copy, &changes[i], err) < 0)
            return -1;
    return scenario_validate(copy, err);
}

void scenario_fini_varied(struct scenario *copy)
{
    free(copy->apps);
    arena_fini(&copy->arena);
    *copy = (struct scenario){0};
}

/* --- for people --------------------------------------------------------------------------------
 */

void sweep_document(void (*row)(void *context, const char *mapping, const char *path,
                                const char *value, const char *help),
                    void *context)
{
    static const char title[] = "paths of a sweep";
    char path[SWEEP_PATH_SIZE];
    for (const struct sweep_key *key = platform_paths; key->name; key++)
        row(context, title, key->name, units_expected(key->unit), "of the platform");
    for (const struct sweep_key *key = app_paths; key->name; key++) {
        snprintf(path, sizeof path, "%sNAME.%s", sweep_apps, key->name);
        row(context, title, path, units_expected(key->unit), "of the applications of this name");
    }
    row(context, title, "knowledge", "'exact', a percentage such as '30%', or 'mean'",
        "what strategies know of the volumes of I/Os, as `weir simulate --knowledge`");
    row(context, title, "progress_age", units_expected(UNIT_SECONDS),
        "how late strategies see progress, as `weir simulate --progress-age`");
}
