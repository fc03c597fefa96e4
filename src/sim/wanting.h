/* For how long users and accounts have an I/O posted: those of a workload while it runs. */
#ifndef WEIR_SIM_WANTING_H
#define WEIR_SIM_WANTING_H

#include "model/outcome.h"
#include "model/workload.h"

struct wanting;

/* NULL when memory is out. The workload outlives it. */
struct wanting *wanting_new(const struct workload *workload);
void wanting_free(struct wanting *wanting); /* NULL is fine */

/* An application posts an I/O; it is complete. */
void wanting_post(struct wanting *wanting, double now, uint32_t id);
void wanting_complete(struct wanting *wanting, double now, uint32_t id);

/* What is measured starts now; ends now, and goes to the outcome. */
void wanting_start(struct wanting *wanting, double now);
void wanting_end(struct wanting *wanting, double now, struct outcome *outcome);

#endif
