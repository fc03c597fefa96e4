/* `sacct`: what Slurm's `sacct -P` prints, with columns in any order. */
#include "base/mem.h"
#include "base/moment.h"
#include "base/text.h"
#include "format/cells.h"
#include "format/job_facts.h"
#include "format/jobs.h"
#include "format/word.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The columns that matter, and their place in a line; one X-list gives the enum and the names. */
#define COLUMNS(X)                                                                                 \
    X(JOB_ID, "JobID")                                                                             \
    X(JOB_ID_RAW, "JobIDRaw")                                                                      \
    X(SUBMIT, "Submit")                                                                            \
    X(START, "Start")                                                                              \
    X(ELAPSED_RAW, "ElapsedRaw")                                                                   \
    X(ELAPSED, "Elapsed")                                                                          \
    X(NODES, "NNodes")                                                                             \
    X(ALLOC_NODES, "AllocNodes")                                                                   \
    X(CPUS, "NCPUS")                                                                               \
    X(ALLOC_CPUS, "AllocCPUS")                                                                     \
    X(TASKS, "NTasks")                                                                             \
    X(AVE_READ, "AveDiskRead")                                                                     \
    X(AVE_WRITE, "AveDiskWrite")                                                                   \
    X(MAX_READ, "MaxDiskRead")                                                                     \
    X(MAX_WRITE, "MaxDiskWrite")                                                                   \
    X(TRES_IN, "TRESUsageInTot")                                                                   \
    X(TRES_OUT, "TRESUsageOutTot")                                                                 \
    X(STATE, "State")                                                                              \
    X(NAME, "JobName")                                                                             \
    X(USER, "User")                                                                                \
    X(ACCOUNT, "Account")

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

struct sacct_table {
    struct import *import;
    struct jobs jobs;
    struct cells cells;
    struct job_facts *facts; /* to be filled instead of the jobs; or NULL */
    char separator;
    uint64_t running;    /* jobs that had not ended */
    size_t columns;      /* 0 = the header is still to come */
    size_t place[KNOWN]; /* from 1; 0 = there is none */
    struct job job;      /* whose steps may follow; no id = none */
    char id[256];        /* of it, */
    char user[256];      /* and whose it is */
    char account[256];
    char program[256];
    uint64_t strays; /* steps that do not follow their job */
};

/* --- the header ------------------------------------------------------------------------------ */

/* The first of these columns that the table has, or -1. */
static int sacct_choose(const struct sacct_table *table, const enum column *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (table->place[list[i]])
            return (int)list[i];
    return -1;
}
#define CHOOSE(table, ...)                                                                         \
    sacct_choose(table, (const enum column[]){__VA_ARGS__},                                        \
                 sizeof((const enum column[]){__VA_ARGS__}) / sizeof(enum column))

static int sacct_time_column(const struct sacct_table *table)
{
    return import_by_submission(table->import->options) ? CHOOSE(table, SUBMIT)
                                                        : CHOOSE(table, START);
}

/* Other logs name jobs by their raw ids. */
static int sacct_id_column(const struct sacct_table *table)
{
    return table->facts ? CHOOSE(table, JOB_ID_RAW, JOB_ID) : CHOOSE(table, JOB_ID, JOB_ID_RAW);
}

/* Whether the I/O is what the log says. */
static bool sacct_has_io(const struct sacct_table *table)
{
    const struct import_options *options = table->import->options;
    return options->io_ratio == 0 && !options->io_csv && !table->facts;
}

/* Whether it says so in all, not by task. */
static bool sacct_has_totals(const struct sacct_table *table)
{
    return CHOOSE(table, TRES_IN, TRES_OUT) >= 0;
}

/* The columns that are needed and not there, or NULL. */
static const char *sacct_find_missing(const struct sacct_table *table)
{
    if (sacct_id_column(table) < 0)
        return "JobID or JobIDRaw";
    if (sacct_time_column(table) < 0)
        return column_names[import_by_submission(table->import->options) ? SUBMIT : START];
    if (CHOOSE(table, ELAPSED_RAW, ELAPSED) < 0)
        return "ElapsedRaw or Elapsed";
    if (CHOOSE(table, NODES, ALLOC_NODES, CPUS, ALLOC_CPUS) < 0)
        return "NNodes, AllocNodes, NCPUS or AllocCPUS";
    return NULL;
}

