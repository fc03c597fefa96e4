#include "base/maths.h"
#include "base/random.h"
#include "gen/gen.h"

/* A place of its own in the stream, so that it does not repeat what made the phases. */
#define JITTER 0x6a697474u

struct jitter {
    double seconds;
    uint64_t seed;
};

static struct iteration shake(void *context, uint32_t app, uint32_t k, struct iteration iteration)
{
    const struct jitter *jitter = context;
    struct random random = random_at(jitter->seed ^ JITTER, app, k);
    double change = random_between(&random, -jitter->seconds, jitter->seconds);
    iteration.work = maths_max(0, iteration.work + change);
    return iteration;
}

struct workload *workload_jitter(const struct workload *workload, double seconds, uint64_t seed,
                                 struct err *err)
{
    struct jitter jitter = {seconds, seed};
    struct workload *late = workload_transform(workload, shake, &jitter, err);
    if (late && workload_set_window(late, (struct window){.kind = WINDOW_NONE}, err) == 0)
        return late;
    workload_free(late);
    return NULL;
}

/* Another one, so that the same seed does not repeat a jitter. */
#define PERTURBATION 0x70657274u

struct perturbation {
    double part;
    uint64_t seed;
};

static struct iteration perturb(void *context, uint32_t app, uint32_t k, struct iteration iteration)
{
    const struct perturbation *perturbation = context;
    double part = perturbation->part;
    struct random random = random_at(perturbation->seed ^ PERTURBATION, app, k);
    iteration.work *= 1 + random_between(&random, -part, part);
    iteration.volume *= 1 + random_between(&random, -part, part);
    return iteration;
}

struct workload *workload_perturb(const struct workload *workload, double part, uint64_t seed,
                                  struct err *err)
{
    struct perturbation perturbation = {part, seed};
    struct workload *copy = workload_transform(workload, perturb, &perturbation, err);
    if (copy && workload_set_window(copy, workload->window, err) == 0)
        return copy;
    workload_free(copy);
    return NULL;
}
