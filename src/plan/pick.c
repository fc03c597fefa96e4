#include "plan/pick.h"
#include <math.h>

/* The published rule: the least n (w + tio) / T, by more than a tolerance; among equals the largest
 * w / tio (the paper's listing says the smallest, its program takes the largest). Equal means to
 * the bit, as in the program: an application that has less by less than the tolerance is passed
 * over. */
static uint32_t pick_weakest(const struct pattern *pattern)
{
    uint32_t best = PICK_NONE;
    double least = INFINITY, most = 0;
    for (uint32_t app = 0; app < pattern->tasks->count; app++) {
        const struct task *task = &pattern->tasks->list[app];
        if (pattern->apps[app].closed)
            continue;
        double done =
            pattern->apps[app].instances * (task->work + task->io) / pattern->rules.period;
        double shape = task->work / task->io;
        if (done < least - RIBBON_SAME || (done == least && shape > most + RIBBON_SAME)) {
            best = app;
            least = done;
            most = shape;
        }
    }
    return best;
}

/* Every application once; then the one whose bytes let most nodes work for longest, which is the
 * order that fills the knapsack of bounds_period. Among equals, the one that has had least goes
 * first, or with `sequential` each is finished before the next. */
static uint32_t pick_densest(const struct pattern *pattern, bool sequential)
{
    uint32_t best = PICK_NONE;
    double most = -1, least = INFINITY;
    for (uint32_t app = 0; app < pattern->tasks->count; app++) {
        const struct task *task = &pattern->tasks->list[app];
        const struct pattern_app *own = &pattern->apps[app];
        if (own->closed)
            continue;
        double value = own->instances ? task->nodes * task->work / task->volume : INFINITY;
        double done = own->instances * (task->work + task->io);
        /* Applications of one kind differ in rounding only. */
        bool same = value == most || fabs(value - most) <= 1e-9 * value;
        if (same ? !sequential && done < least : value > most) {
            best = app;
            most = value;
            least = done;
        }
    }
    return best;
}

uint32_t pick_next(const struct pattern *pattern)
{
    if (pattern->rules.pick == PATTERN_WEAKEST)
        return pick_weakest(pattern);
    return pick_densest(pattern, pattern->rules.pick == PATTERN_SEQUENTIAL);
}
