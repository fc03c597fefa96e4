/* What happened, as lines of JSON: which application joined, posted, was granted what, paused,
 * completed and left, when, and with how many bytes. `weir import journal` builds a scenario from
 * it.
 *
 * `t` is in seconds since the controller started. Lines that are matched with other logs (start,
 * set, join, leave, done, and the first one after the file was opened) also have the `time` of the
 * day, in UTC.
 *
 * Lines are collected in memory and written by another thread, so a slow disk never delays the
 * controller. When even that cannot keep up, lines are dropped, and one line gives their number.
 * All functions take NULL for no journal. */
#ifndef WEIR_DAEMON_JOURNAL_H
#define WEIR_DAEMON_JOURNAL_H

#include "base/err.h"
#include "model/platform.h"
#include "wire/message.h"
#include <stdbool.h>
#include <uv.h>

struct application;
struct journal;

/* Appends to the file, or creates it. NULL with err; journal_close writes the rest, and frees. */
struct journal *journal_open(uv_loop_t *loop, const char *path, struct err *err);
int journal_close(struct journal *journal, struct err *err); /* 0, or -1 if lines are missing */

/* The same journal for one of several stores: its lines name the store, unless it is "". The text
 * is borrowed. NULL with err; journal_close frees it, and leaves the journal open. */
struct journal *journal_of_store(struct journal *journal, const char *store, struct err *err);

/* Reopens the path after the file was moved away. Unwritten lines go to the new file. 0, or -1 and
 * the old file stays in use. */
int journal_reopen(struct journal *journal, struct err *err);

/* Starts to write the collected lines, unless a write is still under way. Called now and then. */
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
