/* Waiting for the grant: tickets, sleeps, and checks of the controller between them.
 *
 * A call is never split. It takes a ticket for all its bytes, and is made when the first `chunk` of
 * them are granted. What it moves ahead of the grant, the next call waits for. After a call only
 * pace_settle waits: until the store, as fast as the controller says that it is, would have moved
 * the bytes. On a real store that has passed when the call returns.
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

/* Whether this thread has taken a ticket and pace_settle has not waited for it. */
bool pace_owes(void);

/* Waits until the store would have moved `bytes`, or those of the latest ticket if they are fewer;
 * but no longer than the controller's patience. Those that were granted before they could begin to
 * move have had their time. Returns the time, which was `now`. */
uint64_t pace_settle(struct session *session, uint32_t number, size_t bytes, uint64_t now);

/* Waits until the latest ticket is granted, for bytes that were paid for and not waited for: what a
 * program announces in pieces takes as long as the grant says. */
void pace_pay(struct session *session, uint32_t number);

/* Sets the current call aside, and returns to it. */
void pace_set_aside(struct pace_call *call);
void pace_take_back(const struct pace_call *call);

/* Takes a ticket for one operation, and waits for it. */
void pace_operation(struct session *session, uint32_t number);

#endif
