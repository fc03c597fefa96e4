/* What an application may use by its own settings and its user's. */
#include "base/maths.h"
#include "controller/controller.h"
#include <math.h>
#include <stdio.h>

/* The bandwidth of its nodes: its weight against others, whatever its limits. */
static double shares_nodes(const struct controller *controller, const struct application *app)
{
    return platform_bmax(&controller->platform, app->facts.nodes);
}

/* The strategy has heard of other facts. */
static void shares_told(struct controller *controller, double now, struct application *app)
{
    controller_limit(controller, now, app);
    controller->changed = true;
}

/* Passes its number of nodes to the strategy, between two posts of the same I/O. */
void shares_spread(struct controller *controller, double now, struct application *app, double nodes)
{
    bool active = app->phase == PHASE_OPEN;
    double before = app->may.alone;
    if (active)
        control_pause(controller->control, now, app->id);
    app->facts.nodes = nodes;
    control_spread(controller->control, app->id, nodes);
    if (active)
        control_resume(controller->control, now, app->id);
    controller->changed = true;
    shares_renew(controller, now, app);
    if (app->may.alone == before) /* else it is in the journal already */
        journal_change(controller->journal, now, app);
}

void shares_renew(struct controller *controller, double now, struct application *app)
{
    double nodes = shares_nodes(controller, app), before = app->may.alone;
    struct weir_app told = app->facts;
    if (before > 0) /* bytes moved so far count at the old rate */
        controller_count(controller, now, app);
    app->may.alone = app->limit > 0 ? maths_min(nodes, app->limit) : nodes;
    app->may.nodes = nodes;
    app->may.id = app->id;
    app->may.facts = &app->facts;
    app->may.user = &app->user->may;
    if (limits_renew(controller->control, now, &app->may))
        shares_told(controller, now, app);
    if (app->may.alone != before)
        controller_limit(controller, now, app);
    if (before > 0 && (app->may.alone != before || app->may.weight != told.weight))
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

struct shares_divided {
    struct controller *controller;
    double now;
};

static void shares_on_change(void *context, struct limited *may)
{
    const struct shares_divided *divided = context;
    shares_told(divided->controller, divided->now, divided->controller->apps[may->id]);
}

void shares_divide(struct controller *controller, double now)
{
    struct shares_divided divided = {controller, now};
    if (!controller->by_user)
        return;
    for (uint32_t i = 0; i < controller->open_count; i++) {
        struct application *app = controller->apps[controller->open[i]];
        if (app->phase == PHASE_OPEN)
            limits_claim(&app->may);
    }
    for (uint32_t i = 0; i < controller->open_count; i++)
        limits_divide(controller->control, now, &controller->apps[controller->open[i]]->user->may,
                      (struct limits_told){shares_on_change, &divided});
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
