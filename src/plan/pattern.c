#include "plan/pattern.h"
#include "base/maths.h"
#include "base/mem.h"
#include "plan/pick.h"
#include <math.h>
#include <stdlib.h>

/* Free bandwidth below this part of B is left over from rounding. Used as if it were bandwidth, it
 * would stretch a transfer over a whole slot for a few bytes. */
#define NOTHING 1e-12

/* A slot of the ribbon as one application sees it: no wider than its bmax. */
struct pattern_slot {
    double start, end, width;
    double turn; /* order among equally wide slots */
};

int pattern_init(struct pattern *pattern, const struct tasks *tasks)
{
    *pattern = (struct pattern){.tasks = tasks};
    pattern->apps = mem_alloc(tasks->count, sizeof(*pattern->apps));
    return pattern->apps ? 0 : -1;
}

void pattern_fini(struct pattern *pattern)
{
    ribbon_fini(&pattern->ribbon);
    free(pattern->apps);
    free(pattern->slots);
    *pattern = (struct pattern){0};
}

/* --- times ------------------------------------------------------------------------------------ */

/* How far a transfer may run past the end of a slot, or of the period, and still count as ending
 * there. The published program has one tolerance for all, which in a short slot is worth more than
 * the bandwidth; a valid plan must stay within what plan_validate accepts. */
static double pattern_tolerance(const struct pattern *pattern, double length)
{
    return pattern->rules.valid ? 1e-10 * length : RIBBON_SAME;
}

/* Begins a slot, as the published program does wherever work or I/O may begin. The free bandwidth
 * does not depend on it, but pattern_published_end does. */
static void pattern_mark(struct pattern *pattern, double time)
{
    double period = pattern->rules.period;
    if (!pattern->rules.valid)
        ribbon_cut(&pattern->ribbon, time - floor(time / period) * period);
}

/* --- the first instance of an application ---------------------------------------------------- */

static int pattern_by_width(const void *a, const void *b)
{
    const struct pattern_slot *x = a, *y = b;
    if (x->width != y->width)
        return x->width > y->width ? -1 : 1;
    return (x->turn > y->turn) - (x->turn < y->turn);
}

