/* What an application may use by its own settings and its user's. */
#include "base/maths.h"
#include "controller/controller.h"
#include <math.h>
#include <stdio.h>

/* What the strategy sees. */
struct shares_facts {
    double bmax, weight;
    double stake; /* weight of a byte/s of its nodes */
};

/* The bandwidth of its nodes: its weight against others, whatever its limits. */
static double shares_nodes(const struct controller *controller, const struct application *app)
{
    return platform_bmax(&controller->platform, app->facts.nodes);
}

/* Passes a change to the strategy, between two posts of the same I/O. */
static void shares_tell(struct controller *controller, double now, struct application *app,
                        struct shares_facts facts)
{
    struct weir_app *old = &app->facts;
    float share = (float)(facts.stake * shares_nodes(controller, app) / facts.bmax);
    if (old->bmax == facts.bmax && old->weight == facts.weight && old->share == share)
        return;
    bool active = app->phase == PHASE_OPEN;
    if (active)
        control_pause(controller->control, now, app->id);
    old->bmax = facts.bmax;
    old->weight = facts.weight;
    old->share = share;
    if (active)
        control_resume(controller->control, now, app->id);
    controller_limit(controller, now, app);
    controller->changed = true;
}

/* Passes its number of nodes to the strategy, between two posts of the same I/O. */
void shares_spread(struct controller *controller, double now, struct application *app, double nodes)
{
    bool active = app->phase == PHASE_OPEN;
    double before = app->alone;
    if (active)
        control_pause(controller->control, now, app->id);
    app->facts.nodes = nodes;
    control_spread(controller->control, app->id, nodes);
    if (active)
        control_resume(controller->control, now, app->id);
    controller->changed = true;
    shares_renew(controller, now, app);
    if (app->alone == before) /* else it is in the journal already */
        journal_change(controller->journal, now, app);
}

void shares_renew(struct controller *controller, double now, struct application *app)
{
    double nodes = shares_nodes(controller, app), before = app->alone;
    struct weir_app told = app->facts;
    if (before > 0) /* bytes moved so far count at the old rate */
        controller_count(controller, now, app);
    app->alone = app->limit > 0 ? maths_min(nodes, app->limit) : nodes;
    shares_tell(controller, now, app, (struct shares_facts){app->alone, app->weight, app->stake});
    if (app->alone != before)
        controller_limit(controller, now, app);
    if (before > 0 && (app->alone != before || app->weight != told.weight))
        journal_change(controller->journal, now, app);
}

int shares_place(const struct shares *shares, struct control *control,
                 const struct application *app, struct err *err)
{
    char user[16];
    snprintf(user, sizeof user, "%u", (unsigned)app->user->uid);
    struct control_party party = {.user = user, .nodes = app->facts.nodes};
    /* A program can announce any account. */
    const struct share_user *member = shares ? shares_user(shares, user, app->account) : NULL;
    if (member)
        party.account = member->account;
    return control_place(control, app->id, &party, err);
}

int shares_follow(const struct controller *controller, const struct shares *shares,
                  struct control *control, struct err *err)
{
    if (!shares)
        return 0;
    if (control_share(control, shares, err) != 0)
        return -1;
    for (uint32_t id = 0; id < controller->capacity; id++)
        if (controller->apps[id] && shares_place(shares, control, controller->apps[id], err) != 0)
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

static void shares_divide_user(struct controller *controller, double now, struct user *user)
{
    double level = shares_level(user);
    for (struct application *app = user->active; app; app = app->of_active) {
        double part = user->weight * (app->weight / user->active_weight);
        bool weighed = user->weight > 0;
        shares_tell(controller, now, app,
                    (struct shares_facts){
                        .bmax = maths_min(app->alone, level),
                        .weight = weighed ? part : app->weight,
                        .stake = weighed ? part : app->stake,
                    });
    }
}

void shares_divide(struct controller *controller, double now)
{
    if (!controller->by_user)
        return;
    for (uint32_t i = 0; i < controller->open_count; i++) {
        struct application *app = controller->apps[controller->open[i]];
        struct user *user = app->user;
        if (app->phase != PHASE_OPEN)
            continue;
        app->of_active = user->active;
        user->active_weight = (user->active ? user->active_weight : 0) + app->weight;
        user->active = app;
    }
    for (uint32_t i = 0; i < controller->open_count; i++) {
        struct user *user = controller->apps[controller->open[i]]->user;
        if (user->active)
            shares_divide_user(controller, now, user);
        user->active = NULL;
    }
}

void shares_divide_ops(struct controller *controller, double now, struct user *user)
{
    double part = user->ops > 0 ? user->ops / user->applications : 0;
    for (struct application *app = user->first; app; app = app->of_user) {
        double ops = app->own_ops;
        if (part > 0 && (ops == 0 || part < ops))
            ops = part;
        if (ops == app->ops)
            continue;
        app->ops = ops;
        controller_limit(controller, now, app);
    }
}
