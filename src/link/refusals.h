/* Which refusals were told: each reason once per address and hour, and a bounded number in all, so
 * that hostile connections cannot fill a log. No clock: the caller passes the time. */
#ifndef WEIR_LINK_REFUSALS_H
#define WEIR_LINK_REFUSALS_H

#include <stdbool.h>
#include <stdint.h>

enum { REFUSALS_MOST = 64, REFUSALS_ADDRESS = 48, REFUSALS_REASON = 120 };
#define REFUSALS_SPAN 3600000u /* milliseconds */

/* Starts with zeros. */
struct refusals {
    struct {
        char address[REFUSALS_ADDRESS];
        char reason[REFUSALS_REASON];
    } told[REFUSALS_MOST];
    uint32_t count;
    uint64_t since;    /* milliseconds: all was forgotten */
    uint64_t refusals; /* in all, */
    uint64_t untold;   /* and those that were not told since then */
};

/* Whether this refusal is to be told. */
bool refusals_note(struct refusals *refusals, uint64_t now, const char *address,
                   const char *reason);

#endif
