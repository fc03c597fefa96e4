/* Where workloads come from: a scenario, a family with values of its parameters, or a program that
 * prints scenarios. */
#ifndef WEIR_EXPERIMENT_SOURCE_H
#define WEIR_EXPERIMENT_SOURCE_H

#include "base/arena.h"
#include "base/err.h"
#include "experiment/sweep.h"
#include "gen/family.h"
#include "model/scenario.h"

struct experiment_source {
    const char *name;                /* the scenario's, or as it was written */
    const struct scenario *scenario; /* NULL = it is drawn, by one of: */
    const struct family *family;
    const char *generator; /* a command with {seed} in it, see generator.h */
    const char *directory; /* where the generator's relative path starts, "dir/" or "" */
    struct scenario *read; /* the scenario, if it was read from a file: owned */
    double values[FAMILY_MOST_PARAMS];
    struct variation *given; /* the parameters of the family that are given */
    size_t given_count;
    uint64_t content; /* of the generator's file: another one draws others */
    struct arena arena;
};

/* Opens a file, "FAMILY" or "FAMILY:KEY=VALUE,...", or a generator, of which `text` is borrowed. 0,
 * or -1 with err: it is none of these, a parameter is wrong, or the file is. source_fini in both
 * cases. */
int source_open(struct experiment_source *source, const char *text, struct err *err);
void source_fini(struct experiment_source *source);

/* A scenario in memory, which must outlive it. Nothing has to be freed. */
struct experiment_source source_of(const struct scenario *scenario);

/* The scenario that it draws with a seed; `point` are values of its parameters that replace those
 * it has. NULL with err; scenario_free frees. Not for a source that has a scenario. */
struct scenario *source_draw(const struct experiment_source *source, uint64_t seed,
                             const struct variation *point, size_t count, struct err *err);

/* Whether a sweep over this path changes what a source, NULL = none, draws, and not a value of a
 * scenario. */
bool source_has_parameter(const struct experiment_source *source, const char *path);

#endif
