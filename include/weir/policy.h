/* Weir's strategy interface: what a strategy sees, and how it answers.
 *
 * A strategy turns a view of the running applications into bandwidth grants. It knows neither
 * simulator nor sockets: the same code runs in virtual and in real time. The simplest strategy
 * is one function:
 *
 *     static void decide(void *state, const struct weir_view *view, struct weir_grants *grants)
 *     {
 *         for (uint32_t i = 0; i < view->active_count; i++) {
 *             uint32_t id = view->active[i];
 *             weir_grant(grants, id, view->runs[id].app->bmax / 2);
 *         }
 *     }
 *     const struct weir_policy_ops weir_policy = {
 *         .abi = WEIR_POLICY_ABI, .name = "half", .decide = decide};
 *
 * Built with `cc -shared -fPIC`, it runs as `weir simulate --policy ./half.so`: a plug-in is a
 * shared object that defines the symbol `weir_policy`, and needs nothing to link with.
 *
 * All quantities are doubles in seconds, bytes and bytes/s. */
#ifndef WEIR_POLICY_H
#define WEIR_POLICY_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever a structure below does; a plug-in with another number is refused. */
#define WEIR_POLICY_ABI 6u

/* --- what a strategy sees ---------------------------------------------------------------- */

/* What is known of an application from the start. In a simulation it never changes; on a live
 * machine an operator may set another bmax, weight or share while the application has no I/O posted
 * (an application with one is reported to drop it and post it again). */
struct weir_app {
    double nodes;        /* p; where node counts are unknown, its bmax */
    double bmax;         /* bytes/s it can move when alone: min(p*b, B) */
    double release;      /* r: when it started, possibly before now = 0 */
    double progress;     /* seconds of progress that it had made before it joined */
    double weight;       /* importance, 1 unless given */
    double period;       /* known length of an iteration, 0 = unknown */
    double total_work;   /* profile for clairvoyant strategies: seconds of work in all, */
    double total_io;     /* and of I/O at bmax; both 0 = unknown */
    uint32_t iterations; /* and number of iterations, 0 = unknown */
    float share; /* its weight against others where bandwidth is divided by bmax, in multiples of
                    its bmax; 0 = 1. A limit lowers bmax, but not this weight */
};

enum weir_state {
    WEIR_ABSENT,  /* not released yet, or finished */
    WEIR_WORKING, /* computing: progresses at full speed */
    WEIR_ACTIVE,  /* has posted an I/O that is not complete */
    WEIR_HELD     /* the same, but the shares of users keep the I/O from the strategy for now */
};

/* One application as it runs. `remaining` and `lost` are as of `since`, when its rate last changed,
 * they were corrected (see the view) or it ended; the functions below bring them to view->now. An
 * iteration is a work phase and the I/O after it. */
struct weir_run {
    const struct weir_app *app;
    double posted;          /* when the current I/O was posted */
    double volume;          /* its bytes */
    double work;            /* seconds of work just before it, in the same iteration */
    double done_work;       /* work of the finished iterations, those before it joined included */
    double done_ideal;      /* their ideal time: work + volume / bmax */
    double since;           /* that time */
    double remaining;       /* bytes of the current I/O still to move */
    double lost;            /* seconds lost since release: age - progress */
    double rate;            /* granted bytes/s; of a shared grant, its weight */
    uint32_t finished;      /* number of iterations finished since it joined */
    unsigned state : 2;     /* enum weir_state */
    unsigned shared : 1;    /* the grant is rate * view->scale */
    unsigned guessed : 1;   /* nothing is known of the volume of the current I/O */
    unsigned exceeded : 1;  /* it has moved all that was expected of it: see view->beyond */
    unsigned position : 27; /* in view->active */
};

/* Everything that a decision may depend on. */
struct weir_view {
    double now;
    double bandwidth;             /* B: what one application alone can move now */
    double horizon;               /* end of the window, INFINITY if there is none */
    double active_bmax;           /* sum of bmax over the active applications */
    double scale, level;          /* common rate of shared grants, and its integral over time; 0
                                     without WEIR_SHARES */
    const double *since_level;    /* by id: the level at run->since; NULL without WEIR_SHARES */
    const double *beyond;         /* by id, of an I/O that has exceeded what was expected of it: the
                                     bytes of its volume beyond that; what remains is assumed */
    const struct weir_run *runs;  /* of every application, by id */
    const uint32_t *active;       /* ids of state WEIR_ACTIVE, in no particular order */
    uint32_t count, active_count; /* of runs (absent ones included), and of active */
    uint64_t corrections; /* how often measured values replaced the `remaining` and `lost` that the
                             rates predicted; 0 in a simulation */
    const double *curve;  /* by the number of applications that move bytes, 0 .. count + 1: the part
                             of the bandwidth that they have together, which never rises and is 1
                             of one; NULL = always 1. See weir_bandwidth */
};

/* What k applications can move together: bytes/s. One more is worth serving while
 * weir_bandwidth(view, k + 1) exceeds what the k served so far can take: then the total rises, and
 * none of them loses anything. */
