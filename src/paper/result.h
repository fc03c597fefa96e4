/* One result per table or figure of the papers: what it is made of, what is drawn, what the paper
 * says of it. Each is a file of data/papers, by its name. */
#ifndef WEIR_PAPER_RESULT_H
#define WEIR_PAPER_RESULT_H

#include "base/arena.h"
#include "paper/claim.h"
#include "paper/experiment.h"

enum chart_kind {
    CHART_LINES,  /* the mean over x */
    CHART_BOXES,  /* 10, 25, 75 and 90 % of the samples at each x, and the mean */
    CHART_POINTS, /* every sample */
    CHART_BARS,   /* the mean at each x, with its 95 % interval */
    CHART_MEANS,  /* the means of two columns, `across` and the other, as a point at each x */
};

/* A figure and its table: a column of one group, over x, for each series. */
struct chart {
    const char *title; /* NULL ends a list */
    const char *y;     /* the label of the axis */
    enum chart_kind kind;
    uint16_t column, group;
    uint32_t series; /* bits; 0 = all */
    bool by_column;  /* points: x is the column `across` instead */
    bool by_series;  /* the series stand along the axis, and down the table */
    uint16_t across;
    const char *x;                 /* the label of the axis, if it is not the experiment's */
    bool intervals;                /* the table has 95 % intervals */
    double low, high, left, right; /* of the y and x axes; equal = all that is drawn */
};

struct result {
    const char *name;   /* as the user writes it */
    const char *source; /* paper and figure; NULL = a finding of our own */
    const char *title;
    enum experiment_id experiment;
    const char *note; /* what the paper leaves open, and how it is decided here; what we found; or
                         NULL */
    const struct chart *charts;
    const struct chart *tables;    /* more of them, which are not drawn; or NULL */
    const struct printed *printed; /* or NULL */
    const struct claim *claims;    /* or NULL */
    struct arena arena;            /* what it points at */
};

/* Those of data/papers, in the order of the papers and of their figures; then ours. */
struct results {
    struct result *list;
    size_t count;
};

/* Reads what the program carries. 0, or -1 with err; results_fini frees in both cases. */
int results_load(struct results *results, struct err *err);
void results_fini(struct results *results);

/* Reads one file. `where` is for messages, and the result's name is its last part without .yaml. 0,
 * or -1 with "where:line: ..." for what is no YAML, an unknown key, or a name that the experiment
 * does not have; result_release frees in both cases. */
int result_read(const char *text, size_t length, const char *where, struct result *result,
                struct err *err);
void result_release(struct result *result);

/* Whether it is a finding of our own, not a table or figure of a paper. */
static inline bool result_is_finding(const struct result *result)
{
    return !result->source;
}

/* The source; of a finding, that it is one. */
static inline const char *result_source(const struct result *result)
{
    return result->source ? result->source : "ours";
}

/* NULL with err, which suggests the nearest name. */
const struct result *result_find(const struct results *results, const char *name, struct err *err);

/* How many of its claims and published columns have each verdict; and how many of these are not as
 * recorded. */
struct result_score {
    int verdicts[VERDICTS];
    int unexpected;
};
struct result_score result_score(const struct result *result, const struct samples *samples,
                                 bool quick);

#endif
