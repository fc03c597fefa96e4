#include "policy/policy.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "base/text.h"
#include "policy/strategies.h"
#include <dlfcn.h>
#include <stdio.h>
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
    "clearing",
    "critical-yield",
    "surplus",
    "floor",
    "min-dilation",
    "min-dilation:priority",
    "max-syseff",
    "max-syseff:priority",
    "max-syseff:key=slides",
    "max-syseff:key=slides,priority",
    "min-max:gamma=0.25",
    "min-max:gamma=0.25,priority",
    "min-max:gamma=0.5",
    "min-max:gamma=0.5,priority",
    "min-max:gamma=0.75",
    "min-max:gamma=0.75,priority",
    "min-max:gamma=0.5,key=slides",
    "pace",
    "list:order=fifo",
    "list:order=lowest-id",
    "list:order=longest-io",
    "list:order=shortest-io",
    "list:order=most-remaining",
    "list:order=shortest-remaining",
    "list:order=bandwidth",
    "list:order=bandwidth-total",
    "list:order=stretch",
    "list:order=johnson",
    "periodic:order=fifo",
    "periodic:order=johnson",
    "periodic:order=most-remaining",
    "groups",
    "groups:lend=off",
    "replan",
    NULL,
};

const char *const policy_usual[] = {
    "fair-share", "fcfs", "greedy-yield", "greedy-com", "look-ahead-greedy-yield", "surplus",
    "clearing",   NULL};

/* --- finding ---------------------------------------------------------------------------------- */

static const struct weir_policy_ops *policy_find(const char *name, struct err *err)
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
    const char *ending = strrchr(name, '.');
    if (ending && strcmp(ending, ".so") == 0)
        err_set(err, "plug-in '%s' needs a path: './%s'", name, name);
    else
        err_set(err, "unknown strategy '%s'%s", name, suggest(name, names, "weir policies").text);
    return NULL;
}

static int param_count(const struct weir_policy_ops *ops)
{
    int count = 0;
    while (ops->params && ops->params[count].name)
        count++;
    return count;
}

/* The table of a plug-in is not trusted: it is checked before it is used. */
static int policy_vet(const struct weir_policy_ops *ops, const char *who, struct err *err)
{
    if (ops->abi != WEIR_POLICY_ABI)
        return err_set(err, "%s is built for version %u of the strategy interface, not %u", who,
                       ops->abi, WEIR_POLICY_ABI);
    if (!ops->name || !ops->decide)
        return err_set(err, "%s lacks a name or a decide function", who);
    int count = param_count(ops);
    if (count > POLICY_MAX_PARAMS)
        return err_set(err, "%s has more than %d parameters", who, POLICY_MAX_PARAMS);
    for (const struct weir_param *param = ops->params; count-- > 0; param++)
        if (param->kind == WEIR_PARAM_CHOICE && !(param->choices && param->choices[0]))
            return err_set(err, "%s has a parameter '%s' without choices", who, param->name);
    return 0;
}

/* "dir/" and "./name.so" as one path; NULL when memory is out. free() frees. */
static char *policy_place(const char *directory, const char *path)
{
    size_t length = *path == '/' ? 0 : strlen(directory);
    char *whole = mem_alloc(length + strlen(path) + 1, 1);
    if (whole) {
        memcpy(whole, directory, length);
        strcpy(whole + length, path);
    }
    return whole;
}

static const struct weir_policy_ops *policy_load(struct policy *policy, struct err *err)
{
    char who[sizeof err->text];
    const char *path = policy->path;
    if (!path) {
        err_memory(err);
        return NULL;
    }
    snprintf(who, sizeof who, "plug-in '%s'", path);
    policy->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!policy->handle) {
        err_set(err, "%s cannot be loaded: %s", who, dlerror());
        return NULL;
    }
    const struct weir_policy_ops *ops = dlsym(policy->handle, "weir_policy");
    if (!ops) {
        err_set(err, "%s does not define the symbol 'weir_policy'", who);
        return NULL;
    }
    return policy_vet(ops, who, err) < 0 ? NULL : ops;
}

/* --- parameters ------------------------------------------------------------------------------- */

static int find_param(const struct weir_policy_ops *ops, const char *key, struct err *err)
{
    const char *names[POLICY_MAX_PARAMS + 1] = {NULL};
    int count = param_count(ops);
    for (int i = 0; i < count; i++) {
        names[i] = ops->params[i].name;
        if (strcmp(names[i], key) == 0)
            return i;
    }
    if (count == 0)
        return err_set(err, "there are no parameters, got '%s'", key);
    return err_set(err, "unknown parameter '%s'%s", key, suggest(key, names, NULL).text);
}

/* What a flag may be set to: indices are values. */
static const char *const switches[] = {"off", "on", NULL};

static int set_choice(const struct weir_param *param, const char *const *choices, const char *text,
                      double *value, struct err *err)
{
    for (int i = 0; choices[i]; i++) {
        if (strcmp(choices[i], text) == 0) {
            *value = i;
            return 0;
        }
    }
    return err_set(err, "parameter '%s': unknown choice '%s'%s", param->name, text,
                   suggest(text, choices, NULL).text);
}

