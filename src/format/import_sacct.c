/* `sacct`: what Slurm's `sacct -P` prints, with columns in any order. */
#include "base/text.h"
#include "format/cells.h"
#include "format/jobs.h"
#include "format/word.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The columns that matter, and their place in a line; one X-list gives the enum and the names. */
#define COLUMNS(X)                                                                                 \
    X(JOB_ID, "JobID")                                                                             \
    X(SUBMIT, "Submit")                                                                            \
    X(START, "Start")                                                                              \
    X(ELAPSED_RAW, "ElapsedRaw")                                                                   \
    X(ELAPSED, "Elapsed")                                                                          \
    X(NODES, "NNodes")                                                                             \
    X(ALLOC_NODES, "AllocNodes")                                                                   \
    X(CPUS, "NCPUS")                                                                               \
    X(ALLOC_CPUS, "AllocCPUS")

enum column {
#define X(name, text) name,
    COLUMNS(X)
#undef X
        KNOWN
};
static const char *const column_names[KNOWN] = {
#define X(name, text) text,
    COLUMNS(X)
#undef X
};

struct table {
    struct import *import;
    struct jobs jobs;
    struct cells cells;
    size_t columns;      /* 0 = the header is still to come */
    size_t place[KNOWN]; /* from 1; 0 = there is none */
};

/* --- the header ------------------------------------------------------------------------------ */

/* The first of these columns that the table has, or -1. */
static int sacct_choose(const struct table *table, const enum column *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (table->place[list[i]])
            return (int)list[i];
    return -1;
}
#define CHOOSE(table, ...)                                                                         \
    sacct_choose(table, (const enum column[]){__VA_ARGS__},                                        \
                 sizeof((const enum column[]){__VA_ARGS__}) / sizeof(enum column))

static int date_column(const struct table *table)
{
    return table->import->options->submit ? CHOOSE(table, SUBMIT) : CHOOSE(table, START);
}

static int sacct_read_header(struct table *table)
{
    const struct cells *cells = &table->cells;
    const char *missing = NULL;
    for (size_t i = 0; i < cells->count; i++)
        for (int k = 0; k < KNOWN; k++)
            if (strcasecmp(cells->list[i], column_names[k]) == 0 && !table->place[k])
                table->place[k] = i + 1;
    table->columns = cells->count;
    if (CHOOSE(table, NODES, ALLOC_NODES, CPUS, ALLOC_CPUS) < 0)
        missing = "NNodes, AllocNodes, NCPUS or AllocCPUS";
    if (CHOOSE(table, ELAPSED_RAW, ELAPSED) < 0)
        missing = "ElapsedRaw or Elapsed";
    if (date_column(table) < 0)
        missing = column_names[table->import->options->submit ? SUBMIT : START];
    if (CHOOSE(table, JOB_ID) < 0)
        missing = column_names[JOB_ID];
    if (!missing)
        return 0;
    return draft_fail(&table->import->draft, table->import->stream.number, table->import->err,
                      "no column %s, expected the header of 'sacct -P'", missing);
}

/* --- values ---------------------------------------------------------------------------------- */

static const char *cell(const struct table *table, int column)
{
    return table->cells.list[table->place[column] - 1];
}

/* Days from 1970-01-01 to this day of the Gregorian calendar; years count from March. */
static double count_days(int year, int month, int day)
{
    year -= month <= 2;
    int era = year / 400, of_era = year % 400;
    int of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097.0 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* "2024-02-29T13:00:00". 0, or -1. */
static int parse_date(const char *text, double *date)
{
    int year, month, day, hour, minute, second, length = 0;
    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &year, &month, &day, &hour, &minute, &second,
               &length) != 6 ||
        text[length] || strspn(text, "0123456789-T:") != strlen(text))
        return -1;
    if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || hour > 23 ||
        minute < 0 || minute > 59 || second < 0 || second > 60)
        return -1;
    *date = count_days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
    return 0;
}

