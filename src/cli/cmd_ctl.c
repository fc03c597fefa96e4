#include "base/json.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/user.h"
#include "cli/commands.h"
#include "cli/rate.h"
#include "cli/where.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct ctl_options {
    struct words operands; /* a verb, and what it takes */
    struct where where;
    const char *application, *user, *store;
    bool json;
};

/* --- what is asked -----------------------------------------------------------------------------
 */

static int ctl_read_setting(const char *word, struct err *err)
{
#define X(name, text, help) text,
    const char *const names[] = {WIRE_SETTINGS(X) NULL};
#undef X
    int setting = wire_setting_find(word);
    if (setting >= 0)
        return setting;
    return err_set(err, "unknown setting '%s'%s", word,
                   suggest(word, names, "weir ctl --help").text);
}

/* Copies a text that must fit. */
static int ctl_copy(char *into, size_t size, const char *text, const char *what, struct err *err)
{
    size_t length = strlen(text);
    if (length >= size)
        return err_set(err, "%s is too long: at most %zu bytes", what, size - 1);
    memcpy(into, text, length + 1);
    return 0;
}

static int ctl_read_control(struct wire_set *set, const char *text, struct err *err)
{
    bool off = strcmp(text, "off") == 0 || strcmp(text, "observe") == 0;
    set->value = strcmp(text, "on") == 0;
    if (set->value == 0 && !off)
        return err_set(err, "'%s' is neither 'on' nor 'off' nor 'observe'", text);
    return 0;
}

static int ctl_read_value(struct wire_set *set, const char *text, struct err *err)
{
    bool rate = set->setting == WIRE_SET_BANDWIDTH || set->setting == WIRE_SET_LIMIT;
    bool limit = rate || set->setting == WIRE_SET_OPS;
    if (set->setting == WIRE_SET_POLICY)
        return ctl_copy(set->text, sizeof set->text, text, "the strategy", err);
    if (set->setting == WIRE_SET_CONTROL)
        return ctl_read_control(set, text, err);
    if (limit && strcmp(text, "none") == 0)
        return 0;
    if (units_parse(text, rate ? UNIT_RATE : UNIT_NONE, &set->value, err) != 0)
        return -1;
    if (!(set->value > 0))
        return err_set(err, "'%s' is not above 0%s", text, limit ? "; 'none' removes a limit" : "");
    return rate ? rate_check(set->value, err) : 0;
}

/* To whom a setting applies. */
static int ctl_read_scope(const struct ctl_options *options, struct wire_set *set, struct err *err)
{
    const char *option = options->application ? "application" : "user";
    if (!options->application && !options->user)
        return 0;
    if (!wire_setting_is_of_applications((enum wire_setting)set->setting))
        return err_option(err, "--%s has no effect on '%s'", option,
                          wire_setting_name((enum wire_setting)set->setting));
    if (options->application && options->user)
        return err_option(err, "--application and --user exclude each other");
    if (options->application && (!*options->application || strchr(options->application, '/')))
        return err_option(err, "--application: invalid name '%s'", options->application);
    if (options->application)
        return ctl_copy(set->text, WIRE_NAME, options->application, "--application", err);
    set->scope = WIRE_OF_USER;
    if (user_find(options->user, &set->uid) != 0)
        return err_option(err, "--user: unknown user '%s'", options->user);
    return 0;
}

/* To which of several bandwidths. */
static int ctl_read_store(const struct ctl_options *options, struct wire_set *set, struct err *err)
{
    if (!options->store)
        return 0;
    if (!wire_setting_is_of_stores((enum wire_setting)set->setting))
        return err_option(err, "--store has no effect on '%s', which holds for each store",
                          wire_setting_name((enum wire_setting)set->setting));
    if (!*options->store)
        return err_option(err, "--store: expected the path of a store");
    return ctl_copy(set->store, sizeof set->store, options->store, "--store", err);
}

/* --- what is answered --------------------------------------------------------------------------
 */

static void ctl_keep(const struct wire_message *message, void *context)
{
    *(struct wire_message *)context = *message;
}

