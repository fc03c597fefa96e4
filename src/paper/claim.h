/* What a paper claims, as data, and whether the samples agree. */
#ifndef WEIR_PAPER_CLAIM_H
#define WEIR_PAPER_CLAIM_H

#include "paper/experiment.h"
#include <stdbool.h>

enum claim_statistic { CLAIM_MEAN, CLAIM_LEAST, CLAIM_MOST, CLAIM_GEOMETRIC };

/* Of several numbers. */
enum claim_extreme { CLAIM_LARGEST, CLAIM_SMALLEST };

#define SERIES(index) (1u << (index))

/* A number from the samples: a statistic of one column for each of some series, and the extreme of
 * those. */
struct pick {
    uint16_t column, group;
    uint32_t series; /* bits; 0 = all of them */
    enum claim_statistic statistic;
    enum claim_extreme extreme;
    double from, to; /* of x, both included; `to` 0 = all */
};

/* How two numbers become one. */
enum claim_operation { CLAIM_VALUE, CLAIM_RATIO, CLAIM_DIFFERENCE };

/* Over the x: all samples together, or interval by interval, and the extreme of those. */
enum claim_over { CLAIM_TOGETHER, CLAIM_OVER_LARGEST, CLAIM_OVER_SMALLEST };

/* Below and above mean by more than the tolerance, or by more than CLAIM_TIE if none is given: what
 * is said to be better must not be equal. */
enum claim_relation { CLAIM_IS, CLAIM_AT_MOST, CLAIM_AT_LEAST, CLAIM_BELOW, CLAIM_ABOVE };
#define CLAIM_TIE 1e-4
extern const char *const relation_names[];

/* Why ours is not as the paper says, as recorded; both NULL = it agrees. */
struct claim_record {
    const char
        *differs; /* the paper contradicts itself or its own definitions: how that is shown */
    const char *incomparable; /* theirs was measured on a machine, or its workload or definition is
                                 not published: which, and what was run instead */
};

/* The passage that a statement or a column is about. */
struct claim_source {
    const char *at;    /* section, or table */
    const char *quote; /* the paper's words; NULL = there are only numbers */
};

struct claim {
    const char *text; /* what the paper says, in short; NULL ends a list */
    struct claim_source source;
    const char *measured; /* what our number is */
    struct pick ours, against;
    enum claim_operation operation;
    enum claim_over over;
    double from, to; /* of the x of both */
    enum claim_relation relation;
    double bound, tolerance; /* the published number, or what follows from the words */
    bool full;               /* decided by the full run only: a quick one has too few samples */
    double noise;            /* ours is made of processor times, which differ from run to run: this
                                near to the bound it stays open; 0 = every run gives the same */
    struct claim_record record;
};

enum verdict { VERDICT_AGREES, VERDICT_DIFFERS, VERDICT_INCOMPARABLE, VERDICT_OPEN };
enum { VERDICTS = VERDICT_OPEN + 1 };
extern const char *const verdict_names[];

struct judgement {
    double ours, difference; /* to the bound; NAN = there are no such samples */
    enum verdict verdict;
    bool expected;      /* it is as recorded; an open one always is */
    const char *reason; /* of a verdict that is not "agrees"; NULL = nothing is recorded */
};

struct judgement claim_judge(const struct claim *claim, const struct experiment *experiment,
                             const struct samples *samples, bool quick);

/* --- published numbers ---------------------------------------------------------------------- */

struct printed_number {
    uint16_t group, series;
    double x, value;
};

/* A column of a published table. */
struct printed {
    const char *text; /* NULL ends a list */
    struct claim_source source;
    uint16_t column;
    const struct printed_number *list;
    size_t count;
    double tolerance; /* of the means; plus 3.5 standard errors if `runs` is given */
    double digits;    /* theirs are rounded to this many: a little more than half a unit of the last
                         is added to the tolerance; 0 = it says all */
    double runs;      /* theirs are means over this many; 0 = exact */
    enum claim_relation relation;
    bool full;
    struct claim_record record;
};

/* Ours is the mean at this x; its margin includes the tolerance. */
struct printed_match {
    double ours, margin;
    bool agrees;
};
struct printed_match printed_match(const struct printed *printed, size_t index,
                                   const struct experiment *experiment,
                                   const struct samples *samples);

/* Agrees if all of them do; `ours` is how many. */
struct judgement printed_judge(const struct printed *printed, const struct experiment *experiment,
                               const struct samples *samples, bool quick);

#endif
