#include "client/bucket.h"

/* Nobody is so far ahead of what is allowed: tickets of all threads of a machine are less. */
#define FARTHEST 1e15

struct bucket bucket_of_bytes(const struct page_grant *grant)
{
    return (struct bucket){grant->since, grant->allowed, grant->rate, grant->burst};
}

struct bucket bucket_of_operations(const struct page_grant *grant)
{
    return (struct bucket){grant->ops_since, grant->ops_allowed, grant->ops_rate, grant->ops_burst};
}

static double allowed_at(const struct bucket *bucket, uint64_t now)
{
    return page_line_at(bucket->allowed, bucket->rate, bucket->since, now);
}

double bucket_take(const struct bucket *bucket, _Atomic uint64_t *used, double amount, uint64_t now)
{
    double least = allowed_at(bucket, now) - bucket->burst;
    uint64_t seen = atomic_load_explicit(used, memory_order_relaxed);
    double ticket;
    do {
        /* Other processes write there too: nonsense starts anew, or nobody would ever be due. */
        double taken = page_number(seen);
        ticket = (taken > least && taken < least + FARTHEST ? taken : least) + amount;
    } while (!atomic_compare_exchange_weak_explicit(used, &seen, page_bits(ticket),
                                                    memory_order_relaxed, memory_order_relaxed));
    return ticket;
}

void bucket_settle(_Atomic uint64_t *used, double unmoved)
{
    uint64_t seen = atomic_load_explicit(used, memory_order_relaxed);
    double left;
    do {
        left = page_number(seen) - unmoved;
        left = left > 0 ? left : 0;
    } while (!atomic_compare_exchange_weak_explicit(used, &seen, page_bits(left),
                                                    memory_order_relaxed, memory_order_relaxed));
}

bool bucket_is_due(const struct bucket *bucket, double ticket, uint64_t now)
{
    return !(ticket > allowed_at(bucket, now));
}

uint64_t bucket_due(const struct bucket *bucket, double ticket)
{
    double wait = (ticket - bucket->allowed) / bucket->rate * 1e9;
    if (!(wait < 0x1p62))
        return UINT64_MAX;
    /* One more, so that rounding cannot make a sleeper wake before it is due. */
    return bucket->since + (uint64_t)(wait > 0 ? wait : 0) + 1;
}
