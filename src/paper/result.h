/* One result per table or figure of the papers: what it is made of, what is drawn, what the paper
 * says of it. */
#ifndef WEIR_PAPER_RESULT_H
#define WEIR_PAPER_RESULT_H

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
};

/* In the order of the papers and of their figures; then ours. */
#define RESULTS(X)                                                                                 \
    X(vidal_theorem_4)                                                                             \
    X(vidal_ii_4)                                                                                  \
    X(vidal_ii_5)                                                                                  \
    X(vidal_ii_6)                                                                                  \
    X(vidal_iii_4)                                                                                 \
    X(vidal_iii_5)                                                                                 \
    X(vidal_iii_6)                                                                                 \
    X(vidal_iii_8)                                                                                 \
    X(vidal_iii_9)                                                                                 \
    X(vidal_iii_10)                                                                                \
    X(vidal_iii_11)                                                                                \
    X(vidal_iii_12)                                                                                \
    X(vidal_iii_13)                                                                                \
    X(vidal_iv_3)                                                                                  \
    X(vidal_iv_4)                                                                                  \
    X(vidal_iv_5)                                                                                  \
    X(vidal_iv_6)                                                                                  \
    X(vidal_iv_7)                                                                                  \
    X(vidal_iv_8)                                                                                  \
    X(vidal_iv_9)                                                                                  \
    X(vidal_iv_10)                                                                                 \
    X(vidal_v_1)                                                                                   \
    X(gainaru_moments)                                                                             \
    X(gainaru_mixes)                                                                               \
    X(gainaru_priority)                                                                            \
    X(benoit_table_2)                                                                              \
    X(benoit_2)                                                                                    \
    X(benoit_3)                                                                                    \
    X(benoit_4)                                                                                    \
    X(benoit_parameters)                                                                           \
    X(benoit_5)                                                                                    \
    X(benoit_6)                                                                                    \
    X(benoit_7)                                                                                    \
    X(benoit_8)                                                                                    \
    X(benoit_9)                                                                                    \
    X(benoit_10)                                                                                   \
    X(aupy_table_3)                                                                                \
    X(aupy_table_4)                                                                                \
    X(aupy_6)                                                                                      \
    X(aupy_7)                                                                                      \
    X(zha_5)                                                                                       \
    X(zha_6)                                                                                       \
    X(findings_strategies)                                                                         \
    X(findings_limits)                                                                             \
    X(findings_knowledge)                                                                          \
    X(findings_bound)                                                                              \
    X(findings_optimum)                                                                            \
    X(findings_chaos)                                                                              \
    X(findings_plans)

#define X(name) extern const struct result result_##name;
RESULTS(X)
#undef X
extern const struct result *const results[]; /* ends with NULL */

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
const struct result *result_find(const char *name, struct err *err);

/* How many of its claims and published columns agree, differ and are open; and how many of these
 * verdicts are not as recorded. */
struct result_score {
    int verdicts[3];
    int unexpected;
};
struct result_score result_score(const struct result *result, const struct samples *samples,
                                 bool quick);

#endif
