#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/artefact.h"
#include "cli/commands.h"
#include "format/format.h"
#include "gen/gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct generate_options {
    struct words operands; /* the family */
    struct words params;
    const char *output;
    struct whole seed, count, set;
    bool list;
};

/* --- the families -------------------------------------------------------------------------- */

enum { MAX_PARAMS = 6 };

struct family_param {
    const char *name, *help;
    double low, high;
    bool whole;
};

struct family {
    const char *name, *summary;
    struct family_param params[MAX_PARAMS + 1]; /* ends with name = NULL */
    bool random;                                /* it depends on the seed */
    void (*set_defaults)(double *values);
    struct scenario *(*make)(const double *values, uint64_t seed, struct err *err);
};

static void default_jupiter(double *values)
{
    values[0] = 1;
}

static struct scenario *make_jupiter(const double *values, uint64_t seed, struct err *err)
{
    (void)seed;
    return gen_jupiter((int)values[0], err);
}

static void default_tucan(double *values)
{
    values[0] = 64;
}

static struct scenario *make_tucan(const double *values, uint64_t seed, struct err *err)
{
    (void)seed;
    return gen_tucan((int)values[0], err);
}

static void default_synthetic(double *values)
{
    const struct synthetic *params = &synthetic_defaults;
    values[0] = params->applications;
    values[1] = params->small;
    values[2] = params->sigma;
    values[3] = params->nu;
    values[4] = params->pressure;
    values[5] = params->horizon;
}

static struct scenario *make_synthetic(const double *values, uint64_t seed, struct err *err)
{
    struct synthetic params = {.applications = (int)values[0],
                               .small = (int)values[1],
                               .sigma = values[2],
                               .nu = values[3],
                               .pressure = values[4],
                               .horizon = values[5]};
    return gen_synthetic(&params, seed, err);
}

static const struct family families[] = {
    {"jupiter",
     "published sets of four applications on 640 nodes (Aupy et al. 2017)",
     {{"set", "which set", 1, 10, true}},
     false,
     default_jupiter,
     make_jupiter},
    {"tucan",
     "batches of five applications (Vidal 2022)",
     {{"batches", "how many", 1, 64, true}},
     false,
     default_tucan,
     make_tucan},
    {"synthetic",
     "small, medium and big applications with random phases, in a window (Benoit et al. 2024)",
     {{"applications", "how many; a third are medium", 1, 100000, true},
      {"small", "how many of them are small", 0, 100000, true},
      {"sigma", "spread of the iteration lengths between applications", 0, 10, false},
      {"nu", "relative noise of the phases of an application", 0, 1, false},
      {"pressure", "bytes wanted / bytes the file system can move", 1e-6, 100, false},
      {"horizon", "length of the window in seconds", 1, 1e9, false}},
     true,
     default_synthetic,
     make_synthetic},
};
enum { FAMILIES = sizeof families / sizeof *families };

static const struct family *find_family(const char *name, struct err *err)
{
    const char *names[FAMILIES + 1] = {NULL};
    for (size_t i = 0; i < FAMILIES; i++) {
        if (strcmp(families[i].name, name) == 0)
            return &families[i];
        names[i] = families[i].name;
    }
    const char *nearest = text_nearest(name, names);
    err_set(err, "unknown family '%s'; %s%s%s", name, nearest ? "did you mean '" : "",
            nearest ? nearest : "'weir generate --list' lists them", nearest ? "'?" : "");
    return NULL;
}

/* --- parameters ---------------------------------------------------------------------------- */

static int set_param(const struct family *family, const char *text, double *values, struct err *err)
{
    const char *names[MAX_PARAMS + 1] = {NULL};
    const char *equals = strchr(text, '=');
    char name[32];
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    if (!equals || length >= sizeof name)
        return err_set(err, "'%s' is not KEY=VALUE", text);
    memcpy(name, text, length);
    name[length] = 0;
    for (size_t i = 0; family->params[i].name; i++) {
        const struct family_param *param = &family->params[i];
        names[i] = param->name;
        if (strcmp(param->name, name) != 0)
            continue;
        if (units_parse(equals + 1, UNIT_NONE, &values[i], err) < 0)
            return err_prepend(err, "%s", name);
        if (values[i] < param->low || values[i] > param->high ||
            (param->whole && values[i] != floor(values[i])))
            return err_set(err, "%s: '%s' is not a %snumber from %g to %g", name, equals + 1,
                           param->whole ? "whole " : "", param->low, param->high);
        return 0;
    }
    const char *nearest = text_nearest(name, names);
    if (nearest)
        return err_set(err, "%s has no parameter '%s'; did you mean '%s'?", family->name, name,
                       nearest);
    return err_set(err, "%s has no parameter '%s'; 'weir generate --list' lists them", family->name,
                   name);
}

