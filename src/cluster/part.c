#include "cluster/part.h"
#include <math.h>

/* However little a part moves, it keeps this part of what it held: to find out whether it would
 * move more, it must have some. */
#define LEAST_NEED 0.125

bool part_wants(const struct gather_part *part)
{
    return part->state == PHASE_OPEN || (part->state == PHASE_PAUSED && part->probing);
}

/* --- what it has done ------------------------------------------------------------------------- */

void part_count(struct gather_part *part, double moved)
{
    double more = moved - part->moved;
    if (!(more > 0)) /* a node reports no less than before */
        return;
    part->moved = moved;
    sum_add(&part->app->moved, more);
    if (part->state != PHASE_IDLE && part->volume == 0)
        part->app->silent += more;
}

void part_count_outside(struct gather_part *part, double outside)
{
    struct gather_app *app = part->app;
    uint32_t parts = app->moving + app->paused;
    /* What a part that comes back has counted before is known. */
    double more = part->outside < 0 ? 0 : maths_max(0, outside - part->outside);
    part->outside = outside;
    app->outside += more / (parts > 0 ? parts : 1);
}

void part_escape(struct gather_part *part, double escaped, enum wire_escape why)
{
    struct gather_app *app = part->app;
    app->escapes[part->why] = maths_max(0, app->escapes[part->why] - part->escaped);
    app->escapes[why] += escaped;
    part->escaped = escaped;
    part->why = why;
}

void part_progress(struct gather_part *part, const struct node_progress *progress)
{
    struct gather_app *app = part->app;
    enum wire_failure failure = (enum wire_failure)progress->failure;
    part_count(part, progress->moved);
    part_count_outside(part, progress->outside);
    part_escape(part, progress->escaped, (enum wire_escape)progress->why);
    if (failure != WIRE_FAILED_NONE &&
        (failure != part->failure || progress->uncontrolled > part->uncontrolled))
        app->failure = failure;
    app->processes += progress->processes - part->processes;
    app->uncontrolled += progress->uncontrolled - part->uncontrolled;
    part->processes = progress->processes;
    part->uncontrolled = progress->uncontrolled;
    part->failure = failure;
    part->pid = progress->pid;
}

/* --- its I/O ---------------------------------------------------------------------------------- */

/* Adds it to the numbers of parts by state, or takes it away. */
static void part_tally(struct gather_part *part, uint32_t one)
{
    struct gather_app *app = part->app;
    app->moving += part->state == PHASE_OPEN ? one : 0;
    app->paused += part->state == PHASE_PAUSED ? one : 0;
    app->probing += part->state == PHASE_PAUSED && part->probing ? one : 0;
    if (part->state == PHASE_IDLE)
        return;
    app->use_all += part->use > 0 ? 0 : one;
    sum_add(&app->use, one == 1 ? part->use : -part->use);
}

void part_use(struct gather_part *part, double use)
{
    part_tally(part, (uint32_t)-1);
    part->use = use;
    part_tally(part, 1);
}

void part_turn(struct gather_part *part, enum page_phase state, bool probing)
{
    part->inside = part->ahead = 0; /* it tells again what goes on */
    part_tally(part, (uint32_t)-1);
    part->state = state;
    part->probing = probing;
    part_tally(part, 1);
    if (state == PHASE_IDLE) /* its node takes the rest of its bandwidth away at once */
        part->told.rate = 0;
}

static void part_open_window(struct gather_part *part, uint64_t now)
{
    part->window = (struct part_window){.since = now, .until = now, .moved = part->moved};
}

void part_begin(struct gather_part *part, uint64_t now, const struct node_post *post)
{
    part->phase = post->phase;
    part->began = part->moved;
    part->volume = 0;
    part->need = INFINITY;
    part->told.volume = part->app->who.volume_hint;
    part_open_window(part, now);
    part_turn(part, post->idle ? PHASE_PAUSED : PHASE_OPEN, post->idle);
}

void part_announce(struct gather_part *part, double volume)
{
    struct gather_app *app = part->app;
    if (!(volume > 0))
        return;
    if (part->volume == 0)
        app->silent = maths_max(0, app->silent - (part->moved - part->began));
    app->announced += volume - part->volume;
    part->volume = part->told.volume = volume; /* its node knows it already */
}

/* --- what it holds and needs ------------------------------------------------------------------ */

static void part_elapse(struct gather_part *part, uint64_t now)
{
    struct part_window *window = &part->window;
    double seconds = now > window->until ? (double)(now - window->until) / 1e9 : 0;
    if (part->told.rate > 0 && !part->told.open) {
        window->held += part->told.rate * seconds;
        window->seconds += seconds;
    }
    window->until = now;
}

void part_hold(struct gather_part *part, uint64_t now, double rate)
{
    part_elapse(part, now);
    part->told.rate = rate;
    part->told.open = false;
}

bool part_measure(struct gather_part *part, uint64_t now)
{
    const struct part_window *window = &part->window;
    double before = part->need, moved = part->moved - window->moved;
    part_elapse(part, now);
    if (!part_wants(part) || window->held < GATHER_BYTES || now - window->since < GATHER_WINDOW_NS)
        return false;
    bool less = GATHER_ROOM * moved < window->held ||
                (before < INFINITY && moved < GATHER_FULL * window->held);
    double need = maths_max(GATHER_ROOM * moved, LEAST_NEED * window->held) / window->seconds;
    part->need = less ? need : INFINITY;
    part_open_window(part, now);
    return part->need != before;
}
