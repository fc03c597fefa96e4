/* `csv`: app, phase, kind, amount: the simplest thing a person can type; or a row per application,
 * with a column for each kind. Cells are separated by commas, semicolons or tabs. */
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
    {"iterations", UNIT_NONE, REPEAT, 0},
    {"nodes", UNIT_NONE, PROPERTY, AT(nodes)},
    {"bandwidth", UNIT_RATE, PROPERTY, AT(bandwidth)},
    {"release", UNIT_SECONDS, PROPERTY, AT(release)},
    {"weight", UNIT_NONE, PROPERTY, AT(weight)},
    {"progress", UNIT_SECONDS, PROPERTY, AT(progress)},
    {"waiting", UNIT_SECONDS, PROPERTY, AT(waiting)},
    {"period", UNIT_SECONDS, PROPERTY, AT(period)},
    {"calls", UNIT_BYTES, PROPERTY, AT(calls)},
};
#undef AT
enum { KINDS = sizeof kinds / sizeof *kinds };

struct csv_row {
    const char *app;
    size_t order; /* among all */
    size_t line;
    const struct kind_of_line *kind;
    double phase; /* NAN = not numbered */
    double amount;
};

struct csv_rows {
    struct csv_row *list;
    size_t count, capacity;
};

/* Columns that do not have the name of a kind. */
enum column { APP, PHASE, KIND, AMOUNT, COLUMNS };

struct csv {
    struct import *import;
    struct cells cells;
    struct csv_rows rows;
    char separator;                               /* 0 = no line was read yet */
    size_t columns;                               /* in each line */
    size_t place[COLUMNS];                        /* from 1; 0 = there is none */
    const struct kind_of_line *kinds[CELLS_MOST]; /* of a column; NULL = none */
};

/* --- lines ---------------------------------------------------------------------------------- */

static const struct kind_of_line *csv_find_kind(const char *text)
{
    for (int i = 0; i < KINDS; i++)
        if (strcasecmp(text, kinds[i].name) == 0)
            return &kinds[i];
    return NULL;
}

/* States that a word is not the name of a kind. -1. */
static int csv_fail_word(struct csv *csv, const char *what, const char *text)
{
    const char *names[KINDS + 1] = {NULL};
    for (int i = 0; i < KINDS; i++)
        names[i] = kinds[i].name;
    word_unknown(what, quote_text(text, strlen(text)).text, names, csv->import->err);
    return err_prepend(csv->import->err, "%s:%zu", csv->import->draft.where,
                       csv->import->stream.number);
}

static int csv_read_phase(struct csv *csv, struct csv_row *row)
{
    const char *text = csv->place[PHASE] ? csv->cells.list[csv->place[PHASE] - 1] : "";
    const char *at = text, *end = text + strlen(text);
    row->phase = NAN;
    if (!*text || (text_number(&at, end, &row->phase) == 0 && at == end))
        return 0;
    return draft_fail(&csv->import->draft, row->line, csv->import->err,
                      "phase '%s' is not a number", quote_text(text, strlen(text)).text);
}

/* 0, or -1 with err. */
static int csv_read_amount(struct csv *csv, struct csv_row *row, const char *text)
{
    struct import *import = csv->import;
    if (units_parse(text, row->kind->unit, &row->amount, import->err) != 0)
        return err_prepend(import->err, "%s:%zu: %s", import->draft.where, row->line,
                           row->kind->name);
    if (row->amount < 0 && strcmp(row->kind->name, "release") != 0)
        return draft_fail(&import->draft, row->line, import->err, "%s '%s' is below 0",
                          row->kind->name, quote_text(text, strlen(text)).text);
    return 0;
}

static int csv_keep_row(struct csv *csv, struct csv_row *row)
{
    struct csv_rows *rows = &csv->rows;
    const char *app = csv->cells.list[csv->place[APP] - 1];
    struct csv_row *list = mem_reserve(rows->list, &rows->capacity, rows->count + 1, sizeof *list);
    if (!list)
        return err_memory(csv->import->err);
    rows->list = list;
    const char *before = rows->count ? list[rows->count - 1].app : NULL;
    row->app =
        before && strcmp(before, app) == 0 ? before : import_keep(csv->import, app, strlen(app));
    if (!row->app)
        return -1;
    row->order = rows->count;
    list[rows->count++] = *row;
    return 0;
}

