/* What an application may use by its own settings and its user's. */
#include "base/maths.h"
#include "daemon/live.h"
#include <math.h>
#include <stdio.h>

/* What the strategy sees. */
struct shares_facts {
    double bmax, weight;
    double stake; /* weight of a byte/s of its nodes */
};

/* The bandwidth of its nodes: its weight against others, whatever its limits. */
static double shares_nodes(const struct live *live, const struct application *app)
{
    return platform_bmax(&live->platform, app->facts.nodes);
}

/* Passes a change to the strategy, between two posts of the same I/O. */
static void shares_tell(struct live *live, double now, struct application *app,
                        struct shares_facts facts)
{
    struct weir_app *old = &app->facts;
    float share = (float)(facts.stake * shares_nodes(live, app) / facts.bmax);
    if (old->bmax == facts.bmax && old->weight == facts.weight && old->share == share)
        return;
    bool active = app->phase == PHASE_OPEN;
    if (active)
        control_suspend(live->control, now, app->id);
    old->bmax = facts.bmax;
    old->weight = facts.weight;
    old->share = share;
    if (active)
        control_resume(live->control, now, app->id);
    live->changed = true;
}

void shares_renew(struct live *live, double now, struct application *app)
{
    double nodes = shares_nodes(live, app), before = app->alone;
    struct weir_app told = app->facts;
    application_absorb(app); /* bytes moved so far count at the old rate */
    app->alone = app->limit > 0 ? maths_min(nodes, app->limit) : nodes;
    shares_tell(live, now, app, (struct shares_facts){app->alone, app->weight, app->stake});
    if (before > 0 && (app->alone != before || app->weight != told.weight))
        journal_change(live->journal, now, app);
}

int shares_place(struct control *control, const struct application *app, struct err *err)
{
    char user[16];
    snprintf(user, sizeof user, "%u", (unsigned)app->user->uid);
    struct control_party party = {.user = user, .nodes = app->facts.nodes};
    return control_place(control, app->id, &party, err);
}

int shares_follow(const struct live *live, const struct shares *shares, struct control *control,
                  struct err *err)
{
    if (!shares)
        return 0;
    if (control_share(control, shares, err) != 0)
        return -1;
    for (uint32_t id = 0; id < live->capacity; id++)
        if (live->apps[id] && shares_place(control, live->apps[id], err) != 0)
            return -1;
    return 0;
}

/* --- among the applications of a user --------------------------------------------------------- */

/* The most that one application may have so that together they have the user's limit: those that
 * take less get what they can take, and the others divide the rest. */
static double shares_level(const struct user *user)
{
    double level = 0, before;
    if (!(user->limit > 0))
        return INFINITY;
    do {
        before = level;
        double left = user->limit;
        uint32_t others = 0;
        for (const struct application *app = user->active; app; app = app->of_active) {
            left -= app->alone <= before ? app->alone : 0;
            others += app->alone > before;
        }
        level = others > 0 ? left / others : INFINITY;
    } while (level > before && level < INFINITY);
    return level;
}

static void shares_divide_user(struct live *live, double now, struct user *user)
{
    double level = shares_level(user);
    for (struct application *app = user->active; app; app = app->of_active) {
        double part = user->weight * (app->weight / user->active_weight);
        bool weighed = user->weight > 0;
        shares_tell(live, now, app,
                    (struct shares_facts){
                        .bmax = maths_min(app->alone, level),
                        .weight = weighed ? part : app->weight,
                        .stake = weighed ? part : app->stake,
                    });
    }
}

void shares_divide(struct live *live, double now)
{
    if (!live->by_user)
        return;
    for (uint32_t i = 0; i < live->open_count; i++) {
        struct application *app = live->apps[live->open[i]];
        struct user *user = app->user;
        if (app->phase != PHASE_OPEN)
            continue;
        app->of_active = user->active;
        user->active_weight = (user->active ? user->active_weight : 0) + app->weight;
        user->active = app;
    }
    for (uint32_t i = 0; i < live->open_count; i++) {
        struct user *user = live->apps[live->open[i]]->user;
        if (user->active)
            shares_divide_user(live, now, user);
        user->active = NULL;
    }
}

void shares_divide_ops(struct live *live, uint64_t now, struct user *user)
{
    double part = user->ops > 0 ? user->ops / user->applications : 0;
    for (struct application *app = user->first; app; app = app->of_user) {
        double ops = app->own_ops;
        if (part > 0 && (ops == 0 || part < ops))
            ops = part;
        if (ops == app->ops)
            continue;
        app->ops = ops;
        if (!live->off)
            pages_limit(&app->pages, now, ops);
    }
}
