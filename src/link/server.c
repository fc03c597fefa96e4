#include "base/mem.h"
#include "base/text.h"
#include "link/admission.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* Milliseconds: for a stranger to send its credential; for its credential to be read; for an end to
 * continue reading. */
enum { HELLO_LIMIT = 2000, DECIDING_LIMIT = 20000, BLOCKED_LIMIT = 10000, BETWEEN_CHECKS = 250 };

/* Strangers at a time, in all and of one address. An honest end says hello within milliseconds:
 * more than a few that do not are a crowd. The kernel keeps those that wait to be accepted, not
 * more than are accepted within the time that an honest end waits for its greeting. */
enum { MOST_STRANGERS = 2048, MOST_OF_ADDRESS = 1024, CROWD = 128, BACKLOG_OF_LINKS = 1024 };

/* Members must not wait for strangers: connections that are accepted within a millisecond, also out
 * of a crowd, and those that are closed. */
enum { ACCEPTED_AT_ONCE = 4, ACCEPTED_OF_CROWD = 2, CLOSED_AT_ONCE = 2 };

/* --- lists ------------------------------------------------------------------------------------ */

static void server_unlist(struct link_peer *peer)
{
    struct link_peers *list = peer->list;
    if (!list)
        return;
    *(peer->previous ? &peer->previous->next : &list->first) = peer->next;
    *(peer->next ? &peer->next->previous : &list->last) = peer->previous;
    list->count--;
    peer->server->silent_of[peer->origin] -= list == &peer->server->silent;
    peer->list = NULL;
}

/* Appends it: a list is in the order of `since`. */
void server_enlist(struct link_peer *peer, struct link_peers *list)
{
    server_unlist(peer);
    peer->list = list;
    peer->since = uv_now(peer->server->host.loop);
    peer->next = NULL;
    peer->previous = list->last;
    *(list->last ? &list->last->next : &list->first) = peer;
    list->last = peer;
    list->count++;
    peer->server->silent_of[peer->origin] += list == &peer->server->silent;
}

/* --- ends ------------------------------------------------------------------------------------- */

static void server_release(struct link_server *server)
{
    if (--server->handles == 0)
        free(server);
}

/* Once neither the loop nor a thread needs it. */
void server_forget(struct link_peer *peer)
{
    struct link_server *server = peer->server;
    if (!peer->closed || peer->reading)
        return;
    free(peer->credential);
    free(peer->job);
    free(peer);
    server_release(server);
}

static void server_on_closed(void *owner)
{
    struct link_peer *peer = owner;
    peer->closed = true;
    server_forget(peer);
}

void server_close(struct link_peer *peer)
{
    server_unlist(peer);
    connection_close(&peer->connection);
}

/* Closes it and tells why, once. */
void server_refuse(struct link_peer *peer, const char *reason)
{
    struct link_server *server = peer->server;
    char text[320];
    if (refusals_note(&server->refusals, uv_now(server->host.loop), peer->address, reason)) {
        snprintf(text, sizeof text, "refused a connection from %s: %s", peer->address, reason);
        text_clean(text, strlen(text));
        server->calls->say(server->context, text);
    }
    server_close(peer);
}

/* The connection of a member ends. */
static void server_lose(struct link_peer *peer, const char *why)
{
    struct link_server *server = peer->server;
    uint32_t member = peer->member;
    (void)why;
    server_close(peer);
    server->calls->gone(server->context, member);
}

static void server_on_broken(void *owner, const char *why)
{
    struct link_peer *peer = owner;
    if (peer->list == &peer->server->joined)
        server_lose(peer, why);
    else if (peer->connection.left)
        server_close(peer); /* nothing was refused */
    else
        server_refuse(peer, why);
}

/* --- packets ---------------------------------------------------------------------------------- */

static const char *server_on_packet(void *owner, const struct packet *packet)
{
    struct link_peer *peer = owner;
    struct link_server *server = peer->server;
    struct err err = {0};
    if (peer->list != &server->joined)
        return admission_take(peer, packet);
    if (server->calls->frame(server->context, peer->member, packet->bytes, packet->size, &err) == 0)
        return NULL;
    if (peer->connection.closing)
        return NULL;
    char text[sizeof err.text + 96];
    snprintf(text, sizeof text, "disconnected %s: %s", peer->address, err.text);
    server->calls->say(server->context, text);
    return "a frame is malformed";
}

static const char *server_on_untagged(void *owner, const struct packet *packet)
{
    (void)owner;
    (void)packet;
    return "a frame has the wrong tag";
}

