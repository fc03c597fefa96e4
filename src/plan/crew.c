#include "plan/crew.h"
#include "base/mem.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* The finest shrink of a period, and how much finer each step is than the one before. */
#define FINEST   5e-6
#define COARSEST 1e-3
#define FINER    3.0

int crew_init(struct crew *crew, const struct tasks *tasks, unsigned count)
{
    crew->count = 0;
    crew->patterns = mem_alloc(count, sizeof(*crew->patterns));
    if (!crew->patterns)
        return -1;
    for (; crew->count < count; crew->count++)
        if (pattern_init(&crew->patterns[crew->count], tasks))
            return -1;
    return 0;
}

void crew_fini(struct crew *crew)
{
    for (unsigned i = 0; i < crew->count; i++)
        pattern_fini(&crew->patterns[i]);
    free(crew->patterns);
    *crew = (struct crew){0};
}

/* --- one trial ------------------------------------------------------------------------------- */

/* Each instance is chosen among all applications and then placed. */
static double cost(const struct pattern *pattern)
{
    double instances = 0;
    for (uint32_t app = 0; app < pattern->tasks->count; app++)
        instances += pattern->apps[app].instances;
    return instances * (pattern->tasks->count + 50);
}

static int plan_crew_measure(struct pattern *pattern, struct trial *trial,
                             struct pattern_rules rules)
{
    if (pattern_fill(pattern, rules))
        return -1;
    trial->cost += cost(pattern);
    return 0;
}

static bool is_stopped(const struct crew *crew)
{
    return crew->stop && crew->stop(crew->context);
}

/* Shrinks the period step by step, in ever finer steps, while all the work still fits. */
static int refine(const struct crew *crew, struct pattern *pattern, struct trial *trial)
{
    for (double step = COARSEST; step > FINEST; step /= FINER) {
        while (trial->cost < trial->cost_limit && !is_stopped(crew)) {
            struct pattern_rules shorter = trial->rules;
            shorter.period -= step * trial->rules.period;
            if (plan_crew_measure(pattern, trial, shorter))
                return -1;
            double work = pattern_work(pattern);
            if (!(work > 0) || work < trial->work)
                break;
            trial->rules = shorter;
            trial->work = work;
            trial->dilation = pattern_dilation(pattern);
        }
    }
    return 0;
}

static int try_one(const struct crew *crew, struct pattern *pattern, struct trial *trial)
{
    trial->cost = trial->work = 0;
    if (is_stopped(crew))
        return 0;
    if (plan_crew_measure(pattern, trial, trial->rules))
        return -1;
    trial->work = pattern_work(pattern);
    trial->dilation = trial->work > 0 ? pattern_dilation(pattern) : INFINITY;
    bool efficient = trial->refine_efficiency > 0 &&
                     trial->work >= trial->refine_efficiency * trial->rules.period;
    return trial->work > 0 && (efficient || trial->dilation <= trial->refine_dilation)
               ? refine(crew, pattern, trial)
               : 0;
}

/* --- all of them ----------------------------------------------------------------------------- */

struct shift {
    const struct crew *crew;
    struct trial *trials;
    size_t count;
    atomic_size_t next;
    atomic_bool failed;
};

struct worker {
    struct shift *shift;
    struct pattern *pattern;
    pthread_t thread;
};

static void *crew_work(void *argument)
{
    struct worker *worker = argument;
    struct shift *shift = worker->shift;
    for (;;) {
        size_t i = atomic_fetch_add(&shift->next, 1);
        if (i >= shift->count)
            return NULL;
        if (try_one(shift->crew, worker->pattern, &shift->trials[i]))
            atomic_store(&shift->failed, true);
    }
}

int crew_try(struct crew *crew, struct trial *trials, size_t count)
{
    struct shift shift = {.crew = crew, .trials = trials, .count = count};
    unsigned hands = crew->count < count ? crew->count : (unsigned)count, started = 1;
    struct worker *workers = mem_alloc(hands > 0 ? hands : 1, sizeof(*workers));
    if (!workers)
        return -1;
    for (; started < hands; started++) {
        workers[started] = (struct worker){&shift, &crew->patterns[started], 0};
        if (pthread_create(&workers[started].thread, NULL, crew_work, &workers[started]))
            break; /* the others do its part */
    }
    workers[0] = (struct worker){&shift, &crew->patterns[0], 0};
    crew_work(&workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    free(workers);
    return atomic_load(&shift.failed) ? -1 : 0;
}
