/* An independent check of what a strategy and the controller do.
 *
 * It integrates the bandwidths it is shown by itself and compares: the sum never exceeds B, nobody
 * exceeds bmax, bytes out equal bytes in, and a strategy that promises to waste nothing does not.
 * The driver calls check_elapse before it reports the changes of an instant, check_complete for
 * each completion and check_decide after the decision. */
#ifndef WEIR_CONTROL_CHECK_H
#define WEIR_CONTROL_CHECK_H

#include "base/err.h"
#include "control/control.h"

struct check;

struct check *check_new(const struct policy *policy, uint32_t capacity); /* NULL: out of memory */
void check_free(struct check *check);                                    /* NULL is fine */

void check_elapse(struct check *check, struct control *control, double now);
/* Before control_complete. 0, or -1 with what is wrong. */
int check_complete(struct check *check, struct control *control, uint32_t id, struct err *err);
/* It completes late: what it held since check_complete was not used. */
void check_forget(struct check *check, uint32_t id);
int check_decide(struct check *check, struct control *control, double now, struct err *err);

#endif
