/* Times and bounded sleeps. Nothing here is a cancellation point. */
#ifndef WEIR_CLIENT_WAIT_H
#define WEIR_CLIENT_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#define WAIT_MS UINT64_C(1000000)

/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t wait_now(void);

/* The same, up to a few milliseconds old, and cheaper. */
uint64_t wait_now_coarse(void);

/* Sleeps until the futex word differs from `seen`, its sleepers are woken, a signal arrives, or the
 * time `until` has come. False if the kernel refuses it, as a filter of system calls may ask it to.
 */
bool wait_change(const _Atomic uint32_t *word, uint32_t seen, uint64_t until);

/* Polls for this long whether the word differs from `seen`, and lets other threads run meanwhile:
 * to sleep and be woken may take longer than the wait. Returns whether it differs. */
bool wait_soon(const _Atomic uint32_t *word, uint32_t seen, uint64_t nanoseconds);

/* Sleeps for this long, or until a signal arrives. */
void wait_nap(uint64_t nanoseconds);

#endif
