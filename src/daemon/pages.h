/* The two pages of one application, seen from the controller: see wire/page.h.
 *
 * The grant page is sealed after it was mapped writable here, so that nobody else can ever write
 * to it; neither can be made shorter, which would kill the controller when it looks. */
#ifndef WEIR_DAEMON_PAGES_H
#define WEIR_DAEMON_PAGES_H

#include "base/err.h"
#include "wire/page.h"
#include <stdbool.h>

enum { PAGES_FILES = 2 }; /* that each application keeps open */

struct pages {
    struct grant_page *grant;
    struct usage_page *usage;
    struct page_grant last; /* what stands in the grant page */
    uint64_t base;          /* what was allowed when the I/O began, */
    uint64_t owed;          /* and what had been moved in advance by then; grains */
    int grant_fd, usage_fd; /* for the processes that attach */
};

/* New pages that hold everybody, but no call longer than this many nanoseconds, 0 = for ever. 0 or
 * -1; pages_fini in both cases. */
int pages_init(struct pages *pages, uint64_t patience, struct err *err);
void pages_fini(struct pages *pages);

/* Lets the application move `rate` bytes per second from now on, 0 = it waits; wakes whoever waits.
 * What it has not claimed before a wait is lost. `now` is in nanoseconds, as in the page. */
void pages_grant(struct pages *pages, uint64_t now, double rate);

/* An I/O begins, and ends after `moved` bytes were moved in it. When it ends nobody is in a call,
 * and the page holds everybody: what was claimed and never moved, by a process that was killed
 * while it waited, is not waited for; what was moved in advance is paid for in the next one. */
void pages_begin_io(struct pages *pages);
void pages_end_io(struct pages *pages, double moved);

/* No call waits longer than this many nanoseconds, 0 = for ever. */
void pages_bound(struct pages *pages, uint64_t patience);

/* Lets it do so many operations per second, 0 = as many as it likes. */
void pages_limit(struct pages *pages, uint64_t now, double ops);

/* Lets everybody go, unlimited: nobody is in charge any more. */
void pages_open(struct pages *pages);

/* A sign of life. After a long silence all that lies unclaimed is lost. */
void pages_beat(struct pages *pages, uint64_t now);

/* Whether tokens of the current grant lie unclaimed; and whether more was allowed in this I/O than
 * `moved` bytes make use of. */
bool pages_unclaimed(const struct pages *pages, uint64_t now);
bool pages_unmoved(const struct pages *pages, uint64_t now, double moved);

#endif
