#include "base/little.h"
#include "fuzz.h"
#include "link/address.h"
#include "link/hello.h"

/* A reader that is fed the stream in pieces of this size finds the same packets as one that has it
 * at once. */
static size_t fuzz_read(const uint8_t *data, size_t size, size_t step, uint64_t *sum)
{
    struct packet_reader reader = {.most = 64};
    struct packet packet;
    const char *fault = NULL;
    size_t count = 0;
    int status = 0;
    *sum = 0;
    for (size_t from = 0; from < size && status >= 0; from += step) {
        size_t length = size - from < step ? size - from : step;
        unsigned char *chunk =
            mem_alloc(length, 1); /* of its size, so that reading past it shows */
        const unsigned char *at = chunk;
        fuzz_require(chunk != NULL);
        memcpy(chunk, data + from, length);
        while ((status = packet_next(&reader, &at, chunk + length, &packet, &fault)) > 0) {
            fuzz_require(packet.size <= reader.most);
            for (size_t i = 0; i < packet.size; i++)
                *sum = *sum * 31 + packet.bytes[i];
            count++;
        }
        fuzz_require(status < 0 ? fault && fault[0] : at == chunk + length);
        free(chunk);
    }
    packet_reader_fini(&reader);
    return count;
}

static void fuzz_hello(const struct packet *packet)
{
    struct link_hello hello;
    struct link_greeting greeting;
    unsigned char again[HELLO_MOST];
    if (!link_hello_read(packet, &hello)) {
        struct link_hello same;
        size_t size = link_hello_write(&hello, again);
        fuzz_require(size == packet->size);
        fuzz_require(!link_hello_read(&(struct packet){again, size}, &same));
        fuzz_require(strcmp(hello.name, same.name) == 0 && hello.epoch == same.epoch);
    }
    char reason[HELLO_REASON];
    if (link_refusal_read(packet, reason))
        fuzz_require(strlen(reason) < HELLO_REASON && !strchr(reason, '\n'));
    if (!link_greeting_read(packet, &greeting))
        fuzz_require(link_greeting_write(&greeting, again) == packet->size &&
                     memcmp(again, packet->bytes, packet->size) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t whole, parts;
    struct link_address list[LINK_CONTROLLERS];
    struct err err = {0};
    struct seal seal = {.controller = true};
    unsigned char *bytes = mem_alloc(size + 1, 1);
    fuzz_require(bytes != NULL);
    if (size)
        memcpy(bytes, data, size);
    struct packet packet = {bytes, size};
    size_t count = fuzz_read(data, size, size ? size : 1, &whole);
    fuzz_require(fuzz_read(data, size, 1, &parts) == count && whole == parts);
    fuzz_require(fuzz_read(data, size, 7, &parts) == count && whole == parts);
    fuzz_hello(&packet);
    fuzz_require(!seal_open(&seal, &packet));
    if (link_address_list((char *)bytes, LINK_PORT, list, &err) < 0)
        fuzz_require(err.text[0] && !strchr(err.text, '\n'));
    free(bytes);
    return 0;
}
