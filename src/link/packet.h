/* Packets on a stream of bytes: a length (32 bits, little-endian), then as many bytes. Pure, so
 * that it can be fuzzed. */
#ifndef WEIR_LINK_PACKET_H
#define WEIR_LINK_PACKET_H

#include <stddef.h>
#include <stdint.h>

enum { PACKET_HEAD = 4 };

/* What has arrived of the packet that comes next. Starts with zeros and its limit. Memory is taken
 * only for what has arrived, and only when a packet comes in several parts. */
struct packet_reader {
    size_t most; /* bytes of a packet, its head aside */
    unsigned char *bytes;
    size_t have, capacity; /* of `bytes`, the head included */
};

struct packet {
    const unsigned char *bytes; /* valid until the next call */
    size_t size;
};

void packet_reader_fini(struct packet_reader *reader);

/* Takes the next packet from the bytes between *at and `end`, and moves *at. 1 = there is one; 0 =
 * more bytes are needed, all are taken; -1 = it is longer than the limit, or memory is out, and
 * *fault is a constant text. */
int packet_next(struct packet_reader *reader, const unsigned char **at, const unsigned char *end,
                struct packet *packet, const char **fault);

#endif
