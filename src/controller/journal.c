#include "controller/journal.h"
#include "base/json.h"
#include "base/mem.h"
#include "controller/account.h"
#include "controller/application.h"
#include "model/event.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct journal {
    struct journal *whole; /* the one that this is a part of, for a store; NULL = it is whole */
    const char *store;
    const struct journal_sink *sink;
    void *context;
    uint64_t lost; /* lines dropped since the last one */
    bool undated;  /* no line of this file has the time of the day yet */
};

static struct journal *journal_alloc(const struct journal *as, struct err *err)
{
    struct journal *journal = mem_alloc(1, sizeof *journal);
    if (journal)
        *journal = *as;
    else
        err_memory(err);
    return journal;
}

struct journal *journal_new(const struct journal_sink *sink, void *context, struct err *err)
{
    return journal_alloc(&(struct journal){.sink = sink, .context = context, .undated = true}, err);
}

struct journal *journal_of_store(struct journal *journal, const char *store, struct err *err)
{
    return journal_alloc(&(struct journal){.whole = journal, .store = store}, err);
}

void journal_free(struct journal *journal)
{
    free(journal);
}

static struct journal *whole_of(struct journal *journal)
{
    return journal && journal->whole ? journal->whole : journal;
}

void journal_restart(struct journal *journal)
{
    if (journal)
        whole_of(journal)->undated = true;
}

void journal_flush(struct journal *journal)
{
    const struct journal *whole = whole_of(journal);
    if (whole)
        whole->sink->flush(whole->context);
}

/* --- lines ------------------------------------------------------------------------------------ */

/* A moment this many seconds ago as ISO 8601 writes it, to the millisecond. */
enum { TIME_SIZE = 32 };
static char *print_time(struct journal *journal, double ago, char text[TIME_SIZE])
{
    const struct journal *whole = whole_of(journal);
    struct tm day;
    char date[TIME_SIZE - 8];
    int64_t ms = whole->sink->clock(whole->context) - (int64_t)(1000 * ago);
    time_t seconds = (time_t)(ms / 1000);
    if (!gmtime_r(&seconds, &day) || strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &day) == 0)
        date[0] = '\0';
    snprintf(text, TIME_SIZE, "%s.%03dZ", date, (int)(ms % 1000));
    return text;
}

static const struct {
    const char *name;
    bool dated;
} events[] = {
#define X(name, dated) {#name, dated},
    JOURNAL_EVENTS(X)
#undef X
};

static bool journal_begin(struct journal *part, struct json *json, double now,
                          enum journal_event event)
{
    char time[TIME_SIZE];
    struct journal *journal = whole_of(part);
    if (!journal)
        return false;
    FILE *line = journal->sink->line(journal->context);
    if (!line) {
        journal->lost++;
        return false;
    }
    *json = (struct json){.out = line};
    json_begin_object(json, NULL);
    json_number(json, "t", now);
    json_string(json, "event", events[event].name);
    if (part->store && *part->store)
        json_string(json, "store", part->store);
    if (journal->undated || events[event].dated)
        json_string(json, "time", print_time(journal, 0, time));
    journal->undated = false;
    if (journal->lost > 0)
        json_integer(json, "lost", journal->lost);
    journal->lost = 0;
    return true;
}

static void journal_end(struct journal *journal, struct json *json)
{
    const struct journal *whole = whole_of(journal);
    json_end_object(json);
    whole->sink->end(whole->context);
}

static void write_service(struct json *json, const struct platform *platform, const char *policy)
{
    json_string(json, "policy", policy);
    json_number(json, "bandwidth", platform->bandwidth);
    json_number(json, "node_bandwidth", platform->node_bandwidth);
    json_number(json, "nodes", platform->nodes);
}

void journal_start(struct journal *journal, double now, const struct platform *platform,
                   const char *policy)
{
    struct json json;
    if (!journal_begin(journal, &json, now, EVENT_start))
        return;
    write_service(&json, platform, policy);
    journal_end(journal, &json);
}

void journal_set(struct journal *journal, double now, const struct journal_change *change)
{
    const struct wire_set *set = change->set;
    struct json json;
    if (!journal_begin(journal, &json, now, EVENT_set))
        return;
    json_string(&json, "key", wire_setting_name((enum wire_setting)set->setting));
    if (set->setting == WIRE_SET_POLICY)
        json_string(&json, "value", set->text);
    else
        json_number(&json, "value", set->value);
    if (set->unset)
        json_bool(&json, "unset", true);
    if (set->app != WIRE_ALL)
        json_integer(&json, "id", set->app);
    else if (set->scope == WIRE_OF_USER)
        json_integer(&json, "user", set->uid);
    else if (set->setting != WIRE_SET_POLICY && *set->text)
        json_string(&json, "application", set->text);
    if (change->asked) {
        json_integer(&json, "uid", change->uid);
        json_integer(&json, "pid", (uint64_t)change->pid);
    }
    write_service(&json, change->platform, change->policy);
    journal_end(journal, &json);
}

