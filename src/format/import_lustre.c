/* `lustre`: snapshots of Lustre's job_stats, as `lctl get_param obdfilter.*.job_stats` prints them:
 *
 *   obdfilter.scratch-OST0000.job_stats=
 *   job_stats:
 *   - job_id:          solver.1000
 *     snapshot_time:   1700000060
 *     read_bytes:      { samples: 9, unit: bytes, min: 4096, max: 4096, sum: 36864 }
 *     write_bytes:     { samples: 2, unit: bytes, min: 1, max: 9, sum: 10 }
 *
 * Counters grow while a job is known to a target, and begin again at 0 when the target, or the job,
 * was forgotten. What a job has moved between two snapshots, on all targets, is an access of that
 * time; a job that is seen first in a later snapshot began after the one before. */
#include "base/mem.h"
#include "base/text.h"
#include "format/traced.h"
#include "format/word.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What one target says of one job at one time. */
struct lustre_sample {
    const char *job, *target;
    double time, start; /* dates; when the job began there, 0 = not said */
    double bytes;       /* read and written so far */
    size_t line;
};

struct lustre_log {
    struct import *import;
    const char *target;          /* that the current lines are of */
    struct lustre_sample sample; /* the current one; no job = none */
};

/* --- lines ----------------------------------------------------------------------------------- */

static int lustre_flush(struct lustre_log *log)
{
    struct lustre_sample sample = log->sample;
    struct import *import = log->import;
    log->sample = (struct lustre_sample){0};
    if (!sample.job)
        return 0;
    if (!(sample.time > 0))
        return import_refuse(import, sample.line, "job '%s' has no snapshot_time", sample.job);
    return import_hold(import, &sample, sizeof sample);
}

/* The text after "key:", without blanks around it; NULL if the line has another key. */
static const char *lustre_value(const struct lines *lines, const char *key, size_t *length)
{
    size_t size = strlen(key);
    const char *at = lines->at, *end = lines->end;
    if ((size_t)(end - at) <= size || memcmp(at, key, size) != 0 || at[size] != ':')
        return NULL;
    for (at += size + 1; at < end && (*at == ' ' || *at == '\t'); at++)
        ;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *length = (size_t)(end - at);
    return at;
}

/* "obdfilter.scratch-OST0000.job_stats=" */
static int lustre_read_target(struct lustre_log *log, const struct lines *lines)
{
    struct import *import = log->import;
    size_t length = (size_t)(lines->end - lines->at);
    if (lustre_flush(log) != 0)
        return -1;
    log->target = import_keep(import, lines->at, length);
    return log->target ? 0 : -1;
}

static int lustre_read_job(struct lustre_log *log, const struct lines *lines, const char *id,
                           size_t length)
{
    struct import *import = log->import;
    if (lustre_flush(log) != 0)
        return -1;
    if (length >= 2 && *id == '"' && id[length - 1] == '"') {
        id++;
        length -= 2;
    }
    const char *fault = length ? word_fault(id, length) : "is empty";
    if (fault || length > 200)
        return import_refuse(import, lines->number, "job_id %s", fault ? fault : "is too long");
    log->sample = (struct lustre_sample){.job = import_keep(import, id, length),
                                         .target = log->target ? log->target : "",
                                         .line = lines->number};
    return log->sample.job ? 0 : -1;
}

/* A number that something else may follow: "1700000060.5 secs.nsecs". */
static int lustre_read_date(struct lustre_log *log, const struct lines *lines, const char *at,
                            double *date)
{
    if (text_number(&at, lines->end, date) != 0 || *date < 0 || *date > 1e11)
        return import_refuse(log->import, lines->number, "expected seconds since 1970");
    return 0;
}

/* "{ samples: 9, unit: bytes, min: 4096, max: 4096, sum: 36864, sumsq: 1 }" */
static int lustre_read_bytes(struct lustre_log *log, const struct lines *lines, const char *at,
                             size_t length)
{
    static const char sum[] = "sum:";
    const char *end = at + length;
    double bytes = NAN;
    for (; at + strlen(sum) < end; at++)
        if (memcmp(at, sum, strlen(sum)) == 0)
            break;
    if (at + strlen(sum) >= end)
        return memchr(lines->at, '{', (size_t)(lines->end - lines->at))
                   ? 0 /* samples: 0, without a sum */
                   : import_refuse(log->import, lines->number, "expected { samples: N, ... }");
    for (at += strlen(sum); at < end && *at == ' '; at++)
        ;
    if (text_number(&at, end, &bytes) != 0 || bytes < 0 || bytes > 1e18)
        return import_refuse(log->import, lines->number, "expected 'sum: BYTES'");
    log->sample.bytes += bytes;
    return 0;
}

