/* What can change while the controller runs. */
#include "base/maths.h"
#include "base/mem.h"
#include "base/text.h"
#include "controller/controller.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- going on with another controller ----------------------------------------------------------
 */

static int settings_make_room(struct controller *controller, uint32_t capacity, struct err *err)
{
    if (capacity == controller->capacity)
        return 0;
    struct application **apps = mem_grow(controller->apps, capacity, sizeof *apps);
    if (apps)
        controller->apps = apps;
    uint32_t *open = mem_grow(controller->open, capacity, sizeof *open);
    if (open)
        controller->open = open;
    struct lend_claim *claims = mem_grow(controller->claims, capacity, sizeof *claims);
    if (claims)
        controller->claims = claims;
    if (!apps || !open || !claims)
        return err_memory(err);
    for (uint32_t id = controller->capacity; id < capacity; id++)
        controller->apps[id] = NULL;
    controller->capacity = capacity;
    return 0;
}

/* What a controller must have, */
struct needs {
    double bandwidth;
    uint32_t capacity;
    const struct shares *shares; /* or NULL */
};

/* and what there is to continue with. */
struct successor {
    struct control *control;
    struct named_plan *plan;
    uint32_t *places;
};

static void successor_free(const struct controller *controller, struct successor *next)
{
    control_free(next->control);
    if (next->plan != controller->plan)
        named_plan_free(next->plan);
    free(next->places);
}

/* The plan that the strategy follows, and who has which place in it. */
static int settings_plan(const struct controller *controller, const struct policy *policy,
                         const struct needs *needs, struct successor *next, struct err *err)
{
    struct platform platform = controller->platform;
    platform.bandwidth = needs->bandwidth;
    if (policy == controller->policy)
        next->plan = controller->plan;
    else if (policy->ops->flags & WEIR_NEEDS_PLAN &&
             !(next->plan = named_plan_load(policy, &platform, err)))
        return -1;
    next->places = mem_alloc(needs->capacity, sizeof *next->places);
    if (!next->places)
        return err_memory(err);
    for (uint32_t id = 0; id < controller->capacity; id++)
        if (controller->apps[id])
            next->places[id] =
                named_plan_place(next->plan, controller->apps[id]->name, next->places, id);
    return 0;
}

/* 0, or -1 with err and nothing has changed. */
static int settings_prepare(struct controller *controller, struct policy *policy,
                            const struct needs *needs, struct successor *next, struct err *err)
{
    *next = (struct successor){0};
    if (settings_plan(controller, policy, needs, next, err) == 0) {
        const struct weir_setup setup = {.bandwidth = needs->bandwidth,
                                         .horizon = INFINITY,
                                         .capacity = needs->capacity,
                                         .plan = next->plan ? next->plan->plan : NULL,
                                         .places = next->places,
                                         .planner = &controller->planner};
        next->control = control_new(policy, &setup, err);
    }
    if (next->control && shares_follow(controller, needs->shares, next->control, err) == 0 &&
        settings_make_room(controller, needs->capacity, err) == 0)
        return 0;
    successor_free(controller, next);
    return -1;
}

/* Continues with what was prepared for this strategy. */
static void go_on(struct controller *controller, double now, struct policy *policy,
                  const struct successor *next)
{
    if (controller->control) {
        control_adopt(next->control, now, controller->control);
        controller->decisions += control_decisions(controller->control);
    }
    control_free(controller->control);
    if (policy != controller->policy)
        policy_free(controller->policy);
    if (next->plan != controller->plan)
        named_plan_free(controller->plan);
    free(controller->places);
    controller->control = next->control;
    controller->plan = next->plan;
    controller->places = next->places;
    controller->policy = policy;
    controller->changed = true;
    measured_start(controller, now);
}

int controller_rebuild(struct controller *controller, double now, struct policy *policy,
                       uint32_t capacity, struct err *err)
{
    const struct needs needs = {controller->platform.bandwidth, capacity,
                                controller->service->shares};
    struct successor next;
    if (settings_prepare(controller, policy, &needs, &next, err) != 0)
        return -1;
    go_on(controller, now, policy, &next);
    return 0;
}

