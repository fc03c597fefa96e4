/* How much of the loop's time each user may take: a token bucket each, in nanoseconds. A user may
 * take a quarter of the time, and 200 ms at once. No clock: the caller passes the time. */
#ifndef WEIR_SERVE_QUOTA_H
#define WEIR_SERVE_QUOTA_H

#include <stdbool.h>
#include <stdint.h>

enum { QUOTA_USERS = 1024, QUOTA_PART = 4 };
#define QUOTA_BURST 200000000u

/* Once a user has used up all, it goes on with this much. */
#define QUOTA_AGAIN 5000000u

/* Starts with zeros. It outlives connections: one that comes back has no more than it left. */
struct quotas {
    struct quota {
        uint32_t uid;
        bool empty;     /* all was used up, and there is no QUOTA_AGAIN since */
        uint64_t until; /* the bucket is full again at this time */
    } list[QUOTA_USERS];
};

/* The time from which on the user may take some. */
uint64_t quota_next(struct quotas *quotas, uint64_t now, uint32_t uid);

/* The user took this much. True if that used up all. */
bool quota_take(struct quotas *quotas, uint64_t now, uint32_t uid, uint64_t taken);

#endif
