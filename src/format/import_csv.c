/* `csv`: app, phase, kind, amount: the simplest thing a person can type. */
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "format/cells.h"
#include "format/importer.h"
#include "format/phases.h"
#include "format/word.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum role { WORK, IO, REPEAT, PROPERTY };

/* What a line may say of an application. */
struct kind_of_line {
    const char *name;
    enum unit unit;
    enum role role;
    size_t offset; /* of a property in struct app_spec */
};

#define AT(member) offsetof(struct app_spec, member)
static const struct kind_of_line kinds[] = {
    {"work", UNIT_SECONDS, WORK, 0},
    {"io", UNIT_BYTES, IO, 0},
    {"read", UNIT_BYTES, IO, 0},
    {"write", UNIT_BYTES, IO, 0},
    {"repeat", UNIT_NONE, REPEAT, 0},
    {"nodes", UNIT_NONE, PROPERTY, AT(nodes)},
    {"bandwidth", UNIT_RATE, PROPERTY, AT(bandwidth)},
    {"release", UNIT_SECONDS, PROPERTY, AT(release)},
    {"weight", UNIT_NONE, PROPERTY, AT(weight)},
    {"progress", UNIT_SECONDS, PROPERTY, AT(progress)},
    {"waiting", UNIT_SECONDS, PROPERTY, AT(waiting)},
    {"period", UNIT_SECONDS, PROPERTY, AT(period)},
};
#undef AT
enum { KINDS = sizeof kinds / sizeof *kinds };

struct row {
    const char *app;
    size_t line;
    const struct kind_of_line *kind;
    double phase; /* NAN = not numbered */
    double amount;
};

struct rows {
    struct row *list;
    size_t count, capacity;
};

/* --- lines ---------------------------------------------------------------------------------- */

static const struct kind_of_line *find_kind(struct import *import, const char *text)
{
    const char *names[KINDS + 1] = {NULL};
    for (int i = 0; i < KINDS; i++) {
        names[i] = kinds[i].name;
        if (strcasecmp(text, names[i]) == 0)
            return &kinds[i];
    }
    word_unknown("kind", quote_text(text, strlen(text)).text, names, import->err);
    err_prepend(import->err, "%s:%zu", import->draft.where, import->stream.number);
    return NULL;
}

static int read_phase(struct import *import, const char *text, double *phase)
{
    const char *at = text, *end = text + strlen(text);
    *phase = NAN;
    if (!*text)
        return 0;
    if (text_number(&at, end, phase) == 0 && at == end)
        return 0;
    return draft_fail(&import->draft, import->stream.number, import->err,
                      "phase '%s' is not a number", quote_text(text, strlen(text)).text);
}

/* 0, or -1 with err. */
static int read_cells(struct import *import, char *const *cells, struct row *row)
{
    size_t line = row->line = import->stream.number;
    const char *fault = *cells[0] ? word_fault(cells[0], strlen(cells[0])) : "is empty";
    if (fault)
        return draft_fail(&import->draft, line, import->err, "the name of the application %s",
                          fault);
    row->kind = find_kind(import, cells[2]);
    if (!row->kind || read_phase(import, cells[1], &row->phase) != 0)
        return -1;
    if (units_parse(cells[3], row->kind->unit, &row->amount, import->err) != 0)
        return err_prepend(import->err, "%s:%zu: %s", import->draft.where, line, row->kind->name);
    if (row->amount < 0 && strcmp(row->kind->name, "release") != 0)
        return draft_fail(&import->draft, line, import->err, "%s '%s' is below 0", row->kind->name,
                          quote_text(cells[3], strlen(cells[3])).text);
    return 0;
}

static int keep_row(struct import *import, struct rows *rows, struct row *row, const char *app)
{
    struct row *list = mem_reserve(rows->list, &rows->capacity, rows->count + 1, sizeof *list);
    if (!list)
        return err_memory(import->err);
    rows->list = list;
    const char *before = rows->count ? list[rows->count - 1].app : NULL;
    row->app = before && strcmp(before, app) == 0 ? before : import_keep(import, app, strlen(app));
    if (!row->app)
        return -1;
    list[rows->count++] = *row;
    return 0;
}

static bool is_header(const struct cells *cells)
{
    return cells->count == 4 && strcasecmp(cells->list[2], "kind") == 0 &&
           strcasecmp(cells->list[3], "amount") == 0;
}

static int csv_read_line(struct import *import, struct cells *cells, struct rows *rows)
{
    const struct stream *stream = &import->stream;
    const struct lines line = import_fields(import);
    const char *fault;
    struct row row;
    if (line.at == line.end || *line.at == '#')
        return 0;
    if (cells_split(cells, stream->line, stream->length, ',', &fault) != 0)
        return err_memory(import->err);
    if (fault)
        return import_refuse(import, stream->number, "%s", fault);
    if (rows->count == 0 && is_header(cells))
        return 0;
    if (cells->count != 4)
        return import_refuse(import, stream->number,
                             "%zu columns, expected 4: app, phase, kind, amount", cells->count);
    if (read_cells(import, cells->list, &row) != 0)
        return import_skip(import);
    return keep_row(import, rows, &row, cells->list[0]);
}

