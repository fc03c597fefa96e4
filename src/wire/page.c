#include "wire/page.h"

/* A reader that sees a value of the writer's next grant got it by an acquire from a release, so it
 * also sees the odd number that was stored before: no fence is needed, and ThreadSanitizer, which
 * knows none, agrees. */

enum { ATTEMPTS = 64 };

static uint64_t page_load(const _Atomic uint64_t *member)
{
    return atomic_load_explicit(member, memory_order_acquire);
}

static void page_store(_Atomic uint64_t *member, uint64_t value)
{
    atomic_store_explicit(member, value, memory_order_release);
}

static void page_read_line(const struct page_line *line, struct line *into)
{
    *into = (struct line){page_load(&line->since), page_load(&line->allowed),
                          page_load(&line->rate), page_load(&line->burst)};
}

static void write_line(struct page_line *line, const struct line *from)
{
    page_store(&line->since, from->since);
    page_store(&line->allowed, from->allowed);
    page_store(&line->rate, from->rate);
    page_store(&line->burst, from->burst);
}

static void read_members(const struct grant_page *page, struct page_grant *grant)
{
    grant->mode = atomic_load_explicit(&page->mode, memory_order_acquire);
    grant->change = atomic_load_explicit(&page->change, memory_order_acquire);
    grant->chunk = page_load(&page->chunk);
    grant->patience = page_load(&page->patience);
    grant->speed = page_load(&page->speed);
    page_read_line(&page->bytes, &grant->bytes);
    page_read_line(&page->ops, &grant->ops);
}

bool page_read(const struct grant_page *page, struct page_grant *grant)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        uint32_t before = atomic_load_explicit(&page->sequence, memory_order_acquire);
        read_members(page, grant);
        if (before % 2 == 0 &&
            atomic_load_explicit(&page->sequence, memory_order_relaxed) == before)
            return true;
    }
    return false;
}

void page_write(struct grant_page *page, const struct page_grant *grant)
{
    uint32_t sequence = atomic_load_explicit(&page->sequence, memory_order_relaxed);
    atomic_store_explicit(&page->sequence, sequence + 1, memory_order_relaxed);
    atomic_store_explicit(&page->mode, grant->mode, memory_order_release);
    page_store(&page->chunk, grant->chunk);
    page_store(&page->patience, grant->patience);
    page_store(&page->speed, grant->speed);
    write_line(&page->bytes, &grant->bytes);
    write_line(&page->ops, &grant->ops);
    /* In one order with the counting of waiters: else a waiter could be missed that does not yet
     * see the change. */
    atomic_fetch_add(&page->change, 1);
    atomic_store_explicit(&page->sequence, sequence + 2, memory_order_release);
}

void page_forbid(struct grant_page *page, uint32_t slot, bool forbidden)
{
    uint32_t bit = UINT32_C(1) << slot % 32;
    if (slot >= PAGE_SLOTS)
        return;
    if (forbidden)
        atomic_fetch_or(&page->forbidden[slot / 32], bit);
    else
        atomic_fetch_and(&page->forbidden[slot / 32], ~bit);
}

uint64_t page_carry(const struct grant_page *grant, struct usage_page *usage, uint64_t life)
{
    uint64_t before = atomic_load(&grant->life), moved = 0;
    uint64_t told = page_load(&grant->told), carried = atomic_load(&usage->carried);
    if (before == 0 || life == 0 || before == life)
        return 0;
    for (uint32_t slot = 0; slot < PAGE_SLOTS; slot++)
        moved += atomic_load_explicit(&usage->slots[slot].moved, memory_order_relaxed);
    /* Another process may do the same, and may have seen more. */
    for (;;) {
        uint64_t known = carried > told ? carried : told;
        if (moved <= known)
            return 0;
        if (atomic_compare_exchange_weak(&usage->carried, &carried, moved))
            return moved - known;
    }
}
