#include "controller/controller.h"
#include "base/maths.h"
#include "base/mem.h"
#include "control/check.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_CAPACITY = 256 };

double controller_seconds(const struct controller *controller, uint64_t now)
{
    return now > controller->origin ? (double)(now - controller->origin) / 1e9 : 0;
}

uint64_t controller_nanoseconds(const struct controller *controller, double now)
{
    return controller->origin + (uint64_t)llround(now * 1e9);
}

void controller_say(const struct controller *controller, const char *text)
{
    if (controller->say)
        controller->say(controller->context, text);
}

/* --- making and freeing ----------------------------------------------------------------------- */

struct controller *controller_new(const struct service *service, struct policy *policy,
                                  struct journal *journal, uint64_t now, struct err *err)
{
    struct controller *controller = mem_alloc(1, sizeof *controller);
    if (!controller) {
        policy_free(policy);
        err_memory(err);
        return NULL;
    }
    *controller = (struct controller){.service = service,
                                      .store = "",
                                      .platform = service->platform,
                                      .journal = journal,
                                      .origin = now};
    if (!(controller->turns = turns_new(service->platform.bandwidth, err)) ||
        rules_configure(&(struct rules){0}, service, &controller->rules, err) != 0 ||
        controller_rebuild(controller, 0, policy, FIRST_CAPACITY, err) != 0) {
        policy_free(policy);
        controller_free(controller);
        return NULL;
    }
    controller->by_user = rules_by_user(&controller->rules);
    journal_start(journal, 0, &controller->platform, policy->name);
    return controller;
}

void controller_free(struct controller *controller)
{
    if (!controller)
        return;
    for (uint32_t id = 0; id < controller->capacity; id++)
        free(controller->apps[id]);
    control_free(controller->control);
    turns_free(controller->turns);
    policy_free(controller->policy);
    named_plan_free(controller->plan);
    free(controller->places);
    free(controller->apps);
    free(controller->open);
    free(controller->claims);
    rules_free(&controller->rules);
    users_fini(&controller->users);
    free(controller);
}

/* --- orders ----------------------------------------------------------------------------------- */

static void controller_send(struct controller *controller, uint64_t now,
                            const struct node_message *order)
{
    controller->down.obey(controller->down.context, now, order);
}

void controller_limit(struct controller *controller, double now, const struct application *app)
{
    struct node_message order;
    order.type = NODE_LIMIT;
    order.limit = (struct node_limit){.app = app->id,
                                      .bmax = app->facts.bmax,
                                      .alone = app->may.alone,
                                      .ops = app->ops,
                                      .phase = app->number,
                                      .volume = app->volume};
    controller_send(controller, controller_nanoseconds(controller, now), &order);
}

void controller_count(struct controller *controller, double now, const struct application *app)
{
    struct node_message order;
    order.type = NODE_COUNT;
    order.count = (struct node_count){.app = app->id};
    controller_send(controller, controller_nanoseconds(controller, now), &order);
}

void controller_grant(struct controller *controller, uint64_t now, struct application *app,
                      double rate)
{
    struct node_message order;
    controller_settle(controller, controller_seconds(controller, now), app);
    app->rate = rate;
    turns_grant(controller->turns, controller_seconds(controller, now), app->id, rate);
    order.type = NODE_GRANT;
    order.grant = (struct node_grant){.app = app->id, .phase = app->number, .rate = rate};
    controller_send(controller, now, &order);
}

void controller_release(struct controller *controller, uint64_t now, struct application *app)
{
    struct node_message order;
    controller_settle(controller, controller_seconds(controller, now), app);
    app->rate = 0;
    order.type = NODE_OPEN;
    order.open = (struct node_open){.app = app->id};
    controller_send(controller, now, &order);
}

/* --- what hinders an application -------------------------------------------------------------- */

static void controller_count_crowd(struct controller *controller, double now)
{
    if (controller->moving > 1)
        controller->crowded += now - controller->crowded_at;
    controller->crowded_at = now;
}

