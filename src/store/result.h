/* What is stored of a run: its row, or its error, and its place in the campaign. */
#ifndef WEIR_STORE_RESULT_H
#define WEIR_STORE_RESULT_H

#include "base/err.h"
#include "trial/row.h"
#include <stdint.h>

/* The texts live in the row's arena, or longer than it. A run that failed has a row without
 * measures and applications; version, scenario, seed and strategy are there in any case. */
struct run_result {
    int64_t identity; /* above 0 */
    const char *family, *parameters, *platform;
    const char *error; /* NULL = it did not fail */
    struct row row;
};

void result_fini(struct run_result *result);

#endif
