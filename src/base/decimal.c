#include "base/decimal.h"
#include <pthread.h>

/* --- powers of ten ---------------------------------------------------------------------------- */

struct decimal_power decimal_powers[DECIMAL_MOST - DECIMAL_LEAST + 1];
atomic_bool decimal_ready;

/* A natural number in words of 32 bits, the lowest first; 2^1024 and 5^308 fit. */
enum { NATURAL_WORDS = 33 };
struct natural {
    uint32_t words[NATURAL_WORDS];
    int count; /* the last of them is not 0 */
};

static void natural_times_5(struct natural *n)
{
    uint64_t carry = 0;
    for (int i = 0; i < n->count; i++) {
        carry += 5 * (uint64_t)n->words[i];
        n->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        n->words[n->count++] = (uint32_t)carry;
}

static void natural_over_5(struct natural *n)
{
    uint64_t rest = 0;
    for (int i = n->count - 1; i >= 0; i--) {
        rest = rest << 32 | n->words[i];
        n->words[i] = (uint32_t)(rest / 5);
        rest %= 5;
    }
    if (n->words[n->count - 1] == 0)
        n->count--;
}

/* Word i from the top, 0 below the lowest. */
static uint64_t natural_word(const struct natural *n, int i)
{
    return i < n->count ? n->words[n->count - 1 - i] : 0;
}

/* The top 128 bits of n * 2^scale. */
static struct decimal_power natural_top(const struct natural *n, int scale)
{
    int shift = __builtin_clz(n->words[n->count - 1]);
    struct decimal_power power = {.high = natural_word(n, 0) << 32 | natural_word(n, 1),
                                  .low = natural_word(n, 2) << 32 | natural_word(n, 3),
                                  .exponent = scale + 32 * n->count - shift - 128};
    if (shift > 0) {
        power.high = power.high << shift | power.low >> (64 - shift);
        power.low = power.low << shift | natural_word(n, 4) >> (32 - shift);
    }
    return power;
}

/* 10^k = 5^k * 2^k, and 10^-k = floor(2^1024 / 5^k) * 2^(-1024 - k): dividing by 5 again and again,
 * and leaving the rest each time, gives the same as dividing once by 5^k. */
static void decimal_make_powers(void)
{
    struct natural n = {.words = {1}, .count = 1};
    for (int k = 0; k <= DECIMAL_MOST; k++, natural_times_5(&n))
        decimal_powers[k - DECIMAL_LEAST] = natural_top(&n, k);
    n = (struct natural){.words = {[NATURAL_WORDS - 1] = 1}, .count = NATURAL_WORDS};
    for (int k = 1; k <= -DECIMAL_LEAST; k++) {
        natural_over_5(&n);
        decimal_powers[-k - DECIMAL_LEAST] = natural_top(&n, -1024 - k);
    }
    atomic_store_explicit(&decimal_ready, true, memory_order_release);
}

double decimal_value(uint64_t mantissa, int exponent)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, decimal_make_powers);
    return decimal_quick(mantissa, exponent);
}
