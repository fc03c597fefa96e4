/* `journal`: what a live controller wrote down (`weir serve --journal`), a JSON object per line:
 *
 *   {"t": 1.5, "event": "complete", "id": 3, "ended": 1.4, "moved": 1000000}
 *
 * An application begins with `join` and ends with `leave`; each `complete` ends an I/O of as many
 * bytes as were really moved, and what lies between two I/Os is work. So what happened can be
 * simulated again under another strategy. A `start` in the middle is another run of the
 * controller, whose times begin again at 0; the time of the day says when that was.
 *
 * Lines of a controller with several bandwidths say of which `store` they are. A scenario has one:
 * that of --store, or of the first line.
 *
 * Settings may change under way, but a scenario has one bandwidth, and an application one limit and
 * one weight: those that were in force for the longest time while there was something to control.
 */
#include "base/maths.h"
#include "base/mem.h"
#include "base/moment.h"
#include "base/units.h"
#include "format/importer.h"
#include "format/phases.h"
#include "format/scan.h"
#include "format/tally.h"
#include "format/word.h"
#include "model/event.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_IDS = 1 << 16 };

/* --- a line ------------------------------------------------------------------------------------
 */

#define NUMBERS(X)                                                                                 \
    X(t)                                                                                           \
    X(id)                                                                                          \
    X(uid)                                                                                         \
    X(bandwidth)                                                                                   \
    X(node_bandwidth) X(nodes) X(bmax) X(weight) X(period) X(ended) X(moved) X(lost) X(elapsed)    \
        X(waited)

#define X(name, dated) #name,
static const char *const event_names[] = {JOURNAL_EVENTS(X)};
#undef X
#define X(name) NUMBER_##name,
enum number { NUMBERS(X) NUMBER_COUNT };
#undef X
#define X(name) #name,
static const char *const number_names[] = {NUMBERS(X)};
#undef X

struct journal_record {
    enum journal_event event;
    double numbers[NUMBER_COUNT]; /* NAN = not said */
    char name[256];
    char account[256]; /* "" = not known */
    char store[256];   /* "" = there is one only */
    double clock;      /* the time of the day, in seconds since 1970; NAN = not said */
};

/* The index of a word in a table, or `count`. */
static int import_journal_find(const char *const *names, int count, const char *word, size_t length)
{
    int i = 0;
    while (i < count && (strlen(names[i]) != length || memcmp(names[i], word, length) != 0))
        i++;
    return i;
}

/* It is null where nothing says it. */
static int journal_read_account(struct scan *scan, struct journal_record *record)
{
    struct scan before = *scan;
    if (scan_text(scan, record->account, sizeof record->account) == 0)
        return 0;
    *scan = before;
    *record->account = 0;
    return scan_skip(scan);
}

static int journal_read_clock(struct scan *scan, struct journal_record *record)
{
    char text[64];
    struct scan before = *scan;
    if (scan_text(scan, text, sizeof text) == 0) {
        if (moment_parse(text, &record->clock, NULL) != 0)
            record->clock = NAN;
        return 0;
    }
    *scan = before;
    return scan_skip(scan);
}

static int read_member(struct scan *scan, const char *key, size_t length,
                       struct journal_record *record)
{
    char word[16];
    int number = import_journal_find(number_names, NUMBER_COUNT, key, length);
    if (number < NUMBER_COUNT) {
        struct scan before = *scan;
        if (scan_number(scan, &record->numbers[number]) == 0)
            return 0;
        *scan = before; /* null: not known */
        return scan_skip(scan);
    }
    if (length == 5 && memcmp(key, "event", 5) == 0) {
        if (scan_text(scan, word, sizeof word) != 0)
            return -1;
        record->event =
            (enum journal_event)import_journal_find(event_names, EVENT_COUNT, word, strlen(word));
        return 0;
    }
    if (length == 4 && memcmp(key, "name", 4) == 0)
        return scan_text(scan, record->name, sizeof record->name);
    if (length == 7 && memcmp(key, "account", 7) == 0)
        return journal_read_account(scan, record);
    if (length == 5 && memcmp(key, "store", 5) == 0)
        return scan_text(scan, record->store, sizeof record->store);
    if (length == 4 && memcmp(key, "time", 4) == 0)
        return journal_read_clock(scan, record);
    return scan_skip(scan);
}

/* Whether a number is said and in range. */
static bool journal_says(const struct journal_record *record, enum number number, double least,
                         double most)
{
    double value = record->numbers[number];
    return value >= least && value <= most;
}

