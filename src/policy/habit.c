#include "policy/habit.h"
#include <math.h>

void habit_add(struct habit *habit, struct iterated one)
{
    habit->last[habit->count++ % HABIT_MOST] = one;
}

struct iterated habit_mean(const struct habit *habit, uint32_t least)
{
    struct iterated mean = {0};
    for (uint32_t i = 1; i <= least; i++) {
        const struct iterated *one = &habit->last[(habit->count - i) % HABIT_MOST];
        mean.work += one->work / least;
        mean.volume += one->volume / least;
    }
    return mean;
}

bool habit_is_like(struct iterated a, struct iterated b, double bmax, double part)
{
    return fabs(a.work - b.work) <= part * (a.work + a.volume / bmax) &&
           fabs(a.volume - b.volume) <= part * a.volume;
}

bool habit_is_steady(const struct habit *habit, uint32_t least, double bmax, double part)
{
    if (habit->count < least)
        return false;
    struct iterated mean = habit_mean(habit, least);
    bool steady = mean.work > 0 && mean.volume > 0;
    for (uint32_t i = 1; i <= least && steady; i++)
        steady = habit_is_like(mean, habit->last[(habit->count - i) % HABIT_MOST], bmax, part);
    return steady;
}
