/* How long each I/O of a simulated run takes, beside how long it took in a log. */
#ifndef WEIR_ANSWER_LENGTHS_H
#define WEIR_ANSWER_LENGTHS_H

#include "base/err.h"
#include "format/observed.h"
#include "model/watcher.h"
#include "model/workload.h"

/* Follows a run of a workload, whose applications have at most UINT32_MAX iterations in all. NULL
 * with err when memory is out; lengths_free frees. */
struct lengths *lengths_new(const struct workload *workload, struct err *err);
void lengths_free(struct lengths *lengths); /* NULL is fine */
struct watcher lengths_watcher(struct lengths *lengths);

/* After the run: seconds from the post to the end of an I/O that a log has; NAN = it did not end.
 */
double lengths_of(const struct lengths *lengths, const struct observed_io *io);

#endif