void controller_settle(struct controller *controller, double now, struct application *app)
{
    bool lacks = !controller->off && app->rate < app->may.alone;
    controller_count_crowd(controller, now);
    if (app->phase == PHASE_OPEN) {
        app->allotted += app->rate * (now - app->hindered_at);
        app->hindered += lacks ? now - app->hindered_at : controller->crowded - app->crowded_at;
    }
    app->hindered_at = now;
    app->crowded_at = controller->crowded;
}

void controller_turn(struct controller *controller, double now, struct application *app,
                     enum page_phase phase)
{
    controller_settle(controller, now, app);
    controller->moving += (uint32_t)(phase == PHASE_OPEN) - (uint32_t)(app->phase == PHASE_OPEN);
    app->phase = phase;
}

/* --- decisions -------------------------------------------------------------------------------- */

/* The part of the bandwidth shared by the applications that have waited too long. */
#define TRICKLE 0.01

/* Their number: the strategy, or one that lends, may have served one since. */
static uint32_t count_starving(struct controller *controller, double now)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < controller->open_count; i++) {
        struct application *app = controller->apps[controller->open[i]];
        bool lent = app->rate > 0 && !app->starving;
        if (app->phase == PHASE_OPEN && (lent || control_rate(controller->control, app->id) > 0)) {
            app->served = now;
            app->starving = false;
        }
        count += app->phase == PHASE_OPEN && app->starving;
    }
    return count;
}

/* `rest`: the part of the bandwidth that is left to the others. */
static double find_rate(const struct controller *controller, const struct application *app,
                        double trickle, double rest)
{
    if (app->phase == PHASE_OPEN)
        return app->starving ? maths_min(trickle, app->facts.bmax)
                             : rest * control_rate(controller->control, app->id);
    return app->probing ? app->facts.bmax : 0;
}

/* Whether any application can use less than it could have. */
static bool controller_has_lenders(const struct controller *controller)
{
    for (uint32_t i = 0; i < controller->open_count; i++)
        if (controller->apps[controller->open[i]]->need < INFINITY)
            return true;
    return false;
}

/* What is granted of that: see the band. */
static double find_grant(const struct controller *controller, const struct application *app,
                         double rate)
{
    if (controller->band == 0 || controller->open_count <= CONTROLLER_FEW)
        return rate;
    bool keeps = rate >= app->rate && rate <= app->rate * (1 + 2 * controller->band);
    return keeps ? app->rate : rate / (1 + controller->band);
}

/* Sends the rate of an application, if it has changed. */
static void controller_send_rate(struct controller *controller, uint64_t now,
                                 struct application *app, double decided)
{
    double rate = find_grant(controller, app, decided);
    if (rate == app->rate)
        return;
    controller_grant(controller, now, app, rate);
    journal_grant(controller->journal, controller_seconds(controller, now), app);
}

/* Lends what some cannot use to others, and sends the rates. Those that prove that they move do so
 * on top of the bandwidth, and take no part. */
static void controller_lend(struct controller *controller, uint64_t now, double trickle,
                            double rest)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < controller->open_count; i++) {
        struct application *app = controller->apps[controller->open[i]];
        double rate = find_rate(controller, app, trickle, rest);
        if (app->phase == PHASE_OPEN)
            controller->claims[count++] = (struct lend_claim){.rate = rate,
                                                              .need = app->need,
                                                              .most = app->facts.bmax,
                                                              .posted = app->posted,
                                                              .id = app->id};
        else
            controller_send_rate(controller, now, app, rate);
    }
    lend(controller->claims, count);
    for (uint32_t i = 0; i < count; i++)
        controller_send_rate(controller, now, controller->apps[controller->claims[i].id],
                             controller->claims[i].rate);
}

/* Sends the rates that have changed. */
static void controller_publish(struct controller *controller, uint64_t now)
{
    uint32_t starving = count_starving(controller, controller_seconds(controller, now));
    double trickle = starving > 0 ? TRICKLE * controller->platform.bandwidth / starving : 0;
    /* On many nodes no grant takes effect that is on top of the bandwidth. */
    double rest = controller->band > 0 && starving > 0 ? 1 - TRICKLE : 1;
    controller->lends = false;
    if (controller->off)
        return;
    if (controller_has_lenders(controller)) {
        controller_lend(controller, now, trickle, rest);
        return;
    }
    for (uint32_t i = 0; i < controller->open_count; i++) {
        struct application *app = controller->apps[controller->open[i]];
        controller_send_rate(controller, now, app, find_rate(controller, app, trickle, rest));
    }
}

