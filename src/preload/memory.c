#include "preload/memory.h"
#include "preload/call.h"
#include "preload/real.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

enum { STEP = 4096 }; /* no page is smaller */

/* The kernel reads the new mask before it finds that the operation is invalid. It reads eight
 * bytes: those that contain the first one and lie in one page with it. */
static bool memory_probe(uintptr_t at)
{
    enum { MASK = 8, NOTHING = -1 };
    if (call_sealed())
        return false; /* unknown */
    int fault = errno;
    real()->syscall(SYS_rt_sigprocmask, NOTHING, at & ~(uintptr_t)(MASK - 1), NULL, MASK);
    bool readable = errno != EFAULT;
    errno = fault;
    return readable;
}

bool memory_readable(const void *at, size_t size)
{
    uintptr_t first = (uintptr_t)at, last = first + size - 1;
    if (size == 0)
        return true;
    if (!at || last < first)
        return false;
    for (uintptr_t page = first / STEP; page <= last / STEP; page++)
        if (!memory_probe(page * STEP > first ? page * STEP : first))
            return false;
    return true;
}

bool memory_has_text(const char *at)
{
    for (;;) {
        size_t left = STEP - (uintptr_t)at % STEP;
        if (!memory_readable(at, 1))
            return false;
        if (memchr(at, 0, left))
            return true;
        at += left;
    }
}

size_t memory_vector_bytes(const struct iovec *vector, size_t count)
{
    size_t bytes = 0;
    if (count > IOV_MAX || !memory_readable(vector, count * sizeof *vector))
        return 0;
    for (size_t i = 0; i < count; i++)
        bytes += vector[i].iov_len;
    return bytes;
}
