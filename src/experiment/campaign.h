/* A campaign: sources, platforms, values of a sweep and seeds give workloads, and each runs under
 * every strategy. A file describes one (format/campaign_file.h), or a question makes one in memory
 * (compare/compare.h); all simulations of more than one run are campaigns.
 *
 * Runs are numbered in a fixed order, in which the strategy changes fastest: those of one workload
 * stand together, so that it is made once for all. What identifies a run in a database is not its
 * number but what determines its result. */
#ifndef WEIR_EXPERIMENT_CAMPAIGN_H
#define WEIR_EXPERIMENT_CAMPAIGN_H

#include "base/arena.h"
#include "base/err.h"
#include "experiment/source.h"
#include "experiment/sweep.h"
#include "model/scenario.h"
#include "policy/policy.h"
#include <stddef.h>
#include <stdint.h>

struct campaign_platform {
    const char *name; /* NULL = the scenario's */
    struct variation *values;
    size_t count;
};

struct campaign {
    const char *name;
    struct experiment_source *sources;
    struct campaign_platform *platforms;
    struct sweep *sweeps;
    uint64_t *seeds; /* none = the source's own */
    struct policy **policies;
    uint64_t *contents; /* by strategy: a hash of the file that it names, or is; 0 = none */
    /* Of each at least 1, but seeds and sweeps. */
    size_t source_count, platform_count, sweep_count, seed_count, policy_count;
    size_t points;          /* of all sweeps together */
    size_t workloads, runs; /* workloads = sources x platforms x points x seeds */
    int64_t *identities;    /* of each run, above 0 */
    /* By source and point: what its seeds are for. NULL = every workload has all of them. */
    struct campaign_case *cases;
    size_t repeats; /* workloads that are left out because of that */
    /* What options of a question fix for all: */
    const struct window *window; /* instead of the scenarios' own; NULL = theirs */
    struct knowledge knowledge;  /* of the controller, unless a sweep changes it */
    struct variation noted[4];   /* these two as parameters of every run */
    size_t noted_count;
    bool together; /* plug-ins run in this process */
    bool borrowed; /* sources and strategies belong to another */
    struct arena arena;
};

/* Members of a case: all seeds if it is drawn; else one, or an ensemble whose members differ by
 * 1e-9 in every phase, with the first seeds. */
struct campaign_case {
    uint32_t members;
    bool ensemble;
};

enum { CAMPAIGN_MOST_RUNS = 10000000, CAMPAIGN_MOST_SWEEPS = 16 };

/* Reads the file and all that it names; relative paths of scenarios, plug-ins and strategies' files
 * start at its directory. NULL with err, which begins with "file:line": an unknown family,
 * parameter, strategy or path, a scenario or a file that cannot be read, the same run twice, or
 * more than CAMPAIGN_MOST_RUNS. campaign_free frees. */
struct campaign *campaign_load(const char *path, struct err *err);
void campaign_free(struct campaign *campaign); /* NULL is fine */

/* Counts workloads and runs of what is otherwise filled in. 0, or -1 with err: there are more than
 * `most`. */
int campaign_count_runs(struct campaign *campaign, size_t most, struct err *err);

/* Fills in the identities. 0, or -1 with err, also if a run is there twice. */
int campaign_identify(struct campaign *campaign, struct err *err);

/* What one workload is made of. */
struct campaign_workload {
    const struct campaign *campaign;
    const struct experiment_source *source;
    const struct campaign_platform *platform;
    struct variation point[CAMPAIGN_MOST_SWEEPS];
    size_t point_count;
    uint64_t seed;
    bool ensemble; /* the seed is that of what perturbs it */
};
struct campaign_workload campaign_workload(const struct campaign *campaign, size_t number);

/* What draws it: the name of the family, or the generator's command; NULL = it is a file. */
const char *campaign_family(const struct experiment_source *source);

/* Whether seeds change anything: phases of a scenario are drawn, or the scenario itself is, or what
 * strategies know. `varied` is the scenario as it runs. */
bool campaign_is_drawn(const struct experiment_source *source, const struct scenario *varied,
                       const struct knowledge *knowledge);

/* Whether a workload is not run, since its case has fewer members than there are seeds. */
bool campaign_is_repeat(const struct campaign *campaign, size_t number);

/* The scenario of a workload as it runs, and what strategies know of it. */
struct campaign_draw {
    struct scenario *made;  /* of a source that draws */
    struct scenario varied; /* with the values of the platform and of the sweep; borrows from that,
                               or from the source's */
    struct knowledge knowledge;
};
/* 0, or -1 with err; campaign_draw_fini in both cases. */
int campaign_draw(const struct campaign_workload *workload, struct campaign_draw *draw,
                  struct err *err);
void campaign_draw_fini(struct campaign_draw *draw);

/* The source's parameters, the values of the sweep and what options fix as a JSON object; `content`
 * unless it is 0 is its member `file`, in hexadecimal digits. free() frees; NULL when memory is
 * out. */
char *campaign_parameters(const struct campaign_workload *workload, uint64_t content);

#endif
