/* The optimisation inside best-next-event against brute force: every event on a fine grid. */
#include "base/random.h"
#include "policy/next_event.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 6, GRID = 200, NOBODY = UINT32_MAX };

struct problem {
    struct next_event solver;
    double room[MOST * (NEXT_EVENT_ROOM / sizeof(double) + 1)];
};

/* Between 2 and 5 applications that want more than the bandwidth of 1. */
static void roll(struct problem *problem, uint32_t seed)
{
    struct random dice = random_at(seed, 0, 0);
    struct next_event *solver = &problem->solver;
    double wanted = 0;
    next_event_place(solver, problem->room, MOST);
    solver->bandwidth = 1;
    solver->count = 2 + random_below(&dice, 4);
    while (wanted <= 1) {
        wanted = 0;
        for (uint32_t i = 0; i < solver->count; i++) {
            double age = random_below(&dice, 5) ? pow(10, random_between(&dice, -2, 3)) : 0;
            double bmax = random_below(&dice, 2) ? 1 : random_between(&dice, 0.1, 1);
            double lost = random_below(&dice, 3) ? age * random_uniform(&dice) : 0;
            solver->apps[i] = (struct next_app){.age = age,
                                                .lost = random_below(&dice, 8) ? lost : age,
                                                .bmax = bmax,
                                                .volume = pow(10, random_between(&dice, -2, 2)),
                                                .id = i};
            wanted += bmax;
        }
        if (random_below(&dice, 4) == 0) {
            solver->apps[1] = solver->apps[0];
            solver->apps[1].id = 1;
        }
    }
    solver->horizon = random_below(&dice, 2) ? INFINITY : pow(10, random_between(&dice, -2, 2));
}

static double cap(const struct next_app *app, double span)
{
    return fmin(app->bmax, app->volume / span);
}

static double yield_after(const struct next_app *app, double span, double rate)
{
    return 1 - (app->lost + span * (1 - rate / app->bmax)) / (app->age + span);
}

/* The rate that takes an application to this yield, within its limits. */
static double rate_for(const struct next_app *app, double span, double yield)
{
    double rate = app->bmax * (1 - (app->age + span) * (1 - yield) / span + app->lost / span);
    return fmin(fmax(rate, 0), cap(app, span));
}

/* The largest smallest yield after `span` seconds with k completing there: by bisection on the
 * water level, which everybody reaches if it can. */
static double smallest_yield(const struct next_event *solver, uint32_t k, double span)
{
    double low = -1, high = 1, left = solver->bandwidth, least = INFINITY;
    if (k != NOBODY)
        left -= solver->apps[k].volume / span;
    for (int step = 0; step < 60; step++) {
        double middle = (low + high) / 2, used = 0;
        for (uint32_t i = 0; i < solver->count; i++)
            used += i == k ? 0 : rate_for(&solver->apps[i], span, middle);
        *(used <= left ? &low : &high) = middle;
    }
    for (uint32_t i = 0; i < solver->count; i++) {
        const struct next_app *app = &solver->apps[i];
        double rate = i == k ? app->volume / span : rate_for(app, span, low);
        least = fmin(least, yield_after(app, span, rate));
    }
    return least;
}

/* The best with k completing: the best point of a grid, and then, since the smallest yield rises
 * and then falls with the span, ever smaller brackets around it. */
static double search_with(const struct next_event *solver, uint32_t k, double from, double to)
{
    double ratio = pow(to / from, 1.0 / GRID), at = from, best = -INFINITY;
    for (int step = 0; step <= GRID; step++) {
        double span = fmin(to, from * pow(ratio, step)), yield = smallest_yield(solver, k, span);
        if (yield > best) {
            best = yield;
            at = span;
        }
    }
    double low = fmax(from, at / ratio), high = fmin(to, at * ratio);
    for (int step = 0; step < 80; step++) {
        double left = low + (high - low) / 3, right = high - (high - low) / 3;
        double left_yield = smallest_yield(solver, k, left);
        double right_yield = smallest_yield(solver, k, right);
        best = fmax(best, fmax(left_yield, right_yield));
        *(left_yield < right_yield ? &low : &high) = left_yield < right_yield ? left : right;
    }
    return best;
}

