#include "daemon/peers.h"
#include "base/mem.h"
#include "base/text.h"
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

struct peer {
    uv_poll_t poll;
    struct peers *peers;
    struct peer *next, **link;
    int fd;
    struct seat seat;
    bool answering;   /* to a QUERY: */
    uint32_t next_id; /* the next application to tell of */
};

/* --- sending ---------------------------------------------------------------------------------- */

/* 0; 1 if there is no room at the moment; -1 if the peer is gone. */
static int send_with(struct peer *peer, const struct wire_message *message, const int *fds,
                     size_t count)
{
    char bytes[WIRE_MOST];
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(2 * sizeof(int))];
    } control = {0};
    struct iovec vector = {bytes, wire_encode(message, bytes)};
    struct msghdr head = {.msg_iov = &vector, .msg_iovlen = 1};
    if (count > 0) {
        head.msg_control = &control;
        head.msg_controllen = sizeof control;
        control.head.cmsg_level = SOL_SOCKET;
        control.head.cmsg_type = SCM_RIGHTS;
        control.head.cmsg_len = CMSG_LEN(count * sizeof *fds);
        memcpy(CMSG_DATA(&control.head), fds, count * sizeof *fds);
    }
    while (sendmsg(peer->fd, &head, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
        if (errno == EAGAIN)
            return 1;
        if (errno != EINTR)
            return -1;
    }
    return 0;
}

static int refuse(struct peer *peer, const char *reason)
{
    struct wire_message message = {.type = WIRE_REFUSED};
    text_append(message.refused.reason, sizeof message.refused.reason, reason);
    text_clean(message.refused.reason, strlen(message.refused.reason));
    return send_with(peer, &message, NULL, 0);
}

/* --- answering a query ------------------------------------------------------------------------ */

static void on_event(uv_poll_t *handle, int status, int events);

/* Tells of the applications from next_id on, then of the controller. -1 if the peer is gone. */
static int answer(struct peer *peer)
{
    struct live *live = peer->peers->live;
    struct wire_message message = {.type = WIRE_APP};
    uint64_t now = uv_hrtime();
    int status = 0;
    for (; peer->next_id < live->capacity; peer->next_id++) {
        if (!live->apps[peer->next_id])
            continue;
        live_describe(live, now, peer->next_id, &message.app);
        status = send_with(peer, &message, NULL, 0);
        if (status != 0)
            break;
    }
    if (status == 0) {
        message = (struct wire_message){.type = WIRE_STATUS};
        live_report(live, now, &message.status);
        status = send_with(peer, &message, NULL, 0);
    }
    bool more = status > 0;
    if (more != peer->answering)
        uv_poll_start(&peer->poll, more ? UV_WRITABLE | UV_DISCONNECT : UV_READABLE, on_event);
    peer->answering = more;
    return status < 0 ? -1 : 0;
}

/* --- who may have how much ---------------------------------------------------------------------
 */

/* Files that connections and applications keep open. */
static uint32_t count_files(const struct peers *peers)
{
    return peers->count + PAGES_FILES * peers->live->count;
}

/* Whether the user has half of all that there may be already; root and the controller's user may.
 */
static bool has_enough(const struct peers *peers, uint32_t uid)
{
    uint32_t files = 0;
    if (uid == 0 || uid == geteuid())
        return false;
    for (const struct peer *peer = peers->first; peer; peer = peer->next)
        files += peer->seat.uid == uid;
    return files + PAGES_FILES * live_applications(peers->live, uid) > peers->most / 2;
}

/* --- messages: 0, or -1 to cut the peer off -----------------------------------------------------
 */

static int attach(struct peer *peer, const struct wire_attach *who, uint64_t now)
{
    struct err err;
    struct wire_message message = {.type = WIRE_WELCOME};
    if (has_enough(peer->peers, peer->seat.uid)) {
        refuse(peer, "this user has half of all connections already");
        return -1;
    }
    if (live_attach(peer->peers->live, now, &peer->seat, who, &err) != 0) {
        refuse(peer, err.text);
        return -1;
    }
    struct application *app = peer->seat.app;
    message.welcome.app = app->id;
    message.welcome.slot = peer->seat.slot;
    memcpy(message.welcome.stores, peer->peers->stores, sizeof message.welcome.stores);
    const int fds[2] = {app->pages.grant_fd, app->pages.usage_fd};
    return send_with(peer, &message, fds, 2) == 0 ? 0 : -1;
}

static int set(struct peer *peer, const struct wire_set *set, uint64_t now)
{
    struct err err;
    struct wire_message message = {.type = WIRE_STATUS};
    if (peer->seat.uid != 0 && peer->seat.uid != geteuid())
        return refuse(peer, "only root and the user of the controller may change its settings");
    if (live_set(peer->peers->live, now, set, &err) != 0)
        return refuse(peer, err.text);
    live_report(peer->peers->live, now, &message.status);
    return send_with(peer, &message, NULL, 0) == 0 ? 0 : -1;
}

static int dispatch(struct peer *peer, const struct wire_message *message)
{
    struct live *live = peer->peers->live;
    uint64_t now = uv_hrtime();
    if (!peer->seat.app && (message->type == WIRE_POST || message->type == WIRE_END)) {
        refuse(peer, "attach first");
        return -1;
    }
    switch (message->type) {
    case WIRE_ATTACH:
        return attach(peer, &message->attach, now);
    case WIRE_POST:
        live_post(live, now, &peer->seat, &message->post);
        return 0;
    case WIRE_END:
        live_end(live, now, &peer->seat);
        return 0;
    case WIRE_QUERY:
        peer->next_id = message->query.applications ? 0 : UINT32_MAX;
        return answer(peer);
    case WIRE_SET:
        return set(peer, &message->set, now);
    default:
        refuse(peer, "this is not for a controller to hear");
        return -1;
    }
}

/* Takes one message. 1 if there was one, 0 if there is none for the moment, -1 to cut it off. */
static int receive(struct peer *peer)
{
    char bytes[WIRE_MOST];
    struct wire_message message;
    /* What is longer than any message is told by its true length. */
    ssize_t size = recv(peer->fd, bytes, sizeof bytes, MSG_DONTWAIT | MSG_TRUNC);
    if (size < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -1;
    if (size == 0)
        return -1;
    const char *fault = (size_t)size > sizeof bytes ? "longer than any message"
                                                    : wire_decode(bytes, (size_t)size, &message);
    if (!fault)
        return dispatch(peer, &message) == 0 ? 1 : -1;
    refuse(peer, fault);
    return -1;
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

static void on_event(uv_poll_t *handle, int status, int events)
{
    struct peer *peer = handle->data;
    int more = status < 0 ? -1 : 1;
    if (more > 0 && peer->answering)
        more = events & UV_DISCONNECT ? -1 : answer(peer);
    else
        for (int i = 0; i < MOST_MESSAGES && more > 0 && !peer->answering; i++)
            more = receive(peer);
    if (more < 0)
        cut_off(peer);
}

static int add(struct peers *peers, int fd)
{
    struct ucred who;
    socklen_t size = sizeof who;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0 ||
        count_files(peers) >= peers->most || has_enough(peers, who.uid))
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
    uv_poll_start(&peer->poll, UV_READABLE, on_event);
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
