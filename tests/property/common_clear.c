/* clearing and critical-yield as plainly as they are defined (docs/reference/strategies.md). */
#include "common.h"
#include <math.h>
#include <string.h>

/* What is known of one posted I/O. */
struct fact {
    double reach, base, rest, bytes, bmax, lost, age, length;
    uint32_t app;
};

struct facts {
    struct fact list[SMALL_APPS];
    uint32_t count;
    double bandwidth, ahead;
};

static struct facts gather(const struct weir_view *view, const double *lengths)
{
    struct facts facts = {.count = view->active_count,
                          .bandwidth = view->bandwidth,
                          .ahead = fmax(0, view->horizon - view->now)};
    for (uint32_t i = 0; i < facts.count; i++) {
        const struct weir_run *run = &view->runs[view->active[i]];
        struct fact *own = &facts.list[i];
        own->app = view->active[i];
        own->bmax = run->app->bmax;
        own->bytes = fmin(weir_remaining(view, run), facts.ahead * own->bmax);
        own->rest = own->bytes / own->bmax;
        own->lost = weir_lost(view, run);
        own->age = weir_age(view, run);
        own->reach = own->age - own->lost + own->rest;
        own->base = own->age;
        if (lengths && lengths[own->app] > own->reach) {
            own->length = own->reach = lengths[own->app];
            own->base = own->length + own->lost - own->rest;
        }
    }
    return facts;
}

/* An order of the I/Os by index, and what it leads to. */
struct attempt {
    uint32_t order[SMALL_APPS];
    double loss, least;
    uint32_t weakest;
};

static void judge(const struct facts *facts, struct attempt *attempt, uint32_t i, double yield)
{
    attempt->loss += pow(fmax(0, 1 - yield), 8);
    if (attempt->weakest == UINT32_MAX ||
        weir_before(yield, facts->list[i].app, attempt->least, facts->list[attempt->weakest].app)) {
        attempt->least = yield;
        attempt->weakest = i;
    }
}

/* Serves all in the order, again at each completion, until the window ends. */
static void attempt_play(const struct facts *facts, struct attempt *attempt)
{
    double left[SMALL_APPS], now = 0;
    attempt->loss = 0;
    attempt->weakest = UINT32_MAX;
    for (uint32_t i = 0; i < facts->count; i++)
        left[i] = facts->list[i].bytes;
    for (;;) {
        double rates[SMALL_APPS] = {0}, free = facts->bandwidth, step = INFINITY;
        uint32_t first = UINT32_MAX;
        for (uint32_t place = 0; place < facts->count; place++) {
            uint32_t i = attempt->order[place];
            rates[i] = left[i] >= 0 ? fmin(facts->list[i].bmax, free) : 0;
            free -= rates[i];
            if (rates[i] > 1e-9 * facts->bandwidth && left[i] / rates[i] < step) {
                step = left[i] / rates[i];
                first = i;
            }
        }
        if (first == UINT32_MAX)
            return;
        if (now + step > facts->ahead * (1 + 1e-12))
            break;
        now += step;
        for (uint32_t i = 0; i < facts->count; i++)
            if (left[i] >= 0)
                left[i] = fmax(0, left[i] - rates[i] * step);
        left[first] = -1;
        judge(facts, attempt, first, facts->list[first].reach / (facts->list[first].base + now));
    }
    double free = facts->bandwidth;
    for (uint32_t place = 0; place < facts->count; place++) {
        uint32_t i = attempt->order[place];
        const struct fact *own = &facts->list[i];
        if (left[i] < 0)
            continue;
        double rate = fmin(own->bmax, free), span = own->base + facts->ahead;
        double missing = fmax(0, left[i] - rate * (facts->ahead - now)) / own->bmax;
        free -= rate;
        double reached = own->reach - missing;
        if (own->length > 0)
            judge(facts, attempt, i, own->reach / (span + missing));
        else
            judge(facts, attempt, i, reached > 1e-12 * own->reach ? reached / span : 0);
    }
}

/* Sorts by a key. */
static void attempt_sort(const struct facts *facts, struct attempt *attempt, const double *keys)
{
    for (uint32_t i = 0; i < facts->count; i++)
        attempt->order[i] = i;
    for (uint32_t i = 0; i < facts->count; i++)
        for (uint32_t j = i + 1; j < facts->count; j++) {
            uint32_t a = attempt->order[i], b = attempt->order[j];
            if (weir_before(keys[b], facts->list[b].app, keys[a], facts->list[a].app)) {
                attempt->order[i] = b;
                attempt->order[j] = a;
            }
        }
}

