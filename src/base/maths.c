#include "base/maths.h"
#include <math.h>

/* ln 2 in two parts; the first has so few bits that its product with an exponent is exact. */
static const double ln2_high = 0x1.62e42feep-1;
static const double ln2_low = 0x1.a39ef35793c76p-33;

/* Only exact functions of the C library are used below: frexp, ldexp, floor, sqrt. */

double maths_log(double x)
{
    if (x != x || x == INFINITY)
        return x;
    if (x <= 0)
        return x < 0 ? NAN : -INFINITY;
    int exponent;
    double mantissa = frexp(x, &exponent);
    if (mantissa < 0.70710678118654752) {
        mantissa *= 2;
        exponent--;
    }
    /* With s = f/(2+f): log(1+f) = 2 atanh s = 2s + sR, R = 2(s^2/3 + s^4/5 + ...), and since
     * 2s = f - sf this is f - s(f - R), whose leading term is exact. s^2 < 0.0295, so the first
     * term left out of the series is below 2^-60. */
    double f = mantissa - 1, s = f / (2 + f), z = s * s, r = 0;
    for (int n = 23; n >= 3; n -= 2)
        r = z * (r + 2.0 / n);
    return exponent * ln2_high + (f - (s * (f - r) - exponent * ln2_low));
}

double maths_exp(double x)
{
    if (x != x)
        return x;
    if (x > 710)
        return INFINITY;
    if (x < -746)
        return 0;
    double k = floor(x * 1.4426950408889634 + 0.5);
    double high = x - k * ln2_high, low = k * ln2_low, r = high - low;
    /* The tail of the Taylor series, (e^r - 1 - r) / r^2, with |r| < 0.347: the first term left
     * out is below 2^-58. */
    double tail = 1;
    for (int n = 15; n > 2; n--)
        tail = 1 + tail * r / n;
    return ldexp(1 + (high - (low - r * r * tail / 2)), (int)k);
}

/* Quotient of two polynomials of degree 7, coefficients from the constant term on. */
static double maths_divide(const double *above, const double *below, double x)
{
    double n = above[7], d = below[7];
    for (int i = 6; i >= 0; i--) {
        n = n * x + above[i];
        d = d * x + below[i];
    }
    return n / d;
}

/* The published coefficients: for |p - 1/2| <= 0.425, then by r = sqrt(-log min(p, 1-p)) up to 5,
 * and beyond. */
static const double centre_above[] = {3.3871328727963666080e0,  1.3314166789178437745e+2,
                                      1.9715909503065514427e+3, 1.3731693765509461125e+4,
                                      4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                      3.3430575583588128105e+4, 2.5090809287301226727e+3};
static const double centre_below[] = {1.0,
                                      4.2313330701600911252e+1,
                                      6.8718700749205790830e+2,
                                      5.3941960214247511077e+3,
                                      2.1213794301586595867e+4,
                                      3.9307895800092710610e+4,
                                      2.8729085735721942674e+4,
                                      5.2264952788528545610e+3};
static const double tail_above[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                    5.76949722146069140550e0,  3.64784832476320460504e0,
                                    1.27045825245236838258e0,  2.41780725177450611770e-1,
                                    2.27238449892691845833e-2, 7.74545014278341407640e-4};
static const double tail_below[] = {1.0,
                                    2.05319162663775882187e0,
                                    1.67638483018380384940e0,
                                    6.89767334985100004550e-1,
                                    1.48103976427480074590e-1,
                                    1.51986665636164571966e-2,
                                    5.47593808499534494600e-4,
                                    1.05075007164441684324e-9};
static const double far_above[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                   1.78482653991729133580e0,  2.96560571828504891230e-1,
                                   2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                   2.71155556874348757815e-5, 2.01033439929228813265e-7};
static const double far_below[] = {1.0,
                                   5.99832206555887937690e-1,
                                   1.36929880922735805310e-1,
                                   1.48753612908506148525e-2,
                                   7.86869131145613259100e-4,
                                   1.84631831751005468180e-5,
                                   1.42151175831644588870e-7,
                                   2.04426310338993978564e-15};

double maths_normal_quantile(double p)
{
    double q = p - 0.5;
    if (q > -0.425 && q < 0.425)
        return q * maths_divide(centre_above, centre_below, 0.180625 - q * q);
    double r = sqrt(-maths_log(q < 0 ? p : 1 - p));
    double x = r <= 5 ? maths_divide(tail_above, tail_below, r - 1.6)
                      : maths_divide(far_above, far_below, r - 5);
    return q < 0 ? -x : x;
}
