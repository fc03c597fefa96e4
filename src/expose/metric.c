#include "expose/metric.h"

#define X(id, name, type, unit, page, labels, help)                                                \
    [EXPOSE_##id] = {name, EXPOSE_##type, unit, EXPOSE_##page, labels, help},
const struct expose_metric expose_metrics[EXPOSE_COUNT] = {EXPOSE_METRICS(X)};
#undef X

const char *const expose_types[EXPOSE_TYPES] = {"counter", "gauge", "histogram"};
const char *const expose_pages[EXPOSE_PAGES] = {"/metrics", "/metrics/users", "/metrics/jobs"};