static int pattern_by_start(const void *a, const void *b)
{
    const struct pattern_slot *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

/* Where the first instance of an application starts to look for room. Multiples of the golden
 * section modulo 1 spread evenly for any number of applications, so each round of a search has
 * other start times that do not cluster. */
static double pattern_preferred_time(const struct pattern *pattern, uint32_t app)
{
    double turns = 0.6180339887498949 * pattern->rules.offset * (app + 1);
    return (turns - floor(turns)) * pattern->rules.period;
}

/* Lists all slots, the widest for this application first; their number, or 0 when memory is out. */
static size_t pattern_list_slots(struct pattern *pattern, uint32_t app)
{
    const struct task *task = &pattern->tasks->list[app];
    struct ribbon_place place = {0, 0};
    size_t count = 0;
    double from = pattern_preferred_time(pattern, app);
    /* A slot is used from its start on, so one has to start at the preferred time. */
    if (from > 0)
        ribbon_cut(&pattern->ribbon, from);
    do {
        struct pattern_slot *slots =
            mem_reserve(pattern->slots, &pattern->slot_capacity, count + 1, sizeof(*slots));
        if (!slots) {
            pattern->failed = true;
            return 0;
        }
        pattern->slots = slots;
        double start = ribbon_start(&pattern->ribbon, place);
        slots[count++] = (struct pattern_slot){
            .start = start,
            .end = ribbon_end(&pattern->ribbon, place),
            .width = maths_min(ribbon_free(&pattern->ribbon, place), task->bmax),
            .turn = start < from ? start + pattern->rules.period : start};
    } while (ribbon_next(&pattern->ribbon, &place));
    qsort(pattern->slots, count, sizeof(*pattern->slots), pattern_by_width);
    return count;
}

/* Fills slots in the order of the list until the volume is placed, and shortens the last one to
 * what it needs. Returns the number of slots used, or 0 if all are not enough or leave no time for
 * the work. Only the time in use counts here, not the gaps between slots: see `valid`. */
static size_t pattern_use_widest(struct pattern *pattern, const struct task *task, size_t count)
{
    double left = task->volume, spent = 0;
    for (size_t i = 0; i < count; i++) {
        struct pattern_slot *slot = &pattern->slots[i];
        if (slot->width <= NOTHING * pattern->tasks->bandwidth)
            return 0;
        double length = slot->end - slot->start, needed = left / slot->width;
        if (needed < length - RIBBON_SAME) {
            slot->end = slot->start + needed;
        } else if (needed <= length + pattern_tolerance(pattern, length)) {
            /* Use the whole slot and adjust the rate: a sliver of time would become a slot. */
            slot->width = left / length;
        } else {
            left -= slot->width * length;
            spent += length;
            continue;
        }
        /* At the shortest period one application fits exactly; rounding must not keep it out. */
        double room = pattern->rules.period - task->work;
        spent += slot->end - slot->start;
        return spent <= room + pattern_tolerance(pattern, pattern->rules.period) ? i + 1 : 0;
    }
    return 0;
}

/* Sets when the I/O of the first instance ends, and by when the next instance must have ended.
 *
 * The published program does not keep the end: it looks back from the start of the work for the
 * latest transfer. If the first instance leaves no room for its work, that work starts between its
 * transfers, and the program takes an earlier one for the last; or it starts during a transfer, and
 * then almost a whole period seems to be left. */
static void pattern_bound_first(struct pattern *pattern, uint32_t app, size_t count)
{
    struct pattern_app *own = &pattern->apps[app];
    size_t last = count - 1;
    own->limit = pattern->slots[0].start - pattern->tasks->list[app].work + pattern->rules.period;
    own->end = pattern->slots[last].end;
    if (pattern->rules.valid || own->end <= own->limit + RIBBON_SAME)
        return;
    pattern->overlapping = true;
    /* Transfers after the start of the work are not seen. */
    while (last > 0 && pattern->slots[last].start > own->limit)
        last--;
    own->end = pattern->slots[last].end;
    if (own->end > own->limit + RIBBON_SAME) {
        own->overlap = own->limit;
        own->limit += pattern->rules.period;
    }
}

/* 003 places the first instance wherever most bandwidth is free, even in pieces: it has no
 * predecessor that would say when it could begin. */
static bool pattern_insert_first(struct pattern *pattern, uint32_t app)
{
    const struct task *task = &pattern->tasks->list[app];
    size_t count = pattern_use_widest(pattern, task, pattern_list_slots(pattern, app));
    if (count == 0)
        return false;
    qsort(pattern->slots, count, sizeof(*pattern->slots), pattern_by_start);
    double start = pattern->slots[0].start, end = pattern->slots[count - 1].end;
    /* The work has to lie between the last piece and the first one of the next period. */
    if (pattern->rules.valid && end - start > pattern->rules.period - task->work)
        return false;
    pattern_bound_first(pattern, app, count);
    record_instance(&pattern->record, app, start - task->work);
    for (size_t i = 0; i < count; i++) {
        const struct pattern_slot *slot = &pattern->slots[i];
        ribbon_take(&pattern->ribbon, ribbon_find(&pattern->ribbon, slot->start), slot->start,
                    slot->end, slot->width);
        record_piece(&pattern->record, (struct plan_piece){slot->start, slot->end, slot->width});
    }
    /* Not before: the slots in use must not be cut while they are taken. */
    pattern_mark(pattern, start - task->work);
    return true;
}

/* --- the next ones --------------------------------------------------------------------------- */

/* A walk along the free bandwidth from some time on. Instances may go on after the end of the
 * period, into the beginning of the next one, which has the same slots. */
struct walk {
    struct ribbon_place place;
    double shift; /* of the slots' times: 0, or T after the end of the period */
    double time;
};

static struct walk walk_from(const struct pattern *pattern, double time)
{
    double period = pattern->rules.period;
    struct walk walk = {.shift = time < period ? 0 : period, .time = time};
    walk.place = ribbon_find(&pattern->ribbon, time - walk.shift);
    return walk;
}

static double walk_end(const struct pattern *pattern, const struct walk *walk)
{
    return ribbon_end(&pattern->ribbon, walk->place) + walk->shift;
}

static void walk_on(const struct pattern *pattern, struct walk *walk)
{
    walk->time = walk_end(pattern, walk);
    if (ribbon_next(&pattern->ribbon, &walk->place))
        return;
    walk->place = (struct ribbon_place){0, 0};
    walk->shift += pattern->rules.period;
}

/* The piece of a transfer in the slot that the walk has come to; its rate is 0 if the slot is full.
 * Subtracts what is moved from `left`. */
static struct plan_piece pattern_next_piece(const struct pattern *pattern, const struct task *task,
                                            const struct walk *walk, double *left)
{
    double end = walk_end(pattern, walk), length = end - walk->time;
    double width = maths_min(ribbon_free(&pattern->ribbon, walk->place), task->bmax);
    struct plan_piece piece = {walk->time, end, width};
    if (width <= NOTHING * pattern->tasks->bandwidth) {
        piece.rate = 0;
        return piece;
    }
    double needed = *left / width;
    if (needed < length - RIBBON_SAME)
        piece.end = piece.start + needed;
    else if (needed <= length + pattern_tolerance(pattern, length))
        piece.rate = *left / length;
    else {
        *left -= width * length;
        return piece;
    }
    *left = 0;
    return piece;
}

/* When the last I/O ends, and so the next work begins. If the first transfer goes on when its own
 * work begins, looking back from there finds that transfer, however many instances have been added
 * since: the published program takes the end of that slot, which others may have cut. */
static double pattern_published_end(const struct pattern *pattern, const struct pattern_app *own)
{
    if (!(own->overlap > 0))
        return own->end;
    return ribbon_end(&pattern->ribbon, ribbon_find(&pattern->ribbon, own->overlap));
}

/* Whether one more instance fits after the last one, and when it would end. */
static bool pattern_fits_next(struct pattern *pattern, uint32_t app, double *end)
{
    const struct task *task = &pattern->tasks->list[app];
    const struct pattern_app *own = &pattern->apps[app];
    double left = task->volume, from = own->end + task->work;
    double limit = own->limit + pattern_tolerance(pattern, pattern->rules.period);
    /* The published program marks the start of an I/O only if there is room for the work. */
    if (from > limit)
        return false;
    if (pattern->overlapping)
        pattern_mark(pattern, from);
    if (from + task->io > limit)
        return false; /* not even at full bandwidth */
    struct walk walk = walk_from(pattern, from);
    for (;; walk_on(pattern, &walk)) {
        if (walk.time > own->limit)
            return false;
        if (walk_end(pattern, &walk) - walk.time <= RIBBON_SAME)
            continue;
        *end = pattern_next_piece(pattern, task, &walk, &left).end;
        if (left == 0)
            return *end <= limit;
    }
}

/* 003 places the next instances as early as possible. It looks before it takes: the last
 * attempt for each application fails, and would have to give its bandwidth back. */
static bool pattern_insert_next(struct pattern *pattern, uint32_t app)
{
    const struct task *task = &pattern->tasks->list[app];
    struct pattern_app *own = &pattern->apps[app];
    double end, left = task->volume, transfer = INFINITY;
    own->end = pattern_published_end(pattern, own);
    if (!pattern_fits_next(pattern, app, &end))
        return false;
    struct walk walk = walk_from(pattern, own->end + task->work);
    record_instance(&pattern->record, app, own->end);
    for (; left > 0; walk_on(pattern, &walk)) {
        if (walk_end(pattern, &walk) - walk.time <= RIBBON_SAME)
            continue;
        struct plan_piece piece = pattern_next_piece(pattern, task, &walk, &left);
        if (piece.rate == 0)
            continue;
        walk.place = ribbon_take(&pattern->ribbon, walk.place, piece.start - walk.shift,
                                 piece.end - walk.shift, piece.rate);
        record_piece(&pattern->record, piece);
        transfer = maths_min(transfer, piece.start);
    }
    if (pattern->overlapping)
        pattern_mark(pattern, transfer - task->work);
    own->end = end;
    return true;
}

/* --- all of them ----------------------------------------------------------------------------- */

/* The bound on a period holds for valid patterns, and only first instances can make one invalid.
 * The published order begins with them, so once all are in, most periods of a sweep are decided
 * without the hundreds of instances that follow. */
static bool pattern_is_decided(const struct pattern *pattern, uint32_t tried)
{
    return pattern->rules.hopeless && !pattern->overlapping && tried == pattern->tasks->count;
}

static void pattern_reset(struct pattern *pattern, struct pattern_rules rules)
{
    pattern->rules = rules;
    pattern->failed = pattern->overlapping = pattern->given_up = false;
    ribbon_reset(&pattern->ribbon, rules.period, pattern->tasks->bandwidth);
    for (uint32_t app = 0; app < pattern->tasks->count; app++)
        pattern->apps[app] = (struct pattern_app){0};
}

int pattern_fill(struct pattern *pattern, struct pattern_rules rules)
{
    uint32_t tried = 0; /* first instances */
    pattern_reset(pattern, rules);
    while (!pattern->failed && !pattern->ribbon.failed && !pattern->record.failed) {
        pattern->given_up = pattern_is_decided(pattern, tried);
        uint32_t app = pick_next(pattern);
        if (app == PICK_NONE || pattern->given_up)
            return 0;
        struct pattern_app *own = &pattern->apps[app];
        tried += own->instances == 0;
        if (own->instances == 0 ? pattern_insert_first(pattern, app)
                                : pattern_insert_next(pattern, app))
            own->instances++;
        else
            own->closed = true; /* free bandwidth only shrinks, so it will not fit later either */
    }
    return -1;
}

/* --- what came out --------------------------------------------------------------------------- */

double pattern_work(const struct pattern *pattern)
{
    double sum = 0;
    if (pattern->given_up)
        return 0;
    for (uint32_t app = 0; app < pattern->tasks->count; app++) {
        const struct task *task = &pattern->tasks->list[app];
        if (pattern->apps[app].instances == 0)
            return 0;
        sum += task->nodes * task->work * pattern->apps[app].instances;
    }
    return sum / pattern->tasks->nodes;
}

double pattern_dilation(const struct pattern *pattern)
{
    double most = 0;
    for (uint32_t app = 0; app < pattern->tasks->count; app++) {
        const struct task *task = &pattern->tasks->list[app];
        double ideal = pattern->apps[app].instances * (task->work + task->io);
        most = maths_max(most, pattern->rules.period / ideal);
    }
    return most;
}

struct plan *pattern_plan(struct pattern *pattern, struct pattern_rules rules)
{
    if (record_begin(&pattern->record, pattern->tasks->count, rules.period))
        return NULL;
    /* Filling is deterministic, so the search remembers rules and not patterns, and the winner is
     * filled once more to be written down. */
    if (pattern_fill(pattern, rules))
        pattern->record.failed = true;
    return record_finish(&pattern->record);
}
