/* The runs of a campaign's database as recommendations compare them: results of strategies in the
 * same experiments (store/experiments.h), paired over seeds. */
#ifndef WEIR_ANSWER_STORED_H
#define WEIR_ANSWER_STORED_H

#include "compare/choice.h"
#include "store/experiments.h"

enum { STORED_TITLE = 512 };

/* What strategies are compared in: an experiment, with or without a window. */
struct stored_case {
    struct store_cell *keys; /* of its experiment */
    const char *parameters;  /* a JSON object */
    bool windowed;
    size_t first, count; /* of its results */
    size_t seeds;
};

struct stored_result {
    int64_t seed;
    size_t strategy;
    struct weir_metrics metrics;
};

/* A strategy with the content of its file, NULL if it has none. */
struct stored_strategy {
    const char *strategy, *file;
    const char *name; /* as it is shown: with the file, if the strategy has several */
};

struct stored {
    struct experiments experiments;
    struct stored_case *cases;
    size_t case_count, case_capacity;
    struct stored_result *results; /* of each case in order of the seeds */
    size_t result_count, result_capacity;
    struct stored_strategy *strategies;
    size_t strategy_count, strategy_capacity;
    struct arena arena;
};

/* Whether a file is a database. */
bool stored_is(const char *path);

/* A number of a database; NAN = it is none. */
double stored_number(const struct store_cell *cell);

/* Reads all runs that succeeded. 0, or -1 with err: there are none, or the database cannot be read;
 * stored_fini in both cases. */
int stored_load(struct stored *stored, const char *path, struct err *err);
void stored_fini(struct stored *stored);

/* The index of a strategy by the name that is shown, SIZE_MAX = it is not there. */
size_t stored_find(const struct stored *stored, const char *name);

/* A text of a case's experiment, NULL = it has none. */
const char *stored_text(const struct stored *stored, const struct stored_case *of,
                        enum experiment_part part);

/* "platform.bandwidth=4e+09, hash=...": what tells cases of the same names apart, or "". Returns
 * `apart`. */
char *stored_apart(const struct stored *stored, const struct stored_case *of,
                   char apart[STORED_TITLE]);

#endif
