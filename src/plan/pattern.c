#include "plan/pattern.h"
#include "base/maths.h"
#include "base/mem.h"
#include "plan/pick.h"
#include <math.h>
#include <stdlib.h>

/* Free bandwidth below this part of B is left over from rounding. */
#define NOTHING 1e-12

/* A slot of the ribbon, as a first instance sees it. */
struct pattern_slot {
    double start, end, width;
    double turn; /* equally wide ones are taken in this order */
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

/* --- dates ------------------------------------------------------------------------------------ */

/* By how much a transfer may miss the end of a slot, or of the period, and yet end there. The
 * published program allows the same everywhere, though in a short slot that is more than the
 * bandwidth. */
static double pattern_tolerance(const struct pattern *pattern, double length)
{
    return pattern->rules.valid ? 1e-10 * length : RIBBON_SAME;
}

/* The published program begins a slot wherever work or I/O may begin. Bandwidth does not depend on
 * it, but published_end does. */
static void pattern_mark(struct pattern *pattern, double date)
{
    double period = pattern->rules.period;
    if (!pattern->rules.valid)
        ribbon_cut(&pattern->ribbon, date - floor(date / period) * period);
}

/* --- the first instance of an application ---------------------------------------------------- */

static int pattern_by_width(const void *a, const void *b)
{
    const struct pattern_slot *x = a, *y = b;
    if (x->width != y->width)
        return x->width > y->width ? -1 : 1;
    return (x->turn > y->turn) - (x->turn < y->turn);
}

static int pattern_by_date(const void *a, const void *b)
{
    const struct pattern_slot *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

/* The date from which on the first instance of an application looks for room: multiples of the
 * golden section spread evenly, however many there are. */
static double pattern_preferred_date(const struct pattern *pattern, uint32_t app)
{
    double turns = 0.6180339887498949 * pattern->rules.offset * (app + 1);
    return (turns - floor(turns)) * pattern->rules.period;
}

/* All slots, widest first for this task; their number, or 0 when memory is out. */
static size_t pattern_list_slots(struct pattern *pattern, uint32_t app)
{
    const struct task *task = &pattern->tasks->list[app];
    struct ribbon_place place = {0, 0};
    size_t count = 0;
    double from = pattern_preferred_date(pattern, app);
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

/* Cuts the list down to what the volume needs, and the last one to the time it needs; returns how
 * many slots are used, 0 if all of them are not enough. */
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
            slot->width = left / length;
        } else {
            left -= slot->width * length;
            spent += length;
            continue;
        }
        /* At the shortest period one application fits exactly: rounding must not keep it out. */
        double room = pattern->rules.period - task->work;
        spent += slot->end - slot->start;
        return spent <= room + pattern_tolerance(pattern, pattern->rules.period) ? i + 1 : 0;
    }
    return 0;
}

/* Where the last I/O of an application that has one instance ends, and by when the next one must.
 * The published program looks back from the start of the work for the end of a transfer. If a first
 * instance leaves no room for its work, it finds one of the middle, or a transfer that goes on. */
static void pattern_bound_first(struct pattern *pattern, uint32_t app, size_t count)
{
    struct pattern_app *own = &pattern->apps[app];
    size_t last = count - 1;
    own->limit = pattern->slots[0].start - pattern->tasks->list[app].work + pattern->rules.period;
    own->end = pattern->slots[last].end;
    if (pattern->rules.valid || own->end <= own->limit + RIBBON_SAME)
        return;
    pattern->overlapping = true;
    while (last > 0 && pattern->slots[last].start > own->limit)
        last--;
    own->end = pattern->slots[last].end;
    if (own->end > own->limit + RIBBON_SAME) {
        own->overlap = own->limit;
        own->limit += pattern->rules.period;
    }
}

/* Transfers wherever the bandwidth is widest. */
static bool pattern_insert_first(struct pattern *pattern, uint32_t app)
{
    const struct task *task = &pattern->tasks->list[app];
    size_t count = pattern_use_widest(pattern, task, pattern_list_slots(pattern, app));
    if (count == 0)
        return false;
    qsort(pattern->slots, count, sizeof(*pattern->slots), pattern_by_date);
    double start = pattern->slots[0].start, end = pattern->slots[count - 1].end;
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
    pattern_mark(pattern, start - task->work);
    return true;
}

/* --- the next ones --------------------------------------------------------------------------- */

/* A walk along the free bandwidth from a date on, over the end of the period. */
struct walk {
    struct ribbon_place place;
    double shift; /* 0, or T behind the end of the period */
    double date;
};

static struct walk walk_from(const struct pattern *pattern, double date)
{
    double period = pattern->rules.period;
    struct walk walk = {.shift = date < period ? 0 : period, .date = date};
    walk.place = ribbon_find(&pattern->ribbon, date - walk.shift);
    return walk;
}

static double walk_end(const struct pattern *pattern, const struct walk *walk)
{
    return ribbon_end(&pattern->ribbon, walk->place) + walk->shift;
}

static void walk_on(const struct pattern *pattern, struct walk *walk)
{
    walk->date = walk_end(pattern, walk);
    if (ribbon_next(&pattern->ribbon, &walk->place))
        return;
    walk->place = (struct ribbon_place){0, 0};
    walk->shift += pattern->rules.period;
}

/* What the task can do in the slot the walk has come to: the end of its piece there, and the rate;
 * subtracts what is moved. */
static struct plan_piece pattern_next_piece(const struct pattern *pattern, const struct task *task,
                                            const struct walk *walk, double *left)
{
    double end = walk_end(pattern, walk), length = end - walk->date;
    double width = maths_min(ribbon_free(&pattern->ribbon, walk->place), task->bmax);
    struct plan_piece piece = {walk->date, end, width};
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

/* The end of the last I/O, from which on there is work. Where the first transfer goes on when its
 * own work begins, the published program takes the end of the slot there for it, no matter how many
 * instances have been added since. */
static double pattern_published_end(const struct pattern *pattern, const struct pattern_app *own)
{
    if (!(own->overlap > 0))
        return own->end;
    return ribbon_end(&pattern->ribbon, ribbon_find(&pattern->ribbon, own->overlap));
}

/* Whether one more instance fits behind the last one, and where it would end. */
static bool pattern_fits_next(struct pattern *pattern, uint32_t app, double *end)
{
    const struct task *task = &pattern->tasks->list[app];
    const struct pattern_app *own = &pattern->apps[app];
    double left = task->volume, from = own->end + task->work;
    double limit = own->limit + pattern_tolerance(pattern, pattern->rules.period);
    if (from > limit)
        return false;
    if (pattern->overlapping)
        pattern_mark(pattern, from);
    if (from + task->io > limit)
        return false;
    struct walk walk = walk_from(pattern, from);
    for (;; walk_on(pattern, &walk)) {
        if (walk.date > own->limit)
            return false;
        if (walk_end(pattern, &walk) - walk.date <= RIBBON_SAME)
            continue;
        *end = pattern_next_piece(pattern, task, &walk, &left).end;
        if (left == 0)
            return *end <= limit;
    }
}

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
        if (walk_end(pattern, &walk) - walk.date <= RIBBON_SAME)
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

/* The bound on a period holds for valid patterns, and only first instances can be invalid. So once
 * all of them are in (the published order begins with them), most periods of a sweep are decided.
 */
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
            own->closed = true;
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
