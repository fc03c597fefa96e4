/* The two pages of one application, on the controller's side: see wire/page.h.
 *
 * The grant page is sealed after it was mapped writable here, so no other process can ever write to
 * it. Neither page can shrink, which would kill the controller when it reads them. */
#ifndef WEIR_NODE_PAGES_H
#define WEIR_NODE_PAGES_H

#include "base/err.h"
#include "wire/page.h"
#include <stdbool.h>

enum { PAGES_FILES = 2 }; /* that each application keeps open */

struct pages {
    struct grant_page *grant;
    struct usage_page *usage;
    struct page_grant last; /* the current content of the grant page */
    uint64_t base;          /* grains allowed when the I/O began, */
    uint64_t owed;          /* and grains moved in advance by then */
    double late;            /* seconds, as in pages_keep */
    int grant_fd, usage_fd; /* for the processes that attach */
};

/* New pages that hold every call, each for at most this many nanoseconds, 0 = for ever. 0 or -1;
 * pages_fini in both cases. */
int pages_init(struct pages *pages, uint64_t patience, struct err *err);
void pages_fini(struct pages *pages);

/* Lets the application move `rate` bytes per second from now on, 0 = it waits, and wakes its
 * waiters. What it has not claimed before a wait is lost. `now` is in nanoseconds, as in the page.
 */
void pages_grant(struct pages *pages, uint64_t now, double rate);

/* From the next grant on, bytes may be claimed this many seconds late; PAGES_BURST at first. */
#define PAGES_BURST 0.004
void pages_keep(struct pages *pages, double late);

/* Whether calls wait for the line. */
bool pages_waits(const struct pages *pages, uint64_t now);

/* An I/O begins; and ends after `moved` bytes. At its end no process is in a call, and the page
 * holds every call: bytes claimed by a process that was killed while it waited are dropped, and
 * bytes moved in advance are charged to the next I/O. */
void pages_begin_io(struct pages *pages);
void pages_end_io(struct pages *pages, double moved);

/* No call waits longer than this many nanoseconds, 0 = for ever. */
void pages_bound(struct pages *pages, uint64_t patience);

/* The bytes/s that the application reaches alone: no call is over before its bytes have had that
 * time. 0 = unknown. */
void pages_speed(struct pages *pages, double speed);

/* The bytes by which the first call that waits is ahead of the grant, 0 = none waits for long; and
 * lets that call start, as if it had been granted them. */
double pages_ahead(struct pages *pages, uint64_t now);
void pages_turn(struct pages *pages, uint64_t now);

/* Limits operations per second, 0 = no limit. */
void pages_limit(struct pages *pages, uint64_t now, double ops);

/* Lets all processes run unlimited: no controller is in charge any more. */
void pages_open(struct pages *pages);

/* Writes a heartbeat. After a long silence everything unclaimed is lost. */
void pages_beat(struct pages *pages, uint64_t now);

/* Whether bytes of the current grant are unclaimed; and whether this I/O was allowed more than
 * `moved` bytes. */
bool pages_unclaimed(const struct pages *pages, uint64_t now);
bool pages_unmoved(const struct pages *pages, uint64_t now, double moved);

#endif
