/* What the strategies of Gainaru et al. (slides, 2015) have in common: their keys are made of
 * rho and rho~ over the iterations finished so far, and each has a `priority` variant in which an
 * application that has begun its I/O goes before those that have not. */
#ifndef WEIR_POLICY_SLIDES_H
#define WEIR_POLICY_SLIDES_H

#include "policy/greedy.h"

/* rho~ / rho = (ideal time of what is finished) / age; 0 before anything is. Weights multiply the
 * dilation (004 section 3.2), which is its inverse. */
static inline double slides_progress(const struct weir_view *view, const struct weir_run *run)
{
    return run->done_ideal > 0 ? run->done_ideal / (weir_age(view, run) * run->app->weight) : 0;
}

/* p * rho~: what an application adds to SysEfficiency. */
static inline double slides_efficiency(const struct weir_view *view, const struct weir_run *run)
{
    double share = run->app->nodes * run->app->weight;
    return run->done_ideal > 0 ? share * run->done_work / weir_age(view, run) : 0;
}

/* Their state; the first parameter of each is `priority`. */
struct slides {
    bool priority;
    double gamma; /* of min-max */
    struct greedy_item items[];
};

#define SLIDES_PRIORITY                                                                            \
    {                                                                                              \
        .name = "priority", .kind = WEIR_PARAM_FLAG,                                               \
        .help = "an I/O that has begun goes before those that have not"                            \
    }
extern const struct weir_param slides_params[]; /* priority alone */

void slides_init(void *state, const struct weir_setup *setup);

/* Greedy by increasing key. */
typedef double slides_key(const struct weir_view *view, const struct weir_run *run);
void slides_serve(struct slides *slides, const struct weir_view *view, struct weir_grants *grants,
                  slides_key *key);

#endif
