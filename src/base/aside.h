/* Work that may hang, such as a call on a store that does not answer: in a thread of its own, which
 * nobody has to wait for, not even at the end of the process. */
#ifndef WEIR_BASE_ASIDE_H
#define WEIR_BASE_ASIDE_H

#include <stdbool.h>
#include <stdint.h>

struct aside_calls {
    void (*work)(void *context); /* in the other thread */
    void (*drop)(void *context); /* there too, after the work, if nobody waits for it any more */
};

struct aside;

/* Starts the work. NULL if there is no thread or no memory: the context stays the caller's. */
struct aside *aside_start(const struct aside_calls *calls, void *context);

/* Whether the work is done; waits for it, up to `limit` nanoseconds. */
bool aside_wait(struct aside *aside, uint64_t limit);

/* No more waiting: if the work is done, the context is the caller's again, else the other thread
 * drops it. Returns whether it is done. */
bool aside_end(struct aside *aside);

/* All three: whether the work was done within the limit. */
bool aside_do(const struct aside_calls *calls, void *context, uint64_t limit);

#endif
