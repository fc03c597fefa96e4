/* Random numbers that are a function of where they are used, not of when.
 *
 * Philox4x32-10 (Salmon et al., SC 2011) with (seed) as the key and (draw, index, stream) as the
 * counter: two strategies that consume a workload in different orders see the same numbers. So do
 * two machines: only + - * / and sqrt are used, never the C library's log or cos. */
#ifndef WEIR_BASE_RANDOM_H
#define WEIR_BASE_RANDOM_H

#include <stdint.h>

/* A place in the stream of draws; each draw advances `draw`. Initialise with random_at. */
struct random {
    uint64_t seed;
    uint32_t stream; /* an application */
    uint32_t index;  /* a phase of it */
    uint32_t draw;
};

struct random random_at(uint64_t seed, uint32_t stream, uint32_t index);

double random_uniform(struct random *r);                          /* in (0, 1) */
double random_between(struct random *r, double low, double high); /* in [low, high] */
double random_normal(struct random *r);                           /* mean 0, sd 1 */
double random_exponential(struct random *r);                      /* mean 1 */
uint32_t random_below(struct random *r, uint32_t n);              /* 0 .. n-1, n > 0 */

/* The generator itself: ten rounds on a counter, in place. */
void random_philox(uint32_t counter[4], const uint32_t key[2]);

#endif
