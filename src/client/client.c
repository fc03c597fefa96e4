#include "client/session.h"

/* There is one session in a process, so a client is only a name for it. */
static struct session *session_of(const struct weir_client *client)
{
    return client ? session_get() : NULL;
}

struct weir_client *weir_client_join(const struct weir_join *join)
{
    session_init(session_get(), join);
    return (struct weir_client *)session_get();
}

void weir_client_leave(struct weir_client *client)
{
    if (client)
        session_detach(session_of(client));
}

void weir_io_begin(struct weir_client *client, double volume)
{
    if (client)
        session_begin(session_of(client), volume);
}

size_t weir_io_pace(struct weir_client *client, size_t bytes)
{
    return client ? session_prepay(session_of(client), bytes) : bytes;
}

void weir_io_operation(struct weir_client *client)
{
    if (client)
        session_operation(session_of(client));
}

void weir_io_end(struct weir_client *client)
{
    if (client)
        session_end(session_of(client));
}

bool weir_client_controlled(const struct weir_client *client)
{
    return client && session_controlled(session_of(client));
}
