#include "serve/peers.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/user.h"
#include "serve/desk.h"
#include "serve/peer.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* The most messages of one peer, and the most new peers, in one turn, so that none keeps the others
 * waiting. */
enum { MOST_MESSAGES = 64, MOST_ACCEPTED = 256 };

/* Nanoseconds that a message counts at most: the machine may have had other things to do in the
 * middle of it. */
#define MOST_OF_MESSAGE 500000u

/* File descriptors for purposes other than connections. */
enum { RESERVED = 32 };

/* Retries between two attempts to create the socket again. */
enum { BETWEEN_RENEWALS = 20 };

/* --- who may have how much -------------------------------------------------------------------- */

/* Files that connections and applications keep open. */
static uint32_t count_files(const struct peers *peers)
{
    return peers->count + PAGES_FILES * channels_applications(peers->channels);
}

bool peers_has_enough(const struct peers *peers, const struct user *user)
{
    if (user->uid == 0 || user->uid == geteuid())
        return false;
    return user->connections + PAGES_FILES * user->applications > peers->most / 2;
}

static const char *peers_deny(const struct peers *peers, uint32_t uid)
{
    const struct user *user = users_find(peers->channels->users, uid);
    if (count_files(peers) >= peers->most)
        return "out of connections";
    if (user && peers_has_enough(peers, user))
        return "this user already has half of all connections";
    return NULL;
}

const char *peers_check(struct peers *peers, uint32_t uid)
{
    if (hearing_is_used_up(&peers->hearing, uv_hrtime(), uid))
        return "this user asks more than its part: try again later";
    return peers_deny(peers, uid);
}

/* A user took this time, for this number of messages. Tells people if that was too much. */
static void peers_charge(struct peers *peers, struct user *user, uint64_t begun, uint32_t messages)
{
    char name[USER_NAME_SIZE], text[USER_NAME_SIZE + 96];
    uint64_t now = uv_hrtime(), most = (uint64_t)messages * MOST_OF_MESSAGE, spent = now - begun;
    if (!hearing_spend(&peers->hearing, now, user, spent < most ? spent : most))
        return;
    user_print(user->uid, name);
    if (!refusals_note(&peers->flooded, now / 1000000, name, "floods"))
        return;
    snprintf(text, sizeof text,
             "user %s sends more than its part of the time allows: its messages wait", name);
    channels_say(peers->channels, text);
}

/* --- connections ------------------------------------------------------------------------------ */

static void free_peer(uv_handle_t *handle)
{
    free(handle->data);
}

static void peers_delist(struct peer *peer)
{
    struct peers *peers = peer->peers;
    hearing_remove(&peers->hearing, peer);
    if (peer->to)
        node_detach(peer->to->node, uv_hrtime(), &peer->seat);
    peer->user->connections--;
    users_release(peers->channels->users, peer->user);
    *peer->link = peer->next;
    if (peer->next)
        peer->next->link = peer->link;
    peers->count--;
}

/* Puts a peer of this user into the list. NULL if memory is out. */
static struct peer *peers_enlist(struct peers *peers, uint32_t uid)
{
    struct user *user = users_get(peers->channels->users, uid);
    struct peer *peer = user ? mem_alloc(1, sizeof *peer) : NULL;
    if (!peer) {
        if (user)
            users_release(peers->channels->users, user);
        return NULL;
    }
    *peer = (struct peer){.peers = peers,
                          .next = peers->first,
                          .link = &peers->first,
                          .seat = {.uid = uid},
                          .user = user,
                          .fd = -1};
    user->connections++;
    if (peer->next)
        peer->next->link = &peer->next;
    peers->first = peer;
    peers->count++;
    return peer;
}

static void cut_off(struct peer *peer)
{
    peers_delist(peer);
    free(peer->plan);
    peer->plan = NULL;
    if (peer->far) {
        free(peer);
        return;
    }
    uv_close((uv_handle_t *)&peer->poll, free_peer);
    close(peer->fd); /* now that the loop has released its descriptor */
}

static void on_event(uv_poll_t *handle, int status, int events);

