#include "client/wait.h"
#include "client/clock.h"
#include "client/kernel.h"
#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 1000000000 };

uint64_t wait_now(void)
{
    return clock_read(CLOCK_MONOTONIC);
}

uint64_t wait_now_coarse(void)
{
    return clock_read(CLOCK_MONOTONIC_COARSE);
}

static struct timespec wait_split(uint64_t nanoseconds)
{
    return (struct timespec){(time_t)(nanoseconds / SECOND), (long)(nanoseconds % SECOND)};
}

/* Only the bitset variant takes an absolute time. */
bool wait_change(const _Atomic uint32_t *word, uint32_t seen, uint64_t until)
{
    struct timespec time = wait_split(until);
    long fault = KERNEL_CALL(SYS_futex, (long)word, FUTEX_WAIT_BITSET, seen, (long)&time, 0,
                             FUTEX_BITSET_MATCH_ANY);
    return fault == 0 || fault == -EAGAIN || fault == -EINTR || fault == -ETIMEDOUT;
}

bool wait_soon(const _Atomic uint32_t *word, uint32_t seen, uint64_t nanoseconds)
{
    uint64_t start = wait_now();
    while (atomic_load_explicit(word, memory_order_acquire) == seen) {
        if (wait_now() - start >= nanoseconds)
            return false;
        KERNEL_CALL(SYS_sched_yield, 0);
    }
    return true;
}

void wait_nap(uint64_t nanoseconds)
{
    struct timespec time = wait_split(nanoseconds);
    KERNEL_CALL(SYS_nanosleep, (long)&time, 0);
}
