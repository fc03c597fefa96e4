/* Decimal numbers into the nearest double, fast.
 *
 * Clinger's exact operation (PLDI 1990) where both operands are doubles, else one or two
 * multiplications by a 128-bit power of ten (Eisel and Lemire, "Number parsing at a gigabyte per
 * second", 2021). */
#ifndef WEIR_BASE_DECIMAL_H
#define WEIR_BASE_DECIMAL_H

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The double nearest to mantissa * 10^exponent, the even one of two that are equally near, as
 * strtod rounds. NAN if that cannot be told from 128 bits (a number about halfway between two
 * doubles), or if it is not a normal double. */
double decimal_value(uint64_t mantissa, int exponent);

/* The same, but NAN too while the table is not made, which decimal_value does. Inline, because
 * reading a trace does little else. */
static inline __attribute__((always_inline)) double decimal_quick(uint64_t mantissa, int exponent);

/* --- inside ----------------------------------------------------------------------------------- */

__extension__ typedef unsigned __int128 decimal_uint128;

/* Other exponents make nothing normal of 64 bits. */
enum { DECIMAL_LEAST = -327, DECIMAL_MOST = 308 };

/* (high * 2^64 + low) * 2^exponent, the highest bit set, cut off after 128 bits. */
struct decimal_power {
    uint64_t high, low;
    int exponent;
};
extern struct decimal_power decimal_powers[DECIMAL_MOST - DECIMAL_LEAST + 1];
extern atomic_bool decimal_ready; /* they are made */

/* mantissa * 2^exponent as a double, for a mantissa of 53 bits, or 2^53. */
static inline double decimal_assemble(uint64_t mantissa, int exponent)
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
struct decimal_product {
    uint64_t upper, lower;
    uint64_t rest, middle;
    int below; /* bits of the upper half that are not kept */
};

static inline struct decimal_product decimal_split(decimal_uint128 bits)
{
    struct decimal_product p = {.upper = (uint64_t)(bits >> 64), .lower = (uint64_t)bits};
    p.below = 10 + (int)(p.upper >> 63);
    p.middle = UINT64_C(1) << (p.below - 1);
    p.rest = p.upper & (2 * p.middle - 1);
    return p;
}

/* With the upper half of the power only, the product is too small by less than 1 in its upper half;
 * with both, by less than 2 in its lower half: 1 for what was cut off the power, 1 for what is left
 * out of the product. Which of two doubles is nearer is known unless the true product may be both
 * below and above their middle, or on it. */
static inline double decimal_by_power(uint64_t mantissa, int exponent)
{
    const struct decimal_power *power = &decimal_powers[exponent - DECIMAL_LEAST];
    int shift = __builtin_clzll(mantissa);
    mantissa <<= shift;
    decimal_uint128 bits = (decimal_uint128)mantissa * power->high;
    struct decimal_product p = decimal_split(bits);
    if (p.rest + 1 == p.middle || (p.rest == p.middle && p.lower == 0)) {
        p = decimal_split(bits + (uint64_t)((decimal_uint128)mantissa * power->low >> 64));
        if ((p.rest + 1 == p.middle && p.lower == UINT64_MAX) ||
            (p.rest == p.middle && p.lower == 0))
            return NAN;
    }
    uint64_t kept = (p.upper >> p.below) + (p.rest >= p.middle);
    return decimal_assemble(kept, 128 + p.below + power->exponent - shift);
}

static inline double decimal_quick(uint64_t mantissa, int exponent)
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
    if (exponent < DECIMAL_LEAST || exponent > DECIMAL_MOST ||
        !atomic_load_explicit(&decimal_ready, memory_order_acquire))
        return NAN;
    return decimal_by_power(mantissa, exponent);
}

#endif
