#include "controller/estimate.h"
#include "base/maths.h"

/* A store counts as full if this part of the estimate was granted. */
#define ESTIMATE_FULL 0.9
/* What was moved is all that was granted, but for this part. */
#define ESTIMATE_SHORT 0.05
/* The store is short if those that are behind have this part of what was granted. */
#define ESTIMATE_PART 0.75
/* How much faster it is raised each time. */
#define ESTIMATE_STEP 1.5

bool estimate_is_behind(double granted, double moved)
{
    return moved < granted * (1 - ESTIMATE_SHORT);
}

struct estimate estimate_start(double low, double high)
{
    struct estimate estimate = {.low = low > 0 ? low : ESTIMATE_LEAST,
                                .high = high > 0 ? high : ESTIMATE_MOST,
                                .probe = ESTIMATE_SLOW};
    estimate.bandwidth = estimate.high;
    return estimate;
}

/* The store gave what it could. One slow program does not prove that, unless it has the store for
 * itself; nor do a few among others that move all they are granted. */
static bool estimate_is_short(const struct estimate_sample *sample, bool full)
{
    bool most = sample->lagging >= ESTIMATE_PART * sample->granted;
    bool several = sample->behind >= 2 || (sample->moving == 1 && full);
    return sample->behind > 0 && several && most &&
           estimate_is_behind(sample->granted, sample->delivered);
}

bool estimate_take(struct estimate *estimate, const struct estimate_sample *sample)
{
    double before = estimate->bandwidth;
    bool full = sample->granted >= ESTIMATE_FULL * before * sample->factor;
    if (estimate_is_short(sample, full)) {
        double aim = ESTIMATE_HEAD * sample->delivered / sample->factor;
        double part = 1 - maths_exp(-sample->seconds / ESTIMATE_TAU);
        estimate->bandwidth += part * (aim - before);
        estimate->probe = ESTIMATE_SLOW;
    } else if (sample->wanted && full) {
        estimate->bandwidth *= 1 + estimate->probe * sample->seconds;
        estimate->probe = maths_min(ESTIMATE_FAST, estimate->probe * ESTIMATE_STEP);
    }
    estimate->bandwidth =
        maths_max(estimate->low, maths_min(estimate->high, estimate->bandwidth));
    return estimate->bandwidth != before;
}
