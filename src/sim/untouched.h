/* Whether a plug-in has left alone what it is shown: the view is const, but a cast is enough to
 * change it, and then no measure means anything. */
#ifndef WEIR_SIM_UNTOUCHED_H
#define WEIR_SIM_UNTOUCHED_H

#include "base/err.h"
#include "model/outcome.h"
#include "model/workload.h"
#include <weir/policy.h>

struct untouched;

/* Remembers the facts of the applications. NULL when memory is out; untouched_free frees. */
struct untouched *untouched_new(const struct workload *workload);
void untouched_free(struct untouched *untouched); /* NULL is fine */

/* After the run: facts are as they were, and no application has done more, or lost less, than it
 * can. 0, or -1 with err. */
int untouched_check(const struct untouched *untouched, const struct weir_view *view,
                    const struct outcome *outcome, struct err *err);

#endif
