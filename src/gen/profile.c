#include "gen/profile.h"
#include "base/mem.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int profile_init(struct profile *profile, uint32_t nodes)
{
    *profile = (struct profile){0};
    profile->steps = mem_reserve(NULL, &profile->capacity, 1, sizeof *profile->steps);
    if (!profile->steps)
        return -1;
    profile->steps[profile->count++] = (struct profile_step){0, nodes};
    return 0;
}

void profile_fini(struct profile *profile)
{
    free(profile->steps);
    *profile = (struct profile){0};
}

/* The step that contains a time. */
static size_t step_at(const struct profile *profile, double time)
{
    size_t low = 0, high = profile->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (profile->steps[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double profile_fit(const struct profile *profile, double from, uint32_t nodes, double length)
{
    double start = from;
    for (size_t i = step_at(profile, from); i < profile->count; i++) {
        const struct profile_step *step = &profile->steps[i];
        if (step->free < nodes)
            start = INFINITY; /* it cannot begin before the next step */
        else if (isinf(start))
            start = step->time;
        if (i + 1 == profile->count || profile->steps[i + 1].time >= start + length)
            break;
    }
    return start;
}

/* Makes a step begin at this time, and returns its index. The caller has reserved room for it. */
static size_t profile_split(struct profile *profile, double time)
{
    size_t i = step_at(profile, time);
    if (profile->steps[i].time == time)
        return i;
    memmove(&profile->steps[i + 1], &profile->steps[i],
            (profile->count - i) * sizeof *profile->steps);
    profile->steps[i + 1].time = time;
    profile->count++;
    return i + 1;
}

int profile_take(struct profile *profile, double start, double end, uint32_t nodes)
{
    struct profile_step *steps =
        mem_reserve(profile->steps, &profile->capacity, profile->count + 2, sizeof *steps);
    if (!steps)
        return -1;
    profile->steps = steps;
    size_t first = profile_split(profile, start), last = profile_split(profile, end);
    for (size_t i = first; i < last; i++) {
        assert(steps[i].free >= nodes);
        steps[i].free -= nodes;
    }
    return 0;
}
