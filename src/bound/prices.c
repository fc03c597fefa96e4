#include "bound/prices.h"
#include "base/maths.h"
#include "base/mem.h"
#include "bound/bound.h"
#include "bound/ways.h"
#include <stdlib.h>
#include <string.h>

/* Slots of the run: with more of them the bound is a little better, and takes longer by their
 * square. */
enum { PRICES_SLOTS = 64 };

/* Losses that are tried, each in the middle of what is left, and rounds for each: as many as the
 * applications leave time for. */
enum { PRICES_HALVINGS = 12, PRICES_ROUNDS = 400, PRICES_LEAST_ROUNDS = 40 };

/* How fast prices move at first, and how much above everything's cost is a proof. */
#define PRICES_SPEED 0.5
#define PRICES_PROOF 1e-9

/* After as many rounds the mean of the prices so far is tried as well. */
enum { PRICES_MEANS = 8 };

/* What has a price: the slots, and losses. */
enum { PRICES_LOSSES = PRICES_SLOTS, PRICED };

/* The game between those who set prices and the applications, which take the cheapest ways. */
struct prices_game {
    const struct workload *workload;
    struct ways ways;
    double limit;           /* of what all may lose: the sum of nodes * work / length */
    double scores[PRICED];  /* logarithms of prices, */
    double weights[PRICED]; /* the prices of this round, but for a factor, */
    double sum[PRICED];     /* those of all rounds, */
    double usage[PRICED];   /* and what the cheapest ways use, in parts of what there is */
};

/* What an application loses by a delay in seconds. */
static double prices_loss(const struct app *app, double delay)
{
    double ideal = app_ideal(app), value = app->facts.nodes * app->facts.total_work;
    return ideal > 0 ? value * (1 / ideal - 1 / (ideal + delay)) : 0;
}

/* Lets an application choose its delay after ways_find. Returns what it pays. */
static double prices_choose(struct prices_game *game, uint32_t id, double price)
{
    const struct app *app = &game->workload->apps[id];
    double least = INFINITY, lost = 0;
    uint32_t delay = 0;
    for (uint32_t k = 0; k <= PRICES_SLOTS; k++) {
        double loss = prices_loss(app, k * game->ways.width) / game->limit;
        double cost = game->ways.costs[k] + price * loss;
        if (cost < least) {
            least = cost;
            lost = loss;
            delay = k;
        }
    }
    game->usage[PRICES_LOSSES] += lost;
    ways_use(&game->ways, id, delay, game->usage);
    return least;
}

/* Sets these prices, scaled so that they add up to 1, and lets all choose. Returns by how much they
 * pay more than everything costs: above 0 is a proof. */
static double prices_play(struct prices_game *game, const double *weights)
{
    double total = 0, paid = 0;
    for (int i = 0; i < PRICED; i++)
        total += weights[i];
    for (int s = 0; s < PRICES_SLOTS; s++)
        game->ways.prices[s] = weights[s] / total;
    memset(game->usage, 0, sizeof game->usage);
    for (uint32_t id = 0; id < game->workload->count; id++) {
        ways_find(&game->ways, id);
        paid += prices_choose(game, id, weights[PRICES_LOSSES] / total);
    }
    return paid - 1;
}

/* The prices that follow from the scores. */
static void prices_weigh(struct prices_game *game)
{
    double most = -INFINITY;
    for (int i = 0; i < PRICED; i++)
        most = maths_max(most, game->scores[i]);
    for (int i = 0; i < PRICED; i++) {
        game->weights[i] = maths_exp(game->scores[i] - most);
        game->sum[i] += game->weights[i];
    }
}

/* Raises the prices of what is used too much, and lowers the others. */
static void prices_raise(struct prices_game *game, uint32_t round)
{
    double most = 4; /* one that is used by far too much does not move all prices at once */
    for (int i = 0; i < PRICED; i++)
        most = maths_max(most, game->usage[i]);
    double speed = PRICES_SPEED * 4 / most / sqrt(1 + round / 4.0);
    for (int i = 0; i < PRICED; i++)
        game->scores[i] += speed * (game->usage[i] - 1);
}

/* Whether prices are found that prove the limit to be out of reach. */
static bool prices_prove(struct prices_game *game, uint32_t rounds)
{
    memset(game->sum, 0, sizeof game->sum);
    for (uint32_t round = 0; round < rounds; round++) {
        prices_weigh(game);
        if (prices_play(game, game->weights) > PRICES_PROOF)
            return true;
        prices_raise(game, round);
        if ((round + 1) % PRICES_MEANS == 0 && prices_play(game, game->sum) > PRICES_PROOF)
            return true;
    }
    return false;
}

/* The largest loss that is proved to be too small for any schedule. */
static double prices_find_loss(struct prices_game *game, double most)
{
    double refused = 0, allowed = most;
    uint32_t rounds = PRICES_ROUNDS * 20 / (20 + game->workload->count);
    rounds = rounds > PRICES_LEAST_ROUNDS ? rounds : PRICES_LEAST_ROUNDS;
    /* At first, losses cost as much as all bandwidth does. */
    game->scores[PRICES_LOSSES] = maths_log(PRICES_SLOTS);
    for (int i = 0; i < PRICES_HALVINGS; i++) {
        game->limit = (refused + allowed) / 2;
        if (prices_prove(game, rounds))
            refused = game->limit;
        else
            allowed = game->limit;
    }
    return refused;
}

/* The sum of nodes * work / length if each were alone; NAN if the bound does not hold. */
static double prices_gain(const struct workload *workload)
{
    double gain = 0, nodes = 0;
    for (uint32_t id = 0; id < workload->count; id++) {
        const struct app *app = &workload->apps[id];
        if (app->facts.release != 0 || app->facts.progress != 0)
            return NAN;
        gain += prices_loss(app, INFINITY);
        nodes += app->facts.nodes;
    }
    return workload->occupancy.nodes >= nodes * (1 - 1e-9) ? gain : (double)NAN;
}

int prices_find(const struct workload *workload, double *sys_efficiency, struct err *err)
{
    struct bounds bounds;
    double gain = prices_gain(workload);
    *sys_efficiency = NAN;
    if (workload->window.kind == WINDOW_FIXED || workload->count > PRICES_APPLICATIONS ||
        isnan(gain))
        return 0;
    if (bounds_find(workload, &bounds, err) < 0)
        return -1;
    struct prices_game *game = mem_alloc(1, sizeof *game);
    if (!game)
        return err_memory(err);
    game->workload = workload;
    /* After the last slot bandwidth is free, so any end is right. */
    int status = ways_init(&game->ways, workload, PRICES_SLOTS, bounds.makespan);
    if (status == 0) {
        double lost = gain > 0 ? prices_find_loss(game, gain) : 0;
        *sys_efficiency =
            (gain - lost) / maths_max(workload->occupancy.nodes, workload->platform.nodes);
    }
    ways_fini(&game->ways);
    free(game);
    return status == 0 ? 0 : err_memory(err);
}
