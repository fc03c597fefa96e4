#include "daemon/peer.h"
#include "base/text.h"
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

static int peer_refuse(struct peer *peer, const char *reason)
{
    return refuse_at(peer->fd, reason);
}

void peer_turn_away(int fd, const char *reason)
{
    char byte;
    /* Its messages must not stay unread, or it would see a broken connection first. */
    shutdown(fd, SHUT_RD);
    while (recv(fd, &byte, sizeof byte, MSG_DONTWAIT) > 0)
        continue;
    refuse_at(fd, reason);
    close(fd);
}

/* --- answering a QUERY or a SHOW -------------------------------------------------------------- */

static int tell_applications(struct peer *peer, struct controller *controller, uint64_t now)
{
    struct wire_message message = {.type = WIRE_APP};
    int status = 0;
    for (; peer->next_id < controller->capacity && status == 0; peer->next_id += status == 0) {
        if (!controller->apps[peer->next_id])
            continue;
        controller_describe(controller, now, peer->next_id, &message.app);
        status = send_with(peer->fd, &message, NULL, 0);
    }
    return status;
}

/* Rules for all channels are sent once. */
static bool is_told(const struct controller *controller, const struct rule *rule)
{
    return rules_in_force(&controller->rules, rule) &&
           (controller->channel == 0 ||
            wire_setting_is_of_stores((enum wire_setting)rule->set.setting));
}

static int tell_rules(struct peer *peer, const struct controller *controller)
{
    const struct rules *rules = &controller->rules;
    struct wire_message message = {.type = WIRE_RULE};
    int status = 0;
    for (; peer->next_id < rules->count && status == 0; peer->next_id += status == 0) {
        const struct rule *rule = &rules->list[peer->next_id];
        if (!is_told(controller, rule))
            continue;
        message.rule = (struct wire_rule){.set = rule->set, .source = rule->source};
        message.rule.set.store[0] = '\0';
        if (wire_setting_is_of_stores((enum wire_setting)rule->set.setting))
            text_append(message.rule.set.store, WIRE_STORE, controller->store);
        status = send_with(peer->fd, &message, NULL, 0);
    }
    return status;
}

