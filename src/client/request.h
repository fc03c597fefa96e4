/* What a command asks the controller: `weir status`, `ctl`, `top`, `exec`. It waits for the answer,
 * within a limit. Functions that can fail return NULL or why they did: a text that never changes.
 */
#ifndef WEIR_CLIENT_REQUEST_H
#define WEIR_CLIENT_REQUEST_H

#include "client/identity.h"
#include "wire/message.h"

/* Called for each message of the answer, the last one (STATUS or REFUSED) included. */
typedef void request_answer(const struct wire_message *message, void *context);

/* Asks the controller at `socket` a QUERY or a SET and hands its answer over, in at most `seconds`.
 * A REFUSED is an answer, not a failure. */
const char *request_ask(const char *socket, const struct wire_message *question, double seconds,
                        request_answer *answer, void *context);

/* Attaches, usually as leader, and returns the socket in `fd`, which keeps the application alive
 * while it is open; the caller closes it. `answer` is WELCOME, or REFUSED: then fd is -1. */
const char *request_attach(const struct identity *identity, double seconds,
                           struct wire_message *answer, int *fd);

#endif
