/* What happened, as lines of JSON: who joined, posted, was granted what, paused, completed and
 * left, when, and with how many bytes. `weir import journal` makes a scenario of it.
 *
 * Lines are gathered in memory and written by another thread, so that a slow disk never holds up
 * the controller; when even that cannot keep up, lines are left out, and one says how many. All
 * functions take NULL for no journal. */
#ifndef WEIR_DAEMON_JOURNAL_H
#define WEIR_DAEMON_JOURNAL_H

#include "base/err.h"
#include "model/platform.h"
#include <uv.h>

struct application;
struct journal;

/* Appends to the file, or makes it. NULL with err; journal_close writes what is left, and frees. */
struct journal *journal_open(uv_loop_t *loop, const char *path, struct err *err);
int journal_close(struct journal *journal, struct err *err); /* 0, or -1 if lines are missing */

/* Opens the path again, after somebody has moved the file away. 0, or -1 and the old one stays in
 * use. */
int journal_reopen(struct journal *journal, struct err *err);

/* Hands over what was gathered, unless the last is still being written. From time to time. */
void journal_flush(struct journal *journal);

void journal_start(struct journal *journal, double now, const struct platform *platform,
                   const char *policy);
/* The strategy or the platform has changed. */
void journal_set(struct journal *journal, double now, const struct platform *platform,
                 const char *policy);
void journal_join(struct journal *journal, double now, const struct application *app);
void journal_post(struct journal *journal, double now, const struct application *app);
void journal_grant(struct journal *journal, double now, const struct application *app);
void journal_park(struct journal *journal, double now, const struct application *app);
void journal_resume(struct journal *journal, double now, const struct application *app);
void journal_complete(struct journal *journal, double now, const struct application *app,
                      double ended);
void journal_leave(struct journal *journal, double now, const struct application *app);

#endif
