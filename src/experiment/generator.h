/* A program of the user's that prints scenarios: "./make.py --seed {seed} --load {load}". Words are
 * divided by spaces, without a shell; {seed} and the names of swept parameters are replaced.
 *
 * What it prints for the same words is kept (in $XDG_CACHE_HOME/weir, or ~/.cache/weir), by the
 * content of the program's file: the same is never drawn twice, and a program that was changed
 * draws again. */
#ifndef WEIR_EXPERIMENT_GENERATOR_H
#define WEIR_EXPERIMENT_GENERATOR_H

#include "base/err.h"
#include "experiment/sweep.h"
#include "model/scenario.h"
#include <stdbool.h>
#include <stdint.h>

struct generator {
    const char *command, *directory; /* where its relative path starts, "dir/" or "" */
    uint64_t content;                /* generator_read */
};

/* Whether a text is such a command. */
bool generator_is(const char *text);

/* Whether the command has {name}. */
bool generator_has(const char *command, const char *name);

/* Hashes the program's file, and others that its words name. 0 or -1. */
int generator_read(struct generator *generator, struct err *err);

/* The scenario for a seed and values of other names. NULL with err: the program fails, or prints no
 * scenario; scenario_free frees. Any thread may call it. */
struct scenario *generator_draw(const struct generator *generator, uint64_t seed,
                                const struct variation *values, size_t count, struct err *err);

#endif
