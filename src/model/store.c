#include "model/store.h"
#include "base/mem.h"
#include <string.h>

/* The largest h, which is none that a real store has. */
#define HEALTH_MOST 1000.0

const double health_levels[HEALTH_QUANTILES] = {0, 0.05, 0.5, 0.95, 1};

double *curve_tabulate(const struct curve *curve, uint32_t count)
{
    double *factors = mem_alloc((size_t)count + 2, sizeof *factors);
    for (uint32_t k = 0; factors && k <= count + 1; k++)
        factors[k] = k == 0 ? 1 : curve_factor(curve, k);
    return factors;
}

/* A copy of an array that may be missing; -1 when memory is out. */
static int store_copy_array(const void **array, size_t count, size_t size, struct arena *arena)
{
    if (!*array || count == 0)
        return 0;
    void *copy = arena_alloc(arena, count, size);
    if (!copy)
        return -1;
    *array = memcpy(copy, *array, count * size);
    return 0;
}

const struct store *store_copy(const struct store *store, struct arena *arena)
{
    struct store *copy = arena_alloc(arena, 1, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *store;
    const void *factors = store->curve.factors, *changes = store->health.changes,
               *quantiles = store->health.quantiles;
    if (store_copy_array(&factors, store->curve.count, sizeof *copy->curve.factors, arena) != 0 ||
        store_copy_array(&changes, store->health.count, sizeof *copy->health.changes, arena) != 0 ||
        store_copy_array(&quantiles, HEALTH_QUANTILES, sizeof *copy->health.quantiles, arena) != 0)
        return NULL;
    copy->curve.factors = factors;
    copy->health.changes = changes;
    copy->health.quantiles = quantiles;
    return copy;
}

/* --- checks ----------------------------------------------------------------------------------- */

static int curve_validate(const struct curve *curve, struct err *err)
{
    if (!(curve->slope >= 0 && curve->slope < INFINITY))
        return err_set(err, "contention is %g, expected at least 0", curve->slope);
    if (curve->count > 0 && curve->factors[0] != 1)
        return err_set(err, "contention begins with %g, expected 1: the bandwidth of one alone",
                       curve->factors[0]);
    for (uint32_t k = 1; k < curve->count; k++) {
        if (!(curve->factors[k] > 0))
            return err_set(err, "contention of %u is %g, expected more than 0", k + 1,
                           curve->factors[k]);
        if (!(curve->factors[k] <= curve->factors[k - 1]))
            return err_set(err, "contention of %u is %g, above the %g of %u: it must not rise",
                           k + 1, curve->factors[k], curve->factors[k - 1], k);
    }
    return 0;
}

static int health_check_factor(double factor, struct err *err)
{
    if (factor >= 0 && factor <= HEALTH_MOST)
        return 0;
    return err_set(err, "a health of %g, expected from 0 to %g", factor, HEALTH_MOST);
}

static int health_validate(const struct health *health, struct err *err)
{
    double before = -1;
    for (uint32_t i = 0; i < health->count; i++) {
        const struct health_change *change = &health->changes[i];
        if (!(change->at >= 0 && change->at < INFINITY))
            return err_set(err, "health at %g s, expected at least 0", change->at);
        if (!(change->at > before))
            return err_set(err, "health at %g s comes after %g s: times must increase", change->at,
                           before);
        if (health_check_factor(change->factor, err) != 0)
            return -1;
        before = change->at;
    }
    for (int i = 0; health->quantiles && i < HEALTH_QUANTILES; i++) {
        if (health_check_factor(health->quantiles[i], err) != 0)
            return -1;
        if (i > 0 && health->quantiles[i] < health->quantiles[i - 1])
            return err_set(err, "quantiles of health must not fall, %g comes after %g",
                           health->quantiles[i], health->quantiles[i - 1]);
    }
    if (health->quantiles && !(health->quantiles[HEALTH_QUANTILES - 1] > 0))
        return err_set(err, "the largest health is 0, expected more");
    return 0;
}

int store_validate(const struct store *store, struct err *err)
{
    return curve_validate(&store->curve, err) == 0 ? health_validate(&store->health, err) : -1;
}

/* --- h as time passes ------------------------------------------------------------------------- */

void health_step(struct health_clock *clock)
{
    const struct health *health = clock->health;
    clock->factor = health->changes[clock->next++].factor;
    if (clock->next == health->count && health->period > 0) {
        clock->next = 0;
        clock->base += health->period;
    }
}
