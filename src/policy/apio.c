/* apio: a plan from mean lengths, adjusted whenever a work phase ends (004).
 *
 * The plan holds bandwidth for the instances to come. An I/O that is posted, earlier or later than
 * planned, is placed by best effort into what is free from now on beside the I/O of the others that
 * is placed, or still planned; that placement is final. A planned instance whose time has passed
 * before its work is done holds nothing any more, and neither do those that begin before the work
 * which follows an I/O can be done: each application goes on to the next instance that it can meet
 * if its work takes as long as planned.
 *
 * With `barrier` all go on to the next period together (004 Algorithm 3): an application that has
 * done its instances of this one waits with its next I/O until all have, however long that
 * takes, and then the next period begins. */
#include "base/maths.h"
#include "policy/planned.h"
#include "policy/slot.h"
#include "policy/strategies.h"

/* The most pieces in which an I/O is placed at a time, and the most changes of the free bandwidth
 * that are looked ahead; the rest is placed once these are over. */
enum { PIECES = 16, STEPS = 4096 };

/* Times this close, in periods, are the same. */
#define SAME 1e-9
/* Less free bandwidth than this part of the whole is rounding. */
#define NOTHING 1e-9

#define NONE UINT32_MAX

enum { PARAM_BARRIER = PLANNED_COUNT };

static const struct weir_param params[] = {
    PLANNED_PARAMS,
    {.name = "barrier",
     .kind = WEIR_PARAM_FLAG,
     .help = "all applications begin the next period together, as published"},
    {.name = NULL},
};

struct placing {
    struct slot next; /* planned instances from here on hold bandwidth */
    uint32_t done;    /* instances of this period, with a barrier */
    uint32_t count, at;
    struct plan_piece pieces[PIECES]; /* of the I/O that is placed; those before `at` are over */
    /* Where a search for free bandwidth has come to. */
    struct slot seen_slot;
    size_t seen_piece;
    uint32_t seen;
};

struct apio_state {
    const struct plan *plan;
    const uint32_t *places; /* as in the setup */
    bool barrier;
    double origin; /* when the period begins, with a barrier; the first otherwise */
    uint32_t here; /* applications that have joined and not left */
    struct placing *all;
};

static void apio_init(void *self, const struct weir_setup *setup)
{
    struct apio_state *state = self;
    state->plan = setup->plan;
    state->places = setup->places;
    state->barrier = setup->params[PARAM_BARRIER] > 0;
    state->all = (struct placing *)(state + 1);
}

/* Its number in the plan. */
static uint32_t apio_number(const struct apio_state *state, uint32_t app)
{
    return state->places ? state->places[app] - 1 : app;
}

/* What is not part of the plan is placed like the rest, and holds no bandwidth before. */
static bool apio_is_part(const struct apio_state *state, uint32_t app)
{
    return !state->places || state->places[app] > 0;
}

static struct slots slots_of(const struct apio_state *state, uint32_t app)
{
    return (struct slots){state->plan, apio_number(state, app), state->origin};
}

/* --- what is planned ------------------------------------------------------------------------- */

/* With a barrier only the instances of this period count. */
static bool is_planned(const struct apio_state *state, struct slot slot)
{
    return !state->barrier || slot.round == 0;
}

/* What lies before this time is earlier than the given one, not the same instant. */
static double apio_before(const struct apio_state *state, double time)
{
    return time - SAME * state->plan->period - MATHS_ROUNDING * fabs(time);
}

/* Lets the instances hold bandwidth that begin with work at this time or later. */
static void apio_resume(struct apio_state *state, uint32_t app, double time)
{
    struct slots slots = slots_of(state, app);
    struct slot next = slot_from(slots, time);
    while (slot_work(slots, next) < apio_before(state, time))
        next = slot_after(slots, next);
    state->all[app].next = next;
}

