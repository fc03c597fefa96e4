#include "controller/rules.h"
#include "base/mem.h"
#include "base/text.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_RULES = 4096 };

void rules_free(struct rules *rules)
{
    free(rules->list);
    *rules = (struct rules){0};
}

/* --- finding ---------------------------------------------------------------------------------- */

/* Whether both have the same target. */
static bool rules_match(const struct wire_set *a, const struct wire_set *b)
{
    if (a->setting != b->setting)
        return false;
    if (!wire_setting_is_of_applications((enum wire_setting)a->setting))
        return true;
    if (a->app != b->app || a->scope != b->scope)
        return false;
    if (a->app != WIRE_ALL)
        return true;
    return a->scope == WIRE_OF_USER ? a->uid == b->uid : strcmp(a->text, b->text) == 0;
}

static struct rule *rules_seek(const struct rules *rules, const struct wire_set *set,
                               enum wire_source source)
{
    for (size_t i = 0; i < rules->count; i++)
        if (rules->list[i].source == source && rules_match(&rules->list[i].set, set))
            return &rules->list[i];
    return NULL;
}

const struct rule *rules_find(const struct rules *rules, const struct wire_set *set)
{
    const struct rule *changed = rules_seek(rules, set, WIRE_CHANGED);
    return changed ? changed : rules_seek(rules, set, WIRE_CONFIGURED);
}

bool rules_by_user(const struct rules *rules)
{
    for (size_t i = 0; i < rules->count; i++)
        if (rules->list[i].set.scope == WIRE_OF_USER)
            return true;
    return false;
}

bool rules_in_force(const struct rules *rules, const struct rule *rule)
{
    return rule->source == WIRE_CHANGED || !rules_seek(rules, &rule->set, WIRE_CHANGED);
}

/* --- other lists ------------------------------------------------------------------------------ */

int rules_add(struct rules *rules, const struct wire_set *set, enum wire_source source,
              struct err *err)
{
    struct rule *old = rules_seek(rules, set, source);
    if (old) { /* the last one counts */
        old->set = *set;
        return 0;
    }
    if (rules->count >= MOST_RULES)
        return err_set(err, "too many settings: there are %d already", MOST_RULES);
    struct rule *list = mem_reserve(rules->list, &rules->capacity, rules->count + 1, sizeof *list);
    if (!list)
        return err_memory(err);
    rules->list = list;
    list[rules->count++] = (struct rule){*set, source};
    return 0;
}

/* Adds all rules of one source. */
static int rules_append(struct rules *into, const struct rules *from, enum wire_source source,
                        struct err *err)
{
    for (size_t i = 0; i < from->count; i++)
        if (from->list[i].source == source && rules_add(into, &from->list[i].set, source, err) != 0)
            return -1;
    return 0;
}

/* Returns the list after the last step, or an empty one on failure. */
static int rules_finish(struct rules *into, int status)
{
    if (status != 0)
        rules_free(into);
    return status;
}

int rules_configured(const struct rules *rules, struct rules *into, struct err *err)
{
    *into = (struct rules){0};
    return rules_finish(into, rules_append(into, rules, WIRE_CONFIGURED, err));
}

static int rules_copy(const struct rules *rules, struct rules *into, struct err *err)
{
    *into = (struct rules){0};
    int status = rules_append(into, rules, WIRE_CONFIGURED, err);
    if (status == 0)
        status = rules_append(into, rules, WIRE_CHANGED, err);
    return rules_finish(into, status);
}

static int rules_remove(struct rules *rules, const struct wire_set *set, struct err *err)
{
    struct rule *rule = rules_seek(rules, set, WIRE_CHANGED);
    if (!rule)
        return err_set(err, "no such '%s' was set; see 'weir ctl show'",
                       wire_setting_name((enum wire_setting)set->setting));
    *rule = rules->list[--rules->count];
    return 0;
}

int rules_change(const struct rules *rules, const struct wire_set *set, struct rules *into,
                 struct err *err)
{
    if (rules_copy(rules, into, err) != 0)
        return -1;
    return rules_finish(into, set->unset ? rules_remove(into, set, err)
                                         : rules_add(into, set, WIRE_CHANGED, err));
}

/* One entry of the configuration's limits, which may set several things. */
static int rules_limit(struct rules *into, const struct limit *limit, struct err *err)
{
    const struct {
        enum wire_setting setting;
        double value;
    } parts[] = {{WIRE_SET_LIMIT, limit->bandwidth},
                 {WIRE_SET_OPS, limit->ops},
                 {WIRE_SET_WEIGHT, limit->weight}};
    struct wire_set set = {
        .app = WIRE_ALL, .scope = limit->by_user ? WIRE_OF_USER : WIRE_OF_NAME, .uid = limit->uid};
    text_append(set.text, WIRE_NAME, limit->name);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        set.setting = parts[i].setting;
        set.value = parts[i].value;
        if (set.value > 0 && rules_add(into, &set, WIRE_CONFIGURED, err) != 0)
            return -1;
    }
    return 0;
}

int rules_configure(const struct rules *rules, const struct service *service, struct rules *into,
                    struct err *err)
{
    struct wire_set policy = {.setting = WIRE_SET_POLICY, .app = WIRE_ALL};
    struct wire_set bandwidth = {.setting = WIRE_SET_BANDWIDTH, .app = WIRE_ALL};
    *into = (struct rules){0};
    if (strlen(service->policy) >= sizeof policy.text)
        return err_set(err, "'%s' is too long: a strategy has at most %zu bytes", service->policy,
                       sizeof policy.text - 1);
    text_append(policy.text, sizeof policy.text, service->policy);
    bandwidth.value = service->platform.bandwidth;
    int status = rules_add(into, &policy, WIRE_CONFIGURED, err);
    if (status == 0)
        status = rules_add(into, &bandwidth, WIRE_CONFIGURED, err);
    for (uint32_t i = 0; i < service->limits.count && status == 0; i++)
        status = rules_limit(into, &service->limits.list[i], err);
    if (status == 0)
        status = rules_append(into, rules, WIRE_CHANGED, err);
    return rules_finish(into, status);
}

void rules_forget(struct rules *rules, uint32_t app)
{
    size_t kept = 0;
    for (size_t i = 0; i < rules->count; i++)
        if (rules->list[i].set.app != app)
            rules->list[kept++] = rules->list[i];
    rules->count = kept;
}
