#include "link/admission.h"
#include "base/mem.h"
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

/* Credentials that are read at once: munged is asked by threads that others need too. */
enum { ADMISSION_READERS = 2 };

/* The answer's first byte tells whether terms or a reason follow. */
static void admission_answer(struct link_peer *peer, bool welcome, const void *bytes, size_t size)
{
    unsigned char answer[1 + HELLO_TERMS] = {welcome};
    memcpy(answer + 1, bytes, size);
    connection_send(&peer->connection, answer, 1 + size);
}

/* Refuses a peer whose key is not known, and tells it why. */
static void admission_reject(struct link_peer *peer, const char *reason)
{
    unsigned char bytes[HELLO_MOST];
    connection_send(&peer->connection, bytes, link_refusal_write(reason, bytes));
    server_refuse(peer, reason);
}

static const char *admission_check(const struct link_server *server, const struct link_peer *peer,
                                   const struct link_hello *hello)
{
    if (sodium_memcmp(hello->nonce, peer->nonce, HELLO_NONCE) != 0)
        return "the credential is for another connection";
    if (hello->version < server->speaks.oldest || hello->version > server->speaks.newest)
        return "it speaks another version";
    return NULL;
}

/* The credential is genuine. */
static void admission_admit(struct link_server *server, struct link_peer *peer,
                            const struct link_who *who)
{
    struct err err = {0};
    struct link_terms terms = {0};
    const char *fault = admission_check(server, peer, who->hello);
    if (fault) {
        admission_reject(peer, fault);
        return;
    }
    connection_seal(&peer->connection, who->hello->key, true);
    if (server->calls->admit(server->context, who, &terms, &err) != 0) {
        admission_answer(peer, false, err.text, strlen(err.text));
        server_refuse(peer, err.text);
        return;
    }
    server_enlist(peer, &server->joined);
    admission_answer(peer, true, terms.bytes, terms.size);
    peer->member = server->calls->joined(server->context, peer, who);
    if (peer->member == LINK_NOBODY)
        server_close(peer);
}

static void admission_read_next(struct link_server *server);

static void admission_on_credential(struct credential *job)
{
    struct link_peer *peer = job->owner;
    struct link_server *server = peer->server;
    struct link_hello hello;
    peer->reading = false;
    peer->job = NULL;
    server->readers--;
    if (!peer->connection.closing) {
        const struct packet packet = {job->bytes, job->size};
        const char *fault = job->fault[0] ? job->fault : link_hello_read(&packet, &hello);
        const struct link_who who = {&hello, job->uid, job->gid, peer->address};
        if (fault)
            admission_reject(peer, fault);
        else
            admission_admit(server, peer, &who);
    }
    sodium_memzero(&hello, sizeof hello);
    sodium_memzero(job->bytes, sizeof job->bytes);
    free(job);
    if (!server->closing)
        admission_read_next(server);
    server_forget(peer);
}

/* NULL, or what is wrong. */
static const char *admission_read(struct link_server *server, struct link_peer *peer)
{
    struct credential *job = mem_alloc(1, sizeof *job);
    if (!job)
        return "out of memory";
    job->owner = peer;
    job->done = admission_on_credential;
    memcpy(job->socket, server->munge, sizeof job->socket);
    memcpy(job->text, peer->credential, strlen(peer->credential) + 1);
    free(peer->credential);
    peer->credential = NULL;
    peer->job = job;
    if (credential_read(job, server->host.loop) != 0)
        return "no thread can read the credential";
    peer->reading = true;
    server->readers++;
    return NULL;
}

/* Reads the credentials that wait, in the order of their arrival, a few at a time. */
static void admission_read_next(struct link_server *server)
{
    struct link_peer *peer = server->deciding.first, *next;
    for (; peer && server->readers < ADMISSION_READERS; peer = next) {
        next = peer->next;
        if (!peer->credential)
            continue; /* is being read */
        const char *fault = admission_read(server, peer);
        if (fault)
            server_refuse(peer, fault);
    }
}

const char *admission_take(struct link_peer *peer, const struct packet *packet)
{
    struct link_server *server = peer->server;
    if (peer->list != &server->silent)
        return "it does not wait for the answer";
    if (packet->size == 0 || packet->size >= HELLO_CREDENTIAL)
        return "its credential has the wrong size";
    peer->credential = mem_alloc(packet->size + 1, 1);
    if (!peer->credential)
        return "out of memory";
    memcpy(peer->credential, packet->bytes, packet->size);
    server_enlist(peer, &server->deciding);
    admission_read_next(server);
    return NULL;
}