/* A line that says one thing of an application. */
static int csv_read_thing(struct csv *csv, struct csv_row *row)
{
    const char *kind = csv->cells.list[csv->place[KIND] - 1];
    row->kind = csv_find_kind(kind);
    if ((!row->kind && csv_fail_word(csv, "kind", kind) != 0) || csv_read_phase(csv, row) != 0 ||
        csv_read_amount(csv, row, csv->cells.list[csv->place[AMOUNT] - 1]) != 0)
        return import_skip(csv->import);
    return csv_keep_row(csv, row);
}

/* A line that says all of an application: its work comes before its I/O, which is all that it reads
 * and writes, in whatever order the columns stand. */
static int csv_read_application(struct csv *csv, struct csv_row *row)
{
    struct csv_row sums[PROPERTY] = {{0}};
    row->phase = NAN;
    for (size_t i = 0; i < csv->cells.count; i++) {
        row->kind = csv->kinds[i];
        if (!row->kind || !*csv->cells.list[i])
            continue;
        if (csv_read_amount(csv, row, csv->cells.list[i]) != 0)
            return import_skip(csv->import);
        if (row->kind->role != PROPERTY) {
            row->amount += sums[row->kind->role].amount;
            sums[row->kind->role] = *row;
        } else if (csv_keep_row(csv, row) != 0) {
            return -1;
        }
    }
    for (int role = 0; role < PROPERTY; role++)
        if (sums[role].kind && csv_keep_row(csv, &sums[role]) != 0)
            return -1;
    return 0;
}

/* --- the first line --------------------------------------------------------------------------- */

/* Whether the first line names the columns: one of them is that of applications, and none begins
 * with a digit, as an amount does. */
static bool csv_is_header(const struct csv *csv, size_t *app)
{
    static const char *const names[] = {"app", "application", "name"};
    bool found = false;
    for (size_t i = 0; i < csv->cells.count; i++) {
        const char *cell = csv->cells.list[i];
        if (*cell >= '0' && *cell <= '9')
            return false;
        for (size_t k = 0; k < sizeof names / sizeof *names && !found; k++)
            if (strcasecmp(cell, names[k]) == 0) {
                found = true;
                *app = i;
            }
    }
    return found;
}

/* Two columns of one name would be added up, or the last one would count. */
static int csv_check_names(struct csv *csv)
{
    char **names = csv->cells.list;
    for (size_t i = 0; i < csv->cells.count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcasecmp(names[i], names[k]) == 0)
                return draft_fail(&csv->import->draft, csv->import->stream.number, csv->import->err,
                                  "two columns are named '%s'", names[i]);
    return 0;
}

static int csv_read_header(struct csv *csv, size_t app)
{
    static const char *const names[COLUMNS] = {"", "phase", "kind", "amount"};
    struct import *import = csv->import;
    bool wide = false;
    if (csv_check_names(csv) < 0)
        return -1;
    csv->place[APP] = app + 1;
    for (size_t i = 0; i < csv->cells.count; i++) {
        const char *cell = csv->cells.list[i];
        csv->kinds[i] = i == app ? NULL : csv_find_kind(cell);
        wide |= csv->kinds[i] != NULL;
        int column = PHASE;
        while (column < COLUMNS && strcasecmp(cell, names[column]) != 0)
            column++;
        if (column < COLUMNS)
            csv->place[column] = i + 1;
        else if (i != app && !csv->kinds[i])
            return csv_fail_word(csv, "column", cell);
    }
    csv->columns = csv->cells.count;
    if (wide ? csv->place[KIND] || csv->place[AMOUNT] || csv->place[PHASE]
             : !csv->place[KIND] || !csv->place[AMOUNT])
        return draft_fail(&import->draft, import->stream.number, import->err,
                          "expected columns app, phase, kind, amount, or app and kinds such as "
                          "nodes, work and io");
    return 0;
}

