#include "daemon/peer.h"
#include "base/text.h"
#include "daemon/state.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* --- sending ---------------------------------------------------------------------------------- */

/* 0; 1 if there is no room at the moment; -1 if the peer is gone. */
static int send_with(int fd, const struct wire_message *message, const int *fds, size_t count)
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
    while (sendmsg(fd, &head, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
        if (errno == EAGAIN)
            return 1;
        if (errno != EINTR)
            return -1;
    }
    return 0;
}

static int refuse_at(int fd, const char *reason)
{
    struct wire_message message = {.type = WIRE_REFUSED};
    text_append(message.refused.reason, sizeof message.refused.reason, reason);
    text_clean(message.refused.reason, strlen(message.refused.reason));
    return send_with(fd, &message, NULL, 0);
}

static int refuse(struct peer *peer, const char *reason)
{
    return refuse_at(peer->fd, reason);
}

void peer_turn_away(int fd, const char *reason)
{
    char byte;
    /* What it has said must not lie unread, or it would hear of a broken connection first. */
    shutdown(fd, SHUT_RD);
    while (recv(fd, &byte, sizeof byte, MSG_DONTWAIT) > 0)
        continue;
    refuse_at(fd, reason);
    close(fd);
}

/* --- answering a QUERY or a SHOW -------------------------------------------------------------- */

static int tell_applications(struct peer *peer, uint64_t now)
{
    struct live *live = peer->peers->live;
    struct wire_message message = {.type = WIRE_APP};
    int status = 0;
    for (; peer->next_id < live->capacity && status == 0; peer->next_id += status == 0) {
        if (!live->apps[peer->next_id])
            continue;
        live_describe(live, now, peer->next_id, &message.app);
        status = send_with(peer->fd, &message, NULL, 0);
    }
    return status;
}

static int tell_rules(struct peer *peer)
{
    const struct rules *rules = &peer->peers->live->rules;
    struct wire_message message = {.type = WIRE_RULE};
    int status = 0;
    for (; peer->next_id < rules->count && status == 0; peer->next_id += status == 0) {
        const struct rule *rule = &rules->list[peer->next_id];
        if (!rules_in_force(rules, rule))
            continue;
        message.rule = (struct wire_rule){.set = rule->set, .source = rule->source};
        status = send_with(peer->fd, &message, NULL, 0);
    }
    return status;
}

static int tell_finished(struct peer *peer)
{
    const struct accounts *finished = &peer->peers->live->finished;
    struct wire_message message = {.type = WIRE_DONE};
    for (; peer->next_done < finished->count; peer->next_done++) {
        const struct wire_done *done = accounts_find(finished, peer->next_done);
        if (!done)
            continue; /* others have left while this peer was slow */
        message.done = *done;
        int status = send_with(peer->fd, &message, NULL, 0);
        if (status != 0)
            return status;
    }
    return 0;
}

int peer_answer(struct peer *peer)
{
    struct wire_message message = {.type = WIRE_STATUS};
    uint64_t now = uv_hrtime();
    int status = peer->question == WIRE_SHOW ? tell_rules(peer) : tell_applications(peer, now);
    if (status == 0)
        status = tell_finished(peer);
    if (status == 0) {
        live_report(peer->peers->live, now, &message.status);
        status = send_with(peer->fd, &message, NULL, 0);
    }
    peer->answering = status > 0;
    return status < 0 ? -1 : 0;
}

/* --- messages: 0, or anything else to cut the peer off ---------------------------------------- */

static int attach(struct peer *peer, const struct wire_attach *who, uint64_t now)
{
    struct err err;
    struct wire_message message = {.type = WIRE_WELCOME};
    if (peers_has_enough(peer->peers, peer->user)) {
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
    return send_with(peer->fd, &message, fds, 2) == 0 ? 0 : -1;
}

static int set(struct peer *peer, const struct wire_set *set, uint64_t now)
{
    struct err err;
    struct live *live = peer->peers->live;
    struct wire_message message = {.type = WIRE_STATUS};
    if (peer->seat.uid != 0 && peer->seat.uid != geteuid())
        return refuse(peer, "only root and the user of the controller may change its settings");
    if (live_set(live, now, set, &err) != 0)
        return refuse(peer, err.text);
    live_note_change(live, now, &peer->seat, set);
    if (live->service->state && state_save(live->service->state, &live->rules, &err) != 0)
        return refuse(peer, err.text);
    live_report(live, now, &message.status);
    return send_with(peer->fd, &message, NULL, 0) == 0 ? 0 : -1;
}

static int dispatch(struct peer *peer, const struct wire_message *message)
{
    struct live *live = peer->peers->live;
    uint64_t now = uv_hrtime();
    if (!peer->seat.app &&
        (message->type == WIRE_POST || message->type == WIRE_END || message->type == WIRE_FAILED)) {
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
    case WIRE_FAILED:
        live_fail(&peer->seat, (enum wire_failure)message->failed.why);
        return 0;
    case WIRE_QUERY:
    case WIRE_SHOW:
        peer->question = message->type;
        peer->next_id = message->type == WIRE_SHOW || message->query.applications ? 0 : UINT32_MAX;
        peer->next_done = accounts_first(&live->finished,
                                         message->type == WIRE_SHOW ? 0 : message->query.finished);
        return peer_answer(peer);
    case WIRE_SET:
        return set(peer, &message->set, now);
    default:
        refuse(peer, "this is not for a controller to hear");
        return -1;
    }
}

int peer_receive(struct peer *peer)
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
