#include "bound/ways.h"
#include "base/maths.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

/* Spreads an I/O over the slots that it takes alone. */
static void ways_spread(const struct ways *ways, double *bytes, double from, double to, double rate)
{
    uint32_t slot = (uint32_t)(from / ways->width);
    for (; slot < ways->slots && slot * ways->width < to; slot++) {
        double begin = maths_max(from, slot * ways->width);
        double end = maths_min(to, (slot + 1) * ways->width);
        bytes[slot] += maths_max(0, end - begin) / ways->width * rate;
    }
}

static void ways_demand(struct ways *ways, const struct workload *workload, uint32_t id)
{
    const struct app *app = &workload->apps[id];
    double *bytes = &ways->bytes[(size_t)id * ways->slots];
    double now = app_start(app), end = ways->slots * ways->width;
    double rate = app->facts.bmax / workload->platform.bandwidth;
    for (uint32_t k = 0; k < app->facts.iterations && now < end; k++) {
        struct iteration iteration = app_iteration(app, k);
        double io = iteration.volume / app->facts.bmax;
        now += iteration.work;
        if (now < end)
            ways_spread(ways, bytes, now, now + io, rate);
        now += io;
    }
}

int ways_init(struct ways *ways, const struct workload *workload, uint32_t slots, double end)
{
    *ways = (struct ways){.slots = slots, .width = end / slots};
    size_t delays = (size_t)slots + 1;
    ways->bytes = mem_alloc((size_t)workload->count * slots, sizeof *ways->bytes);
    ways->prices = mem_alloc(2 * delays + 1, sizeof *ways->prices);
    ways->costs = mem_alloc(delays, sizeof *ways->costs);
    ways->next = mem_alloc(delays, sizeof *ways->next);
    ways->moves = mem_alloc(slots * delays, sizeof *ways->moves);
    if (!ways->bytes || !ways->prices || !ways->costs || !ways->next || !ways->moves)
        return -1;
    for (uint32_t id = 0; id < workload->count; id++)
        ways_demand(ways, workload, id);
    return 0;
}

void ways_fini(struct ways *ways)
{
    free(ways->bytes);
    free(ways->prices);
    free(ways->costs);
    free(ways->next);
    free(ways->moves);
}

/* A move is twice the slots from the own slot to where its bytes go, plus 1 if that is the one slot
 * more than the delay at its end. */
static uint32_t ways_move(uint32_t later, bool beyond)
{
    return 2 * later + beyond;
}

/* One own slot. With a delay of k before it, its bytes may go k or more slots later; with k after
 * it, at most k + 1. */
static void ways_step(struct ways *ways, uint32_t slot, double bytes)
{
    const double *prices = &ways->prices[slot], *costs = ways->costs;
    uint32_t *moves = &ways->moves[(size_t)slot * (ways->slots + 1)];
    double least = INFINITY;
    for (uint32_t k = 0; k <= ways->slots; k++) {
        double within = costs[k] + bytes * prices[k], beyond = costs[k] + bytes * prices[k + 1];
        moves[k] = k > 0 ? moves[k - 1] : 0;
        if (within < least) {
            least = within;
            moves[k] = ways_move(k, false);
        }
        if (beyond < least) {
            least = beyond;
            moves[k] = ways_move(k + 1, true);
        }
        ways->next[k] = least;
    }
    double *done = ways->costs;
    ways->costs = ways->next;
    ways->next = done;
}

void ways_find(struct ways *ways, uint32_t app)
{
    const double *bytes = &ways->bytes[(size_t)app * ways->slots];
    memset(ways->costs, 0, (ways->slots + 1) * sizeof *ways->costs);
    for (uint32_t slot = 0; slot < ways->slots; slot++)
        if (bytes[slot] > 0)
            ways_step(ways, slot, bytes[slot]);
}

void ways_use(const struct ways *ways, uint32_t app, uint32_t delay, double *usage)
{
    const double *bytes = &ways->bytes[(size_t)app * ways->slots];
    uint32_t k = delay;
    for (uint32_t slot = ways->slots; slot-- > 0;) {
        if (!(bytes[slot] > 0))
            continue;
        uint32_t move = ways->moves[(size_t)slot * (ways->slots + 1) + k], later = move / 2;
        if (slot + later < ways->slots)
            usage[slot + later] += bytes[slot];
        k = later - move % 2;
    }
}
