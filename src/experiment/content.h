/* Hashes of what determines a result. */
#ifndef WEIR_EXPERIMENT_CONTENT_H
#define WEIR_EXPERIMENT_CONTENT_H

#include "base/err.h"
#include <stdint.h>

uint64_t content_mix(uint64_t hash, uint64_t value);

/* NULL differs from any text. */
uint64_t content_text(uint64_t hash, const char *text);

/* Mixes in the content of a file. 0 or -1. */
int content_file(const char *path, uint64_t *hash, struct err *err);

#endif
