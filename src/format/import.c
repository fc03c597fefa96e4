#include "format/import.h"
#include "base/files.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "format/import_several.h"
#include "format/importer.h"
#include "format/own.h"
#include "format/registry.h"
#include "format/word.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const struct importer import_instance = {
    .name = "instance",
    .help = "input of the program of Benoit et al. (2024): a line per application",
    .format = &format_instance,
};
const struct importer import_set = {
    .name = "set",
    .help =
        "applications as in Aupy et al. (2017), a line each: work in s, I/O volume in GB, nodes",
    .format = &format_set,
};

#define X(name) &import_##name,
const struct importer *const import_registry[] = {IMPORTERS(X) NULL};
#undef X

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

static bool import_begins(const char *bytes, int count, const char *text)
{
    while (count > 0 && (*bytes == ' ' || *bytes == '\n'))
        bytes++, count--;
    return count >= (int)strlen(text) && memcmp(bytes, text, strlen(text)) == 0;
}

const struct importer *import_guess(const char *path, struct err *err)
{
    struct stream stream;
    const char *bytes;
    int count = -1;
    if (stream_open(&stream, path, err) == 0)
        count = stream_peek(&stream, &bytes, 256, err);
    const struct importer *found = count < 0 ? NULL : &import_darshan;
    if (count > 0 && import_begins(bytes, count, "{\"t\":"))
        found = &import_journal;
    else if (count > 0 && import_begins(bytes, count, "{"))
        found = &import_tmio;
    stream_close(&stream);
    return found;
}

/* --- options --------------------------------------------------------------------------------- */

static int import_check_ranges(const struct import_options *options, struct err *err)
{
    const struct {
        const char *option;
        double value;
    } table[] = {{"gap", options->gap},
                 {"io-ratio", options->io_ratio},
                 {"procs-per-node", options->procs_per_node},
                 {"bandwidth", options->platform.bandwidth},
                 {"node-bandwidth", options->platform.node_bandwidth},
                 {"nodes", options->platform.nodes}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!(table[i].value >= 0 && table[i].value < INFINITY))
            return err_option(err, "--%s: %g, expected a number above 0", table[i].option,
                              table[i].value);
    if (options->io_ratio > 1)
        return err_option(err, "--io-ratio: %g is above 1", options->io_ratio);
    if (options->iterations > IMPORT_MOST_ITERATIONS)
        return err_option(err, "--iterations: expected 1 to %d", IMPORT_MOST_ITERATIONS);
    if (options->release && strcmp(options->release, "start") != 0 &&
        strcmp(options->release, "submit") != 0)
        return err_option(err, "--release: unknown value '%s', expected start or submit",
                          options->release);
    return 0;
}

int import_check(const struct importer *importer, const struct import_options *options,
                 struct err *err)
{
    const struct {
        const char *option;
        bool given;
        unsigned use;
    } table[] = {
        {"gap", options->gap > 0, IMPORT_GAP},
        {"io-ratio", options->io_ratio > 0, IMPORT_IO},
        {"io-csv", options->io_csv, IMPORT_IO},
        {"iterations", options->iterations > 0, IMPORT_ITERATIONS},
        {"procs-per-node", options->procs_per_node > 0, IMPORT_PROCS},
        {"release", options->release, IMPORT_SUBMIT},
        {"store", options->store, IMPORT_STORE},
        {"sacct", options->sacct, IMPORT_JOBS},
        {"lenient", options->lenient && importer->format, 0},
    };
    if (import_check_ranges(options, err) < 0)
        return -1;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].given && !(importer->uses & table[i].use))
            return err_option(err, "--%s has no effect on '%s'", table[i].option, importer->name);
    if (options->io_ratio > 0 && options->io_csv)
        return err_option(err, "--io-ratio and --io-csv exclude each other");
    bool said = options->io_ratio > 0 || options->io_csv || importer->uses & IMPORT_OWN_IO;
    if ((importer->uses & IMPORT_IO) && !said)
        return err_set(
            err, "missing --io-ratio R or --io-csv FILE: '%s' does not contain the volume of I/O",
            importer->name);
    return 0;
}

