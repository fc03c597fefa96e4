#include "policy/fill.h"
#include <math.h>

inline double fill_level(const struct fill_part *parts, uint32_t count, double amount)
{
    double limits = 0, all = 0;
    for (uint32_t i = 0; i < count; i++) {
        limits += parts[i].most;
        all += parts[i].weight;
    }
    if (limits <= amount)
        return INFINITY;
    if (count == 1)
        return amount / all;
    /* A part that reaches its limit leaves more for the others, so the level only rises: a part
     * that is at its limit stays there, and each round but the last brings at least one more to it.
     */
    double level = amount / all, before;
    do {
        double left = amount, weights = 0;
        before = level;
        for (uint32_t i = 0; i < count; i++) {
            if (parts[i].most <= parts[i].weight * before)
                left -= parts[i].most;
            else
                weights += parts[i].weight;
        }
        /* Without weights, which only rounding can bring about, all are at their limits. */
        level = weights > 0 ? left / weights : before;
    } while (level > before);
    return level;
}
