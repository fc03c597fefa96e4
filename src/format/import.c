#include "format/import.h"
#include "base/text.h"
#include "base/units.h"
#include "format/importer.h"
#include "format/registry.h"
#include "format/word.h"
#include <math.h>
#include <stdarg.h>
#include <string.h>

static const struct importer import_instance = {
    .name = "instance",
    .help = "input of the program of Benoit et al. (2024): a line per application",
    .format = &format_instance,
};
static const struct importer import_set = {
    .name = "set",
    .help =
        "applications as in Aupy et al. (2017), a line each: work in s, I/O volume in GB, nodes",
    .format = &format_set,
};

const struct importer *const import_registry[] = {
    &import_csv,     &import_darshan,  &import_swf, &import_sacct, &import_tmio,
    &import_journal, &import_instance, &import_set, NULL};

const struct importer *import_find(const char *name, struct err *err)
{
    const char *names[sizeof import_registry / sizeof *import_registry] = {NULL};
    for (size_t i = 0; import_registry[i]; i++) {
        names[i] = import_registry[i]->name;
        if (strcmp(names[i], name) == 0)
            return import_registry[i];
    }
    word_unknown("format", name, names, err);
    return NULL;
}

/* --- for the importers ---------------------------------------------------------------------- */

int import_skip(struct import *import)
{
    if (!import->options->lenient)
        return -1;
    if (import->skipped++ == 0 && import->err)
        import->first = *import->err;
    return 0;
}

void import_note(struct import *import, const char *fmt, ...)
{
    char text[1024];
    va_list args;
    if (!import->notes)
        return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    text_clean(text, strlen(text)); /* a file may be called anything */
    fprintf(import->notes, "%s\n", text);
}

struct lines import_fields(struct import *import)
{
    const struct stream *stream = &import->stream;
    const char *end = stream->line + stream->length;
    struct lines lines = {.at = stream->line,
                          .end = end,
                          .rest = end,
                          .stop = end,
                          .number = stream->number,
                          .draft = &import->draft,
                          .err = import->err};
    lines_skip_blanks(&lines);
    return lines;
}

int import_add(struct import *import, const struct app_spec *app, size_t line)
{
    struct draft *draft = &import->draft;
    if (draft_check(draft, app, line, import->err) != 0)
        return import_skip(import);
    return draft_add(draft, app, line, import->err);
}

double import_nodes(const struct import *import, double processes)
{
    double each = import->options->procs_per_node;
    return fmax(1, ceil(processes / (each > 0 ? each : 1)));
}

const char *import_keep(struct import *import, const char *text, size_t length)
{
    const char *copy = arena_strndup(&import->draft.scenario->arena, text, length);
    if (!copy)
        err_memory(import->err);
    return copy;
}

/* --- all of it ------------------------------------------------------------------------------ */

/* The first file is open: that it is missing is said before what it lacks. */
static int import_begin(struct import *import, const struct importer *importer)
{
    const char *where = import->stream.where;
    struct platform *platform;
    if (draft_init(&import->draft, where, import->err) != 0)
        return -1;
    draft_override(&import->draft, &import->options->platform);
    platform = &import->draft.scenario->platform;
    if (platform->bandwidth <= 0 && !importer->measures)
        return err_set(import->err, "%s: missing --bandwidth RATE: the file does not contain it",
                       where);
    return 0;
}

static int read_file(struct import *import, const struct importer *importer)
{
    import->draft.where = import->stream.where;
    return importer->read(import);
}

/* Dates become seconds since the earliest of them. */
static void rebase(struct draft *draft)
{
    double earliest = INFINITY;
    for (size_t i = 0; i < draft->count; i++)
        earliest = fmin(earliest, draft->apps[i].release);
    for (size_t i = 0; i < draft->count; i++)
        draft->apps[i].release -= earliest;
}

static struct scenario *import_finish(struct import *import, const struct importer *importer)
{
    struct platform *platform = &import->draft.scenario->platform;
    if (importer->dated)
        rebase(&import->draft);
    if (platform->bandwidth <= 0 && import->peak <= 0) {
        err_set(import->err, "%s: no I/O that would tell the bandwidth: give --bandwidth",
                import->draft.where);
        return NULL;
    }
    if (platform->bandwidth <= 0) {
        char text[32];
        platform->bandwidth = import->peak;
        import_note(import,
                    "bandwidth of the file system: %s, the fastest I/O seen; "
                    "--bandwidth says it better",
                    units_print(platform->bandwidth, UNIT_RATE, text, sizeof text));
    }
    if (import->skipped)
        import_note(
            import,
            "skipped %llu line%s or application%s that could not be understood; the first: %s",
            (unsigned long long)import->skipped, import->skipped == 1 ? "" : "s",
            import->skipped == 1 ? "" : "s", import->first.text);
    return draft_finish(&import->draft, import->err);
}

struct scenario *import_files(const struct importer *importer, const struct import_source *source,
                              const struct import_options *options, FILE *notes, struct err *err)
{
    struct import import = {.options = options, .notes = notes, .err = err};
    struct scenario *scenario = NULL;
    if (importer->format && source->count > 1) {
        err_set(err, "'%s' takes one file", importer->name);
        return NULL;
    }
    if (importer->format)
        return format_load(source->paths[0], importer->format, &options->platform, err);
    int status = 0;
    for (size_t i = 0; i < source->count && status == 0; i++) {
        status = stream_open(&import.stream, source->paths[i], err);
        if (status == 0 && i == 0)
            status = import_begin(&import, importer);
        if (status == 0)
            status = read_file(&import, importer);
        stream_close(&import.stream);
    }
    if (status == 0)
        scenario = import_finish(&import, importer);
    draft_fini(&import.draft);
    return scenario;
}

struct scenario *import_parse(const struct importer *importer, const struct import_text *text,
                              const struct import_options *options, FILE *notes, struct err *err)
{
    struct import import = {.options = options, .notes = notes, .err = err};
    struct scenario *scenario = NULL;
    if (importer->format)
        return importer->format->parse(text->text, text->length, text->where, &options->platform,
                                       err);
    import.stream = stream_of_text(text->text, text->length, text->where);
    if (import_begin(&import, importer) == 0 && read_file(&import, importer) == 0)
        scenario = import_finish(&import, importer);
    stream_close(&import.stream);
    draft_fini(&import.draft);
    return scenario;
}
