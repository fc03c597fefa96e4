/* Which runs of a database belong to the same experiment: by what determined them, not by names. A
 * scenario or a platform that was changed between two campaigns, and files of the same name, are
 * several experiments. */
#ifndef WEIR_STORE_EXPERIMENTS_H
#define WEIR_STORE_EXPERIMENTS_H

#include "base/arena.h"
#include "base/err.h"
#include "store/database.h"
#include <stddef.h>
#include <stdio.h>

/* What a column says of a run. */
enum experiment_part {
    EXPERIMENT_WORKLOAD,  /* the name of the scenario or of the family */
    EXPERIMENT_PARAMETER, /* a value of the family's parameters or of a sweep */
    EXPERIMENT_PLATFORM,  /* its name in the campaign */
    EXPERIMENT_APART,     /* content that tells experiments of the same names apart */
    EXPERIMENT_STRATEGY,  /* the strategy, and the content of its file */
};

struct experiment_column {
    const char *sql, *name; /* an expression over the table `run`, and its heading */
    enum experiment_part part;
};

/* The columns of this database; those that are the same everywhere are left out. Runs that agree in
 * all but EXPERIMENT_STRATEGY are those of one experiment with several seeds and strategies. */
struct experiments {
    struct experiment_column *list;
    size_t count, capacity;
    struct arena arena;
};

/* 0, or -1 with err; experiments_fini in both cases. */
int experiments_init(struct experiments *experiments, struct database *database, struct err *err);
void experiments_fini(struct experiments *experiments);

/* Writes "expression AS name, ..." of all columns, for a SELECT in whose results they come first.
 */
void experiments_select(const struct experiments *experiments, FILE *sql);

#endif
