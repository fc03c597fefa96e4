#include "serve/peer.h"
#include "base/mem.h"
#include "base/text.h"
#include "link/server.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* --- sending ---------------------------------------------------------------------------------- */

/* A message, and the file descriptors that go with it. */
struct peer_parcel {
    const struct wire_message *message;
    const int *fds;
    size_t count;
    uint32_t version; /* 0 = the newest */
};

/* In the version of the peer, so that it can read it. */
static size_t peer_encode(const struct peer_parcel *parcel, char bytes[WIRE_MOST])
{
    return wire_encode_as(parcel->message, parcel->version ? parcel->version : WIRE_VERSION, bytes);
}

/* 0; 1 if there is no room at the moment; -1 if the peer is gone. */
static int send_with(int fd, const struct peer_parcel *parcel)
{
    char bytes[WIRE_MOST];
    const size_t count = parcel->count;
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(2 * sizeof(int))];
    } control = {0};
    struct iovec vector = {bytes, peer_encode(parcel, bytes)};
    struct msghdr head = {.msg_iov = &vector, .msg_iovlen = 1};
    if (count > 0) {
        head.msg_control = &control;
        head.msg_controllen = sizeof control;
        control.head.cmsg_level = SOL_SOCKET;
        control.head.cmsg_type = SCM_RIGHTS;
        control.head.cmsg_len = CMSG_LEN(count * sizeof *parcel->fds);
        memcpy(CMSG_DATA(&control.head), parcel->fds, count * sizeof *parcel->fds);
    }
    while (sendmsg(fd, &head, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
        if (errno == EAGAIN)
            return 1;
        if (errno != EINTR)
            return -1;
    }
    return 0;
}

static struct wire_message peer_refusal(const char *reason)
{
    struct wire_message message = {.type = WIRE_REFUSED};
    text_append(message.refused.reason, sizeof message.refused.reason, reason);
    text_clean(message.refused.reason, strlen(message.refused.reason));
    return message;
}

int peer_send(struct peer *peer, const struct wire_message *message)
{
    char bytes[WIRE_MOST];
    const struct peer_parcel parcel = {.message = message, .version = peer->version};
    if (peer->room == 0)
        return 1;
    peer->room--;
    if (!peer->far)
        return send_with(peer->fd, &parcel);
    return link_server_send(peer->far, bytes, peer_encode(&parcel, bytes));
}

int peer_refuse(struct peer *peer, const char *reason)
{
    struct wire_message message = peer_refusal(reason);
    return peer_send(peer, &message);
}

int peer_correct(struct peer *peer, const char *reason)
{
    struct wire_message message = peer_refusal(reason);
    message.refused.misuse = 1;
    return peer_send(peer, &message);
}

void peer_turn_away(int fd, const char *reason)
{
    struct wire_message message = peer_refusal(reason);
    char byte;
    /* Its messages must not stay unread, or it would see a broken connection first. */
    shutdown(fd, SHUT_RD);
    while (recv(fd, &byte, sizeof byte, MSG_DONTWAIT) > 0)
        continue;
    send_with(fd, &(struct peer_parcel){.message = &message});
    close(fd);
}

/* --- messages: 0, or anything else to cut the peer off ---------------------------------------- */

bool peer_is_trusted(const struct peer *peer)
{
    return peer->seat.uid == 0 || peer->seat.uid == geteuid();
}

/* A process cannot be controlled: it is told why, and so are people. Always -1. */
static int peer_turn_down(struct peer *peer, const char *reason)
{
    peer_refuse(peer, reason);
    peers_note_refusal(peer->peers, peer->seat.uid, peer->seat.pid, reason);
    return -1;
}

/* A batch system attaches for the users of its jobs. False if this peer may not. */
static bool peer_stands_for(struct peer *peer, const struct wire_attach *who)
{
    bool itself = who->user == 0 || who->user - 1 == peer->seat.uid;
    if (!itself && !peer_is_trusted(peer))
        return false;
    if (!itself && !peer->seat.app)
        peer->seat.uid = who->user - 1;
    return true;
}

