#include "plan/pattern.h"
#include "base/maths.h"
#include "base/mem.h"
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
    free(pattern->owners);
    *pattern = (struct pattern){0};
}

/* --- writing down ---------------------------------------------------------------------------- */

static void record_instance(struct pattern *pattern, uint32_t app, double start)
{
    struct plan *plan = pattern->record;
    if (!plan)
        return;
    uint32_t *owners = mem_reserve(pattern->owners, &pattern->owner_capacity,
                                   plan->instance_count + 1, sizeof(*owners));
    if (owners)
        pattern->owners = owners;
    if (!owners ||
        plan_add_instance(plan, (struct plan_instance){.start = start, .first = plan->piece_count}))
        pattern->failed = true;
    else
        owners[plan->instance_count - 1] = app;
}

static void record_piece(struct pattern *pattern, double start, double end, double rate)
{
    struct plan *plan = pattern->record;
    if (!plan || pattern->failed)
        return;
    struct plan_instance *instance = &plan->instances[plan->instance_count - 1];
    struct plan_piece *last = instance->count > 0 ? &plan->pieces[plan->piece_count - 1] : NULL;
    /* Slots that touch, and that it can use alike, are one piece. */
    if (last && last->end == start && last->rate == rate)
        last->end = end;
    else if (plan_add_piece(plan, (struct plan_piece){start, end, rate}))
        pattern->failed = true;
    else
        instance->count++;
}

/* By how much a transfer may miss the end of a slot, or of the period, and yet end there. The
 * published program allows the same everywhere, though in a short slot that is more than the
 * bandwidth. */
static double grace(const struct pattern *pattern, double length)
{
    return pattern->rules.valid ? 1e-10 * length : RIBBON_SAME;
}

/* The published program begins a slot wherever work or I/O may begin. Bandwidth does not depend on
 * it, but published_end does. */
static void mark_date(struct pattern *pattern, double date)
{
    double period = pattern->rules.period;
    if (!pattern->rules.valid)
        ribbon_cut(&pattern->ribbon, date - floor(date / period) * period);
}

/* --- the first instance of an application ---------------------------------------------------- */

static int by_width(const void *a, const void *b)
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
static double preferred_date(const struct pattern *pattern, uint32_t app)
{
    double turns = 0.6180339887498949 * pattern->rules.offset * (app + 1);
    return (turns - floor(turns)) * pattern->rules.period;
}

/* All slots, widest first for this task; their number, or 0 when memory is out. */
static size_t list_slots(struct pattern *pattern, uint32_t app)
{
    const struct task *task = &pattern->tasks->list[app];
    struct ribbon_place place = {0, 0};
    size_t count = 0;
    double from = preferred_date(pattern, app);
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
    qsort(pattern->slots, count, sizeof(*pattern->slots), by_width);
    return count;
}

/* Cuts the list down to what the volume needs, and the last one to the time it needs; returns how
 * many slots are used, 0 if all of them are not enough. */
static size_t use_widest(struct pattern *pattern, const struct task *task, size_t count)
{
    double left = task->volume, spent = 0;
    for (size_t i = 0; i < count; i++) {
        struct pattern_slot *slot = &pattern->slots[i];
        if (slot->width <= NOTHING * pattern->tasks->bandwidth)
            return 0;
        double length = slot->end - slot->start, needed = left / slot->width;
        if (needed < length - RIBBON_SAME) {
            slot->end = slot->start + needed;
        } else if (needed <= length + grace(pattern, length)) {
            slot->width = left / length;
        } else {
            left -= slot->width * length;
            spent += length;
            continue;
        }
        /* At the shortest period one application fits exactly: rounding must not keep it out. */
        double room = pattern->rules.period - task->work;
        spent += slot->end - slot->start;
        return spent <= room + grace(pattern, pattern->rules.period) ? i + 1 : 0;
    }
    return 0;
}

/* Where the last I/O of an application that has one instance ends, and by when the next one must.
 * The published program looks back from the start of the work for the end of a transfer. If a first
 * instance leaves no room for its work, it finds one of the middle, or a transfer that goes on. */
