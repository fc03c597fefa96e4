/* The machine: N nodes of b bytes/s each behind one file system of B bytes/s (docs/model.md). */
#ifndef WEIR_MODEL_PLATFORM_H
#define WEIR_MODEL_PLATFORM_H

struct platform {
    double nodes;          /* N; 0 = unknown (what the applications use at once is taken) */
    double node_bandwidth; /* b; INFINITY = a node can saturate the file system */
    double bandwidth;      /* B */
};

#endif
