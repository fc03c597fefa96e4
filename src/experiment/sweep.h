/* Values of a scenario that an experiment varies, by the names that a scenario file gives them:
 * "bandwidth", "platform.nodes", "applications.cfd.work", "applications.*.noise.io". A value is
 * what the file could have there, such as "10 min", or a multiple of what it has, such as "2x".
 * Also what strategies know of it: "knowledge", "progress_age". */
#ifndef WEIR_EXPERIMENT_SWEEP_H
#define WEIR_EXPERIMENT_SWEEP_H

#include "base/arena.h"
#include "base/err.h"
#include "gen/family.h"
#include "model/knowledge.h"
#include "model/scenario.h"
#include <stddef.h>

struct variation {
    const char *path, *value;
};

/* A path and the values that it takes one after the other. */
struct sweep {
    const char *path;
    const char **values;
    size_t count;
    bool parameter; /* the path is a parameter of what is drawn, and of no scenario */
};

/* Reads "bandwidth=1x,2x,4x" and checks it as variation_check; or "pressure=0.5,0.9" for a source
 * that has such a parameter. Texts and list live in the arena. 0 or -1. */
struct experiment_source;
int sweep_parse(struct sweep *sweep, const char *text, const struct experiment_source *source,
                struct arena *arena, struct err *err);

/* Whether the path is a parameter of a family, NULL = none, and of no scenario. */
bool sweep_is_parameter(const char *path, const struct family *family);

/* Sets the parameter of a family to the value of a change. 0, or -1 with err, also for NULL. */
int parameter_vary(const struct family *family, const struct variation *change,
                   double values[FAMILY_MOST_PARAMS], struct err *err);

/* Whether a value of a sweep can be read; `source` has its parameter. 0 or -1. */
int sweep_check(const struct sweep *sweep, const char *value,
                const struct experiment_source *source, struct err *err);

/* Whether there is such a path, and the value can be read: all that is known without a scenario.
 * 0, or -1 with err, which suggests the nearest path. */
int variation_check(const struct variation *change, struct err *err);

/* Whether the scenario has an application that the path names. 0 or -1. */
int sweep_find_in(const char *path, const struct scenario *scenario, struct err *err);

/* Whether the path is of the platform. */
bool sweep_is_platform(const char *path);

/* Makes those of the changes that are of what strategies know. 0 or -1. */
int knowledge_vary(struct knowledge *knowledge, const struct variation *changes, size_t count,
                   struct err *err);

/* Makes a copy with the other changes, one after the other, and validates it. It borrows from the
 * original, which must outlive it, all that is not changed. 0, or -1 with err: no application has
 * this name, there is nothing to multiply, or the scenario is not valid. scenario_fini_varied frees
 * in both cases. */
int scenario_vary(struct scenario *copy, const struct scenario *original,
                  const struct variation *changes, size_t count, struct err *err);
void scenario_fini_varied(struct scenario *copy);

/* The manual's section on it: calls `row` for every path in order. */
void sweep_document(void (*row)(void *context, const char *mapping, const char *path,
                                const char *value, const char *help),
                    void *context);

#endif
