/* What monitoring reads of a controller or an agent (expose/metric.h), over HTTP. A page is made
 * when it is asked for, between two turns of the loop, and at most about ten times a second:
 * nothing is counted for it in a decision, and no client can ask for more than that. For this room
 * only. */
#ifndef WEIR_SERVE_METRICS_H
#define WEIR_SERVE_METRICS_H

#include "expose/writer.h"
#include "serve/cluster.h"
#include "serve/engine.h"
#include "serve/web.h"

struct agent;

/* A page that was made. */
struct metrics_page {
    char *text;
    size_t length;
    uint64_t made; /* when */
    uint32_t top;  /* of jobs */
};

struct metrics {
    struct engine *engine;
    const struct cluster *cluster; /* NULL = none */
    const struct agent *agent;     /* NULL = it is a controller */
    const struct journal *journal; /* NULL = none */
    struct web *web;
    double started;                             /* seconds since 1970 */
    uint64_t nodes_made;                        /* when the nodes were last listed */
    struct metrics_page pages[EXPOSE_PAGES][2]; /* each as text and as OpenMetrics */
};

/* Serves at the address. 0 or -1; metrics_close in both cases, and the loop must run after it. */
int metrics_open(struct metrics *metrics, const char *address, struct err *err);
void metrics_close(struct metrics *metrics);

/* Writes a page; `top`: how many applications are listed, of jobs. */
void metrics_write(const struct metrics *metrics, enum expose_page page, uint32_t top,
                   struct expose *expose);

/* Between the files of the pages: those about users and jobs. */
void metrics_write_users(const struct metrics *metrics, struct expose *expose);
void metrics_write_jobs(const struct metrics *metrics, uint32_t top, struct expose *expose);

/* The nodes of a cluster as JSON: name, state, seconds since the last message, what is left of the
 * lease, applications. */
#define METRICS_NODES "/nodes"
void metrics_write_nodes(const struct cluster *cluster, uint64_t now, FILE *out);

#endif
