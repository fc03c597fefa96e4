#include "daemon/pages.h"
#include "base/maths.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Bytes may be claimed so many seconds late, and large transfers are paced in pieces of so many
 * seconds, within these sizes. */
#define BURST    0.004
#define PIECE    0.0025
#define SMALLEST (64 << 10)
#define LARGEST  (4 << 20)
#define UNIT     4096 /* a piece ends where a page of the file does */

/* Nobody claims more bytes than this; further on, what a call adds would be lost in rounding. */
#define MOST_CLAIMED 1e15

/* Operations may be claimed so many seconds late, but always one. */
#define OPS_BURST 0.01

/* --- making and freeing ----------------------------------------------------------------------- */

static void *make(const char *name, int *fd, int seals)
{
    *fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*fd < 0 || ftruncate(*fd, PAGE_SIZE_BYTES) != 0)
        return NULL;
    void *page = mmap(NULL, PAGE_SIZE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    if (page == MAP_FAILED)
        return NULL;
    if (fcntl(*fd, F_ADD_SEALS, seals | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return page;
    munmap(page, PAGE_SIZE_BYTES);
    return NULL;
}

int pages_init(struct pages *pages, struct err *err)
{
    *pages = (struct pages){.last.mode = PAGE_HOLD, .grant_fd = -1, .usage_fd = -1};
    pages->grant = make("weir-grant", &pages->grant_fd, F_SEAL_FUTURE_WRITE);
    if (pages->grant)
        pages->usage = make("weir-usage", &pages->usage_fd, 0);
    if (!pages->usage)
        return err_set(err, "cannot make the shared pages: %s", strerror(errno));
    pages->grant->magic = PAGE_MAGIC;
    pages->grant->version = PAGE_VERSION;
    page_write(pages->grant, &pages->last);
    return 0;
}

void pages_fini(struct pages *pages)
{
    if (pages->grant)
        munmap(pages->grant, PAGE_SIZE_BYTES);
    if (pages->usage)
        munmap(pages->usage, PAGE_SIZE_BYTES);
    if (pages->grant_fd >= 0)
        close(pages->grant_fd);
    if (pages->usage_fd >= 0)
        close(pages->usage_fd);
    *pages = (struct pages){.grant_fd = -1, .usage_fd = -1};
}

/* --- grants ----------------------------------------------------------------------------------- */

double pages_number(const _Atomic uint64_t *bits, double otherwise)
{
    uint64_t raw = atomic_load(bits);
    double value;
    memcpy(&value, &raw, sizeof value);
    return value >= 0 && value < 1e300 ? value : otherwise;
}

static void publish(struct pages *pages, const struct page_grant *grant)
{
    pages->last = *grant;
    page_write(pages->grant, grant);
    /* Reading by adding nothing: ordered behind the write, so that whoever begins to wait in
     * between either sees the change or is seen here. */
    if (atomic_fetch_add(&pages->usage->waiters, 0) > 0)
        syscall(SYS_futex, &pages->grant->change, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void pages_grant(struct pages *pages, uint64_t now, double rate)
{
    struct page_grant next = pages->last;
    next.allowed = page_allowed(&pages->last, now);
    if (next.mode == PAGE_HOLD)
        next.allowed = maths_min(next.allowed, pages_number(&pages->usage->used, next.allowed));
    next.mode = rate > 0 ? PAGE_PACED : PAGE_HOLD;
    next.since = now;
    next.rate = rate;
    next.burst = BURST * rate;
    next.chunk = (uint64_t)maths_min(maths_max(PIECE * rate, SMALLEST), LARGEST) / UNIT * UNIT;
    publish(pages, &next);
}

void pages_forgive(struct pages *pages)
{
    double used = pages_number(&pages->usage->used, 0);
    if (pages->last.mode == PAGE_HOLD && used < MOST_CLAIMED)
        pages->last.allowed = maths_max(pages->last.allowed, used);
}

void pages_limit(struct pages *pages, uint64_t now, double ops)
{
    struct page_grant next = pages->last;
    next.ops_since = now;
    next.ops_allowed = pages_number(&pages->usage->ops_used, 0);
    next.ops_rate = ops;
    next.ops_burst = maths_max(1, OPS_BURST * ops);
    publish(pages, &next);
}

void pages_open(struct pages *pages)
{
    struct page_grant next = pages->last;
    next.mode = PAGE_OPEN;
    next.ops_rate = 0;
    publish(pages, &next);
}

void pages_beat(struct pages *pages, uint64_t now)
{
    atomic_store_explicit(&pages->grant->beat, now, memory_order_release);
}

bool pages_unclaimed(const struct pages *pages, uint64_t now)
{
    if (pages->last.mode != PAGE_PACED)
        return false;
    double allowed = page_allowed(&pages->last, now);
    return pages_number(&pages->usage->used, allowed) < allowed;
}
