#include "control/limits.h"
#include "base/maths.h"

/* What the strategy sees. */
struct limits_facts {
    double bmax, weight, stake;
};

/* Passes a change to the strategy, between two posts of the same I/O. */
static bool limits_tell(struct control *control, double now, struct limited *app,
                        struct limits_facts facts)
{
    struct weir_app *old = app->facts;
    float share = (float)(facts.stake * app->nodes / facts.bmax);
    if (old->bmax == facts.bmax && old->weight == facts.weight && old->share == share)
        return false;
    bool active = control_active(control, app->id);
    if (active)
        control_pause(control, now, app->id);
    old->bmax = facts.bmax;
    old->weight = facts.weight;
    old->share = share;
    if (active)
        control_resume(control, now, app->id);
    return true;
}

bool limits_renew(struct control *control, double now, struct limited *app)
{
    return limits_tell(control, now, app,
                       (struct limits_facts){app->alone, app->weight, app->stake});
}

/* The most that one application may have so that together they have the user's limit: those that
 * take less get what they can take, and the others divide the rest. */
static double limits_level(const struct limited_user *user)
{
    double level = 0, before;
    if (!(user->limit > 0))
        return INFINITY;
    do {
        before = level;
        double left = user->limit;
        uint32_t others = 0;
        for (const struct limited *app = user->active; app; app = app->of_active) {
            left -= app->alone <= before ? app->alone : 0;
            others += app->alone > before;
        }
        level = others > 0 ? left / others : INFINITY;
    } while (level > before && level < INFINITY);
    return level;
}

void limits_claim(struct limited *app)
{
    struct limited_user *user = app->user;
    app->of_active = user->active;
    user->active_weight = (user->active ? user->active_weight : 0) + app->weight;
    user->active = app;
}

void limits_divide(struct control *control, double now, struct limited_user *user,
                   struct limits_told told)
{
    double level = limits_level(user);
    bool weighed = user->weight > 0;
    for (struct limited *app = user->active; app; app = app->of_active) {
        double part = user->weight * (app->weight / user->active_weight);
        struct limits_facts facts = {.bmax = maths_min(app->alone, level),
                                     .weight = weighed ? part : app->weight,
                                     .stake = weighed ? part : app->stake};
        if (limits_tell(control, now, app, facts) && told.call)
            told.call(told.context, app);
    }
    user->active = NULL;
}
