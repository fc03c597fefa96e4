/* What happened, as lines of JSON: which application joined, posted, was granted what, paused,
 * completed and left, when, and with how many bytes. `weir import journal` builds a scenario from
 * it.
 *
 * `t` is in seconds since the controller started. Lines that are matched with other logs (start,
 * set, join, leave, done, and the first one after the file was opened) also have the `time` of the
 * day, in UTC.
 *
 * Where lines go, and the time of the day, is the caller's: a sink. While it has no room, lines are
 * dropped, and the next one gives their number. All functions take NULL for no journal. */
#ifndef WEIR_CONTROLLER_JOURNAL_H
#define WEIR_CONTROLLER_JOURNAL_H

#include "base/err.h"
#include "model/platform.h"
#include "wire/message.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct application;
struct journal;

/* Where lines go; the context is passed to each function. */
struct journal_sink {
    FILE *(*line)(void *context);    /* the stream of the next line, NULL = there is no room */
    void (*end)(void *context);      /* that line is printed */
    void (*flush)(void *context);    /* called now and then: what was printed can be written */
    int64_t (*clock)(void *context); /* the time of the day: milliseconds since 1970, UTC */
};

/* Refers to the sink and its context. NULL with err; journal_free frees. */
struct journal *journal_new(const struct journal_sink *sink, void *context, struct err *err);
void journal_free(struct journal *journal);

/* The same journal for one of several stores: its lines name the store, unless it is "". The text
 * and the journal are borrowed. NULL with err; journal_free frees. */
struct journal *journal_of_store(struct journal *journal, const char *store, struct err *err);

/* Another file begins: its first line has the time of the day. */
void journal_restart(struct journal *journal);

/* Lets the sink write what it has. */
void journal_flush(struct journal *journal);

void journal_start(struct journal *journal, double now, const struct platform *platform,
                   const char *policy);

/* A changed setting, its author, and what the controller continues with. */
struct journal_change {
    const struct wire_set *set;
    bool asked; /* a process asked for it: */
    uint32_t uid;
    int32_t pid;
    const struct platform *platform;
    const char *policy;
};
void journal_set(struct journal *journal, double now, const struct journal_change *change);
/* The estimate of the bandwidth, bytes/s, has changed clearly. */
void journal_estimate(struct journal *journal, double now, double bandwidth);
/* The facts that the strategy sees of an application have changed, by a setting or otherwise. */
void journal_change(struct journal *journal, double now, const struct application *app);
void journal_join(struct journal *journal, double now, const struct application *app);
void journal_post(struct journal *journal, double now, const struct application *app);
void journal_grow(struct journal *journal, double now, const struct application *app);
void journal_grant(struct journal *journal, double now, const struct application *app);
void journal_pause(struct journal *journal, double now, const struct application *app);
void journal_resume(struct journal *journal, double now, const struct application *app);
void journal_complete(struct journal *journal, double now, const struct application *app,
                      double ended);
void journal_leave(struct journal *journal, double now, const struct application *app);
/* What the application of this id did in all; follows its leave. */
void journal_done(struct journal *journal, double now, uint32_t id, const struct wire_done *done);

#endif
