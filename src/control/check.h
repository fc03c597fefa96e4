/* An independent check of what a strategy and the controller do.
 *
 * A strategy keeps the rules of weir/policy.h: it grants numbers, to active applications, each
 * once; none exceeds bmax, the sum never exceeds B, and if it promises to waste nothing it does
 * not. Besides, the check integrates the bandwidths on its own and compares: bytes out equal bytes
 * in.
 *
 * An error states what is wrong; `*app` is the application concerned, or CONTROL_NONE. The caller
 * adds its name and the time. */
#ifndef WEIR_CONTROL_CHECK_H
#define WEIR_CONTROL_CHECK_H

#include "base/err.h"
#include "control/control.h"

/* Whether the last decision, just taken, keeps the rules. 0, or -1 with the first that it breaks.
 * Looks at every active application. */
int check_rules(struct control *control, const struct policy *policy, double now, uint32_t *app,
                struct err *err);

/* --- bytes ------------------------------------------------------------------------------------ */

/* The driver calls check_elapse before it reports the changes of an instant, and check_complete for
 * each completion. */
struct check;

struct check *check_new(uint32_t capacity); /* NULL: out of memory */
void check_free(struct check *check);       /* NULL is fine */

void check_elapse(struct check *check, struct control *control, double now);
/* Before control_complete. 0, or -1 with what is wrong about the application. */
int check_complete(struct check *check, struct control *control, uint32_t id, struct err *err);
/* It completes late: what it held since check_complete was not used. */
void check_forget(struct check *check, uint32_t id);

#endif
