#include "base/random.h"
#include "gen/gen.h"

/* A place of its own in the stream, so that it does not repeat what made the phases. */
#define BELIEF 0x62656c69u

/* Iterations of an application come one after the other. */
struct belief {
    const struct workload *workload;
    const struct knowledge *knowledge;
    double bytes; /* of the application's I/Os so far, */
    uint32_t ios;
};

static double believe_volume(struct belief *belief, uint32_t app, uint32_t k, double volume)
{
    const struct knowledge *knowledge = belief->knowledge;
    if (knowledge->volumes == KNOWLEDGE_WITHIN) {
        struct random random = random_at(belief->workload->seed ^ BELIEF, app, k);
        return volume * (1 + random_between(&random, -knowledge->part, knowledge->part));
    }
    double mean = belief->ios > 0 ? belief->bytes / belief->ios
                                  : KNOWLEDGE_FIRST * belief->workload->apps[app].facts.bmax;
    belief->bytes += volume;
    belief->ios++;
    return mean;
}

static struct iteration believe(void *context, uint32_t app, uint32_t k, struct iteration iteration)
{
    struct belief *belief = context;
    if (k == 0)
        belief->bytes = belief->ios = 0;
    if (iteration.volume > 0)
        iteration.volume = believe_volume(belief, app, k, iteration.volume);
    return iteration;
}

struct workload *workload_believe(const struct workload *workload,
                                  const struct knowledge *knowledge, struct err *err)
{
    struct belief belief = {.workload = workload, .knowledge = knowledge};
    return workload_transform(workload, believe, &belief, err);
}
