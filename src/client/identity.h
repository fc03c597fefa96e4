/* Who this process belongs to: what it says itself, else the environment that `weir exec` gives,
 * else defaults. */
#ifndef WEIR_CLIENT_IDENTITY_H
#define WEIR_CLIENT_IDENTITY_H

#include "wire/message.h"
#include <weir/client.h>

enum { IDENTITY_PATH = 108 }; /* bytes of a socket's path, its final 0 included */

struct identity {
    char socket[IDENTITY_PATH];
    struct wire_attach attach;
};

/* `join` may be NULL. What is not understood counts as not given; a path that is too long as one
 * where nobody listens. */
void identity_init(struct identity *identity, const struct weir_join *join);

/* Where a controller listens if nothing is said: $XDG_RUNTIME_DIR/weir.sock, else /run/weir.sock.
 */
void identity_default_socket(char path[IDENTITY_PATH]);

/* Draws a token. */
void identity_draw_token(uint64_t token[2]);

/* Tokens as 32 hexadecimal digits; parse returns 0, or -1 if the text is none. */
enum { IDENTITY_TOKEN = 33 };
void identity_print_token(const uint64_t token[2], char text[IDENTITY_TOKEN]);
int identity_parse_token(const char *text, uint64_t token[2]);

#endif