/* --- what rules say ----------------------------------------------------------------------------
 */

/* The rule for an application: by its id, else by its name, else for all. */
static const struct rule *rule_for(const struct controller *controller, enum wire_setting setting,
                                   const struct application *app)
{
    struct wire_set set = {.setting = setting, .app = app->id};
    const struct rule *rule = rules_find(&controller->rules, &set);
    set.app = WIRE_ALL;
    memcpy(set.text, app->name, sizeof app->name);
    if (!rule)
        rule = rules_find(&controller->rules, &set);
    set.text[0] = 0;
    return rule ? rule : rules_find(&controller->rules, &set);
}

/* The value of a rule, or 0. */
static double value_of(const struct rule *rule)
{
    return rule ? rule->set.value : 0;
}

static double value_for_user(const struct controller *controller, enum wire_setting setting,
                             uint32_t uid)
{
    const struct wire_set set = {
        .setting = setting, .app = WIRE_ALL, .scope = WIRE_OF_USER, .uid = uid};
    return value_of(rules_find(&controller->rules, &set));
}

static void apply_to_user(const struct controller *controller, struct user *user)
{
    user->may.limit = value_for_user(controller, WIRE_SET_LIMIT, user->uid);
    user->ops = value_for_user(controller, WIRE_SET_OPS, user->uid);
    user->may.weight = value_for_user(controller, WIRE_SET_WEIGHT, user->uid);
}

struct user *controller_user(struct controller *controller, uint32_t uid)
{
    struct user *user = users_find(&controller->users, uid);
    if (user)
        return user;
    user = users_get(&controller->users, uid);
    if (user)
        apply_to_user(controller, user);
    return user;
}

void controller_apply_rules(struct controller *controller, double now, struct application *app)
{
    const struct rule *weight = rule_for(controller, WIRE_SET_WEIGHT, app);
    double limit = value_of(rule_for(controller, WIRE_SET_LIMIT, app)), of_user = app->user->may.limit;
    app->limit = limit > 0 && of_user > 0 ? maths_min(limit, of_user) : limit + of_user;
    app->own_ops = value_of(rule_for(controller, WIRE_SET_OPS, app));
    app->may.weight = weight ? weight->set.value : app->announced;
    app->may.stake = weight ? weight->set.value : 1;
    shares_renew(controller, now, app);
}

/* --- other rules -------------------------------------------------------------------------------
 */

/* What a list of rules amounts to. */
struct target {
    const char *policy;
    struct platform platform;
    bool off;
};

static const struct rule *rule_of_all(const struct rules *rules, enum wire_setting setting)
{
    return rules_find(rules, &(struct wire_set){.setting = setting, .app = WIRE_ALL});
}

static struct target find_target(const struct controller *controller, const struct rules *rules,
                                 const struct service *service)
{
    const struct rule *control = rule_of_all(rules, WIRE_SET_CONTROL);
    double bandwidth = value_of(rule_of_all(rules, WIRE_SET_BANDWIDTH));
    struct target target = {
        .policy = rule_of_all(rules, WIRE_SET_POLICY)->set.text,
        .platform = service->platform,
        .off = bandwidth == 0 || (control && control->set.value == 0),
    };
    target.platform.bandwidth = bandwidth > 0 ? bandwidth : controller->platform.bandwidth;
    return target;
}

/* Releases all applications from control, or takes them back. */
static void turn(struct controller *controller, uint64_t now, bool off)
{
    controller->off = off;
    for (uint32_t id = 0; id < controller->capacity; id++) {
        struct application *app = controller->apps[id];
        if (!app)
            continue;
        if (off)
            controller_release(controller, now, app);
        else
            controller_grant(controller, now, app, 0);
    }
}

/* Applies a change of rules, of users or not, to all applications. */
struct renewal {
    struct controller *controller;
    double now;
};

