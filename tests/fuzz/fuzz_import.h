/* What the fuzz targets of the importers share. */
#ifndef WEIR_TESTS_FUZZ_IMPORT_H
#define WEIR_TESTS_FUZZ_IMPORT_H

#include "format/import.h"
#include "fuzz.h"

/* Imports the input, strictly and leniently. What is refused must be explained in one line that
 * names the file. */
static inline int fuzz_import(const char *name, const uint8_t *data, size_t size)
{
    const struct importer *importer = import_find(name, NULL);
    char *text = mem_alloc(size + 1, 1);
    fuzz_require(text != NULL);
    if (size)
        memcpy(text, data, size);
    for (int lenient = 0; lenient < 2; lenient++) {
        const struct import_options options = {.platform = {.bandwidth = 1e9},
                                               .io_ratio =
                                                   lenient ? 0 : 0.1, /* or what the log says */
                                               .iterations = 3,
                                               .lenient = lenient};
        const struct import_text source = {text, size, "input"};
        struct err err = {0};
        char said[4096];
        FILE *notes = fmemopen(said, sizeof said, "w");
        fuzz_require(notes != NULL);
        struct scenario *scenario = import_parse(importer, &source, &options, notes, &err);
        if (scenario)
            fuzz_round_trip(scenario);
        else
            fuzz_require(strncmp(err.text, "input:", 6) == 0 && !strchr(err.text, '\n'));
        scenario_free(scenario);
        fclose(notes);
    }
    free(text);
    return 0;
}

#endif
