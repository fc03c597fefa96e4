/* What really remains of I/Os whose volumes the controller only estimates: it sees the estimates,
 * and the I/Os end when all of their bytes are moved. */
#ifndef WEIR_SIM_ACTUAL_H
#define WEIR_SIM_ACTUAL_H

#include "control/control.h"
#include "model/workload.h"

struct actual;

/* `expected` has the volumes that the controller expects, of every I/O of the workload; it is
 * borrowed. With `blind` that of the first one of an application is a guess. NULL when memory is
 * out. */
struct actual *actual_new(const struct workload *expected, bool blind);
void actual_free(struct actual *actual); /* NULL is fine */

/* An application posts an I/O in iteration k: its volume becomes what the controller is told. */
void actual_post(struct actual *actual, uint32_t id, uint32_t k, struct control_io *io);

/* Time passes until `now` at the rates that the controller has granted; then an application whose
 * I/O is over, or CONTROL_NONE. */
void actual_elapse(struct actual *actual, struct control *control, double now);
uint32_t actual_over(const struct actual *actual, struct control *control);

/* When the next I/O will be over at these rates, or INFINITY. */
double actual_next(const struct actual *actual, struct control *control);

/* Its I/O has reached the expected volume and is not over: tells the controller. False if it is
 * over. */
bool actual_exceeds(const struct actual *actual, struct control *control, uint32_t id);

/* Its I/O is over: tells the controller the volume, before the I/O is completed. */
void actual_end(struct actual *actual, struct control *control, uint32_t id);

#endif
