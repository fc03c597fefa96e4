#include "base/output.h"
#include "base/text.h"
#include "cli/artefact.h"
#include "cli/commands.h"
#include "format/format.h"
#include "gen/family.h"
#include "gen/gen.h"
#include <stdlib.h>
#include <string.h>

struct generate_options {
    struct words operands; /* the family */
    struct words params;
    const char *output;
    struct whole seed, count, set;
    bool list;
};

/* --- parameters ---------------------------------------------------------------------------- */

static int set_params(const struct generate_options *options, const struct family *family,
                      double *values, struct err *err)
{
    family_defaults(family, values);
    if (options->set.given) {
        char text[40];
        snprintf(text, sizeof text, "set=%llu", (unsigned long long)options->set.value);
        if (family_set(family, text, values, err) < 0)
            return err_prepend(err, "--set");
    }
    for (size_t i = 0; i < options->params.count; i++)
        if (family_set(family, options->params.list[i], values, err) < 0)
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

/* Tells on stderr what came out: of a random family it is not known before. */
static int tell(const struct family *family, const struct scenario *scenario, struct err *err)
{
    struct workload *workload = workload_realise(scenario, err);
    int status = workload ? 0 : -1;
    if (workload && family->batch)
        fprintf(stderr, "weir: %s: I/O load %.4f\n", scenario->name, workload_io_load(workload));
    else if (workload && (status = workload_set_window(workload, scenario->window, err)) == 0)
        fprintf(stderr, "weir: %s: I/O pressure %.4f\n", scenario->name, workload->io_pressure);
    workload_free(workload);
    return status;
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
    struct scenario *scenario = family_make(family, values, seed, err);
    int status = STATUS_MISUSE; /* parameters that do not go together */
    if (!path)
        err_memory(err);
    else if (scenario && tell(family, scenario, err) == 0)
        status = write_scenario(scenario, path, err);
    scenario_free(scenario);
    free(path);
    return status;
}

static void print_param(const struct family_param *param)
{
    char text[256], range[64] = "", initial[32];
    snprintf(initial, sizeof initial, "%g", param->initial);
    if (!param->choices)
        snprintf(range, sizeof range, "%g to %g", param->low, param->high);
    for (size_t i = 0; param->choices && param->choices[i]; i++) {
        text_append(range, sizeof range, i ? " | " : "");
        text_append(range, sizeof range, param->choices[i]);
    }
    snprintf(text, sizeof text, "%s, %s; default %s", param->help, range,
             param->choices ? param->choices[(size_t)param->initial] : initial);
    printf("    %-14s", param->name);
    help_wrap(stdout, text, 18, 18);
}

static void print_families(void)
{
    for (size_t i = 0; families[i]; i++) {
        const struct family *family = families[i];
        char text[256];
        printf("%s%s\n", i ? "\n" : "", family->name);
        snprintf(text, sizeof text, "%s (%s)", family->summary, family->paper);
        help_wrap(stdout, text, 4, 0);
        for (const struct family_param *param = family->params; param->name; param++)
            print_param(param);
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
    double values[FAMILY_MOST_PARAMS];
    if (options->list) {
        print_families();
        return STATUS_DONE;
    }
    if (options->operands.count == 0) {
        err_set(err, "generate: expected a FAMILY; 'weir generate --list' lists them");
        return STATUS_MISUSE;
    }
    const struct family *family = family_find(options->operands.list[0], err);
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
