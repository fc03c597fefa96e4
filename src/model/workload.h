/* A workload: applications with definite phases on a platform, ready to be simulated.
 *
 * Made by gen/realise from a scenario; const from then on. It borrows names and explicit
 * iterations from the scenario, which must outlive it. */
#ifndef WEIR_MODEL_WORKLOAD_H
#define WEIR_MODEL_WORKLOAD_H

#include "base/arena.h"
#include "base/err.h"
#include "model/parties.h"
#include "model/platform.h"
#include "model/presence.h"
#include "model/scenario.h"
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <weir/policy.h>

/* Where the I/Os of an application go, if there are several channels (model/stores.h). */
struct app_places {
    const uint8_t *channels; /* by iteration; NULL = all go to `only` */
    uint8_t only;
    double bmax[STORE_CHANNELS];  /* what it can move alone, by channel, */
    double nodes[STORE_CHANNELS]; /* and what its nodes could without limits */
};

/* Its iterations then have this before the first: few applications have places, and there may be
 * millions of others. */
struct app_placed {
    const struct app_places *places;
    struct iteration list[];
};

/* One application. Iteration k is iterations[k * stride], so a periodic one stores a single
 * iteration (stride 0). The last one ends after `room` seconds alone: so an application that is cut
 * at the end of a window shares them with the original. facts.iterations is their number, at least
 * 1. */
struct app {
    struct weir_app facts;
    const char *name;
    uint32_t replica : 31; /* 1.. among those of one specification, 0 = the only one */
    uint32_t placed : 1;   /* `iterations` is the list of a struct app_placed; else there is one
                              channel, on which it can move bmax */
    uint32_t stride;
    const struct iteration *iterations;
    double room; /* INFINITY unless it is cut */
};

/* NULL = there is one channel. */
static inline const struct app_places *app_places(const struct app *app)
{
    const char *list = (const char *)app->iterations;
    const struct app_placed *placed =
        (const void *)(list - offsetof(struct app_placed, list));
    return app->placed ? placed->places : NULL;
}

/* The channel of an iteration's I/O, and what the application can move there alone. */
static inline uint32_t app_channel(const struct app *app, uint32_t k)
{
    const struct app_places *places = app_places(app);
    if (!places)
        return 0;
    return places->channels ? places->channels[k] : places->only;
}

static inline double app_bmax(const struct app *app, uint32_t k)
{
    return app->placed ? app_places(app)->bmax[app_channel(app, k)] : app->facts.bmax;
}

/* What few applications have. */
struct app_rare {
    double waiting; /* its first I/O was posted this long before time 0 */
    double calls;   /* bytes of each of its calls; 0 = they are small */
};

/* What the room leaves of the last iteration. */
struct iteration app_cut(const struct app *app, struct iteration whole);

static inline struct iteration app_iteration(const struct app *app, uint32_t k)
{
    const struct iteration *whole = &app->iterations[(uint64_t)k * app->stride];
    return k + 1 < app->facts.iterations ? *whole : app_cut(app, *whole);
}

/* Whose an application is: among the workload's parties of each kind, from 1 on; 0 = unknown. */
struct owner {
    uint32_t numbers[PARTY_KINDS];
};

struct workload {
    const char *name;
    struct platform platform; /* nodes filled in if they were unknown */
    struct app *apps;
    uint32_t count;
    struct parties parties[PARTY_KINDS];
    const struct owner *owners;  /* by application; NULL = unknown of all */
    const struct app_rare *rare; /* by application; NULL = none has any of it */
    const double *lengths;       /* by application: seconds alone in all, where a strategy may know
                                    them; 0 = unknown; NULL = those of all are */
    const struct shares *shares; /* borrowed from the scenario; NULL = none */
    const struct store_channel *channels; /* what strategies divide; NULL = the platform's bandwidth
                                             alone */
    uint32_t channel_count;               /* 0 without them */
    struct limits limits;                 /* borrowed from the scenario */
    const char *policy;                   /* the scenario's, borrowed; NULL = none */
    bool nodes_known;            /* else facts.nodes is bmax, by which measures are weighted */
    struct window window;        /* WINDOW_NONE or WINDOW_FIXED, never AUTO */
    double phase_interval;       /* mean time between ends of phases, each application alone */
    double io_pressure;          /* W of 002 eq. 11, as docs/explanation/model.md generalises it; of several
                                    channels the largest, */
    double pressures[STORE_CHANNELS]; /* and those of each */
    struct occupancy occupancy;  /* inside the window or of the whole run, each application alone */
    uint64_t seed, hash;         /* of the scenario, see scenario_hash */
    struct arena arena;
};

