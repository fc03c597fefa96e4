#include "bound/optimum_failures.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Failed states are in sets of a few by their time. */
enum { SET_BITS = 14, SETS = 1 << SET_BITS, WAYS = 4 };

struct optimum_trace {
    double progress; /* see optimum_progress */
    uint64_t after;
};

struct optimum_failure {
    double now;
    bool used;
    struct optimum_trace traces[]; /* by application */
};

/* The set of failed states at this time. */
static char *failures_set(const struct optimum_failures *failures, double now)
{
    uint64_t key =
        (uint64_t)(now / (16 * failures->states->instant)) * UINT64_C(0x9E3779B97F4A7C15);
    size_t set = key >> (64 - SET_BITS);
    return failures->bytes + set * WAYS * failures->size;
}

static struct optimum_failure *failures_way(const struct optimum_failures *failures, char *set,
                                            uint64_t way)
{
    return (struct optimum_failure *)(void *)(set + way * failures->size);
}

static struct optimum_trace failures_trace(const struct optimum_states *states, uint32_t id)
{
    const struct optimum_place *place = &optimum_places(states)[id];
    double now = optimum_level(states)->now;
    return (struct optimum_trace){optimum_progress(states, place, id, now),
                                  place->active ? place->after : 0};
}

bool failures_include(const struct optimum_failures *failures)
{
    const struct optimum_states *states = failures->states;
    double now = optimum_level(states)->now;
    char *set = failures_set(failures, now);
    for (uint64_t way = 0; way < WAYS; way++) {
        const struct optimum_failure *failure = failures_way(failures, set, way);
        bool worse = failure->used && fabs(failure->now - now) <= states->instant;
        for (uint32_t id = 0; worse && id < states->count; id++) {
            struct optimum_trace own = failures_trace(states, id), failed = failure->traces[id];
            worse =
                own.progress <= failed.progress + states->instant && !(failed.after & ~own.after);
        }
        if (worse)
            return true;
    }
    return false;
}

void failures_add(struct optimum_failures *failures)
{
    const struct optimum_states *states = failures->states;
    double now = optimum_level(states)->now;
    struct optimum_failure *failure =
        failures_way(failures, failures_set(failures, now), failures->turn++ % WAYS);
    failure->used = true;
    failure->now = now;
    for (uint32_t id = 0; id < states->count; id++)
        failure->traces[id] = failures_trace(states, id);
}

int failures_init(struct optimum_failures *failures, const struct optimum_states *states,
                  struct err *err)
{
    size_t size = sizeof(struct optimum_failure) + states->count * sizeof(struct optimum_trace);
    *failures = (struct optimum_failures){
        .states = states, .size = size, .bytes = mem_alloc(SETS * WAYS, size)};
    return failures->bytes ? 0 : err_memory(err);
}

void failures_clear(struct optimum_failures *failures)
{
    memset(failures->bytes, 0, (size_t)SETS * WAYS * failures->size);
}

void failures_fini(struct optimum_failures *failures)
{
    free(failures->bytes);
}
