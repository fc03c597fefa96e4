/* What the strategies of Gainaru et al. (slides, 2015) have in common: their keys are made of
 * rho and rho~ over the iterations finished so far, and each has a `priority` variant in which an
 * application that has begun its I/O goes before those that have not. */
#ifndef WEIR_POLICY_SLIDES_H
#define WEIR_POLICY_SLIDES_H

#include "policy/greedy.h"

/* Nothing is finished yet, so nothing has been achieved: the most starved of all. */
static inline bool slides_starved(const struct weir_run *run)
{
    return !(run->done_ideal > 0);
}

/* rho~ / rho = (ideal time of what is finished) / age, the inverse of the dilation; 0 while
 * starved. A weight multiplies the dilation (004 section 3.2). */
static inline double slides_progress(const struct weir_view *view, const struct weir_run *run)
{
    if (slides_starved(run))
        return 0;
    return run->done_ideal / (weir_age(view, run) * run->app->weight);
}

/* The keys: the lowest is served first, and a higher weight makes each lower. */
typedef double slides_key(const struct weir_view *view, const struct weir_run *run);
slides_key slides_by_dilation;   /* decreasing rho / rho~ */
slides_key slides_by_efficiency; /* increasing p rho~, as the slides print it for max-syseff */
slides_key slides_by_loss;       /* decreasing p rho / rho~, max-syseff of 004 section 3.3.1 */

/* Their state; the first parameters of each are `priority`, `grants` and, if it has one, `key`. */
struct slides {
    bool priority;
    bool whole;         /* nobody is granted a part of its bmax */
    slides_key *favour; /* of max-syseff and min-max */
    double gamma;       /* of min-max */
    struct greedy_item items[];
};

#define SLIDES_PRIORITY                                                                            \
    {                                                                                              \
        .name = "priority", .kind = WEIR_PARAM_FLAG,                                               \
        .help = "an I/O that has begun goes before those that have not"                            \
    }
#define SLIDES_GRANTS                                                                              \
    {                                                                                              \
        .name = "grants", .kind = WEIR_PARAM_CHOICE, .choices = slides_grants,                     \
        .help = "part: the last one that is served gets what is left; whole: everybody gets all "  \
                "it can use, or nothing",                                                          \
        .without = WEIR_WORK_CONSERVING                                                            \
    }
#define SLIDES_KEY                                                                                 \
    {                                                                                              \
        .name = "key", .kind = WEIR_PARAM_CHOICE, .choices = slides_keys,                          \
        .help = "apio: decreasing p rho / rho~, which favours SysEfficiency; slides: increasing "  \
                "p rho~, as first printed"                                                         \
    }
extern const char *const slides_keys[], *const slides_grants[];
enum { SLIDES_PARAM_PRIORITY, SLIDES_PARAM_GRANTS, SLIDES_PARAM_KEY, SLIDES_PARAM_COUNT };
extern const struct weir_param slides_params[]; /* without a key */

/* For strategies without `key`, and with it. */
void slides_init(void *state, const struct weir_setup *setup);
void slides_init_keyed(void *state, const struct weir_setup *setup);

/* Greedy by increasing key. */
void slides_serve(struct slides *slides, const struct weir_view *view, struct weir_grants *grants,
                  slides_key *key);

#endif