/* The exit code. */
static int ctl_send_set(const struct where *where, const struct wire_set *set, struct err *err)
{
    const struct wire_message question = {.type = WIRE_SET, .set = *set};
    struct wire_message answer = {.type = WIRE_TYPES};
    char rate[32], bytes[WIRE_MOST];
    const char *fault = wire_decode(bytes, wire_encode(&question, bytes), &answer);
    if (fault) { /* no controller would take it */
        err_set(err, "%s", fault);
        return STATUS_MISUSE;
    }
    if (where_ask(where, &question, ctl_keep, &answer, err) != 0)
        return STATUS_FAILED;
    if (answer.type == WIRE_REFUSED) {
        err_set(err, "%s", answer.refused.reason);
        return answer.refused.misuse ? STATUS_MISUSE : STATUS_FAILED;
    }
    units_print(answer.status.bandwidth, UNIT_RATE, rate, sizeof rate);
    printf("%s, %s%s%s, %u application%s%s\n", answer.status.policy, rate,
           *answer.status.store ? " for " : "", answer.status.store, answer.status.applications,
           answer.status.applications == 1 ? "" : "s", answer.status.off ? ", control is off" : "");
    return STATUS_DONE;
}

/* The rules: written as they come, or printed when all are there. */
struct show {
    bool as_json;
    struct json json;
    struct wire_message last;
    struct wire_rule *rules; /* to be printed as text */
    size_t count, capacity;
    bool short_of_memory;
};

enum { VALUE = WIRE_TEXT, WHOM = WIRE_STORE + WIRE_NAME + USER_NAME_SIZE };

static void print_value(const struct wire_set *set, char text[VALUE])
{
    enum wire_setting setting = (enum wire_setting)set->setting;
    bool rate = setting == WIRE_SET_BANDWIDTH || setting == WIRE_SET_LIMIT;
    if (setting == WIRE_SET_POLICY)
        snprintf(text, VALUE, "%s", set->text);
    else if (setting == WIRE_SET_CONTROL)
        snprintf(text, VALUE, "%s", set->value > 0 ? "on" : "observe");
    else if (set->value == 0)
        snprintf(text, VALUE, "none");
    else
        units_print(set->value, rate ? UNIT_RATE : UNIT_NONE, text, VALUE);
}

/* To what a rule applies. */
static void ctl_print_whom(const struct wire_set *set, char whom[WHOM])
{
    char user[USER_NAME_SIZE];
    whom[0] = '\0';
    if (set->scope == WIRE_OF_USER)
        snprintf(whom, WHOM, "user %s", user_print(set->uid, user));
    else if (set->app != WIRE_ALL)
        snprintf(whom, WHOM, "application number %u", set->app);
    else if (wire_setting_is_of_applications((enum wire_setting)set->setting))
        snprintf(whom, WHOM, *set->text ? "application %s" : "all others", set->text);
    else if (*set->store)
        snprintf(whom, WHOM, "store %s", set->store);
}

/* In columns as wide as the longest text: the file of a plan can be. */
static void ctl_print_rules(const struct wire_rule *rules, size_t count)
{
    char value[VALUE], whom[WHOM];
    int widths[] = {14, 24};
    for (size_t i = 0; i < count; i++) {
        print_value(&rules[i].set, value);
        ctl_print_whom(&rules[i].set, whom);
        widths[0] = (int)strlen(value) > widths[0] ? (int)strlen(value) : widths[0];
        widths[1] = (int)strlen(whom) > widths[1] ? (int)strlen(whom) : widths[1];
    }
    for (size_t i = 0; i < count; i++) {
        print_value(&rules[i].set, value);
        ctl_print_whom(&rules[i].set, whom);
        printf("%-9s  %-*s  %-*s  %s\n", wire_setting_name((enum wire_setting)rules[i].set.setting),
               widths[0], value, widths[1], whom,
               rules[i].source == WIRE_CHANGED ? "set" : "configured");
    }
}

