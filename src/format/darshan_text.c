#include "format/darshan_text.h"
#include "base/mem.h"
#include "base/text.h"
#include "format/word.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a log says it has: the modules that count bytes, and traces; the latter as darshan-parser
 * names their regions. */
enum { TRACED_POSIX = DARSHAN_MODULE_COUNT, TRACED_MPIIO, PARTS };
static const char *const trace_names[] = {"DXT_POSIX", "DXT_MPIIO"};
enum {
    COUNTED_BITS = (1 << DARSHAN_MODULE_COUNT) - 1,
    TRACED_BITS = 1 << TRACED_POSIX | 1 << TRACED_MPIIO
};

/* A text while it is read. */
struct darshan_text {
    struct import *import;
    double processes, run_time, start_time, job; /* 0 = not said */
    double user;                                 /* below 0 = not said */
    char program[128];
    uint64_t print;        /* of what both texts of a log say alike at their beginning */
    bool begun;            /* that is over */
    unsigned listed, seen; /* parts, as bits */
    bool is_trace;         /* of darshan-dxt-parser */
    bool nothing;          /* the log has no module at all, as the text says */
    bool incomplete;       /* so says the text */
    struct darshan_records records;
    struct traced traced;
    uint64_t file;   /* that the next accesses are of */
    uint64_t *files; /* of which POSIX has accesses, in order once MPI-IO comes */
    size_t file_count, file_capacity;
    bool sorted, known; /* the files; the current one is among them */
};

static uint64_t darshan_hash_text(uint64_t hash, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3;
    return hash;
}

/* --- comments -------------------------------------------------------------------------------- */

static bool darshan_begins(const struct stream *stream, const char *text)
{
    return stream->length >= strlen(text) && memcmp(stream->line, text, strlen(text)) == 0;
}

/* Keeps the name of the program without its directory and arguments. */
static void darshan_read_program(struct darshan_text *text, const char *line, size_t length)
{
    const char *end = memchr(line, ' ', length), *start;
    end = end ? end : line + length;
    for (start = end; start > line && start[-1] != '/'; start--)
        ;
    size_t size = (size_t)(end - start);
    if (size == 0 || size >= sizeof text->program || word_fault(start, size))
        return;
    memcpy(text->program, start, size);
    text->program[size] = 0;
}

/* "# POSIX module: 72 bytes (compressed), ver=4" */
static void darshan_read_region(struct darshan_text *text)
{
    const struct stream *stream = &text->import->stream;
    const char *name = stream->line + strlen("# ");
    if (!darshan_begins(stream, "# "))
        return;
    for (int i = 0; i < PARTS; i++) {
        const char *known =
            i < TRACED_POSIX ? darshan_module_names[i] : trace_names[i - TRACED_POSIX];
        size_t size = strlen(known), left = stream->length - strlen("# ");
        if (left > size + 8 && memcmp(name, known, size) == 0 &&
            memcmp(name + size, " module:", 8) == 0)
            text->listed |= 1u << i;
    }
}

/* The lines that both programs print first, all but dates in the time zone of the reader. */
static int darshan_read_beginning(struct darshan_text *text)
{
    static const char program[] = "# exe: ";
    const struct stream *stream = &text->import->stream;
    const struct {
        const char *key;
        int least;
        double *value;
    } numbers[] = {{"# nprocs: ", 1, &text->processes},
                   {"# run time: ", 0, &text->run_time},
                   {"# start_time: ", 0, &text->start_time},
                   {"# uid: ", 0, &text->user},
                   {"# jobid: ", 0, &text->job}};
    if (darshan_begins(stream, "# start_time_asci") || darshan_begins(stream, "# end_time_asci"))
        return 0;
    text->print = darshan_hash_text(text->print, stream->line, stream->length);
    if (darshan_begins(stream, program))
        darshan_read_program(text, stream->line + strlen(program),
                             stream->length - strlen(program));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *at = stream->line + strlen(numbers[i].key),
                   *end = stream->line + stream->length;
        double value;
        if (!darshan_begins(stream, numbers[i].key))
            continue;
        struct quote given = quote_text(at, (size_t)(end - at));
        if (text_number(&at, end, &value) != 0 || value < numbers[i].least || value > 1e18)
            return import_refuse(text->import, stream->number,
                                 "'%s' is followed by '%s', expected a number from %d on",
                                 numbers[i].key, given.text, numbers[i].least);
        *numbers[i].value = value;
    }
    darshan_read_region(text);
    return 0;
}

