#include "client/session.h"
#include "client/tie.h"

/* A process has one session for what it announces itself, so a client is only a name for it. */
struct weir_client *weir_client_join(const struct weir_join *join)
{
    if (tie_watch_forks()) /* else a child would keep the connection alive */
        session_init(session_get(), join);
    return (struct weir_client *)session_get();
}

void weir_client_leave(struct weir_client *client)
{
    if (client)
        for (uint32_t channel = 0; channel < session_count(); channel++)
            session_detach(session_of(channel));
}

void weir_io_begin(struct weir_client *client, double volume)
{
    if (client)
        session_begin(session_get(), volume);
}

size_t weir_io_pace(struct weir_client *client, size_t bytes)
{
    return client ? session_prepay(session_get(), bytes) : bytes;
}

void weir_io_operation(struct weir_client *client)
{
    if (client)
        session_operation(session_get());
}

void weir_io_end(struct weir_client *client)
{
    if (client)
        session_end(session_get());
}

bool weir_client_controlled(const struct weir_client *client)
{
    return client && session_controlled(session_get());
}
