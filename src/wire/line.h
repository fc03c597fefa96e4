/* A limited rate as a line over time, in whole numbers, so that it is exact at any rate.
 *
 * A(t) = allowed + rate (t - since) may have been claimed by the time t. To move something, a
 * process takes a ticket after all others, used = max(used, A - burst) + amount, and starts when
 * A(t) has reached it. What is not claimed within the burst is lost, and a change of rate keeps A
 * continuous.
 *
 * Amounts are grains, a small part of a byte or of an operation; times are nanoseconds. Grains are
 * counted modulo 2^64, so only differences have a meaning, and a line can grow for ever. */
#ifndef WEIR_WIRE_LINE_H
#define WEIR_WIRE_LINE_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 line_wide;

/* Grains in a byte and in an operation. */
#define LINE_BYTE      4096u
#define LINE_OPERATION (1u << 20)

/* The highest rate of a line, in grains per second: 1e15 bytes/s. */
#define LINE_FASTEST (1e15 * LINE_BYTE)

/* No valid claim is further ahead of what is allowed than this: 1.1e15 bytes. */
#define LINE_FARTHEST (UINT64_C(1) << 62)

struct line {
    uint64_t since;   /* time */
    uint64_t allowed; /* A(since), grains */
    uint64_t rate;    /* grains per 2^30 ns; 0 = nothing more is allowed */
    uint64_t burst;   /* grains that may be claimed late */
};

/* Converts a rate in grains per second to that of a line: 0 for 0, at least 1 for anything more, at
 * most LINE_FASTEST. */
uint64_t line_rate(double rate);

/* The same in grains per second. */
double line_speed(const struct line *line);

/* A(t); A(since) before it. */
static inline uint64_t line_at(const struct line *line, uint64_t now)
{
    uint64_t time = now > line->since ? now - line->since : 0;
    return line->allowed + (uint64_t)((line_wide)line->rate * time >> 30);
}

/* How far `grains` is ahead of what is allowed now; negative = that much is unclaimed. */
static inline int64_t line_ahead(const struct line *line, uint64_t grains, uint64_t now)
{
    return (int64_t)(grains - line_at(line, now));
}

/* Takes a ticket for `amount` and returns its end. All that take tickets share `used`. */
uint64_t line_take(const struct line *line, _Atomic uint64_t *used, uint64_t amount, uint64_t now);

/* The first time at which A has reached `grains`; UINT64_MAX = never at this rate. */
uint64_t line_due(const struct line *line, uint64_t grains);

#endif
