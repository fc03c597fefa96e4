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
    int grant_fd, usage_fd; /* for the processes that attach */
};

/* New pages that hold everybody. 0 or -1; pages_fini in both cases. */
int pages_init(struct pages *pages, struct err *err);
void pages_fini(struct pages *pages);

/* Lets the application move `rate` bytes per second from now on, 0 = it waits; wakes whoever waits.
 * What it has not claimed before a wait is lost. `now` is in nanoseconds, as in the page. */
void pages_grant(struct pages *pages, uint64_t now, double rate);

/* Nobody is in a call: what was claimed and never moved, by a process that was killed while it
 * waited, is not waited for. Only while it holds everybody. */
void pages_forgive(struct pages *pages);

/* Lets it do so many operations per second, 0 = as many as it likes. */
void pages_limit(struct pages *pages, uint64_t now, double ops);

/* Lets everybody go, unlimited: nobody is in charge any more. */
void pages_open(struct pages *pages);

/* A sign of life. */
void pages_beat(struct pages *pages, uint64_t now);

/* Whether tokens of the current grant lie unclaimed. */
bool pages_unclaimed(const struct pages *pages, uint64_t now);

/* A double that somebody else wrote, or `otherwise` if it is no number of at least 0. */
double pages_number(const _Atomic uint64_t *bits, double otherwise);

#endif
