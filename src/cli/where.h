/* Where the controller is that a command asks: at a socket of this machine, or, in a cluster, at an
 * address, where MUNGE proves the user of the command. */
#ifndef WEIR_CLI_WHERE_H
#define WEIR_CLI_WHERE_H

#include "cli/cli.h"
#include "client/request.h"

struct where {
    const char *socket, *controller, *user, *munge; /* as given, NULL = not */
    const char *plan;                               /* to send before a SET, NULL = none */
    size_t plan_size;                               /* at most WIRE_PLAN_MOST */
};

/* The options of a command whose structure `type` has a `struct where` of this name. */
#define WHERE_OPTIONS(type, name)                                                                  \
    {"socket",                                                                                     \
     0,                                                                                            \
     OPTION_TEXT,                                                                                  \
     UNIT_NONE,                                                                                    \
     "PATH",                                                                                       \
     offsetof(type, name.socket),                                                                  \
     "socket of the controller; default $WEIR_SOCKET, else as for 'weir serve'"},                  \
        {"controller",                                                                             \
         0,                                                                                        \
         OPTION_TEXT,                                                                              \
         UNIT_NONE,                                                                                \
         "HOST[:PORT]",                                                                            \
         offsetof(type, name.controller),                                                          \
         "instead: controller of a cluster, several separated by commas; default "                 \
         "$WEIR_CONTROLLER"},                                                                      \
        {"controller-user",                                                                        \
         0,                                                                                        \
         OPTION_TEXT,                                                                              \
         UNIT_NONE,                                                                                \
         "USER",                                                                                   \
         offsetof(type, name.user),                                                                \
         "with --controller: the user that it runs as; default root"},                             \
    {                                                                                              \
        "munge-socket", 0, OPTION_TEXT, UNIT_NONE, "PATH", offsetof(type, name.munge),             \
            "with --controller: socket of munged; default its usual one"                           \
    }

/* Checks what is given, and completes it from the environment, so that either `socket` or
 * `controller` is NULL. 0, or -1 with err. `buffer` must stay. */
int where_find(const struct where *given, char buffer[IDENTITY_PATH], struct where *where,
               struct err *err);

/* Asks there, as request_ask does. 0, or -1 with err, which names the place. */
int where_ask(const struct where *where, const struct wire_message *question,
              request_answer *answer, void *context, struct err *err);

#endif
