#include "metric/measure.h"
#include "base/suggest.h"
#include <string.h>

const struct measure measures[MEASURE_COUNT] = {
#define X(name, unit, sense, help)                                                                 \
    {#name, help, UNIT_##unit, METRIC_##sense, offsetof(struct weir_metrics, name)},
    WEIR_METRICS(X)
#undef X
};

const struct measure app_measures[APP_MEASURE_COUNT] = {
#define X(name, unit, sense, help)                                                                 \
    {#name, help, UNIT_##unit, METRIC_##sense, offsetof(struct weir_app_metrics, name)},
    WEIR_APP_METRICS(X)
#undef X
};

const struct measure party_measures[PARTY_MEASURE_COUNT] = {
#define X(name, unit, sense, help)                                                                 \
    {#name, help, UNIT_##unit, METRIC_##sense, offsetof(struct weir_party_metrics, name)},
    WEIR_PARTY_METRICS(X)
#undef X
};

const struct measure store_measures[STORE_MEASURE_COUNT] = {
#define X(name, unit, sense, help)                                                                 \
    {#name, help, UNIT_##unit, METRIC_##sense, offsetof(struct weir_store_metrics, name)},
    WEIR_STORE_METRICS(X)
#undef X
};

static double measure_read_at(const void *base, size_t offset)
{
    double value;
    memcpy(&value, (const char *)base + offset, sizeof value);
    return value;
}

double measure_of(const struct measure *measure, const struct weir_metrics *metrics)
{
    return measure_read_at(metrics, measure->offset);
}

double measure_of_app(const struct measure *measure, const struct weir_app_metrics *metrics)
{
    return measure_read_at(metrics, measure->offset);
}

double measure_of_store(const struct measure *measure, const struct weir_store_metrics *metrics)
{
    return measure_read_at(metrics, measure->offset);
}

double measure_of_party(const struct measure *measure, const struct weir_party_metrics *metrics)
{
    return measure_read_at(metrics, measure->offset);
}

const struct measure *measure_find(const char *name, struct err *err)
{
    const char *names[MEASURE_COUNT + 1] = {NULL};
    for (size_t i = 0; i < MEASURE_COUNT; i++) {
        if (strcmp(measures[i].name, name) == 0)
            return &measures[i];
        names[i] = measures[i].name;
    }
    err_set(err, "unknown measure '%s'%s", name, suggest(name, names, "weir help simulate").text);
    return NULL;
}
