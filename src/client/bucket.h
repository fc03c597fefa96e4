/* The token bucket that all processes and threads of an application share: tickets on a line A(t)
 * of the grant page, counted in the usage page by compare-and-swap. No clock and no waiting. */
#ifndef WEIR_CLIENT_BUCKET_H
#define WEIR_CLIENT_BUCKET_H

#include "wire/page.h"

struct bucket {
    uint64_t since;
    double allowed, rate, burst;
};

struct bucket bucket_of_bytes(const struct page_grant *grant);
struct bucket bucket_of_operations(const struct page_grant *grant);

/* Takes a ticket for `amount` and returns it: its owner may go when A(t) >= ticket. What nobody
 * claimed within the burst is lost. */
double bucket_take(const struct bucket *bucket, _Atomic uint64_t *used, double amount,
                   uint64_t now);

/* So many less than its tickets say were moved, or, below 0, more. */
void bucket_settle(_Atomic uint64_t *used, double unmoved);

bool bucket_is_due(const struct bucket *bucket, double ticket, uint64_t now);

/* The first date at which the ticket is due; UINT64_MAX = never at this rate. */
uint64_t bucket_due(const struct bucket *bucket, double ticket);

#endif
