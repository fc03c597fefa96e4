#include "base/random.h"
#include "common.h"

static double amount(struct random *dice, unsigned flags, uint32_t most)
{
    return flags & DICE_GRID ? random_below(dice, most + 1) : random_between(dice, 0.01, most);
}

static double roll_bmax(struct random *dice, unsigned flags)
{
    static const double usual[] = {10, 10, 10, 5, 4, 2.5};
    if (flags & DICE_FULL)
        return 10;
    return flags & DICE_GRID ? usual[random_below(dice, 6)] : random_between(dice, 1, 10);
}

static void roll_past(struct small *small, struct random *dice, unsigned flags, struct app *app)
{
    uint32_t kind = random_below(dice, 4);
    if (kind < 2)
        app->facts.release = amount(dice, flags, 6);
    if (kind != 2)
        return;
    double age = 1 + amount(dice, flags, 20);
    small_age(app, age, age * random_between(dice, 0, 1));
    if (app_iteration(app, 0).work == 0)
        small->rare[app - small->apps].waiting = age * random_uniform(dice);
}

static void roll_app(struct small *small, struct random *dice, unsigned flags, double bmax)
{
    struct iteration list[5];
    uint32_t count = 1 + random_below(dice, 5);
    for (uint32_t k = 0; k < count; k++) {
        list[k].work = k == 0 && random_below(dice, 3) == 0 ? 0 : amount(dice, flags, 8);
        list[k].volume = random_below(dice, 10) == 0 ? 0 : amount(dice, flags, 40);
    }
    list[0].volume += 1;
    struct app *app = small_add_list(small, bmax, list, count);
    app->facts.nodes = 1 + random_below(dice, 4);
    app->facts.weight = 1 + random_below(dice, 2);
    if (random_below(dice, 3) == 0)
        app->facts.period = 1 + amount(dice, flags, 100);
    if (flags & DICE_RELEASES)
        roll_past(small, dice, flags, app);
}

/* Of half of the workloads, most lengths are known; some are wrong. */
static void roll_lengths(struct small *small, uint32_t seed, unsigned flags)
{
    struct random dice = random_at(seed, flags, 1);
    if (random_below(&dice, 2) == 0)
        return;
    for (uint32_t id = 0; id < small->workload.count; id++) {
        double part = random_below(&dice, 4) == 0 ? random_between(&dice, 0.2, 4) : 1;
        double length = small->apps[id].facts.progress + app_ideal(&small->apps[id]);
        small->lengths[id] = random_below(&dice, 5) == 0 ? 0 : part * length;
    }
}

static void roll_store(struct small *small, uint32_t seed, unsigned flags)
{
    struct random dice = random_at(seed, flags, 2);
    small->store = (struct store){0};
    small->workload.platform.store = &small->store;
    if (flags & DICE_CURVE && random_below(&dice, 2) == 0) {
        small->store.curve.slope = random_between(&dice, 0, 0.5);
    } else if (flags & DICE_CURVE) {
        uint32_t count = 1 + random_below(&dice, 8);
        for (uint32_t k = 0; k < count; k++) /* some steps are flat */
            small->factors[k] =
                k == 0 ? 1
                       : small->factors[k - 1] *
                             (random_below(&dice, 3) ? random_between(&dice, 0.5, 1) : 1);
        small->store.curve = (struct curve){.factors = small->factors, .count = count};
    }
    if (!(flags & DICE_HEALTH))
        return;
    uint32_t count = 1 + random_below(&dice, 8);
    double at = 0;
    for (uint32_t i = 0; i < count; i++) {
        at += random_between(&dice, 0.1, 12);
        bool outage = random_below(&dice, 6) == 0 && i + 1 < count;
        small->changes[i] = (struct health_change){at, outage ? 0 : random_between(&dice, 0.1, 2)};
    }
    small->store.health = (struct health){.changes = small->changes, .count = count};
    if (random_below(&dice, 2) == 0)
        small->store.health.period = at + 1;
}

void dice_roll(struct small *small, uint32_t seed, unsigned flags)
{
    struct random dice = random_at(seed, flags, 0);
    uint32_t count = flags & DICE_MANY ? 40 + random_below(&dice, 36) : 1 + random_below(&dice, 6);
    double same = roll_bmax(&dice, flags);
    small_init(small, 10);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && flags & DICE_IDENTICAL && random_below(&dice, 2) == 0) {
            small->apps[i] = small->apps[i - 1];
            small->workload.count++;
        } else {
            roll_app(small, &dice, flags, flags & DICE_SAME ? same : roll_bmax(&dice, flags));
        }
    }
    if (flags & DICE_WINDOW && random_below(&dice, 2) == 0) {
        double start = random_below(&dice, 2) * amount(&dice, flags, 5);
        small_window(small, start, start + 1 + amount(&dice, flags, 30));
    }
    roll_lengths(small, seed, flags);
    if (flags & (DICE_CURVE | DICE_HEALTH))
        roll_store(small, seed, flags);
}