/* Whether the record says what its event needs. */
static bool import_journal_is_complete(const struct journal_record *record)
{
    if (!journal_says(record, NUMBER_t, 0, 1e12))
        return false;
    switch (record->event) {
    case EVENT_start:
        return journal_says(record, NUMBER_bandwidth, 1e-9, 1e18);
    case EVENT_join:
        return journal_says(record, NUMBER_id, 0, MOST_IDS - 1) &&
               journal_says(record, NUMBER_nodes, 1e-9, 1e12) &&
               !(record->numbers[NUMBER_bmax] < 0) &&
               journal_says(record, NUMBER_weight, 1e-9, 1e12) && *record->name &&
               !word_fault(record->name, strlen(record->name));
    case EVENT_complete:
        return journal_says(record, NUMBER_id, 0, MOST_IDS - 1) &&
               journal_says(record, NUMBER_moved, 0, 1e18) &&
               journal_says(record, NUMBER_ended, 0, 1e12);
    case EVENT_leave:
        return journal_says(record, NUMBER_id, 0, MOST_IDS - 1) &&
               journal_says(record, NUMBER_moved, 0, 1e18);
    case EVENT_change:
        return journal_says(record, NUMBER_id, 0, MOST_IDS - 1) &&
               !(record->numbers[NUMBER_bmax] < 0) &&
               journal_says(record, NUMBER_weight, 1e-9, 1e12);
    case EVENT_post:
        return journal_says(record, NUMBER_id, 0, MOST_IDS - 1);
    default:
        return record->event != EVENT_COUNT;
    }
}

static int read_record(struct scan *scan, struct journal_record *record)
{
    const char *key;
    size_t length;
    bool first = true;
    int more;
    *record = (struct journal_record){.event = EVENT_COUNT, .clock = NAN};
    for (int i = 0; i < NUMBER_COUNT; i++)
        record->numbers[i] = NAN;
    if (!scan_take(scan, '{'))
        return -1;
    while ((more = scan_member(scan, &first, &key, &length)) > 0)
        if (read_member(scan, key, length, record) != 0)
            return -1;
    return more < 0 || !scan_ended(scan) || !import_journal_is_complete(record) ? -1 : 0;
}

/* --- applications ------------------------------------------------------------------------------
 */

struct running {
    bool here;
    struct app_spec app;
    struct tally bmax, weight;
    double since; /* the bmax and the weight of `app` hold */
    struct phases phases;
    struct observed ios; /* that have ended, whose `app` is not known yet */
    double working;      /* since this time; */
    double posted;       /* or an I/O is under way since this one, else NAN */
    size_t line;         /* of its join */
};

struct journal_log {
    struct import *import;
    bool chosen;     /* the store */
    char store[256]; /* of which lines count; those of others do not: */
    uint64_t others;
    struct running *list; /* by id */
    size_t count, capacity;
    double begin, now;      /* of the current run of the controller; the latest time */
    double origin;          /* time 0 in seconds since 1970; NAN = not known */
    uint64_t runs, undated; /* of the controller; those whose start is unknown */
    size_t torn;          /* a line that could not be read, which the next may explain; 0 = none */
    struct err torn_err;  /* what is wrong with it */
    uint64_t torn_count;  /* those that were explained */
    uint64_t strange;     /* I/Os of applications whose join is missing, */
    double strange_bytes; /* and what they moved */
    double bandwidth;     /* at the moment, 0 = not known */
    struct tally bandwidths; /* while there were applications */
    size_t present;          /* applications that are here */
    uint64_t left;           /* applications that were still there at the end, */
    uint64_t changed;        /* or whose limit or weight has changed */
    uint64_t lost, gaps;     /* lines that are missing, and in how many places, */
    size_t gap;              /* the first of them before this line */
};

/* An I/O of this many bytes has ended; nothing happened if there were none. */
static int add_io(struct journal_log *log, struct running *run, double moved, double ended)
{
    struct err *err = log->import->err;
    double work = maths_max(0, run->posted - run->working);
    run->posted = NAN;
    if (!(moved > 0))
        return 0;
    double start = run->working + work, end = maths_max(start, ended);
    run->working = end;
    if (phases_add_work(&run->phases, work, err) || phases_add_io(&run->phases, moved, err))
        return -1;
    const struct observed_io io = {.iteration = (uint32_t)run->phases.count - 1,
                                   .start = start,
                                   .end = end,
                                   .busy = end - start,
                                   .volume = moved};
    return observed_add(&run->ios, io) != 0 ? err_memory(err) : 0;
}

