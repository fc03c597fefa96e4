#include "paper/samples.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

static int samples_reserve(struct samples *samples, size_t more, struct err *err)
{
    struct sample *list = mem_reserve(samples->list, &samples->capacity, samples->count + more,
                                      sizeof *samples->list);
    if (!list)
        return err_memory(err);
    samples->list = list;
    return 0;
}

int samples_add(struct samples *samples, const struct sample *sample, struct err *err)
{
    if (samples_reserve(samples, 1, err) < 0)
        return -1;
    samples->list[samples->count++] = *sample;
    return 0;
}

int samples_join(struct samples *samples, const struct samples *more, struct err *err)
{
    if (more->count == 0)
        return 0;
    if (samples_reserve(samples, more->count, err) < 0)
        return -1;
    memcpy(samples->list + samples->count, more->list, more->count * sizeof *more->list);
    samples->count += more->count;
    return 0;
}

void samples_fini(struct samples *samples)
{
    free(samples->list);
    *samples = (struct samples){0};
}
