/* The controller: a pure state machine between applications and a strategy.
 *
 * In: join, post, complete, leave, and the passing of time. Out: grants, and the time at which it
 * wants to be asked again. It has no clock and does no I/O: a simulator drives it with virtual
 * time, a live process with real time, and both run this very code.
 *
 * All changes that fall on one instant are reported first, then control_decide is called once.
 * Between decisions rates are constant, so each application's state is kept as of its last change
 * of rate and brought up to date only when they are read: an event costs what it changes. */
#ifndef WEIR_CONTROL_CONTROL_H
#define WEIR_CONTROL_CONTROL_H

#include "base/err.h"
#include "model/shares.h"
#include "policy/policy.h"
#include <stdint.h>

struct control;

#define CONTROL_NONE UINT32_MAX

/* `setup->params` are ignored (they come from the policy); applications have ids below
 * `setup->capacity`. `policy` must outlive the controller. NULL when memory is out. */
struct control *control_new(const struct policy *policy, const struct weir_setup *setup,
                            struct err *err);
void control_free(struct control *control); /* NULL is fine */

/* From now on, before any application joins, the bandwidth follows a copy of these shares. 0 or -1:
 * memory is out, or the strategy follows a plan. */
int control_share(struct control *control, const struct shares *shares, struct err *err);

/* Whose the application of this id is, before it joins; without shares it does not matter. Texts
 * are copied. 0, or -1 when memory is out. */
struct control_party {
    const char *account, *user; /* NULL = unknown */
    double nodes;
};
int control_place(struct control *control, uint32_t id, const struct control_party *party,
                  struct err *err);

/* It has another number of nodes than when it was placed. */
void control_spread(struct control *control, uint32_t id, double nodes);

/* Whether there are shares and the strategy divides: then rates are not what it answered. */
bool control_divides(const struct control *control);

/* From now on, before any application joins, the strategy sees the seconds that an application has
 * lost as of up to `age` seconds ago; 0 = now. 0, or -1 when memory is out. */
int control_blur(struct control *control, double age, struct err *err);

/* An application starts, or is found running, in a work phase. `lost` is its age minus its
 * progress so far: 0 for a fresh one. `app` must outlive its run. */
void control_join(struct control *control, double now, uint32_t id, const struct weir_app *app,
                  double lost);

/* An I/O that an application posts. */
struct control_io {
    double volume; /* bytes, > 0 */
    double work;   /* seconds of work just before it, in the same iteration */
    double posted; /* when: now, or earlier if it was waiting before the controller started */
    bool guessed;  /* nothing is known of the volume: it is what an application moves in a second */
};
void control_post(struct control *control, double now, uint32_t id, struct control_io io);

/* Its I/O is complete, or was when it was paused: it is working again. */
void control_complete(struct control *control, double now, uint32_t id);

/* Its I/O is complete and it is working, but the controller learns of it only after `seconds`, > 0:
 * until then it keeps what it is granted, and no completion of it is due.
 * control_complete_late ends that, with the seconds that it had lost when its I/O was complete. */
void control_linger(struct control *control, double now, uint32_t id, double seconds);
void control_complete_late(struct control *control, double now, uint32_t id, double lost);

/* It ends an iteration that has no I/O. */
void control_iterate(struct control *control, uint32_t id, double work);

/* What it has lost in all, where more is known of that than the rates tell. It has no I/O. */
void control_amend(struct control *control, uint32_t id, double lost);

/* It joins, or leaves, but never posts an I/O here: the strategy hears nothing of it. */
void control_accompany(struct control *control, double now, uint32_t id,
                       const struct weir_app *app, double lost);
void control_dismiss(struct control *control, double now, uint32_t id);

/* It ends an iteration whose I/O went to a store of another controller: work, and what that I/O
 * takes alone, are work here. `lost` is what it has lost on all stores, in seconds. */
void control_elsewhere(struct control *control, uint32_t id, double ideal, double lost);

/* --- what only reality does ------------------------------------------------------------------ */

/* Its I/O is not over, but nothing moves at the moment: it is not active, and counts as working.
 * Nothing is forgotten, not even when it was posted. The strategy hears that the I/O was dropped
 * (`completed` while bytes remain), and when it is resumed, or complete after all, of a post with
 * the old time. */
void control_pause(struct control *control, double now, uint32_t id);
void control_resume(struct control *control, double now, uint32_t id);
bool control_paused(const struct control *control, uint32_t id);

/* What was really moved of its I/O, and the seconds really lost since its release, replace what
 * the rates predict: a correction (see weir/policy.h). The strategy sees it when it decides next.
 */
struct control_seen {
    double moved; /* bytes */
    double lost;  /* >= 0 */
};
void control_observe(struct control *control, double now, uint32_t id, struct control_seen seen);

/* Its I/O turns out to be of another volume, > 0: the strategy hears that it was dropped, and of a
 * post of that volume with the old time. */
void control_resize(struct control *control, double now, uint32_t id, double volume);

/* The same for an I/O that has moved all that was expected of it, and is not over: the volume is an
 * assumption, and strategies go on with what was expected at first, unless that was guessed, or has
 * been exceeded KNOWLEDGE_WORTH times over. */
void control_exceed(struct control *control, double now, uint32_t id, double volume);

/* The bytes, > 0, that its I/O, which is complete, turned out to have: the strategy hears of the
 * completion with this volume. */
void control_measure(struct control *control, uint32_t id, double volume);

/* Takes over the applications of another controller, which is then only to be freed: the strategy
 * hears that they join, and of the posts of those that are active. Facts may have changed
 * in between; the capacity is at least that of the old one, and no application has joined here yet.
 */
void control_adopt(struct control *control, double now, struct control *old);

/* It ends. An I/O that is not complete is dropped. */
void control_leave(struct control *control, double now, uint32_t id);

/* The store can move this much from now on, more or less than before; 0 = nothing. Grants that a
 * strategy keeps are lowered at the decision that follows. */
void control_set_bandwidth(struct control *control, double now, double bandwidth);

/* Takes one decision for all changes at this instant. */
void control_decide(struct control *control, double now);

/* What the strategy answered at the last decision, word for word. */
const struct weir_grants *control_answer(const struct control *control);

/* An application that this answer names twice, or CONTROL_NONE. Its ids are below the capacity. */
uint32_t control_repeated(struct control *control);

/* When to come back at the latest if nothing else happens: the first predicted completion or the
 * strategy's timer, INFINITY if neither. */
double control_next(const struct control *control);

/* An application whose I/O is predicted to be complete at `now`, or CONTROL_NONE. At most 1e-9 of
 * the I/O remains then, or what takes a few units in the last place of `now` at its rate. */
uint32_t control_due(const struct control *control, double now);

/* Whether the strategy asked to decide again by now. */
bool control_woken(const struct control *control, double now);

/* What the strategy sees, brought up to `now`. */
const struct weir_view *control_view(struct control *control, double now);

/* Whether the I/O of an application is kept from the strategy, since its user or account has had
 * more than its share; and the bytes by which that is ahead now, the most of them, below 0 if it
 * has had less. Without shares, neither. */
bool control_held(const struct control *control, uint32_t id);
double control_ahead(const struct control *control, double now, uint32_t id);

/* Whether it has an I/O that is neither complete nor paused. */
bool control_active(const struct control *control, uint32_t id);

/* The bandwidth an application holds, bytes/s. */
double control_rate(const struct control *control, uint32_t id);

/* Nothing more will happen: frees all that only decisions need. From here on there are only
 * control_view, where no application is listed as active, and control_decisions. */
void control_stop(struct control *control);

uint64_t control_decisions(const struct control *control);

#endif
