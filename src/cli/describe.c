#include "cli/describe.h"
#include "base/text.h"
#include <stdio.h>

const struct need needs[] = {
    {WEIR_NEEDS_YIELD, "yield", "the progress of each application"},
    {WEIR_NEEDS_VOLUME, "volume", "the volume of an I/O when it is posted"},
    {WEIR_NEEDS_HISTORY, "history", "the lengths of earlier iterations"},
    {WEIR_NEEDS_PROFILE, "profile", "the whole application in advance"},
    {WEIR_NEEDS_PLAN, "plan", "a plan of the I/O of periodic applications"},
    {0, NULL, NULL},
};

char *describe_needs(const struct weir_policy_ops *ops, char *buffer, size_t size)
{
    buffer[0] = 0;
    for (const struct need *need = needs; need->name; need++) {
        if (!(ops->flags & need->flag))
            continue;
        text_append(buffer, size, buffer[0] ? "; " : "");
        text_append(buffer, size, need->text);
    }
    text_append(buffer, size, buffer[0] ? "" : "nothing");
    return buffer;
}

static void add_range(const struct weir_param *param, char *buffer, size_t size)
{
    char range[64] = "NUMBER";
    if (isfinite(param->low) && isfinite(param->high) && param->low < param->high)
        snprintf(range, sizeof range, "%g..%g", param->low, param->high);
    text_append(buffer, size, range);
    text_append(buffer, size, isnan(param->initial) ? " | auto" : "");
}

char *describe_param(const struct weir_param *param, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s=", param->name);
    switch (param->kind) {
    case WEIR_PARAM_NUMBER:
        add_range(param, buffer, size);
        break;
    case WEIR_PARAM_FLAG:
        text_append(buffer, size, "on | off");
        break;
    case WEIR_PARAM_CHOICE:
        for (const char *const *choice = param->choices; *choice; choice++) {
            text_append(buffer, size, choice == param->choices ? "" : " | ");
            text_append(buffer, size, *choice);
        }
        break;
    case WEIR_PARAM_TEXT:
        text_append(buffer, size, "TEXT");
        break;
    }
    return buffer;
}

char *describe_default(const struct weir_param *param, char *buffer, size_t size)
{
    if (isnan(param->initial))
        snprintf(buffer, size, "auto");
    else if (param->kind == WEIR_PARAM_FLAG)
        snprintf(buffer, size, "%s", param->initial != 0 ? "on" : "off");
    else if (param->kind == WEIR_PARAM_CHOICE)
        snprintf(buffer, size, "%s", param->choices[(size_t)param->initial]);
    else if (param->kind == WEIR_PARAM_TEXT)
        snprintf(buffer, size, "none");
    else
        snprintf(buffer, size, "%g", param->initial);
    return buffer;
}
