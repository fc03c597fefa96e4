/* Waiting for what was granted: tickets, sleeps, and the looks at the controller between them.
 *
 * A call is never cut. It takes a ticket for all its bytes, and is made when the first `chunk` of
 * them are granted; pace_settle then waits for the rest. On a store that is slower than the grant
 * there is nothing left to wait for; on a faster one the call takes as long as its bytes are worth.
 *
 * Everything here waits while the tie of this number holds and the controller gives signs of life,
 * and no longer than its patience; and may change errno. */
#ifndef WEIR_CLIENT_PACE_H
#define WEIR_CLIENT_PACE_H

#include "client/tie.h"

/* Takes a ticket for some of the bytes, all of them if `whole`, waits until they may begin to move,
 * and returns how many. Before it waits it asks `waits`, unless that is NULL; if it says no, all of
 * them pass. */
size_t pace_bytes(struct session *session, uint32_t number, size_t bytes, bool whole,
                  bool (*waits)(void));

/* The bytes for which the latest pace_bytes took a ticket: none, where they passed without one. */
size_t pace_taken(void);

/* Fewer bytes were moved than a ticket was taken for, or more. */
void pace_return(struct session *session, size_t bytes);
void pace_charge(struct session *session, size_t bytes);

/* Whether this thread has moved something in advance that was not waited for. */
bool pace_owes(void);

/* Waits for what the call under way has moved in advance. What is left after the controller's
 * patience is paid for by later calls. */
void pace_settle(struct session *session, uint32_t number);

/* The bytes were moved, or not. A thread inside a call cannot claim what comes in meanwhile: on a
 * store that is as slow as the grant, where a call takes as long as its bytes are worth, it would
 * get half of it. So that time is made up for. */
void pace_done(struct session *session, uint64_t now);

/* The bytes for which this thread took tickets since it was last asked. */
size_t pace_taken(void);

/* The call under way rests, and goes on. */
void pace_set_aside(struct pace_call *call);
void pace_take_back(const struct pace_call *call);

/* Takes a ticket for one operation, and waits for it. */
void pace_operation(struct session *session, uint32_t number);

#endif
