#include "link/seal.h"
#include "base/little.h"
#include <sodium.h>

enum { SEAL_PLACE = 9 }; /* bytes of direction and number */

static void seal_hash(const struct seal *seal, bool from_controller, uint64_t number,
                      const struct packet *body, unsigned char tag[SEAL_TAG])
{
    crypto_generichash_state state;
    unsigned char place[SEAL_PLACE] = {from_controller};
    little_put(place + 1, number, 8);
    crypto_generichash_init(&state, seal->key, SEAL_KEY, SEAL_TAG);
    crypto_generichash_update(&state, place, sizeof place);
    crypto_generichash_update(&state, body->bytes, body->size);
    crypto_generichash_final(&state, tag, SEAL_TAG);
}

void seal_tag(struct seal *seal, const void *body, size_t size, unsigned char tag[SEAL_TAG])
{
    seal_hash(seal, seal->controller, seal->sent++, &(struct packet){body, size}, tag);
}

bool seal_open(struct seal *seal, struct packet *packet)
{
    unsigned char tag[SEAL_TAG];
    if (packet->size < SEAL_TAG)
        return false;
    const struct packet body = {packet->bytes + SEAL_TAG, packet->size - SEAL_TAG};
    seal_hash(seal, !seal->controller, seal->received, &body, tag);
    if (sodium_memcmp(tag, packet->bytes, SEAL_TAG) != 0)
        return false;
    seal->received++;
    *packet = body;
    return true;
}