static int darshan_read_comment_line(struct darshan_text *text)
{
    const struct stream *stream = &text->import->stream;
    static const char file[] = "# DXT, file_id: ";
    if (darshan_begins(stream, file)) {
        size_t digits = stream->length - strlen(file);
        const char *id = stream->line + strlen(file), *comma = memchr(id, ',', digits);
        text->file = darshan_hash_text(0, id, comma ? (size_t)(comma - id) : digits);
        text->known = false;
        text->is_trace = true;
        return 0;
    }
    text->begun |= darshan_begins(stream, "# mounted file systems") ||
                   darshan_begins(stream, "# no ") || darshan_begins(stream, "# *");
    text->nothing |= darshan_begins(stream, "# no module data available");
    text->is_trace |= darshan_begins(stream, "# no DXT module data") ||
                      (darshan_begins(stream, "# DXT_") && text->begun);
    text->incomplete |= darshan_begins(stream, "# *WARNING*");
    if (darshan_begins(stream, "# *ERROR*"))
        return import_refuse(text->import, stream->number, "%.*s",
                             (int)(stream->length < 120 ? stream->length : 120) - 2,
                             stream->line + 2);
    return text->begun ? 0 : darshan_read_beginning(text);
}

/* --- accesses -------------------------------------------------------------------------------- */