/* "[days-]hours:minutes:seconds", or "minutes:seconds". 0, or -1. */
static int parse_elapsed(const char *text, double *seconds)
{
    const char *at = text, *end = text + strlen(text);
    double parts[4] = {0}, days = 0;
    int count = 0;
    for (;; at++) {
        if (count == 4 || at == end || *at < '0' || *at > '9' ||
            text_number(&at, end, &parts[count++]) != 0)
            return -1;
        if (at == end)
            break;
        if (*at == '-' && count == 1) {
            days = parts[0];
            count = 0;
        } else if (*at != ':') {
            return -1;
        }
    }
    if (count < 2 || count > 3)
        return -1;
    *seconds = days * 86400;
    *seconds += count == 3 ? parts[0] * 3600 + parts[1] * 60 + parts[2] : parts[0] * 60 + parts[1];
    return 0;
}

static int parse_count(const char *text, double *count)
{
    const char *at = text, *end = text + strlen(text);
    if (*text == 0) { /* nothing was allocated */
        *count = 0;
        return 0;
    }
    return text_number(&at, end, count) == 0 && at == end && *count >= 0 ? 0 : -1;
}

/* --- lines ----------------------------------------------------------------------------------- */

static int sacct_refuse(struct table *table, int column, const char *expected)
{
    const char *text = cell(table, column);
    return import_refuse(table->import, table->import->stream.number, "%s '%s' is not %s",
                         column_names[column], quote_text(text, strlen(text)).text, expected);
}

static bool is_unknown(const char *text)
{
    return !*text || strcmp(text, "Unknown") == 0 || strcmp(text, "None") == 0;
}

static int read_job(struct table *table)
{
    struct job job = {.id = cell(table, JOB_ID)};
    int date = date_column(table), run = CHOOSE(table, ELAPSED_RAW, ELAPSED);
    int size = CHOOSE(table, ALLOC_NODES, NODES, ALLOC_CPUS, CPUS);
    const char *fault = *job.id ? word_fault(job.id, strlen(job.id)) : "is empty";
    if (fault)
        return import_refuse(table->import, table->import->stream.number, "JobID %s", fault);
    if (strchr(job.id, '.')) /* a step of a job */
        return 0;
    if (parse_count(cell(table, size), &job.nodes) != 0)
        return sacct_refuse(table, size, "a number from 0 on");
    if (size == CPUS || size == ALLOC_CPUS)
        job.nodes = job.nodes > 0 ? import_nodes(table->import, job.nodes) : 0;
    if (run == ELAPSED_RAW ? parse_count(cell(table, run), &job.run) != 0
                           : parse_elapsed(cell(table, run), &job.run) != 0)
        return sacct_refuse(table, run,
                            run == ELAPSED ? "a time such as 1-12:00:00" : "a number of s");
    if (is_unknown(cell(table, date)))
        job.run = 0;
    else if (parse_date(cell(table, date), &job.release) != 0)
        return sacct_refuse(table, date, "a date such as 2024-02-29T13:00:00");
    return jobs_add(&table->jobs, &job);
}

static int sacct_read_line(struct table *table)
{
    struct import *import = table->import;
    const struct stream *stream = &import->stream;
    const char *fault;
    if (stream->length == 0)
        return 0;
    if (cells_split(&table->cells, stream->line, stream->length, '|', &fault) != 0)
        return err_memory(import->err);
    if (fault)
        return import_refuse(import, stream->number, "%s", fault);
    if (table->columns == 0)
        return sacct_read_header(table);
    if (table->cells.count != table->columns)
        return import_refuse(import, stream->number, "%zu columns, expected %zu as in the header",
                             table->cells.count, table->columns);
    return read_job(table);
}

static int read_sacct(struct import *import)
{
    struct table table = {.import = import};
    int status = jobs_init(&table.jobs, import), more = 1;
    while (status == 0 && (more = stream_next(&import->stream, import->err)) > 0)
        status = sacct_read_line(&table);
    if (status == 0 && more == 0)
        jobs_note(&table.jobs);
    jobs_fini(&table.jobs);
    cells_fini(&table.cells);
    return status != 0 || more < 0 ? -1 : 0;
}

const struct importer import_sacct = {
    .name = "sacct",
    .help = "the output of Slurm's 'sacct -P', columns in any order: an application per job",
    .uses = IMPORT_IO | IMPORT_ITERATIONS | IMPORT_PROCS | IMPORT_SUBMIT,
    .dated = true,
    .read = read_sacct,
};