static void bound_first(struct pattern *pattern, uint32_t app, size_t count)
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
static bool insert_first(struct pattern *pattern, uint32_t app)
{
    const struct task *task = &pattern->tasks->list[app];
    size_t count = use_widest(pattern, task, list_slots(pattern, app));
    if (count == 0)
        return false;
    qsort(pattern->slots, count, sizeof(*pattern->slots), pattern_by_date);
    double start = pattern->slots[0].start, end = pattern->slots[count - 1].end;
    if (pattern->rules.valid && end - start > pattern->rules.period - task->work)
        return false;
    bound_first(pattern, app, count);
    record_instance(pattern, app, start - task->work);
    for (size_t i = 0; i < count; i++) {
        const struct pattern_slot *slot = &pattern->slots[i];
        ribbon_take(&pattern->ribbon, ribbon_find(&pattern->ribbon, slot->start), slot->start,
                    slot->end, slot->width);
        record_piece(pattern, slot->start, slot->end, slot->width);
    }
    mark_date(pattern, start - task->work);
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
static struct plan_piece next_piece(const struct pattern *pattern, const struct task *task,
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
    else if (needed <= length + grace(pattern, length))
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
static double published_end(const struct pattern *pattern, const struct pattern_app *own)
{
    if (!(own->overlap > 0))
        return own->end;
    return ribbon_end(&pattern->ribbon, ribbon_find(&pattern->ribbon, own->overlap));
}

/* Whether one more instance fits behind the last one, and where it would end. */
static bool fits_next(struct pattern *pattern, uint32_t app, double *end)
{
    const struct task *task = &pattern->tasks->list[app];
    const struct pattern_app *own = &pattern->apps[app];
    double left = task->volume, from = own->end + task->work;
    double limit = own->limit + grace(pattern, pattern->rules.period);
    if (from > limit)
        return false;
    if (pattern->overlapping)
        mark_date(pattern, from);
    if (from + task->io > limit)
        return false;
    struct walk walk = walk_from(pattern, from);
    for (;; walk_on(pattern, &walk)) {
        if (walk.date > own->limit)
            return false;
        if (walk_end(pattern, &walk) - walk.date <= RIBBON_SAME)
            continue;
        *end = next_piece(pattern, task, &walk, &left).end;
        if (left == 0)
            return *end <= limit;
    }
}

static bool insert_next(struct pattern *pattern, uint32_t app)
{
    const struct task *task = &pattern->tasks->list[app];
    struct pattern_app *own = &pattern->apps[app];
    double end, left = task->volume, transfer = INFINITY;
    own->end = published_end(pattern, own);
    if (!fits_next(pattern, app, &end))
        return false;
    struct walk walk = walk_from(pattern, own->end + task->work);
    record_instance(pattern, app, own->end);
    for (; left > 0; walk_on(pattern, &walk)) {
        if (walk_end(pattern, &walk) - walk.date <= RIBBON_SAME)
            continue;
        struct plan_piece piece = next_piece(pattern, task, &walk, &left);
        if (piece.rate == 0)
            continue;
        walk.place = ribbon_take(&pattern->ribbon, walk.place, piece.start - walk.shift,
                                 piece.end - walk.shift, piece.rate);
        record_piece(pattern, piece.start, piece.end, piece.rate);
        transfer = maths_min(transfer, piece.start);
    }
    if (pattern->overlapping)
        mark_date(pattern, transfer - task->work);
    own->end = end;
    return true;
}

/* --- who is next ----------------------------------------------------------------------------- */

/* The published rule: the one with the least n (w + tio) / T, by more than a tolerance; among
 * equals the one with the largest w / tio (the paper's listing says the smallest, its program takes
 * the largest). Equal means to the bit: what is a little less than the least so far is passed over.
 */
static uint32_t pick_weakest(const struct pattern *pattern)
{
    uint32_t best = UINT32_MAX;
    double least = INFINITY, most = 0;
    for (uint32_t app = 0; app < pattern->tasks->count; app++) {
        const struct task *task = &pattern->tasks->list[app];
        if (pattern->apps[app].closed)
            continue;
        double done =
            pattern->apps[app].instances * (task->work + task->io) / pattern->rules.period;
        double shape = task->work / task->io;
        if (done < least - RIBBON_SAME || (done == least && shape > most + RIBBON_SAME)) {
            best = app;
            least = done;
            most = shape;
        }
    }
    return best;
}

/* Everybody once; then the one whose bytes let most nodes work for longest, and among equals the
 * one that has got least. */
static uint32_t pick_densest(const struct pattern *pattern, bool sequential)
{
    uint32_t best = UINT32_MAX;
    double most = -1, least = INFINITY;
    for (uint32_t app = 0; app < pattern->tasks->count; app++) {
        const struct task *task = &pattern->tasks->list[app];
        const struct pattern_app *own = &pattern->apps[app];
        if (own->closed)
            continue;
        double value = own->instances ? task->nodes * task->work / task->volume : INFINITY;
        double done = own->instances * (task->work + task->io);
        bool same = value == most || fabs(value - most) <= 1e-9 * value;
        if (same ? !sequential && done < least : value > most) {
            best = app;
            most = value;
            least = done;
        }
    }
    return best;
}

/* The bound on a period holds for valid patterns, and only first instances can be invalid. So once
 * all of them are in (the published order begins with them), most periods of a sweep are decided.
 */
static bool is_decided(const struct pattern *pattern, uint32_t tried)
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
    while (!pattern->failed && !pattern->ribbon.failed) {
        pattern->given_up = is_decided(pattern, tried);
        uint32_t app = rules.pick == PATTERN_WEAKEST
                           ? pick_weakest(pattern)
                           : pick_densest(pattern, rules.pick == PATTERN_SEQUENTIAL);
        if (app == UINT32_MAX || pattern->given_up)
            return 0;
        struct pattern_app *own = &pattern->apps[app];
        tried += own->instances == 0;
        if (own->instances == 0 ? insert_first(pattern, app) : insert_next(pattern, app))
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

/* Puts the instances, which came in any order, behind each other by application. */
static int group(struct plan *plan, const uint32_t *owners)
{
    struct plan_instance *sorted = mem_alloc(plan->instance_count, sizeof(*sorted));
    if (!sorted)
        return -1;
    for (size_t i = 0; i < plan->instance_count; i++)
        plan->apps[owners[i]].count++;
    for (uint32_t app = 1; app < plan->count; app++)
        plan->apps[app].first = plan->apps[app - 1].first + plan->apps[app - 1].count;
    for (uint32_t app = 0; app < plan->count; app++)
        plan->apps[app].count = 0;
    for (size_t i = 0; i < plan->instance_count; i++) {
        struct plan_app *app = &plan->apps[owners[i]];
        sorted[app->first + app->count++] = plan->instances[i];
    }
    free(plan->instances);
    plan->instances = sorted;
    plan->instance_capacity = plan->instance_count;
    return 0;
}

struct plan *pattern_plan(struct pattern *pattern, struct pattern_rules rules)
{
    struct plan *plan = plan_new(pattern->tasks->count);
    if (!plan)
        return NULL;
    plan->period = rules.period;
    pattern->record = plan;
    int failed = pattern_fill(pattern, rules) || group(plan, pattern->owners);
    pattern->record = NULL;
    if (!failed)
        return plan;
    plan_free(plan);
    return NULL;
}