bool import_by_submission(const struct import_options *options)
{
    return options->release && strcmp(options->release, "submit") == 0;
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

int import_leave_out(struct import *import)
{
    enum { MOST_NOTES = 20 };
    if (!import->several)
        return -1;
    if (import->left_out++ == 0)
        import->first = *import->err;
    if (import->left_out <= MOST_NOTES)
        import_note(import, "left out: %s", import->err->text);
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

int import_own(struct import *import, struct app_spec *app, enum party_kind kind, const char *name)
{
    struct app_extra *owner = (struct app_extra *)app->extra;
    if (!*name || word_fault(name, strlen(name)))
        return 0;
    if (!owner)
        app->extra = owner = arena_alloc(&import->draft.scenario->arena, 1, sizeof *owner);
    if (!owner)
        return err_memory(import->err);
    owner->names[kind] = import_keep(import, name, strlen(name));
    return owner->names[kind] ? 0 : -1;
}

const char *import_keep(struct import *import, const char *text, size_t length)
{
    const char *copy = arena_strndup(&import->draft.scenario->arena, text, length);
    if (!copy)
        err_memory(import->err);
    return copy;
}

static int import_compare_names(const void *a, const void *b)
{
    const struct app_spec *const *x = a, *const *y = b;
    int order = strcmp((*x)->name, (*y)->name);
    return order ? order : (*x > *y) - (*x < *y);
}

int import_number_names(struct import *import, struct app_spec **apps, size_t count)
{
    const char *name = NULL;
    size_t first = 0;
    if (count)
        qsort(apps, count, sizeof(struct app_spec *), import_compare_names);
    for (size_t i = 0; i < count; i++) {
        char text[300];
        if (!name || strcmp(name, apps[i]->name) != 0) {
            name = apps[i]->name;
            first = i;
            continue;
        }
        int length = snprintf(text, sizeof text, "%s-%zu", name, i - first + 1);
        apps[i]->name = import_keep(import, text, (size_t)length);
        if (!apps[i]->name)
            return -1;
    }
    return 0;
}

int import_hold(struct import *import, const void *item, size_t size)
{
    char *list =
        mem_reserve(import->kept.list, &import->kept.capacity, import->kept.count + 1, size);
    if (!list)
        return err_memory(import->err);
    import->kept.list = list;
    import->kept.size = size;
    memcpy(list + size * import->kept.count++, item, size);
    return 0;
}

/* --- all of it ------------------------------------------------------------------------------ */

/* The first file is open: that it is missing is said before what it lacks. */
int import_begin(struct import *import, const struct importer *importer)
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

static const double year_1980 = 315532800;

/* Dates become seconds since the earliest of them. */
static void import_rebase(struct import *import)
{
    struct draft *draft = &import->draft;
    double earliest = INFINITY;
    for (size_t i = 0; i < draft->count; i++)
        earliest = fmin(earliest, draft->apps[i].release);
    /* Logs without dates have times since an unknown moment. */
    if (earliest + import->origin > year_1980 && moment_is_date(earliest + import->origin)) {
        draft->scenario->calendar.start = earliest + import->origin;
        draft->scenario->calendar.zone = moment_here(earliest + import->origin);
    }
    for (size_t i = 0; i < draft->count; i++)
        draft->apps[i].release -= earliest;
    for (size_t i = 0; i < import->observed.count; i++) {
        import->observed.list[i].start -= earliest;
        import->observed.list[i].end -= earliest;
    }
}

static int import_tell_apart(struct import *import)
{
    struct draft *draft = &import->draft;
    struct app_spec **apps = mem_alloc(draft->count, sizeof(struct app_spec *));
    if (!apps)
        return err_memory(import->err);
    for (size_t i = 0; i < draft->count; i++)
        apps[i] = &draft->apps[i];
    int status = import_number_names(import, apps, draft->count);
    free(apps);
    return status;
}

/* Gives the platform the bandwidth that was seen, unless it has one. 0 or -1. */
static int import_find_bandwidth(struct import *import)
{
    struct platform *platform = &import->draft.scenario->platform;
    char text[32];
    if (platform->bandwidth > 0)
        return 0;
    double peak = observed_peak(&import->observed);
    if (peak < 0)
        return err_memory(import->err);
    if (!(peak > 0))
        return err_set(import->err,
                       "%s: missing --bandwidth RATE: no I/O has a duration to estimate it from",
                       import->draft.where);
    platform->bandwidth = peak;
    import_note(
        import,
        "bandwidth of the file system: %s, the most that was moved together; --bandwidth RATE "
        "overrides it",
        units_print(platform->bandwidth, UNIT_RATE, text, sizeof text));
    return 0;
}

/* `status` is that of reading. */
static struct scenario *import_finish(struct import *import, const struct importer *importer,
                                      int status)
{
    struct scenario *scenario = NULL;
    if (status == 0 && importer->finish)
        status = importer->finish(import);
    if (status == 0 && import->draft.count == 0 && (import->skipped || import->left_out))
        status = err_set(import->err, "%s", import->first.text); /* nothing is left */
    if (status == 0)
        status = import_tell_apart(import);
    if (status == 0 && importer->dated)
        import_rebase(import);
    if (status == 0)
        status = import_find_bandwidth(import);
    bool handed = import->options->observed && status == 0;
    if (status == 0 && importer->measures && !(handed && importer->rates))
        status = own_settle(import, importer->rates);
    if (status == 0 && import->skipped)
        import_note(
            import,
            "skipped %llu line%s or application%s that could not be understood; the first: %s",
            (unsigned long long)import->skipped, import->skipped == 1 ? "" : "s",
            import->skipped == 1 ? "" : "s", import->first.text);
    if (status == 0 && import->left_out)
        import_note(import, "%llu file%s or log%s left out", (unsigned long long)import->left_out,
                    import->left_out == 1 ? "" : "s", import->left_out == 1 ? "" : "s");
    if (status == 0)
        scenario = draft_finish(&import->draft, import->err);
    draft_fini(&import->draft);
    free(import->kept.list);
    if (handed && scenario)
        *import->options->observed = import->observed;
    else
        observed_fini(&import->observed);
    return scenario;
}

static int import_one(struct import *import, const struct importer *importer, const char *path)
{
    int status = stream_open(&import->stream, path, import->err);
    if (status == 0)
        status = import_begin(import, importer);
    if (status == 0)
        status = read_file(import, importer);
    stream_close(&import->stream);
    return status;
}

static struct scenario *import_paths(const struct importer *importer, const struct files *files,
                                     const struct import_options *options, FILE *notes,
                                     struct err *err)
{
    struct import import = {.options = options, .notes = notes, .err = err};
    int status = files->count == 1 ? import_one(&import, importer, files->list[0].name)
                                   : import_several(&import, importer, files);
    return import_finish(&import, importer, status);
}

struct scenario *import_files(const struct importer *importer, const struct import_source *source,
                              const struct import_options *options, FILE *notes, struct err *err)
{
    struct files files = {0};
    struct scenario *scenario = NULL;
    int status = 0;
    for (size_t i = 0; i < source->count && status == 0; i++)
        status = files_add(&files, source->paths[i], err);
    if (status == 0 && importer->format && files.count > 1)
        status = err_set(err, "'%s' takes one file", importer->name);
    if (status == 0)
        scenario = importer->format
                       ? format_load(files.list[0].name, importer->format, &options->platform, err)
                       : import_paths(importer, &files, options, notes, err);
    files_fini(&files);
    return scenario;
}

struct scenario *import_parse(const struct importer *importer, const struct import_text *text,
                              const struct import_options *options, FILE *notes, struct err *err)
{
    struct import import = {.options = options, .notes = notes, .err = err};
    if (importer->format)
        return importer->format->parse(text->text, text->length, text->where, &options->platform,
                                       err);
    import.stream = stream_of_text(text->text, text->length, text->where);
    int status = import_begin(&import, importer);
    if (status == 0)
        status = read_file(&import, importer);
    stream_close(&import.stream);
    return import_finish(&import, importer, status);
}
