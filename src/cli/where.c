#include "cli/where.h"
#include "base/mem.h"
#include "base/user.h"
#include "link/ask.h"
#include "node/message.h"
#include <stdlib.h>

/* Seconds to wait for the answer. */
#define PATIENCE 5.0

#define WHERE_CONTROLLER "WEIR_CONTROLLER"

static const char *where_variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

int where_find(const struct where *given, char buffer[IDENTITY_PATH], struct where *where,
               struct err *err)
{
    struct link_address list[LINK_CONTROLLERS];
    uint32_t uid;
    *where = *given;
    if (given->socket && given->controller)
        return err_option(err, "--socket and --controller exclude each other");
    if (!given->socket && !given->controller)
        where->controller = where_variable(WHERE_CONTROLLER);
    if (!where->controller && (given->user || given->munge))
        return err_set(err, "%s needs --controller HOST[:PORT]",
                       given->user ? "--controller-user" : "--munge-socket");
    if (given->user && user_find(given->user, &uid) != 0)
        return err_option(err, "--controller-user: unknown user '%s'", given->user);
    if (where->controller)
        return link_address_list(where->controller, LINK_PORT, list, err) > 0 ? 0 : -1;
    if (!where->socket)
        where->socket = where_variable(WIRE_ENV_SOCKET);
    if (!where->socket) {
        identity_default_socket(buffer);
        where->socket = buffer;
    }
    return 0;
}

/* --- over the network ------------------------------------------------------------------------- */

struct where_hearing {
    request_answer *answer;
    void *context;
};

static bool where_hear(void *context, const void *bytes, size_t size, bool *last)
{
    const struct where_hearing *hearing = context;
    struct wire_message message;
    if (wire_decode(bytes, size, &message))
        return false;
    hearing->answer(&message, hearing->context);
    *last = request_is_over(&message);
    return true;
}

/* The pieces of a plan, if there is one, and the question: its size. */
static size_t where_write(const struct where *where, const struct wire_message *question,
                          unsigned char *bytes)
{
    struct wire_message piece;
    size_t size = 0;
    for (size_t sent = 0; sent < where->plan_size;) {
        sent += wire_take_piece(&piece, where->plan + sent, where->plan_size - sent);
        size += wire_encode(&piece, bytes + size);
    }
    return size + wire_encode(question, bytes + size);
}

static int where_ask_far(const struct where *where, const struct wire_message *question,
                         struct where_hearing *hearing, struct err *err)
{
    struct link_address list[LINK_CONTROLLERS];
    struct link_ask_setup setup = {.controllers = list,
                                   .munge = where->munge,
                                   .speaks = {NODE_OLDEST, NODE_NEWEST},
                                   .limit = (uint64_t)(1000 * PATIENCE)};
    int count = link_address_list(where->controller, LINK_PORT, list, err);
    if (count < 0)
        return -1;
    setup.controller_count = (uint32_t)count;
    if (where->user)
        user_find(where->user, &setup.controller_uid);
    size_t pieces = (where->plan_size + WIRE_PIECE_MOST - 1) / WIRE_PIECE_MOST;
    unsigned char *bytes = mem_alloc(pieces * wire_size(WIRE_PIECE) + WIRE_MOST, 1);
    if (!bytes)
        return err_memory(err);
    const struct packet packet = {bytes, where_write(where, question, bytes)};
    int status = link_ask(&setup, &packet, where_hear, hearing, err);
    free(bytes);
    return status;
}

int where_ask(const struct where *where, const struct wire_message *question,
              request_answer *answer, void *context, struct err *err)
{
    struct where_hearing hearing = {answer, context};
    if (where->controller)
        return where_ask_far(where, question, &hearing, err);
    const struct request_question all = {question, where->plan, where->plan_size};
    const char *fault = request_ask_all(where->socket, &all, PATIENCE, answer, context);
    return fault ? err_set(err, "%s: %s", where->socket, fault) : 0;
}
