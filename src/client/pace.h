/* Waiting for what was granted: tickets, sleeps, and the looks at the controller between them. */
#ifndef WEIR_CLIENT_PACE_H
#define WEIR_CLIENT_PACE_H

#include "client/tie.h"

/* Both wait while the tie of this number holds and the controller gives signs of life, and may
 * change errno. */

/* Takes a ticket for some of the bytes, all of them if `whole`, waits for it, and returns how
 * many. Before it waits it asks `waits`, unless that is NULL; if it says no, all of them pass. */
size_t pace_bytes(struct session *session, uint32_t number, size_t bytes, bool whole,
                  bool (*waits)(void));

/* The bytes were moved, or not. A thread inside a call cannot claim what comes in meanwhile: on a
 * store that is as slow as the grant, where a call takes as long as its bytes are worth, it would
 * get half of it. So that time is made up for. */
void pace_done(uint64_t now);

/* The bytes for which this thread took tickets since it was last asked. */
size_t pace_taken(void);

/* Takes a ticket for one operation, and waits for it. */
void pace_operation(struct session *session, uint32_t number);

#endif