/* 0 = not limited. */
static double read_bmax(const struct journal_record *record)
{
    return journal_says(record, NUMBER_bmax, 1e-9, 1e18) ? record->numbers[NUMBER_bmax] : 0;
}

static void count_terms(struct journal_log *log, struct running *run)
{
    tally_add(&run->bmax, run->app.bandwidth, log->now - run->since);
    tally_add(&run->weight, run->app.weight, log->now - run->since);
    run->since = log->now;
}

static int import_journal_leave(struct journal_log *log, struct running *run, double moved)
{
    struct import *import = log->import;
    double part;
    count_terms(log, run);
    log->changed += run->bmax.count > 1 || run->weight.count > 1;
    log->present--;
    run->app.bandwidth = tally_most(&run->bmax, &part);
    run->app.weight = tally_most(&run->weight, &part);
    bool waiting = !isnan(run->posted) && !(moved > 0);
    double end = waiting ? run->posted : log->now; /* time spent waiting in vain is not work */
    /* Its last bytes, of calls that nothing held, came after its last I/O. */
    if (isnan(run->posted) && moved > 0)
        run->posted = log->now;
    if (!isnan(run->posted) && add_io(log, run, moved, log->now) != 0)
        return -1;
    if (end > run->working && phases_add_work(&run->phases, end - run->working, import->err) != 0)
        return -1;
    run->here = false;
    int status = phases_take(&run->phases, &run->app, &import->draft.scenario->arena, import->err);
    /* One that came and went at once did nothing. */
    if (status != 0 || run->app.iterations == 0)
        return status;
    size_t before = import->draft.count;
    status = import_add(import, &run->app, run->line);
    for (size_t i = 0; status == 0 && import->draft.count > before && i < run->ios.count; i++) {
        run->ios.list[i].app = (uint32_t)before;
        status = observed_add(&import->observed, run->ios.list[i]) ? err_memory(import->err) : 0;
    }
    run->ios.count = 0;
    return status;
}

static int leave_all(struct journal_log *log)
{
    for (size_t id = 0; id < log->count; id++) {
        log->left += log->list[id].here;
        if (log->list[id].here && import_journal_leave(log, &log->list[id], 0) != 0)
            return -1;
    }
    return 0;
}

/* A user is known by its uid. */
static int journal_own(struct import *import, const struct journal_record *record,
                       struct app_spec *app)
{
    char user[32] = "";
    if (journal_says(record, NUMBER_uid, 0, 1e12))
        snprintf(user, sizeof user, "%.0f", record->numbers[NUMBER_uid]);
    if (import_own(import, app, PARTY_USER, user) != 0)
        return -1;
    return import_own(import, app, PARTY_ACCOUNT, record->account);
}

static int import_journal_join(struct journal_log *log, const struct journal_record *record,
                               size_t id)
{
    struct import *import = log->import;
    struct running *list = mem_reserve(log->list, &log->capacity, id + 1, sizeof *list);
    if (!list)
        return err_memory(import->err);
    log->list = list;
    for (; log->count <= id; log->count++)
        log->list[log->count] = (struct running){.here = false};
    struct running *run = &log->list[id];
    if (run->here && import_journal_leave(log, run, 0) != 0)
        return -1;
    const double *numbers = record->numbers;
    log->present++;
    run->here = true;
    run->bmax = run->weight = (struct tally){0};
    run->app = app_spec_defaults;
    run->app.name = import_keep(import, record->name, strlen(record->name));
    if (journal_own(import, record, &run->app) != 0)
        return -1;
    run->app.nodes = maths_max(1, numbers[NUMBER_nodes]);
    run->app.bandwidth = read_bmax(record);
    run->app.weight = numbers[NUMBER_weight];
    run->app.period = journal_says(record, NUMBER_period, 0, 1e12) ? numbers[NUMBER_period] : 0;
    run->app.release = run->working = run->since = log->now;
    run->posted = NAN;
    run->line = import->stream.number;
    return run->app.name ? 0 : -1;
}

/* --- the file ----------------------------------------------------------------------------------
 */

static void set_platform(struct journal_log *log, const struct journal_record *record)
{
    struct platform *platform = &log->import->draft.scenario->platform;
    const struct format_defaults *given = &log->import->options->platform;
    const double *numbers = record->numbers;
    /* Without one, nothing was controlled: that says nothing of the store. */
    log->bandwidth =
        journal_says(record, NUMBER_bandwidth, 1e-9, 1e18) ? numbers[NUMBER_bandwidth] : 0;
    if (log->bandwidth > 0)
        tally_add(&log->bandwidths, log->bandwidth, 0);
    if (given->node_bandwidth == 0 && journal_says(record, NUMBER_node_bandwidth, 1e-9, 1e18))
        platform->node_bandwidth = numbers[NUMBER_node_bandwidth];
}