/* Facts that may change while it runs. */
static void write_terms(struct json *json, const struct application *app)
{
    json_number(json, "nodes", app->facts.nodes);
    json_number(json, "bmax", app->may.alone);
    json_number(json, "weight", app->may.weight);
    json_number(json, "limit", app->limit);
    json_number(json, "ops", app->ops);
}

void journal_join(struct journal *journal, double now, const struct application *app)
{
    struct json json;
    if (!journal_begin(journal, &json, now, EVENT_join))
        return;
    json_integer(&json, "id", app->id);
    json_string(&json, "name", app->name);
    json_integer(&json, "uid", app->uid);
    json_integer(&json, "pid", app->pid);
    json_string(&json, "job", app->job);
    json_string(&json, "account", app->account);
    json_string(&json, "partition", app->partition);
    json_number(&json, "period", app->facts.period);
    write_terms(&json, app);
    journal_end(journal, &json);
}

void journal_estimate(struct journal *journal, double now, double bandwidth)
{
    struct json json;
    if (!journal_begin(journal, &json, now, EVENT_estimate))
        return;
    json_number(&json, "bandwidth", bandwidth);
    journal_end(journal, &json);
}

void journal_change(struct journal *journal, double now, const struct application *app)
{
    struct json json;
    if (!journal_begin(journal, &json, now, EVENT_change))
        return;
    json_integer(&json, "id", app->id);
    write_terms(&json, app);
    journal_end(journal, &json);
}

/* What happened to an application, with one number. */
struct fact {
    enum journal_event event;
    const char *key;
    double value;
};

static void journal_note(struct journal *journal, double now, const struct application *app,
                         struct fact fact)
{
    struct json json;
    if (!journal_begin(journal, &json, now, fact.event))
        return;
    json_integer(&json, "id", app->id);
    json_number(&json, fact.key, fact.value);
    journal_end(journal, &json);
}

void journal_post(struct journal *journal, double now, const struct application *app)
{
    struct json json;
    if (!journal_begin(journal, &json, now, EVENT_post))
        return;
    json_integer(&json, "id", app->id);
    json_number(&json, "volume", app->volume);
    json_string(&json, "source", wire_volume_word(app->source));
    journal_end(journal, &json);
}

void journal_grow(struct journal *journal, double now, const struct application *app)
{
    journal_note(journal, now, app, (struct fact){EVENT_grow, "volume", app->volume});
}

void journal_grant(struct journal *journal, double now, const struct application *app)
{
    journal_note(journal, now, app, (struct fact){EVENT_grant, "rate", app->rate});
}

void journal_pause(struct journal *journal, double now, const struct application *app)
{
    journal_note(journal, now, app, (struct fact){EVENT_pause, "moved", app->io_moved});
}

void journal_resume(struct journal *journal, double now, const struct application *app)
{
    journal_note(journal, now, app, (struct fact){EVENT_resume, "moved", app->io_moved});
}

void journal_complete(struct journal *journal, double now, const struct application *app,
                      double ended)
{
    struct json json;
    if (!journal_begin(journal, &json, now, EVENT_complete))
        return;
    json_integer(&json, "id", app->id);
    json_number(&json, "ended", ended);
    json_number(&json, "moved", app->io_moved);
    journal_end(journal, &json);
}

void journal_leave(struct journal *journal, double now, const struct application *app)
{
    struct json json;
    if (!journal_begin(journal, &json, now, EVENT_leave))
        return;
    json_integer(&json, "id", app->id);
    json_number(&json, "moved", app->io_moved);
    json_number(&json, "escaped", app->escaped);
    if (app->escaped > 0)
        json_string(&json, "why", wire_escape_word(app->why));
    journal_end(journal, &json);
}

void journal_done(struct journal *journal, double now, uint32_t id, const struct wire_done *done)
{
    struct json json;
    char start[TIME_SIZE];
    if (!journal_begin(journal, &json, now, EVENT_done))
        return;
    json_integer(&json, "id", id);
    json_string(&json, "name", done->name);
    json_integer(&json, "uid", done->uid);
    json_integer(&json, "pid", done->pid);
    json_string(&json, "job", done->job);
    json_string(&json, "account", done->account);
    json_string(&json, "partition", done->partition);
    json_string(&json, "started", print_time(journal, now - done->started, start));
    json_number(&json, "elapsed", done->ended - done->started);
    account_write(&json, done);
    journal_end(journal, &json);
}
