/* The machine: N nodes of b bytes/s each behind one file system of B bytes/s (docs/explanation/model.md). */
#ifndef WEIR_MODEL_PLATFORM_H
#define WEIR_MODEL_PLATFORM_H

#include "model/store.h"

struct platform {
    double nodes;              /* N; 0 = unknown (what the applications use at once is taken) */
    double node_bandwidth;     /* b; INFINITY = a node can saturate the file system */
    double bandwidth;          /* B */
    const struct store *store; /* what else the file system does, NULL = nothing */
};

/* What it loses when several use it; NULL = nothing. */
static inline const struct curve *platform_curve(const struct platform *platform)
{
    const struct store *store = platform->store;
    return store && curve_falls(&store->curve) ? &store->curve : NULL;
}

/* How its bandwidth varies; NULL = it does not. */
static inline const struct health *platform_health(const struct platform *platform)
{
    const struct store *store = platform->store;
    return store && store->health.count > 0 ? &store->health : NULL;
}

/* What an application of p nodes can move when alone, bytes/s: min(p b, B). */
static inline double platform_bmax(const struct platform *platform, double nodes)
{
    double together = nodes * platform->node_bandwidth;
    return together < platform->bandwidth ? together : platform->bandwidth;
}

#endif
