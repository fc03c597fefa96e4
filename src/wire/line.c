#include "wire/line.h"
#include <stdatomic.h>

#define SECOND 1e9
#define TURN   0x1p30 /* nanoseconds in which `rate` grains are allowed */

uint64_t line_rate(double rate)
{
    if (!(rate > 0))
        return 0;
    double grains = (rate < LINE_FASTEST ? rate : LINE_FASTEST) * (TURN / SECOND);
    return grains > 1 ? (uint64_t)(grains + 0.5) : 1;
}

double line_speed(const struct line *line)
{
    return (double)line->rate * (SECOND / TURN);
}

uint64_t line_take(const struct line *line, _Atomic uint64_t *used, uint64_t amount, uint64_t now)
{
    uint64_t least = line_at(line, now) - line->burst;
    uint64_t seen = atomic_load_explicit(used, memory_order_relaxed);
    uint64_t ticket;
    do {
        /* Others write there too: nonsense does not count, or no ticket would ever be due. */
        uint64_t ahead = seen - least;
        ticket = (ahead < LINE_FARTHEST ? seen : least) + amount;
    } while (!atomic_compare_exchange_weak_explicit(used, &seen, ticket, memory_order_relaxed,
                                                    memory_order_relaxed));
    return ticket;
}

uint64_t line_due(const struct line *line, uint64_t grains)
{
    int64_t ahead = (int64_t)(grains - line->allowed);
    if (ahead <= 0)
        return line->since;
    if (line->rate == 0)
        return UINT64_MAX;
    line_wide time = (((line_wide)ahead << 30) + line->rate - 1) / line->rate;
    return time < UINT64_MAX - line->since ? line->since + (uint64_t)time : UINT64_MAX;
}