static void attempt_deadlines(const struct facts *facts, double yield, double slack,
                              double keys[SMALL_APPS])
{
    double latest = 0;
    for (uint32_t i = 0; i < facts->count; i++)
        latest = fmax(latest, facts->list[i].base);
    for (uint32_t i = 0; i < facts->count; i++)
        keys[i] = facts->list[i].reach / yield - facts->list[i].base + latest -
                  slack * facts->list[i].rest;
}

/* Plays it, and keeps it if it is better by 0.2 %. */
static void attempt_offer(const struct facts *facts, struct attempt *attempt, struct attempt *best)
{
    attempt_play(facts, attempt);
    if (1.002 * pow(attempt->loss, 1.0 / 8) < pow(best->loss, 1.0 / 8))
        *best = *attempt;
}

static double offer_deadlines(const struct facts *facts, double yield, struct attempt *best)
{
    struct attempt attempt;
    double keys[SMALL_APPS];
    attempt_deadlines(facts, yield, 0, keys);
    attempt_sort(facts, &attempt, keys);
    attempt_offer(facts, &attempt, best);
    return attempt.least;
}

/* The largest yield that all can reach. */
static double find_reachable(const struct facts *facts, struct attempt *best)
{
    double high = INFINITY;
    for (uint32_t i = 0; i < facts->count; i++)
        high = fmin(high, facts->list[i].reach / (facts->list[i].base + facts->list[i].rest));
    double low = fmax(offer_deadlines(facts, high, best), high / 4096);
    if (low >= high * (1 - 1e-12))
        return low;
    low = fmax(low, offer_deadlines(facts, low, best));
    for (int step = 0; step < 12 && high - low > 1e-3 * high; step++) {
        double middle = (low + high) / 2, least = offer_deadlines(facts, middle, best);
        if (least < middle * (1 - 1e-12))
            high = middle;
        low = fmax(low, fmin(least, middle));
    }
    return low;
}

static void attempt_grant(const struct facts *facts, const struct attempt *attempt,
                          struct weir_grants *grants)
{
    double left = facts->bandwidth;
    for (uint32_t place = 0; place < facts->count; place++) {
        const struct fact *own = &facts->list[attempt->order[place]];
        double rate = fmin(own->bmax, left);
        weir_grant(grants, own->app, rate);
        left -= rate;
    }
}

void twin_critical_yield(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    struct facts facts = gather(view, NULL);
    struct attempt best = {.loss = INFINITY};
    double keys[SMALL_APPS] = {0}, oldest = 0;
    (void)state;
    for (uint32_t i = 0; i < facts.count; i++)
        oldest = fmax(oldest, facts.list[i].age);
    if (oldest > 0) /* at the very start all are the same */
        attempt_deadlines(&facts, find_reachable(&facts, &best), 0, keys);
    attempt_sort(&facts, &best, keys);
    attempt_grant(&facts, &best, grants);
}

/* Up to four times the weakest of the best one goes first. */
static void offer_repairs(const struct facts *facts, struct attempt *best)
{
    for (int turn = 0; turn < 4; turn++) {
        struct attempt attempt;
        uint32_t place = 0;
        attempt.order[place++] = best->weakest;
        for (uint32_t i = 0; i < facts->count; i++)
            if (best->order[i] != best->weakest)
                attempt.order[place++] = best->order[i];
        attempt_offer(facts, &attempt, best);
    }
}

void twin_clearing(const struct weir_view *view, struct weir_grants *grants, const uint32_t *first,
                   const double *lengths)
{
    struct facts facts = gather(view, lengths);
    struct attempt best = {.loss = INFINITY}, attempt;
    double keys[SMALL_APPS];
    bool known = true;
    for (uint32_t i = 0; i < facts.count; i++) {
        known = known && facts.list[i].length > 0;
        attempt.order[i] = view->runs[first[i]].position;
    }
    if (!known)
        attempt_offer(&facts, &attempt, &best);
    attempt_deadlines(&facts, find_reachable(&facts, &best), 1, keys);
    attempt_sort(&facts, &attempt, keys);
    attempt_offer(&facts, &attempt, &best);
    for (uint32_t i = 0; i < facts.count; i++) {
        const struct fact *own = &facts.list[i];
        double span = own->length > 0 ? own->length : own->age;
        keys[i] = span > 0 ? 1 - own->lost / span : 0;
    }
    attempt_sort(&facts, &attempt, keys);
    attempt_offer(&facts, &attempt, &best);
    offer_repairs(&facts, &best);
    attempt_grant(&facts, &best, grants);
}
