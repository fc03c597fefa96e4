/* The two pages that an application shares with the controller.
 *
 * Grants are read from memory: a process whose application may transfer learns its rate without a
 * message and without a system call. The controller writes the grant page, which is sealed so that
 * clients can only read it; clients write the usage page, which the controller never trusts: its
 * content can harm only its own application.
 *
 * The grant is a line A(t) over time (wire/line.h): the bytes that may have been moved by then. A
 * call takes a ticket on it for all its bytes, and starts when A(t) has reached the first `chunk`
 * of them. It is made as one, whatever its size, so it may be ahead of the line when it returns:
 * the next call waits for that, or until the controller sees that the store has room. Time that the
 * store takes for a call is not lost: what the line allows meanwhile may be claimed later. Only on
 * a store that is faster than it was said to be does a call wait after it has returned, until its
 * bytes would have been moved at `speed`.
 *
 * Both are memfds, sealed against shrinking and growing (a client takes no others: a page that
 * shrinks would end the process that reads it), the grant page against new writers too.
 *
 * Times are nanoseconds of CLOCK_MONOTONIC. */
#ifndef WEIR_WIRE_PAGE_H
#define WEIR_WIRE_PAGE_H

#include "wire/line.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PAGE_GRANT_BYTES = 4096, /* sizes of the two pages */
    PAGE_USAGE_BYTES = 65536,
    PAGE_OLDEST = 3,   /* programs that know this version of the pages are served; */
    PAGE_VERSION = 4,  /* later ones have further members, which are 0 before */
    PAGE_SLOTS = 2032, /* processes that an application can have */
    PAGE_LEFT = 8      /* earlier pages of which it knows what was moved */
};
#define PAGE_MAGIC 0x57454952u /* "WEIR" */

enum page_mode {
    PAGE_OPEN, /* not limited */
    PAGE_HOLD, /* wait */
    PAGE_PACED /* by the line below */
};

/* A line, as it stands in the page. */
struct page_line {
    _Atomic uint64_t since, allowed, rate, burst;
};

/* Written by the controller under `sequence` (odd while it writes). All members are atomic and
 * are stored with release and loaded with acquire, so no fence is needed. */
struct grant_page {
    uint32_t magic, version; /* never change: programs take PAGE_OLDEST only */
    _Atomic uint32_t sequence;
    _Atomic uint32_t change;     /* futex word: changes after every change */
    _Atomic uint32_t mode;       /* enum page_mode */
    uint32_t newest;             /* PAGE_VERSION of the controller, 0 = PAGE_OLDEST */
    struct page_line bytes, ops; /* ops: a rate of 0 = no limit */
    _Atomic uint64_t chunk;      /* bytes of a call that are waited for before it */
    _Atomic uint64_t patience;   /* no call waits longer than this */
    _Atomic uint64_t beat;       /* time of the controller's last heartbeat; not under `sequence` */
    _Atomic uint64_t speed;      /* bytes/s that the application reaches alone; 0 = unknown */
    /* A bit for each slot: its process forbids itself system calls; not under `sequence`. */
    _Atomic uint32_t forbidden[(PAGE_SLOTS + 31) / 32];
    /* Which start of an agent writes it, 0 = it is no agent's; and the bytes of all slots that the
     * cluster's controller was told of. Not under `sequence`. */
    _Atomic uint64_t life, told;
    _Atomic uint64_t counter; /* with `life`, which count of bytes this is; 0 = unknown */
};

/* The phase as clients see it: a client that finds it other than open sets it to open and sends a
 * POST. The controller sets it back: paused when the application was quiet for a moment (its
 * bandwidth is lent, its place kept), idle when the I/O is over. */
enum page_phase { PHASE_IDLE, PHASE_OPEN, PHASE_PAUSED };

/* What one process counts. The bytes go on from where the slot's last process left them. The kernel
 * counts them too, and anything more in its count bypassed control. When a process attaches, it can
 * set `passed` so that moved + passed is what the kernel has counted so far, modulo
 * PAGE_LIKE_KERNEL, and set that bit. */
#define PAGE_LIKE_KERNEL (UINT64_C(1) << 63)
struct page_slot {
    _Alignas(32) _Atomic uint32_t busy; /* controlled calls under way */
    _Atomic uint32_t pid;               /* for people */
    _Atomic uint64_t moved;             /* bytes of controlled calls */
    _Atomic uint64_t passed;            /* bytes of all other calls that were seen */
    _Atomic uint64_t inside;            /* bytes of the larger calls that are in the store now */
};

