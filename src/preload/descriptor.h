/* What is known of the program's descriptors, without asking the kernel at every call.
 *
 * Hooks on whatever makes or closes a descriptor only forget what was known; the next use finds
 * out. A file closed behind the hooks' back (inside libc, by a system call) leaves old knowledge,
 * which does no harm as long as it is looked at again before anybody waits: descriptor_recheck. */
#ifndef WEIR_PRELOAD_DESCRIPTOR_H
#define WEIR_PRELOAD_DESCRIPTOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    DESCRIPTORS = 65536, /* higher ones are looked at every time */
    DESCRIPTOR_FREE = 1, /* known not to be on the store */
    DESCRIPTOR_STORE = 2,
    DESCRIPTOR_OWN = 4,   /* this process opened it, and nobody shares its offset */
    DESCRIPTOR_NUMBER = 3 /* the bits from this one on: of which store it is */
};
extern _Atomic uint16_t descriptor_facts[DESCRIPTORS];

/* The slow half of descriptor_controlled; and of descriptor_store. */
bool descriptor_find_out(int fd);
int descriptor_find(int fd);

/* Whether its I/O is under control. */
static inline bool descriptor_controlled(int fd)
{
    uint16_t facts = 0;
    if ((unsigned)fd < DESCRIPTORS)
        facts = atomic_load_explicit(&descriptor_facts[fd], memory_order_relaxed);
    if (__builtin_expect(facts & DESCRIPTOR_FREE, 1))
        return false;
    return facts & DESCRIPTOR_STORE || descriptor_find_out(fd);
}

/* The store that it is known to be on, or -1. */
static inline int descriptor_known(int fd)
{
    uint16_t facts = 0;
    if ((unsigned)fd < DESCRIPTORS)
        facts = atomic_load_explicit(&descriptor_facts[fd], memory_order_relaxed);
    return facts & DESCRIPTOR_STORE ? facts >> DESCRIPTOR_NUMBER : -1;
}

/* The store that it is on; any number if it is on none. */
static inline int descriptor_store(int fd)
{
    int store = descriptor_known(fd);
    return __builtin_expect(store >= 0, 1) ? store : descriptor_find(fd);
}

/* Forgets what was known and looks again. */
bool descriptor_recheck(int fd);

/* It was opened by this process (which nobody shares so far), or is another one than before. */
void descriptor_opened(int fd);
void descriptor_forget(int fd);
void descriptor_forget_range(unsigned first, unsigned last);

/* Its description has another descriptor; those of all descriptors are seen by another process. */
void descriptor_share(int fd);
void descriptor_share_all(void);

/* There may be threads that libc does not know of. */
void descriptor_distrust(void);

/* Whether nobody but the calling thread can move its offset. */
bool descriptor_own(int fd);

/* Its path in /proc. (snprintf needs more stack than a signal handler may have.) */
enum { DESCRIPTOR_LINK = 32 };
void descriptor_link(int fd, char path[DESCRIPTOR_LINK]);

#endif