static int policy_set_number(const struct weir_param *param, const char *text, double *value,
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

static int set_text(const char *value, char **text, struct err *err)
{
    char *copy = mem_alloc(strlen(value) + 1, 1);
    if (!copy)
        return err_memory(err);
    free(*text);
    *text = strcpy(copy, value);
    return 0;
}

/* One "key=value" or "flag". `given` has a bit for each parameter that was set. */
static int set_param(struct policy *policy, char *text, unsigned *given, struct err *err)
{
    char *equals = strchr(text, '=');
    const char *value = equals ? equals + 1 : NULL;
    if (equals)
        *equals = '\0';
    int index = find_param(policy->ops, text, err);
    if (index < 0)
        return -1;
    if (*given & 1u << index)
        return err_set(err, "parameter '%s' is given twice", text);
    *given |= 1u << index;
    const struct weir_param *param = &policy->ops->params[index];
    if (param->kind == WEIR_PARAM_FLAG && !value)
        value = "on";
    if (!value || !*value)
        return err_set(err, "parameter '%s' needs a value: '%s:%s=...'", text, policy->ops->name,
                       text);
    if (param->kind == WEIR_PARAM_FLAG)
        return set_choice(param, switches, value, &policy->params[index], err);
    if (param->kind == WEIR_PARAM_CHOICE)
        return set_choice(param, param->choices, value, &policy->params[index], err);
    if (param->kind == WEIR_PARAM_TEXT)
        return set_text(value, &policy->texts[index], err);
    return policy_set_number(param, value, &policy->params[index], err);
}

_Thread_local const char *policy_running;

/* --- opening ---------------------------------------------------------------------------------- */

static struct policy *policy_create(const char *name, struct err *err)
{
    struct policy *policy = mem_alloc(1, sizeof *policy);
    if (policy)
        policy->name = mem_alloc(strlen(name) + 1, 1);
    if (policy && policy->name) {
        strcpy(policy->name, name);
        return policy;
    }
    err_memory(err);
    policy_free(policy);
    return NULL;
}

/* Takes away the flags that do not hold with these parameters. */
static void policy_lower(struct policy *policy)
{
    uint32_t without = 0;
    for (int i = 0; i < param_count(policy->ops); i++)
        if (policy->params[i] != 0)
            without |= policy->ops->params[i].without;
    if (!(policy->ops->flags & without))
        return;
    policy->variant = *policy->ops;
    policy->variant.flags &= ~without;
    policy->ops = &policy->variant;
}

/* The defaults, then "key=value,flag"; `text` may be NULL. */
static int policy_set_params(struct policy *policy, const char *text, struct err *err)
{
    for (int i = 0; i < param_count(policy->ops); i++)
        policy->params[i] = policy->ops->params[i].initial;
    if (!text)
        return 0;
    char *copy = mem_alloc(strlen(text) + 1, 1);
    if (!copy)
        return err_memory(err);
    int status = 0;
    unsigned given = 0;
    for (char *rest = strcpy(copy, text), *one; status == 0 && (one = strsep(&rest, ","));)
        status = set_param(policy, one, &given, err);
    free(copy);
    policy_lower(policy);
    return status;
}

struct policy *policy_open(const char *text, struct err *err)
{
    return policy_open_at(text, "", err);
}

struct policy *policy_open_at(const char *text, const char *directory, struct err *err)
{
    struct policy *policy = policy_create(text, err);
    if (!policy)
        return NULL;
    char *colon = strchr(policy->name, ':');
    if (colon)
        *colon = '\0';
    bool plug_in = strchr(policy->name, '/');
    policy->foreign = plug_in;
    if (plug_in)
        policy->path = policy_place(directory, policy->name);
    policy->ops = plug_in ? policy_load(policy, err) : policy_find(policy->name, err);
    if (colon)
        *colon = ':';
    if (policy->ops && policy_set_params(policy, colon ? colon + 1 : NULL, err) == 0)
        return policy;
    if (policy->ops) /* what is wrong with the name itself quotes it */
        err_prepend(err, "strategy '%s'", text);
    policy_free(policy);
    return NULL;
}

struct policy *policy_wrap(const struct weir_policy_ops *ops, const char *params, struct err *err)
{
    if (policy_vet(ops, "the given strategy", err) < 0)
        return NULL;
    struct policy *policy = policy_create(ops->name, err);
    if (!policy)
        return NULL;
    policy->ops = ops;
    policy->foreign = true;
    if (policy_set_params(policy, params, err) == 0)
        return policy;
    err_prepend(err, "strategy '%s'", ops->name);
    policy_free(policy);
    return NULL;
}

void policy_free(struct policy *policy)
{
    if (!policy)
        return;
    if (policy->handle)
        dlclose(policy->handle);
    for (int i = 0; i < POLICY_MAX_PARAMS; i++)
        free(policy->texts[i]);
    free(policy->path);
    free(policy->name);
    free(policy);
}

int policy_param(const struct policy *policy, const char *name)
{
    for (int i = 0; i < param_count(policy->ops); i++)
        if (strcmp(policy->ops->params[i].name, name) == 0)
            return i;
    return -1;
}
