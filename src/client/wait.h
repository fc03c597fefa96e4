/* Dates and bounded sleeps. Nothing here is a cancellation point. */
#ifndef WEIR_CLIENT_WAIT_H
#define WEIR_CLIENT_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#define WAIT_MS UINT64_C(1000000)

/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t wait_now(void);

/* The same, a few milliseconds old, and cheaper. */
uint64_t wait_now_coarse(void);

/* Sleeps until the futex word is no longer `seen`, somebody wakes its sleepers, a signal comes, or
 * the date is there. */
void wait_change(const _Atomic uint32_t *word, uint32_t seen, uint64_t until);

/* Looks for so long whether the word is no longer `seen`, and lets others run meanwhile: to sleep
 * and be woken may take longer than what is waited for. Whether it is. */
bool wait_soon(const _Atomic uint32_t *word, uint32_t seen, uint64_t nanoseconds);

/* Sleeps for so long, or until a signal comes. */
void wait_nap(uint64_t nanoseconds);

#endif