static int darshan_compare_ids(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Whether an access counts: not if it passes through MPI-IO to a file of which POSIX has accesses.
 * Those of POSIX come first. 1, 0, or -1 when memory is out. */
static int darshan_choose_access(struct darshan_text *text, bool high)
{
    if (high && !text->sorted && text->file_count)
        qsort(text->files, text->file_count, sizeof *text->files, darshan_compare_ids);
    text->sorted |= high;
    if (high)
        return !(text->file_count && bsearch(&text->file, text->files, text->file_count,
                                             sizeof *text->files, darshan_compare_ids));
    if (text->known)
        return 1;
    uint64_t *files =
        mem_reserve(text->files, &text->file_capacity, text->file_count + 1, sizeof *files);
    if (!files)
        return -1;
    text->files = files;
    files[text->file_count++] = text->file;
    text->known = true;
    text->sorted = false;
    return 1;
}

/* module rank operation segment offset length start end, and more in some versions. */
static int darshan_read_access(struct darshan_text *text)
{
    struct import *import = text->import;
    struct lines lines = import_fields(import);
    const char *module, *operation;
    size_t size, length;
    double skipped, start, end, bytes;
    if (lines_word(&lines, "module", &module, &size) != 0 ||
        lines_number(&lines, "rank", -1, &skipped) != 0 ||
        lines_word(&lines, "operation", &operation, &length) != 0 ||
        lines_number(&lines, "segment", 0, &skipped) != 0 ||
        lines_number(&lines, "offset", -1, &skipped) != 0 ||
        lines_number(&lines, "length", 0, &bytes) != 0 ||
        lines_number(&lines, "start", 0, &start) != 0 || lines_number(&lines, "end", 0, &end) != 0)
        return import_skip(import);
    if (end < start || end > 1e12 || bytes > 1e18)
        return import_refuse(import, lines.number,
                             "impossible access of %g bytes from %g s to %g s", bytes, start, end);
    bool high = size >= 7 && memcmp(module, "X_MPIIO", 7) == 0;
    text->seen |= 1u << (high ? TRACED_MPIIO : TRACED_POSIX);
    int counts = bytes > 0 ? darshan_choose_access(text, high) : !high;
    text->traced.accesses += counts > 0;
    if (counts < 0 ||
        (counts > 0 && bytes > 0 && traced_add(&text->traced, start, end, bytes) != 0))
        return err_memory(import->err);
    return 0;
}

/* --- counters -------------------------------------------------------------------------------- */

static int darshan_add_counter(struct darshan_text *text, struct lines *lines,
                               struct darshan_line *line)
{
    bool wanted = darshan_is_wanted(line->counter, line->length);
    if (wanted && lines_number(lines, "value of a counter", -INFINITY, &line->value) != 0)
        return import_skip(text->import);
    if (wanted && line->value > 1e18)
        return import_refuse(text->import, text->import->stream.number,
                             "impossible value of a counter: %g", line->value);
    if (darshan_records_add(&text->records, line) != 0)
        return err_memory(text->import->err);
    return 0;
}

/* "total_POSIX_BYTES_READ: 1234" */
static int darshan_read_total(struct darshan_text *text, struct lines *lines)
{
    const char *name = lines->at + strlen("total_");
    const char *colon = memchr(name, ':', (size_t)(lines->end - name));
    if (!colon)
        return import_refuse(text->import, lines->number, "expected a total such as %s",
                             "'total_POSIX_BYTES_READ: 0'");
    struct darshan_line line = {.rank = -1,
                                .total = true,
                                .counter = name,
                                .length = (size_t)(colon - name),
                                .number = lines->number};
    lines->at = colon + 1;
    lines_skip_blanks(lines);
    return darshan_add_counter(text, lines, &line);
}

/* module rank record counter value file mount type; no module before Darshan 3 */
static int darshan_read_counter(struct darshan_text *text)
{
    struct import *import = text->import;
    struct lines lines = import_fields(import);
    struct darshan_line line = {.number = lines.number};
    const char *word;
    size_t length;
    if (lines.end - lines.at > 6 && memcmp(lines.at, "total_", 6) == 0)
        return darshan_read_total(text, &lines);
    bool named = !(*lines.at == '-' || (*lines.at >= '0' && *lines.at <= '9'));
    if ((named && lines_word(&lines, "module", &word, &length) != 0) ||
        lines_number(&lines, "rank", -1, &line.rank) != 0 ||
        lines_word(&lines, "record", &word, &length) != 0 ||
        lines_word(&lines, "counter", &line.counter, &line.length) != 0)
        return import_refuse(import, lines.number,
                             "expected a line of darshan-parser or darshan-dxt-parser");
    line.file = darshan_hash_text(0, word, length);
    return darshan_add_counter(text, &lines, &line);
}

/* --- a text ---------------------------------------------------------------------------------- */

static int darshan_read_line(struct darshan_text *text)
{
    struct lines lines = import_fields(text->import);
    if (lines.at == lines.end)
        return 0;
    if (*lines.at == '#')
        return darshan_read_comment_line(text);
    bool access = lines.end - lines.at > 2 && memcmp(lines.at, "X_", 2) == 0;
    text->is_trace |= access;
    return access ? darshan_read_access(text) : darshan_read_counter(text);
}

/* Why the text says too little of the I/O. False if it does not. */
static bool darshan_find_fault(const struct darshan_text *text, char *fault, size_t size)
{
    const unsigned missing = text->listed & COUNTED_BITS & ~text->records.seen;
    if (text->processes < 1) {
        snprintf(fault, size,
                 "no line '# nprocs: N', expected the text of darshan-parser or "
                 "darshan-dxt-parser");
    } else if (text->is_trace && !(text->listed & TRACED_BITS) && text->traced.accesses == 0) {
        snprintf(fault, size,
                 "no accesses, since Darshan did not trace the run (DXT): convert the "
                 "log with darshan-parser");
    } else if (text->is_trace && text->traced.bursts.count == 0) {
        snprintf(fault, size,
                 "no accesses: give darshan-dxt-parser --show-incomplete if it finds "
                 "the log incomplete, else convert it with darshan-parser");
    } else if (!text->is_trace && missing) {
        int module = 0;
        while (!(missing & (1u << module)))
            module++;
        snprintf(fault, size,
                 "no counters of %s, which the log has: the text is cut off%s, or darshan-parser "
                 "needs --show-incomplete",
                 darshan_module_names[module],
                 text->records.count > 0 ? "" : " or that of --file or --perf");
    } else if (!text->is_trace && text->records.count == 0 && !text->nothing) {
        snprintf(fault, size,
                 "no counters of POSIX, MPI-IO, STDIO, DFS or DAOS, expected the text "
                 "of darshan-parser without --file or --perf");
    } else {
        return false;
    }
    return true;
}

static const char *darshan_name_application(struct import *import, const struct darshan_text *text)
{
    char name[160];
    const char *program = *text->program ? text->program : "job";
    int length = snprintf(name, sizeof name, "%s-%.0f", program, text->job);
    return import_keep(import, name, (size_t)length);
}

/* Notes whose run it is, as far as the header says. 0 or -1. */
static int darshan_own(const struct darshan_text *text, struct app_spec *app)
{
    char user[32] = "", job[32] = "";
    if (text->user >= 0)
        snprintf(user, sizeof user, "%.0f", text->user);
    if (text->job > 0)
        snprintf(job, sizeof job, "%.0f", text->job);
    if (import_own(text->import, app, PARTY_USER, user) != 0 ||
        import_own(text->import, app, PARTY_JOB, job) != 0)
        return -1;
    return import_own(text->import, app, PARTY_PROGRAM, text->program);
}

/* Makes a log of the text. 0 or -1. */
static int darshan_settle(struct darshan_text *text, struct darshan_log *log)
{
    struct import *import = text->import;
    char fault[256];
    *log = (struct darshan_log){.print = text->print,
                                .where = import->stream.where,
                                .run_time = text->run_time,
                                .app = app_spec_defaults,
                                .is_trace = text->is_trace,
                                .incomplete = text->incomplete};
    log->app.name = darshan_name_application(import, text);
    if (!log->app.name || darshan_own(text, &log->app) != 0)
        return -1;
    log->app.nodes = import_nodes(import, text->processes);
    log->app.release = text->start_time;
    bool faulty = darshan_find_fault(text, fault, sizeof fault);
    size_t cut = darshan_records_sum(&text->records, fmax(text->processes, 1), &log->io);
    if (!import->stream.ended)
        cut = import->stream.number;
    if (cut && !faulty)
        snprintf(fault, sizeof fault, "the text is cut off after line %zu", cut);
    if (faulty || cut)
        log->fault = import_keep(import, fault, strlen(fault));
    if ((faulty || cut) && !log->fault)
        return -1;
    if (text->incomplete)
        import_note(import, "%s: the %s of %s are incomplete, since Darshan ran out of memory",
                    log->where, text->is_trace ? "accesses" : "counters", log->app.name);
    if (text->is_trace && !faulty && text->listed & ~text->seen & 1u << TRACED_POSIX)
        import_note(import,
                    "%s: no accesses of POSIX, though the log has some: those of MPI-IO count",
                    log->where);
    text->traced.run_time = text->run_time;
    return text->is_trace && !faulty ? traced_give(&text->traced, &log->app, import, &log->way) : 0;
}

/* Whether the current line is the first of another text. */
static bool darshan_is_next(const struct darshan_text *text)
{
    return text->processes > 0 && darshan_begins(&text->import->stream, "# darshan log version:");
}

int darshan_text_read(struct import *import, bool another, struct darshan_log *log, bool *traced)
{
    struct darshan_text text = {.import = import, .user = -1};
    int status = another ? darshan_read_line(&text) : 0, more = 1;
    while (status == 0 && (more = stream_next(&import->stream, import->err)) > 0 &&
           !darshan_is_next(&text))
        status = darshan_read_line(&text);
    if (status == 0)
        status = more < 0 ? -1 : darshan_settle(&text, log);
    *traced = text.listed & TRACED_BITS;
    darshan_records_fini(&text.records);
    bursts_fini(&text.traced.bursts);
    free(text.files);
    return status != 0 ? -1 : more;
}