/* Goes on without a foreign strategy that has broken a rule, as if another had been set. False if
 * that fails. */
static bool controller_fall_back(struct controller *controller, uint64_t now, const char *why)
{
    struct err err;
    struct wire_set set = {
        .setting = WIRE_SET_POLICY, .app = WIRE_ALL, .text = CONTROLLER_FALLBACK};
    snprintf(set.store, sizeof set.store, "%s", controller->store);
    err_set(&err, "strategy '%s' breaks a rule, " CONTROLLER_FALLBACK " replaces it: %s",
            controller->policy->name, why);
    controller_say(controller, err.text);
    if (controller_set(controller, now, &set, &err) != 0) {
        controller_say(controller, err.text);
        return false;
    }
    controller_note_change(controller, now, (struct controller_author){0}, &set);
    return true;
}

/* Asks the strategy. False if what it answers cannot be believed, and nothing else can be done. */
static bool controller_ask(struct controller *controller, uint64_t now)
{
    double time = controller_seconds(controller, now);
    struct err err;
    uint32_t id;
    controller->changed = false;
    control_decide(controller->control, time);
    if (!controller->policy->foreign ||
        check_rules(controller->control, controller->policy, time, &id, &err) == 0)
        return true;
    if (id != CONTROL_NONE)
        err_prepend(&err, "application '%s'", controller->apps[id]->name);
    return controller_fall_back(controller, now, err.text) && controller_ask(controller, now);
}

/* What an application with small calls has moved since the last look is in the store, too. */
static void controller_see_small(struct controller *controller, double now, struct application *app)
{
    struct err err;
    controller_count(controller, now, app);
    turns_see(controller->turns, now, app->id,
              &(struct turns_calls){.started = app->moved, .rate = app->rate, .most = app->may.alone},
              &err);
}

/* Lets calls that wait start while the store has room. */
static void controller_give_turns(struct controller *controller, uint64_t now)
{
    double time = controller_seconds(controller, now);
    struct turns_store store = {.bandwidth = controller->platform.bandwidth};
    uint32_t id;
    if (controller->off || !turns_any(controller->turns))
        return;
    for (uint32_t i = 0; i < controller->open_count; i++) {
        struct application *app = controller->apps[controller->open[i]];
        if (turns_has(controller->turns, app->id))
            continue;
        store.reserved += app->rate;
        controller_see_small(controller, time, app);
    }
    while ((id = turns_next(controller->turns, time, store)) != TURNS_NONE) {
        struct node_message order;
        order.type = NODE_TURN;
        order.turn = (struct node_turn){.app = id, .phase = controller->apps[id]->number};
        controller_send(controller, now, &order);
    }
}

static void controller_redecide(struct controller *controller, uint64_t now)
{
    double time = controller_seconds(controller, now);
    uint32_t id;
    while ((id = control_due(controller->control, time)) != CONTROL_NONE)
        controller_overrun(controller, time, controller->apps[id]);
    bool asks = controller->changed || control_woken(controller->control, time);
    if (!asks && !controller->lends)
        return;
    /* Large calls, and small ones beside them, do not move at the rates that are granted. */
    if (asks && turns_busy(controller->turns))
        controller_observe(controller, time);
    if (asks)
        shares_divide(controller, time);
    if (!asks || controller_ask(controller, now))
        controller_publish(controller, now);
}

void controller_decide(struct controller *controller, uint64_t now)
{
    controller_redecide(controller, now);
    controller_give_turns(controller, now);
}

uint64_t controller_next(const struct controller *controller)
{
    double due = maths_min(control_next(controller->control), turns_due(controller->turns));
    /* One nanosecond more, so that rounding does not make it early. */
    return due < 1e9 ? controller->origin + (uint64_t)(due * 1e9) + 1 : UINT64_MAX;
}
