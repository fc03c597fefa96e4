#include "daemon/peers.h"
#include "base/mem.h"
#include "daemon/peer.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* Messages of one peer, and new peers, in one turn: nobody keeps the others waiting. */
enum { MOST_MESSAGES = 64, MOST_ACCEPTED = 256 };

/* File descriptors for other things than connections. */
enum { RESERVED = 32 };

/* --- who may have how much -------------------------------------------------------------------- */

/* Files that connections and applications keep open. */
static uint32_t count_files(const struct peers *peers)
{
    return peers->count + PAGES_FILES * peers->live->count;
}

bool peers_has_enough(const struct peers *peers, uint32_t uid)
{
    uint32_t files = 0;
    if (uid == 0 || uid == geteuid())
        return false;
    for (const struct peer *peer = peers->first; peer; peer = peer->next)
        files += peer->seat.uid == uid;
    return files + PAGES_FILES * live_applications(peers->live, uid) > peers->most / 2;
}

/* --- connections ------------------------------------------------------------------------------ */

static void free_peer(uv_handle_t *handle)
{
    free(handle->data);
}

static void cut_off(struct peer *peer)
{
    struct peers *peers = peer->peers;
    live_detach(peers->live, uv_hrtime(), &peer->seat);
    *peer->link = peer->next;
    if (peer->next)
        peer->next->link = peer->link;
    peers->count--;
    uv_close((uv_handle_t *)&peer->poll, free_peer);
    close(peer->fd); /* now that the loop has forgotten its number */
}

static void on_event(uv_poll_t *handle, int status, int events);

/* Waits for what it says next or, while it is being answered, for room. */
static void listen_to(struct peer *peer)
{
    int events = peer->answering ? UV_WRITABLE | UV_DISCONNECT : UV_READABLE;
    uv_poll_start(&peer->poll, events, on_event);
}

static void on_event(uv_poll_t *handle, int status, int events)
{
    struct peer *peer = handle->data;
    int more = status < 0 ? -1 : 1;
    bool answered = peer->answering;
    if (more > 0 && answered)
        more = events & UV_DISCONNECT ? -1 : peer_answer(peer);
    else
        for (int i = 0; i < MOST_MESSAGES && more > 0 && !peer->answering; i++)
            more = peer_receive(peer);
    if (more < 0)
        cut_off(peer);
    else if (peer->answering != answered)
        listen_to(peer);
}

static int add(struct peers *peers, int fd)
{
    struct ucred who;
    socklen_t size = sizeof who;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0 ||
        count_files(peers) >= peers->most || peers_has_enough(peers, who.uid))
        return -1;
    struct peer *peer = mem_alloc(1, sizeof *peer);
    if (!peer)
        return -1;
    *peer = (struct peer){
        .peers = peers, .next = peers->first, .fd = fd, .seat = {.uid = who.uid, .pid = who.pid}};
    if (uv_poll_init(peers->loop, &peer->poll, fd) != 0) {
        free(peer);
        return -1;
    }
    peer->poll.data = peer;
    peer->link = &peers->first;
    if (peer->next)
        peer->next->link = &peer->next;
    peers->first = peer;
    peers->count++;
    listen_to(peer);
    return 0;
}

static void on_connection(uv_poll_t *handle, int status, int events)
{
    struct peers *peers = handle->data;
    (void)status;
    (void)events;
    for (int i = 0; i < MOST_ACCEPTED; i++) {
        int fd = accept4(peers->listener.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
            continue;
        if (fd < 0 && errno != EAGAIN) {
            peers->full = true;
            uv_poll_stop(&peers->poll);
        }
        if (fd < 0)
            return;
        if (add(peers, fd) != 0)
            close(fd);
    }
}

void peers_retry(struct peers *peers)
{
    if (peers->full)
        uv_poll_start(&peers->poll, UV_READABLE, on_connection);
    peers->full = false;
}

/* --- all of them ------------------------------------------------------------------------------ */

/* As many files as the system lets us have. */
static uint32_t raise_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return RESERVED;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
    rlim_t files = limit.rlim_cur < (1 << 20) ? limit.rlim_cur : (1 << 20);
    return files > 2 * RESERVED ? (uint32_t)(files - RESERVED) : RESERVED;
}

static int list_stores(struct peers *peers, const struct service *service, struct err *err)
{
    for (uint32_t i = 0; i < service->store_count; i++) {
        size_t used = strlen(peers->stores);
        int more = snprintf(peers->stores + used, sizeof peers->stores - used, "%s%s", i ? ":" : "",
                            service->stores[i]);
        if (used + (size_t)more >= sizeof peers->stores)
            return err_set(err, "the stores' paths are longer than %zu bytes together",
                           sizeof peers->stores - 1);
    }
    return 0;
}

/* Whether a client will take them: nobody could attach else. */
static int check_stores(const struct peers *peers, struct err *err)
{
    char bytes[WIRE_MOST];
    struct wire_message message = {.type = WIRE_WELCOME};
    memcpy(message.welcome.stores, peers->stores, sizeof message.welcome.stores);
    const char *fault = wire_decode(bytes, wire_encode(&message, bytes), &message);
    return fault ? err_set(err, "stores: %s", fault) : 0;
}

int peers_init(struct peers *peers, uv_loop_t *loop, struct live *live, struct err *err)
{
    *peers = (struct peers){.loop = loop, .live = live, .most = raise_limit()};
    if (list_stores(peers, live->service, err) != 0 || check_stores(peers, err) != 0 ||
        listener_open(&peers->listener, live->service->socket, err) != 0)
        return -1;
    int status = uv_poll_init(loop, &peers->poll, peers->listener.fd);
    if (status != 0) {
        listener_close(&peers->listener);
        return err_set(err, "cannot listen: %s", uv_strerror(status));
    }
    peers->poll.data = peers;
    uv_poll_start(&peers->poll, UV_READABLE, on_connection);
    return 0;
}

void peers_fini(struct peers *peers)
{
    while (peers->first)
        cut_off(peers->first);
    uv_poll_stop(&peers->poll);
    uv_close((uv_handle_t *)&peers->poll, NULL);
    listener_close(&peers->listener);
}