/* --- applications --------------------------------------------------------------------------- */

static int compare_lines(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

static int compare_names(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = x->app == y->app ? 0 : strcmp(x->app, y->app);
    return order ? order : compare_lines(a, b);
}

/* An application while its lines are read. */
struct making {
    struct import *import;
    struct app_spec app;
    struct phases phases;
    double phase; /* the last number */
    double repeat;
};

static int add_row(struct making *making, const struct row *row)
{
    struct import *import = making->import;
    bool is_phase = row->kind->role == WORK || row->kind->role == IO;
    if (is_phase && row->phase <= making->phase)
        return import_refuse(import, row->line, "phase %g of '%s' comes after phase %g", row->phase,
                             row->app, making->phase);
    if (is_phase && !isnan(row->phase))
        making->phase = row->phase;
    switch (row->kind->role) {
    case WORK:
        return phases_add_work(&making->phases, row->amount, import->err);
    case IO:
        return phases_add_io(&making->phases, row->amount, import->err);
    case REPEAT:
        if (row->amount != floor(row->amount) || row->amount < 1 ||
            row->amount > FORMAT_MAX_ITERATIONS)
            return import_refuse(import, row->line,
                                 "repeat %g, expected a whole number from 1 to %d", row->amount,
                                 FORMAT_MAX_ITERATIONS);
        making->repeat = row->amount;
        return 0;
    case PROPERTY:
        memcpy((char *)&making->app + row->kind->offset, &row->amount, sizeof row->amount);
        return 0;
    }
    return 0;
}

/* Adds the application whose lines have been read; it begins in this line. */
static int end_application(struct making *making, size_t line)
{
    struct import *import = making->import;
    struct app_spec *app = &making->app;
    struct phases *phases = &making->phases;
    if (app->nodes == 0 && app->bandwidth == 0)
        app->nodes = 1;
    if (making->repeat > 0) {
        if (phases->count != 1)
            return import_refuse(import, line,
                                 "'%s' has %zu iterations, but only one of work "
                                 "and I/O can be repeated",
                                 app->name, phases->count);
        app->work.mean = phases->items[0].work;
        app->io.mean = phases->items[0].volume;
        app->iterations = (uint32_t)making->repeat;
    } else if (phases_take(phases, app, &import->draft.scenario->arena, import->err) != 0) {
        return -1;
    }
    return import_add(import, app, line);
}

/* The rows of one application, in the order of their lines. */
static int make_application(struct import *import, const struct row *rows, size_t count)
{
    struct making making = {.import = import, .app = app_spec_defaults, .phase = -INFINITY};
    int status = 0;
    making.app.name = rows->app;
    for (size_t i = 0; i < count && status == 0; i++)
        status = add_row(&making, &rows[i]);
    if (status == 0)
        status = end_application(&making, rows->line);
    phases_fini(&making.phases);
    return status;
}

/* Rows of one name, side by side. */
struct group {
    const struct row *rows;
    size_t count;
};

static int compare_groups(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    return compare_lines(x->rows, y->rows);
}

/* One application per name, in the order in which they begin in the file. */
static int make_applications(struct import *import, struct rows *rows)
{
    size_t count = 0;
    struct group *groups = mem_alloc(rows->count, sizeof *groups);
    if (!groups)
        return err_memory(import->err);
    qsort(rows->list, rows->count, sizeof *rows->list, compare_names);
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->list[i];
        if (i == 0 || strcmp(row->app, row[-1].app) != 0)
            groups[count++].rows = row;
        groups[count - 1].count++;
    }
    qsort(groups, count, sizeof *groups, compare_groups);
    int status = 0;
    for (size_t i = 0; i < count && status == 0; i++)
        status = make_application(import, groups[i].rows, groups[i].count);
    free(groups);
    return status;
}

static int read_csv(struct import *import)
{
    struct cells cells = {0};
    struct rows rows = {0};
    int status = 0, more = 1;
    while (status == 0 && (more = stream_next(&import->stream, import->err)) > 0)
        status = csv_read_line(import, &cells, &rows);
    if (status == 0 && more == 0 && rows.count > 0)
        status = make_applications(import, &rows);
    cells_fini(&cells);
    free(rows.list);
    return status != 0 || more < 0 ? -1 : 0;
}

const struct importer import_csv = {
    .name = "csv",
    .help = "a line per phase: app, phase, kind (work or io), amount",
    .read = read_csv,
};
