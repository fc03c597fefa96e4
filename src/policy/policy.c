#include "policy/policy.h"
#include "base/mem.h"
#include "base/text.h"
#include "policy/strategies.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define X(name) &policy_##name,
const struct weir_policy_ops *const policy_registry[] = {STRATEGIES(X) NULL};
#undef X

/* Other names that papers use. */
static const struct {
    const char *alias, *name;
} aliases[] = {{"round-robin", "fcfs"}, {"look-ahead", "look-ahead-greedy-yield"}};

const char *const policy_all[] = {
    "fair-share",
    "best-effort",
    "fcfs",
    "greedy-yield",
    "greedy-com",
    "look-ahead-greedy-yield",
    "periodic-greedy-yield",
    "set-10",
    "best-next-event",
    "floor",
    "min-dilation",
    "min-dilation:priority",
    "max-syseff",
    "max-syseff:priority",
    "min-max:gamma=0.25",
    "min-max:gamma=0.25,priority",
    "min-max:gamma=0.5",
    "min-max:gamma=0.5,priority",
    "min-max:gamma=0.75",
    "min-max:gamma=0.75,priority",
    "list:order=fifo",
    "list:order=lowest-id",
    "list:order=longest-io",
    "list:order=shortest-io",
    "list:order=most-remaining",
    "list:order=shortest-remaining",
    "list:order=bandwidth",
    "list:order=stretch",
    "list:order=johnson",
    "periodic:order=fifo",
    "periodic:order=johnson",
    "periodic:order=most-remaining",
    NULL,
};

/* --- finding -----------------------------------------------------------------------------------
 */

static const struct weir_policy_ops *find(const char *name, struct err *err)
{
    const char *names[sizeof(policy_registry) / sizeof(*policy_registry)];
    for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++)
        if (strcmp(aliases[i].alias, name) == 0)
            name = aliases[i].name;
    size_t count = 0;
    for (; policy_registry[count]; count++) {
        names[count] = policy_registry[count]->name;
        if (strcmp(names[count], name) == 0)
            return policy_registry[count];
    }
    names[count] = NULL;
    const char *nearest = text_nearest(name, names);
    if (nearest)
        err_set(err, "unknown strategy '%s', did you mean '%s'?", name, nearest);
    else
        err_set(err, "unknown strategy '%s': 'weir policies' lists them", name);
    return NULL;
}

static int param_count(const struct weir_policy_ops *ops)
{
    int count = 0;
    while (ops->params && ops->params[count].name)
        count++;
    return count;
}

/* A plug-in is somebody else's code: what it says of itself is checked before it is believed. */
static const struct weir_policy_ops *load(struct policy *policy, const char *path, struct err *err)
{
    policy->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!policy->handle) {
        err_set(err, "plug-in '%s' cannot be loaded: %s", path, dlerror());
        return NULL;
    }
    const struct weir_policy_ops *ops = dlsym(policy->handle, "weir_policy");
    if (!ops)
        err_set(err, "plug-in '%s' does not define the symbol 'weir_policy'", path);
    else if (ops->abi != WEIR_POLICY_ABI)
        err_set(err, "plug-in '%s' is built for version %u of the strategy interface, not %u", path,
                ops->abi, WEIR_POLICY_ABI);
    else if (!ops->name || !ops->decide)
        err_set(err, "plug-in '%s' lacks a name or a decide function", path);
    else if (param_count(ops) > POLICY_MAX_PARAMS)
        err_set(err, "plug-in '%s' has more than %d parameters", path, POLICY_MAX_PARAMS);
    else
        return ops;
    return NULL;
}

/* --- parameters --------------------------------------------------------------------------------
 */

