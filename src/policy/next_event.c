#include "policy/next_event.h"
#include "base/maths.h"

/* Yields this close are equal when plans are compared. */
#define SAME_YIELD 1e-10
/* The search on y stops at this width: well below the above, well above rounding. */
#define WIDTH 1e-13

void next_event_place(struct next_event *problem, void *room, uint32_t capacity)
{
    problem->apps = room;
    problem->breaks = (struct next_break *)(problem->apps + capacity);
    problem->items = (struct greedy_item *)(problem->breaks + capacity);
    double *numbers = (double *)(problem->items + 2 * (size_t)capacity);
    problem->best = (struct next_plan){.rates = numbers, .yields = numbers + capacity};
    numbers += 2 * (size_t)capacity;
    problem->trial = (struct next_plan){.rates = numbers, .yields = numbers + capacity};
    problem->order = (uint32_t *)(numbers + 2 * (size_t)capacity);
}

/* --- can this yield be reached? --------------------------------------------------------------- */

/* By insertion, in nearly linear time: from one yield to the next their order hardly changes. */
static void next_event_sort_breaks(struct next_event *problem)
{
    struct next_break *breaks = problem->breaks;
    for (uint32_t i = 1; i < problem->count; i++) {
        struct next_break moving = breaks[i];
        uint32_t to = i;
        for (; to > 0 && breaks[to - 1].at > moving.at; to--)
            breaks[to] = breaks[to - 1];
        breaks[to] = moving;
    }
}

/* Everything about a yield that does not depend on which application completes: surpluses, the
 * spans that all of them allow, and sums over the sorted breakpoints, by which excess below needs
 * no loop. */
static void next_event_look_at(struct next_event *problem, double yield)
{
    problem->yield = yield = maths_max(yield, WIDTH);
    problem->low = 0;
    problem->high = problem->horizon;
    for (uint32_t r = 0; r < problem->count; r++) {
        struct next_app *app = &problem->apps[problem->breaks[r].app];
        double surplus = app->age * (1 - yield) - app->lost;
        /* An undelayed application has exactly none at y = 1, whatever rounding makes of it. */
        if (fabs(surplus) <= 1e-12 * app->age)
            surplus = 0;
        app->surplus = surplus;
        problem->breaks[r].at = surplus / yield;
        if (surplus < 0)
            problem->low = maths_max(problem->low, -surplus / (1 - yield));
        problem->high = maths_min(problem->high, (surplus + app->alone) / yield);
    }
    next_event_sort_breaks(problem);
    double need = 0, offset = 0;
    for (uint32_t r = 0; r < problem->count; r++) {
        struct next_app *app = &problem->apps[problem->breaks[r].app];
        app->rank = r;
        problem->breaks[r].need = need += app->bmax;
        problem->breaks[r].offset = offset += app->bmax * app->surplus;
    }
}

/* How many breakpoints come before the first whose `member` (at or need, which both increase) is
 * not below the limit. */
