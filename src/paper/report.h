/* A result as text, numbers and a picture. */
#ifndef WEIR_PAPER_REPORT_H
#define WEIR_PAPER_REPORT_H

#include "base/json.h"
#include "paper/result.h"
#include <stdio.h>

/* Markdown: what was run, a table for each chart, the published numbers, the claims with their
 * verdicts. `picture` is the name of the figure's file, or NULL. 0, or -1 when memory is out. */
int report_write(const struct result *result, const struct samples *samples, bool quick,
                 const char *picture, FILE *out, struct err *err);

/* The tables of its charts alone. */
int report_write_charts(const struct result *result, const struct experiment *experiment,
                        const struct samples *samples, FILE *out, struct err *err);

/* Markdown: the statements and tables that contradict their own paper, with what shows it, and how
 * many there are of each verdict. `samples` has those of every experiment. */
void report_write_statements(const struct results *results,
                             const struct samples samples[EXPERIMENT_COUNT], bool quick, FILE *out);

/* Whether there is anything to draw: a quick run may have no samples of it. */
bool report_has_figure(const struct result *result, const struct samples *samples);

/* CSV: a line for each chart, interval of x and series, with count, mean, deviation and quantiles.
 */
int report_write_csv(const struct result *result, const struct samples *samples, FILE *out,
                     struct err *err);

/* An element of an array: the published numbers and the claims, with their verdicts. */
void report_write_json(const struct result *result, const struct samples *samples, bool quick,
                       struct json *json);

/* Draws the charts of the result that have samples, at least one, into one file, whose ending names
 * its kind. 0, or -1 with err. */
int report_draw(const struct result *result, const struct samples *samples, const char *path,
                struct err *err);

#endif