/* Waits for its next message or, while it is being answered, for room. */
static void listen_to(struct peer *peer)
{
    int events = peer->answering ? UV_WRITABLE | UV_DISCONNECT : UV_READABLE;
    uv_poll_start(&peer->poll, events, on_event);
}

/* Hears what it says, or continues its answer, for a while. 0, or -1 to disconnect it. */
static int peers_hear_some(struct peer *peer, uint64_t begin, uint32_t *messages)
{
    int more = 1;
    if (peer->answering) {
        peer->room = *messages = PEER_ROOM;
        return peer->peers->desk->answer(peer);
    }
    while (more > 0 && !peer->answering && *messages < MOST_MESSAGES &&
           uv_hrtime() - begin < HEARING_SLICE) {
        peer->room = PEER_ROOM;
        more = peer_receive(peer);
        ++*messages;
    }
    return more < 0 ? -1 : 0;
}

static void peers_serve(struct peer *peer)
{
    struct peers *peers = peer->peers;
    struct user *user = peer->user;
    uint64_t begin = uv_hrtime();
    uint32_t messages = 0;
    bool answered = peer->answering;
    user->connections++; /* its last one may be cut off, which takes time too */
    if (peers_hear_some(peer, begin, &messages) != 0)
        cut_off(peer);
    else if (peer->answering != answered || !uv_is_active((uv_handle_t *)&peer->poll))
        listen_to(peer);
    peers_charge(peers, user, begin, messages);
    user->connections--;
    users_release(peers->channels->users, user);
}

/* A connection that waits does not wake the loop. */
static void on_event(uv_poll_t *handle, int status, int events)
{
    struct peer *peer = handle->data;
    if (status < 0 || (peer->answering && events & UV_DISCONNECT))
        cut_off(peer);
    else if (hearing_admits(&peer->peers->hearing, uv_hrtime(), peer))
        peers_serve(peer);
    else
        uv_poll_stop(&peer->poll);
}

void peers_proceed(struct peers *peers)
{
    struct peer *peer;
    while ((peer = hearing_next(&peers->hearing, uv_hrtime())))
        peers_serve(peer);
    hearing_end_turn(&peers->hearing);
}

uint64_t peers_next(struct peers *peers)
{
    return hearing_due(&peers->hearing, uv_hrtime());
}

/* NULL, or why it cannot be served. */
static const char *peers_add(struct peers *peers, int fd)
{
    struct ucred who;
    uint64_t begin = uv_hrtime();
    socklen_t size = sizeof who;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0)
        return "the kernel does not identify this process";
    const char *fault = peers_deny(peers, who.uid);
    if (fault)
        return fault;
    struct peer *peer = peers_enlist(peers, who.uid);
    if (!peer)
        return "out of memory";
    if (uv_poll_init(peers->loop, &peer->poll, fd) != 0) {
        peers_delist(peer);
        free(peer);
        return "out of memory";
    }
    peer->fd = fd;
    peer->seat.pid = who.pid;
    peer->poll.data = peer;
    if (hearing_is_used_up(&peers->hearing, begin, who.uid))
        hearing_add(&peers->hearing, peer);
    else
        listen_to(peer);
    peers_charge(peers, peer->user, begin, 1);
    return NULL;
}

