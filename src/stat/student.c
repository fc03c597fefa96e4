#include "stat/student.h"
#include "base/maths.h"
#include <math.h>
#include <stdbool.h>

static const double pi = 3.14159265358979323846;

/* From here on the asymptotic series is exact to double precision. */
enum { MANY = 1000 };

/* Abramowitz and Stegun 26.7.3 and 26.7.4: with tan(theta) = t / sqrt(freedom), a finite sum in
 * powers of cos(theta)^2. */
double student_within(double t, size_t freedom)
{
    double n = (double)freedom, root = sqrt(n + t * t);
    double sine = t / root, square = n / (n + t * t);
    bool odd = freedom % 2 == 1;
    double term = odd ? sqrt(n) / root : 1, sum = 0;
    for (size_t power = odd ? 1 : 0; power + 2 <= freedom; power += 2) {
        sum += term;
        term *= (double)(power + 1) / (double)(power + 2) * square;
    }
    return odd ? (atan(t / sqrt(n)) + sine * sum) * 2 / pi : sine * sum;
}

/* Abramowitz and Stegun 26.7.5: the normal quantile, corrected by powers of 1 / freedom. The first
 * power left out is the fifth. */
static double student_series(double confidence, double n)
{
    double x = maths_normal_quantile((1 + confidence) / 2), s = x * x;
    double first = x * (s + 1) / 4;
    double second = x * ((5 * s + 16) * s + 3) / 96;
    double third = x * (((3 * s + 19) * s + 17) * s - 15) / 384;
    double fourth = x * ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945) / 92160;
    return x + (first + (second + (third + fourth / n) / n) / n) / n;
}

double student_quantile(double confidence, size_t freedom)
{
    if (freedom >= MANY)
        return student_series(confidence, (double)freedom);
    double low = 0, high = 1;
    while (student_within(high, freedom) < confidence) {
        low = high;
        high *= 2;
    }
    for (;;) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            return middle;
        if (student_within(middle, freedom) < confidence)
            low = middle;
        else
            high = middle;
    }
}