/* The number of an application's party; 0 = unknown. */
static inline uint32_t workload_party(const struct workload *workload, enum party_kind kind,
                                      uint32_t id)
{
    return workload->owners ? workload->owners[id].numbers[kind] : 0;
}

/* What is rare about an application. */
static inline struct app_rare workload_rare(const struct workload *workload, uint32_t id)
{
    return workload->rare ? workload->rare[id] : (struct app_rare){0};
}

/* "name", or "name.3" for the third replica; a name that is too long is cut, the number is not.
 * `size` is at least 32; APP_LABEL has room for any. Returns `buffer`. */
enum { APP_LABEL = 272 };
char *app_label(const struct app *app, char *buffer, size_t size);

/* Fills in facts.total_work and total_io from the phases. */
void app_profile(struct app *app);

/* The bytes that it moves in all, by channel: they are added up. */
void app_bytes(const struct app *app, double bytes[STORE_CHANNELS]);

/* The same on all of them together. */
static inline double app_volume(const struct app *app)
{
    double bytes[STORE_CHANNELS] = {0}, all = 0;
    app_bytes(app, bytes);
    for (int s = 0; s < STORE_CHANNELS; s++)
        all += bytes[s];
    return all;
}

/* How many channels there are, at least 1, and their bandwidths. */
static inline uint32_t workload_channels(const struct workload *workload)
{
    return workload->channel_count > 0 ? workload->channel_count : 1;
}

static inline double workload_bandwidth(const struct workload *workload, uint32_t channel)
{
    return workload->channels ? workload->channels[channel].bandwidth
                              : workload->platform.bandwidth;
}

/* What else the store of a channel does; NULL = nothing. */
static inline const struct store *workload_nature(const struct workload *workload, uint32_t channel)
{
    const struct store_channel *channels = workload->channels;
    if (workload->channel_count <= 1 || channels[channel].platform)
        return workload->platform.store;
    return channels[channel].nature;
}

/* Ideal time of what it does after time 0: sum of work and volume / bmax, from its profile. */
double app_ideal(const struct app *app);

/* When it begins what it does after time 0. */
static inline double app_start(const struct app *app)
{
    return fmax(0, app->facts.release);
}

/* Measures which applications would be there when, between two times, if each were alone. 0, or -1
 * when memory is out. */
int workload_occupancy(const struct workload *workload, double start, double end,
                       struct occupancy *occupancy);

/* The last step of making a workload, in gen and where one is transformed; it is const from then
 * on. Resolves the window: WINDOW_AUTO becomes [0, T1] with T1 the earliest time at which an
 * application would end if it were alone, and every application is cut to end exactly then if
 * alone; computes phase_interval, io_pressure and occupancy in all cases. 0 or -1. */
int workload_set_window(struct workload *workload, struct window window, struct err *err);

/* Two measures of demand that need no window, over what is done after time 0. The weight of I/O
 * (thesis II.D.3): how many applications would be in I/O on average if none disturbed another,
 * while any is there; 0, or -1 when memory is out. The I/O load alpha (thesis eq. III.5): the share
 * of time in which the file system would be busy at full speed if the applications were packed on
 * the nodes without gaps; NAN if their nodes are unknown. */
int workload_io_weight(const struct workload *workload, double *weight);
double workload_io_load(const struct workload *workload);

/* A copy in which every iteration is what `change` makes of it. It is still to be
 * changed as needed, and its window to be set. Names are borrowed from the original's scenario.
 * NULL when memory is out. */
typedef struct iteration workload_change(void *context, uint32_t app, uint32_t k,
                                         struct iteration iteration);
struct workload *workload_transform(const struct workload *workload, workload_change *change,
                                    void *context, struct err *err);

/* Whether there is any I/O to look at. 0, or -1 with err, which says that there is none. */
int workload_check_io(const struct workload *workload, struct err *err);

/* Whether there is a single store, for what knows no others. 0, or -1 with err. */
int workload_check_one_store(const struct workload *workload, struct err *err);

void workload_free(struct workload *workload); /* NULL is fine */

#endif
