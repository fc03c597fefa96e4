#include "preload/mapping.h"
#include <stdatomic.h>
#include <stdint.h>

enum { MAPPINGS = 512 };

/* Their first addresses; 0 = free. A thread that maps where another unmaps at the same time gets
 * what it deserves: nothing but a count depends on it. */
static _Atomic uintptr_t mappings[MAPPINGS];
static _Atomic size_t mapping_count; /* places that were ever used */

void mapping_add(const void *at, size_t bytes)
{
    mapping_remove(at, bytes);
    for (size_t i = 0; i < MAPPINGS; i++) {
        uintptr_t none = 0;
        if (!atomic_compare_exchange_strong(&mappings[i], &none, (uintptr_t)at))
            continue;
        size_t used = atomic_load(&mapping_count);
        while (used < i + 1 && !atomic_compare_exchange_weak(&mapping_count, &used, i + 1))
            ;
        return;
    }
}

void mapping_remove(const void *at, size_t bytes)
{
    size_t used = atomic_load_explicit(&mapping_count, memory_order_relaxed);
    for (size_t i = 0; i < used; i++) {
        uintptr_t start = atomic_load_explicit(&mappings[i], memory_order_relaxed);
        if (start != 0 && start - (uintptr_t)at < bytes)
            atomic_compare_exchange_strong(&mappings[i], &start, 0);
    }
}

bool mapping_begins(const void *at)
{
    size_t used = atomic_load_explicit(&mapping_count, memory_order_relaxed);
    for (size_t i = 0; i < used; i++)
        if (atomic_load_explicit(&mappings[i], memory_order_relaxed) == (uintptr_t)at)
            return true;
    return false;
}
