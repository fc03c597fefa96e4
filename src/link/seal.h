/* Tags that prove that a frame comes from the other end of this connection, unchanged, once and in
 * order: a keyed hash (BLAKE2b) of the direction, the number of the frame, which is not sent, and
 * its body. */
#ifndef WEIR_LINK_SEAL_H
#define WEIR_LINK_SEAL_H

#include "link/packet.h"
#include <stdbool.h>

enum { SEAL_KEY = 32, SEAL_TAG = 16 };

/* One end of a connection. */
struct seal {
    unsigned char key[SEAL_KEY];
    bool controller; /* which end */
    uint64_t sent, received;
};

/* Writes the tag of the next frame that is sent. */
void seal_tag(struct seal *seal, const void *body, size_t size, unsigned char tag[SEAL_TAG]);

/* Whether the packet, a tag and a body, is the next frame of the other end; leaves its body. */
bool seal_open(struct seal *seal, struct packet *packet);

#endif
