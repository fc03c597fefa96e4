/* The inside of a controller, for the files of this room only. */
#ifndef WEIR_CONTROL_STATE_H
#define WEIR_CONTROL_STATE_H

#include "base/maths.h"
#include "base/timers.h"
#include "control/control.h"
#include "control/ration.h"

/* Positions have 29 bits. */
#define MOST_APPLICATIONS ((UINT32_C(1) << 29) - 1)

struct control {
    const struct weir_policy_ops *ops;
    void *state; /* of the strategy */
    struct weir_view view;
    struct weir_run *runs;  /* = view.runs */
    uint32_t *active;       /* = view.active */
    double *since_level;    /* = view.since_level */
    struct sum active_bmax; /* = view.active_bmax, exactly */
    struct weir_grants grants;
    struct timers own;    /* predicted completions under grants of their own */
    struct timers shared; /* ... of shared grants, in units of view.level, if there can be any */
    uint32_t *named;      /* by id: the decision that named it last */
    /* For strategies that are not incremental: */
    uint32_t *granted;  /* ids granted last time */
    uint32_t *granting; /* and those granted now, until they are that */
    uint32_t granted_count;
    /* view.level, which stays 0 if nothing can be shared: */
    double level_since;  /* time at which it was exact, */
    double level_excess; /* but for this, by which it was rounded up */
    double wake;
    uint64_t decisions;
    /* With shares; the strategy sees the first `visible_count` of the active applications. */
    struct ration *ration; /* or NULL */
    uint32_t visible_count;
    struct sum visible_bmax;
    struct weir_view seen;
};

/* Brings the view to `now`. Whatever follows is as of that instant. */
void control_advance(struct control *control, double now);

/* Brings an active application's own numbers up to date, before its rate changes. */
void control_settle(struct control *control, struct weir_run *run);

/* Notes when an active application, just settled, will be complete at its rate. */
void control_predict(struct control *control, uint32_t id);

/* Takes the prediction away. */
static inline void control_unpredict(struct control *control, uint32_t id)
{
    timers_set(control->runs[id].shared ? &control->shared : &control->own, id, INFINITY);
}

/* Puts an application among the active ones, with what remains of its I/O. */
void control_activate(struct control *control, uint32_t id);

/* Takes an application out of the active ones, its I/O done or dropped. */
void control_deactivate(struct control *control, uint32_t id);

/* What the strategy sees: without shares, the view. */
const struct weir_view *control_visible(struct control *control);
static inline const struct weir_view *control_seen_view(struct control *control)
{
    return control->ration ? control_visible(control) : &control->view;
}

/* With shares: takes an application out of those that the strategy sees, without a word. */
void control_unlist(struct control *control, uint32_t id);

/* Lets the strategy see an active application that is held, as a post; keeps it from the strategy,
 * as an I/O that is dropped. */
void control_show(struct control *control, uint32_t id);
void control_hide(struct control *control, uint32_t id);

/* Gives an application another rate and predicts its completion. */
void control_apply(struct control *control, uint32_t id, double rate, bool shared);

/* Asks the strategy and applies its answer; if it divides by shares, that is kept as wishes. */
void control_ask(struct control *control);

#endif
