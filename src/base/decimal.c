#include "base/decimal.h"
#include <math.h>
#include <pthread.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128;

/* --- powers of ten ---------------------------------------------------------------------------- */

/* Other exponents make nothing normal of 64 bits. */
enum { LEAST_EXPONENT = -327, MOST_EXPONENT = 308 };

/* (high * 2^64 + low) * 2^exponent, the highest bit set, cut off after 128 bits. */
struct power {
    uint64_t high, low;
    int exponent;
};

static struct power powers[MOST_EXPONENT - LEAST_EXPONENT + 1];

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
static struct power natural_top(const struct natural *n, int scale)
{
    int shift = __builtin_clz(n->words[n->count - 1]);
    struct power power = {.high = natural_word(n, 0) << 32 | natural_word(n, 1),
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
    for (int k = 0; k <= MOST_EXPONENT; k++, natural_times_5(&n))
        powers[k - LEAST_EXPONENT] = natural_top(&n, k);
    n = (struct natural){.words = {[NATURAL_WORDS - 1] = 1}, .count = NATURAL_WORDS};
    for (int k = 1; k <= -LEAST_EXPONENT; k++) {
        natural_over_5(&n);
        powers[-k - LEAST_EXPONENT] = natural_top(&n, -1024 - k);
    }
}

/* --- rounding --------------------------------------------------------------------------------- */

/* mantissa * 2^exponent as a double, for a mantissa of 53 bits, or 2^53. */
static double decimal_assemble(uint64_t mantissa, int exponent)
{
    enum { MANTISSA_BITS = 52, BIAS = 1023 };
    int biased = exponent + MANTISSA_BITS + BIAS;
    if (biased < 1 || biased > 2 * BIAS)
        return NAN;
    /* The highest bit of the mantissa adds 1 to the exponent; 2^53 adds 2, and leaves a 1.0. */
    uint64_t bits = ((uint64_t)(biased - 1) << MANTISSA_BITS) + mantissa;
    double value;
    memcpy(&value, &bits, sizeof bits);
    return value < INFINITY ? value : NAN;
}

/* A product of 192 bits, of which the lowest 64 are left out. 53 bits of the upper half, which has
 * 63 or 64, are to be kept; the middle between two doubles is at rest = middle, lower = 0. */
struct product {
    uint64_t upper, lower;
    uint64_t rest, middle;
    int below; /* bits of the upper half that are not kept */
};

static struct product decimal_split(uint128 bits)
{
    struct product p = {.upper = (uint64_t)(bits >> 64), .lower = (uint64_t)bits};
    p.below = 10 + (int)(p.upper >> 63);
    p.middle = UINT64_C(1) << (p.below - 1);
    p.rest = p.upper & (2 * p.middle - 1);
    return p;
}

/* With the upper half of the power only, the product is too small by less than 1 in its upper half;
 * with both, by less than 2 in its lower half: 1 for what was cut off the power, 1 for what is left
 * out of the product. Which of two doubles is nearer is known unless the true product may be both
 * below and above their middle, or on it. */
static double decimal_by_power(uint64_t mantissa, int exponent)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, decimal_make_powers);
    const struct power *power = &powers[exponent - LEAST_EXPONENT];
    int shift = __builtin_clzll(mantissa);
    mantissa <<= shift;
    uint128 bits = (uint128)mantissa * power->high;
    struct product p = decimal_split(bits);
    if (p.rest + 1 == p.middle || (p.rest == p.middle && p.lower == 0)) {
        p = decimal_split(bits + (uint64_t)((uint128)mantissa * power->low >> 64));
        if ((p.rest + 1 == p.middle && p.lower == UINT64_MAX) ||
            (p.rest == p.middle && p.lower == 0))
            return NAN;
    }
    uint64_t kept = (p.upper >> p.below) + (p.rest >= p.middle);
    return decimal_assemble(kept, 128 + p.below + power->exponent - shift);
}

double decimal_value(uint64_t mantissa, int exponent)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    /* Both operands are exact, so the one operation rounds correctly. */
    if (mantissa <= UINT64_C(1) << 53 && exponent >= -22 && exponent <= 22) {
        double exact = (double)(int64_t)mantissa;
        return exponent < 0 ? exact / tens[-exponent] : exact * tens[exponent];
    }
    if (mantissa == 0)
        return 0;
    if (exponent < LEAST_EXPONENT || exponent > MOST_EXPONENT)
        return NAN;
    return decimal_by_power(mantissa, exponent);
}