/* Those whose time has passed hold none. */
static void apio_empty(struct apio_state *state, const struct weir_view *view)
{
    double time = apio_before(state, view->now);
    for (uint32_t app = 0; app < view->count; app++) {
        struct placing *placing = &state->all[app];
        if (view->runs[app].state == WEIR_ABSENT || !apio_is_part(state, app))
            continue;
        while (is_planned(state, placing->next) &&
               slot_time(slots_of(state, app), placing->next) < time)
            placing->next = slot_after(slots_of(state, app), placing->next);
    }
}

/* --- what is free ----------------------------------------------------------------------------- */

static void count_piece(const struct plan_piece *piece, double time, double *rate, double *until)
{
    if (piece->start <= time)
        *rate += piece->rate;
    *until = maths_min(*until, piece->start <= time ? piece->end : piece->start);
}

/* Adds the bandwidth that an application's placed I/O uses at a time, and until when. */
static void count_placed(struct placing *other, double time, double *rate, double *until)
{
    while (other->seen < other->count && other->pieces[other->seen].end <= time)
        other->seen++;
    if (other->seen < other->count)
        count_piece(&other->pieces[other->seen], time, rate, until);
}

/* The same for what is planned for it. */
static void count_planned(const struct apio_state *state, uint32_t app, double time, double *rate,
                          double *until)
{
    struct placing *other = &state->all[app];
    struct slots slots = slots_of(state, app);
    struct plan_piece piece;
    for (; is_planned(state, other->seen_slot); other->seen_piece = 0) {
        if (slot_piece(slots, other->seen_slot, time, &other->seen_piece, &piece)) {
            count_piece(&piece, time, rate, until);
            return;
        }
        other->seen_slot = slot_after(slots, other->seen_slot);
    }
}

/* What is free for an application at a time, and until when; times must not decrease. */
static double find_free(const struct apio_state *state, const struct weir_view *view, uint32_t app,
                        bool planned, struct plan_piece *gap)
{
    double used = 0;
    gap->end = INFINITY;
    for (uint32_t other = 0; other < view->count; other++) {
        if (other == app || view->runs[other].state == WEIR_ABSENT)
            continue;
        count_placed(&state->all[other], gap->start, &used, &gap->end);
        if (planned && apio_is_part(state, other))
            count_planned(state, other, gap->start, &used, &gap->end);
    }
    double left = view->bandwidth - used;
    return left > NOTHING * view->bandwidth ? maths_min(view->runs[app].app->bmax, left) : 0;
}

/* --- placing ---------------------------------------------------------------------------------- */

static void add_piece(struct placing *placing, struct plan_piece piece)
{
    struct plan_piece *last = placing->count ? &placing->pieces[placing->count - 1] : NULL;
    if (last && last->end == piece.start && last->rate == piece.rate)
        last->end = piece.end;
    else
        placing->pieces[placing->count++] = piece;
}

/* Takes all that is free from now on until everything is placed. */
static void policy_apio_fill(struct apio_state *state, const struct weir_view *view, uint32_t app,
                             bool planned)
{
    struct placing *placing = &state->all[app];
    struct plan_piece gap = {.start = view->now};
    double left = weir_remaining(view, &view->runs[app]);
    for (uint32_t other = 0; other < view->count; other++) {
        struct placing *its = &state->all[other];
        its->seen = its->at;
        its->seen_slot = its->next;
        its->seen_piece = 0;
    }
    placing->count = placing->at = 0;
    for (int step = 0; placing->count < PIECES && (step < STEPS || !planned); step++) {
        gap.rate = find_free(state, view, app, planned, &gap);
        double end = gap.rate > 0 ? gap.start + left / gap.rate : INFINITY;
        if (end <= gap.end) {
            gap.end = maths_max(end, nextafter(gap.start, INFINITY));
            add_piece(placing, gap);
            return;
        }
        if (gap.rate > 0)
            add_piece(placing, gap);
        left -= gap.rate * (gap.end - gap.start);
        gap.start = gap.end;
    }
}

