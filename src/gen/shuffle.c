#include "base/random.h"
#include "gen/gen.h"

/* Neither where families draw nor where phases are drawn. */
#define PLACE (UINT32_MAX - 1)

void gen_shuffle(uint64_t seed, double *keys, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct random random = random_at(seed, i, PLACE);
        keys[i] = random_uniform(&random);
    }
}
