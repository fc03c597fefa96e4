/* A line on the terminal that shows what a long command is doing, and how far it is.
 *
 * A command names the stage it is in; a thread shows it from the second second of the first stage
 * on, so that many short stages are shown like a long one. Nothing is shown unless
 * standard error is a terminal that can clear a line. */
#ifndef WEIR_TERMINAL_PROGRESS_H
#define WEIR_TERMINAL_PROGRESS_H

#include "base/stage.h"

/* Enters a stage, such as "quickstart" under "fcfs", or "plan" of "jupiter1". The texts are copied.
 */
void progress_begin(const char *subject, const char *stage);

/* How much of the stage is done, 0 to 1; while unknown, its seconds are shown. The context is not
 * used: this is a sim_options.progress. */
void progress_show(void *context, double done);

/* How many of its runs are done, how fast, and how long the others will take. */
void progress_count(size_t done, size_t of);

/* Makes all of it the host of this thread, for functions that do not know of terminals. Warnings go
 * to standard error, after the name of the program, which is borrowed. */
void progress_enter(const char *program);

/* Leaves the stage and clears the line. Nothing may be printed between progress_begin and this. */
void progress_end(void);

#endif