/* Notes where the columns stand. Two of one name may differ, so neither can be chosen. */
static int sacct_place_columns(struct sacct_table *table)
{
    const struct cells *cells = &table->cells;
    struct import *import = table->import;
    for (size_t i = 0; i < cells->count; i++)
        for (int k = 0; k < KNOWN; k++) {
            if (strcasecmp(cells->list[i], column_names[k]) != 0)
                continue;
            if (table->place[k])
                return draft_fail(&import->draft, import->stream.number, import->err,
                                  "two columns are named '%s'", column_names[k]);
            table->place[k] = i + 1;
        }
    table->columns = cells->count;
    return 0;
}

static int sacct_read_header(struct sacct_table *table)
{
    struct import *import = table->import;
    if (sacct_place_columns(table) != 0)
        return -1;
    const char *missing = sacct_find_missing(table);
    if (missing)
        return draft_fail(&import->draft, import->stream.number, import->err,
                          "no column %s, expected the header of 'sacct -P'", missing);
    if (!sacct_has_io(table))
        return 0;
    if (sacct_has_totals(table))
        return 0;
    if (CHOOSE(table, AVE_READ, AVE_WRITE, MAX_READ, MAX_WRITE) < 0)
        return draft_fail(&import->draft, import->stream.number, import->err,
                          "no column has the volume of I/O: ask sacct for TRESUsageInTot and "
                          "TRESUsageOutTot, or AveDiskRead, AveDiskWrite and NTasks, or give "
                          "--io-ratio or --io-csv");
    if (!table->place[TASKS])
        return draft_fail(&import->draft, import->stream.number, import->err,
                          "no column NTasks: AveDiskRead and the like are of one task");
    return 0;
}

/* Whether a line repeats the header, as outputs that were joined do. */
static bool sacct_is_header(const struct sacct_table *table)
{
    for (int k = 0; k < KNOWN; k++)
        if (table->place[k] &&
            strcasecmp(table->cells.list[table->place[k] - 1], column_names[k]) != 0)
            return false;
    return true;
}

/* --- values ---------------------------------------------------------------------------------- */

static const char *sacct_cell(const struct sacct_table *table, int column)
{
    return table->cells.list[table->place[column] - 1];
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
    if (count < 2 || count > 3 || parts[count - 1] >= 61 || (count == 3 && parts[1] >= 60))
        return -1;
    *seconds = days * 86400;
    *seconds += count == 3 ? parts[0] * 3600 + parts[1] * 60 + parts[2] : parts[0] * 60 + parts[1];
    return 0;
}

/* A number from 0 on, perhaps with a suffix: "4K" are 4096. Nothing is 0. */
static int parse_count(const char *text, double *count)
{
    static const char suffixes[] = "KMGTP";
    const char *at = text, *end = text + strlen(text);
    *count = 0;
    if (*text == 0)
        return 0;
    if (text_number(&at, end, count) != 0 || *count < 0)
        return -1;
    const char *suffix = *at ? strchr(suffixes, *at) : NULL;
    if (suffix) {
        *count = ldexp(*count, 10 * (int)(suffix - suffixes + 1));
        at++;
    }
    return at == end && *count <= 1e18 ? 0 : -1;
}

/* --- lines ----------------------------------------------------------------------------------- */

static int sacct_refuse(struct sacct_table *table, int column, const char *expected)
{
    const char *text = sacct_cell(table, column);
    return import_refuse(table->import, table->import->stream.number, "%s '%s' is not %s",
                         column_names[column], quote_text(text, strlen(text)).text, expected);
}

static bool is_unknown(const char *text)
{
    return !*text || strcmp(text, "Unknown") == 0 || strcmp(text, "None") == 0;
}

/* Keeps what is known of a job for other logs. */
static int sacct_keep_fact(struct sacct_table *table, const struct job *job)
{
    struct job_facts *facts = table->facts;
    struct import *import = table->import;
    struct job_fact *list =
        mem_reserve(facts->list, &facts->capacity, facts->count + 1, sizeof *list);
    if (!list)
        return err_memory(import->err);
    facts->list = list;
    struct job_fact *fact = &list[facts->count++];
    *fact = (struct job_fact){.id = import_keep(import, job->id, strlen(job->id)),
                              .user = import_keep(import, job->user, strlen(job->user)),
                              .account = import_keep(import, job->account, strlen(job->account)),
                              .start = job->release,
                              .end = job->release + job->run,
                              .nodes = job->nodes};
    return fact->id && fact->user && fact->account ? 0 : -1;
}

static int sacct_flush(struct sacct_table *table)
{
    struct job job = table->job;
    table->job.id = NULL;
    if (!job.id)
        return 0;
    return table->facts ? sacct_keep_fact(table, &job) : jobs_add(&table->jobs, &job);
}

