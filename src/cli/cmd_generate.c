#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/artefact.h"
#include "cli/commands.h"
#include "terminal/progress.h"
#include "figure/picture.h"
#include "format/format.h"
#include "gen/family.h"
#include "gen/gen.h"
#include "report/schedule_gantt.h"
#include <stdlib.h>
#include <string.h>

struct generate_options {
    struct words operands; /* the family */
    struct words params;
    const char *output, *gantt;
    struct whole seed, count, set;
    bool list;
};

/* --- parameters ---------------------------------------------------------------------------- */

/* Everything between the options and what is written. */
struct generation {
    const struct generate_options *options;
    const struct family *family;
    double values[FAMILY_MOST_PARAMS];
    double *set;               /* the value that goes through the sets of a seed, or NULL */
    struct schedule *schedule; /* of this seed, if the family has them */
    uint64_t seed;
};

/* Whether two words KEY=VALUE have the same key. */
static bool generate_same_key(const char *one, const char *two)
{
    size_t length = strcspn(one, "=");
    return length == strcspn(two, "=") && strncmp(one, two, length) == 0;
}

/* As of two options, it is not clear which of two values counts. */
static int generate_check_repeats(const struct generate_options *options, struct err *err)
{
    const struct words *params = &options->params;
    for (size_t i = 0; i < params->count; i++) {
        const char *text = params->list[i];
        bool again = options->set.given && generate_same_key(text, "set=");
        for (size_t k = 0; k < i; k++)
            again |= generate_same_key(text, params->list[k]);
        if (again)
            return err_set(err, "generate: parameter '%.*s' is given twice",
                           (int)strcspn(text, "="), text);
    }
    return 0;
}

/* The sets of a seed are numbered through unless the user chooses one. */
static int generate_set_params(struct generation *generation, struct err *err)
{
    const struct generate_options *options = generation->options;
    const struct family *family = generation->family;
    double *values = generation->values;
    if (generate_check_repeats(options, err) < 0)
        return -1;
    family_defaults(family, values);
    for (size_t i = 0; family->sets > 0 && family->params[i].name; i++)
        if (strcmp(family->params[i].name, "set") == 0)
            generation->set = &values[i];
    if (options->set.given) {
        char text[40];
        snprintf(text, sizeof text, "set=%llu", (unsigned long long)options->set.value);
        if (family_set(family, text, values, err) < 0)
            return err_prepend_option(err, "set");
        generation->set = NULL;
    }
    for (size_t i = 0; i < options->params.count; i++) {
        if (family_set(family, options->params.list[i], values, err) < 0)
            return err_prepend_option(err, "param");
        if (strncmp(options->params.list[i], "set=", 4) == 0)
            generation->set = NULL;
    }
    return 0;
}

/* --- output -------------------------------------------------------------------------------- */

/* What a batch is to have: all its families have this parameter. */
static double generate_wanted_load(const struct generation *generation)
{
    size_t i = 0;
    while (strcmp(generation->family->params[i].name, "load") != 0)
        i++;
    return generation->values[i];
}

/* Tells on stderr what came out: of a random family it is not known before. */
static int generate_tell(const struct generation *generation, const struct scenario *scenario,
                         struct err *err)
{
    const struct family *family = generation->family;
    progress_begin(scenario->name, "preparing");
    struct workload *workload = workload_realise(scenario, err);
    progress_end();
    if (!workload)
        return -1;
    if (family->batch)
        fprintf(stderr, "weir: %s: I/O load %.4f, %g wanted\n", scenario->name,
                workload_io_load(workload), generate_wanted_load(generation));
    else
        fprintf(stderr, "weir: %s: I/O pressure %.4f\n", scenario->name, workload->io_pressure);
    workload_free(workload);
    return 0;
}

/* Nothing is reported about a scenario that cannot be written. */
static int generate_write_scenario(const struct generation *generation,
                                   const struct scenario *scenario, const char *path,
                                   struct err *err)
{
    struct output output = {0};
    if (output_open(&output, path, err) < 0)
        return STATUS_MISUSE;
    if (generate_tell(generation, scenario, err) < 0) {
        output_discard(&output);
        return STATUS_MISUSE; /* parameters that do not go together */
    }
    scenario_write(output.file, scenario);
    return output_commit(&output, err) < 0 ? STATUS_FAILED : STATUS_DONE;
}

/* --- scenarios ----------------------------------------------------------------------------- */

/* One picture for each schedule; `number` 0 = the only one. */
static int generate_draw(const struct generation *generation, uint64_t number, struct err *err)
{
    char text[32];
    struct picture picture = {0};
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    char *path = artefact_place(generation->options->gantt, NULL, number ? text : NULL);
    int status = path ? picture_open(&picture, path, err) : err_memory(err);
    if (status == 0)
        status = schedule_write_gantt(picture.file, generation->schedule, err);
    if (status == 0)
        status = picture_commit(&picture, err);
    picture_discard(&picture);
    free(path);
    return status;
}

/* Makes the scenario, and its schedule if that is not the one from before. NULL with err. */
static struct scenario *generate_make(struct generation *generation, uint64_t seed, uint64_t number,
                                      struct err *err)
{
    const struct family *family = generation->family;
    if (!family->schedule)
        return family_make(family, generation->values, seed, err);
    if (!generation->schedule || generation->seed != seed) {
        schedule_free(generation->schedule);
        generation->seed = seed;
        generation->schedule = family_schedule(family, generation->values, seed, err);
        if (!generation->schedule ||
            (generation->options->gantt && generate_draw(generation, number, err) < 0))
            return NULL;
    }
    return family_cut(family, generation->schedule, generation->values, seed, err);
}

