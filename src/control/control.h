/* The controller: a pure state machine between applications and a strategy.
 *
 * In: join, post, complete, leave, and the passing of time. Out: grants, and the date at which it
 * wants to be asked again. It has no clock and does no I/O: a simulator drives it with virtual
 * time, a daemon with real time, and both run this very code.
 *
 * All changes that fall on one instant are reported first, then control_decide is called once.
 * Between decisions rates are constant, so each application's state is kept as of its last change
 * of rate and brought up to date only when somebody looks: an event costs what it changes. */
#ifndef WEIR_CONTROL_CONTROL_H
#define WEIR_CONTROL_CONTROL_H

#include "base/err.h"
#include "policy/policy.h"
#include <stdint.h>

struct control;

#define CONTROL_NONE UINT32_MAX

/* `setup->params` and `plan` are ignored (they come from the policy); applications have ids below
 * `setup->capacity`. `policy` must outlive the controller. NULL when memory is out. */
struct control *control_new(const struct policy *policy, const struct weir_setup *setup,
                            struct err *err);
void control_free(struct control *control); /* NULL is fine */

/* An application starts, or is found running, in a work phase. `lost` is its age minus its
 * progress so far: 0 for a fresh one. `app` must outlive its run. */
void control_join(struct control *control, double now, uint32_t id, const struct weir_app *app,
                  double lost);

/* What an application says when it posts an I/O. */
struct control_io {
    double volume; /* bytes, > 0 */
    double work;   /* seconds of work just before it, in the same iteration */
    double posted; /* the date: now, or earlier if it was waiting before the controller started */
};
void control_post(struct control *control, double now, uint32_t id, struct control_io io);

/* Its I/O is complete: it is working again. */
void control_complete(struct control *control, double now, uint32_t id);

/* It ends an iteration that has no I/O. */
void control_iterate(struct control *control, uint32_t id, double work);

/* It ends. An I/O that is not complete is dropped. */
void control_leave(struct control *control, double now, uint32_t id);

/* Takes one decision for all changes at this instant. */
void control_decide(struct control *control, double now);

/* When to come back at the latest if nothing else happens: the first predicted completion or the
 * strategy's timer, INFINITY if neither. */
double control_next(const struct control *control);

/* An application whose I/O is predicted to be complete at `now` (what remains would take less than
 * 1e-9 max(1, now) seconds alone), or CONTROL_NONE. */
uint32_t control_due(const struct control *control, double now);

/* Whether the strategy asked to decide again by now. */
bool control_woken(const struct control *control, double now);

/* What the strategy sees, brought up to `now`. */
const struct weir_view *control_view(struct control *control, double now);

/* The bandwidth an application holds, bytes/s. */
double control_rate(const struct control *control, uint32_t id);

uint64_t control_decisions(const struct control *control);

#endif
