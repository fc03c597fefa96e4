#include "sim/actual.h"
#include "base/maths.h"
#include "base/mem.h"
#include "model/knowledge.h"
#include <stdlib.h>

/* An I/O of which at most this part remains is over, as in the controller. */
#define SLIVER 1e-9

struct actual_io {
    double volume;
    double left; /* INFINITY = there is no I/O */
    bool later;  /* than the first of its application */
};

struct actual {
    const struct workload *expected;
    bool blind;
    double now;
    struct actual_io ios[]; /* by application */
};

struct actual *actual_new(const struct workload *expected, bool blind)
{
    struct actual *actual =
        mem_alloc(1, sizeof *actual + expected->count * sizeof(struct actual_io));
    if (!actual)
        return NULL;
    actual->expected = expected;
    actual->blind = blind;
    for (uint32_t id = 0; id < expected->count; id++)
        actual->ios[id].left = INFINITY;
    return actual;
}

void actual_free(struct actual *actual)
{
    free(actual);
}

void actual_post(struct actual *actual, uint32_t id, uint32_t k, struct control_io *io)
{
    io->guessed = actual->blind && !actual->ios[id].later;
    actual->ios[id] = (struct actual_io){io->volume, io->volume, true};
    io->volume = app_iteration(&actual->expected->apps[id], k).volume;
}

void actual_elapse(struct actual *actual, struct control *control, double now)
{
    const struct weir_view *view = control_view(control, now);
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        actual->ios[id].left -= control_rate(control, id) * (now - actual->now);
    }
    actual->now = now;
}

/* Seconds until its I/O is over. */
static double actual_wait(const struct actual *actual, const struct control *control, uint32_t id)
{
    const struct actual_io *io = &actual->ios[id];
    if (io->left <= SLIVER * io->volume)
        return 0;
    return io->left / control_rate(control, id);
}

uint32_t actual_over(const struct actual *actual, struct control *control)
{
    const struct weir_view *view = control_view(control, actual->now);
    for (uint32_t i = 0; i < view->active_count; i++)
        if (actual_wait(actual, control, view->active[i]) <= MATHS_ROUNDING * actual->now)
            return view->active[i];
    return CONTROL_NONE;
}

double actual_next(const struct actual *actual, struct control *control)
{
    const struct weir_view *view = control_view(control, actual->now);
    double wait = INFINITY;
    for (uint32_t i = 0; i < view->active_count; i++)
        wait = maths_min(wait, actual_wait(actual, control, view->active[i]));
    return actual->now + wait;
}

bool actual_exceeds(const struct actual *actual, struct control *control, uint32_t id)
{
    const struct actual_io *io = &actual->ios[id];
    if (actual_wait(actual, control, id) <= MATHS_ROUNDING * actual->now)
        return false;
    control_exceed(control, actual->now, id, knowledge_exceeded(io->volume - io->left));
    return true;
}

void actual_end(struct actual *actual, struct control *control, uint32_t id)
{
    actual->ios[id].left = INFINITY;
    control_measure(control, id, actual->ios[id].volume);
}
