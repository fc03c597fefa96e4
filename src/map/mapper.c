#include "map/mapper.h"
#include "base/mem.h"
#include "base/units.h"
#include "map/method.h"
#include <stdlib.h>

const char *const map_method_names[MAP_METHODS_COUNT + 1] = {
#define X(name, text, make, help) text,
    MAP_METHODS(X)
#undef X
};

static const struct map_method_ops *const methods[MAP_METHODS_COUNT] = {
#define X(name, text, make, help) &make,
    MAP_METHODS(X)
#undef X
};

int mapper_check(const struct map_rules *rules, const struct map_jobs *jobs, struct err *err)
{
    double limit = map_allowance(jobs, rules->sensitivity, 1);
    char label[64], rate[64], most[64];
    if (rules->method != MAP_METHOD_LIST)
        return 0;
    for (uint32_t i = 0; i < jobs->count; i++)
        if (map_job_rate(&jobs->list[i]) > limit)
            return err_set(err, "job '%s' fits nowhere: it moves %s on average, a list may use %s",
                           app_label(&jobs->workload->apps[i], label, sizeof label),
                           units_print(map_job_rate(&jobs->list[i]), UNIT_RATE, rate, sizeof rate),
                           units_print(limit, UNIT_RATE, most, sizeof most));
    return 0;
}

struct mapper *mapper_new(const struct map_rules *rules, const struct map_jobs *jobs,
                          struct err *err)
{
    const struct map_method_ops *ops = methods[rules->method];
    if (mapper_check(rules, jobs, err) != 0)
        return NULL;
    struct mapper *mapper = mem_alloc(1, ops->size);
    if (!mapper) {
        err_memory(err);
        return NULL;
    }
    *mapper = (struct mapper){.ops = ops, .jobs = jobs, .rules = *rules};
    if (rules->method == MAP_METHOD_FIRST_FIT)
        mapper->rules.sensitivity = INFINITY;
    if (ops->init(mapper) != 0) {
        mapper_free(mapper);
        err_memory(err);
        return NULL;
    }
    return mapper;
}

void mapper_free(struct mapper *mapper)
{
    if (mapper)
        mapper->ops->fini(mapper);
    free(mapper);
}

void mapper_arrive(struct mapper *mapper, uint32_t job)
{
    mapper->ops->arrive(mapper, job);
}

void mapper_end(struct mapper *mapper, uint32_t job)
{
    mapper->ops->end(mapper, job);
}

bool mapper_next(struct mapper *mapper, double now, struct map_start *start)
{
    return mapper->ops->next(mapper, now, start);
}
