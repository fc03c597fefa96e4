#include "answer/compare.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/summary.h"
#include "figure/figure.h"
#include "report/comparison.h"
#include "report/csv.h"
#include "report/runs.h"
#include "store/database.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct query_options {
    struct words operands; /* the database, and SQL */
    const char *metrics, *plot;
    bool json, csv;
};

/* A blob as SQL writes it: x'00ff'. NULL when memory is out. */
static char *query_blob(struct arena *arena, const struct store_cell *cell)
{
    char *text = arena_alloc(arena, 2 * cell->length + 4, 1);
    if (!text)
        return NULL;
    char *at = stpcpy(text, "x'");
    for (size_t i = 0; i < cell->length; i++)
        at += sprintf(at, "%02x", (unsigned)(unsigned char)cell->text[i]);
    strcpy(at, "'");
    return text;
}

/* --- a table for people: its columns are as wide as what is in them ----------------------------
 */

struct query_table {
    char **cells; /* the names first; row by row */
    bool *text;   /* by column: stands at the left */
    size_t count, capacity;
    int columns;
    struct arena arena;
};

static int query_keep(struct query_table *table, const char *text, struct err *err)
{
    char **cells = mem_reserve(table->cells, &table->capacity, table->count + 1, sizeof *cells);
    if (!cells)
        return err_memory(err);
    table->cells = cells;
    cells[table->count] = arena_strndup(&table->arena, text, strlen(text));
    if (!cells[table->count])
        return err_memory(err);
    text_clean(cells[table->count], strlen(cells[table->count]));
    table->count++;
    return 0;
}

static int query_table_head(void *context, const char *const *names, int count, struct err *err)
{
    struct query_table *table = context;
    table->columns = count;
    table->text = arena_alloc(&table->arena, (size_t)count, sizeof *table->text);
    if (!table->text)
        return err_memory(err);
    for (int i = 0; i < count; i++)
        if (query_keep(table, names[i], err) < 0)
            return -1;
    return 0;
}

static int query_table_row(void *context, const struct store_cell *cells, int count,
                           struct err *err)
{
    struct query_table *table = context;
    char number[32];
    for (int i = 0; i < count; i++) {
        const char *text = "-";
        if (cells[i].kind == STORE_TEXT) {
            text = cells[i].text;
            table->text[i] = true;
        } else if (cells[i].kind == STORE_INTEGER) {
            snprintf(number, sizeof number, "%" PRId64, cells[i].integer);
            text = number;
        } else if (cells[i].kind == STORE_REAL) {
            snprintf(number, sizeof number, "%.6g", cells[i].real);
            text = number;
        } else if (cells[i].kind == STORE_BLOB) {
            text = query_blob(&table->arena, &cells[i]);
            table->text[i] = true;
        }
        if (!text)
            return err_memory(err);
        if (query_keep(table, text, err) < 0)
            return -1;
    }
    return 0;
}

static int query_width(const struct query_table *table, int column)
{
    int width = 0;
    for (size_t i = (size_t)column; i < table->count; i += (size_t)table->columns) {
        int own = text_width(table->cells[i], strlen(table->cells[i]));
        width = own > width ? own : width;
    }
    return width;
}

static int query_print_table(const struct query_table *table, struct err *err)
{
    int *widths = mem_alloc((size_t)table->columns, sizeof *widths);
    if (!widths)
        return err_memory(err);
    for (int i = 0; i < table->columns; i++)
        widths[i] = query_width(table, i);
    for (size_t i = 0; i < table->count; i++) {
        int column = (int)(i % (size_t)table->columns);
        const char *text = table->cells[i];
        int space = widths[column] - text_width(text, strlen(text));
        bool last = column + 1 == table->columns;
        if (table->text[column])
            printf("%s%*s", text, last ? 0 : space, "");
        else
            printf("%*s%s", space, "", text);
        fputs(last ? "\n" : "  ", stdout);
    }
    free(widths);
    return 0;
}

/* --- CSV and JSON, as it comes -----------------------------------------------------------------
 */

static int query_csv_head(void *context, const char *const *names, int count, struct err *err)
{
    (void)context;
    (void)err;
    for (int i = 0; i < count; i++) {
        csv_text(names[i], stdout);
        putchar(i + 1 < count ? ',' : '\n');
    }
    return 0;
}

static int query_csv_row(void *context, const struct store_cell *cells, int count, struct err *err)
{
    struct arena *arena = context;
    char number[TEXT_NUMBER_SIZE];
    for (int i = 0; i < count; i++) {
        const char *blob = cells[i].kind == STORE_BLOB ? query_blob(arena, &cells[i]) : "";
        if (!blob)
            return err_memory(err);
        fputs(blob, stdout);
        if (cells[i].kind == STORE_TEXT)
            csv_text(cells[i].text, stdout);
        else if (cells[i].kind == STORE_INTEGER)
            printf("%" PRId64, cells[i].integer);
        else if (cells[i].kind == STORE_REAL)
            fputs(text_print_number(cells[i].real, number), stdout);
        putchar(i + 1 < count ? ',' : '\n');
    }
    return 0;
}

struct query_json {
    struct json json;
    char **names;
    struct arena arena;
};

static int query_json_head(void *context, const char *const *names, int count, struct err *err)
{
    struct query_json *query = context;
    query->names = arena_alloc(&query->arena, (size_t)count, sizeof *query->names);
    if (!query->names)
        return err_memory(err);
    for (int i = 0; i < count; i++) {
        query->names[i] = arena_strndup(&query->arena, names[i], strlen(names[i]));
        if (!query->names[i])
            return err_memory(err);
    }
    json_begin_array(&query->json, NULL);
    return 0;
}