/* Where the `number`th scenario goes: in a directory by its name. NULL when memory is out. */
static char *generate_place(const char *output, const struct scenario *scenario, uint64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    if (!output_is_directory(output))
        return artefact_place(output ? output : "-", NULL, number ? text : NULL);
    size_t size = strlen(output) + strlen(scenario->name) + sizeof "/.yaml";
    char *path = mem_alloc(size, 1);
    if (path)
        snprintf(path, size, "%s%s%s.yaml", output, output[strlen(output) - 1] == '/' ? "" : "/",
                 scenario->name);
    return path;
}

/* The `number`th scenario, 0 = the only one: all sets of a seed come before the next seed. */
static int generate_one(struct generation *generation, uint64_t number, struct err *err)
{
    const struct generate_options *options = generation->options;
    uint64_t sets = generation->set ? generation->family->sets : 1;
    uint64_t before = number ? number - 1 : 0;
    uint64_t seed = (options->seed.given ? options->seed.value : 1) + before / sets;
    if (number && generation->set)
        *generation->set = (double)(before % sets + 1);
    bool many = options->count.value > sets;
    progress_begin(generation->family->name, "drawing");
    struct scenario *scenario = generate_make(generation, seed, many ? before / sets + 1 : 0, err);
    progress_end();
    if (!scenario)
        return STATUS_MISUSE;
    char *path = generate_place(options->output, scenario, number);
    int status = STATUS_FAILED;
    if (path)
        status = generate_write_scenario(generation, scenario, path, err);
    else
        err_memory(err);
    scenario_free(scenario);
    free(path);
    return status;
}

static int generate_all(struct generation *generation, struct err *err)
{
    const struct generate_options *options = generation->options;
    int status = STATUS_DONE;
    if (!options->count.given)
        return generate_one(generation, 0, err);
    for (uint64_t k = 1; k <= options->count.value && status == STATUS_DONE; k++)
        status = generate_one(generation, k, err);
    return status;
}

/* --- lists --------------------------------------------------------------------------------- */

static void generate_print_param(const struct family_param *param)
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

static void generate_print_families(void)
{
    for (size_t i = 0; families[i]; i++) {
        const struct family *family = families[i];
        printf("%s%s\n", i ? "\n" : "", family->name);
        help_wrap(stdout, family->summary, 4, 0);
        printf("    %-14s", "paper");
        help_wrap(stdout, family->paper, 18, 18);
        for (const struct family_param *param = family->params; param->name; param++)
            generate_print_param(param);
    }
}

static int generate_check(const struct generate_options *options, const struct family *family,
                          struct err *err)
{
    bool to_stdout = !options->output || output_is_stdout(options->output);
    if (options->gantt && !family->schedule)
        return err_option(err, "--gantt: '%s' has no schedule to draw", family->name);
    if (output_is_stdout(options->gantt) && to_stdout)
        return err_set(err, "standard output can hold only one of --output and --gantt");
    if (!options->count.given)
        return 0;
    if (options->count.value < 1)
        return err_option(err, "--count: '0' is not positive");
    if (!family->random)
        return err_option(err, "--count: all scenarios of '%s' would be the same", family->name);
    if (to_stdout)
        return err_option(err, "--count needs --output: a FILE, which gets the number before its "
                               "extension, or a directory");
    return 0;
}

static int generate_run(const void *given, struct err *err)
{
    struct generation generation = {.options = given};
    const struct generate_options *options = given;
    if (options->list) {
        generate_print_families();
        return STATUS_DONE;
    }
    if (options->operands.count == 0) {
        err_set(err, "generate: missing FAMILY; 'weir generate --list' lists them");
        return STATUS_MISUSE;
    }
    generation.family = family_find(options->operands.list[0], err);
    if (!generation.family || generate_check(options, generation.family, err) < 0 ||
        generate_set_params(&generation, err) < 0)
        return STATUS_MISUSE;
    int status = generate_all(&generation, err);
    schedule_free(generation.schedule);
    return status;
}

#define AT(member) offsetof(struct generate_options, member)
static const struct option options[] = {
    {"set", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(set), "short for --param set=N"},
    {"param", 0, OPTION_WORDS, UNIT_NONE, "KEY=VALUE", AT(params),
     "a parameter of the family; may be repeated"},
    {"seed", 0, OPTION_WHOLE, UNIT_NONE, "S", AT(seed), "seed of the random draws; default 1"},
    {"count", 0, OPTION_WHOLE, UNIT_NONE, "K", AT(count),
     "write K scenarios to FILE-1, FILE-2, ...: all sets of seed S, then those of S+1, and so on"},
    {"output", 'o', OPTION_TEXT, UNIT_NONE, "FILE|DIR", AT(output),
     "where to write; in a directory, files are named after their scenarios; default standard "
     "output"},
    {"gantt", 0, OPTION_TEXT, UNIT_NONE, PICTURE_FILE, AT(gantt),
     "draw the schedule from which the scenarios are cut, nodes over time" PICTURE_KINDS},
    {"list", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(list), "list the families and their parameters"},
    {.name = NULL},
};
#undef AT

const struct command command_generate = {
    .name = "generate",
    .summary = "write a scenario of a published family",
    .operands = "FAMILY",
    .most = 1,
    .options = options,
    .example = "weir generate jupiter --set 3 -o jupiter3.yaml",
    .size = sizeof(struct generate_options),
    .run = generate_run,
};
