/* `tmio`: JSON lines of the tracer TMIO, which FTIO reads: what each rank moved how fast.
 *
 *   {"write_sync": {"number_of_ranks": 8, "bandwidth": {"b_rank_avr": [...], "t_rank_s": [...],
 *    "t_rank_e": [...], ...}, ...}}
 *
 * A line adds to those before it; each bandwidth holds from its start to its end. Bytes and seconds
 * throughout. "read_async_b" and "write_async_b", the bandwidths that would have been needed,
 * "io_time" and whatever else there is do not matter here. */
#include "base/maths.h"
#include "base/mem.h"
#include "format/scan.h"
#include "format/traced.h"
#include <stdlib.h>
#include <string.h>

static const char *const modes[] = {"read_sync", "write_sync", "read_async_t", "write_async_t"};

enum { RATES, STARTS, ENDS, SERIES };
static const char *const series_names[SERIES] = {"b_rank_avr", "t_rank_s", "t_rank_e"};

struct series {
    double *list;
    size_t count, capacity;
};

struct tmio_log {
    struct import *import;
    struct traced traced;
    double ranks;
    struct series series[SERIES]; /* of the current mode */
    bool out_of_memory;
};

/* --- one mode: functions return 0, or -1 at a fault ------------------------------------------ */

static bool tmio_is(const char *key, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(key, name, length) == 0;
}

static int read_series(struct tmio_log *log, struct scan *scan, struct series *series)
{
    bool first = true;
    int more;
    series->count = 0;
    if (!scan_take(scan, '['))
        return -1;
    while ((more = scan_element(scan, &first)) > 0) {
        double *list =
            mem_reserve(series->list, &series->capacity, series->count + 1, sizeof *list);
        log->out_of_memory |= !list;
        if (!list)
            return -1;
        series->list = list;
        if (scan_number(scan, &list[series->count++]) != 0)
            return -1;
    }
    return more;
}

static int read_bandwidth(struct tmio_log *log, struct scan *scan)
{
    const char *key;
    size_t length;
    bool first = true;
    int more;
    if (!scan_take(scan, '{'))
        return scan_skip(scan); /* an empty list */
    while ((more = scan_member(scan, &first, &key, &length)) > 0) {
        struct series *series = NULL;
        for (int i = 0; i < SERIES; i++)
            if (tmio_is(key, length, series_names[i]))
                series = &log->series[i];
        if ((series ? read_series(log, scan, series) : scan_skip(scan)) != 0)
            return -1;
    }
    return more;
}

/* The accesses that the series describe. */
static int add_accesses(struct tmio_log *log)
{
    const struct series *series = log->series;
    if (series[RATES].count != series[STARTS].count || series[RATES].count != series[ENDS].count)
        return -1;
    for (size_t i = 0; i < series[RATES].count; i++) {
        double rate = series[RATES].list[i], start = series[STARTS].list[i];
        double end = series[ENDS].list[i], volume = rate * (end - start);
        if (!(rate >= 0 && start >= 0 && end >= start && end <= 1e12 && volume <= 1e18))
            return -1;
        log->traced.accesses++;
        if (volume > 0 && traced_add(&log->traced, start, end, volume) != 0) {
            log->out_of_memory = true;
            return -1;
        }
    }
    return 0;
}

static int read_mode(struct tmio_log *log, struct scan *scan)
{
    const char *key;
    size_t length;
    bool first = true;
    int more;
    for (int i = 0; i < SERIES; i++)
        log->series[i].count = 0;
    if (!scan_take(scan, '{'))
        return -1;
    while ((more = scan_member(scan, &first, &key, &length)) > 0) {
        double ranks;
        int status = 0;
        if (tmio_is(key, length, "bandwidth")) {
            status = read_bandwidth(log, scan);
        } else if (tmio_is(key, length, "number_of_ranks")) {
            status = scan_number(scan, &ranks);
            if (status == 0 && ranks <= 1e9)
                log->ranks = maths_max(log->ranks, ranks);
        } else {
            status = scan_skip(scan);
        }
        if (status != 0)
            return -1;
    }
    return more < 0 ? -1 : add_accesses(log);
}

/* --- lines ----------------------------------------------------------------------------------- */

static int read_object(struct tmio_log *log, struct scan *scan)
{
    const char *key;
    size_t length;
    bool first = true;
    int more;
    if (!scan_take(scan, '{'))
        return -1;
    while ((more = scan_member(scan, &first, &key, &length)) > 0) {
        bool wanted = false;
        for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
            wanted |= tmio_is(key, length, modes[i]);
        if ((wanted ? read_mode(log, scan) : scan_skip(scan)) != 0)
            return -1;
    }
    return more < 0 || !scan_ended(scan) ? -1 : 0;
}

static int tmio_read_line(struct tmio_log *log)
{
    struct import *import = log->import;
    const struct stream *stream = &import->stream;
    struct scan scan = {stream->line, stream->line + stream->length};
    if (scan_ended(&scan) || read_object(log, &scan) == 0)
        return 0;
    if (log->out_of_memory)
        return err_memory(import->err);
    return import_refuse(import, stream->number,
                         "column %td: expected {\"write_sync\": {\"bandwidth\": {\"b_rank_avr\": "
                         "[...], \"t_rank_s\": [...], \"t_rank_e\": [...]}}} with lists of one "
                         "length, or alike",
                         scan.at - stream->line + 1);
}

static int tmio_add_application(struct tmio_log *log)
{
    struct import *import = log->import;
    struct app_spec app = app_spec_defaults;
    struct traced_way way;
    app.name = draft_base_name(&import->draft.scenario->arena, import->stream.where);
    if (!app.name)
        return err_memory(import->err);
    if (log->traced.bursts.count == 0)
        return err_set(import->err, "%s: no I/O in this file, expected lines of TMIO",
                       import->stream.where);
    app.nodes = import_nodes(import, log->ranks);
    if (traced_give(&log->traced, &app, import, &way) != 0)
        return -1;
    traced_note(import, &app, &way);
    size_t before = import->draft.count;
    if (import_add(import, &app, 1) != 0)
        return -1;
    return import->draft.count > before ? traced_observe(import, &way) : 0;
}

static int read_tmio(struct import *import)
{
    struct tmio_log log = {.import = import};
    int status = 0, more = 1;
    while (status == 0 && (more = stream_next(&import->stream, import->err)) > 0)
        status = tmio_read_line(&log);
    if (status == 0)
        status = more < 0 ? -1 : tmio_add_application(&log);
    for (int i = 0; i < SERIES; i++)
        free(log.series[i].list);
    bursts_fini(&log.traced.bursts);
    return status;
}

const struct importer import_tmio = {
    .name = "tmio",
    .help = "JSON lines of TMIO, as FTIO reads them: an application per file",
    .uses = IMPORT_GAP | IMPORT_PROCS,
    .measures = true,
    .rates = true,
    .read = read_tmio,
};
