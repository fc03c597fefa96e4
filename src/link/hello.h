/* How a connection begins. The controller sends GREETING; the other end answers with a credential
 * of MUNGE that holds HELLO, with the key of the connection; from then on every packet is a frame
 * with a tag under that key, and the controller's first is ANSWER, which proves that it could read
 * the credential. A controller that cannot read it, and so has no key, answers with REFUSAL, a text
 * without a tag, and closes the connection. Pure: bytes <-> structs, so that it can be fuzzed. */
#ifndef WEIR_LINK_HELLO_H
#define WEIR_LINK_HELLO_H

#include "link/seal.h"
#include "wire/message.h"

enum {
    HELLO_NONCE = 16,
    HELLO_BOOT = 16,
    HELLO_MOST = 256,        /* bytes of a GREETING, a HELLO or a REFUSAL, with room to spare */
    HELLO_REASON = 240,      /* of the text in a REFUSAL, with the final zero */
    HELLO_CREDENTIAL = 4096, /* of a credential; the longest packet before the key is known */
    HELLO_TERMS = 32768      /* of the terms in an ANSWER */
};

/* What the other end wants to be: name, word, meaning. */
#define LINK_ROLES(X)                                                                              \
    X(AGENT, agent, "serves the programs of a node")                                               \
    X(CLIENT, client, "asks, and changes settings")

#define LINK_ROLE(name, word, text) LINK_##name,
enum link_role { LINK_ROLES(LINK_ROLE) LINK_ROLES_COUNT };
#undef LINK_ROLE

/* The versions that an end speaks, oldest and newest: of the bodies of frames, as of these. */
struct link_versions {
    uint32_t oldest, newest;
};

struct link_greeting {
    struct link_versions speaks;
    unsigned char nonce[HELLO_NONCE]; /* another one for each connection */
};

struct link_hello {
    unsigned char nonce[HELLO_NONCE]; /* that of the GREETING */
    unsigned char key[SEAL_KEY];
    uint32_t version; /* that is spoken from now on */
    enum link_role role;
    unsigned char boot[HELLO_BOOT]; /* which start of the machine, */
    uint64_t incarnation;           /* and of the process */
    uint64_t epoch;                 /* the newest that it has heard of */
    char name[WIRE_NAME];           /* of its node */
};

/* Write at most HELLO_MOST bytes; return how many. */
size_t link_greeting_write(const struct link_greeting *greeting, unsigned char *bytes);
size_t link_hello_write(const struct link_hello *hello, unsigned char *bytes);
size_t link_refusal_write(const char *reason, unsigned char *bytes); /* cut if it is too long */

/* NULL, or what is wrong, a constant text. */
const char *link_greeting_read(const struct packet *packet, struct link_greeting *greeting);
const char *link_hello_read(const struct packet *packet, struct link_hello *hello);

/* Whether it is a REFUSAL. Anybody on the way can have written it: the reason is for people only.
 */
bool link_refusal_read(const struct packet *packet, char reason[HELLO_REASON]);

/* The newest version that both ends speak, 0 = there is none. */
uint32_t link_version(const struct link_versions *a, const struct link_versions *b);

#endif
