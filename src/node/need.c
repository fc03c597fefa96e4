#include "node/need.h"
#include "base/maths.h"
#include <math.h>

void need_init(struct need_state *need)
{
    *need = (struct need_state){.rate = INFINITY};
}

void need_begin(struct need_state *need, double now, double moved)
{
    need->looked = now;
    need->stretch = need->moved = moved;
    need->quiet = need->pressed = 0;
}

void need_skip(struct need_state *need, double now)
{
    need->looked = now;
    need->pressed = 0;
}

/* Older parts of all sums count less from now on. */
static void need_fade(struct need_state *need, struct need_process *processes, size_t count,
                      double part)
{
    need->seconds *= part;
    need->granted *= part;
    need->outside *= part;
    for (size_t i = 0; i < count; i++) {
        processes[i].bytes *= part;
        processes[i].outside *= part;
    }
}

static void need_forget(struct need_state *need, struct need_process *processes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        processes[i].seen = processes[i].count;
    need_fade(need, processes, count, 0);
    need->window = 0;
}

/* --- a look ----------------------------------------------------------------------------------- */

/* There is a call again: the quiet before it counts if what repeats itself is short. */
static void need_end_quiet(struct need_state *need, const struct need_look *look)
{
    double cycle = need->quiet + (need->moved - need->stretch) / look->alone;
    if (need->quiet > 0 && cycle < NEED_CYCLE) {
        need->outside += need->quiet;
        need->seconds += need->quiet;
        need->granted += look->rate * need->quiet;
    }
    if (need->quiet > 0)
        need->stretch = need->moved;
    need->quiet = 0;
}

/* Whether anything was done since the last look. */
static bool need_pass(struct need_state *need, double time, const struct need_look *look,
                      struct need_process *processes, size_t count)
{
    bool inside = false, moves = look->moved > need->moved;
    for (size_t i = 0; i < count; i++)
        inside |= processes[i].inside;
    /* Calls that began and ended between two looks show by their bytes. */
    if (inside || moves)
        need_end_quiet(need, look);
    need->moved = look->moved;
    need->window += time;
    if (!inside) {
        need->quiet += time;
        return moves;
    }
    need->seconds += time;
    need->granted += look->rate * time;
    for (size_t i = 0; i < count; i++)
        processes[i].outside += processes[i].inside ? 0 : time;
    return true;
}

/* --- judgement -------------------------------------------------------------------------------- */

static double need_of_process(const struct need_state *need, const struct need_process *process,
                              double alone, double waits)
{
    double outside = need->outside + process->outside;
    double inside = maths_max(0, need->seconds - outside - waits);
    double store = maths_max(process->bytes / alone, inside / NEED_SLOW);
    return process->bytes > 0 ? process->bytes / (outside + store) : 0;
}

static void need_judge(struct need_state *need, double alone, struct need_process *processes,
                       size_t count)
{
    double bytes = 0, sum = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t more = processes[i].count - processes[i].seen;
        /* The count only grows, unless a process tampers with it, or another has the slot. */
        processes[i].bytes += more < UINT64_MAX / 2 ? (double)more : 0;
        processes[i].seen = processes[i].count;
        bytes += processes[i].bytes;
    }
    /* A part of the time inside calls is that which the grant takes for the bytes. */
    double used = need->granted > 0 ? maths_min(1, bytes / need->granted) : 1;
    for (size_t i = 0; i < count; i++)
        sum += need_of_process(need, &processes[i], alone, used * need->seconds);
    if (bytes > 0)
        need->rate = sum < NEED_ALL * alone ? sum : INFINITY;
    need->window = 0;
    need_fade(need, processes, count, NEED_KEEP);
}

void need_see(struct need_state *need, double now, const struct need_look *look,
              struct need_process *processes, size_t count)
{
    double time = now - need->looked;
    need->looked = now;
    bool active = need_pass(need, time, look, processes, count);
    need->pressed += look->waits ? time : need->quiet > 0 ? -time : 0;
    need->pressed = maths_max(0, need->pressed);
    if (need->pressed >= NEED_PRESSED && need->rate < INFINITY) {
        need->rate = 2 * need->rate < NEED_ALL * look->alone ? 2 * need->rate : INFINITY;
        need->pressed = 0;
        need_forget(need, processes, count);
    }
    /* What is quiet at the moment may go on to be a pause. */
    if (active && need->window >= NEED_WINDOW && need->seconds >= NEED_WINDOW / 2)
        need_judge(need, look->alone, processes, count);
}
