/* Turns: large calls that are ahead of their grants.
 *
 * A call cannot be split and moves at the speed of the store, so a large one may leave its
 * application ahead of what it was granted. Its next call then waits: others may be behind. It need
 * not wait while the store has room, since nobody would gain by that. This machine knows which
 * large calls are in the store and which wait, and picks the one that starts next.
 *
 * - The store has room when it has had the time, at its bandwidth, for all bytes that were given to
 *   it; or while the large calls in it, each as fast as its application can be, and the grants of
 * the applications that make small calls are together below the bandwidth. It has none while one of
 *   these is behind its grant. A store that is faster than it is said to be lets no more through.
 * - When there is room, the waiting call that is the least ahead starts; of equals the one with the
 *   lowest number. An application that is granted nothing does not start, nor one that has not had
 *   the time for its own bytes at its own speed.
 *
 * Like the controller it has no clock and does no I/O: the simulator and the live controller run it alike.
 */
#ifndef WEIR_CONTROL_TURNS_H
#define WEIR_CONTROL_TURNS_H

#include "base/err.h"
#include "wire/call.h"
#include <stdbool.h>
#include <stdint.h>

#define TURNS_NONE UINT32_MAX

/* Whether calls of this size are large, for an application that reaches `most` bytes/s alone. */
static inline bool turns_is_large(double bytes, double most)
{
    return bytes >= CALL_LARGE * most;
}

struct turns;

/* For a store of this bandwidth at first. NULL when memory is out. */
struct turns *turns_new(double bandwidth, struct err *err);
void turns_free(struct turns *turns); /* NULL is fine */

/* What is known of the calls of an application. */
struct turns_calls {
    double started; /* bytes of all its calls so far that have begun, */
    double inside;  /* and of these, bytes of large calls that are in the store */
    double
        ahead; /* bytes by which the first call that waits is ahead of the grant; 0 = none waits */
    double rate; /* that is granted, bytes/s */
    double most; /* that it reaches alone, bytes/s, > 0 */
    bool large;  /* its calls are: those of others count by their bytes and grants only */
};

/* Calls of an application have begun, or one waits, or does so no more. 0, or -1 when memory is
 * out. */
int turns_see(struct turns *turns, double now, uint32_t id, const struct turns_calls *calls,
              struct err *err);

/* The application is granted another rate; none of its calls waits any more; it leaves. All are
 * fine for one that was never seen. */
void turns_rest(struct turns *turns, uint32_t id);
void turns_grant(struct turns *turns, double now, uint32_t id, double rate);
void turns_forget(struct turns *turns, double now, uint32_t id);

/* Whether it has a large call in the store, or one that waits. */
bool turns_has(const struct turns *turns, uint32_t id);

/* Whether any application has. */
bool turns_busy(const struct turns *turns);

/* Whether any call waits: if not, turns_next need not be asked. */
bool turns_any(const struct turns *turns);

/* The bandwidth of the store, and the grants, together, of all applications of which turns_has is
 * false. */
struct turns_store {
    double bandwidth, reserved;
};

/* The application whose waiting call starts now, or TURNS_NONE. Whoever asks lets it start. */
uint32_t turns_next(struct turns *turns, double now, struct turns_store store);

/* When to ask again if nothing changes; INFINITY = not before something does. */
double turns_due(const struct turns *turns);

#endif
