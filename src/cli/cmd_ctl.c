#include "base/text.h"
#include "cli/commands.h"
#include "cli/snapshot.h"
#include "client/request.h"
#include <string.h>

#define PATIENCE 5.0

struct ctl_options {
    struct words operands; /* policy NAME, or set KEY VALUE */
    const char *socket, *application;
};

/* --- what is asked -----------------------------------------------------------------------------
 */

static int read_setting(const char *word, struct err *err)
{
#define X(name, text, help) text,
    const char *const names[] = {WIRE_SETTINGS(X) NULL};
#undef X
    int setting = wire_setting_find(word);
    if (setting >= 0)
        return setting;
    const char *nearest = text_nearest(word, names);
    if (nearest)
        return err_set(err, "unknown setting '%s'; did you mean '%s'?", word, nearest);
    return err_set(err, "unknown setting '%s'; 'weir ctl --help' lists them", word);
}

static int read_value(struct wire_set *set, const char *text, struct err *err)
{
    bool rate = set->setting == WIRE_SET_BANDWIDTH || set->setting == WIRE_SET_LIMIT;
    bool limit = set->setting == WIRE_SET_LIMIT || set->setting == WIRE_SET_OPS;
    if (limit && strcmp(text, "none") == 0)
        return 0;
    if (units_parse(text, rate ? UNIT_RATE : UNIT_NONE, &set->value, err) != 0)
        return -1;
    if (!(set->value > 0))
        return err_set(err, "'%s' is not above 0%s", text, limit ? "; 'none' lifts a limit" : "");
    return 0;
}

/* Copies a text that must fit. */
static int copy(char *into, size_t size, const char *text, const char *what, struct err *err)
{
    size_t length = strlen(text);
    if (length >= size)
        return err_set(err, "%s is too long: at most %zu bytes", what, size - 1);
    memcpy(into, text, length + 1);
    return 0;
}

static int read_question(const struct ctl_options *options, struct wire_set *set, struct err *err)
{
    const struct words *words = &options->operands;
    const char *verb = words->list[0];
    bool policy = strcmp(verb, "policy") == 0;
    if (!policy && strcmp(verb, "set") != 0)
        return err_set(err, "ctl: '%s' is neither 'policy' nor 'set'", verb);
    if (words->count != (policy ? 2 : 3))
        return err_set(err, "ctl: expected %s", policy ? "policy NAME" : "set KEY VALUE");
    int setting = policy ? WIRE_SET_POLICY : read_setting(words->list[1], err);
    if (setting < 0)
        return -1;
    *set = (struct wire_set){.setting = (uint32_t)setting, .app = WIRE_ALL};
    const char *value = words->list[words->count - 1];
    bool of_application = setting != WIRE_SET_POLICY && setting != WIRE_SET_BANDWIDTH;
    if (options->application && !of_application)
        return err_set(err, "--application means nothing to '%s'", words->list[words->count - 2]);
    if (setting == WIRE_SET_POLICY)
        return copy(set->text, sizeof set->text, value, "the strategy", err);
    if (options->application &&
        copy(set->text, WIRE_NAME, options->application, "--application", err) != 0)
        return -1;
    return read_value(set, value, err);
}

/* --- what is answered --------------------------------------------------------------------------
 */

static void keep(const struct wire_message *message, void *context)
{
    *(struct wire_message *)context = *message;
}

static int ask(const char *socket, const struct wire_set *set, struct err *err)
{
    const struct wire_message question = {.type = WIRE_SET, .set = *set};
    struct wire_message answer = {.type = WIRE_TYPES};
    char rate[32];
    const char *fault = request_ask(socket, &question, PATIENCE, keep, &answer);
    if (fault)
        return err_set(err, "%s: %s", socket, fault);
    if (answer.type == WIRE_REFUSED)
        return err_set(err, "%s", answer.refused.reason);
    units_print(answer.status.bandwidth, UNIT_RATE, rate, sizeof rate);
    printf("%s, %s, %u application%s\n", answer.status.policy, rate, answer.status.applications,
           answer.status.applications == 1 ? "" : "s");
    return 0;
}

static int run(const void *values, struct err *err)
{
    const struct ctl_options *options = values;
    char path[SNAPSHOT_PATH];
    struct wire_set set;
    if (read_question(options, &set, err) != 0)
        return STATUS_MISUSE;
    return ask(snapshot_socket(options->socket, path), &set, err) == 0 ? STATUS_DONE
                                                                       : STATUS_FAILED;
}

static const struct option options[] = {
    {"application", 0, OPTION_TEXT, UNIT_NONE, "A", offsetof(struct ctl_options, application),
     "only for applications of this name, also those to come; default all that have no setting of "
     "their own"},
    {"socket", 0, OPTION_TEXT, UNIT_NONE, "PATH", offsetof(struct ctl_options, socket),
     "of the controller; default $WEIR_SOCKET, else as 'weir serve'"},
    {.name = NULL},
};

#define X(name, text, help) {text, help},
static const struct entry entries[] = {WIRE_SETTINGS(X){NULL, NULL}};
#undef X

const struct command command_ctl = {
    .name = "ctl",
    .summary = "change the settings of a running controller",
    .operands = "policy NAME | set KEY VALUE",
    .least = 1,
    .most = 3,
    .options = options,
    .details = "Only root and the user of the controller may. 'none' lifts a limit. Keys:",
    .entries = entries,
    .example = "weir ctl set limit 200MB/s --application backup",
    .size = sizeof(struct ctl_options),
    .run = run,
};
