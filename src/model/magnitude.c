#include "model/magnitude.h"

/* The upper ends 10^(n + 1/2), correctly rounded. Comparisons instead of log10, whose last bit
 * differs between C libraries. */
static const double magnitude_upper[MAGNITUDES - 1] = {
    3.16227766016837933e-12, 3.16227766016837933e-11, 3.16227766016837933e-10,
    3.16227766016837933e-9,  3.16227766016837933e-8,  3.16227766016837933e-7,
    3.16227766016837933e-6,  3.16227766016837933e-5,  3.16227766016837933e-4,
    3.16227766016837933e-3,  3.16227766016837933e-2,  3.16227766016837933e-1,
    3.16227766016837933e0,   3.16227766016837933e1,   3.16227766016837933e2,
    3.16227766016837933e3,   3.16227766016837933e4,   3.16227766016837933e5,
    3.16227766016837933e6,   3.16227766016837933e7,   3.16227766016837933e8,
    3.16227766016837933e9,   3.16227766016837933e10,  3.16227766016837933e11,
    3.16227766016837933e12,  3.16227766016837933e13,  3.16227766016837933e14,
    3.16227766016837933e15,  3.16227766016837933e16,  3.16227766016837933e17,
};

inline int magnitude_near(double seconds, int guess)
{
    int at = guess - MAGNITUDE_FIRST;
    while (at > 0 && !(seconds > magnitude_upper[at - 1]))
        at--;
    while (at < MAGNITUDES - 1 && seconds > magnitude_upper[at])
        at++;
    return at + MAGNITUDE_FIRST;
}

int magnitude_of(double seconds)
{
    return magnitude_near(seconds, 0);
}
