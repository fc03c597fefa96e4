#include "node/pages.h"
#include "base/maths.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The seconds, within these sizes, of the pieces in which large transfers are paced. */
#define PIECE    0.0025
#define SMALLEST (64 << 10)
#define LARGEST  (4 << 20)
#define UNIT     4096 /* a piece ends where a page of the file does */

/* A controller without a heartbeat for this many nanoseconds was away. */
#define SILENCE 1000000000u

/* Grains that may be unclaimed: far below the range of their count. */
#define MOST_UNCLAIMED (INT64_C(1) << 60)

/* How many seconds late operations may be claimed, but always one. */
#define OPS_BURST 0.01

/* --- making and freeing ----------------------------------------------------------------------- */

static void *pages_make(const char *name, int *fd, size_t size, int seals)
{
    *fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*fd < 0 || ftruncate(*fd, (off_t)size) != 0)
        return NULL;
    void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    if (page == MAP_FAILED)
        return NULL;
    if (fcntl(*fd, F_ADD_SEALS, seals | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return page;
    munmap(page, size);
    return NULL;
}

int pages_init(struct pages *pages, uint64_t patience, struct err *err)
{
    *pages = (struct pages){.last = {.mode = PAGE_HOLD, .patience = patience},
                            .late = PAGES_BURST,
                            .grant_fd = -1,
                            .usage_fd = -1};
    pages->grant =
        pages_make("weir-grant", &pages->grant_fd, PAGE_GRANT_BYTES, F_SEAL_FUTURE_WRITE);
    if (pages->grant)
        pages->usage = pages_make("weir-usage", &pages->usage_fd, PAGE_USAGE_BYTES, 0);
    if (!pages->usage)
        return err_set(err, "cannot create the shared pages: %s", strerror(errno));
    pages->grant->magic = PAGE_MAGIC;
    pages->grant->version = PAGE_OLDEST;
    pages->grant->newest = PAGE_VERSION;
    page_write(pages->grant, &pages->last);
    return 0;
}

void pages_fini(struct pages *pages)
{
    if (pages->grant)
        munmap(pages->grant, PAGE_GRANT_BYTES);
    if (pages->usage)
        munmap(pages->usage, PAGE_USAGE_BYTES);
    if (pages->grant_fd >= 0)
        close(pages->grant_fd);
    if (pages->usage_fd >= 0)
        close(pages->usage_fd);
    *pages = (struct pages){.grant_fd = -1, .usage_fd = -1};
}

/* --- grants ----------------------------------------------------------------------------------- */

static void pages_publish(struct pages *pages, const struct page_grant *grant)
{
    pages->last = *grant;
    page_write(pages->grant, grant);
    /* Reads by adding 0: this is ordered after the write, so a process that begins to wait in
     * between either sees the change or is seen here. */
    if (atomic_fetch_add(&pages->usage->waiters, 0) > 0)
        syscall(SYS_futex, &pages->grant->change, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* The line from now on, with what was allowed so far; while all calls are held, what is unclaimed
 * is lost. */
static struct line continue_line(const struct pages *pages, uint64_t now)
{
    struct line line = pages->last.bytes;
    uint64_t used = atomic_load(&pages->usage->used);
    line.allowed = line_at(&pages->last.bytes, now);
    line.since = now;
    if (pages->last.mode == PAGE_OPEN ||
        (pages->last.mode == PAGE_HOLD && (int64_t)(line.allowed - used) > 0))
        line.allowed = used;
    return line;
}

void pages_grant(struct pages *pages, uint64_t now, double rate)
{
    struct page_grant next = pages->last;
    next.bytes = continue_line(pages, now);
    next.mode = rate > 0 ? PAGE_PACED : PAGE_HOLD;
    next.bytes.rate = line_rate(rate * LINE_BYTE);
    next.bytes.burst = (uint64_t)(pages->late * line_speed(&next.bytes));
    next.chunk = (uint64_t)maths_min(maths_max(PIECE * rate, SMALLEST), LARGEST) / UNIT * UNIT;
    pages_publish(pages, &next);
}

void pages_keep(struct pages *pages, double late)
{
    pages->late = late;
}

bool pages_waits(const struct pages *pages, uint64_t now)
{
    return pages->last.mode == PAGE_PACED && atomic_load(&pages->usage->waiters) > 0 &&
           line_ahead(&pages->last.bytes, atomic_load(&pages->usage->used), now) > 0;
}

/* The grains that were allowed in this I/O beyond what was moved. */
static double pages_excess(const struct pages *pages, uint64_t allowed, double moved)
{
    return (double)(int64_t)(allowed - pages->base) - (double)pages->owed - moved * LINE_BYTE;
}

void pages_begin_io(struct pages *pages)
{
    uint64_t used = atomic_load(&pages->usage->used), allowed = pages->last.bytes.allowed;
    pages->base = (int64_t)(allowed - used) > 0 ? used : allowed;
}

void pages_end_io(struct pages *pages, double moved)
{
    uint64_t used = atomic_load(&pages->usage->used), allowed = pages->last.bytes.allowed;
    if (pages->last.mode != PAGE_HOLD)
        return;
    double owed =
        (double)pages->owed + moved * LINE_BYTE - (double)(int64_t)(allowed - pages->base);
    pages->owed = owed > 0 && owed < (double)LINE_FARTHEST ? (uint64_t)owed : 0;
    uint64_t least = used - pages->owed;
    if ((int64_t)(least - allowed) > 0)
        pages->last.bytes.allowed = least;
}

void pages_limit(struct pages *pages, uint64_t now, double ops)
{
    struct page_grant next = pages->last;
    next.ops.since = now;
    next.ops.allowed = atomic_load(&pages->usage->ops_used);
    next.ops.rate = line_rate(ops * LINE_OPERATION);
    next.ops.burst = (uint64_t)(maths_max(1, OPS_BURST * ops) * LINE_OPERATION);
    pages_publish(pages, &next);
}

void pages_speed(struct pages *pages, double speed)
{
    struct page_grant next = pages->last;
    next.speed = (uint64_t)maths_min(speed, LINE_FASTEST / LINE_BYTE);
    if (next.speed != pages->last.speed)
        pages_publish(pages, &next);
}

/* Where the line must be for the first call that waits; false if none needs it to move. */
static bool pages_wanted(struct pages *pages, uint64_t now, uint64_t *wanted)
{
    uint64_t seen = atomic_load(&pages->usage->wants), used = atomic_load(&pages->usage->used);
    *wanted = seen;
    if (seen == 0 || pages->last.mode != PAGE_PACED)
        return false;
    int64_t ahead = line_ahead(&pages->last.bytes, seen, now);
    /* No ticket ends behind what is claimed, so anything else is nonsense. */
    if (ahead > 0 && (int64_t)(used - seen) >= 0 && (uint64_t)ahead < LINE_FARTHEST)
        return true;
    /* It is due, or its process was killed while it waited: others may show theirs. */
    atomic_compare_exchange_strong(&pages->usage->wants, &seen, 0);
    return false;
}

double pages_ahead(struct pages *pages, uint64_t now)
{
    uint64_t wanted;
    if (!pages_wanted(pages, now, &wanted))
        return 0;
    /* The first chunk of a call is waited for in any case. */
    double ahead = (double)line_ahead(&pages->last.bytes, wanted, now) / LINE_BYTE;
    return maths_max(0, ahead - (double)pages->last.chunk);
}

void pages_turn(struct pages *pages, uint64_t now)
{
    struct page_grant next = pages->last;
    if (!pages_wanted(pages, now, &next.bytes.allowed))
        return;
    next.bytes.since = now;
    pages_publish(pages, &next);
}

void pages_bound(struct pages *pages, uint64_t patience)
{
    struct page_grant next = pages->last;
    next.patience = patience;
    if (patience != pages->last.patience)
        pages_publish(pages, &next);
}

void pages_open(struct pages *pages)
{
    struct page_grant next = pages->last;
    next.mode = PAGE_OPEN;
    next.bytes.rate = next.ops.rate = 0;
    pages_publish(pages, &next);
}

/* Unclaimed grains could outgrow the range of their count over a long time. */
static void pages_trim(struct pages *pages, uint64_t now, bool silent)
{
    uint64_t used = atomic_load(&pages->usage->used);
    struct page_grant next = pages->last;
    if (next.mode != PAGE_PACED ||
        (!silent && line_ahead(&next.bytes, used, now) > -MOST_UNCLAIMED))
        return;
    next.bytes.allowed = used;
    next.bytes.since = now;
    pages_publish(pages, &next);
}

void pages_beat(struct pages *pages, uint64_t now)
{
    uint64_t last = atomic_load_explicit(&pages->grant->beat, memory_order_relaxed);
    pages_trim(pages, now, last > 0 && now - last > SILENCE);
    atomic_store_explicit(&pages->grant->beat, now, memory_order_release);
}

bool pages_unclaimed(const struct pages *pages, uint64_t now)
{
    return pages->last.mode == PAGE_PACED &&
           line_ahead(&pages->last.bytes, atomic_load(&pages->usage->used), now) < 0;
}

bool pages_unmoved(const struct pages *pages, uint64_t now, double moved)
{
    return pages->last.mode == PAGE_PACED &&
           pages_excess(pages, line_at(&pages->last.bytes, now), moved) > 0;
}
