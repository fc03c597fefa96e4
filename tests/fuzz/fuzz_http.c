#include "cluster/etcd.h"
#include "fuzz.h"
#include "link/http.h"

/* Feeds the response in pieces, as the connection may. */
static int fuzz_feed(struct http_reader *reader, const uint8_t *data, size_t size, size_t step)
{
    int status = 0;
    memset(reader, 0, sizeof *reader);
    for (size_t at = 0; at < size && status == 0; at += step) {
        size_t length = size - at < step ? size - at : step;
        char *piece = mem_alloc(length, 1); /* of its size, so that reading past it shows */
        fuzz_require(piece != NULL);
        memcpy(piece, data + at, length);
        status = http_take(reader, piece, length);
        free(piece);
    }
    return status == 0 && http_end(reader) ? 1 : status;
}

static void fuzz_etcd(const char *body, size_t size, int status)
{
    for (int ask = 0; ask < LEADER_ASKS_COUNT; ask++) {
        const struct leader_request request = {.ask = (enum leader_ask)ask, .lease = 77};
        struct leader_answer answer = etcd_read(&request, status, body, size);
        fuzz_require(answer.there || (answer.lease == 0 && answer.holder == 0));
        fuzz_require(!answer.there || ask != LEADER_GRANT || (answer.lease > 0 && answer.ttl > 0));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct http_reader whole, parts;
    int status = fuzz_feed(&whole, data, size, size ? size : 1);
    for (size_t step = 1; step <= 7; step += 6) {
        fuzz_require(fuzz_feed(&parts, data, size, step) == status);
        fuzz_require(status <= 0 || (parts.size == whole.size && parts.status == whole.status &&
                                     memcmp(parts.body, whole.body, whole.size) == 0));
    }
    fuzz_require(whole.size <= HTTP_MOST);
    if (status > 0)
        fuzz_etcd(whole.body, whole.size, whole.status);
    char *body = mem_alloc(size, 1);
    fuzz_require(body != NULL);
    if (size)
        memcpy(body, data, size);
    fuzz_etcd(body, size, 200);
    fuzz_etcd(body, size, 404);
    free(body);
    return 0;
}