static void server_on_writable(void *owner)
{
    struct link_peer *peer = owner;
    if (peer->list == &peer->server->joined)
        peer->server->calls->writable(peer->server->context, peer->member);
}

/* --- accepting -------------------------------------------------------------------------------- */

/* Without its port, since a refused one comes back with another. */
static void server_find_address(struct link_peer *peer)
{
    struct sockaddr_storage address;
    int size = sizeof address;
    memcpy(peer->address, "?", 2);
    if (uv_tcp_getpeername(&peer->connection.tcp, (struct sockaddr *)&address, &size) == 0)
        uv_ip_name((struct sockaddr *)&address, peer->address, sizeof peer->address);
    for (const char *at = peer->address; *at; at++)
        peer->origin = (uint8_t)(peer->origin * 31 + *at);
}

static void server_greet(struct link_server *server, struct link_peer *peer)
{
    unsigned char bytes[HELLO_MOST];
    struct link_greeting greeting = {.speaks = server->speaks};
    randombytes_buf(greeting.nonce, HELLO_NONCE);
    memcpy(peer->nonce, greeting.nonce, HELLO_NONCE);
    connection_send(&peer->connection, bytes, link_greeting_write(&greeting, bytes));
}

/* The oldest that is silent, of this origin if one is given. */
static struct link_peer *server_oldest(const struct link_server *server, int origin)
{
    struct link_peer *peer = server->silent.first;
    while (peer && origin >= 0 && peer->origin != origin)
        peer = peer->next;
    return peer;
}

/* The oldest that is silent makes room; of the same address if that has its share. */
static bool server_make_room(struct link_server *server, uint8_t origin)
{
    bool own = server->silent_of[origin] >= MOST_OF_ADDRESS;
    if (!own && server->silent.count + server->deciding.count < MOST_STRANGERS)
        return true;
    struct link_peer *oldest = server_oldest(server, own ? origin : -1);
    if (oldest)
        server_refuse(oldest, "too many connections say nothing");
    return oldest;
}

/* False: memory is out, and the connection still waits. */
static bool server_accept(struct link_server *server)
{
    struct link_peer *peer = mem_alloc(1, sizeof *peer);
    if (!peer || connection_init(&peer->connection, &server->host, peer) != 0) {
        free(peer);
        return false;
    }
    server->handles++;
    peer->server = server;
    int status = uv_accept((uv_stream_t *)&server->listener, (uv_stream_t *)&peer->connection.tcp);
    server_find_address(peer);
    if (status != 0 || connection_start(&peer->connection) != 0 ||
        !server_make_room(server, peer->origin)) {
        server_refuse(peer, status != 0 ? uv_strerror(status) : "too many hellos at once");
        return true;
    }
    server_enlist(peer, &server->silent);
    server_greet(server, peer);
    return true;
}

static void server_on_later(uv_timer_t *timer);

static void server_on_connection(uv_stream_t *listener, int status)
{
    struct link_server *server = listener->data;
    uint64_t now = uv_now(server->host.loop);
    uint32_t most = server->silent.count > CROWD ? ACCEPTED_OF_CROWD : ACCEPTED_AT_ONCE;
    if (status != 0)
        return;
    if (server->turn != now)
        server->accepted = 0;
    server->turn = now;
    if (server->accepted++ < most && server_accept(server))
        return;
    /* libuv keeps this one and takes no other until it is accepted. */
    uv_timer_start(&server->accept, server_on_later, 1, 0);
}

static void server_on_later(uv_timer_t *timer)
{
    struct link_server *server = timer->data;
    server_on_connection((uv_stream_t *)&server->listener, 0);
}

/* --- limits ----------------------------------------------------------------------------------- */

/* Closes strangers whose time is over, a few at a time; the rest in a millisecond. */
static void server_on_expire(uv_timer_t *timer)
{
    struct link_server *server = timer->data;
    uint64_t now = uv_now(server->host.loop);
    struct link_peer *peer;
    for (int i = 0; i < CLOSED_AT_ONCE; i++) {
        if ((peer = server->silent.first) && now - peer->since > HELLO_LIMIT)
            server_refuse(peer, "it sends no hello");
        else if ((peer = server->deciding.first) && now - peer->since > DECIDING_LIMIT)
            server_refuse(peer, "its credential cannot be read in time");
        else
            return;
    }
    uv_timer_start(&server->expire, server_on_expire, 1, 0);
}

