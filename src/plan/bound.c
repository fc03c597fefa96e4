#include "plan/bound.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>

/* What a byte is worth: node-seconds of work that it allows. */
static double bound_value(const struct task *task)
{
    return task->nodes * task->work / task->volume;
}

/* Insertion sort is stable: equal applications keep their order. */
void bounds_order(const struct tasks *tasks, uint32_t *by_value)
{
    for (uint32_t i = 0; i < tasks->count; i++) {
        uint32_t to = i;
        for (; to > 0 && bound_value(&tasks->list[by_value[to - 1]]) < bound_value(&tasks->list[i]);
             to--)
            by_value[to] = by_value[to - 1];
        by_value[to] = i;
    }
}

/* A fractional knapsack: the bytes that the file system can move in a period, filled with
 * instances, the most valuable first. `whole` allows no more of each than whole instances fit in
 * the period; the last one may still be a fraction, which keeps the result a bound and the greedy
 * order optimal. */
static double bound_fill(const struct tasks *tasks, const uint32_t *by_value, double period,
                         bool whole)
{
    double bytes = tasks->bandwidth * period, sum = 0;
    for (uint32_t i = 0; i < tasks->count; i++) {
        const struct task *task = &tasks->list[by_value[i]];
        double most = period / (task->work + task->io);
        if (whole)
            most = floor(most * (1 + 1e-12));
        double taken = fmin(most, bytes / task->volume);
        sum += taken * task->nodes * task->work;
        bytes -= taken * task->volume;
    }
    return sum / tasks->nodes;
}

double bounds_period(const struct tasks *tasks, const uint32_t *by_value, double period)
{
    return bound_fill(tasks, by_value, period, true);
}

int bounds_compute(const struct tasks *tasks, struct plan_bounds *bounds)
{
    uint32_t *by_value = mem_alloc(tasks->count, sizeof(*by_value));
    if (!by_value)
        return -1;
    bounds_order(tasks, by_value);
    double alone = 0, load = 0;
    for (uint32_t i = 0; i < tasks->count; i++) {
        const struct task *task = &tasks->list[i];
        alone += task->nodes * task->work / (task->work + task->io);
        load += task->volume / ((task->work + task->io) * tasks->bandwidth);
    }
    bounds->sys_efficiency = alone / tasks->nodes;
    bounds->sys_efficiency_bandwidth = bound_fill(tasks, by_value, 1, false);
    /* All slower by D, they move load B / D bytes per second, of which B is the most. */
    bounds->dilation_bandwidth = fmax(1, load);
    free(by_value);
    return 0;
}
