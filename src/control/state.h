/* The inside of a controller, for the files of this room only. */
#ifndef WEIR_CONTROL_STATE_H
#define WEIR_CONTROL_STATE_H

#include "base/maths.h"
#include "base/timers.h"
#include "control/control.h"
#include "control/ration.h"

/* For what happens at every instant, so that it becomes part of the functions in control.h: gcc
 * thinks it too large, and a simulation does little else. */
#define CONTROL_HOT __attribute__((always_inline)) inline

/* Positions have 27 bits. */
#define MOST_APPLICATIONS ((UINT32_C(1) << 27) - 1)

struct control {
    const struct weir_policy_ops *ops;
    void *state; /* of the strategy */
    struct weir_view view;
    struct weir_run *runs;  /* = view.runs */
    uint32_t *active;       /* = view.active */
    double *since_level;    /* = view.since_level */
    double *beyond;         /* = view.beyond: memory that is not touched where volumes are exact */
    struct sum active_bmax; /* = view.active_bmax, exactly */
    struct weir_grants grants;
    struct timers own;    /* predicted completions under grants of their own */
    struct timers shared; /* ... of shared grants, in units of view.level, if there can be any */
    uint32_t *named;      /* by id: the decision that named it last */
    /* For strategies that are not incremental: */
    uint32_t *granted; /* ids granted last time */
    uint32_t granted_count;
    bool grants_all;     /* it need not be asked where all fit */
    bool granted_all;    /* nor was it last time: `granted` is not kept */
    uint32_t full_count; /* so many of `active`, from the first on, have their bmax since then */
    /* For strategies that do not know of curves: */
    double *asked;       /* by id: the grants of their own that they asked for */
    double asked_scale;  /* and the scale */
    bool lowers;         /* what they get is less where the store cannot give that */
    double level_excess; /* by which view.level was rounded up; both stay 0 without shares */
    bool accrues;        /* something adds up as time passes: a level, or what parties receive */
    double wake;
    uint64_t decisions;
    /* With shares; the strategy sees the first `visible_count` of the active applications. */
    struct ration *ration; /* or NULL */
    uint32_t visible_count;
    struct sum visible_bmax;
    /* Where the strategy is not told everything: */
    struct blur *blur; /* or NULL */
    struct weir_view seen;
    bool filtered; /* by shares or blur: what it sees is not the view */
};

/* Brings the view to `now`. Whatever follows is as of that instant: of its changes and its decision
 * only the first adds something up. */
void control_elapse(struct control *control, double now);
static inline void control_advance(struct control *control, double now)
{
    if (control->accrues && now != control->view.now)
        control_elapse(control, now);
    control->view.now = now;
}

/* Notes that an application's own numbers are those of now. */
static inline void control_stamp(struct control *control, struct weir_run *run)
{
    run->since = control->view.now;
    if (control->since_level)
        control->since_level[run - control->runs] = control->view.level;
}

/* Brings an active application's own numbers up to date, before its rate changes. */
static inline void control_settle(struct control *control, struct weir_run *run)
{
    if (run->since == control->view.now) /* as most are that are granted something after a post */
        return;
    run->lost = weir_lost(&control->view, run);
    run->remaining = weir_remaining(&control->view, run);
    control_stamp(control, run);
}

/* An I/O of which at most this part remains is complete: a sliver left by rounding must not create
 * events without progress. */
#define CONTROL_SLIVER 1e-9

/* Notes when an active application, just settled, will be complete at its rate. */
static inline void control_predict(struct control *control, uint32_t id)
{
    const struct weir_run *run = &control->runs[id];
    /* In units of level a shared grant completes at a constant: it stays right when the scale
     * changes, and no other application has to be touched. */
    if (run->shared)
        timers_set(&control->shared, id, control->view.level + run->remaining / run->rate);
    else if (run->remaining <= CONTROL_SLIVER * run->volume)
        timers_set(&control->own, id, control->view.now);
    else if (run->rate > 0)
        timers_set(&control->own, id, control->view.now + run->remaining / run->rate);
    else
        timers_clear(&control->own, id);
}

/* Takes the prediction away. */
static inline void control_unpredict(struct control *control, uint32_t id)
{
    timers_clear(control->runs[id].shared ? &control->shared : &control->own, id);
}

/* Puts an application among the active ones, with what remains of its I/O. */
void control_activate(struct control *control, uint32_t id);

/* Takes an application out of the active ones into another state, its I/O done or dropped. */
void control_deactivate(struct control *control, uint32_t id, enum weir_state state);

/* What the strategy sees: without shares, and with all there is to know, the view. */
const struct weir_view *control_visible(struct control *control);
static inline const struct weir_view *control_seen_view(struct control *control)
{
    return control->filtered ? control_visible(control) : &control->view;
}

/* Old progress in the place of that of now. */
void control_blur_view(struct control *control, struct weir_view *seen);
void control_blur_free(struct control *control);

/* With shares: puts an active application among those that the strategy sees, or takes it out of
 * them, without a word. */
void control_list(struct control *control, uint32_t id);
void control_unlist(struct control *control, uint32_t id);

/* Lets the strategy see an active application, as a post. */
static inline void control_announce(struct control *control, uint32_t id)
{
    if (control->ration)
        control_list(control, id);
    if (control->ops->posted)
        control->ops->posted(control->state, control_seen_view(control), id);
}

/* The same for one that is held; keeps it from the strategy, as an I/O that is dropped. */
static inline void control_show(struct control *control, uint32_t id)
{
    control->runs[id].state = WEIR_ACTIVE;
    control_announce(control, id);
}
void control_hide(struct control *control, uint32_t id);

/* Gives an application another rate and predicts its completion. */
void control_apply(struct control *control, uint32_t id, double rate, bool shared);

/* Asks the strategy and applies its answer; if it divides by shares, that is kept as wishes. */
void control_ask(struct control *control);

#endif