/* Adds bytes to the job. */
static void sacct_count(struct sacct_table *table, double bytes)
{
    double before = isnan(table->job.bytes) ? 0 : table->job.bytes;
    table->job.bytes = fmin(before + bytes, 1e18);
}

/* "cpu=00:00:01,fs/disk=12.5M,mem=4K": all that the tasks of a step have read or written. */
static int sacct_add_totals(struct sacct_table *table)
{
    static const int columns[2] = {TRES_IN, TRES_OUT};
    static const char disk[] = "fs/disk=";
    for (int i = 0; i < 2; i++) {
        const char *text = table->place[columns[i]] ? sacct_cell(table, columns[i]) : "";
        const char *found = strstr(text, disk);
        char amount[32];
        double bytes;
        if (!found)
            continue;
        size_t length = strcspn(found + strlen(disk), ",");
        snprintf(amount, sizeof amount, "%.*s", (int)(length < 31 ? length : 31),
                 found + strlen(disk));
        if (parse_count(amount, &bytes) != 0)
            return sacct_refuse(table, columns[i], "a list with a size such as fs/disk=1.5M");
        sacct_count(table, bytes);
    }
    return 0;
}

/* Adds what each task of a line has read and written, if the line says it. */
static int sacct_add_io(struct sacct_table *table)
{
    const int columns[2] = {CHOOSE(table, AVE_READ, MAX_READ), CHOOSE(table, AVE_WRITE, MAX_WRITE)};
    double tasks, bytes;
    if (!sacct_has_io(table))
        return 0;
    if (sacct_has_totals(table))
        return sacct_add_totals(table);
    if (parse_count(sacct_cell(table, TASKS), &tasks) != 0)
        return sacct_refuse(table, TASKS, "a number from 0 on");
    for (int i = 0; i < 2; i++) {
        const char *text = columns[i] < 0 ? "" : sacct_cell(table, columns[i]);
        if (!*text)
            continue;
        if (parse_count(text, &bytes) != 0)
            return sacct_refuse(table, columns[i], "a size such as 1.5M");
        sacct_count(table, bytes * fmax(tasks, 1));
    }
    return 0;
}

/* A step of a job, of which only its I/O counts. */
static int sacct_read_step(struct sacct_table *table, const char *id, size_t length)
{
    bool follows =
        table->job.id && strlen(table->id) == length && memcmp(id, table->id, length) == 0;
    table->strays += !follows;
    return follows ? sacct_add_io(table) : 0;
}

/* Copies the text of a column, "" if there is none. Returns `name`. */
static const char *sacct_copy_owner(const struct sacct_table *table, int column, char name[256])
{
    snprintf(name, 256, "%s", table->place[column] ? sacct_cell(table, column) : "");
    return name;
}

static int sacct_read_job(struct sacct_table *table)
{
    int id = sacct_id_column(table), when = sacct_time_column(table);
    int run = CHOOSE(table, ELAPSED_RAW, ELAPSED);
    int size = CHOOSE(table, ALLOC_NODES, NODES, ALLOC_CPUS, CPUS);
    struct import *import = table->import;
    struct job job = {.bytes = NAN, .line = import->stream.number};
    const char *text = sacct_cell(table, id), *dot = strchr(text, '.');
    const char *fault = *text ? word_fault(text, strlen(text)) : "is empty";
    if (fault)
        return import_refuse(import, import->stream.number, "%s %s", column_names[id], fault);
    if (dot)
        return sacct_read_step(table, text, (size_t)(dot - text));
    if (sacct_flush(table) != 0)
        return -1;
    if (parse_count(sacct_cell(table, size), &job.nodes) != 0)
        return sacct_refuse(table, size, "a number from 0 on");
    if (size == CPUS || size == ALLOC_CPUS)
        job.nodes = job.nodes > 0 ? import_nodes(import, job.nodes) : 0;
    if (run == ELAPSED_RAW ? parse_count(sacct_cell(table, run), &job.run) != 0
                           : parse_elapsed(sacct_cell(table, run), &job.run) != 0)
        return sacct_refuse(table, run,
                            run == ELAPSED ? "a time such as 1-12:00:00" : "a number of seconds");
    if (is_unknown(sacct_cell(table, when)))
        job.run = 0;
    else if (moment_parse(sacct_cell(table, when), &job.release, NULL) != 0)
        return sacct_refuse(table, when, "a date such as 2024-02-29T13:00:00");
    snprintf(table->id, sizeof table->id, "%s", text);
    job.id = table->id;
    job.user = sacct_copy_owner(table, USER, table->user);
    job.account = sacct_copy_owner(table, ACCOUNT, table->account);
    job.program = sacct_copy_owner(table, NAME, table->program);
    table->running += table->place[STATE] && strcmp(sacct_cell(table, STATE), "RUNNING") == 0;
    table->job = job;
    return sacct_add_io(table);
}

