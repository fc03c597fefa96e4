#include "fuzz.h"
#include "node/message.h"

/* Reads messages one after the other from a room of exactly their size, so that reading past its
 * end is seen. What was accepted is written as the same bytes, and takes them all. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *room = mem_alloc(size + 1, 1), again[NODE_MOST];
    struct node_message message;
    const char *fault;
    fuzz_require(room != NULL);
    char *bytes = room + 1;
    if (size)
        memcpy(bytes, data, size);
    for (size_t at = 0, used; at < size; at += used) {
        used = node_decode(bytes + at, size - at, NODE_NEWEST, &message, &fault);
        fuzz_require((used == 0) == (fault != NULL) && used <= size - at);
        if (fault) {
            fuzz_require(fault[0] && !strchr(fault, '\n'));
            break;
        }
        size_t written = node_encode(&message, NODE_NEWEST, again);
        struct node_message same;
        fuzz_require(written == used);
        fuzz_require(node_decode(again, written, NODE_NEWEST, &same, &fault) == used);
        fuzz_require(node_type_name(same.type)[0]);
    }
    free(room);
    return 0;
}