/* Without a header columns stand in the usual order. */
static void csv_assume_header(struct csv *csv)
{
    csv->columns = COLUMNS;
    for (size_t i = 0; i < COLUMNS; i++)
        csv->place[i] = i + 1;
}

static int csv_read_line(struct csv *csv)
{
    struct import *import = csv->import;
    const struct stream *stream = &import->stream;
    const struct lines line = import_fields(import);
    struct csv_row row = {.line = stream->number};
    const char *fault;
    size_t app = 0;
    if (line.at == line.end || *line.at == '#')
        return 0;
    bool first = !csv->separator;
    if (first)
        csv->separator = cells_separator(stream->line, stream->length);
    if (cells_split(&csv->cells, stream->line, stream->length, csv->separator, &fault) != 0)
        return err_memory(import->err);
    if (first && !fault && csv_is_header(csv, &app))
        return csv_read_header(csv, app);
    if (first)
        csv_assume_header(csv);
    if (fault)
        return import_refuse(import, stream->number, "%s", fault);
    if (csv->cells.count != csv->columns)
        return import_refuse(import, stream->number, "%zu columns, expected %zu%s",
                             csv->cells.count, csv->columns,
                             csv->place[KIND] ? ": app, phase, kind, amount" : " as in the header");
    const char *name = csv->cells.list[csv->place[APP] - 1];
    fault = *name ? word_fault(name, strlen(name)) : "is empty";
    if (fault)
        return import_refuse(import, stream->number, "the name of the application %s", fault);
    return csv->place[KIND] ? csv_read_thing(csv, &row) : csv_read_application(csv, &row);
}

/* --- applications --------------------------------------------------------------------------- */

static int compare_lines(const void *a, const void *b)
{
    const struct csv_row *x = a, *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

static int compare_names(const void *a, const void *b)
{
    const struct csv_row *x = a, *y = b;
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
    unsigned given; /* bits of the kinds that a line has said */
};

/* A property is said once, or again with the same value. */
static int csv_set_property(struct making *making, const struct csv_row *row)
{
    double *member = (double *)(void *)((char *)&making->app + row->kind->offset);
    unsigned bit = 1u << (row->kind - kinds);
    if (making->given & bit && *member != row->amount)
        return import_refuse(making->import, row->line,
                             "%s of '%s' is %g, but %g in an earlier line", row->kind->name,
                             row->app, row->amount, *member);
    making->given |= bit;
    *member = row->amount;
    return 0;
}

static int add_row(struct making *making, const struct csv_row *row)
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
        return csv_set_property(making, row);
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
static int make_application(struct import *import, const struct csv_row *rows, size_t count)
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
struct csv_group {
    const struct csv_row *rows;
    size_t count;
};

static int compare_groups(const void *a, const void *b)
{
    const struct csv_group *x = a, *y = b;
    return compare_lines(x->rows, y->rows);
}

/* One application per name, in the order in which they begin in the file. */
static int make_applications(struct import *import, struct csv_rows *rows)
{
    size_t count = 0;
    struct csv_group *groups = mem_alloc(rows->count, sizeof *groups);
    if (!groups)
        return err_memory(import->err);
    qsort(rows->list, rows->count, sizeof *rows->list, compare_names);
    for (size_t i = 0; i < rows->count; i++) {
        const struct csv_row *row = &rows->list[i];
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
    struct csv csv = {.import = import};
    int status = 0, more = 1;
    while (status == 0 && (more = stream_next(&import->stream, import->err)) > 0)
        status = csv_read_line(&csv);
    if (status == 0 && more == 0 && csv.rows.count > 0)
        status = make_applications(import, &csv.rows);
    cells_fini(&csv.cells);
    free(csv.rows.list);
    return status != 0 || more < 0 ? -1 : 0;
}

const struct importer import_csv = {
    .name = "csv",
    .help = "a line per phase: app, phase, kind (work or io), amount; or one per application",
    .read = read_csv,
};