static void apio_place(struct apio_state *state, const struct weir_view *view, uint32_t app)
{
    struct placing *placing = &state->all[app];
    policy_apio_fill(state, view, app, true);
    /* The plans of the others may fill the machine for longer than is looked ahead. */
    if (placing->count == 0)
        policy_apio_fill(state, view, app, false);
    if (!apio_is_part(state, app))
        return;
    if (!state->barrier) {
        apio_resume(state, app, placing->pieces[placing->count - 1].end);
    } else if (placing->next.index <= placing->done) {
        struct slot taken = {0, placing->done};
        placing->next = slot_after(slots_of(state, app), taken);
    }
}

/* Whether it has had its instances of this period, so that its next I/O belongs to the next. */
static bool is_ahead(const struct apio_state *state, uint32_t app)
{
    return state->barrier && apio_is_part(state, app) &&
           state->all[app].done >= state->plan->apps[apio_number(state, app)].count;
}

/* The active application that has waited longest among those without a place. */
static uint32_t find_unplaced(struct apio_state *state, const struct weir_view *view)
{
    uint32_t first = NONE;
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t app = view->active[i];
        struct placing *placing = &state->all[app];
        while (placing->at < placing->count && placing->pieces[placing->at].end <= view->now)
            placing->at++;
        if (placing->at < placing->count || is_ahead(state, app))
            continue;
        double posted = view->runs[app].posted;
        if (first == NONE || posted < view->runs[first].posted ||
            (posted == view->runs[first].posted && app < first))
            first = app;
    }
    return first;
}

/* --- periods, with a barrier ------------------------------------------------------------------ */

static void begin_period_if_over(struct apio_state *state, const struct weir_view *view)
{
    for (uint32_t app = 0; app < view->count; app++)
        if (view->runs[app].state != WEIR_ABSENT && apio_is_part(state, app) &&
            !is_ahead(state, app))
            return;
    state->origin = view->now;
    for (uint32_t app = 0; app < view->count; app++) {
        state->all[app].done = 0;
        state->all[app].next = (struct slot){0, 0};
    }
}

/* --- the strategy ----------------------------------------------------------------------------- */

static void apio_join(void *self, const struct weir_view *view, uint32_t app)
{
    struct apio_state *state = self;
    struct placing *placing = &state->all[app];
    *placing = (struct placing){.done = 0};
    if (!state->barrier && apio_is_part(state, app))
        apio_resume(state, app, view->now);
    else if (state->here == 0)
        state->origin = view->now;
    state->here++;
}

static void apio_complete(void *self, const struct weir_view *view, uint32_t app)
{
    struct apio_state *state = self;
    struct placing *placing = &state->all[app];
    placing->count = placing->at = 0;
    placing->done += !(view->runs[app].remaining > 0); /* else it only pauses */
    if (state->barrier)
        begin_period_if_over(state, view);
}

static void apio_leave(void *self, const struct weir_view *view, uint32_t app)
{
    struct apio_state *state = self;
    (void)app;
    state->here--;
    if (state->barrier)
        begin_period_if_over(state, view);
}

static void apio_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct apio_state *state = self;
    double left = view->bandwidth;
    uint32_t unplaced;
    apio_empty(state, view);
    while ((unplaced = find_unplaced(state, view)) != NONE)
        apio_place(state, view, unplaced);
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t app = view->active[i];
        struct placing *placing = &state->all[app];
        double rate = 0, until = INFINITY;
        placing->seen = placing->at;
        count_placed(placing, view->now, &rate, &until);
        grants->wake = maths_min(grants->wake, until);
        rate = maths_min(rate, left);
        left -= rate;
        if (rate > 0)
            weir_grant(grants, app, rate);
    }
}

const struct weir_policy_ops policy_apio = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_NEEDS_PLAN | WEIR_NEEDS_VOLUME,
    .name = "apio",
    .summary = "a plan from mean lengths, adjusted whenever a work phase ends",
    .paper = "Zha and Shen 2022, section 4",
    .params = params,
    .state_size = sizeof(struct apio_state),
    .app_size = sizeof(struct placing),
    .init = apio_init,
    .joined = apio_join,
    .completed = apio_complete,
    .left = apio_leave,
    .decide = apio_decide,
};
