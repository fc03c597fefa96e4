#include "base/mem.h"
#include "base/random.h"
#include "gen/gen.h"

/* A place of its own in the stream, so that it does not repeat what made the phases. */
#define BELIEF 0x62656c69u
/* and, for its length, in that of an application. */
#define BELIEF_LENGTH UINT32_MAX

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

/* What it takes alone from its release on, as far as that is known. */
static double believe_length(const struct workload *workload, uint32_t id,
                             const struct knowledge *knowledge)
{
    const struct app *app = &workload->apps[id];
    double length = app->facts.progress + app_ideal(app);
    struct random random = random_at(workload->seed ^ BELIEF, id, BELIEF_LENGTH);
    if (knowledge->lengths == KNOWLEDGE_NONE)
        return 0;
    if (knowledge->lengths == KNOWLEDGE_ROUGHLY)
        length *= 1 + random_between(&random, -knowledge->length_part, knowledge->length_part);
    return length;
}

double *gen_know_lengths(const struct workload *workload, const struct knowledge *knowledge,
                         struct err *err)
{
    double *lengths = mem_alloc(workload->count, sizeof *lengths);
    if (!lengths) {
        err_memory(err);
        return NULL;
    }
    for (uint32_t id = 0; id < workload->count; id++)
        lengths[id] = believe_length(workload, id, knowledge);
    return lengths;
}