static inline double weir_bandwidth(const struct weir_view *view, uint32_t k)
{
    return view->curve ? view->bandwidth * view->curve[k] : view->bandwidth;
}

/* Bytes the application has moved since `run->since`. */
static inline double weir_moved(const struct weir_view *view, const struct weir_run *run)
{
    double span =
        run->shared ? view->level - view->since_level[run - view->runs] : view->now - run->since;
    return run->rate * span;
}

/* Bytes of the current I/O still to move, now. */
static inline double weir_remaining(const struct weir_view *view, const struct weir_run *run)
{
    double left = run->remaining - weir_moved(view, run);
    return left > 0 ? left : 0;
}

/* Bytes of the current I/O's volume that were not expected at first. */
static inline double weir_beyond(const struct weir_view *view, const struct weir_run *run)
{
    return run->exceeded ? view->beyond[run - view->runs] : 0;
}

/* Bytes that were expected at first of the current I/O, and still are to be moved. One that has
 * moved more than expected is about to end, as far as anyone knows: it does not lose its turn. */
static inline double weir_expected(const struct weir_view *view, const struct weir_run *run)
{
    double left = run->remaining - weir_moved(view, run) - weir_beyond(view, run);
    return left > 0 ? left : 0;
}

/* Seconds lost since release, now: exactly 0 for an application that was never delayed. */
static inline double weir_lost(const struct weir_view *view, const struct weir_run *run)
{
    if (run->state < WEIR_ACTIVE)
        return run->lost;
    double elapsed = view->now - run->since;
    if (run->shared)
        return run->lost + (elapsed - weir_moved(view, run) / run->app->bmax);
    return run->lost + elapsed * (1 - run->rate / run->app->bmax);
}

static inline double weir_age(const struct weir_view *view, const struct weir_run *run)
{
    return view->now - run->app->release;
}

/* Work done + bytes moved / bmax, since release. */
static inline double weir_progress(const struct weir_view *view, const struct weir_run *run)
{
    return weir_age(view, run) - weir_lost(view, run);
}

/* Progress / age (002 eq. 6); 0 at the release itself. */
static inline double weir_yield(const struct weir_view *view, const struct weir_run *run)
{
    double age = weir_age(view, run);
    return age > 0 ? 1 - weir_lost(view, run) / age : 0;
}

/* Keys closer than 1e-12 relative are equal: rounding must not order applications. */
static inline bool weir_equal(double a, double b)
{
    double size = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return a == b || (fabs(a - b) <= 1e-12 * size && size < INFINITY);
}

static inline bool weir_less(double a, double b)
{
    return a < b && !weir_equal(a, b);
}

/* Whether application a with the key x goes before b with the key y; equal keys go by their ids. */
static inline bool weir_before(double x, uint32_t a, double y, uint32_t b)
{
    /* Most keys are so far apart that this tells, before it is known which is larger. */
    if (fabs(x - y) > 1e-12 * (fabs(x) + fabs(y)))
        return x < y;
    return weir_equal(x, y) ? a < b : x < y;
}

/* --- how it answers ----------------------------------------------------------------------- */

struct weir_grant {
    double rate;     /* bytes/s, or the weight of a shared grant */
    uint32_t app;    /* id of an active application, at most once per decision */
    uint32_t shared; /* its bandwidth is rate * scale */
};

/* The answer. The rates must respect 0 <= rate <= bmax and sum <= bandwidth. A plug-in that breaks
 * this, or what is said below, ends a simulation, and a live controller goes on with fair-share.
 * Where k applications get a rate and the sum exceeds weir_bandwidth(view, k), as that of an old
 * grant may when the bandwidth falls, all rates are lowered in proportion, as by the store itself.
 */
struct weir_grants {
    struct weir_grant *list;
    uint32_t count, capacity;
    double scale; /* common factor of all shared grants; unchanged unless set */
    double wake;  /* decide again at this time at the latest; INFINITY unless set. A time
                     that has passed has no effect */
};

/* Gives an application a bandwidth of its own. */
static inline void weir_grant(struct weir_grants *grants, uint32_t app, double rate)
{
    struct weir_grant grant = {rate, app, 0};
    if (grants->count < grants->capacity)
        grants->list[grants->count++] = grant;
}

/* Lets an application share: its bandwidth is weight * grants->scale from now on, however often the
 * scale changes. A strategy that shares uniformly calls this once per I/O and then changes one
 * number per decision. For strategies with WEIR_SHARES. */
static inline void weir_share(struct weir_grants *grants, uint32_t app, double weight)
{
    struct weir_grant grant = {weight, app, 1};
    if (grants->count < grants->capacity)
        grants->list[grants->count++] = grant;
}

/* --- what a strategy is --------------------------------------------------------------------- */

enum weir_param_kind { WEIR_PARAM_NUMBER, WEIR_PARAM_FLAG, WEIR_PARAM_CHOICE, WEIR_PARAM_TEXT };

