#include "model/limit.h"
#include <string.h>

static void limit_take(struct allowance *into, const struct limit *limit)
{
    if (limit->bandwidth > 0)
        into->bandwidth = limit->bandwidth;
    if (limit->weight > 0)
        into->weight = limit->weight;
}

struct allowance limits_of_name(const struct limits *limits, const char *name)
{
    struct allowance all = {0}, own = {0};
    for (uint32_t i = 0; i < limits->count; i++) {
        const struct limit *limit = &limits->list[i];
        if (limit->by_user)
            continue;
        if (!*limit->name)
            limit_take(&all, limit);
        else if (strcmp(limit->name, name) == 0)
            limit_take(&own, limit);
    }
    return (struct allowance){own.bandwidth > 0 ? own.bandwidth : all.bandwidth,
                              own.weight > 0 ? own.weight : all.weight};
}

struct allowance limits_of_user(const struct limits *limits, const char *user)
{
    struct allowance own = {0};
    for (uint32_t i = 0; user && i < limits->count; i++)
        if (limits->list[i].by_user && strcmp(limits->list[i].user, user) == 0)
            limit_take(&own, &limits->list[i]);
    return own;
}

double limits_alone(double nodes, double own, double of_user)
{
    if (own > 0 && own < nodes)
        nodes = own;
    return of_user > 0 && of_user < nodes ? of_user : nodes;
}
