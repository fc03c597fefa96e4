/* Waiting for the grant: tickets, sleeps, and checks of the controller between them.
 *
 * A call is never split. It takes a ticket for all its bytes, and is made when the first `chunk` of
 * them are granted; pace_settle then waits for the rest. On a store slower than the grant nothing
 * is left to wait for; on a faster one the call takes as long as its bytes take at the granted
 * rate.
 *
 * Everything here waits only while the tie of this number holds and the controller sends
 * heartbeats, and no longer than its patience; and may change errno. */
#ifndef WEIR_CLIENT_PACE_H
#define WEIR_CLIENT_PACE_H

#include "client/tie.h"

/* Takes a ticket for some of the bytes, all of them if `whole`, waits until they may begin to move,
 * and returns how many. Before it waits it calls `waits`, unless that is NULL; if `waits` returns
 * false, all bytes pass. */
size_t pace_bytes(struct session *session, uint32_t number, size_t bytes, bool whole,
                  bool (*waits)(void));

/* The bytes that the latest pace_bytes took a ticket for: 0 if they passed without one. */
size_t pace_taken(void);

/* Corrects a ticket after fewer, or more, bytes were moved than it was taken for. */
void pace_return(struct session *session, size_t bytes);
void pace_charge(struct session *session, size_t bytes);

/* Whether this thread moved bytes in advance and has not waited for them. */
bool pace_owes(void);

/* Waits for the bytes that the current call moved in advance. Later calls pay for what is left
 * after the controller's patience. */
void pace_settle(struct session *session, uint32_t number);

/* The bytes were moved, or not. A thread inside a call cannot claim the grant that accrues
 * meanwhile: on a store as slow as the grant, where a call takes as long as its bytes take at the
 * granted rate, it would get half of it. So that time is compensated. */
void pace_done(struct session *session, uint64_t now);

/* Sets the current call aside, and returns to it. */
void pace_set_aside(struct pace_call *call);
void pace_take_back(const struct pace_call *call);

/* Takes a ticket for one operation, and waits for it. */
void pace_operation(struct session *session, uint32_t number);

#endif
