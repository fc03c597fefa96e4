#include "control/check.h"
#include "base/maths.h"
#include "base/mem.h"
#include <stdlib.h>

/* Rounding in sums of rates and in rate * time stays far below this. */
#define TOLERANCE 1e-9
/* An I/O is complete when at most 1e-9 of it remains, or what takes a few units in the last place
 * of the time: twice that is too much. */
#define UNMOVED 2e-9
#define LATE    (4 * MATHS_ROUNDING)

/* --- rules ------------------------------------------------------------------------------------ */

/* What a strategy names, before anything is made of it. */
static int check_grant(const struct weir_view *view, const struct weir_grant *grant,
                       const struct weir_policy_ops *ops, uint32_t *app, struct err *err)
{
    *app = CONTROL_NONE;
    if (grant->app >= view->count)
        return err_set(err, "granted bandwidth to application %u of %u", grant->app, view->count);
    *app = grant->app;
    if (!(grant->rate >= 0 && grant->rate < INFINITY))
        return err_set(err, "granted %g bytes/s, expected a number from 0 on", grant->rate);
    if (grant->rate == 0)
        return 0;
    const struct weir_run *run = &view->runs[grant->app];
    if (run->state != WEIR_ACTIVE)
        return err_set(err, "granted bandwidth without an I/O");
    if (grant->shared && !(ops->flags & WEIR_SHARES))
        return err_set(err, "granted a share by a strategy without WEIR_SHARES");
    return 0;
}

static int check_answer(struct control *control, const struct weir_view *view,
                        const struct weir_policy_ops *ops, uint32_t *app, struct err *err)
{
    const struct weir_grants *grants = control_answer(control);
    for (uint32_t i = 0; i < grants->count; i++)
        if (check_grant(view, &grants->list[i], ops, app, err) != 0)
            return -1;
    *app = control_repeated(control);
    if (*app != CONTROL_NONE)
        return err_set(err, "granted bandwidth twice in one decision");
    if (!(grants->scale >= 0 && grants->scale < INFINITY))
        return err_set(err, "a scale of %g, expected a number from 0 on", grants->scale);
    if (isnan(grants->wake))
        return err_set(err, "a timer at a time that is not a number");
    return 0;
}

/* What was granted in all. */
struct check_sum {
    double total, bmax; /* rates, and the most that those with a rate can take */
    uint32_t movers;    /* how many these are */
};

/* Nothing is wasted if those that are served have all that they can use together, and one more
 * would add nothing to that. */
static int check_sums(const struct weir_view *view, const struct weir_policy_ops *ops,
                      const struct check_sum *sum, struct err *err)
{
    double most = weir_bandwidth(view, sum->movers), wanted = fmin(sum->bmax, most);
    if (sum->total > most * (1 + TOLERANCE))
        return err_set(err, "granted %.17g bytes/s in all, the file system has %.17g", sum->total,
                       most);
    if (!(ops->flags & WEIR_WORK_CONSERVING))
        return 0;
    if (sum->movers < view->active_count)
        wanted = fmin(view->active_bmax, fmax(wanted, weir_bandwidth(view, sum->movers + 1)));
    if (sum->total < wanted * (1 - TOLERANCE))
        return err_set(err, "granted %.17g bytes/s in all, %.17g could be used", sum->total,
                       wanted);
    return 0;
}

int check_rules(struct control *control, const struct policy *policy, double now, uint32_t *app,
                struct err *err)
{
    const struct weir_view *view = control_view(control, now);
    struct check_sum sum = {0};
    if (view->active_count == 0)
        return 0;
    if (check_answer(control, view, policy->ops, app, err) != 0)
        return -1;
    for (uint32_t i = 0; i < view->active_count; i++) {
        *app = view->active[i];
        double rate = control_rate(control, *app), bmax = view->runs[*app].app->bmax;
        if (rate > bmax * (1 + TOLERANCE))
            return err_set(err, "granted %.17g bytes/s, can take %.17g", rate, bmax);
        sum.total += rate;
        sum.movers += rate > 0;
        sum.bmax += rate > 0 ? bmax : 0;
    }
    *app = CONTROL_NONE;
    return check_sums(view, policy->ops, &sum, err);
}

/* --- bytes ------------------------------------------------------------------------------------ */

struct check {
    double *moved; /* bytes of the current I/O of each application */
    double since;
};

struct check *check_new(uint32_t capacity)
{
    struct check *check = mem_alloc(1, sizeof(*check));
    double *moved = mem_alloc(capacity, sizeof(*moved));
    if (!check || !moved) {
        free(check);
        free(moved);
        return NULL;
    }
    *check = (struct check){.moved = moved};
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
    return err_set(err, "moved %.17g bytes of an I/O of %.17g", moved, run->volume);
}

void check_forget(struct check *check, uint32_t id)
{
    check->moved[id] = 0;
}