static void on_connection(uv_poll_t *handle, int status, int events)
{
    struct peers *peers = handle->data;
    uint64_t begin = uv_hrtime();
    (void)status;
    (void)events;
    for (int i = 0; i < MOST_ACCEPTED && uv_hrtime() - begin < HEARING_ACCEPT; i++) {
        int fd = accept4(peers->listener.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
            continue;
        if (fd < 0 && errno != EAGAIN) {
            peers->full = true;
            uv_poll_stop(&peers->poll);
        }
        if (fd < 0)
            return;
        const char *fault = peers_add(peers, fd);
        if (fault)
            peer_turn_away(fd, fault);
    }
}

/* Listens at the listener's current socket. */
static int hear(struct peers *peers, struct err *err)
{
    int status = uv_poll_init(peers->loop, &peers->poll, peers->listener.fd);
    if (status != 0)
        return err_set(err, "cannot listen: %s", uv_strerror(status));
    peers->poll.data = peers;
    uv_poll_start(&peers->poll, UV_READABLE, on_connection);
    return 0;
}

static void forget_listener(uv_handle_t *handle)
{
    struct peers *peers = handle->data;
    peers->closing = false;
}

/* Its socket was deleted or replaced: creates another as soon as possible. */
static void renew_listener(struct peers *peers)
{
    struct err err = {0};
    if (peers->closing) /* the loop has to release the old one first */
        return;
    if (peers->deaf) {
        if (peers->told && ++peers->waited % BETWEEN_RENEWALS != 0)
            return;
        bool hears = listener_renew(&peers->listener, &err) == 0 && hear(peers, &err) == 0;
        peers->deaf = !hears;
        if (hears || !peers->told)
            channels_say(peers->channels,
                         hears ? "the socket was gone, and is made again" : err.text);
        peers->told = !hears;
    } else if (!listener_is_there(&peers->listener)) {
        peers->closing = peers->deaf = true;
        uv_close((uv_handle_t *)&peers->poll, forget_listener);
    }
}

void peers_retry(struct peers *peers)
{
    renew_listener(peers);
    if (peers->full && !peers->deaf)
        uv_poll_start(&peers->poll, UV_READABLE, on_connection);
    peers->full = false;
}

/* --- from other machines ---------------------------------------------------------------------- */

struct peer *peers_welcome(struct peers *peers, struct link_peer *far, uint32_t uid)
{
    struct peer *peer = peers_enlist(peers, uid);
    if (peer)
        peer->far = far;
    return peer;
}

int peers_hear(struct peer *peer, const void *bytes, size_t size)
{
    if (peer->asked) /* its link cannot wait: nobody may keep the others waiting by asking often */
        return -1;
    uint64_t begin = uv_hrtime();
    peer->asked = true;
    peer->room = PEER_ROOM;
    struct wire_message piece;
    size_t part = wire_size(WIRE_PIECE);
    for (; size > part && !wire_decode(bytes, part, &piece); size -= part) {
        if (peer_take(peer, bytes, part) != 0)
            return -1;
        bytes = (const char *)bytes + part;
    }
    int status = peer_take(peer, bytes, size) == 0 ? 0 : -1;
    peers_charge(peer->peers, peer->user, begin, PEER_ROOM);
    return status;
}

int peers_continue(struct peer *peer)
{
    uint64_t begin = uv_hrtime();
    peer->room = PEER_ROOM;
    int status = peer->answering ? peer->peers->desk->answer(peer) : 0;
    peers_charge(peer->peers, peer->user, begin, PEER_ROOM);
    return status;
}

bool peers_stopped(const struct peer *peer)
{
    return peer->answering && peer->room == 0;
}

void peers_dismiss(struct peer *peer)
{
    cut_off(peer);
}

void peers_note_refusal(struct peers *peers, uint32_t uid, int32_t pid, const char *reason)
{
    char user[USER_NAME_SIZE], text[USER_NAME_SIZE + WIRE_TEXT + 80];
    user_print(uid, user);
    if (!refusals_note(&peers->refusals, uv_hrtime() / 1000000, user, reason))
        return;
    snprintf(text, sizeof text, "process %d of user %s runs without control: %s", pid, user,
             reason);
    text_clean(text, strlen(text));
    channels_say(peers->channels, text);
}

/* --- all of them ------------------------------------------------------------------------------ */

/* As many files as the system allows. */
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

int peers_init(struct peers *peers, uv_loop_t *loop, struct channels *channels, const char *socket,
               struct err *err)
{
    *peers = (struct peers){
        .loop = loop, .channels = channels, .desk = &desk_of_controllers, .most = raise_limit()};
    if (listener_open(&peers->listener, socket, err) != 0)
        return -1;
    if (hear(peers, err) == 0)
        return 0;
    listener_close(&peers->listener);
    return -1;
}

void peers_cut_all(struct peers *peers)
{
    while (peers->first)
        cut_off(peers->first);
}

void peers_fini(struct peers *peers)
{
    peers_cut_all(peers);
    if (!peers->deaf)
        uv_close((uv_handle_t *)&peers->poll, NULL);
    listener_close(&peers->listener);
}
