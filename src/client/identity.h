/* The application that this process belongs to: as the program declares it, else from the
 * environment that `weir exec` sets, else by defaults. */
#ifndef WEIR_CLIENT_IDENTITY_H
#define WEIR_CLIENT_IDENTITY_H

#include "wire/message.h"
#include <weir/client.h>

enum { IDENTITY_PATH = 108 }; /* bytes of a socket's path, its final 0 included */

struct identity {
    char socket[IDENTITY_PATH];
    struct wire_attach attach;
};

/* `join` may be NULL. Malformed values count as missing; a path that is too long counts as one
 * where no controller listens. */
void identity_init(struct identity *identity, const struct weir_join *join);

/* The default socket of a controller: $XDG_RUNTIME_DIR/weir.sock, else /run/weir.sock. */
void identity_default_socket(char path[IDENTITY_PATH]);

/* Draws a token. */
void identity_draw_token(uint64_t token[2]);

/* Tokens as 32 hexadecimal digits; parse returns 0, or -1 if the text is not a token. */
enum { IDENTITY_TOKEN = 33 };
void identity_print_token(const uint64_t token[2], char text[IDENTITY_TOKEN]);
int identity_parse_token(const char *text, uint64_t token[2]);

#endif
