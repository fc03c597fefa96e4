#include "plan/periods.h"
#include "base/mem.h"
#include "plan/bound.h"
#include <math.h>
#include <stdlib.h>

/* The most multiples of one w + tio, and the most instances in a pattern. */
enum { MULTIPLES = 2000, INSTANCES = 400000 };
/* The published sweep is affordable up to this many instances in all of its periods, of which there
 * are some 230 unless other steps are asked for. */
static const double sweep_instances = 4e6;

double periods_bound(const struct tasks *tasks, const uint32_t *by_value,
                     enum plan_objective objective, double length)
{
    if (objective == PLAN_SYS_EFFICIENCY)
        return bounds_period(tasks, by_value, length) / length;
    /* An application has at most as many whole instances as fit; and all share the bandwidth. */
    double bound = 1, load = 0;
    for (uint32_t i = 0; i < tasks->count; i++) {
        const struct task *task = &tasks->list[i];
        double alone = task->work + task->io;
        bound = fmin(bound, floor(length / alone * (1 + 1e-12)) * alone / length);
        load += task->volume / (alone * tasks->bandwidth);
    }
    return fmin(bound, load > 1 ? 1 / load : 1);
}

double periods_instances(const struct tasks *tasks, double length)
{
    double sum = 0;
    for (uint32_t i = 0; i < tasks->count; i++)
        sum += length / (tasks->list[i].work + tasks->list[i].io);
    return sum;
}

static int periods_add(struct periods *periods, double length)
{
    void *grown =
        mem_reserve(periods->list, &periods->capacity, periods->count + 1, sizeof(*periods->list));
    if (!grown)
        return -1;
    periods->list = grown;
    periods->list[periods->count++].length = length;
    return 0;
}

static int periods_add_multiples(struct periods *periods, double of, double shortest,
                                 double longest)
{
    double first = ceil(shortest / of * (1 - 1e-12)), last = floor(longest / of);
    /* Of a short application there may be millions: then every second, third, ... multiple. */
    double stride = floor((last - first) / MULTIPLES) + 1;
    for (double k = first; k <= last; k += stride)
        /* A little more than the multiple: rounding must not keep the last instance out. */
        if (periods_add(periods, k * of * (1 + 1e-9)))
            return -1;
    return 0;
}

/* Applications of one kind have the same multiples. */
static bool periods_seen_before(const struct tasks *tasks, uint32_t index)
{
    double own = tasks->list[index].work + tasks->list[index].io;
    for (uint32_t i = 0; i < index; i++)
        if (tasks->list[i].work + tasks->list[i].io == own)
            return true;
    return false;
}

/* The most promising first, so that a search that ends early has tried the best ones. */
static int periods_by_bound(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->bound != y->bound)
        return x->bound > y->bound ? -1 : 1;
    return (x->length > y->length) - (x->length < y->length);
}

int periods_init(struct periods *periods, const struct tasks *tasks, const uint32_t *by_value,
                 const struct persched *options, double shortest)
{
    *periods = (struct periods){0};
    double rate = periods_instances(tasks, 1), published = options->max_factor * shortest;
    double longest = fmax(shortest, fmin(2 * published, INSTANCES / rate));
    /* The lengths of the periods are a geometric series. */
    periods->sweepable = published * rate / options->epsilon <= sweep_instances;
    /* Between multiples, patterns of applications with incommensurable periods may fit better. */
    for (double length = shortest; length <= longest; length *= 1 + options->epsilon)
        if (periods_add(periods, length))
            return -1;
    for (uint32_t i = 0; i < tasks->count; i++) {
        double of = tasks->list[i].work + tasks->list[i].io;
        if (!periods_seen_before(tasks, i) && periods_add_multiples(periods, of, shortest, longest))
            return -1;
    }
    for (size_t i = 0; i < periods->count; i++) {
        struct candidate *period = &periods->list[i];
        period->bound = periods_bound(tasks, by_value, options->objective, period->length);
    }
    qsort(periods->list, periods->count, sizeof(*periods->list), periods_by_bound);
    return 0;
}

void periods_fini(struct periods *periods)
{
    free(periods->list);
    *periods = (struct periods){0};
}