static uint32_t next_event_count_below(const struct next_event *problem, size_t member,
                                       double limit)
{
    uint32_t from = 0, to = problem->count;
    while (from < to) {
        uint32_t middle = (from + to) / 2;
        const char *at = (const char *)&problem->breaks[middle] + member;
        if (*(const double *)at < limit)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* The smallest h over the spans allowed, at most 0 if the yield can be reached with k; and the
 * first span at which h is smallest. */
static double next_event_excess(const struct next_event *problem, uint32_t k, double *span)
{
    const struct next_app *own = &problem->apps[k];
    double low = maths_max(problem->low, own->alone), high = problem->high;
    double bandwidth = problem->bandwidth, yield = problem->yield;
    /* No span is allowed. The excess shrinks with the gap, so that the secant has something to
     * follow there too. */
    if (low > high * (1 + 1e-15))
        return (low - high) * bandwidth;
    /* The slope of h, y sum of b - B, turns positive where the sum reaches B/y. The sums contain k,
     * of which h has no term: from its breakpoint on they are too large by its bmax. */
    uint32_t turn =
        next_event_count_below(problem, offsetof(struct next_break, need), bandwidth / yield);
    if (turn >= own->rank)
        turn = next_event_count_below(problem, offsetof(struct next_break, need),
                                      bandwidth / yield + own->bmax);
    double found = turn < problem->count ? problem->breaks[turn].at : INFINITY;
    found = maths_min(maths_max(found, low), maths_max(high, low));
    uint32_t needing = next_event_count_below(problem, offsetof(struct next_break, at), found);
    /* h there, from the sums over the breakpoints before it; then without the term of k. */
    double excess = own->volume - bandwidth * found;
    if (needing > 0)
        excess +=
            yield * found * problem->breaks[needing - 1].need - problem->breaks[needing - 1].offset;
    if (own->rank < needing)
        excess -= own->bmax * (yield * found - own->surplus);
    *span = found;
    return excess <= 1e-12 * maths_max(1, bandwidth * found) ? maths_min(excess, 0) : excess;
}

/* --- the best yield with k -------------------------------------------------------------------- */

/* Yields between a reachable and an unreachable one are narrowed down by the secant through their
 * excesses. A plain secant can leave one end where it is forever; by the Illinois rule the excess
 * of an end that stays twice is halved, which moves the next guess towards it. */
struct bracket {
    double low, high;               /* reachable, not reachable */
    double low_excess, high_excess; /* NAN = not known */
    int side;
};

static double next_event_between(const struct bracket *bracket, int step)
{
    double middle = (bracket->low + bracket->high) / 2;
    /* Where the limits of the span meet, the excess jumps, and the secant hardly moves: every
     * fourth step halves, and from the 17th on all do. */
    if (step % 4 == 3 || step > 16 || isnan(bracket->low_excess) || isnan(bracket->high_excess))
        return middle;
    double slope = bracket->high_excess - bracket->low_excess;
    double guess = bracket->low - bracket->low_excess * (bracket->high - bracket->low) / slope;
    /* Strictly inside, or the bracket could stop shrinking. */
    double margin = 0.01 * WIDTH;
    if (!(guess > bracket->low + margin))
        return maths_min(bracket->low + WIDTH / 2, middle);
    if (!(guess < bracket->high - margin))
        return maths_max(bracket->high - WIDTH / 2, middle);
    return guess;
}

static void next_event_narrow(struct bracket *bracket, double yield, double excess)
{
    if (excess <= 0) {
        bracket->low = yield;
        bracket->low_excess = excess;
        if (bracket->side == 1)
            bracket->high_excess /= 2;
        bracket->side = 1;
    } else {
        bracket->high = yield;
        bracket->high_excess = excess;
        if (bracket->side == 2)
            bracket->low_excess /= 2;
        bracket->side = 2;
    }
}

/* The span at which k should complete for the largest smallest yield, which lies between
 * `reachable` and `limit`. */
static double next_event_search(struct next_event *problem, uint32_t k, double reachable,
                                double limit)
{
    struct bracket bracket = {reachable, limit, NAN, NAN, 0};
    double found = maths_max(problem->apps[k].alone, problem->low), span;
    next_event_look_at(problem, limit);
    bracket.high_excess = next_event_excess(problem, k, &span);
    if (bracket.high_excess <= 0)
        return span;
    /* The smallest yield at the event is hardly ever far from the smallest one now. */
    double guess = problem->smallest;
    for (int step = 0; step < 80 && bracket.high - bracket.low > WIDTH; step++) {
        bool inside = step == 0 && guess > bracket.low && guess < bracket.high;
        double yield = inside ? guess : next_event_between(&bracket, step);
        next_event_look_at(problem, yield);
        double over = next_event_excess(problem, k, &span);
        next_event_narrow(&bracket, yield, over);
        if (over <= 0)
            found = span;
    }
    return found;
}

/* --- rates for a given event ------------------------------------------------------------------ */

/* Bytes per second that one more unit of yield at the event costs an application. */
static double next_event_price(const struct next_app *app, double span)
{
    return app->bmax * (app->age + span) / span;
}

/* The most it may get: none but k completes at the event, and none before it. */
static double next_event_cap(const struct next_app *app, double span)
{
    return maths_min(app->bmax, app->volume / span);
}

/* The sorted yields are lexicographically largest at one water level: all are raised to the same
 * yield, each within its limits, until `left` bytes/s are used up. Walks the yields at which one
 * starts to rise (even items) or reaches its limit (odd ones); between them the cost is linear. */
static double next_event_water_level(struct next_event *problem, const struct next_plan *plan,
                                     double left)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < problem->count; i++) {
        if (i == plan->completes)
            continue;
        const struct next_app *app = &problem->apps[i];
        double top = next_event_yield(app, plan->span, next_event_cap(app, plan->span));
        problem->items[count++] =
            (struct greedy_item){.key = next_event_yield(app, plan->span, 0), .app = 2 * i};
        problem->items[count++] = (struct greedy_item){.key = top, .app = 2 * i + 1};
    }
    greedy_heapify(problem->items, count);
    double level = 0, slope = 0;
    while (count > 0) {
        struct greedy_item item = greedy_pop(problem->items, &count);
        double cost = slope * (item.key - level);
        if (cost >= left)
            return level + left / slope;
        left -= cost;
        level = item.key;
        double change = next_event_price(&problem->apps[item.app / 2], plan->span);
        slope += item.app % 2 ? -change : change;
    }
    return INFINITY;
}