static int find_param(const struct weir_policy_ops *ops, const char *key, struct err *err)
{
    const char *names[POLICY_MAX_PARAMS + 1] = {NULL};
    int count = param_count(ops);
    for (int i = 0; i < count; i++) {
        names[i] = ops->params[i].name;
        if (strcmp(names[i], key) == 0)
            return i;
    }
    const char *nearest = text_nearest(key, names);
    if (count == 0)
        return err_set(err, "strategy '%s' has no parameters, got '%s'", ops->name, key);
    if (!nearest)
        return err_set(err, "strategy '%s' has no parameter '%s', only '%s'%s", ops->name, key,
                       names[0], count > 1 ? " and others" : "");
    return err_set(err, "strategy '%s' has no parameter '%s', did you mean '%s'?", ops->name, key,
                   nearest);
}

static int set_choice(const struct weir_param *param, const char *text, double *value,
                      struct err *err)
{
    for (int i = 0; param->choices[i]; i++) {
        if (strcmp(param->choices[i], text) == 0) {
            *value = i;
            return 0;
        }
    }
    const char *nearest = text_nearest(text, param->choices);
    return err_set(err, "parameter '%s': unknown choice '%s', %s '%s'", param->name, text,
                   nearest ? "did you mean" : "expected for example",
                   nearest ? nearest : param->choices[0]);
}

static int set_number(const struct weir_param *param, const char *text, double *value,
                      struct err *err)
{
    const char *at = text, *end = text + strlen(text);
    if (isnan(param->initial) && strcmp(text, "auto") == 0) {
        *value = NAN;
        return 0;
    }
    if (text_number(&at, end, value) || at != end)
        return err_set(err, "parameter '%s': expected a number%s, got '%s'", param->name,
                       isnan(param->initial) ? " or 'auto'" : "", text);
    if (*value < param->low || *value > param->high)
        return err_set(err, "parameter '%s': expected a number from %g to %g, got '%s'",
                       param->name, param->low, param->high, text);
    return 0;
}

/* One "key=value" or "flag". */
static int set_param(struct policy *policy, char *text, struct err *err)
{
    char *value = strchr(text, '=');
    if (value)
        *value++ = '\0';
    int index = find_param(policy->ops, text, err);
    if (index < 0)
        return -1;
    const struct weir_param *param = &policy->ops->params[index];
    if (param->kind == WEIR_PARAM_FLAG) {
        policy->params[index] = 1;
        return value ? err_set(err, "parameter '%s' takes no value, got '%s'", text, value) : 0;
    }
    if (!value || !*value)
        return err_set(err, "parameter '%s' needs a value: '%s:%s=...'", text, policy->ops->name,
                       text);
    if (param->kind == WEIR_PARAM_CHOICE)
        return set_choice(param, value, &policy->params[index], err);
    return set_number(param, value, &policy->params[index], err);
}

/* --- opening -----------------------------------------------------------------------------------
 */

/* `text` is a copy that may be cut up. */
static int fill(struct policy *policy, char *text, struct err *err)
{
    char *params = strchr(text, ':');
    if (params)
        *params++ = '\0';
    policy->ops = strchr(text, '/') ? load(policy, text, err) : find(text, err);
    if (!policy->ops)
        return -1;
    for (int i = 0; i < param_count(policy->ops); i++)
        policy->params[i] = policy->ops->params[i].initial;
    for (char *rest = params, *one; rest && (one = strsep(&rest, ","));)
        if (set_param(policy, one, err))
            return -1;
    return 0;
}

struct policy *policy_open(const char *text, struct err *err)
{
    struct policy *policy = mem_alloc(1, sizeof(*policy));
    size_t size = strlen(text) + 1;
    char *name = mem_alloc(1, size), *copy = mem_alloc(1, size);
    int failed = -1;
    if (!policy || !name || !copy) {
        err_memory(err);
    } else {
        policy->name = memcpy(name, text, size);
        name = NULL;
        failed = fill(policy, memcpy(copy, text, size), err);
        if (failed)
            err_prepend(err, "strategy '%s'", text);
    }
    free(name);
    free(copy);
    if (!failed)
        return policy;
    policy_free(policy);
    return NULL;
}

void policy_free(struct policy *policy)
{
    if (!policy)
        return;
    if (policy->handle)
        dlclose(policy->handle);
    free(policy->name);
    free(policy);
}
