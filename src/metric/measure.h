/* The measures as tables, made from the lists of weir/metrics.h: what reports loop over. */
#ifndef WEIR_METRIC_MEASURE_H
#define WEIR_METRIC_MEASURE_H

#include "base/err.h"
#include "base/units.h"
#include "metric/metric.h"
#include <stddef.h>

struct measure {
    const char *name, *help;
    enum unit unit;
    enum metric_sense sense;
    size_t offset; /* in struct weir_metrics or struct weir_app_metrics */
};

enum {
#define X(name, unit, sense, help) MEASURE_##name,
    WEIR_METRICS(X)
#undef X
        MEASURE_COUNT,
};

enum {
#define X(name, unit, sense, help) APP_MEASURE_##name,
    WEIR_APP_METRICS(X)
#undef X
        APP_MEASURE_COUNT,
};

enum {
#define X(name, unit, sense, help) PARTY_MEASURE_##name,
    WEIR_PARTY_METRICS(X)
#undef X
        PARTY_MEASURE_COUNT,
};

enum {
#define X(name, unit, sense, help) STORE_MEASURE_##name,
    WEIR_STORE_METRICS(X)
#undef X
        STORE_MEASURE_COUNT,
};

extern const struct measure store_measures[STORE_MEASURE_COUNT]; /* of one of several stores */
extern const struct measure measures[MEASURE_COUNT];             /* of a run */
extern const struct measure app_measures[APP_MEASURE_COUNT];     /* of an application in it */
extern const struct measure party_measures[PARTY_MEASURE_COUNT]; /* of a user or an account */

double measure_of(const struct measure *measure, const struct weir_metrics *metrics);
double measure_of_app(const struct measure *measure, const struct weir_app_metrics *metrics);
double measure_of_store(const struct measure *measure, const struct weir_store_metrics *metrics);
double measure_of_party(const struct measure *measure, const struct weir_party_metrics *metrics);

/* A measure of a run by name; NULL with err, which suggests the nearest name. */
const struct measure *measure_find(const char *name, struct err *err);

#endif
