/* The machine: N nodes of b bytes/s each behind one file system of B bytes/s (docs/explanation/model.md). */
#ifndef WEIR_MODEL_PLATFORM_H
#define WEIR_MODEL_PLATFORM_H

struct platform {
    double nodes;          /* N; 0 = unknown (what the applications use at once is taken) */
    double node_bandwidth; /* b; INFINITY = a node can saturate the file system */
    double bandwidth;      /* B */
};

/* What an application of p nodes can move when alone, bytes/s: min(p b, B). */
static inline double platform_bmax(const struct platform *platform, double nodes)
{
    double together = nodes * platform->node_bandwidth;
    return together < platform->bandwidth ? together : platform->bandwidth;
}

#endif
