#include "base/random.h"
#include "base/maths.h"

void random_philox(uint32_t counter[4], const uint32_t key[2])
{
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t even = UINT64_C(0xD2511F53) * counter[0];
        uint64_t odd = UINT64_C(0xCD9E8D57) * counter[2];
        counter[0] = (uint32_t)(odd >> 32) ^ counter[1] ^ k0;
        counter[1] = (uint32_t)odd;
        counter[2] = (uint32_t)(even >> 32) ^ counter[3] ^ k1;
        counter[3] = (uint32_t)even;
        k0 += UINT32_C(0x9E3779B9);
        k1 += UINT32_C(0xBB67AE85);
    }
}

static uint64_t random_draw(struct random *r)
{
    uint32_t counter[4] = {r->draw++, r->index, r->stream, 0};
    const uint32_t key[2] = {(uint32_t)r->seed, (uint32_t)(r->seed >> 32)};
    random_philox(counter, key);
    return (uint64_t)counter[1] << 32 | counter[0];
}

struct random random_at(uint64_t seed, uint32_t stream, uint32_t index)
{
    return (struct random){.seed = seed, .stream = stream, .index = index};
}

double random_uniform(struct random *r)
{
    /* 52 bits and a half: neither 0 nor 1 can come out. */
    return ((double)(random_draw(r) >> 12) + 0.5) * 0x1p-52;
}

double random_between(struct random *r, double low, double high)
{
    double u = random_uniform(r);
    return low * (1 - u) + high * u;
}

double random_normal(struct random *r)
{
    return maths_normal_quantile(random_uniform(r));
}

double random_exponential(struct random *r)
{
    return -maths_log(random_uniform(r));
}

uint32_t random_below(struct random *r, uint32_t n)
{
    /* The high half of a 32 x 32 bit product is uniform once the 2^32 mod n lowest low halves
     * are refused. */
    uint32_t refused = -n % n;
    for (;;) {
        uint64_t product = (random_draw(r) >> 32) * n;
        if ((uint32_t)product >= refused)
            return (uint32_t)(product >> 32);
    }
}