static void next_event_sort_yields(double *numbers, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        double moving = numbers[i];
        uint32_t to = i;
        for (; to > 0 && numbers[to - 1] > moving; to--)
            numbers[to] = numbers[to - 1];
        numbers[to] = moving;
    }
}

/* The best rates for an event at plan->span. */
static void next_event_fill(struct next_event *problem, struct next_plan *plan)
{
    double left = problem->bandwidth, span = plan->span;
    if (plan->completes != NEXT_NONE)
        left = maths_max(0, left - next_event_cap(&problem->apps[plan->completes], span));
    double level = next_event_water_level(problem, plan, left);
    for (uint32_t i = 0; i < problem->count; i++) {
        const struct next_app *app = &problem->apps[i];
        double most = next_event_cap(app, span), rate = most;
        if (i != plan->completes) {
            double wanted = (level - next_event_yield(app, span, 0)) * next_event_price(app, span);
            rate = maths_min(maths_max(wanted, 0), maths_min(most, left));
            left -= rate;
        }
        plan->rates[i] = rate;
        plan->yields[i] = next_event_yield(app, span, rate);
    }
    next_event_sort_yields(plan->yields, problem->count);
}

/* --- which event ------------------------------------------------------------------------------ */

/* Whether the trial is better: the lexicographically larger yields, then the earlier event, then
 * the lower id. */
static bool next_event_is_better(const struct next_event *problem)
{
    const struct next_plan *trial = &problem->trial, *best = &problem->best;
    for (uint32_t i = 0; i < problem->count; i++)
        if (fabs(trial->yields[i] - best->yields[i]) > SAME_YIELD)
            return trial->yields[i] > best->yields[i];
    if (trial->span != best->span || trial->completes == NEXT_NONE)
        return trial->span < best->span;
    return problem->apps[trial->completes].id < problem->apps[best->completes].id;
}

static void next_event_try(struct next_event *problem, uint32_t completes, double span, bool only)
{
    problem->trial.completes = completes;
    problem->trial.span = span;
    next_event_fill(problem, &problem->trial);
    if (only || next_event_is_better(problem)) {
        struct next_plan kept = problem->best;
        problem->best = problem->trial;
        problem->trial = kept;
    }
}

/* The smallest yield now, and the one that no event can exceed: an application that has all of its
 * bmax until its I/O is done has its largest yield then, and loses from there on. */
static double next_event_limit(struct next_event *problem)
{
    double limit = 1;
    problem->smallest = 1;
    for (uint32_t i = 0; i < problem->count; i++) {
        const struct next_app *app = &problem->apps[i];
        problem->smallest = maths_min(problem->smallest, next_event_yield(app, 0, 0));
        limit = maths_min(limit, next_event_yield(app, app->alone, app->bmax));
    }
    return limit;
}

/* Sorts the applications by d, and makes ready for look_at. */
static void next_event_prepare(struct next_event *problem)
{
    for (uint32_t i = 0; i < problem->count; i++) {
        struct next_app *app = &problem->apps[i];
        app->alone = app->volume / app->bmax;
        problem->breaks[i].app = i;
        uint32_t to = i;
        for (; to > 0 && problem->apps[problem->order[to - 1]].alone > app->alone; to--)
            problem->order[to] = problem->order[to - 1];
        problem->order[to] = i;
    }
    problem->yield = NAN;
}

/* Whether `yield` can be reached with k completing, or with none before the window's end. */
static bool next_event_reaches(struct next_event *problem, uint32_t k, double yield)
{
    double span;
    if (problem->yield != yield)
        next_event_look_at(problem, yield);
    if (k != NEXT_NONE)
        return next_event_excess(problem, k, &span) <= 0;
    return problem->low <= problem->horizon && problem->high >= problem->horizon;
}

void next_event_solve(struct next_event *problem)
{
    next_event_prepare(problem);
    double reachable = 0, limit = next_event_limit(problem);
    bool first = true;
    /* By increasing d: an early event leaves the others less time to lose, so the first candidates
     * are usually the best, and most others fail the one test against them. */
    for (uint32_t i = 0; i < problem->count; i++) {
        uint32_t k = problem->order[i];
        if (problem->apps[k].alone >= problem->horizon)
            break;
        if (!first && !next_event_reaches(problem, k, reachable))
            continue;
        next_event_try(problem, k, next_event_search(problem, k, reachable, limit), first);
        reachable = problem->best.yields[0] - SAME_YIELD;
        first = false;
    }
    if (problem->horizon < INFINITY && (first || next_event_reaches(problem, NEXT_NONE, reachable)))
        next_event_try(problem, NEXT_NONE, problem->horizon, first);
}