/* What was moved in earlier pages of the application, of agents that have ended: by its identity,
 * as no process knows how much of it anybody was told. `told` is what the agent had sent. */
struct page_left {
    _Atomic uint64_t life, counter; /* 0 = none; the rest follows, `moved` last */
    _Atomic uint64_t told, moved;
};

/* Written by the application's processes. */
struct usage_page {
    _Atomic uint64_t used;     /* grains: tickets taken, of bytes */
    _Atomic uint64_t ops_used; /* ... of operations */
    _Atomic uint64_t calls;    /* changes after every controlled call; not an exact count */
    _Atomic uint64_t last;     /* time of the end of the last one, while paced */
    _Atomic uint64_t escaped;  /* bytes seen to bypass control */
    _Atomic uint32_t phase;    /* enum page_phase */
    _Atomic uint32_t waiters;  /* threads that sleep on `change`, and those killed there */
    _Atomic uint32_t closed;   /* closes of controlled files: a hint that a phase may be over */
    /* Number of the slot, plus 1, whose process makes the other ones wait (src/supervise), and
     * counts what they move; 0 = none does. */
    _Atomic uint32_t supervisor;
    _Atomic uint64_t wants; /* grains: where the line must be for a call that waits; 0 = none */
    struct page_slot slots[PAGE_SLOTS];
    /* Bytes of all slots that were told of, or that a process has taken along to an agent that does
     * not know `left` (page_inherit). */
    _Atomic uint64_t carried;
    struct page_left left[PAGE_LEFT];
};

_Static_assert(sizeof(struct grant_page) <= PAGE_GRANT_BYTES, "it has room");
_Static_assert(offsetof(struct usage_page, slots) == 64 && sizeof(struct page_slot) == 32,
               "programs that are older find the slots");
_Static_assert(sizeof(struct usage_page) <= PAGE_USAGE_BYTES, "it has room");

/* The grant page at one instant. */
struct page_grant {
    enum page_mode mode;
    uint32_t change;
    struct line bytes, ops;
    uint64_t chunk, patience, speed;
};

/* Reads the grant. False if 64 attempts in a row met a write in progress: the writer was
 * interrupted in it, or died. Then the members may be of two grants, and the caller should try
 * again later. */
bool page_read(const struct grant_page *page, struct page_grant *grant);

/* Writes a grant and changes the futex word (grant->change is ignored). A process that registers as
 * a waiter after that reads the new grant, so the caller wakes those registered before. There must
 * be only one writer. */
void page_write(struct grant_page *page, const struct page_grant *grant);

/* Says whether the process of this slot forbids itself system calls that it does not make itself
 * (seccomp); and whether it was said. A slot beyond the last one is never forbidden. */
void page_forbid(struct grant_page *page, uint32_t slot, bool forbidden);
static inline bool page_forbids(const struct grant_page *page, uint32_t slot)
{
    return slot < PAGE_SLOTS &&
           atomic_load_explicit(&page->forbidden[slot / 32], memory_order_relaxed) >> slot % 32 & 1;
}

/* Which count of bytes is in a pair of pages. */
struct page_origin {
    uint64_t life, counter, told;
};
struct page_origin page_origin_of(const struct grant_page *grant);

/* A process has other pages than before. Notes in them what all processes moved in those before and
 * in earlier ones, unless they are the same pages; several processes may do so. An agent that does
 * not know of such notes is told by the process itself: returns the bytes of which nobody was told,
 * each once. */
uint64_t page_inherit(const struct page_origin *from, struct usage_page *before,
                      const struct grant_page *grant, struct usage_page *usage);

/* The environment of a program (client/environment.h), for its client library or preload. */
#define WIRE_ENV_SOCKET    "WEIR_SOCKET" /* path of the controller */
#define WIRE_ENV_TOKEN     "WEIR_TOKEN"  /* 32 hexadecimal digits */
#define WIRE_ENV_NAME      "WEIR_NAME"
#define WIRE_ENV_JOB       "WEIR_JOB"
#define WIRE_ENV_ACCOUNT   "WEIR_ACCOUNT"
#define WIRE_ENV_PARTITION "WEIR_PARTITION"
#define WIRE_ENV_NODES     "WEIR_NODES"
#define WIRE_ENV_WEIGHT    "WEIR_WEIGHT"
#define WIRE_ENV_HINT      "WEIR_VOLUME_HINT" /* bytes */
#define WIRE_ENV_STORES    "WEIR_STORES"      /* as in WELCOME */
#define WIRE_ENV_ORIGINS                                                                           \
    "WEIR_ORIGINS" /* for each of them, device of its files, of its file system, path there */

#endif
