/* A munged of one's own, a server that echoes, and raw connections to it. */
#ifndef WEIR_TESTS_LINK_COMMON_H
#define WEIR_TESTS_LINK_COMMON_H

#include "link/connection.h"
#include "link/dialer.h"
#include "link/server.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <cmocka.h>

struct guard {
    pid_t pid;
    char place[64];   /* its directory */
    char socket[108]; /* empty = it cannot be had */
};

/* Starts a munged with a new key. False, with the reason printed, if there is none. */
bool guard_start(struct guard *guard);
void guard_stop(struct guard *guard);

/* Two of them for a group of tests, with different keys; without munged their sockets are empty. */
extern struct guard own_guard, other_guard;
int guards_start(void **state);
int guards_stop(void **state);

/* A server with its loop. It admits users as the test wants, and sends
 * every frame of the latest member back. */
struct scene {
    uv_loop_t loop;
    const struct guard *guard;
    struct link_server *server;
    int port;
    struct link_versions speaks;
    uint32_t allowed;        /* the uid that may join */
    struct link_peer *peer;  /* the latest that has joined, NULL = gone */
    struct link_hello hello; /* and its hello */
    uint32_t uid;
    uint32_t joined, gone, frames, writable;
    bool echo;
    char said[32][256];
    uint32_t lines;
};

void scene_open(struct scene *scene, const struct guard *guard);
void scene_close(struct scene *scene);

/* Runs the loop until the condition holds, or fails after ten seconds. */
#define SCENE_WAIT(scene, condition)                                                               \
    for (int turns_ = 0; !(condition); turns_++) {                                                 \
        assert_true(turns_ < 10000);                                                               \
        scene_turn(scene);                                                                         \
    }
void scene_turn(struct scene *scene); /* for a millisecond */

/* Whether a line like this was logged, and how often. */
uint32_t scene_said(const struct scene *scene, const char *text);

/* A connection without our code. */
int raw_dial(const struct scene *scene);
/* Reads the greeting's nonce. */
void raw_greeting(struct scene *scene, int fd, unsigned char nonce[HELLO_NONCE]);
void raw_send_packet(int fd, const void *bytes, size_t size);
/* Runs the loop until the server has closed the connection; the bytes that came before that are
 * stored, at most `most`. Returns how many. */
size_t raw_until_closed(struct scene *scene, int fd, void *bytes, size_t most);

/* A credential as an agent makes it; another lifetime and another reader if asked. free() frees. */
char *raw_credential(const char *socket, const struct link_hello *hello, int ttl, uint32_t reader);

/* Joins as an agent, with a key that the seal has from then on. */
int raw_join(struct scene *scene, struct seal *seal);

#endif
