/* What can change while the controller runs. */
#include "base/maths.h"
#include "base/mem.h"
#include "base/text.h"
#include "daemon/live.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- going on with another controller ----------------------------------------------------------
 */

static int settings_make_room(struct live *live, uint32_t capacity, struct err *err)
{
    if (capacity == live->capacity)
        return 0;
    struct application **apps = mem_grow(live->apps, capacity, sizeof *apps);
    if (apps)
        live->apps = apps;
    uint32_t *open = mem_grow(live->open, capacity, sizeof *open);
    if (open)
        live->open = open;
    if (!apps || !open || tokens_resize(&live->tokens, capacity) != 0)
        return err_memory(err);
    for (uint32_t id = live->capacity; id < capacity; id++)
        live->apps[id] = NULL;
    live->capacity = capacity;
    return 0;
}

/* A controller to continue with; NULL with err, and nothing has changed. */
static struct control *settings_prepare(struct live *live, struct policy *policy,
                                        const struct weir_setup *needs, const struct shares *shares,
                                        struct err *err)
{
    struct weir_setup setup = *needs;
    setup.horizon = INFINITY;
    if (policy->ops->flags & WEIR_NEEDS_PLAN) {
        err_set(err, "strategy '%s' follows a plan; a live controller has none", policy->name);
        return NULL;
    }
    struct control *control = control_new(policy, &setup, err);
    if (control && shares_follow(live, shares, control, err) == 0 &&
        settings_make_room(live, setup.capacity, err) == 0)
        return control;
    control_free(control);
    return NULL;
}

/* Continues with a controller that was prepared for this strategy. */
static void go_on(struct live *live, double now, struct policy *policy, struct control *control)
{
    if (live->control) {
        control_adopt(control, now, live->control);
        live->decisions += control_decisions(live->control);
    }
    control_free(live->control);
    if (policy != live->policy)
        policy_free(live->policy);
    live->control = control;
    live->policy = policy;
    live->changed = true;
}

int live_rebuild(struct live *live, double now, struct policy *policy, uint32_t capacity,
                 struct err *err)
{
    const struct weir_setup setup = {.bandwidth = live->platform.bandwidth, .capacity = capacity};
    struct control *control = settings_prepare(live, policy, &setup, live->service->shares, err);
    if (!control)
        return -1;
    go_on(live, now, policy, control);
    return 0;
}

/* --- what rules say ----------------------------------------------------------------------------
 */

/* The rule for an application: by its id, else by its name, else for all. */
static const struct rule *rule_for(const struct live *live, enum wire_setting setting,
                                   const struct application *app)
{
    struct wire_set set = {.setting = setting, .app = app->id};
    const struct rule *rule = rules_find(&live->rules, &set);
    set.app = WIRE_ALL;
    memcpy(set.text, app->name, sizeof app->name);
    if (!rule)
        rule = rules_find(&live->rules, &set);
    set.text[0] = 0;
    return rule ? rule : rules_find(&live->rules, &set);
}

/* The value of a rule, or 0. */
static double value_of(const struct rule *rule)
{
    return rule ? rule->set.value : 0;
}

static double value_for_user(const struct live *live, enum wire_setting setting, uint32_t uid)
{
    const struct wire_set set = {
        .setting = setting, .app = WIRE_ALL, .scope = WIRE_OF_USER, .uid = uid};
    return value_of(rules_find(&live->rules, &set));
}

static void apply_to_user(const struct live *live, struct user *user)
{
    user->limit = value_for_user(live, WIRE_SET_LIMIT, user->uid);
    user->ops = value_for_user(live, WIRE_SET_OPS, user->uid);
    user->weight = value_for_user(live, WIRE_SET_WEIGHT, user->uid);
}

struct user *live_user(struct live *live, uint32_t uid)
{
    struct user *user = users_find(&live->users, uid);
    if (user)
        return user;
    user = users_get(&live->users, uid);
    if (user)
        apply_to_user(live, user);
    return user;
}

