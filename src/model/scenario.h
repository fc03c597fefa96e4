/* A scenario as a person declares it: platform, window, seed and application specifications that
 * may be replicated, noisy or random. gen/realise turns it into a workload of definite numbers. */
#ifndef WEIR_MODEL_SCENARIO_H
#define WEIR_MODEL_SCENARIO_H

#include "base/arena.h"
#include "base/err.h"
#include "model/limit.h"
#include "model/parties.h"
#include "model/platform.h"
#include "model/shares.h"
#include "model/stores.h"
#include <stdbool.h>
#include <stdint.h>

/* A work phase and the I/O after it; either may be 0. Any list of phases is such a sequence: two
 * I/Os in a row have work 0 between them. */
struct iteration {
    double work;   /* seconds */
    double volume; /* bytes */
};

/* One X-list gives the enum and the names that a scenario file uses. */
#define DISTRIBUTIONS(X)                                                                           \
    X(CONSTANT, "constant")                                                                        \
    X(UNIFORM, "uniform")                                                                          \
    X(NORMAL, "normal")                                                                            \
    X(LOGNORMAL, "lognormal")                                                                      \
    X(EXPONENTIAL, "exponential")

enum distribution_kind {
#define X(name, text) DIST_##name,
    DISTRIBUTIONS(X)
#undef X
        DIST_KINDS
};
extern const char *const distribution_names[DIST_KINDS + 1]; /* ends with NULL */

/* A random length or volume. `mean` and `sd` are those of the untruncated variable itself (of a
 * lognormal too, not of its logarithm); draws outside [min, max] are drawn again. A uniform
 * variable is given by min and max alone. */
struct distribution {
    enum distribution_kind kind;
    double mean, sd, min, max; /* max INFINITY = none */
};

/* A length or a volume that is always the same, or drawn each time. */
struct amount {
    double mean;                       /* of a constant one */
    const struct distribution *random; /* NULL = constant */
};

/* Its mean, without what min and max cut off. */
double amount_mean(const struct amount *amount);

/* What few applications declare. */
struct app_extra {
    const char *names[PARTY_KINDS]; /* of its user and account, NULL = unknown */
    double length;                  /* seconds that it takes alone in all, 0 = unknown */
    uint8_t path;                   /* of its I/Os unless their places say more, see model/stores.h */
    const uint8_t *places;          /* of its explicit iterations; NULL = they say nothing */
};

struct app_spec {
    const char *name;
    const struct app_extra *extra; /* NULL = nothing of it */
    uint32_t count;                /* replicas */
    uint32_t iterations;           /* their number, however they are given */
    double nodes;                  /* 0 = unknown, then bandwidth is given */
    double bandwidth;              /* bmax if given, else 0: min(nodes * b, B) */
    double release;                /* may be negative: it has been running before */
    double weight;
    double progress; /* seconds of progress made before time 0 */
    double waiting;  /* seconds for which its first I/O has been posted at time 0 */
    double period;   /* known iteration length (set-10), 0 = learn it */
    double calls;    /* bytes that it moves in one call, 0 = few */

    /* Either the iterations one by one, or work and I/O of each; then relative uniform noise. */
    const struct iteration *explicit_iterations;
    struct amount work, io;
    double noise_work, noise_io;
};

/* Whether its iterations are drawn, so that each differs from the others. */
bool app_spec_drawn(const struct app_spec *spec);

/* The place of iteration k, its path filled in. */
static inline uint8_t app_spec_place(const struct app_spec *spec, uint32_t k)
{
    uint8_t place = spec->extra && spec->extra->places ? spec->extra->places[k] : 0;
    uint8_t path = spec->extra ? spec->extra->path : 0;
    return place_path(place) ? place : place_of(path, place_reads(place));
}

/* The length that it declares, 0 = none. */
static inline double app_spec_length(const struct app_spec *spec)
{
    return spec->extra ? spec->extra->length : 0;
}

/* What it can move alone on the platform: bmax = min(p b, B), or what it is given. */
double app_spec_bmax(const struct app_spec *spec, const struct platform *platform);

/* When all its replicas would be there if they were alone, with phases of their mean lengths, and
 * on how many nodes together. */
struct presence;
struct presence app_spec_presence(const struct app_spec *spec, const struct platform *platform);

/* One replica of weight 1 with one iteration of nothing: a reader starts from here. */
extern const struct app_spec app_spec_defaults;

enum window_kind { WINDOW_NONE, WINDOW_AUTO, WINDOW_FIXED };
struct window {
    enum window_kind kind;
    double start, end; /* of a fixed one */
};

/* Checks that a fixed window satisfies 0 <= start < end < INFINITY; 0 or -1. */
int window_validate(const struct window *window, struct err *err);

/* Reads "auto", "none", or "START:END" of times such as "10min:40min". 0 or -1. */
int window_parse(struct window *window, const char *text, struct err *err);

struct scenario {
    const char *name; /* the file's base name, or a generator's name for it */
    struct platform platform;
    struct window window;
    uint64_t seed;
    struct app_spec *apps; /* owned */
    uint32_t count;
    /* One of apps, or NULL: its random draws come after those of all others, which so do not depend
     * on its count. */
    const struct app_spec *drawn_last;
    const struct shares *shares; /* NULL = the strategy alone decides */
    const char *policy;          /* the strategy unless another is asked for; NULL = none */
    struct stores stores;        /* none = one file system of the platform's bandwidth */
    struct limits limits;
    const char *const *paths; /* that its applications name, see model/stores.h */
    uint32_t path_count;
    const char *warning;         /* e.g. more nodes in use at once than the platform has, or NULL */
    struct arena arena;          /* owns all else, and what the applications point at */
};

/* A scenario with `count` applications as in app_spec_defaults, no window and a copy of `name`;
 * the platform is still to be filled in. NULL when memory is out; scenario_free frees. */
struct scenario *scenario_new(const char *name, uint32_t count);

/* The number of a path that an application names, from 1 on; -1 with err when there are too many or
 * memory is out. The text is copied. */
int scenario_path(struct scenario *scenario, const char *path, struct err *err);

/* The number of the channel that I/O of this place moves on, among those of the stores. The scenario
 * is valid. */
uint32_t scenario_channel(const struct scenario *scenario, uint8_t place);

/* Checks what no reader can check on its own: at least one application, B > 0, finite and
 * non-negative amounts of at most 1e100, 1 <= nodes <= N, something to do in each application, no
 * more progress than age, only paths that are in a store. Sets `warning`, and the bandwidth of a
 * platform of which only the stores' are known: their sum. A reader calls it last; 0, or -1 with a text that names
 * the application. */
int scenario_validate(struct scenario *scenario, struct err *err);

/* A number for its content: platform, window, applications and shares, but neither name nor seed.
 * Scenarios that differ in anything else have, in all likelihood, different ones, the same on every
 * machine. */
uint64_t scenario_hash(const struct scenario *scenario);

/* Frees the specifications of the applications once a workload has been made of them; names and
 * iterations, which the workload borrows, stay. */
void scenario_forget_apps(struct scenario *scenario);

void scenario_free(struct scenario *scenario); /* NULL is fine */

#endif