static int lustre_read_line(struct lustre_log *log)
{
    struct lines lines = import_fields(log->import);
    const char *value;
    size_t length;
    if (lines.at == lines.end)
        return 0;
    if (lines.end[-1] == '=')
        return lustre_read_target(log, &lines);
    bool first = *lines.at == '-';
    if (first) {
        lines.at++;
        lines_skip_blanks(&lines);
    }
    if ((value = lustre_value(&lines, "job_id", &length)))
        return lustre_read_job(log, &lines, value, length);
    if (!log->sample.job)
        return 0;
    if ((value = lustre_value(&lines, "snapshot_time", &length)))
        return lustre_read_date(log, &lines, value, &log->sample.time);
    if ((value = lustre_value(&lines, "start_time", &length)))
        return lustre_read_date(log, &lines, value, &log->sample.start);
    if ((value = lustre_value(&lines, "read_bytes", &length)) ||
        (value = lustre_value(&lines, "write_bytes", &length)))
        return lustre_read_bytes(log, &lines, value, length);
    return 0;
}

static int lustre_read(struct import *import)
{
    struct lustre_log log = {.import = import};
    size_t before = import->kept.count;
    int status = 0, more = 1;
    while (status == 0 && (more = stream_next(&import->stream, import->err)) > 0)
        status = lustre_read_line(&log);
    if (status == 0 && more == 0)
        status = lustre_flush(&log);
    if (status == 0 && more == 0 && import->kept.count == before && !import->options->lenient)
        return err_set(import->err, "%s: no job, expected job_stats of Lustre",
                       import->stream.where);
    return status != 0 || more < 0 ? -1 : 0;
}

/* --- applications ---------------------------------------------------------------------------- */

static int lustre_compare(const void *a, const void *b)
{
    const struct lustre_sample *x = a, *y = b;
    int order = strcmp(x->job, y->job);
    order = order ? order : strcmp(x->target, y->target);
    if (order)
        return order;
    return (x->time > y->time) - (x->time < y->time);
}

static int lustre_compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The dates of all snapshots, in order; *count of them. NULL when memory is out; free() frees. */
static double *lustre_dates(const struct lustre_sample *samples, size_t total, size_t *count)
{
    double *dates = mem_alloc(total, sizeof *dates);
    *count = 0;
    for (size_t i = 0; dates && i < total; i++)
        dates[i] = samples[i].time;
    if (dates && total)
        qsort(dates, total, sizeof *dates, lustre_compare_times);
    for (size_t i = 0; dates && i < total; i++)
        if (*count == 0 || dates[i] > dates[*count - 1])
            dates[(*count)++] = dates[i];
    return dates;
}

/* The jobs of all files, and the dates of their snapshots. */
struct lustre_jobs {
    struct import *import;
    const double *dates;
    size_t date_count;
    uint64_t unknown; /* I/Os before the first snapshot, of which it is not known when they were */
    uint64_t idle;    /* jobs without I/O */
};

/* When the bytes of a sample began to be moved that has none before it; NAN = not known. */
static double lustre_begin(const struct lustre_jobs *jobs, const struct lustre_sample *sample)
{
    size_t low = 0, high = jobs->date_count;
    if (sample->start > 0 && sample->start < sample->time)
        return sample->start;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (jobs->dates[middle] < sample->time)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? jobs->dates[low - 1] : NAN;
}

/* What a sample adds to the one before it. */
struct lustre_access {
    double start, end, bytes;
};
static struct lustre_access lustre_access(const struct lustre_jobs *jobs,
                                          const struct lustre_sample *sample, bool follows)
{
    const struct lustre_sample *last = sample - 1;
    bool grows = follows && sample->bytes >= last->bytes;
    struct lustre_access access = {.start = follows ? last->time : lustre_begin(jobs, sample),
                                   .end = sample->time,
                                   .bytes = grows ? sample->bytes - last->bytes : sample->bytes};
    return access;
}