static void ctl_keep_rule(struct show *show, const struct wire_rule *rule)
{
    struct wire_rule *rules =
        mem_reserve(show->rules, &show->capacity, show->count + 1, sizeof *rules);
    if (!rules) {
        show->short_of_memory = true;
        return;
    }
    show->rules = rules;
    rules[show->count++] = *rule;
}

static void ctl_write_rule(struct json *json, const struct wire_rule *rule)
{
    const struct wire_set *set = &rule->set;
    enum wire_setting setting = (enum wire_setting)set->setting;
    json_begin_object(json, NULL);
    json_string(json, "setting", wire_setting_name(setting));
    if (setting == WIRE_SET_POLICY)
        json_string(json, "value", set->text);
    else
        json_number(json, "value", set->value);
    if (set->scope == WIRE_OF_USER)
        json_integer(json, "uid", set->uid);
    else if (set->app != WIRE_ALL)
        json_integer(json, "id", set->app);
    else if (wire_setting_is_of_applications(setting) && *set->text)
        json_string(json, "application", set->text);
    if (*set->store)
        json_string(json, "store", set->store);
    json_string(json, "source", rule->source == WIRE_CHANGED ? "set" : "configured");
    json_end_object(json);
}

static void ctl_show_rule(const struct wire_message *message, void *context)
{
    struct show *show = context;
    show->last = *message;
    if (message->type == WIRE_RULE && show->as_json)
        ctl_write_rule(&show->json, &message->rule);
    else if (message->type == WIRE_RULE)
        ctl_keep_rule(show, &message->rule);
}

static int ctl_show_rules(const struct where *where, bool as_json, struct err *err)
{
    const struct wire_message question = {.type = WIRE_SHOW};
    struct show show = {.as_json = as_json, .json = {.out = stdout, .pretty = true}};
    if (as_json) {
        json_begin_object(&show.json, NULL);
        json_string(&show.json, "weir", WEIR_VERSION);
        json_begin_array(&show.json, "settings");
    }
    int status = where_ask(where, &question, ctl_show_rule, &show, err);
    if (as_json) {
        json_end_array(&show.json);
        json_end_object(&show.json);
    }
    ctl_print_rules(show.rules, show.count);
    free(show.rules);
    if (status != 0)
        return -1;
    if (show.short_of_memory)
        return err_memory(err);
    if (show.last.type == WIRE_REFUSED)
        return err_set(err, "%s", show.last.refused.reason);
    return 0;
}

/* --- verbs --------------------------------------------------------------------------------------
 */

enum verb { POLICY, PLAN, SET, UNSET, OBSERVE, OFF, ON, SHOW };