/* The best over all events. */
static double search(const struct next_event *solver)
{
    double best = -INFINITY, longest = 0;
    for (uint32_t i = 0; i < solver->count; i++)
        longest = fmax(longest, solver->apps[i].volume / solver->apps[i].bmax);
    double to = fmin(solver->horizon, 20 * longest);
    for (uint32_t k = 0; k < solver->count; k++) {
        double from = solver->apps[k].volume / solver->apps[k].bmax;
        if (from < solver->horizon)
            best = fmax(best, search_with(solver, k, from, to));
    }
    if (solver->horizon < INFINITY)
        best = fmax(best, smallest_yield(solver, NOBODY, solver->horizon));
    return best;
}

/* Rates within all limits, and yields that follow from them. */
static double validate(const struct next_event *solver)
{
    const struct next_plan *plan = &solver->best;
    double total = 0, least = INFINITY;
    assert_true(plan->span > 0 && plan->span <= solver->horizon);
    for (uint32_t i = 0; i < solver->count; i++) {
        const struct next_app *app = &solver->apps[i];
        assert_true(plan->rates[i] >= 0);
        assert_true(plan->rates[i] <= cap(app, plan->span) * (1 + 1e-12));
        total += plan->rates[i];
        least = fmin(least, yield_after(app, plan->span, plan->rates[i]));
    }
    assert_true(total <= solver->bandwidth * (1 + 1e-12));
    expect_near(plan->yields[0], least, 1e-12);
    if (plan->completes == NEXT_NONE)
        assert_true(plan->span == solver->horizon);
    else
        expect_near(plan->rates[plan->completes] * plan->span, solver->apps[plan->completes].volume,
                    1e-12);
    return least;
}

/* With the event given, the rates are those of one water level: whoever gets less than it could
 * take is no worse off than anybody who gets something. */
static void expect_level(const struct next_event *solver)
{
    const struct next_plan *plan = &solver->best;
    double total = 0, lowest_hungry = INFINITY, highest_fed = -INFINITY;
    for (uint32_t i = 0; i < solver->count; i++) {
        const struct next_app *app = &solver->apps[i];
        double rate = plan->rates[i], yield = yield_after(app, plan->span, rate);
        total += rate;
        if (i == plan->completes)
            continue;
        if (rate < cap(app, plan->span) * (1 - 1e-9))
            lowest_hungry = fmin(lowest_hungry, yield);
        if (rate > 1e-9)
            highest_fed = fmax(highest_fed, yield);
    }
    assert_true(lowest_hungry >= highest_fed - 1e-9);
    assert_true(lowest_hungry == INFINITY || total >= solver->bandwidth * (1 - 1e-9));
}

static void no_event_has_a_larger_smallest_yield(void **state)
{
    (void)state;
    struct problem problem;
    for (uint32_t seed = 0; seed < 1000; seed++) {
        roll(&problem, seed);
        next_event_solve(&problem.solver);
        expect_level(&problem.solver);
        double found = validate(&problem.solver), best = search(&problem.solver);
        if (found < best - 1e-9)
            fail_msg("seed %u: the smallest yield is %.12g, but %.12g can be had", seed, found,
                     best);
    }
}

static void the_smallest_yield_does_not_depend_on_the_order(void **state)
{
    (void)state;
    struct problem problem, reversed;
    for (uint32_t seed = 0; seed < 1000; seed++) {
        roll(&problem, seed);
        roll(&reversed, seed);
        for (uint32_t i = 0; i < problem.solver.count; i++)
            reversed.solver.apps[i] = problem.solver.apps[problem.solver.count - 1 - i];
        next_event_solve(&problem.solver);
        next_event_solve(&reversed.solver);
        expect_near(reversed.solver.best.yields[0], problem.solver.best.yields[0], 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_event_has_a_larger_smallest_yield),
        cmocka_unit_test(the_smallest_yield_does_not_depend_on_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
