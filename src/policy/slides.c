#include "policy/slides.h"

const struct weir_param slides_params[] = {SLIDES_PRIORITY, {.name = NULL}};

void slides_init(void *state, const struct weir_setup *setup)
{
    struct slides *slides = state;
    slides->priority = setup->params[0] > 0;
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
    greedy_serve(view, grants, slides->items, view->active_count);
}
