/* Draws that the families share, and where in the random stream they are made. */
#ifndef WEIR_GEN_DRAW_H
#define WEIR_GEN_DRAW_H

#include "base/random.h"
#include "model/scenario.h"
#include <stdint.h>

/* In place of an application: what is drawn once for all of them. */
#define DRAW_SHARED UINT32_MAX

/* Where a family draws what concerns one application. Its phases are drawn elsewhere, so that the
 * noise of a scenario does not repeat the numbers that made it. */
struct random draw_at(uint64_t seed, uint32_t app);

/* A whole number from low to high, both included and equally likely. */
uint32_t draw_whole(struct random *random, uint32_t low, uint32_t high);

/* A value of the distribution within its bounds; bounds that are hardly ever met are not waited
 * for: the last draw is moved to the nearer one. */
double draw_value(const struct distribution *distribution, struct random *random);

/* Changes at 0, `every`, ... with values between the quantiles, after which they repeat. */
struct health draw_health(const struct health *health, struct health_change *changes,
                          uint32_t count, uint64_t seed);

/* The mean of a normal distribution once it is kept to its bounds, which are finite and not much
 * further apart than 100 standard deviations; to at least six digits. */
double draw_mean(const struct distribution *normal);

/* One of the two powers of two around `mean`, which is at least 1, with this mean. */
double draw_power(struct random *random, double mean);

/* One of 2^0 to 2^most, 2^j in proportion to r^j, with the r that gives this mean. */
double draw_spread_power(struct random *random, double mean, int most);

#endif
