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

/* --- the pages before ------------------------------------------------------------------------- */

struct page_origin page_origin_of(const struct grant_page *grant)
{
    return (struct page_origin){atomic_load(&grant->life), atomic_load(&grant->counter),
                                page_load(&grant->told)};
}

static uint64_t page_moved(const struct usage_page *usage)
{
    uint64_t moved = 0;
    for (uint32_t slot = 0; slot < PAGE_SLOTS; slot++)
        moved += atomic_load_explicit(&usage->slots[slot].moved, memory_order_relaxed);
    return moved;
}

/* The bytes of which nobody was told. Another process may do the same, and may have seen more. */
static uint64_t page_carry(const struct page_origin *from, struct usage_page *before)
{
    uint64_t moved = page_moved(before), carried = atomic_load(&before->carried);
    for (;;) {
        uint64_t known = carried > from->told ? carried : from->told;
        if (moved <= known)
            return 0;
        if (atomic_compare_exchange_weak(&before->carried, &carried, moved))
            return moved - known;
    }
}

/* The place of this count, or a new one; NULL if there is none left. Two processes may take two for
 * one count at the same moment: what is told twice counts once. */
static struct page_left *page_find_left(struct usage_page *usage, const struct page_origin *from)
{
    for (uint32_t i = 0; i < PAGE_LEFT; i++) {
        struct page_left *left = &usage->left[i];
        uint64_t life = 0;
        if (atomic_compare_exchange_strong(&left->life, &life, from->life)) {
            atomic_store(&left->told, from->told);
            atomic_store(&left->counter, from->counter);
            return left;
        }
        if (life == from->life && atomic_load(&left->counter) == from->counter)
            return left;
    }
    return NULL;
}

static void page_note_left(struct usage_page *usage, const struct page_origin *from, uint64_t moved)
{
    struct page_left *left = page_find_left(usage, from);
    uint64_t known = left ? atomic_load(&left->moved) : UINT64_MAX;
    while (known < moved && !atomic_compare_exchange_weak(&left->moved, &known, moved))
        continue;
}

uint64_t page_inherit(const struct page_origin *from, struct usage_page *before,
                      const struct grant_page *grant, struct usage_page *usage)
{
    enum { KNOWS_LEFT = 4 };
    const struct page_origin to = page_origin_of(grant);
    bool same = from->life == to.life && from->counter == to.counter;
    if (from->life == 0 || to.life == 0 || same)
        return 0;
    if (grant->newest < KNOWS_LEFT || from->counter == 0)
        return from->life == to.life ? 0 : page_carry(from, before);
    /* If all places are taken, the oldest count was told of long ago. */
    uint32_t first = atomic_load(&before->left[PAGE_LEFT - 1].life) != 0;
    for (uint32_t i = first; i < PAGE_LEFT; i++) {
        struct page_left *left = &before->left[i];
        const struct page_origin earlier = {atomic_load(&left->life), atomic_load(&left->counter),
                                            atomic_load(&left->told)};
        if (earlier.counter != 0)
            page_note_left(usage, &earlier, atomic_load(&left->moved));
    }
    page_note_left(usage, from, page_moved(before));
    return 0;
}