void live_apply_rules(struct live *live, double now, struct application *app)
{
    const struct rule *weight = rule_for(live, WIRE_SET_WEIGHT, app);
    double limit = value_of(rule_for(live, WIRE_SET_LIMIT, app)), of_user = app->user->limit;
    app->limit = limit > 0 && of_user > 0 ? maths_min(limit, of_user) : limit + of_user;
    app->own_ops = value_of(rule_for(live, WIRE_SET_OPS, app));
    app->weight = weight ? weight->set.value : app->announced;
    app->stake = weight ? weight->set.value : 1;
    shares_renew(live, now, app);
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

static struct target find_target(const struct live *live, const struct rules *rules,
                                 const struct service *service)
{
    const struct rule *control = rule_of_all(rules, WIRE_SET_CONTROL);
    double bandwidth = value_of(rule_of_all(rules, WIRE_SET_BANDWIDTH));
    struct target target = {
        .policy = rule_of_all(rules, WIRE_SET_POLICY)->set.text,
        .platform = service->platform,
        .off = bandwidth == 0 || (control && control->set.value == 0),
    };
    target.platform.bandwidth = bandwidth > 0 ? bandwidth : live->platform.bandwidth;
    return target;
}

/* Releases all applications from control, or takes them back. */
static void turn(struct live *live, uint64_t now, bool off)
{
    live->off = off;
    for (uint32_t id = 0; id < live->capacity; id++) {
        struct application *app = live->apps[id];
        if (!app)
            continue;
        app->rate = 0;
        if (off) {
            pages_open(&app->pages);
        } else {
            pages_grant(&app->pages, now, 0);
            pages_limit(&app->pages, now, app->ops);
        }
    }
}

/* Applies a change of rules, of users or not, to all applications. */
struct renewal {
    struct live *live;
    uint64_t now;
};

static void renew_user(void *context, struct user *user)
{
    const struct renewal *renewal = context;
    struct live *live = renewal->live;
    apply_to_user(live, user);
    for (struct application *app = user->first; app; app = app->of_user)
        live_apply_rules(live, live_seconds(live, renewal->now), app);
    shares_divide_ops(live, renewal->now, user);
}

static void settings_take(struct live *live, uint64_t now, struct rules *rules,
                          const struct target *target)
{
    rules_free(&live->rules);
    live->rules = *rules;
    live->by_user = rules_by_user(rules);
    live->platform = target->platform;
    users_each(&live->users, renew_user, &(struct renewal){live, now});
    if (target->off != live->off)
        turn(live, now, target->off);
    live->changed = true;
}

int live_adopt(struct live *live, uint64_t now, struct rules *rules, const struct service *service,
               struct err *err)
{
    struct target target = find_target(live, rules, service);
    struct policy *policy = live->policy;
    struct control *control = NULL;
    bool other = strcmp(target.policy, rule_of_all(&live->rules, WIRE_SET_POLICY)->set.text) != 0;
    bool rebuild = other || target.platform.bandwidth != live->platform.bandwidth ||
                   service->shares != live->service->shares;
    const struct weir_setup setup = {.bandwidth = target.platform.bandwidth,
                                     .capacity = live->capacity};
    if (other)
        policy = policy_open(target.policy, err);
    if (policy && rebuild)
        control = settings_prepare(live, policy, &setup, service->shares, err);
    /* Everything that can fail comes before any change. */
    if (!policy || (rebuild && !control)) {
        if (policy != live->policy)
            policy_free(policy);
        rules_free(rules);
        return -1;
    }
    settings_take(live, now, rules, &target);
    if (rebuild)
        go_on(live, live_seconds(live, now), policy, control);
    live->service = service;
    for (uint32_t id = 0; id < live->capacity; id++)
        if (live->apps[id])
            pages_bound(&live->apps[id]->pages, live_patience(live));
    return 0;
}

int live_reload(struct live *live, uint64_t now, const struct service *service, struct err *err)
{
    struct rules fresh;
    if (rules_configure(&live->rules, service, &fresh, err) != 0 ||
        live_adopt(live, now, &fresh, service, err) != 0)
        return -1;
    live_note_change(live, now, NULL, &rule_of_all(&live->rules, WIRE_SET_POLICY)->set);
    live_note_change(live, now, NULL, &rule_of_all(&live->rules, WIRE_SET_BANDWIDTH)->set);
    return 0;
}

static int settings_check_set(const struct live *live, const struct wire_set *set, struct err *err)
{
    bool of_applications = wire_setting_is_of_applications((enum wire_setting)set->setting);
    if (set->app != WIRE_ALL && (set->app >= live->capacity || !live->apps[set->app]))
        return err_set(err, "unknown application %u", set->app);
    if (of_applications && strlen(set->text) >= WIRE_NAME)
        return err_set(err, "the name '%s' is too long", set->text);
    if (!set->unset && (!(set->value >= 0 && set->value < INFINITY) ||
                        (set->setting == WIRE_SET_WEIGHT && set->value == 0)))
        return err_set(err, "invalid value %g for this setting", set->value);
    return 0;
}

int live_set(struct live *live, uint64_t now, const struct wire_set *set, struct err *err)
{
    struct rules fresh;
    if (settings_check_set(live, set, err) != 0 ||
        rules_change(&live->rules, set, &fresh, err) != 0)
        return -1;
    return live_adopt(live, now, &fresh, live->service, err);
}