static int query_json_row(void *context, const struct store_cell *cells, int count, struct err *err)
{
    struct query_json *query = context;
    struct json *json = &query->json;
    json_begin_object(json, NULL);
    for (int i = 0; i < count; i++) {
        const struct store_cell *cell = &cells[i];
        const char *blob = cell->kind == STORE_BLOB ? query_blob(&query->arena, cell) : "";
        if (!blob)
            return err_memory(err);
        if (cell->kind == STORE_INTEGER)
            json_signed(json, query->names[i], cell->integer);
        else if (cell->kind == STORE_REAL)
            json_number(json, query->names[i], cell->real);
        else if (cell->kind == STORE_TEXT)
            json_text(json, query->names[i], cell->text, cell->length);
        else
            json_string(json, query->names[i], *blob ? blob : NULL);
    }
    json_end_object(json);
    return 0;
}

/* --- the command -------------------------------------------------------------------------------
 */

static int query_print_json(struct database *database, const char *sql, struct err *err)
{
    struct query_json query = {.json = {.out = stdout, .pretty = true}};
    const struct store_reader reader = {query_json_head, query_json_row, &query};
    int status = database_query(database, sql, &reader, err);
    if (status == 0)
        json_end_array(&query.json);
    arena_fini(&query.arena);
    return status;
}

static int query_print_csv(struct database *database, const char *sql, struct err *err)
{
    struct arena arena = {0};
    const struct store_reader reader = {query_csv_head, query_csv_row, &arena};
    int status = database_query(database, sql, &reader, err);
    arena_fini(&arena);
    return status;
}

static int query_print(struct database *database, const struct query_options *options,
                       const char *sql, struct err *err)
{
    if (options->json)
        return query_print_json(database, sql, err);
    if (options->csv)
        return query_print_csv(database, sql, err);
    struct query_table table = {0};
    const struct store_reader reader = {query_table_head, query_table_row, &table};
    int status = database_query(database, sql, &reader, err);
    if (status == 0)
        status = query_print_table(&table, err);
    arena_fini(&table.arena);
    free(table.cells);
    return status;
}

/* --- the figure ------------------------------------------------------------------------------- */

static int query_draw_answer(const struct comparison *comparison, const struct selection *chosen,
                             struct picture *picture, struct err *err)
{
    const struct comparison_look look = {0};
    const struct selection usual = comparison_selection(comparison);
    return comparison_draw(comparison, chosen->count > 0 ? chosen : &usual, &look, picture, err);
}

/* Means and intervals of what is stored, as 'weir compare' draws them. 0 or -1. */
static int query_draw(const struct query_options *options, const struct selection *selection,
                      struct err *err)
{
    const struct compare_question question = {.asking.operands = options->operands};
    struct compare_answer answer = {0};
    struct picture picture = {0};
    int status = figure_check(err);
    if (status == 0)
        status = picture_open(&picture, options->plot, err);
    if (status == 0)
        status = compare_read_stored(&question, &answer, err);
    if (status == 0)
        status = query_draw_answer(&answer.comparison, selection, &picture, err);
    picture_discard(&picture);
    compare_answer_fini(&answer);
    return status;
}

static int query_run(const void *values, struct err *err)
{
    const struct query_options *options = values;
    const struct words *operands = &options->operands;
    struct selection selection = {0};
    char *summary = NULL;
    if (options->json && options->csv) {
        err_option(err, "--json and --csv exclude each other");
        return STATUS_MISUSE;
    }
    if (options->plot && operands->count > 1) {
        err_option(err, "--plot is for the summary, and excludes SQL");
        return STATUS_MISUSE;
    }
    if (options->metrics && operands->count > 1) {
        err_option(err, "--metrics is for the summary, and excludes SQL");
        return STATUS_MISUSE;
    }
    if (options->metrics && selection_parse(&selection, options->metrics, err) < 0) {
        err_prepend_option(err, "metrics");
        return STATUS_MISUSE;
    }
    struct database *database = database_open_read(operands->list[0], err);
    if (!database)
        return STATUS_MISUSE;
    const char *sql = operands->count > 1 ? operands->list[1] : NULL;
    if (!sql)
        sql = summary = summary_sql(database, &selection, err);
    int status = sql ? 0 : -1;
    if (status == 0 && !output_is_stdout(options->plot))
        status = query_print(database, options, sql, err);
    free(summary);
    database_close(database);
    if (status == 0 && options->plot)
        status = query_draw(options, &selection, err);
    return status == 0 ? STATUS_DONE : STATUS_MISUSE;
}

#define AT(member) offsetof(struct query_options, member)
static const struct option options[] = {
    {"metrics", 0, OPTION_TEXT, UNIT_NONE, "MEASURE,...", AT(metrics), "measures to summarise"},
    {"plot", 0, OPTION_TEXT, UNIT_NONE, "FILE.svg", AT(plot),
     "draw means and intervals, as .svg, .png or .pdf; needs gnuplot; 'weir compare DB' has more "
     "options"},
    {"csv", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(csv), "print CSV, at full precision"},
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), "print a list of objects as JSON"},
    {.name = NULL},
};
#undef AT

const struct command command_query = {
    .name = "query",
    .summary = "print the results of a campaign",
    .operands = "DB [SQL]",
    .least = 1,
    .most = 2,
    .options = options,
    .details = "Without SQL, the mean of each measure for every workload, value of a parameter, "
               "platform and strategy. The tables are 'run' and 'application'; 'weir man' lists "
               "their columns. Nothing can be changed.",
    .example =
        "weir query results.sqlite \"SELECT strategy, avg(max_stretch) FROM run GROUP BY 1\"",
    .size = sizeof(struct query_options),
    .run = query_run,
};
