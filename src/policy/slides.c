#include "policy/slides.h"

const char *const slides_keys[] = {"apio", "slides", NULL};
const char *const slides_grants[] = {"part", "whole", NULL};
static slides_key *const slides_favours[] = {slides_by_loss, slides_by_efficiency};

const struct weir_param slides_params[] = {SLIDES_PRIORITY, SLIDES_GRANTS, {.name = NULL}};

void slides_init(void *state, const struct weir_setup *setup)
{
    struct slides *slides = state;
    slides->priority = setup->params[SLIDES_PARAM_PRIORITY] > 0;
    slides->whole = setup->params[SLIDES_PARAM_GRANTS] > 0;
}

void slides_init_keyed(void *state, const struct weir_setup *setup)
{
    struct slides *slides = state;
    slides_init(state, setup);
    slides->favour = slides_favours[(int)setup->params[SLIDES_PARAM_KEY]];
}

/* --- keys ------------------------------------------------------------------------------------- */

/* Starved applications have a dilation without bound. They go before all others, which have
 * positive keys, and the heaviest of them first: else a weight would count only from the second
 * iteration. */
double slides_by_dilation(const struct weir_view *view, const struct weir_run *run)
{
    return slides_starved(run) ? -run->app->weight : slides_progress(view, run);
}

/* An application that adds little to SysEfficiency goes first, so a weight has to divide, though
 * 004 section 3.2 multiplies p by it: there it stands in a sum to be maximised, here in a key of
 * which the lowest is served. */
double slides_by_efficiency(const struct weir_view *view, const struct weir_run *run)
{
    const struct weir_app *app = run->app;
    if (slides_starved(run))
        return -app->weight;
    return app->nodes * run->done_work / (weir_age(view, run) * app->weight);
}

/* 1 / (p rho / rho~). While an application waits its p nodes are idle, so the largest are served
 * first, and among equals the most delayed. */
double slides_by_loss(const struct weir_view *view, const struct weir_run *run)
{
    double nodes = run->app->nodes;
    return slides_starved(run) ? -run->app->weight : slides_progress(view, run) / nodes;
}

/* --- serving ---------------------------------------------------------------------------------- */

/* Those in order that fit as a whole: one that does not leaves its turn to the next. The first is
 * served in any case: its bmax exceeds the bandwidth only where that has fallen. */
static void slides_serve_whole(const struct weir_view *view, struct weir_grants *grants,
                               struct greedy_item *items)
{
    double left = view->bandwidth;
    uint32_t count = view->active_count, served = 0;
    greedy_heapify(items, count);
    while (count > 0 && left > 0) {
        uint32_t id = greedy_pop(items, &count).app;
        double bmax = view->runs[id].app->bmax;
        /* Ten that use a tenth each fit, whatever rounding says. */
        if (served > 0 && weir_less(left, bmax))
            continue;
        weir_grant(grants, id, left < bmax ? left : bmax);
        left = greedy_leave(view, left, bmax, ++served);
    }
}

void slides_serve(struct slides *slides, const struct weir_view *view, struct weir_grants *grants,
                  slides_key *key)
{
    if (greedy_grant_all(view, grants))
        return;
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        const struct weir_run *run = &view->runs[id];
        bool waiting = !(weir_remaining(view, run) < run->volume);
        slides->items[i] = (struct greedy_item){
            .key = key(view, run), .app = id, .rank = slides->priority && waiting ? 1 : 0};
    }
    if (slides->whole)
        slides_serve_whole(view, grants, slides->items);
    else
        greedy_serve(view, grants, slides->items, view->active_count);
}
