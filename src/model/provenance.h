/* Where a result comes from, so that it can be made again: what every JSON output begins with. */
#ifndef WEIR_MODEL_PROVENANCE_H
#define WEIR_MODEL_PROVENANCE_H

#include "base/json.h"
#include "model/platform.h"
#include <stdint.h>

struct provenance {
    const char *version;  /* of the program; NULL = unknown, nothing is written */
    const char *scenario; /* its name */
    uint64_t seed;        /* of the random draws */
    struct platform platform;
};

/* Writes the members "weir", "scenario", "seed" and "platform"; what is unknown is null. */
void provenance_json(const struct provenance *provenance, struct json *json);

#endif
