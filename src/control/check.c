#include "control/check.h"
#include "base/maths.h"
#include "base/mem.h"
#include <stdlib.h>

/* Rounding in sums of rates and in rate * time stays far below this. */
#define TOLERANCE 1e-9
/* An I/O is complete when at most 1e-9 of it remains, or what takes a few units in the last place
 * of the date: twice that is too much. */
#define UNMOVED 2e-9
#define LATE    (4 * MATHS_ROUNDING)

struct check {
    const struct policy *policy;
    double *moved; /* bytes of the current I/O of each application */
    double since;
};

struct check *check_new(const struct policy *policy, uint32_t capacity)
{
    struct check *check = mem_alloc(1, sizeof(*check));
    double *moved = mem_alloc(capacity, sizeof(*moved));
    if (!check || !moved) {
        free(check);
        free(moved);
        return NULL;
    }
    *check = (struct check){.policy = policy, .moved = moved};
    return check;
}

void check_free(struct check *check)
{
    if (check)
        free(check->moved);
    free(check);
}

void check_elapse(struct check *check, struct control *control, double now)
{
    const struct weir_view *view = control_view(control, now);
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        check->moved[id] += control_rate(control, id) * (now - check->since);
    }
    check->since = now;
}

int check_complete(struct check *check, struct control *control, uint32_t id, struct err *err)
{
    const struct weir_run *run = &control_view(control, check->since)->runs[id];
    double moved = check->moved[id], now = check->since;
    double slack = UNMOVED * run->volume + LATE * now * run->app->bmax;
    check->moved[id] = 0;
    if (fabs(moved - run->volume) <= slack)
        return 0;
    return err_set(err, "%s at %.9g s: application %u moved %.17g bytes of an I/O of %.17g",
                   check->policy->name, now, id, moved, run->volume);
}

void check_forget(struct check *check, uint32_t id)
{
    check->moved[id] = 0;
}

int check_decide(struct check *check, struct control *control, double now, struct err *err)
{
    const struct weir_view *view = control_view(control, now);
    double total = 0, wanted = fmin(view->active_bmax, view->bandwidth);
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        double rate = control_rate(control, id), bmax = view->runs[id].app->bmax;
        if (rate > bmax * (1 + TOLERANCE))
            return err_set(err, "%s at %.9g s: application %u got %.17g bytes/s, can take %.17g",
                           check->policy->name, now, id, rate, bmax);
        total += rate;
    }
    if (total > view->bandwidth * (1 + TOLERANCE))
        return err_set(err, "%s at %.9g s: %.17g bytes/s granted, the file system has %.17g",
                       check->policy->name, now, total, view->bandwidth);
    if (check->policy->ops->flags & WEIR_WORK_CONSERVING && total < wanted * (1 - TOLERANCE))
        return err_set(err, "%s at %.9g s: %.17g bytes/s granted, %.17g could be used",
                       check->policy->name, now, total, wanted);
    return 0;
}
