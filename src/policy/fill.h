/* Water filling: an amount divided by weights, with a limit for each part. What a part cannot use
 * goes to the others, by the same weights. */
#ifndef WEIR_POLICY_FILL_H
#define WEIR_POLICY_FILL_H

#include <stdint.h>

struct fill_part {
    double weight; /* > 0 */
    double most;
};

/* The level at which the parts, min(most, weight * level) each, add up to the amount; INFINITY if
 * the limits do not. O(n) per round of limits that are reached, usually few. */
double fill_level(const struct fill_part *parts, uint32_t count, double amount);

#endif
