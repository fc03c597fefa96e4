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

static bool untouched_is(const struct untouched *untouched, const struct weir_run *run,
                         const struct app_outcome *outcome, uint32_t id)
{
    const struct weir_app *facts = &untouched->facts[id];
    double ideal = facts->total_work + facts->total_io;
    if (memcmp(facts, &untouched->workload->apps[id].facts, sizeof *facts) != 0)
        return false;
    if (!isnan(outcome->completion) && run->finished != facts->iterations)
        return false;
    /* One that was running before may have done more than its own phases. */
    bool whole = facts->release >= 0 && facts->progress == 0;
    bool short_of =
        !isnan(outcome->completion) && outcome->done_ideal < ideal * (1 - ROUNDING) - ROUNDING;
    return !whole || (!short_of && outcome->lost >= -ROUNDING * (ideal + fabs(outcome->lost)) &&
                      outcome->done_work <= facts->total_work * (1 + ROUNDING) + ROUNDING &&
                      outcome->done_ideal <= ideal * (1 + ROUNDING) + ROUNDING);
}

int untouched_check(const struct untouched *untouched, const struct weir_view *view,
                    const struct outcome *outcome, struct err *err)
{
    char label[APP_LABEL];
    if (view->bandwidth != untouched->bandwidth)
        return err_set(err, "the strategy has changed the bandwidth that it is shown");
    for (uint32_t id = 0; id < outcome->count; id++)
        if (!untouched_is(untouched, &view->runs[id], &outcome->apps[id], id))
            return err_set(err, "application '%s': the strategy has changed what it is shown",
                           app_label(&untouched->workload->apps[id], label, sizeof label));
    return 0;
}