/* Counts how long the current settings have been in force, until this time. */
static void import_journal_advance(struct journal_log *log, double time)
{
    double now = maths_max(log->now, time);
    if (log->present > 0 && log->bandwidth > 0)
        tally_add(&log->bandwidths, log->bandwidth, now - log->now);
    log->now = now;
}

static void miss_lines(struct journal_log *log, double lost)
{
    if (log->gaps++ == 0)
        log->gap = log->import->stream.number;
    log->lost += (uint64_t)lost;
}

/* Whether a line is of the store that is imported. */
static bool is_wanted(struct journal_log *log, const struct journal_record *record)
{
    const char *asked = log->import->options->store;
    if (!log->chosen)
        snprintf(log->store, sizeof log->store, "%s", asked ? asked : record->store);
    log->chosen = true;
    bool wanted = strcmp(log->store, record->store) == 0;
    log->others += !wanted;
    return wanted;
}

/* The controller has started, again perhaps: the time since its last run counts, where the journal
 * has the times of the day. */
static void journal_start(struct journal_log *log, const struct journal_record *record)
{
    double clock = record->clock - record->numbers[NUMBER_t];
    log->begin = log->now;
    if (log->runs++ > 0 && clock - log->origin > log->now)
        log->begin = clock - log->origin;
    else
        log->undated += log->runs > 1 && isnan(clock - log->origin);
    if (isnan(log->origin))
        log->origin = clock - log->begin;
}

/* The account of an application that has left. */
static void journal_account(struct import_accounts *accounts, const struct journal_record *record)
{
    double elapsed = record->numbers[NUMBER_elapsed], waited = record->numbers[NUMBER_waited];
    if (!accounts || !journal_says(record, NUMBER_elapsed, 1e-9, 1e12) ||
        !journal_says(record, NUMBER_waited, 0, elapsed) || !(waited < elapsed))
        return;
    double stretch = elapsed / (elapsed - waited);
    accounts->count++;
    accounts->waited += waited;
    accounts->stretches += stretch;
    accounts->max_stretch = maths_max(accounts->max_stretch, stretch);
}

/* An I/O of an application that is not known. */
static void journal_miss(struct journal_log *log, const struct journal_record *record)
{
    bool over = record->event == EVENT_complete || record->event == EVENT_leave;
    if (!over || !(record->numbers[NUMBER_moved] > 0))
        return;
    log->strange++;
    log->strange_bytes += record->numbers[NUMBER_moved];
}

static int import_journal_apply(struct journal_log *log, const struct journal_record *record)
{
    const double *numbers = record->numbers;
    if (journal_says(record, NUMBER_lost, 1, 1e18))
        miss_lines(log, numbers[NUMBER_lost]);
    if (!is_wanted(log, record))
        return 0;
    size_t id =
        journal_says(record, NUMBER_id, 0, MOST_IDS - 1) ? (size_t)numbers[NUMBER_id] : MOST_IDS;
    if (record->event == EVENT_start) {
        if (leave_all(log) != 0)
            return -1;
        journal_start(log, record);
    }
    import_journal_advance(log, log->begin + numbers[NUMBER_t]);
    if (record->event == EVENT_start || record->event == EVENT_set)
        set_platform(log, record);
    if (record->event == EVENT_join)
        return import_journal_join(log, record, id);
    if (record->event == EVENT_done)
        journal_account(log->import->options->accounts, record);
    /* Lines may be missing: an unknown application does nothing. */
    struct running *run = id < log->count && log->list[id].here ? &log->list[id] : NULL;
    if (!run)
        journal_miss(log, record);
    if (run && record->event == EVENT_change) {
        count_terms(log, run);
        run->app.bandwidth = read_bmax(record);
        run->app.weight = numbers[NUMBER_weight];
        if (journal_says(record, NUMBER_nodes, run->app.nodes, 1e12)) /* it has spread */
            run->app.nodes = numbers[NUMBER_nodes];
    }
    if (run && record->event == EVENT_post)
        run->posted = log->now;
    if (run && record->event == EVENT_complete && !isnan(run->posted))
        return add_io(log, run, numbers[NUMBER_moved], log->begin + numbers[NUMBER_ended]);
    if (run && record->event == EVENT_leave)
        return import_journal_leave(log, run, numbers[NUMBER_moved]);
    return 0;
}