/* A parameter, written `name:key=value`; for a flag, `name:key` is short for `name:key=on`. A text,
 * such as the file of a plan, is for the program that opens the strategy: it has no comma, and no
 * default. */
struct weir_param {
    const char *name;
    enum weir_param_kind kind;
    double initial;             /* default; of a choice, its index; NAN = "auto", then "auto" may be
                                   written too */
    double low, high;           /* range of a number */
    const char *const *choices; /* ends with NULL */
    const char *help;
    uint32_t without; /* enum weir_policy_flags that do not hold unless the value is 0 */
};

enum weir_policy_flags {
    WEIR_INCREMENTAL =
        1u << 0, /* an application that is not granted keeps its rate; without this flag it gets
                    nothing. A strategy that keeps an order by what remains or was lost must sort
                    again when view->corrections has changed */
    WEIR_WORK_CONSERVING = 1u << 1, /* promises to leave no usable bandwidth unused */
    WEIR_NEEDS_YIELD = 1u << 2,     /* needs to know the progress of each application */
    WEIR_NEEDS_VOLUME = 1u << 3,    /* ... the volume of an I/O when it is posted */
    WEIR_NEEDS_HISTORY = 1u << 4,   /* ... the lengths of earlier iterations */
    WEIR_NEEDS_PROFILE = 1u << 5,   /* ... the whole application in advance */
    WEIR_NEEDS_PLAN = 1u << 6,      /* follows a plan: setup->plan is never NULL */
    WEIR_SHARES = 1u << 7,          /* uses weir_share; without this flag that grants nothing */
    WEIR_DIVIDES = 1u << 8,      /* gives all active applications a part at every moment, instead of
                                    serving some before others. Where users have shares, each user's
                                    part is divided in proportion to these grants; the same holds with
                                    WEIR_SHARES. Of others, I/Os of users ahead of their shares are held:
                                    the strategy hears that they are dropped and posted again */
    WEIR_GRANTS_ALL = 1u << 9,   /* where all active applications fit (active_bmax <= bandwidth),
                                    grants each its bmax, sets no timer and notes nothing: its host
                                    need not ask it then. Without effect on an incremental one.
                                    Where the bandwidth depends on their number, all fit if
                                    active_bmax <= weir_bandwidth(view, active_count) */
    WEIR_KNOWS_CURVE = 1u << 10, /* keeps to weir_bandwidth: its rates never have to be lowered */
};

/* What a strategy receives once, before the first decision. */
struct weir_setup {
    double bandwidth;      /* B: what it is rated at, which may differ from view->bandwidth */
    double horizon;        /* end of the window, INFINITY if there is none */
    double phase_interval; /* mean time between ends of phases, if known, else 0 */
    uint32_t capacity;     /* most applications there can be: ids are below it */
    const double *params;  /* values in the order of ops->params: numbers, 0 or 1, indices; 0 of
                              texts */
    const void *plan;      /* the result of a planner, for strategies that follow it (inside Weir, a
                              struct plan); else NULL */
    const uint32_t *places; /* by id, set before an application joins: 1 + its number in the plan, 0
                               = it is not part of it; NULL = its id */
    const double *lengths;  /* by id, set before an application joins: seconds that it takes alone,
                               from its release to its end, where they are declared and trusted; 0 =
                               unknown; NULL = those of all are */
    const void *planner;    /* makes plans while the strategy runs (inside Weir, a struct planner),
                               or NULL */
    const double *curve;    /* see weir_view, for 0 .. capacity + 1; outlives the strategy */
};

/* A strategy. Only abi, name and decide are required. Memory belongs to the host: `state` is
 * state_size + capacity * app_size zeroed bytes, so nothing is allocated at run time. */
struct weir_policy_ops {
    uint32_t abi;
    uint32_t flags;                  /* enum weir_policy_flags */
    const char *name;                /* as it is written: lower case, dashes */
    const char *summary;             /* one line for people */
    const char *paper;               /* where it is published */
    const struct weir_param *params; /* ends with name = NULL */
    size_t state_size, app_size;

    void (*init)(void *state, const struct weir_setup *setup);
    /* An application joined, posted an I/O, completed or dropped it, or left. Called before the
     * decision at the same instant, so several may come in a row; the view is up to date. When it
     * drops an I/O, bytes remain; it then leaves, or, on a live machine, posts the same I/O again
     * when it continues: with the same time and what remains, possibly with another volume. */
    void (*joined)(void *state, const struct weir_view *view, uint32_t app);
    void (*posted)(void *state, const struct weir_view *view, uint32_t app);
    void (*completed)(void *state, const struct weir_view *view, uint32_t app);
    void (*left)(void *state, const struct weir_view *view, uint32_t app);
    /* Called once per instant in which something changed and some application is active. */
    void (*decide)(void *state, const struct weir_view *view, struct weir_grants *grants);
};

/* What a plug-in defines. */
extern const struct weir_policy_ops weir_policy;

#ifdef __cplusplus
}
#endif
#endif