static int set_params(const struct generate_options *options, const struct family *family,
                      double *values, struct err *err)
{
    family->set_defaults(values);
    if (options->set.given) {
        char text[40];
        snprintf(text, sizeof text, "set=%llu", (unsigned long long)options->set.value);
        if (set_param(family, text, values, err) < 0)
            return err_prepend(err, "--set");
    }
    for (size_t i = 0; i < options->params.count; i++)
        if (set_param(family, options->params.list[i], values, err) < 0)
            return err_prepend(err, "--param");
    return 0;
}

/* --- output -------------------------------------------------------------------------------- */

static int write_scenario(const struct scenario *scenario, const char *path, struct err *err)
{
    struct output output = {0};
    if (output_open(&output, path, err) < 0)
        return STATUS_MISUSE;
    scenario_write(output.file, scenario);
    return output_commit(&output, err) < 0 ? STATUS_FAILED : STATUS_DONE;
}

/* `number` 0 = the only one. */
static int generate(const struct generate_options *options, const struct family *family,
                    const double *values, uint64_t number, struct err *err)
{
    uint64_t seed = (options->seed.given ? options->seed.value : 1) + (number ? number - 1 : 0);
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    char *path =
        artefact_place(options->output ? options->output : "-", NULL, number ? text : NULL);
    struct scenario *scenario = family->make(values, seed, err);
    int status = STATUS_MISUSE; /* parameters that do not go together */
    if (!path)
        err_memory(err);
    else if (scenario)
        status = write_scenario(scenario, path, err);
    scenario_free(scenario);
    free(path);
    return status;
}

static void print_families(void)
{
    for (size_t i = 0; i < FAMILIES; i++) {
        const struct family *family = &families[i];
        double initial[MAX_PARAMS];
        family->set_defaults(initial);
        printf("%s%s\n", i ? "\n" : "", family->name);
        help_wrap(stdout, family->summary, 4, 0);
        for (const struct family_param *param = family->params; param->name; param++) {
            char text[160];
            printf("    %-14s", param->name);
            snprintf(text, sizeof text, "%s, %g to %g; default %g", param->help, param->low,
                     param->high, initial[param - family->params]);
            help_wrap(stdout, text, 18, 18);
        }
    }
}

static int check(const struct generate_options *options, const struct family *family,
                 struct err *err)
{
    if (!options->count.given)
        return 0;
    if (options->count.value < 1)
        return err_set(err, "--count: '0' is not positive");
    if (!family->random)
        return err_set(err, "--count: all scenarios of '%s' would be the same", family->name);
    if (!options->output || strcmp(options->output, "-") == 0)
        return err_set(err, "--count needs --output FILE: the number goes before its extension");
    return 0;
}

static int run(const void *given, struct err *err)
{
    const struct generate_options *options = given;
    double values[MAX_PARAMS];
    if (options->list) {
        print_families();
        return STATUS_DONE;
    }
    if (options->operands.count == 0) {
        err_set(err, "generate: expected a FAMILY; 'weir generate --list' lists them");
        return STATUS_MISUSE;
    }
    const struct family *family = find_family(options->operands.list[0], err);
    if (!family || set_params(options, family, values, err) < 0 || check(options, family, err) < 0)
        return STATUS_MISUSE;
    if (!options->count.given)
        return generate(options, family, values, 0, err);
    int status = STATUS_DONE;
    for (uint64_t k = 1; k <= options->count.value && status == STATUS_DONE; k++)
        status = generate(options, family, values, k, err);
    return status;
}

#define AT(member) offsetof(struct generate_options, member)
static const struct option options[] = {
    {"set", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(set), "short for --param set=N"},
    {"param", 0, OPTION_WORDS, UNIT_NONE, "KEY=VALUE", AT(params),
     "a parameter of the family; may be given several times"},
    {"seed", 0, OPTION_WHOLE, UNIT_NONE, "S", AT(seed), "of the random draws; default 1"},
    {"count", 0, OPTION_WHOLE, UNIT_NONE, "K", AT(count),
     "write K scenarios with seeds S, S+1, ..., to FILE-1, FILE-2, ..."},
    {"output", 'o', OPTION_TEXT, UNIT_NONE, "FILE", AT(output),
     "where to write; default standard output"},
    {"list", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(list), "list the families and their parameters"},
    {.name = NULL},
};
#undef AT

const struct command command_generate = {
    .name = "generate",
    .summary = "write a scenario of a published family as YAML",
    .operands = "FAMILY",
    .most = 1,
    .options = options,
    .example = "weir generate jupiter --set 3 -o jupiter3.yaml",
    .size = sizeof(struct generate_options),
    .run = run,
};
