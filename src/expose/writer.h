/* Numbers -> the text that Prometheus reads, or OpenMetrics. Labels may be anything: they are
 * quoted, and what is not printable text becomes '?'. */
#ifndef WEIR_EXPOSE_WRITER_H
#define WEIR_EXPOSE_WRITER_H

#include "base/histogram.h"
#include "expose/metric.h"
#include <stdbool.h>
#include <stdio.h>

struct expose {
    FILE *out;
    bool open_metrics;
    const struct expose_metric *metric; /* the one whose samples are written */
};

/* Begins the samples of a metric, which stand together. */
void expose_begin(struct expose *expose, enum expose_id id);

/* A sample of it; one text for each of its labels, NULL if it has none. */
void expose_value(struct expose *expose, const char *const *labels, double value);
void expose_histogram(struct expose *expose, const char *const *labels,
                      const struct histogram_scale *scale, const struct histogram *histogram);

/* A metric without labels. */
void expose_one(struct expose *expose, enum expose_id id, double value);

/* Ends the page. */
void expose_end(struct expose *expose);

/* The type of the page, for HTTP; and whether a client that accepts these types wants OpenMetrics.
 * The text is the client's; NULL is fine. */
const char *expose_type(bool open_metrics);
bool expose_wants_open_metrics(const char *accept);

#endif
