#include "node/watch.h"
#include "base/maths.h"

static bool watch_changed(const struct watch_signs *a, const struct watch_signs *b)
{
    return a->calls != b->calls || a->moved != b->moved || a->claimed != b->claimed ||
           a->waiters != b->waiters;
}

static void watch_restart(struct watch *watch, double now, const struct watch_signs *signs)
{
    watch->signs = *signs;
    watch->active = watch->looked = now;
    watch->unclaimed = watch->unmoved = 0;
    watch->closed = watch->paused = watch->stalled = watch->claims = false;
}

void watch_begin(struct watch *watch, double now, const struct watch_signs *signs)
{
    watch_restart(watch, now, signs);
    watch->longest = 0;
}

/* It goes on, so the quiet until now was a pause inside an I/O. A pause because it was stopped or
 * did not use its bandwidth teaches nothing about how it works. */
static void watch_learn(struct watch *watch, double now)
{
    if (watch->paused && !watch->stalled)
        watch->longest = maths_max(watch->longest, now - watch->active);
}

void watch_resume(struct watch *watch, double now, const struct watch_signs *signs)
{
    watch_learn(watch, now);
    watch_restart(watch, now, signs);
}

double watch_gap(const struct watch *watch, const struct watch_rule *rule)
{
    /* Too short a gap cuts one I/O into many small ones, which a strategy would serve in turns; too
     * long a one only holds a place. So it is a multiple of what was seen, within bounds. */
    double learnt = WATCH_FACTOR * maths_max(watch->longest, watch->learnt);
    double gap = maths_max(maths_min(learnt, WATCH_LONGEST), rule->phase_gap);
    return watch->closed ? maths_max(WATCH_CLOSED * gap, rule->soft_release) : gap;
}

/* Takes in the signs. Calls alone show that it is there, not that it uses what it is granted. */
static void watch_notice(struct watch *watch, double now, const struct watch_sample *sample)
{
    const struct watch_signs *old = &watch->signs, *new = &sample->signs;
    bool moves = new->moved != old->moved, claims = moves || new->claimed != old->claimed;
    if (watch_changed(old, new)) {
        watch_learn(watch, now);
        /* The application reports when its last call ended: exact, but it may be wrong. */
        bool plausible = sample->last >= watch->active && sample->last <= now;
        watch->active = plausible && !sample->busy ? sample->last : now;
        watch->closed = watch->paused = false;
    } else if (sample->busy && !watch->stalled) {
        watch->active = now;
    }
    watch->stalled &= !claims;
    watch->claims |= claims;
    /* Time that passed unused counts up, what was claimed or moved counts down, so a slow user of
     * its bandwidth keeps it and one that claims a byte now and then does not. */
    double passed = now - watch->looked;
    watch->unclaimed += (sample->unclaimed ? passed : 0) - WATCH_PART * sample->claimed;
    watch->unmoved += (sample->unmoved ? passed : 0) - WATCH_PART * sample->moved;
    watch->unclaimed = maths_max(0, watch->unclaimed);
    watch->unmoved = maths_max(0, watch->unmoved);
    watch->looked = now;
    watch->closed |= old->closed != new->closed;
    watch->signs = *new;
}

enum watch_verdict watch_look(struct watch *watch, const struct watch_rule *rule, double now,
                              const struct watch_sample *sample)
{
    bool running = sample->busy && sample->running;
    /* A program that has claimed nothing may sleep for any reason, whatever it says. */
    bool inside = running || (sample->busy && sample->sleeping && watch->claims);
    watch_notice(watch, now, sample);
    double stuck = WATCH_STUCK + WATCH_SHARED * sample->inside;
    double patience = inside ? stuck : watch->claims ? WATCH_STALL : WATCH_FIRST;
    watch->stalled |= watch->unclaimed >= patience || (!running && watch->unmoved >= stuck);
    double quiet = now - watch->active;
    double calm = sample->begun && watch->claims ? WATCH_STALL : rule->soft_release;
    if (!watch->stalled && (sample->busy || quiet < calm))
        return WATCH_MOVING;
    /* Inside a call it cannot be over, however long the store takes. */
    if (sample->busy)
        return WATCH_PAUSED;
    watch->paused = true;
    return sample->begun || quiet < watch_gap(watch, rule) ? WATCH_PAUSED : WATCH_OVER;
}

double watch_end(struct watch *watch, double now)
{
    /* An application may change its habits: old pauses are forgotten by halves. */
    watch->learnt = maths_max(watch->longest, WATCH_DECAY * watch->learnt);
    watch->longest = 0;
    return maths_min(watch->active, now);
}