static const struct {
    const char *name, *operands;
    size_t count; /* of them */
} verbs[] = {
    [POLICY] = {"policy", " STRATEGY", 1},
    [PLAN] = {"plan", " FILE", 1},
    [SET] = {"set", " KEY VALUE", 2},
    [UNSET] = {"unset", " KEY", 1},
    [OBSERVE] = {"observe", "", 0},
    [OFF] = {"off", "", 0}, /* the same: an earlier word */
    [ON] = {"on", "", 0},
    [SHOW] = {"show", "", 0},
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static int ctl_read_verb(const struct words *words, struct err *err)
{
    for (int verb = 0; verb < VERBS; verb++) {
        if (strcmp(verbs[verb].name, words->list[0]) != 0)
            continue;
        if (words->count == verbs[verb].count + 1)
            return verb;
        return err_set(err, "ctl: expected %s%s", verbs[verb].name, verbs[verb].operands);
    }
    return err_set(err,
                   "ctl: unknown action '%s', expected show, set, unset, policy, plan, "
                   "observe, off or on",
                   words->list[0]);
}

/* A plan is a strategy that follows it. It is sent with the setting, and the controller keeps it:
 * it may run on another node. The caller frees where->plan. */
static int ctl_read_plan(const char *file, struct where *where, struct err *err)
{
    char *plan = text_load(file, &where->plan_size, err);
    where->plan = plan;
    if (!plan)
        return -1;
    if (where->plan_size == 0 || where->plan_size > WIRE_PLAN_MOST)
        return err_set(err, "plan '%s': expected 1 byte to %d KiB", file, WIRE_PLAN_MOST >> 10);
    return 0;
}

static int ctl_read_question(const struct ctl_options *options, enum verb verb,
                             struct wire_set *set, struct err *err)
{
    const char *const *words = options->operands.list;
    int setting = verb == POLICY || verb == PLAN ? WIRE_SET_POLICY
                  : verb == SET || verb == UNSET ? ctl_read_setting(words[1], err)
                                                 : WIRE_SET_CONTROL;
    if (setting < 0)
        return -1;
    *set = (struct wire_set){
        .setting = (uint32_t)setting, .app = WIRE_ALL, .unset = verb == UNSET, .value = verb == ON};
    if (ctl_read_scope(options, set, err) != 0 || ctl_read_store(options, set, err) != 0)
        return -1;
    if (verb == PLAN)
        return ctl_copy(set->text, sizeof set->text, "plan", "the strategy", err);
    if (verb == POLICY || verb == SET)
        return ctl_read_value(set, words[options->operands.count - 1], err);
    return 0;
}

static int ctl_send_plan(struct where *where, const char *file, const struct wire_set *set,
                         struct err *err)
{
    int status = STATUS_MISUSE;
    if (ctl_read_plan(file, where, err) == 0)
        status = ctl_send_set(where, set, err);
    free((void *)where->plan);
    return status;
}

static int ctl_run(const void *values, struct err *err)
{
    const struct ctl_options *options = values;
    char path[IDENTITY_PATH];
    struct where where;
    struct wire_set set;
    int verb = ctl_read_verb(&options->operands, err);
    if (verb < 0)
        return STATUS_MISUSE;
    if (where_find(&options->where, path, &where, err) != 0)
        return STATUS_MISUSE;
    if (verb == SHOW)
        return ctl_show_rules(&where, options->json, err) == 0 ? STATUS_DONE : STATUS_FAILED;
    if (ctl_read_question(options, (enum verb)verb, &set, err) != 0)
        return STATUS_MISUSE;
    if (verb == PLAN)
        return ctl_send_plan(&where, options->operands.list[1], &set, err);
    return ctl_send_set(&where, &set, err);
}

static const struct option options[] = {
    {"application", 0, OPTION_TEXT, UNIT_NONE, "A", offsetof(struct ctl_options, application),
     "only for applications of this name, including future ones; default all that have no setting "
     "of "
     "their own"},
    {"user", 0, OPTION_TEXT, UNIT_NONE, "U", offsetof(struct ctl_options, user),
     "for all applications of this user together, by name or number"},
    {"store", 0, OPTION_TEXT, UNIT_NONE, "S", offsetof(struct ctl_options, store),
     "of a strategy or a bandwidth: for this store, as 'weir ctl show' names it; default for the "
     "platform"},
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, offsetof(struct ctl_options, json),
     "with show: print JSON"},
    WHERE_OPTIONS(struct ctl_options, where),
    {.name = NULL},
};

#define X(name, text, help) {text, help},
static const struct entry entries[] = {WIRE_SETTINGS(X){NULL, NULL}};
#undef X

const struct command command_ctl = {
    .name = "ctl",
    .summary = "show and change the settings of a running controller",
    .operands = "show|set KEY VALUE|unset KEY|policy STRATEGY|plan FILE|observe|off|on",
    .least = 1,
    .most = 3,
    .options = options,
    .details =
        "'show' prints the settings in force. 'unset' returns to the configured value. "
        "'plan' sends a plan of 'weir plan -o' and lets the applications that it names follow "
        "it; the others get what it leaves, until 'unset policy' or another strategy. 'observe', "
        "or 'off', lets everything run uncontrolled until 'on': phases and bytes are still "
        "recorded, and nothing waits. Only root and the user of the "
        "controller may change settings. The value 'none' removes a limit; without a "
        "bandwidth, nothing is controlled. Keys:",
    .entries = entries,
    .example = "weir ctl set limit 200MB/s --application backup",
    .size = sizeof(struct ctl_options),
    .run = ctl_run,
};