/* Notes what was made of the columns. */
static void sacct_note(const struct sacct_table *table)
{
    if (table->running > 0)
        import_note(table->import,
                    "jobs that were still running: %llu; they end when they were listed",
                    (unsigned long long)table->running);
    if (sacct_has_io(table) && !sacct_has_totals(table) && CHOOSE(table, AVE_READ, AVE_WRITE) < 0)
        import_note(
            table->import,
            "every task is assumed to move as much as the one that moved most: ask sacct for "
            "AveDiskRead and AveDiskWrite for a better estimate");
    if (sacct_has_io(table) && table->strays > 0)
        import_note(table->import, "%llu steps do not follow their job: their I/O is not counted",
                    (unsigned long long)table->strays);
}

static int sacct_read_line(struct sacct_table *table)
{
    struct import *import = table->import;
    const struct stream *stream = &import->stream;
    const char *fault;
    if (stream->length == 0)
        return 0;
    /* Of `sacct -P`, or of --delimiter. */
    if (table->columns == 0)
        table->separator = memchr(stream->line, '|', stream->length)
                               ? '|'
                               : cells_separator(stream->line, stream->length);
    if (cells_split(&table->cells, stream->line, stream->length, table->separator, &fault) != 0)
        return err_memory(import->err);
    if (fault)
        return import_refuse(import, stream->number, "%s", fault);
    if (table->columns == 0)
        return sacct_read_header(table);
    if (table->cells.count != table->columns)
        return import_refuse(import, stream->number, "%zu columns, expected %zu as in the header",
                             table->cells.count, table->columns);
    return sacct_is_header(table) ? 0 : sacct_read_job(table);
}

static int read_sacct(struct import *import)
{
    struct sacct_table table = {.import = import};
    int status = jobs_init(&table.jobs, import), more = 1;
    while (status == 0 && (more = stream_next(&import->stream, import->err)) > 0)
        status = sacct_read_line(&table);
    if (status == 0 && more == 0)
        status = sacct_flush(&table);
    if (status == 0 && more == 0)
        status = jobs_note(&table.jobs);
    if (status == 0 && more == 0)
        sacct_note(&table);
    jobs_fini(&table.jobs);
    cells_fini(&table.cells);
    return status != 0 || more < 0 ? -1 : 0;
}

/* --- jobs of other logs ---------------------------------------------------------------------- */

static int job_facts_compare(const void *a, const void *b)
{
    const struct job_fact *x = a, *y = b;
    int order = strcmp(x->id, y->id);
    return order ? order : (x->start > y->start) - (x->start < y->start);
}

int job_facts_load(struct job_facts *facts, struct import *import, const char *path)
{
    struct import inner = {.options = import->options,
                           .err = import->err,
                           .notes = import->notes,
                           .draft = {.scenario = import->draft.scenario, .where = path}};
    struct sacct_table table = {.import = &inner, .facts = facts};
    int status = stream_open(&inner.stream, path, import->err), more = 1;
    while (status == 0 && (more = stream_next(&inner.stream, import->err)) > 0)
        status = sacct_read_line(&table);
    if (status == 0 && more == 0)
        status = sacct_flush(&table);
    stream_close(&inner.stream);
    cells_fini(&table.cells);
    import->skipped += inner.skipped;
    if (facts->count)
        qsort(facts->list, facts->count, sizeof *facts->list, job_facts_compare);
    return status != 0 || more < 0 ? -1 : 0;
}

const struct job_fact *job_facts_find(const struct job_facts *facts, const char *id, double date)
{
    static const double tolerance = 60; /* s: clocks differ, and dates are rounded */
    size_t low = 0, high = facts->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(facts->list[middle].id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < facts->count && strcmp(facts->list[low].id, id) == 0; low++)
        if (date >= facts->list[low].start - tolerance && date <= facts->list[low].end + tolerance)
            return &facts->list[low];
    return NULL;
}

void job_facts_fini(struct job_facts *facts)
{
    free(facts->list);
    *facts = (struct job_facts){0};
}

const struct importer import_sacct = {
    .name = "sacct",
    .help = "the output of Slurm's 'sacct -P', columns in any order: an application per job",
    .uses = IMPORT_IO | IMPORT_OWN_IO | IMPORT_ITERATIONS | IMPORT_PROCS | IMPORT_SUBMIT,
    .dated = true,
    .read = read_sacct,
    .finish = jobs_note_twins,
};