static int import_journal_read_line(struct journal_log *log)
{
    struct import *import = log->import;
    const struct stream *stream = &import->stream;
    struct scan scan = {stream->line, stream->line + stream->length};
    struct journal_record record;
    if (scan_ended(&scan))
        return 0;
    bool right = read_record(&scan, &record) == 0;
    if (log->torn > 0 && !(right && record.event == EVENT_start)) {
        *import->err = log->torn_err;
        return -1;
    }
    log->torn_count += log->torn > 0;
    log->torn = 0;
    if (right)
        return import_journal_apply(log, &record);
    int status =
        import_refuse(import, stream->number,
                      "column %td: expected a line that 'weir serve --journal' wrote, such as "
                      "{\"t\":1.5,\"event\":\"complete\",\"id\":3,\"ended\":1.4,\"moved\":1000}",
                      scan.at - stream->line + 1);
    /* The last line of a controller that was killed, or whose disk was full, is cut. */
    bool cut = *stream->line == '{' && stream->line[stream->length - 1] != '}';
    if (status != 0 && cut && import->err) {
        log->torn = stream->number;
        log->torn_err = *import->err;
        status = 0;
    }
    return status;
}

/* Gives the scenario its bandwidth, now that it is known. */
static void import_journal_settle(struct journal_log *log)
{
    struct draft *draft = &log->import->draft;
    struct platform *platform = &draft->scenario->platform;
    double part = 1, most = log->bandwidths.count > 0 ? tally_most(&log->bandwidths, &part) : 0;
    char text[32];
    if (log->import->options->platform.bandwidth == 0 && most > 0)
        platform->bandwidth = most;
    if (platform->bandwidth == most && part < 1)
        import_note(
            log->import,
            "the bandwidth changed, but a scenario has only one: %s, which held for %.3g %% "
            "of the time",
            units_print(most, UNIT_RATE, text, sizeof text), 100 * part);
}

static void note_faults(struct journal_log *log)
{
    struct import *import = log->import;
    char text[32];
    if (log->others > 0)
        import_note(import, "only what happened on store '%s': %llu lines of others are left out",
                    log->store, (unsigned long long)log->others);
    if (log->torn_count > 0)
        import_note(import, "lines that are cut at the end of a run, and left out: %llu",
                    (unsigned long long)log->torn_count);
    if (log->strange > 0)
        import_note(import,
                    "I/Os of applications whose join is missing, which are left out: %llu, of %s",
                    (unsigned long long)log->strange,
                    units_print(log->strange_bytes, UNIT_BYTES, text, sizeof text));
    if (log->undated > 0)
        import_note(import,
                    "runs of the controller that follow each other at once, as the journal has no "
                    "times of the day: %llu",
                    (unsigned long long)log->undated);
    if (log->left > 0)
        import_note(import, "applications that were still there at the end of a run: %llu",
                    (unsigned long long)log->left);
    if (log->changed > 0)
        import_note(import,
                    "the limit or weight changed under way for %llu of the applications: they have "
                    "the one that held longest",
                    (unsigned long long)log->changed);
    if (log->gaps == 1)
        import_note(import, "lines missing before line %zu: %llu", log->gap,
                    (unsigned long long)log->lost);
    if (log->gaps > 1)
        import_note(import, "lines missing in %llu places, the first before line %zu: %llu",
                    (unsigned long long)log->gaps, log->gap, (unsigned long long)log->lost);
}

static int read_journal(struct import *import)
{
    struct journal_log log = {.import = import, .origin = NAN};
    int status = 0, more = 1;
    while (status == 0 && (more = stream_next(&import->stream, import->err)) > 0)
        status = import_journal_read_line(&log);
    if (more < 0)
        status = -1;
    log.torn_count += log.torn > 0;
    if (status == 0)
        status = leave_all(&log);
    import->origin = isnan(log.origin) ? 0 : log.origin;
    if (status == 0) {
        import_journal_settle(&log);
        note_faults(&log);
    }
    for (size_t id = 0; id < log.count; id++) {
        phases_fini(&log.list[id].phases);
        observed_fini(&log.list[id].ios);
    }
    free(log.list);
    return status;
}

const struct importer import_journal = {
    .name = "journal",
    .help = "what 'weir serve --journal' wrote: every application as it ran",
    .measures = true,
    .dated = true,
    .uses = IMPORT_STORE,
    .read = read_journal,
};
