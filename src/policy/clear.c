#include "policy/clear.h"
#include "base/maths.h"
#include "policy/overrun.h"
#include <string.h>

/* Steps of the bisection for y*, and how exact it is. */
enum { CLEAR_STEPS = 12, CLEAR_REPAIRS = 4 };
#define CLEAR_EXACT  1e-3
#define CLEAR_LOWEST (1.0 / (1 << CLEAR_STEPS))

/* Yields that are the same but were computed in two ways differ by less, relative. */
#define CLEAR_SAME 1e-12

/* --- the I/Os --------------------------------------------------------------------------------- */

static void clear_take(struct clear_io *io, const struct weir_view *view,
                       const struct weir_run *run, double ahead)
{
    double bmax = run->app->bmax;
    double rest = maths_min(weir_expected(view, run) / bmax, ahead);
    double age = weir_age(view, run), lost = weir_lost(view, run);
    *io = (struct clear_io){.reach = age - lost + rest,
                            .base = age,
                            .rest = rest,
                            .bytes = maths_min(overrun_left(view, run), ahead * bmax),
                            .bmax = bmax,
                            .lost = lost,
                            .age = age,
                            .guessed = run->guessed || run->exceeded};
}

void clear_init(struct clear *clear, const struct weir_view *view, const double *lengths)
{
    clear->view = view;
    clear->ahead = maths_max(view->horizon - view->now, 0);
    clear->count = view->active_count;
    clear->alike = true;
    clear->latest = 0;
    clear->best.result.loss = INFINITY;
    for (uint32_t i = 0; i < clear->count; i++) {
        uint32_t app = view->active[i];
        struct clear_io *io = &clear->ios[i];
        clear_take(io, view, &view->runs[app], clear->ahead);
        /* A length that has been passed is wrong. */
        if (lengths && lengths[app] > io->reach) {
            io->length = io->reach = lengths[app];
            io->base = io->length + io->lost - io->rest;
        }
        clear->alike = clear->alike && io->base == clear->ios[0].base;
        clear->latest = maths_max(clear->latest, io->base);
        clear->keys[i] = (struct greedy_item){.app = app};
        clear->trial.list[i] = (uint8_t)i;
    }
}

/* --- orders ----------------------------------------------------------------------------------- */

/* By insertion: each order is much like the one before. */
void clear_sort(struct clear *clear)
{
    uint8_t *list = clear->trial.list;
    for (uint32_t i = 1; i < clear->count; i++) {
        uint8_t own = list[i];
        uint32_t at = i;
        for (; at > 0 && greedy_before(&clear->keys[own], &clear->keys[list[at - 1]]); at--)
            list[at] = list[at - 1];
        list[at] = own;
    }
}

void clear_sort_by_deadline(struct clear *clear, double yield)
{
    for (uint32_t i = 0; i < clear->count; i++) {
        clear->keys[i].key = clear_deadline(clear, i, yield);
        clear->keys[i].rank = 0;
    }
    clear_sort(clear);
}

static bool clear_is_same(const struct clear *clear, const struct clear_order *a,
                          const struct clear_order *b)
{
    return memcmp(a->list, b->list, clear->count) == 0;
}

static void clear_copy(const struct clear *clear, struct clear_order *to,
                       const struct clear_order *from)
{
    memcpy(to->list, from->list, clear->count);
    to->result = from->result;
}

/* --- what an order leads to ------------------------------------------------------------------- */

/* Adds an I/O with its yield. */
static inline void clear_note(const struct clear *clear, struct clear_result *result, uint32_t io,
                              double yield)
{
    double lost = maths_max(1 - yield, 0), square = lost * lost, fourth = square * square;
    result->loss += fourth * fourth;
    if (result->weakest == UINT32_MAX ||
        weir_before(yield, clear->keys[io].app, result->least, clear->keys[result->weakest].app)) {
        result->least = yield;
        result->weakest = io;
    }
}

static inline void clear_note_end(const struct clear *clear, struct clear_result *result,
                                  uint32_t io, double time)
{
    const struct clear_io *own = &clear->ios[io];
    double span = own->base + time;
    clear_note(clear, result, io, span > 0 ? own->reach / span : 1);
}

