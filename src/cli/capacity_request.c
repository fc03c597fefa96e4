#include "cli/capacity_request.h"
#include "base/mem.h"
#include "base/suggest.h"
#include <stdlib.h>
#include <string.h>

enum { USUAL_MOST = 1000 };

static int choose_limit(const struct capacity_options *options, struct capacity *capacity,
                        struct err *err)
{
    int given = 0;
    for (int i = 0; i < CAPACITY_MEASURE_COUNT; i++) {
        if (options->limits[i] == 0)
            continue;
        given++;
        capacity->measure = (enum capacity_measure)i;
        capacity->limit = options->limits[i];
    }
    if (given != 1)
        return err_set(err, "expected one limit: --max-stretch, --min-yield or --max-dilation");
    bool lower = capacity_measures[capacity->measure].sense == METRIC_LOWER;
    if (lower ? capacity->limit < 1 : capacity->limit > 1)
        return err_set(err, "a limit of %g for %s: it is never %s 1", capacity->limit,
                       capacity_measures[capacity->measure].name, lower ? "below" : "above");
    return 0;
}

static int reject_application(const struct scenario *scenario, const char *name, struct err *err)
{
    const char **names = mem_alloc((size_t)scenario->count + 1, sizeof *names);
    if (!names)
        return err_memory(err);
    for (uint32_t i = 0; i < scenario->count; i++)
        names[i] = scenario->apps[i].name;
    err_set(err, "unknown application '%s'%s", name, suggest(name, names, "weir describe").text);
    free(names);
    return -1;
}

/* The only one need not be named. */
static int choose_application(const struct scenario *scenario, const char *name, uint32_t *app,
                              struct err *err)
{
    uint32_t found = 0;
    *app = 0;
    if (!name && scenario->count > 1)
        return err_set(err, "expected --application NAME: which one is to be copied?");
    for (uint32_t i = 0; name && i < scenario->count; i++) {
        if (strcmp(scenario->apps[i].name, name) != 0)
            continue;
        if (found++ > 0)
            return err_set(err, "two applications are named '%s'", name);
        *app = i;
    }
    return name && !found ? reject_application(scenario, name, err) : 0;
}

static int choose_most(const struct whole *most, struct capacity *capacity, struct err *err)
{
    capacity->most = most->given ? (uint32_t)most->value : USUAL_MOST;
    if (most->given && (most->value < 1 || most->value > CAPACITY_MOST))
        return err_set(err, "--most: expected a number from 1 to %d", CAPACITY_MOST);
    return 0;
}

int capacity_request_read(const struct capacity_options *options, struct capacity *capacity,
                          struct err *err)
{
    if (choose_limit(options, capacity, err) < 0)
        return -1;
    return choose_most(&options->most, capacity, err);
}

int capacity_request_apply(const struct capacity_options *options, struct capacity *capacity,
                           struct err *err)
{
    if (choose_application(capacity->scenario, options->application, &capacity->app, err) < 0)
        return -1;
    if (capacity->measure == CAPACITY_max_stretch && capacity->scenario->window.kind != WINDOW_NONE)
        return err_set(err, "a window has no stretch, as applications need not finish in it: limit "
                            "--min-yield or --max-dilation, or give --window none");
    return 0;
}

#define AT(member) offsetof(struct capacity_options, member)
const struct option capacity_option_table[] = {
    {"application", 0, OPTION_TEXT, UNIT_NONE, "NAME", AT(application),
     "which one is copied; need not be given if there is only one"},
    {"max-stretch", 0, OPTION_AMOUNT, UNIT_RATIO, "X", AT(limits[CAPACITY_max_stretch]),
     "no application may take more than X times its time alone"},
    {"min-yield", 0, OPTION_AMOUNT, UNIT_RATIO, "X", AT(limits[CAPACITY_min_yield]),
     "or: every application must make progress at X times its speed alone"},
    {"max-dilation", 0, OPTION_AMOUNT, UNIT_RATIO, "X", AT(limits[CAPACITY_dilation]),
     "or: no application may work X times slower than alone"},
    {"most", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(most),
     "try no more copies than this (1000); the nodes of the platform limit them too"},
    STUDY_POLICY_OPTION(struct capacity_options, policies),
    STUDY_WINDOW_OPTION(struct capacity_options, source),
    STUDY_SOURCE_OPTIONS(struct capacity_options, source),
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), "everything as JSON"},
    {.name = NULL},
};
#undef AT
