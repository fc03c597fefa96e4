/* What a long computation is doing, and how far it is, for whoever wants to show it.
 *
 * A host is entered for a thread: functions below it name the stage they are in, and warn of what
 * is doubtful in their input. Without a host nothing is shown, and warnings are dropped. */
#ifndef WEIR_BASE_STAGE_H
#define WEIR_BASE_STAGE_H

#include <stdbool.h>
#include <stddef.h>

/* Each function may be NULL. */
struct stage_host {
    /* A stage such as "quickstart" under "fcfs" begins, and ends. */
    void (*begin)(const char *subject, const char *stage);
    void (*end)(void);
    void (*warn)(const char *text);
    void (*note)(const char *lines); /* what was noted about the input */
    /* How much of it is done, 0 to 1, and whether to stop: both are called by any thread, as
     * sim_options has them. */
    void (*show)(void *context, double done);
    int (*stop)(void *context);
    void *context;
    /* How many parts of it are done, as far as it has such. */
    void (*count)(size_t done, size_t of);
    bool ends; /* the process ends after a stop: nothing that is under way needs to be waited for */
};

/* Makes it the host of this thread, NULL = none. Returns the one before. */
const struct stage_host *stage_enter(const struct stage_host *host);

/* The host of this thread, never NULL. */
const struct stage_host *stage_host(void);

void stage_begin(const char *subject, const char *stage);
void stage_show(double done);
void stage_count(size_t done, size_t of);
void stage_end(void);
void stage_note(const char *lines);
void stage_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
