/* A workload without one of its applications. */
#ifndef WEIR_MODEL_SUBSET_H
#define WEIR_MODEL_SUBSET_H

#include "model/workload.h"

/* In the same window. What it consists of is borrowed from the original, which must outlive it.
 * NULL with err when memory is out; workload_free frees. */
struct workload *workload_without(const struct workload *workload, uint32_t id, struct err *err);

#endif
