/* Requests of commands to the controller: `weir status`, `ctl`, `top`, `exec`. They wait for the
 * reply, within a limit. Functions that can fail return NULL or the reason, a constant text. */
#ifndef WEIR_CLIENT_REQUEST_H
#define WEIR_CLIENT_REQUEST_H

#include "client/identity.h"
#include "wire/message.h"

/* Called for each message of the reply, including the last (STATUS, AGENT or REFUSED). */
typedef void request_answer(const struct wire_message *message, void *context);

/* Whether this message ends a reply. */
static inline bool request_is_over(const struct wire_message *message)
{
    return message->type == WIRE_STATUS || message->type == WIRE_REFUSED ||
           message->type == WIRE_AGENT;
}

/* What is asked: a QUERY, SET or SHOW; before a SET the pieces of a plan, NULL = none. */
struct request_question {
    const struct wire_message *message;
    const char *plan;
    size_t plan_size;
};

/* Sends a question to the controller at `socket` and passes on its reply, within
 * `seconds`. A REFUSED is a reply, not a failure. */
const char *request_ask_all(const char *socket, const struct request_question *question,
                            double seconds, request_answer *answer, void *context);
const char *request_ask(const char *socket, const struct wire_message *question, double seconds,
                        request_answer *answer, void *context);

/* Attaches, usually as leader, and returns the socket in `fd`. The application lives as long as the
 * socket is open; the caller closes it. `answer` is WELCOME, or REFUSED and fd is -1. */
const char *request_attach(const struct identity *identity, double seconds,
                           struct wire_message *answer, int *fd);

#endif
