/* Decimal numbers into the nearest double, fast.
 *
 * Clinger's exact operation (PLDI 1990) where both operands are doubles, else one or two
 * multiplications by a 128-bit power of ten (Eisel and Lemire, "Number parsing at a gigabyte per
 * second", 2021). */
#ifndef WEIR_BASE_DECIMAL_H
#define WEIR_BASE_DECIMAL_H

#include <stdint.h>

/* The double nearest to mantissa * 10^exponent, the even one of two that are equally near, as
 * strtod rounds. NAN if that cannot be told from 128 bits (a number about halfway between two
 * doubles), or if it is not a normal double. */
double decimal_value(uint64_t mantissa, int exponent);

#endif