/* The window ends, and these bytes are left. */
static void clear_note_cut(const struct clear *clear, struct clear_result *result, uint32_t io,
                           double bytes)
{
    const struct clear_io *own = &clear->ios[io];
    double missing = bytes / own->bmax, span = own->base + clear->ahead;
    double reached = own->reach - missing; /* of which rounding may be all that is left */
    double yield = own->length > 0                     ? own->reach / (span + missing)
                   : reached > CLEAR_SAME * own->reach ? reached / span
                                                       : 0;
    clear_note(clear, result, io, yield);
}

/* A play of the trial: the first of the order are served in full, and at most one in part. */
struct clear_play {
    double now, left; /* what those served in full leave for one more; not above 0 = nothing */
    uint32_t served;  /* in full */
    uint32_t next;    /* in the order: served in part, if something is left; those after it wait */
    double bytes;     /* that it still has */
};

/* Lets those be served in full that fit. */
static inline void clear_admit(struct clear *clear, struct clear_play *play)
{
    const uint8_t *list = clear->trial.list;
    while (play->next < clear->count && clear->ios[list[play->next]].bmax <= play->left) {
        const struct clear_io *io = &clear->ios[list[play->next]];
        clear->ends[play->served] = play->now + play->bytes / io->bmax;
        clear->served[play->served++] = list[play->next++];
        play->left = greedy_leave(clear->view, play->left, io->bmax, play->served);
        play->bytes = play->next < clear->count ? clear->ios[list[play->next]].bytes : 0;
    }
}

/* The next completion: which of those served in full, or `served` if it is the one in part. */
static inline uint32_t clear_find_next(const struct clear *clear, const struct clear_play *play,
                                       double *time)
{
    uint32_t first = play->served;
    *time = INFINITY;
    if (play->next < clear->count && play->left > 0)
        *time = play->now + play->bytes / play->left;
    for (uint32_t i = 0; i < play->served; i++) {
        if (clear->ends[i] <= *time) {
            *time = clear->ends[i];
            first = i;
        }
    }
    return first;
}

/* What is left for the next when one of those served in full is done. */
static inline double clear_regain(const struct clear *clear, struct clear_play *play, double bmax)
{
    const struct weir_view *view = clear->view;
    if (--play->served == 0)
        return view->bandwidth;
    double left = play->left + bmax;
    if (view->curve)
        left += weir_bandwidth(view, play->served + 1) - weir_bandwidth(view, play->served + 2);
    return left;
}

/* Notes all that the end of the window cuts. */
static void clear_cut(struct clear *clear, struct clear_play *play, struct clear_result *result)
{
    for (uint32_t i = 0; i < play->served; i++) {
        uint32_t io = clear->served[i];
        clear_note_cut(clear, result, io, (clear->ends[i] - clear->ahead) * clear->ios[io].bmax);
    }
    play->bytes -= maths_max(play->left, 0) * (clear->ahead - play->now);
    for (; play->next < clear->count; play->next++) {
        uint32_t io = clear->trial.list[play->next];
        clear_note_cut(clear, result, io, play->bytes);
        if (play->next + 1 < clear->count)
            play->bytes = clear->ios[clear->trial.list[play->next + 1]].bytes;
    }
}

/* Serves all of the trial. */
static struct clear_result clear_run(struct clear *clear)
{
    struct clear_result result = {.weakest = UINT32_MAX};
    struct clear_play play = {.left = clear->view->bandwidth,
                              .bytes = clear->ios[clear->trial.list[0]].bytes};
    double end = clear->ahead * (1 + CLEAR_SAME), time;
    for (;;) {
        clear_admit(clear, &play);
        if (play.served == 0 && play.next == clear->count)
            return result;
        uint32_t first = clear_find_next(clear, &play, &time);
        if (time > end) {
            clear_cut(clear, &play, &result);
            return result;
        }
        if (first == play.served) { /* in part: the one after it takes its place */
            clear_note_end(clear, &result, clear->trial.list[play.next++], time);
            play.bytes =
                play.next < clear->count ? clear->ios[clear->trial.list[play.next]].bytes : 0;
        } else {
            uint32_t io = clear->served[first];
            clear_note_end(clear, &result, io, time);
            play.bytes = maths_max(play.bytes - maths_max(play.left, 0) * (time - play.now), 0);
            play.left = clear_regain(clear, &play, clear->ios[io].bmax);
            clear->ends[first] = clear->ends[play.served];
            clear->served[first] = clear->served[play.served];
        }
        play.now = time;
    }
}

