#include "sim/untouched.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounding of sums over a whole run. */
#define ROUNDING 1e-6

struct untouched {
    const struct workload *workload;
    double bandwidth;
    struct weir_app *facts;
};

struct untouched *untouched_new(const struct workload *workload)
{
    struct untouched *untouched = mem_alloc(1, sizeof *untouched);
    struct weir_app *facts = mem_alloc(workload->count, sizeof *facts);
    if (!untouched || !facts) {
        free(untouched);
        free(facts);
        return NULL;
    }
    *untouched = (struct untouched){workload, workload->platform.bandwidth, facts};
    for (uint32_t id = 0; id < workload->count; id++)
        memcpy(&facts[id], &workload->apps[id].facts, sizeof *facts);
    return untouched;
}

void untouched_free(struct untouched *untouched)
{
    if (untouched)
        free(untouched->facts);
    free(untouched);
}

void untouched_start(struct untouched *untouched, uint32_t id)
{
    untouched->facts[id].release = untouched->workload->apps[id].facts.release;
}

static bool untouched_is(const struct untouched *untouched, const struct weir_view *view,
                         uint32_t id)
{
    const struct weir_app *facts = &untouched->facts[id];
    const struct weir_run *run = &view->runs[id];
    double ideal = facts->total_work + facts->total_io;
    if (memcmp(facts, &untouched->workload->apps[id].facts, sizeof *facts) != 0)
        return false;
    if (!run->app)
        return true;
    bool over = run->state == WEIR_ABSENT;
    if (over && run->finished != facts->iterations)
        return false;
    /* One that was running before may have done more than its own phases. */
    if (facts->release < 0 || facts->progress > 0)
        return true;
    double lost = weir_lost(view, run);
    bool short_of = over && run->done_ideal < ideal * (1 - ROUNDING) - ROUNDING;
    return !short_of && lost >= -ROUNDING * (ideal + fabs(lost)) &&
           run->done_work <= facts->total_work * (1 + ROUNDING) + ROUNDING &&
           run->done_ideal <= ideal * (1 + ROUNDING) + ROUNDING;
}

int untouched_check(const struct untouched *untouched, const struct weir_view *view,
                    bool everything, struct err *err)
{
    char label[APP_LABEL];
    bool varies = platform_health(&untouched->workload->platform) != NULL;
    if (view->bandwidth != untouched->bandwidth && !varies)
        return err_set(err, "the strategy has changed the bandwidth that it is shown");
    for (uint32_t id = 0; id < untouched->workload->count; id++)
        if ((everything || view->runs[id].app) && !untouched_is(untouched, view, id))
            return err_set(err, "application '%s': the strategy has changed what it is shown",
                           app_label(&untouched->workload->apps[id], label, sizeof label));
    return 0;
}
