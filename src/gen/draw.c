#include "gen/draw.h"
#include "base/maths.h"
#include <math.h>

struct random draw_at(uint64_t seed, uint32_t app)
{
    return random_at(seed, app, UINT32_MAX);
}

uint32_t draw_whole(struct random *random, uint32_t low, uint32_t high)
{
    return low + random_below(random, high - low + 1);
}

static double draw_once(const struct distribution *d, struct random *random)
{
    switch (d->kind) {
    case DIST_UNIFORM:
        return random_between(random, d->min, d->max);
    case DIST_NORMAL:
        return d->mean + d->sd * random_normal(random);
    case DIST_LOGNORMAL: {
        double ratio = d->sd / d->mean, variance = maths_log(1 + ratio * ratio);
        double mean = maths_log(d->mean) - variance / 2;
        return maths_exp(mean + sqrt(variance) * random_normal(random));
    }
    case DIST_EXPONENTIAL:
        return d->mean * random_exponential(random);
    default:
        return d->mean;
    }
}

double draw_value(const struct distribution *d, struct random *random)
{
    enum { TRIES = 1000 };
    if (d->kind == DIST_CONSTANT)
        return d->mean;
    double value = draw_once(d, random);
    for (int i = 1; i < TRIES && !(value >= d->min && value <= d->max); i++)
        value = draw_once(d, random);
    return fmin(fmax(value, d->min), d->max);
}

static double draw_density(double x)
{
    static const double sqrt_two_pi = 2.5066282746310002;
    return maths_exp(-x * x / 2) / sqrt_two_pi;
}

/* The probability of lying between two values, by Simpson's rule. */
static double mass_between(double low, double high)
{
    enum { STEPS = 1000 };
    double sum = 0;
    for (int k = 0; k <= STEPS; k++) {
        double x = low + (high - low) * k / STEPS;
        sum += draw_density(x) * (k == 0 || k == STEPS ? 1 : k % 2 ? 4 : 2);
    }
    return sum * (high - low) / (3 * STEPS);
}

double draw_mean(const struct distribution *normal)
{
    double low = (normal->min - normal->mean) / normal->sd;
    double high = (normal->max - normal->mean) / normal->sd;
    return normal->mean +
           normal->sd * (draw_density(low) - draw_density(high)) / mass_between(low, high);
}

double draw_power(struct random *random, double mean)
{
    double power = 1;
    while (2 * power <= mean)
        power *= 2;
    return random_uniform(random) < (mean - power) / power ? 2 * power : power;
}

/* The mean of 2^j, j = 0..most, if each is drawn in proportion to r^j. */
static double draw_spread_mean(double r, int most)
{
    double weight = 1, power = 1, sum = 0, total = 0;
    for (int j = 0; j <= most; j++, weight *= r, power *= 2) {
        sum += weight * power;
        total += weight;
    }
    return sum / total;
}

double draw_spread_power(struct random *random, double mean, int most)
{
    double low = 0, high = 1;
    while (draw_spread_mean(high, most) < mean && high < 0x1p20)
        high *= 2;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        *(draw_spread_mean(middle, most) < mean ? &low : &high) = middle;
    }
    double weight = 1, power = 1, total = 0;
    for (int j = 0; j <= most; j++, weight *= high)
        total += weight;
    double at = random_uniform(random) * total;
    weight = 1;
    for (int j = 0; j < most && at >= weight; j++, weight *= high, power *= 2)
        at -= weight;
    return power;
}

/* The quantile of a probability: linear between those that are known. */
static double draw_quantile(const double *quantiles, double probability)
{
    int i = 1;
    while (i + 1 < HEALTH_QUANTILES && probability > health_levels[i])
        i++;
    double part = (probability - health_levels[i - 1]) / (health_levels[i] - health_levels[i - 1]);
    return quantiles[i - 1] + part * (quantiles[i] - quantiles[i - 1]);
}

struct health draw_health(const struct health *health, struct health_change *changes,
                          uint32_t count, uint64_t seed)
{
    for (uint32_t i = 0; i < count; i++) {
        struct random random = random_at(seed, DRAW_SHARED, i);
        changes[i].at = i * health->every;
        changes[i].factor = draw_quantile(health->quantiles, random_uniform(&random));
    }
    return (struct health){.changes = changes, .count = count, .period = count * health->every};
}
