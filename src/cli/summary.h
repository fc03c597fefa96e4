/* What `weir query` shows of a database without SQL. */
#ifndef WEIR_CLI_SUMMARY_H
#define WEIR_CLI_SUMMARY_H

#include "base/err.h"
#include "report/runs.h"
#include "store/database.h"

/* The statement: means over the seeds, by workload, parameter, platform and strategy; columns that
 * are the same everywhere are left out. Where these names stand for several experiments, because a
 * scenario or a platform was changed or two files have the same name, the values of the platform
 * and the hash of the scenario keep them apart. An empty selection stands for the measures that
 * matter most. free() frees; NULL with err. */
char *summary_sql(struct database *database, const struct selection *selection, struct err *err);

#endif
