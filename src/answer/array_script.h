/* A batch script for Slurm whose tasks run a campaign's shards. */
#ifndef WEIR_ANSWER_ARRAY_SCRIPT_H
#define WEIR_ANSWER_ARRAY_SCRIPT_H

#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct array_script {
    const char *name;            /* of the campaign */
    const char *file, *database; /* as the user wrote them */
    uint64_t tasks;
    uint64_t jobs; /* of each task; 0 = its processors */
    bool retry;
};

/* Writes it, with absolute paths: a task may start anywhere. 0 or -1. */
int array_script_write(const struct array_script *script, FILE *out, struct err *err);

#endif
