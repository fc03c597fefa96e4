/* What is known about the program's descriptors, without asking the kernel at every call.
 *
 * Hooks on calls that create or close a descriptor only forget; the next use finds out. A file
 * closed without the hooks (inside libc, by a system call) leaves outdated knowledge, which is
 * harmless as long as it is checked again before a wait, if it is a second old:
 * descriptor_confirm. */
#ifndef WEIR_PRELOAD_DESCRIPTOR_H
#define WEIR_PRELOAD_DESCRIPTOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    DESCRIPTORS = 65536, /* higher ones are checked every time */
    DESCRIPTOR_FREE = 1, /* not on a store */
    DESCRIPTOR_STORE = 2,
    DESCRIPTOR_OWN = 4,   /* this process opened it, and shares its offset with no other */
    DESCRIPTOR_NUMBER = 3 /* bits from this one on: the number of its store */
};
extern _Atomic uint16_t descriptor_facts[DESCRIPTORS];

/* The slow halves of descriptor_controlled and descriptor_store. */
bool descriptor_find_out(int fd);
int descriptor_find(int fd);

/* Whether its I/O is controlled. */
static inline bool descriptor_controlled(int fd)
{
    uint16_t facts = 0;
    if ((unsigned)fd < DESCRIPTORS)
        facts = atomic_load_explicit(&descriptor_facts[fd], memory_order_relaxed);
    if (__builtin_expect(facts & DESCRIPTOR_FREE, 1))
        return false;
    return facts & DESCRIPTOR_STORE || descriptor_find_out(fd);
}

/* The store it is known to be on, or -1. */
static inline int descriptor_known(int fd)
{
    uint16_t facts = 0;
    if ((unsigned)fd < DESCRIPTORS)
        facts = atomic_load_explicit(&descriptor_facts[fd], memory_order_relaxed);
    return facts & DESCRIPTOR_STORE ? facts >> DESCRIPTOR_NUMBER : -1;
}

/* The store it is on; any number if it is on none. */
static inline int descriptor_store(int fd)
{
    int store = descriptor_known(fd);
    return __builtin_expect(store >= 0, 1) ? store : descriptor_find(fd);
}

/* As descriptor_controlled, but what is known is checked again. */
bool descriptor_recheck(int fd);

/* As descriptor_controlled, but knowledge that is older than about a second is checked again. */
bool descriptor_confirm(int fd);

/* It was opened by this process (so far unshared); or it is another file than before. */
void descriptor_opened(int fd);
void descriptor_forget(int fd);
void descriptor_forget_range(unsigned first, unsigned last);

/* It has a duplicate; all descriptors are visible to another process. */
void descriptor_share(int fd);
void descriptor_share_all(void);

/* There may be threads that libc does not know about. */
void descriptor_distrust(void);

/* Whether only the calling thread can move its offset. */
bool descriptor_own(int fd);

/* Its path in /proc. (snprintf needs more stack than a signal handler may have.) */
enum { DESCRIPTOR_LINK = 32 };
void descriptor_link(int fd, char path[DESCRIPTOR_LINK]);

#endif
