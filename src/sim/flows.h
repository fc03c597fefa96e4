/* A store that really moves bytes, for applications that make large calls.
 *
 * Elsewhere in the simulator the bytes of an I/O move at the rate that is granted. A large call
 * cannot be split: once it has begun, it moves at the speed that the store gives it, whatever is
 * granted, and so it is on a live machine. Here every application in I/O is a flow. One with
 * large calls waits for its turn (control/turns.h), or has a call in the store; one with small
 * calls moves at its granted rate, and faster while it makes up for what the store could not give.
 * The store divides its bandwidth evenly among the streams, each up to what it can use. */
#ifndef WEIR_SIM_FLOWS_H
#define WEIR_SIM_FLOWS_H

#include "base/err.h"
#include "control/control.h"
#include "model/workload.h"

struct flows;

/* Whether any application makes calls that are large. */
bool flows_needed(const struct workload *workload);

/* `expected`, which may be NULL, and `blind`: see sim_options. NULL with err when memory is out. */
struct flows *flows_new(const struct workload *workload, const struct workload *expected,
                        bool blind, struct err *err);
void flows_free(struct flows *flows); /* NULL is fine */

/* An application posts an I/O in iteration k: its volume becomes what the controller is told. */
void flows_post(struct flows *flows, uint32_t id, uint32_t k, struct control_io *io);

/* Time passes until `now`; then, until it returns CONTROL_NONE, flows_over gives the applications
 * whose I/O is over. The controller is told how far the others are. */
void flows_elapse(struct flows *flows, struct control *control, double now);
uint32_t flows_over(struct flows *flows);

/* The controller takes an I/O to be over that is not: it hears the truth. */
void flows_correct(struct flows *flows, struct control *control, uint32_t id);

/* The I/O is over: tells the controller the volume, before the I/O is completed. */
void flows_end(struct flows *flows, struct control *control, uint32_t id);

/* After a decision: calls start, and the store divides its bandwidth again. 0, or -1 when memory is
 * out. */
int flows_decide(struct flows *flows, struct control *control, struct err *err);

/* When something happens next at these speeds, INFINITY = never; and the bytes/s of a flow. */
double flows_next(const struct flows *flows);
double flows_speed(const struct flows *flows, uint32_t id);

#endif
