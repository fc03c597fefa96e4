#include "gen/family.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/units.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const struct family *const families[] = {
#define X(name) &family_##name,
    FAMILIES(X)
#undef X
        NULL,
};
enum { COUNT = sizeof families / sizeof *families - 1 };

const struct family *family_find(const char *name, struct err *err)
{
    const char *names[COUNT + 1] = {NULL};
    for (size_t i = 0; i < COUNT; i++) {
        if (strcmp(families[i]->name, name) == 0)
            return families[i];
        names[i] = families[i]->name;
    }
    err_set(err, "unknown family '%s'%s", name, suggest(name, names, "weir generate --list").text);
    return NULL;
}

/* --- parameters ------------------------------------------------------------------------------ */

void family_defaults(const struct family *family, double values[FAMILY_MOST_PARAMS])
{
    for (size_t i = 0; family->params[i].name; i++)
        values[i] = family->params[i].initial;
}

static int family_check_value(const struct family_param *param, double value, const char *text,
                              struct err *err)
{
    if (value >= param->low && value <= param->high && (!param->whole || value == floor(value)))
        return 0;
    return err_set(err, "%s: '%s' is not a %snumber from %g to %g", param->name, text,
                   param->whole ? "whole " : "", param->low, param->high);
}

static int parse_choice(const struct family_param *param, const char *text, double *value,
                        struct err *err)
{
    for (size_t i = 0; param->choices[i]; i++) {
        if (strcmp(param->choices[i], text) != 0)
            continue;
        *value = (double)i;
        return 0;
    }
    return err_set(err, "%s: unknown choice '%s'%s", param->name, text,
                   suggest(text, param->choices, NULL).text);
}

static int parse_value(const struct family_param *param, const char *text, double *value,
                       struct err *err)
{
    if (param->choices)
        return parse_choice(param, text, value, err);
    if (units_parse(text, UNIT_NONE, value, err) < 0)
        return err_prepend(err, "%s", param->name);
    return family_check_value(param, *value, text, err);
}

int family_set(const struct family *family, const char *text, double values[FAMILY_MOST_PARAMS],
               struct err *err)
{
    const char *names[FAMILY_MOST_PARAMS + 1] = {NULL};
    const char *equals = strchr(text, '=');
    char name[32];
    size_t length = equals ? (size_t)(equals - text) : sizeof name;
    if (length >= sizeof name)
        return err_set(err, "'%s' is not KEY=VALUE", text);
    memcpy(name, text, length);
    name[length] = 0;
    for (size_t i = 0; family->params[i].name; i++) {
        if (strcmp(family->params[i].name, name) == 0)
            return parse_value(&family->params[i], equals + 1, &values[i], err);
        names[i] = family->params[i].name;
    }
    return err_set(err, "%s has no parameter '%s'%s", family->name, name,
                   suggest(name, names, "weir generate --list").text);
}

/* --- making ---------------------------------------------------------------------------------- */

static int family_check_values(const struct family *family, const double *values, struct err *err)
{
    for (size_t i = 0; family->params[i].name; i++) {
        char text[TEXT_NUMBER_SIZE];
        text_print_number(values[i], text);
        if (family_check_value(&family->params[i], values[i], text, err) != 0)
            return err_prepend(err, "%s", family->name);
    }
    return 0;
}

struct schedule *family_schedule(const struct family *family, const double *values, uint64_t seed,
                                 struct err *err)
{
    return family_check_values(family, values, err) == 0 ? family->schedule(values, seed, err)
                                                         : NULL;
}

struct scenario *family_cut(const struct family *family, const struct schedule *schedule,
                            const double *values, uint64_t seed, struct err *err)
{
    return family_check_values(family, values, err) == 0 ? family->cut(schedule, values, seed, err)
                                                         : NULL;
}

struct scenario *family_make(const struct family *family, const double *values, uint64_t seed,
                             struct err *err)
{
    if (family_check_values(family, values, err) != 0)
        return NULL;
    if (!family->schedule)
        return family->make(values, seed, err);
    struct schedule *schedule = family->schedule(values, seed, err);
    struct scenario *scenario = schedule ? family->cut(schedule, values, seed, err) : NULL;
    schedule_free(schedule);
    return scenario;
}

int family_name_app(struct scenario *scenario, uint32_t i)
{
    char name[16];
    int length = snprintf(name, sizeof name, "app%u", i + 1);
    scenario->apps[i].name = arena_strndup(&scenario->arena, name, (size_t)length);
    return scenario->apps[i].name ? 0 : -1;
}

static double mean_period(const struct app_spec *app, const struct platform *platform)
{
    return amount_mean(&app->work) + amount_mean(&app->io) / app_spec_bmax(app, platform);
}

void family_repeat(struct scenario *scenario, double times)
{
    const struct platform *platform = &scenario->platform;
    double longest = 0;
    for (uint32_t i = 0; i < scenario->count; i++)
        longest = fmax(longest, mean_period(&scenario->apps[i], platform));
    for (uint32_t i = 0; i < scenario->count; i++) {
        struct app_spec *app = &scenario->apps[i];
        app->iterations = (uint32_t)round(times * longest / mean_period(app, platform));
    }
}
