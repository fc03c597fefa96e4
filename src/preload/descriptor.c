#include "preload/descriptor.h"
#include "client/wait.h"
#include "preload/call.h"
#include "preload/place.h"
#include <string.h>

_Atomic uint16_t descriptor_facts[DESCRIPTORS];
static _Atomic uint16_t checked[DESCRIPTORS]; /* when what is known was found out */
static _Atomic int highest = -1;              /* that was ever opened by this process */
static _Atomic bool distrusted;

static bool kept(int fd)
{
    return (unsigned)fd < DESCRIPTORS;
}

_Static_assert(WIRE_STORES / 2 <= 1 << (16 - DESCRIPTOR_NUMBER), "its number has room");

/* A clock of 2^30 nanoseconds, a little more than a second. */
static uint16_t descriptor_clock(void)
{
    return (uint16_t)(wait_now_coarse() >> 30);
}

int descriptor_find(int fd)
{
    if (fd < 0 || !call_ready())
        return -1;
    int store = place_of_file(fd);
    if (kept(fd))
        atomic_store_explicit(&checked[fd], descriptor_clock(), memory_order_relaxed);
    /* The child of a vfork has the memory of its parent, but other descriptors. */
    if (kept(fd) && call_in_own_memory())
        atomic_fetch_or(&descriptor_facts[fd],
                        store < 0 ? (uint16_t)DESCRIPTOR_FREE
                                  : (uint16_t)(DESCRIPTOR_STORE | store << DESCRIPTOR_NUMBER));
    return store;
}

bool descriptor_find_out(int fd)
{
    return descriptor_find(fd) >= 0;
}

bool descriptor_recheck(int fd)
{
    if (kept(fd))
        atomic_fetch_and(&descriptor_facts[fd], (uint16_t)DESCRIPTOR_OWN);
    return descriptor_find_out(fd);
}

bool descriptor_confirm(int fd)
{
    bool fresh = kept(fd) && atomic_load_explicit(&checked[fd], memory_order_relaxed) ==
                                 descriptor_clock();
    return fresh ? descriptor_controlled(fd) : descriptor_recheck(fd);
}

void descriptor_opened(int fd)
{
    if (!kept(fd))
        return;
    atomic_store(&descriptor_facts[fd], call_in_own_memory() ? DESCRIPTOR_OWN : 0);
    int seen = atomic_load(&highest);
    while (fd > seen && !atomic_compare_exchange_weak(&highest, &seen, fd))
        ;
}

void descriptor_forget(int fd)
{
    if (kept(fd))
        atomic_store(&descriptor_facts[fd], 0);
}

void descriptor_forget_range(unsigned first, unsigned last)
{
    for (unsigned fd = first; fd <= last && fd < DESCRIPTORS; fd++)
        if (atomic_load_explicit(&descriptor_facts[fd], memory_order_relaxed))
            atomic_store(&descriptor_facts[fd], 0);
}

void descriptor_share(int fd)
{
    if (kept(fd))
        atomic_fetch_and(&descriptor_facts[fd], (uint16_t)~DESCRIPTOR_OWN);
}

void descriptor_share_all(void)
{
    int last = atomic_load(&highest);
    for (int fd = 0; fd <= last; fd++)
        if (atomic_load_explicit(&descriptor_facts[fd], memory_order_relaxed) & DESCRIPTOR_OWN)
            descriptor_share(fd);
}

void descriptor_distrust(void)
{
    atomic_store(&distrusted, true);
    descriptor_share_all();
}

bool descriptor_own(int fd)
{
    return kept(fd) && atomic_load(&descriptor_facts[fd]) & DESCRIPTOR_OWN &&
           !atomic_load(&distrusted) && call_in_only_thread();
}

void descriptor_link(int fd, char path[DESCRIPTOR_LINK])
{
    static const char directory[] = "/proc/self/fd/";
    char *end = path + DESCRIPTOR_LINK - 1, *first = end;
    *end = '\0';
    for (unsigned rest = fd > 0 ? (unsigned)fd : 0; rest > 0 || first == end; rest /= 10)
        *--first = (char)('0' + rest % 10);
    memcpy(path, directory, sizeof directory - 1);
    memmove(path + sizeof directory - 1, first, (size_t)(end - first) + 1);
}
