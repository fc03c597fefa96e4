/* Workload, or what became of it -> the formats of others: one writer per format. */
#ifndef WEIR_FORMAT_EXPORT_H
#define WEIR_FORMAT_EXPORT_H

#include "base/err.h"
#include "model/timeline.h"
#include "model/workload.h"
#include <stdbool.h>
#include <stdio.h>

struct export_input {
    const struct workload *workload;
    const struct timeline *timeline; /* of a run; NULL unless the exporter wants one */
};

struct exporter {
    const char *name, *help;
    bool simulated; /* it wants a timeline */
    /* 0, or -1 with err when the format cannot say what the workload is; the text names the
     * application. */
    int (*write)(FILE *out, const struct export_input *input, struct err *err);
};

/* instance, set, csv, ...; ends with NULL. */
extern const struct exporter *const export_registry[];
const struct exporter *export_find(const char *name, struct err *err);

#endif
