#include "base/mem.h"
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static long countdown = -1;

/* Whether an allocation must be refused: the test asked for it, or no object can be as large. */
static bool mem_refuse(size_t count, size_t size)
{
    if ((countdown < 0 || countdown-- > 0) && count <= PTRDIFF_MAX / size)
        return false;
    errno = ENOMEM;
    return true;
}

void mem_fail_after(long n)
{
    countdown = n;
}

void mem_return_large(void)
{
    /* Left to itself, glibc keeps up to 32 MB once something that large was freed. */
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
}

void *mem_alloc(size_t count, size_t size)
{
    /* An empty array is not a failure, so it gets an address of its own. */
    if (count == 0 || size == 0)
        count = size = 1;
    return mem_refuse(count, size) ? NULL : calloc(count, size);
}

void *mem_grow(void *old, size_t count, size_t size)
{
    if (count == 0 || size == 0)
        count = size = 1;
    return mem_refuse(count, size) ? NULL : reallocarray(old, count, size);
}

void *mem_reserve(void *old, size_t *capacity, size_t need, size_t size)
{
    if (old && need <= *capacity)
        return old;
    size_t wanted = *capacity < 8 ? 8 : *capacity;
    while (wanted < need) {
        if (wanted > (size_t)-1 / 2)
            return NULL;
        wanted *= 2;
    }
    void *grown = mem_grow(old, wanted, size);
    if (grown)
        *capacity = wanted;
    return grown;
}
