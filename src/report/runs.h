/* Three ways to write rows: those of one scenario under several strategies. */
#ifndef WEIR_REPORT_RUNS_H
#define WEIR_REPORT_RUNS_H

#include "base/err.h"
#include "base/json.h"
#include "metric/measure.h"
#include "model/scenario.h"
#include "trial/row.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The name of the bounds among strategies. */
#define RUNS_BOUND "bound"

/* What a table or CSV shows. */
struct selection {
    const struct measure *measures[MEASURE_COUNT];
    size_t count;
    bool chosen; /* by the user: then all are shown, however wide */
};

/* The measures that matter most: others in a window than of a whole run. */
struct selection selection_default(const struct window *window);

/* Adds the measures of "a,b,c"; naming one twice is an error. 0 or -1. */
int selection_parse(struct selection *selection, const char *text, struct err *err);

/* One line per row, the best of each column marked with '*' (and, with `colour`, highlighted),
 * which is explained below; then the bounds, if there are any. At most 80 columns wide unless the
 * selection was chosen. 0, or -1 when memory is out. */
int runs_print_table(const struct rows *rows, const struct selection *selection, bool colour,
                     FILE *out);

/* One line per application of the row. 0, or -1 when memory is out. */
int run_print_apps(const struct row *row, bool colour, FILE *out);

/* One line per store of the row, which has several. */
void run_print_stores(const struct row *row, bool colour, FILE *out);

/* One line per user, or account, of the row. 0, or -1 when memory is out. */
int run_print_parties(const struct row *row, enum party_kind kind, bool colour, FILE *out);

/* CSV: the header once, then one line per row, or per application, user or account of each row.
 * Numbers read back exactly; what has no meaning is empty. Bounds are a line of their own. */
void runs_csv_header(const struct selection *selection, FILE *out);
void runs_csv(const struct rows *rows, const struct selection *selection, FILE *out);
void runs_csv_apps_header(FILE *out);
void runs_csv_apps(const struct rows *rows, FILE *out);
void runs_csv_parties_header(FILE *out);
void runs_csv_parties(const struct rows *rows, enum party_kind kind, FILE *out);

/* {"weir": ..., "runs": [...]}, see docs/reference/json.md: all measures and all applications; what has no
 * meaning is null. Written as an element of whatever `json` is in. There is at least one row. */
void runs_json(const struct rows *rows, struct json *json);

/* What strategies knew, as members of an object. */
void knowledge_json(const struct knowledge *knowledge, struct json *json);

#endif
