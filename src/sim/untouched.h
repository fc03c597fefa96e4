/* Whether a plug-in has left alone what it is shown: the view is const, but a cast is enough to
 * change it, and then no measure means anything. */
#ifndef WEIR_SIM_UNTOUCHED_H
#define WEIR_SIM_UNTOUCHED_H

#include "base/err.h"
#include "model/workload.h"
#include <stdbool.h>
#include <weir/policy.h>

struct untouched;

/* Remembers the facts of the applications. NULL when memory is out; untouched_free frees. */
struct untouched *untouched_new(const struct workload *workload);
void untouched_free(struct untouched *untouched); /* NULL is fine */

/* The caller has just set the release of an application, which starts. */
void untouched_start(struct untouched *untouched, uint32_t id);

/* After the run: facts are as they were, and no application has done more, or lost less, than it
 * can. `everything` includes applications that never started. 0, or -1 with err. */
int untouched_check(const struct untouched *untouched, const struct weir_view *view,
                    bool everything, struct err *err);

#endif
