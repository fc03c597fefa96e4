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

/* What the strategy is told of an application: a limit is all that it can take. */
static void state_facts(const struct live *live, struct application *app)
{
    double nodes = app->facts.nodes * live->platform.node_bandwidth;
    double bmax = maths_min(nodes, live->platform.bandwidth);
    app->facts.bmax = app->limit > 0 ? maths_min(bmax, app->limit) : bmax;
    app->facts.weight = app->weight;
}

/* The same for one that runs: what it moved so far counts as it was. */
static void restate(struct live *live, double now, struct application *app)
{
    struct weir_app before = app->facts;
    application_absorb(app);
    state_facts(live, app);
    if (app->facts.bmax != before.bmax || app->facts.weight != before.weight)
        journal_change(live->journal, now, app);
}

static int make_room(struct live *live, uint32_t capacity, struct err *err)
{
    if (capacity == live->capacity)
        return 0;
    struct application **apps = mem_grow(live->apps, capacity, sizeof *apps);
    if (apps)
        live->apps = apps;
    uint32_t *open = mem_grow(live->open, capacity, sizeof *open);
    if (open)
        live->open = open;
    if (!apps || !open)
        return err_memory(err);
    for (uint32_t id = live->capacity; id < capacity; id++)
        live->apps[id] = NULL;
    live->capacity = capacity;
    return 0;
}

/* A controller to go on with; NULL with err, and all is as before. */
static struct control *prepare(struct live *live, struct policy *policy, uint32_t capacity,
                               struct err *err)
{
    const struct weir_setup setup = {
        .bandwidth = live->platform.bandwidth, .horizon = INFINITY, .capacity = capacity};
    if (policy->ops->flags & WEIR_NEEDS_PLAN) {
        err_set(err, "'%s' follows a plan, and a live controller has none", policy->name);
        return NULL;
    }
    struct control *control = control_new(policy, &setup, err);
    if (control && make_room(live, capacity, err) == 0)
        return control;
    control_free(control);
    return NULL;
}

/* Goes on with a controller that was prepared for this strategy. */
static void go_on(struct live *live, double now, struct policy *policy, struct control *control)
{
    for (uint32_t id = 0; id < live->capacity; id++)
        if (live->apps[id])
            restate(live, now, live->apps[id]);
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
    struct control *control = prepare(live, policy, capacity, err);
    if (!control)
        return -1;
    go_on(live, now, policy, control);
    return 0;
}

/* --- rules ------------------------------------------------------------------------------------ */

static struct rule *find_rule(const struct live *live, enum wire_setting setting, const char *name)
{
    for (size_t i = 0; i < live->rule_count; i++)
        if (live->rules[i].setting == setting && strcmp(live->rules[i].name, name) == 0)
            return &live->rules[i];
    return NULL;
}

static int add_rule(struct live *live, enum wire_setting setting, const char *name, double value,
                    struct err *err)
{
    struct rule *rule = find_rule(live, setting, name);
    if (!rule) {
        struct rule *rules =
            mem_reserve(live->rules, &live->rule_capacity, live->rule_count + 1, sizeof *rules);
        if (!rules)
            return err_memory(err);
        live->rules = rules;
        rule = &rules[live->rule_count++];
        *rule = (struct rule){.setting = setting};
        text_append(rule->name, sizeof rule->name, name);
    }
    rule->value = value;
    return 0;
}

/* Gives an application's setting its value, which the strategy does not know yet. */
static void change(struct application *app, uint64_t now, enum wire_setting setting, double value)
{
    if (setting == WIRE_SET_WEIGHT) {
        app->weight = value;
    } else if (setting == WIRE_SET_LIMIT) {
        app->limit = value;
    } else if (value != app->ops) {
        app->ops = value;
        pages_limit(&app->pages, now, value);
    }
}

static const enum wire_setting of_applications[] = {WIRE_SET_WEIGHT, WIRE_SET_LIMIT, WIRE_SET_OPS};
enum { OF_APPLICATIONS = sizeof of_applications / sizeof *of_applications };

void live_apply_rules(struct live *live, uint64_t now, struct application *app)
{
    for (int i = 0; i < OF_APPLICATIONS; i++) {
        const struct rule *rule = find_rule(live, of_applications[i], app->name);
        if (!rule)
            rule = find_rule(live, of_applications[i], "");
        if (rule)
            change(app, now, of_applications[i], rule->value);
    }
    state_facts(live, app);
}

/* --- settings --------------------------------------------------------------------------------- */

static int set_policy(struct live *live, double now, const char *text, struct err *err)
{
    struct policy *policy = policy_open(text, err);
    if (policy && live_rebuild(live, now, policy, live->capacity, err) == 0)
        return 0;
    policy_free(policy);
    return -1;
}

static int set_bandwidth(struct live *live, double now, double value, struct err *err)
{
    double old = live->platform.bandwidth;
    if (!(value > 0 && value < INFINITY))
        return err_set(err, "a bandwidth is above 0");
    live->platform.bandwidth = value;
    if (live_rebuild(live, now, live->policy, live->capacity, err) == 0)
        return 0;
    live->platform.bandwidth = old;
    return -1;
}

/* Whether a setting for applications of this name is for this one. */
static bool is_meant(const struct live *live, const struct wire_set *set,
                     const struct application *app)
{
    if (set->app != WIRE_ALL)
        return app->id == set->app;
    return strcmp(set->text, app->name) == 0 ||
           (!*set->text && !find_rule(live, (enum wire_setting)set->setting, app->name));
}

/* Changes the applications that are meant. Whether there are any. */
static bool change_all(struct live *live, uint64_t now, const struct wire_set *set)
{
    bool found = false;
    for (uint32_t id = 0; id < live->capacity; id++) {
        if (!live->apps[id] || !is_meant(live, set, live->apps[id]))
            continue;
        change(live->apps[id], now, (enum wire_setting)set->setting, set->value);
        found = true;
    }
    return found;
}

static int set_applications(struct live *live, uint64_t now, const struct wire_set *set,
                            struct err *err)
{
    enum wire_setting setting = (enum wire_setting)set->setting;
    if (!(set->value >= 0 && set->value < INFINITY) ||
        (setting == WIRE_SET_WEIGHT && set->value == 0))
        return err_set(err, "%g is no value for this setting", set->value);
    if (strlen(set->text) >= WIRE_NAME)
        return err_set(err, "no application has a name as long as '%s'", set->text);
    /* All that can fail comes before anything changes. */
    struct control *control = prepare(live, live->policy, live->capacity, err);
    if (!control)
        return -1;
    if (set->app == WIRE_ALL && add_rule(live, setting, set->text, set->value, err) != 0) {
        control_free(control);
        return -1;
    }
    if (change_all(live, now, set)) {
        go_on(live, live_seconds(live, now), live->policy, control);
        return 0;
    }
    control_free(control);
    return set->app == WIRE_ALL ? 0 : err_set(err, "there is no application %u", set->app);
}

int live_set(struct live *live, uint64_t now, const struct wire_set *set, struct err *err)
{
    double date = live_seconds(live, now);
    if (set->setting == WIRE_SET_POLICY)
        return set_policy(live, date, set->text, err);
    if (set->setting == WIRE_SET_BANDWIDTH)
        return set_bandwidth(live, date, set->value, err);
    return set_applications(live, now, set, err);
}