static void server_on_check(uv_timer_t *timer)
{
    struct link_server *server = timer->data;
    uint64_t now = uv_now(server->host.loop);
    struct link_peer *peer, *next;
    if (!uv_is_active((uv_handle_t *)&server->expire))
        server_on_expire(&server->expire);
    for (peer = server->joined.first; peer; peer = next) {
        next = peer->next;
        if (peer->connection.rest && now - peer->connection.blocked > BLOCKED_LIMIT)
            server_lose(peer, "it does not read");
    }
}

/* --- from start to end ------------------------------------------------------------------------ */

static const struct connection_calls server_connection_calls = {
    .packet = server_on_packet,
    .untagged = server_on_untagged,
    .writable = server_on_writable,
    .broken = server_on_broken,
    .closed = server_on_closed,
};

/* Gives a handle of the loop the address, with this port. 0, or a fault of libuv's. */
static int server_bind(uv_tcp_t *handle, const char *host, const char *port)
{
    uv_getaddrinfo_t found;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    int status = uv_getaddrinfo(handle->loop, &found, NULL, host, port, &hints); /* waits */
    if (status != 0)
        return status;
    status = uv_tcp_bind(handle, found.addrinfo->ai_addr, 0);
    uv_freeaddrinfo(found.addrinfo);
    return status;
}

static int server_explain(const struct link_address *address, int status, struct err *err)
{
    char place[LINK_PLACE];
    return status == 0 ? 0
                       : err_set(err, "cannot listen at %s: %s", link_address_print(address, place),
                                 connection_fault(status));
}

int link_server_check(const struct link_address *address, struct err *err)
{
    uv_loop_t loop;
    uv_tcp_t handle;
    int status = uv_loop_init(&loop);
    if (status != 0)
        return server_explain(address, status, err);
    uv_tcp_init(&loop, &handle);
    status = server_bind(&handle, address->host, "0");
    uv_close((uv_handle_t *)&handle, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_loop_close(&loop);
    return server_explain(address, status, err);
}

static int server_listen(struct link_server *server, const struct link_address *address,
                         struct err *err)
{
    int status = server_bind(&server->listener, address->host, address->port);
    if (status == 0)
        status =
            uv_listen((uv_stream_t *)&server->listener, BACKLOG_OF_LINKS, server_on_connection);
    return server_explain(address, status, err);
}

static void server_on_handle_closed(uv_handle_t *handle)
{
    server_release(handle->data);
}

struct link_server *link_server_new(uv_loop_t *loop, const struct link_server_setup *setup,
                                    struct err *err)
{
    struct link_server *server = mem_alloc(1, sizeof *server);
    if (!server || sodium_init() < 0) {
        free(server);
        err_memory(err);
        return NULL;
    }
    *server = (struct link_server){.host = {.loop = loop, .calls = &server_connection_calls},
                                   .calls = setup->calls,
                                   .context = setup->context,
                                   .speaks = setup->speaks,
                                   .handles = 4};
    text_append(server->munge, sizeof server->munge, setup->munge ? setup->munge : "");
    uv_tcp_init(loop, &server->listener);
    uv_timer_init(loop, &server->check);
    uv_timer_init(loop, &server->accept);
    uv_timer_init(loop, &server->expire);
    server->listener.data = server->check.data = server->accept.data = server->expire.data = server;
    if (server_listen(server, setup->listen, err) != 0) {
        link_server_free(server);
        return NULL;
    }
    uv_timer_start(&server->check, server_on_check, BETWEEN_CHECKS, BETWEEN_CHECKS);
    return server;
}

void link_server_free(struct link_server *server)
{
    if (!server)
        return;
    server->closing = true;
    struct link_peers *lists[] = {&server->silent, &server->deciding, &server->joined};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        while (lists[i]->first)
            server_close(lists[i]->first);
    uv_close((uv_handle_t *)&server->listener, server_on_handle_closed);
    uv_close((uv_handle_t *)&server->check, server_on_handle_closed);
    uv_close((uv_handle_t *)&server->accept, server_on_handle_closed);
    uv_close((uv_handle_t *)&server->expire, server_on_handle_closed);
}

int link_server_port(const struct link_server *server)
{
    struct sockaddr_storage address;
    int size = sizeof address;
    if (uv_tcp_getsockname(&server->listener, (struct sockaddr *)&address, &size) != 0)
        return -1;
    return ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                               : ((struct sockaddr_in *)&address)->sin_port);
}

int link_server_send(struct link_peer *peer, const void *bytes, size_t size)
{
    return connection_send(&peer->connection, bytes, size);
}

void link_server_drop(struct link_peer *peer)
{
    server_close(peer);
}

struct link_census link_server_count(const struct link_server *server)
{
    return (struct link_census){server->silent.count, server->deciding.count, server->joined.count,
                                server->refusals.refusals};
}
