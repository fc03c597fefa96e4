#include "link/packet.h"
#include "base/little.h"
#include "base/mem.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void packet_reader_fini(struct packet_reader *reader)
{
    free(reader->bytes);
    *reader = (struct packet_reader){.most = reader->most};
}

/* Keeps bytes of the chunk until there are `need` of them. 1, 0 or -1. */
static int packet_gather(struct packet_reader *reader, const unsigned char **at,
                         const unsigned char *end, size_t need)
{
    size_t more = (size_t)(end - *at);
    if (reader->have >= need || more == 0)
        return reader->have >= need;
    if (more > need - reader->have)
        more = need - reader->have;
    unsigned char *bytes =
        mem_reserve(reader->bytes, &reader->capacity, reader->have + more, sizeof *bytes);
    if (!bytes)
        return -1;
    reader->bytes = bytes;
    memcpy(bytes + reader->have, *at, more);
    reader->have += more;
    *at += more;
    return reader->have == need;
}

/* Whether all of it lies in the chunk, so that it need not be copied. */
static bool packet_is_whole(const struct packet_reader *reader, const unsigned char *at,
                            const unsigned char *end)
{
    size_t left = (size_t)(end - at);
    return reader->have == 0 && left >= PACKET_HEAD &&
           left - PACKET_HEAD >= little_get(at, PACKET_HEAD);
}

int packet_next(struct packet_reader *reader, const unsigned char **at, const unsigned char *end,
                struct packet *packet, const char **fault)
{
    *fault = "a packet is too long";
    if (reader->have > 0 && reader->have >= PACKET_HEAD &&
        reader->have == PACKET_HEAD + little_get(reader->bytes, PACKET_HEAD))
        packet_reader_fini(reader); /* the caller has had it */
    bool whole = packet_is_whole(reader, *at, end);
    int status = whole ? 1 : packet_gather(reader, at, end, PACKET_HEAD);
    if (status > 0) {
        size_t size = little_get(whole ? *at : reader->bytes, PACKET_HEAD);
        if (size > reader->most)
            return -1;
        if (!whole)
            status = packet_gather(reader, at, end, PACKET_HEAD + size);
        if (status > 0) {
            *packet = (struct packet){(whole ? *at : reader->bytes) + PACKET_HEAD, size};
            *at += whole ? PACKET_HEAD + size : 0;
        }
    }
    if (status < 0)
        *fault = "out of memory";
    return status;
}