static int peer_attach(struct peer *peer, const struct wire_attach *who, uint64_t now)
{
    struct err err;
    struct wire_message message = {.type = WIRE_WELCOME};
    struct channels *channels = peer->peers->channels;
    if (channels->count == 0) { /* an agent that has just started: it serves soon */
        peer_refuse(peer, "no controller was reached so far");
        return -1;
    }
    if (peers_has_enough(peer->peers, peer->user))
        return peer_turn_down(peer, "this user already has half of all connections");
    if (!peer_stands_for(peer, who))
        return peer_turn_down(peer,
                              "only root and the user of the controller may attach for others");
    if (who->channel >= channels->count)
        return peer_turn_down(peer, "the controller's stores are not those this program knows");
    if (!peer->seat.app)
        peer->to = &channels->list[who->channel];
    if (channel_attach(peer->to, now, &peer->seat, who, &err) != 0)
        return peer_turn_down(peer, err.text);
    const struct node_app *app = peer->seat.app;
    message.welcome.app = app->who.app;
    message.welcome.slot = peer->seat.slot;
    memcpy(message.welcome.stores, channels->stores, sizeof message.welcome.stores);
    const int fds[2] = {app->pages.grant_fd, app->pages.usage_fd};
    const struct peer_parcel parcel = {&message, fds, 2, peer->version};
    return send_with(peer->fd, &parcel) == 0 ? 0 : -1;
}

static int peer_add_piece(struct peer *peer, const struct wire_piece *piece)
{
    size_t size = peer->plan_size + piece->size;
    char *plan = NULL;
    const char *fault = !peer_is_trusted(peer)
                            ? "only root and the user of the controller may change its settings"
                        : size > WIRE_PLAN_MOST ? "the plan is too long"
                                                : NULL;
    if (!fault && !(plan = mem_reserve(peer->plan, &peer->plan_room, size + 1, 1)))
        fault = "out of memory";
    if (fault) {
        peer_refuse(peer, fault);
        return -1;
    }
    memcpy(plan + peer->plan_size, piece->bytes, piece->size);
    peer->plan = plan;
    peer->plan_size = size;
    return 0;
}

static int dispatch(struct peer *peer, const struct wire_message *message)
{
    uint64_t now = uv_hrtime();
    bool asks = message->type == WIRE_QUERY || message->type == WIRE_SHOW ||
                message->type == WIRE_SET || message->type == WIRE_PIECE;
    if (peer->far && !asks) {
        peer_refuse(peer, "programs attach at the agent of their node");
        return -1;
    }
    if (asks && peer->version < WIRE_COMMANDS) {
        peer_refuse(peer, "the command is too old: its version of weir is not the controller's");
        return -1;
    }
    if (asks && peer->peers->closed)
        return peer_refuse(peer, peer->peers->closed) < 0 ? -1 : 0;
    if (!peer->seat.app &&
        (message->type == WIRE_POST || message->type == WIRE_END || message->type == WIRE_FAILED)) {
        peer_refuse(peer, "attach first");
        return -1;
    }
    switch (message->type) {
    case WIRE_ATTACH:
        return peer_attach(peer, &message->attach, now);
    case WIRE_POST:
        node_post(peer->to->node, now, &peer->seat, &message->post);
        return 0;
    case WIRE_END:
        node_end(peer->to->node, now, &peer->seat);
        return 0;
    case WIRE_FAILED:
        node_fail(peer->to->node, now, &peer->seat, (enum wire_failure)message->failed.why);
        return 0;
    case WIRE_QUERY:
    case WIRE_SHOW:
        peer->question = message->type;
        peer->query = message->type == WIRE_QUERY ? message->query : (struct wire_query){0};
        return peer->peers->desk->answer(peer);
    case WIRE_PIECE:
        return peer_add_piece(peer, &message->piece);
    case WIRE_SET:
        return peer->peers->desk->set(peer, &message->set, now);
    default:
        peer_refuse(peer, "a controller does not take this message");
        return -1;
    }
}

int peer_take(struct peer *peer, const void *bytes, size_t size)
{
    struct wire_message message;
    const char *fault =
        size > WIRE_MOST ? "longer than any message" : wire_decode(bytes, size, &message);
    peer->version = wire_version(bytes, size);
    if (!fault)
        return dispatch(peer, &message);
    if (peer->version > 0 && (peer->version < WIRE_OLDEST || peer->version > WIRE_VERSION))
        return peer_turn_down(peer, fault);
    peer_refuse(peer, fault);
    return -1;
}

int peer_receive(struct peer *peer)
{
    char bytes[WIRE_MOST];
    /* MSG_TRUNC returns the true length of a message that is too long. */
    ssize_t size = recv(peer->fd, bytes, sizeof bytes, MSG_DONTWAIT | MSG_TRUNC);
    if (size < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -1;
    if (size == 0)
        return -1;
    return peer_take(peer, bytes, (size_t)size) == 0 ? 1 : -1;
}
