#include "answer/study.h"
#include "base/json.h"
#include "base/mem.h"
#include "cli/commands.h"
#include "cli/describe.h"
#include <stdlib.h>

enum { TEXT_SIZE = 512, INDENT = 4 };

struct policies_options {
    struct words operands; /* strategies; none = all of the library */
    bool json;
};

static void write_param(struct json *json, const struct weir_param *param)
{
    static const char *const kinds[] = {[WEIR_PARAM_NUMBER] = "number",
                                        [WEIR_PARAM_FLAG] = "flag",
                                        [WEIR_PARAM_CHOICE] = "choice",
                                        [WEIR_PARAM_TEXT] = "text"};
    char text[TEXT_SIZE];
    json_begin_object(json, NULL);
    json_string(json, "name", param->name);
    json_string(json, "kind", kinds[param->kind]);
    json_string(json, "default", describe_default(param, text, sizeof text));
    if (param->kind == WEIR_PARAM_NUMBER) {
        json_number(json, "low", param->low);
        json_number(json, "high", param->high);
    }
    if (param->kind == WEIR_PARAM_CHOICE) {
        json_begin_array(json, "choices");
        for (const char *const *choice = param->choices; *choice; choice++)
            json_string(json, NULL, *choice);
        json_end_array(json);
    }
    json_string(json, "help", param->help);
    json_end_object(json);
}

static void policies_write_policy(struct json *json, const struct weir_policy_ops *ops)
{
    json_begin_object(json, NULL);
    json_string(json, "name", ops->name);
    json_string(json, "summary", ops->summary);
    json_begin_array(json, "needs");
    for (const struct need *need = needs; need->name; need++)
        if (ops->flags & need->flag)
            json_string(json, NULL, need->name);
    json_end_array(json);
    json_bool(json, "work_conserving", ops->flags & WEIR_WORK_CONSERVING);
    json_string(json, "paper", ops->paper);
    json_begin_array(json, "parameters");
    for (const struct weir_param *param = ops->params; param && param->name; param++)
        write_param(json, param);
    json_end_array(json);
    json_end_object(json);
}

static void policies_write_all(const struct weir_policy_ops *const *list)
{
    struct json json = {.out = stdout, .pretty = true};
    json_begin_object(&json, NULL);
    json_string(&json, "weir", WEIR_VERSION);
    json_begin_array(&json, "policies");
    for (size_t i = 0; list[i]; i++)
        policies_write_policy(&json, list[i]);
    json_end_array(&json);
    json_end_object(&json);
}

static void print_labelled(const char *label, const char *text)
{
    printf("%*s%-10s", INDENT, "", label);
    help_wrap(stdout, text, INDENT + 10, INDENT + 10);
}

static void policies_print_param(const struct weir_param *param)
{
    char syntax[TEXT_SIZE], initial[64], text[2 * TEXT_SIZE];
    describe_param(param, syntax, sizeof syntax);
    describe_default(param, initial, sizeof initial);
    print_labelled("parameter", syntax);
    snprintf(text, sizeof text, "%s; default %s", param->help ? param->help : "", initial);
    help_wrap(stdout, text, INDENT + 12, 0);
}

static void print_policy(const struct weir_policy_ops *ops, bool colour)
{
    char text[TEXT_SIZE];
    printf("%s%s%s\n", colour ? "\033[1m" : "", ops->name, colour ? "\033[0m" : "");
    if (ops->summary)
        help_wrap(stdout, ops->summary, INDENT, 0);
    print_labelled("needs", describe_needs(ops, text, sizeof text));
    if (ops->paper)
        print_labelled("paper", ops->paper);
    for (const struct weir_param *param = ops->params; param && param->name; param++)
        policies_print_param(param);
}

static void policies_print_all(const struct weir_policy_ops *const *list)
{
    bool colour = terminal_colour(stdout);
    for (size_t i = 0; list[i]; i++) {
        if (i > 0)
            putchar('\n');
        print_policy(list[i], colour);
    }
}

static int policies_show(const struct policies_options *options, struct err *err)
{
    struct policies opened = {0};
    int status = policies_open(&opened, &options->operands, err);
    const struct weir_policy_ops **list = mem_alloc(opened.count + 1, sizeof(*list));
    if (status == 0 && !list)
        status = err_memory(err);
    for (size_t i = 0; i < opened.count && list; i++)
        list[i] = opened.list[i]->ops;
    if (status == 0 && options->json)
        policies_write_all(list);
    else if (status == 0)
        policies_print_all(list);
    free(list);
    policies_fini(&opened);
    return status == 0 ? STATUS_DONE : STATUS_MISUSE;
}

static int policies_run(const void *values, struct err *err)
{
    const struct policies_options *options = values;
    if (options->operands.count > 0)
        return policies_show(options, err);
    if (options->json)
        policies_write_all(policy_registry);
    else
        policies_print_all(policy_registry);
    return STATUS_DONE;
}

static const struct option options[] = {
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, offsetof(struct policies_options, json),
     "print the list as JSON"},
    {.name = NULL},
};

const struct command command_policies = {
    .name = "policies",
    .summary = "list the strategies, their parameters and what they need to know",
    .operands = "[STRATEGY...]",
    .most = SIZE_MAX,
    .options = options,
    .details = "Without a name, all strategies of the library; with names, these, plug-ins such as "
               "./mine.so included. Choose a strategy as NAME or NAME:KEY=VALUE,KEY=VALUE. The key "
               "of a flag alone "
               "switches it on.",
    .example = "weir policies --json",
    .size = sizeof(struct policies_options),
    .run = policies_run,
};
