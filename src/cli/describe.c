#include "cli/describe.h"
#include <stdio.h>
#include <string.h>

const struct need needs[] = {
    {WEIR_NEEDS_YIELD, "yield", "the progress of each application"},
    {WEIR_NEEDS_VOLUME, "volume", "the volume of an I/O when it is posted"},
    {WEIR_NEEDS_HISTORY, "history", "the lengths of earlier iterations"},
    {WEIR_NEEDS_PROFILE, "profile", "the whole application in advance"},
    {0, NULL, NULL},
};

/* Appends; what does not fit is cut off. */
static void add(char *buffer, size_t size, const char *text)
{
    size_t used = strlen(buffer);
    snprintf(buffer + used, size - used, "%s", text);
}

char *describe_needs(const struct weir_policy_ops *ops, char *buffer, size_t size)
{
    buffer[0] = 0;
    for (const struct need *need = needs; need->name; need++) {
        if (!(ops->flags & need->flag))
            continue;
        add(buffer, size, buffer[0] ? "; " : "");
        add(buffer, size, need->text);
    }
    add(buffer, size, buffer[0] ? "" : "nothing");
    return buffer;
}

static void add_range(const struct weir_param *param, char *buffer, size_t size)
{
    char range[64] = "NUMBER";
    if (isfinite(param->low) && isfinite(param->high) && param->low < param->high)
        snprintf(range, sizeof range, "%g..%g", param->low, param->high);
    add(buffer, size, range);
    add(buffer, size, isnan(param->initial) ? " | auto" : "");
}

char *describe_param(const struct weir_param *param, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s=", param->name);
    switch (param->kind) {
    case WEIR_PARAM_NUMBER:
        add_range(param, buffer, size);
        break;
    case WEIR_PARAM_FLAG:
        add(buffer, size, "on | off");
        break;
    case WEIR_PARAM_CHOICE:
        for (const char *const *choice = param->choices; *choice; choice++) {
            add(buffer, size, choice == param->choices ? "" : " | ");
            add(buffer, size, *choice);
        }
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
    else
        snprintf(buffer, size, "%g", param->initial);
    return buffer;
}
