/* A campaign: scenarios or families, platforms, values of a sweep and seeds give workloads, and
 * each runs under every strategy. Its file is format/campaign_file.h.
 *
 * Runs are numbered in a fixed order, in which the strategy changes fastest: those of one workload
 * stand together, so that it is made once for all. What identifies a run in a database is not its
 * number but what determines its result. */
#ifndef WEIR_CAMPAIGN_CAMPAIGN_H
#define WEIR_CAMPAIGN_CAMPAIGN_H

#include "base/arena.h"
#include "base/err.h"
#include "campaign/sweep.h"
#include "gen/family.h"
#include "model/scenario.h"
#include "policy/policy.h"
#include <stddef.h>
#include <stdint.h>

/* Where scenarios come from: a file, or a family with values of its parameters. */
struct campaign_source {
    struct scenario *scenario; /* of a file; NULL = a family */
    const struct family *family;
    double values[FAMILY_MOST_PARAMS];
    struct variation *given; /* the parameters that the campaign gives */
    size_t given_count;
};

struct campaign_platform {
    const char *name; /* NULL = the scenario's */
    struct variation *values;
    size_t count;
};

struct campaign {
    const char *name;
    struct campaign_source *sources;
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
    bool *fixed;            /* by source and point: nothing in it is drawn; NULL = one seed */
    size_t repeats;         /* workloads that are left out because of that */
    struct arena arena;
};

enum { CAMPAIGN_MOST_RUNS = 10000000, CAMPAIGN_MOST_SWEEPS = 16 };

/* Reads the file and all that it names; relative paths of scenarios, plug-ins and strategies' files
 * start at its directory. NULL with err, which begins with "file:line": an unknown family,
 * parameter, strategy or path, a scenario or a file that cannot be read, the same run twice, or
 * more than CAMPAIGN_MOST_RUNS. campaign_free frees. */
struct campaign *campaign_load(const char *path, struct err *err);
void campaign_free(struct campaign *campaign); /* NULL is fine */

/* What one workload is made of. */
struct campaign_workload {
    const struct campaign_source *source;
    const struct campaign_platform *platform;
    struct variation point[CAMPAIGN_MOST_SWEEPS];
    size_t point_count;
    uint64_t seed;
};
struct campaign_workload campaign_workload(const struct campaign *campaign, size_t number);

/* Whether seeds change anything: phases of a scenario are drawn, or the family itself is, or what
 * strategies know. `varied` is the scenario as it runs. */
bool campaign_is_drawn(const struct family *family, const struct scenario *varied,
                       const struct knowledge *knowledge);

/* Whether a workload is that of an earlier seed, since nothing in it is drawn: such a one is not
 * run. */
bool campaign_is_repeat(const struct campaign *campaign, size_t number);

/* The scenario of a workload as it runs, and what strategies know of it: `original`, the source's
 * or one of its family, with the values of the platform and of the sweep. 0, or -1 with err;
 * scenario_fini_varied in both cases. */
int campaign_vary(const struct campaign_workload *workload, const struct scenario *original,
                  struct scenario *varied, struct knowledge *knowledge, struct err *err);

/* The family's parameters and the values of the sweep as a JSON object; `content` unless it is 0 is
 * its member `file`, in hexadecimal digits. free() frees; NULL when memory is out. */
char *campaign_parameters(const struct campaign_workload *workload, uint64_t content);

#endif