/* "solver.1000" is a program and a uid, "123456" a job. */
static int lustre_own(struct import *import, struct app_spec *app, const char *id)
{
    const char *dot = strrchr(id, '.');
    char program[256];
    if (strspn(id, "0123456789") == strlen(id))
        return import_own(import, app, PARTY_JOB, id);
    if (!dot || dot == id || !dot[1] || strspn(dot + 1, "0123456789") != strlen(dot + 1))
        return import_own(import, app, PARTY_PROGRAM, id);
    snprintf(program, sizeof program, "%.*s", (int)(dot - id), id);
    if (import_own(import, app, PARTY_PROGRAM, program) != 0)
        return -1;
    return import_own(import, app, PARTY_USER, dot + 1);
}

/* Adds the accesses of a job, whose samples these are, as if it began at `begin`. */
static int lustre_trace(struct lustre_jobs *jobs, const struct lustre_sample *samples, size_t count,
                        double begin, struct traced *traced)
{
    for (size_t i = 0; i < count; i++) {
        bool follows = i > 0 && strcmp(samples[i].target, samples[i - 1].target) == 0;
        struct lustre_access access = lustre_access(jobs, &samples[i], follows);
        if (!(access.bytes > 0) || isnan(access.start))
            continue;
        traced->accesses++;
        if (traced_add(traced, access.start - begin, access.end - begin, access.bytes) != 0)
            return err_memory(jobs->import->err);
    }
    return 0;
}

/* When the first I/O of a job may have begun; INFINITY = never. */
static double lustre_first(struct lustre_jobs *jobs, const struct lustre_sample *samples,
                           size_t count)
{
    double first = INFINITY;
    for (size_t i = 0; i < count; i++) {
        bool follows = i > 0 && strcmp(samples[i].target, samples[i - 1].target) == 0;
        struct lustre_access access = lustre_access(jobs, &samples[i], follows);
        jobs->unknown += access.bytes > 0 && isnan(access.start);
        if (access.bytes > 0 && access.start < first)
            first = access.start;
    }
    return first;
}

static int lustre_add_job(struct lustre_jobs *jobs, const struct lustre_sample *samples,
                          size_t count)
{
    struct import *import = jobs->import;
    struct app_spec app = app_spec_defaults;
    struct traced traced = {0};
    struct traced_way way;
    double first = lustre_first(jobs, samples, count);
    if (!isfinite(first)) {
        jobs->idle++;
        return 0;
    }
    app.name = samples->job;
    app.release = first;
    app.nodes = 1; /* not known */
    int status = lustre_own(import, &app, samples->job);
    if (status == 0)
        status = lustre_trace(jobs, samples, count, first, &traced);
    if (status == 0)
        status = traced_give(&traced, &app, import, &way);
    bursts_fini(&traced.bursts);
    size_t before = import->draft.count;
    if (status != 0 || import_add(import, &app, samples->line) != 0)
        return -1;
    return import->draft.count > before ? traced_observe(import, &way) : 0;
}

static int lustre_finish(struct import *import)
{
    struct lustre_sample *samples = import->kept.list;
    size_t total = import->kept.count;
    struct lustre_jobs jobs = {.import = import};
    int status = 0;
    double *dates = lustre_dates(samples, total, &jobs.date_count);
    if (!dates)
        return err_memory(import->err);
    jobs.dates = dates;
    if (total)
        qsort(samples, total, sizeof *samples, lustre_compare);
    for (size_t first = 0, end; first < total && status == 0; first = end) {
        for (end = first; end < total && strcmp(samples[end].job, samples[first].job) == 0; end++)
            ;
        status = lustre_add_job(&jobs, samples + first, end - first);
    }
    free(dates);
    if (status == 0)
        import_note(import,
                    "%zu snapshots, %zu jobs with I/O, %llu without; an I/O is known to the time "
                    "between two snapshots",
                    jobs.date_count, import->draft.count, (unsigned long long)jobs.idle);
    if (status == 0 && jobs.unknown > 0)
        import_note(import, "what jobs had moved before the first snapshot does not count");
    return status;
}

const struct importer import_lustre = {
    .name = "lustre",
    .help = "snapshots of Lustre's job_stats, one after the other or a file each: an application "
            "per job",
    .uses = IMPORT_GAP,
    .measures = true,
    .rates = true,
    .dated = true,
    .read = lustre_read,
    .finish = lustre_finish,
};
