/* The two pages that an application shares with the controller.
 *
 * Grants are read from memory: a process whose application may transfer learns its rate without a
 * message and without a system call. The controller writes the grant page, which is sealed so that
 * clients can only read it; clients write the usage page, which the controller never trusts: what
 * stands there can harm its own application only.
 *
 * A(t) = allowed + rate (t - since) bytes may have been moved by the date t. Who wants to move n
 * bytes first takes a ticket, used = max(used, A - burst) + n, and goes when A(t) >= used: bytes
 * are charged before they move, what was not claimed in time is lost, and a change of rate keeps
 * A continuous.
 *
 * Both are memfds of PAGE_SIZE_BYTES, sealed against shrinking and growing (a client takes no
 * others: a page that shrinks would end the process that reads it), the grant page against new
 * writers too.
 *
 * Dates are nanoseconds of CLOCK_MONOTONIC. Doubles are stored as their bits. */
#ifndef WEIR_WIRE_PAGE_H
#define WEIR_WIRE_PAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    PAGE_SIZE_BYTES = 4096,
    PAGE_VERSION = 1,
    PAGE_SLOTS = 240 /* processes with a slot of their own; all further ones share the last */
};
#define PAGE_MAGIC 0x57454952u /* "WEIR" */

enum page_mode {
    PAGE_OPEN, /* not limited */
    PAGE_HOLD, /* wait */
    PAGE_PACED /* by the bucket below */
};

/* A limited rate, as a line over time. */
struct page_line {
    _Atomic uint64_t since;   /* date */
    _Atomic uint64_t allowed; /* double: A(since) */
    _Atomic uint64_t rate;    /* double: units per second; 0 = no limit, in `ops` only */
    _Atomic uint64_t burst;   /* double: units that may be claimed late */
};

/* Written by the controller under `sequence` (odd while it writes). All members are atomic and
 * are stored with release and loaded with acquire, so no fence is needed. */
struct grant_page {
    uint32_t magic, version; /* never change */
    _Atomic uint32_t sequence;
    _Atomic uint32_t change; /* futex word: another number after every change */
    _Atomic uint32_t mode;   /* enum page_mode */
    uint32_t reserved;
    struct page_line bytes, ops;
    _Atomic uint64_t chunk; /* a large transfer is paced in pieces of so many bytes */
    _Atomic uint64_t beat;  /* date of the controller's last heartbeat; not under `sequence` */
};

/* What a phase is, seen by the clients: who finds it other than open sets it to open and sends a
 * POST. The controller sets it back: parked when the application was quiet for a moment (the
 * bandwidth is given away, the place kept), idle when the I/O is over. */
enum page_phase { PHASE_IDLE, PHASE_OPEN, PHASE_PARKED };

struct page_slot {
    _Atomic uint32_t busy; /* controlled calls under way in this process */
    _Atomic uint32_t pid;  /* for people */
};

/* Written by the application's processes. */
struct usage_page {
    _Atomic uint64_t used;     /* double: tickets taken, bytes */
    _Atomic uint64_t ops_used; /* double: tickets taken, operations */
    _Atomic uint64_t moved;    /* bytes really moved */
    _Atomic uint64_t calls;    /* another number after every controlled call, but no exact count */
    _Atomic uint64_t last;     /* date of the end of the last one, while paced */
    _Atomic uint64_t escaped;  /* bytes seen to go past control */
    _Atomic uint32_t phase;    /* enum page_phase */
    _Atomic uint32_t waiters;  /* threads that sleep on `change`, and those killed there */
    _Atomic uint32_t closed;   /* closes of controlled files: a hint that a phase may be over */
    struct page_slot slots[PAGE_SLOTS];
};

_Static_assert(sizeof(struct grant_page) <= PAGE_SIZE_BYTES, "one page");
_Static_assert(sizeof(struct usage_page) <= PAGE_SIZE_BYTES, "one page");

/* What a reader sees of the grant page at one instant. */
struct page_grant {
    enum page_mode mode;
    uint32_t change;
    uint64_t since, chunk, ops_since;
    double allowed, rate, burst;
    double ops_allowed, ops_rate, ops_burst;
};

/* Reads the grant. False if 64 attempts in a row met a write under way: the writer was interrupted
 * in it, or died. Then the parts may be of two grants, and the caller should come back later. */
bool page_read(const struct grant_page *page, struct page_grant *grant);

/* Writes one and changes the futex word (grant->change is not looked at); whoever counts himself
 * among the waiters after that reads the new grant, so the caller wakes those counted before. One
 * writer only. */
void page_write(struct grant_page *page, const struct page_grant *grant);

/* A(t) of the bytes. */
double page_allowed(const struct page_grant *grant, uint64_t now);

/* A(t) of any line. */
static inline double page_line_at(double allowed, double rate, uint64_t since, uint64_t now)
{
    return allowed + rate * (1e-9 * (double)(int64_t)(now - since));
}

/* Numbers as they stand in the pages. */
static inline uint64_t page_bits(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline double page_number(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* The environment that `weir exec` gives to a program, for its client library or preload. */
#define WIRE_ENV_SOCKET "WEIR_SOCKET" /* path of the controller */
#define WIRE_ENV_TOKEN  "WEIR_TOKEN"  /* 32 hexadecimal digits */
#define WIRE_ENV_NAME   "WEIR_NAME"
#define WIRE_ENV_NODES  "WEIR_NODES"
#define WIRE_ENV_WEIGHT "WEIR_WEIGHT"
#define WIRE_ENV_HINT   "WEIR_VOLUME_HINT" /* bytes */
#define WIRE_ENV_STORES "WEIR_STORES"      /* absolute paths, separated by colons */
#define WIRE_ENV_ORIGINS                                                                           \
    "WEIR_ORIGINS" /* for each of them, device of its files, of its file system, path there */

#endif
