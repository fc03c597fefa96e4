/* A plan in numbers, for people. */
#ifndef WEIR_CLI_PLAN_SUMMARY_H
#define WEIR_CLI_PLAN_SUMMARY_H

#include "format/plan_file.h"
#include "model/workload.h"

/* Prints how good the plan is, how good it could be, and what everybody has of it. `source` is the
 * file from which a valid plan was read, or NULL. */
void plan_summary_print(const struct plan_file *file, const struct tasks *tasks,
                        const struct workload *workload, const char *source);

#endif
