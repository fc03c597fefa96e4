/* What the fuzz targets of the readers share. */
#ifndef WEIR_TESTS_FUZZ_H
#define WEIR_TESTS_FUZZ_H

#include "base/mem.h"
#include "format/format.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_require(int holds)
{
    if (!holds)
        abort();
}

/* What was accepted must be valid and must survive being written and read again. */
static inline void fuzz_round_trip(const struct scenario *scenario)
{
    char *text = NULL;
    size_t length = 0;
    struct format_defaults none = {0};
    FILE *out = open_memstream(&text, &length);
    fuzz_require(out != NULL);
    scenario_write(out, scenario);
    fuzz_require(fclose(out) == 0);
    struct err err = {0};
    struct scenario *again = format_registry[0]->parse(text, length, "again", &none, &err);
    fuzz_require(again && again->count == scenario->count);
    for (uint32_t i = 0; i < again->count; i++) {
        const struct app_spec *a = &scenario->apps[i], *b = &again->apps[i];
        fuzz_require(strcmp(a->name, b->name) == 0 && a->iterations == b->iterations);
        fuzz_require(a->work.mean == b->work.mean && a->release == b->release);
    }
    scenario_free(again);
    free(text);
}

/* Parses the input. What was refused must be explained in one line that names the file. */
static inline int fuzz_format(const char *name, const uint8_t *data, size_t size)
{
    struct format_defaults defaults = {.bandwidth = 1e9};
    struct err err = {0};
    char *text = mem_alloc(size + 1, 1);
    fuzz_require(text != NULL);
    if (size)
        memcpy(text, data, size);
    struct scenario *scenario =
        format_find(name, NULL)->parse(text, size, "input", &defaults, &err);
    if (scenario)
        fuzz_round_trip(scenario);
    else
        fuzz_require(strncmp(err.text, "input:", 6) == 0 && !strchr(err.text, '\n'));
    scenario_free(scenario);
    free(text);
    return 0;
}

#endif
