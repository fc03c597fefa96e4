#include "control/watch.h"
#include "base/maths.h"

static bool changed(const struct watch_signs *a, const struct watch_signs *b)
{
    return a->calls != b->calls || a->moved != b->moved || a->claimed != b->claimed ||
           a->waiters != b->waiters;
}

static void restart(struct watch *watch, double now, const struct watch_signs *signs)
{
    watch->signs = *signs;
    watch->active = watch->claimed = now;
    watch->closed = watch->paused = watch->stalled = false;
}

void watch_begin(struct watch *watch, double now, const struct watch_signs *signs)
{
    restart(watch, now, signs);
    watch->longest = 0;
}

/* It goes on: it was quiet until now, inside of an I/O. That it was stopped would say nothing. */
static void learn(struct watch *watch, double now)
{
    if (watch->paused && !watch->stalled)
        watch->longest = maths_max(watch->longest, now - watch->active);
}

void watch_resume(struct watch *watch, double now, const struct watch_signs *signs)
{
    learn(watch, now);
    restart(watch, now, signs);
}

double watch_gap(const struct watch *watch, const struct watch_rule *rule)
{
    double learnt = WATCH_FACTOR * maths_max(watch->longest, watch->learnt);
    double gap = maths_max(maths_min(learnt, WATCH_LONGEST), rule->phase_gap);
    return watch->closed ? maths_max(WATCH_CLOSED * gap, rule->soft_release) : gap;
}

/* Takes in the signs. Whether there is a new one. */
static bool notice(struct watch *watch, double now, const struct watch_sample *sample)
{
    bool alive = changed(&watch->signs, &sample->signs);
    if (alive) {
        learn(watch, now);
        bool plausible = sample->last >= watch->active && sample->last <= now;
        watch->active = plausible && !sample->busy ? sample->last : now;
        watch->closed = watch->paused = watch->stalled = false;
    } else if (sample->busy && !watch->stalled) {
        watch->active = now;
    }
    watch->closed |= watch->signs.closed != sample->signs.closed;
    watch->signs = sample->signs;
    return alive;
}

enum watch_verdict watch_look(struct watch *watch, const struct watch_rule *rule, double now,
                              const struct watch_sample *sample)
{
    if (notice(watch, now, sample) || !sample->unclaimed)
        watch->claimed = now;
    if (now - watch->claimed >= (sample->busy && sample->running ? WATCH_STUCK : WATCH_STALL))
        watch->stalled = true;
    if (watch->stalled && (sample->busy || sample->begun))
        return WATCH_PAUSED;
    double quiet = now - watch->active;
    if (sample->busy || sample->begun || quiet < rule->soft_release)
        return WATCH_MOVING;
    watch->paused = true;
    return quiet < watch_gap(watch, rule) ? WATCH_PAUSED : WATCH_OVER;
}

double watch_end(struct watch *watch, double now)
{
    watch->learnt = maths_max(watch->longest, WATCH_DECAY * watch->learnt);
    watch->longest = 0;
    return maths_min(watch->active, now);
}
