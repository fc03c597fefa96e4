/* What `weir query` shows of a database without SQL. */
#ifndef WEIR_CLI_SUMMARY_H
#define WEIR_CLI_SUMMARY_H

#include "base/err.h"
#include "report/runs.h"
#include "store/database.h"

/* The statement: means over the seeds, by experiment and strategy (store/experiments.h). An empty
 * selection stands for the measures that matter most. free() frees; NULL with err. */
char *summary_sql(struct database *database, const struct selection *selection, struct err *err);

#endif
