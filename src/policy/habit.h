/* What an application repeats: its last iterations, as far as they are alike. */
#ifndef WEIR_POLICY_HABIT_H
#define WEIR_POLICY_HABIT_H

#include <stdbool.h>
#include <stdint.h>

/* The most iterations that are remembered. */
enum { HABIT_MOST = 8 };

struct iterated {
    double work;   /* seconds, */
    double volume; /* and bytes */
};

/* A zeroed habit has seen nothing. */
struct habit {
    struct iterated last[HABIT_MOST]; /* a ring */
    uint32_t count;                   /* in all */
};

void habit_add(struct habit *habit, struct iterated one);

/* The mean of the last `least` iterations, of which there must be as many. */
struct iterated habit_mean(const struct habit *habit, uint32_t least);

/* Whether two iterations are the same application's: their work differs by at most `part` of the
 * first one's ideal length, their volumes by at most `part`. */
bool habit_is_like(struct iterated a, struct iterated b, double bmax, double part);

/* Whether the last `least` iterations, at most HABIT_MOST, exist and are all like their mean. */
bool habit_is_steady(const struct habit *habit, uint32_t least, double bmax, double part);

#endif