/* (1 + CLEAR_WORTH)^8: losses are eighth powers. */
#define CLEAR_WORTH_8 1.0161124491217939

void clear_try(struct clear *clear)
{
    if (clear->best.result.loss < INFINITY && clear_is_same(clear, &clear->trial, &clear->best)) {
        clear->trial.result = clear->best.result;
        return;
    }
    clear->trial.result = clear_run(clear);
    if (CLEAR_WORTH_8 * clear->trial.result.loss < clear->best.result.loss)
        clear_copy(clear, &clear->best, &clear->trial);
}

/* --- y* --------------------------------------------------------------------------------------- */

/* The yield that none can pass, by the one that would be the weakest if each were alone. */
static double clear_bound(const struct clear *clear)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < clear->count; i++) {
        const struct clear_io *io = &clear->ios[i];
        least = maths_min(least, io->reach / (io->base + io->rest));
    }
    return least;
}

/* Tries the order by D(y), and returns the smallest yield that it leads to. */
static double clear_try_deadline(struct clear *clear, double yield)
{
    clear_sort_by_deadline(clear, yield);
    clear_try(clear);
    return clear->trial.result.least;
}

double clear_find_critical(struct clear *clear)
{
    double high = clear_bound(clear);
    if (!(high > 0 && high < INFINITY)) /* nothing is done, and nothing is to be done */
        high = DBL_MIN;
    /* One that gets nothing before the window ends may have a yield of 0 there: deadlines for that
     * say nothing, and a bisection would not come so far. */
    double least = clear_try_deadline(clear, high), low = maths_max(least, CLEAR_LOWEST * high);
    if (clear->alike || low >= (1 - CLEAR_SAME) * high)
        return low;
    clear_copy(clear, &clear->high, &clear->trial);
    low = maths_max(low, clear_try_deadline(clear, low));
    clear_copy(clear, &clear->low, &clear->trial);
    /* Two deadlines are linear in 1/y and cross once at most: an order that is the same at both
     * ends is the same in between. */
    for (int step = 0; step < CLEAR_STEPS && high - low > CLEAR_EXACT * high &&
                       !clear_is_same(clear, &clear->low, &clear->high);
         step++) {
        double middle = (low + high) / 2;
        least = clear_try_deadline(clear, middle);
        bool reached = least >= (1 - CLEAR_SAME) * middle;
        clear_copy(clear, reached ? &clear->low : &clear->high, &clear->trial);
        if (!reached)
            high = middle;
        low = maths_max(low, maths_min(least, middle));
    }
    return low;
}

/* --- the rest --------------------------------------------------------------------------------- */

void clear_repair(struct clear *clear)
{
    for (int turn = 0; turn < CLEAR_REPAIRS; turn++) {
        uint32_t weakest = clear->best.result.weakest, at = 0;
        if (clear->best.list[0] == weakest || clear->ios[weakest].guessed)
            return;
        while (clear->best.list[at] != weakest)
            at++;
        memcpy(clear->trial.list, clear->best.list, clear->count);
        memmove(clear->trial.list + 1, clear->trial.list, at);
        clear->trial.list[0] = (uint8_t)weakest;
        clear_try(clear);
        if (!clear_is_same(clear, &clear->trial, &clear->best))
            return; /* the next turn would be the same */
    }
}

void clear_grant(const struct clear *clear, const struct clear_order *order,
                 const struct weir_view *view, struct weir_grants *grants)
{
    double left = view->bandwidth;
    for (uint32_t i = 0; i < clear->count && left > 0; i++) {
        uint32_t io = order->list[i];
        double rate = maths_min(clear->ios[io].bmax, left);
        weir_grant(grants, clear->keys[io].app, rate);
        left = greedy_leave(view, left, rate, i + 1);
    }
}
