#include "fuzz.h"
#include "wire/message.h"

/* A message may begin anywhere, and has a room of exactly its size, so that reading past its end is
 * seen. */
static void check(const uint8_t *data, size_t size, int shift)
{
    char *room = mem_alloc(size + 8, 1), bytes[WIRE_MOST], again[WIRE_MOST];
    struct wire_message message, same;
    fuzz_require(room != NULL);
    char *place = room + 8 - shift;
    if (size)
        memcpy(place, data, size);
    const char *fault = wire_decode(place, size, &message);
    free(room);
    if (fault) {
        fuzz_require(fault[0] && !strchr(fault, '\n'));
        return;
    }
    /* What was accepted is written as the same message. */
    uint32_t version = wire_version(data, size);
    bool old = message.type == WIRE_FAILED && version < WIRE_COMMANDS; /* whose numbers differ */
    size_t written = wire_encode_as(&message, old ? WIRE_VERSION : version, bytes);
    fuzz_require(written == size && !wire_decode(bytes, written, &same));
    fuzz_require(wire_encode_as(&same, wire_version(bytes, written), again) == written &&
                 memcmp(bytes, again, written) == 0);
    fuzz_require(wire_type_name(message.type)[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check(data, size, 0);
    check(data, size, 3);
    if (size > 0 && size < WIRE_NAME * 4) {
        char *text = mem_alloc(size + 1, 1), name[WIRE_NAME];
        fuzz_require(text != NULL);
        memcpy(text, data, size);
        wire_name(name, text);
        fuzz_require(name[0] && strlen(name) < WIRE_NAME && !strchr(name, '/'));
        free(text);
    }
    return 0;
}
