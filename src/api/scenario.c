/* Scenarios from families and logs, and as text. */
#include "api/handle.h"
#include "detect/periods.h"
#include "format/format.h"
#include "format/import.h"
#include "gen/family.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sets the values of "key=value,key=value". */
static int scenario_set_params(const struct family *family, const char *params, double *values,
                               struct err *err)
{
    char text[256];
    while (params && *params) {
        size_t length = strcspn(params, ",");
        if (length >= sizeof text)
            return err_set(err, "the parameter '%.20s...' is too long", params);
        memcpy(text, params, length);
        text[length] = '\0';
        if (family_set(family, text, values, err) < 0)
            return -1;
        params += length + (params[length] == ',');
    }
    return 0;
}

struct weir_scenario *weir_scenario_generate(const char *name, const char *params, uint64_t seed,
                                             struct weir_error *error)
{
    API_PLAIN_NUMBERS;
    struct err err = {.text = ""};
    double values[FAMILY_MOST_PARAMS];
    struct scenario *scenario = NULL;
    const struct family *family = family_find(name, &err);
    if (family) {
        family_defaults(family, values);
        if (scenario_set_params(family, params, values, &err) == 0)
            scenario = family_make(family, values, seed, &err);
    }
    return api_wrap(scenario, &err, error);
}

/* As `weir import` does it: the periods that a trace shows become known. NULL with err. */
static struct scenario *scenario_import(const struct importer *importer,
                                        const struct import_source *source,
                                        const struct weir_logs *logs, FILE *notes, struct err *err)
{
    const struct import_options options = {
        .platform = {logs->nodes, logs->node_bandwidth, logs->bandwidth},
        .lenient = logs->lenient != 0,
        .gap = logs->gap,
        .io_ratio = logs->io_ratio,
        .io_csv = logs->io_csv,
        .iterations = logs->iterations,
        .procs_per_node = logs->procs_per_node,
        .store = logs->store,
        .release = logs->release};
    if (source->count == 0)
        err_set(err, "there is no file to import");
    if (source->count == 0 || import_check(importer, &options, err) < 0)
        return NULL;
    struct scenario *scenario = import_files(importer, source, &options, notes, err);
    int status = scenario ? 0 : -1;
    if (scenario && logs->periodic)
        status = periods_fold(scenario, "", notes, err);
    else if (scenario && !importer->format)
        status = periods_declare(scenario, notes, err);
    if (status == 0)
        return scenario;
    scenario_free(scenario);
    return NULL;
}

/* What was noted, in one line, comes before what the scenario itself warns of. 0 or -1. */
static int scenario_keep_notes(struct scenario *scenario, char *notes, struct err *err)
{
    size_t length = strlen(notes);
    while (length > 0 && notes[length - 1] == '\n')
        notes[--length] = '\0';
    if (length == 0)
        return 0;
    const char *own = scenario->warning ? scenario->warning : "";
    size_t size = 2 * length + strlen(own) + 3;
    char *warning = arena_alloc(&scenario->arena, size, 1), *at = warning;
    if (!warning)
        return err_memory(err);
    for (const char *from = notes; *from; from++)
        at = *from == '\n' ? stpcpy(at, "; ") : (*at = *from, at + 1);
    if (*own)
        at = stpcpy(stpcpy(at, "; "), own);
    *at = '\0';
    scenario->warning = warning;
    return 0;
}

struct weir_scenario *weir_scenario_import(const char *format, const char *const *paths,
                                           const struct weir_logs *logs, struct weir_error *error)
{
    API_PLAIN_NUMBERS;
    static const struct weir_logs plain;
    struct err err = {.text = ""};
    const struct importer *importer = import_find(format, &err);
    struct import_source source = {.paths = paths};
    while (paths[source.count])
        source.count++;
    char *notes = NULL;
    size_t length;
    FILE *stream = importer ? open_memstream(&notes, &length) : NULL;
    if (importer && !stream)
        err_memory(&err);
    struct scenario *scenario =
        stream ? scenario_import(importer, &source, logs ? logs : &plain, stream, &err) : NULL;
    if (stream &&
        (fclose(stream) != 0 || (scenario && scenario_keep_notes(scenario, notes, &err)))) {
        scenario_free(scenario);
        scenario = NULL;
        err_memory(&err);
    }
    free(notes);
    return api_wrap(scenario, &err, error);
}

const char *weir_scenario_name(const struct weir_scenario *scenario)
{
    return scenario->inner.name;
}

char *api_print(void (*write)(FILE *out, const void *what), const void *what,
                struct weir_error *error)
{
    API_PLAIN_NUMBERS;
    struct err err;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (file)
        write(file, what);
    if (file && fclose(file) == 0)
        return text;
    free(text);
    err_memory(&err);
    api_tell(error, &err);
    return NULL;
}

static void api_write_scenario(FILE *out, const void *scenario)
{
    scenario_write(out, scenario);
}

char *weir_scenario_text(const struct weir_scenario *scenario, struct weir_error *error)
{
    return api_print(api_write_scenario, &scenario->inner, error);
}

void weir_text_free(char *text)
{
    free(text);
}
