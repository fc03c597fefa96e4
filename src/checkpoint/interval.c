#include "checkpoint/interval.h"
#include "base/maths.h"
#include <math.h>

double interval_young(double cost, double between)
{
    return sqrt(2 * cost * between);
}

double interval_daly(double cost, double between)
{
    double part = cost / (2 * between), root = sqrt(part);
    if (cost >= 2 * between)
        return between;
    return interval_young(cost, between) * (1 + root / 3 + part / 9) - cost;
}

/* e^x - 1 without the loss of digits where x is small. */
static double interval_grown(double x)
{
    return x < 1e-4 ? x * (1 + x / 2 * (1 + x / 3)) : maths_exp(x) - 1;
}

double interval_expected(const struct failures *failures, double work, double interval, double cost)
{
    double between = failures->between;
    if (!(interval > 0))
        return INFINITY;
    double grown = interval_grown((interval + cost) / between);
    return between * maths_exp(failures->restart / between) * grown * (work / interval);
}

double interval_count(double work, double interval)
{
    double count = ceil(work / interval * (1 - 1e-12));
    return count < 1 ? 1 : count;
}

double interval_expected_whole(const struct failures *failures, double work, double interval,
                               double cost)
{
    double between = failures->between;
    if (!(interval > 0))
        return INFINITY;
    double whole = interval_count(work, interval) - 1;
    double grown = interval_grown((work - whole * interval + cost) / between);
    if (whole > 0)
        grown += whole * interval_grown((interval + cost) / between);
    return between * maths_exp(failures->restart / between) * grown;
}

double interval_best(const struct failures *failures, double cost)
{
    /* The logarithm of the time is convex in tau: d/dtau is 0 where e^-(tau + C)/M = 1 - tau/M. */
    double low = 0, high = failures->between;
    for (int i = 0; i < 200 && high - low > 1e-12 * high; i++) {
        double middle = (low + high) / 2;
        if (maths_exp(-(middle + cost) / failures->between) > 1 - middle / failures->between)
            high = middle;
        else
            low = middle;
    }
    return (low + high) / 2;
}