static int tell_finished(struct peer *peer, const struct controller *controller)
{
    const struct accounts *finished = &controller->finished;
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

static int tell_of_itself(struct peer *peer, struct controller *controller, enum wire_type type,
                          uint64_t now)
{
    struct wire_message message = {.type = type};
    controller_report(controller, now, &message.status);
    return send_with(peer->fd, &message, NULL, 0);
}

/* Sends everything about a channel; for the first one without STATUS, which comes last. */
static int tell_of_channel(struct peer *peer, struct controller *controller, uint64_t now)
{
    int status = peer->question == WIRE_SHOW ? tell_rules(peer, controller)
                                             : tell_applications(peer, controller, now);
    if (status == 0)
        status = tell_finished(peer, controller);
    if (status == 0 && controller->channel > 0)
        status = tell_of_itself(peer, controller, WIRE_CHANNEL, now);
    return status;
}

/* Begins the reply about a channel. */
static void turn_to(struct peer *peer, uint32_t channel)
{
    const struct channels *channels = peer->peers->channels;
    bool shows = peer->question == WIRE_SHOW;
    peer->channel = channel;
    peer->next_id = shows || peer->query.applications ? 0 : UINT32_MAX;
    if (channel < channels->count)
        peer->next_done = accounts_first(&channels->list[channel].live->controller->finished,
                                         shows ? 0 : peer->query.finished);
}

int peer_answer(struct peer *peer)
{
    const struct channels *channels = peer->peers->channels;
    uint64_t now = uv_hrtime();
    int status = 0;
    while (status == 0 && peer->channel < channels->count) {
        status = tell_of_channel(peer, channels->list[peer->channel].live->controller, now);
        if (status == 0)
            turn_to(peer, peer->channel + 1);
    }
    if (status == 0)
        status = tell_of_itself(peer, peers_live(peer->peers)->controller, WIRE_STATUS, now);
    peer->answering = status > 0;
    return status < 0 ? -1 : 0;
}

/* --- messages: 0, or anything else to cut the peer off ---------------------------------------- */

/* Whether the peer may do what is not everybody's. */
static bool peer_is_trusted(const struct peer *peer)
{
    return peer->seat.uid == 0 || peer->seat.uid == geteuid();
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
    if (peers_has_enough(peer->peers, peer->user)) {
        peer_refuse(peer, "this user already has half of all connections");
        return -1;
    }
    if (!peer_stands_for(peer, who)) {
        peer_refuse(peer, "only root and the user of the controller may attach for others");
        return -1;
    }
    const struct channels *channels = peer->peers->channels;
    if (who->channel >= channels->count) {
        peer_refuse(peer, "the controller's stores are not those this program knows");
        return -1;
    }
    if (!peer->seat.app)
        peer->live = channels->list[who->channel].live;
    if (live_attach(peer->live, now, &peer->seat, who, &err) != 0) {
        peer_refuse(peer, err.text);
        return -1;
    }
    const struct node_app *app = peer->seat.app;
    message.welcome.app = app->who.app;
    message.welcome.slot = peer->seat.slot;
    memcpy(message.welcome.stores, channels->stores, sizeof message.welcome.stores);
    const int fds[2] = {app->pages.grant_fd, app->pages.usage_fd};
    return send_with(peer->fd, &message, fds, 2) == 0 ? 0 : -1;
}

static int set(struct peer *peer, const struct wire_set *set, uint64_t now)
{
    struct err err;
    struct channels *channels = peer->peers->channels;
    if (!peer_is_trusted(peer))
        return peer_refuse(peer,
                           "only root and the user of the controller may change its settings");
    int channel = channels_set(channels, now, &peer->seat, set, &err);
    if (channel < 0)
        return peer_refuse(peer, err.text);
    return tell_of_itself(peer, channels->list[channel].live->controller, WIRE_STATUS, now) == 0
               ? 0
               : -1;
}

static int dispatch(struct peer *peer, const struct wire_message *message)
{
    uint64_t now = uv_hrtime();
    if (!peer->seat.app &&
        (message->type == WIRE_POST || message->type == WIRE_END || message->type == WIRE_FAILED)) {
        peer_refuse(peer, "attach first");
        return -1;
    }
    switch (message->type) {
    case WIRE_ATTACH:
        return peer_attach(peer, &message->attach, now);
    case WIRE_POST:
        live_post(peer->live, now, &peer->seat, &message->post);
        return 0;
    case WIRE_END:
        live_end(peer->live, now, &peer->seat);
        return 0;
    case WIRE_FAILED:
        live_fail(peer->live, now, &peer->seat, (enum wire_failure)message->failed.why);
        return 0;
    case WIRE_QUERY:
    case WIRE_SHOW:
        peer->question = message->type;
        peer->query = message->type == WIRE_QUERY ? message->query : (struct wire_query){0};
        turn_to(peer, 0);
        return peer_answer(peer);
    case WIRE_SET:
        return set(peer, &message->set, now);
    default:
        peer_refuse(peer, "a controller does not take this message");
        return -1;
    }
}

int peer_receive(struct peer *peer)
{
    char bytes[WIRE_MOST];
    struct wire_message message;
    /* MSG_TRUNC returns the true length of a message that is too long. */
    ssize_t size = recv(peer->fd, bytes, sizeof bytes, MSG_DONTWAIT | MSG_TRUNC);
    if (size < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -1;
    if (size == 0)
        return -1;
    const char *fault = (size_t)size > sizeof bytes ? "longer than any message"
                                                    : wire_decode(bytes, (size_t)size, &message);
    if (!fault)
        return dispatch(peer, &message) == 0 ? 1 : -1;
    peer_refuse(peer, fault);
    return -1;
}