static void renew_user(void *context, struct user *user)
{
    const struct renewal *renewal = context;
    struct controller *controller = renewal->controller;
    apply_to_user(controller, user);
    for (struct application *app = user->first; app; app = app->of_user)
        controller_apply_rules(controller, renewal->now, app);
    shares_divide_ops(controller, renewal->now, user);
}

static void settings_take(struct controller *controller, uint64_t now, struct rules *rules,
                          const struct target *target)
{
    rules_free(&controller->rules);
    controller->rules = *rules;
    controller->by_user = rules_by_user(rules);
    controller->platform = target->platform;
    users_each(&controller->users, renew_user,
               &(struct renewal){controller, controller_seconds(controller, now)});
    if (target->off != controller->off)
        turn(controller, now, target->off);
    controller->changed = true;
}

int controller_adopt(struct controller *controller, uint64_t now, struct rules *rules,
                     const struct service *service, struct err *err)
{
    struct target target = find_target(controller, rules, service);
    struct policy *policy = controller->policy;
    struct successor next = {0};
    bool other =
        strcmp(target.policy, rule_of_all(&controller->rules, WIRE_SET_POLICY)->set.text) != 0;
    bool rebuild = other || target.platform.bandwidth != controller->platform.bandwidth ||
                   service->shares != controller->service->shares;
    const struct needs needs = {target.platform.bandwidth, controller->capacity, service->shares};
    if (other)
        policy = policy_open(target.policy, err);
    /* Everything that can fail comes before any change. */
    if (!policy || (rebuild && settings_prepare(controller, policy, &needs, &next, err) != 0)) {
        if (policy != controller->policy)
            policy_free(policy);
        rules_free(rules);
        return -1;
    }
    settings_take(controller, now, rules, &target);
    if (rebuild)
        go_on(controller, controller_seconds(controller, now), policy, &next);
    controller->service = service;
    measured_start(controller, controller_seconds(controller, now));
    return 0;
}

int controller_reload(struct controller *controller, uint64_t now, const struct service *service,
                      struct err *err)
{
    const struct controller_author none = {0};
    struct rules fresh;
    if (rules_configure(&controller->rules, service, &fresh, err) != 0 ||
        controller_adopt(controller, now, &fresh, service, err) != 0)
        return -1;
    controller_note_change(controller, now, none,
                           &rule_of_all(&controller->rules, WIRE_SET_POLICY)->set);
    controller_note_change(controller, now, none,
                           &rule_of_all(&controller->rules, WIRE_SET_BANDWIDTH)->set);
    return 0;
}

static int settings_check_set(const struct controller *controller, const struct wire_set *set,
                              struct err *err)
{
    bool of_applications = wire_setting_is_of_applications((enum wire_setting)set->setting);
    if (set->app != WIRE_ALL && (set->app >= controller->capacity || !controller->apps[set->app]))
        return err_set(err, "unknown application %u", set->app);
    if (of_applications && strlen(set->text) >= WIRE_NAME)
        return err_set(err, "the name '%s' is too long", set->text);
    if (!set->unset && (!(set->value >= 0 && set->value < INFINITY) ||
                        (set->setting == WIRE_SET_WEIGHT && set->value == 0)))
        return err_set(err, "invalid value %g for this setting", set->value);
    return 0;
}

int controller_check(const struct controller *controller, const struct wire_set *set,
                     struct err *err)
{
    if (settings_check_set(controller, set, err) != 0)
        return -1;
    return set->setting == WIRE_SET_POLICY && !set->unset
               ? named_plan_check(set->text, &controller->platform, err)
               : 0;
}

int controller_set(struct controller *controller, uint64_t now, const struct wire_set *set,
                   struct err *err)
{
    struct rules fresh;
    if (settings_check_set(controller, set, err) != 0 ||
        rules_change(&controller->rules, set, &fresh, err) != 0)
        return -1;
    return controller_adopt(controller, now, &fresh, controller->service, err);
}
