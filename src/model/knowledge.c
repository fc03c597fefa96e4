#include "model/knowledge.h"
#include "base/text.h"
#include "base/units.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int knowledge_parse_volumes(struct knowledge *knowledge, const char *text, struct err *err)
{
    struct err ignored;
    double part = 0;
    bool exact = strcmp(text, "exact") == 0, mean = strcmp(text, "mean") == 0;
    if (!exact && !mean &&
        (units_parse(text, UNIT_RATIO, &part, &ignored) || !(part > 0 && part < 1)))
        return err_set(err, "'%s', expected exact, mean, or a percentage such as 30%%", text);
    knowledge->volumes = exact ? KNOWLEDGE_EXACT : mean ? KNOWLEDGE_MEAN : KNOWLEDGE_WITHIN;
    knowledge->part = part;
    return 0;
}

static int knowledge_parse_lengths(struct knowledge *knowledge, const char *text, struct err *err)
{
    struct err ignored;
    double part = 0;
    bool exact = strcmp(text, "exact") == 0, none = strcmp(text, "none") == 0;
    if (!exact && !none &&
        (units_parse(text, UNIT_RATIO, &part, &ignored) || !(part > 0 && part < 1)))
        return err_set(err, "'%s' of lengths, expected exact, none, or a percentage such as 30%%",
                       text);
    knowledge->lengths = exact ? KNOWLEDGE_EACH : none ? KNOWLEDGE_NONE : KNOWLEDGE_ROUGHLY;
    knowledge->length_part = part;
    return 0;
}

int knowledge_parse(struct knowledge *knowledge, const char *text, struct err *err)
{
    char volumes[32];
    const char *slash = strchr(text, '/');
    size_t size = slash ? (size_t)(slash - text) : strlen(text);
    knowledge->lengths = KNOWLEDGE_DECLARED;
    if (!slash)
        return knowledge_parse_volumes(knowledge, text, err);
    snprintf(volumes, sizeof volumes, "%.*s", (int)(size < sizeof volumes ? size : 0), text);
    return knowledge_parse_volumes(knowledge, volumes, err) < 0
               ? -1
               : knowledge_parse_lengths(knowledge, slash + 1, err);
}

char *knowledge_print(const struct knowledge *knowledge, char *buffer, size_t size)
{
    char lengths[32] = "";
    if (knowledge->lengths == KNOWLEDGE_ROUGHLY)
        snprintf(lengths, sizeof lengths, "/%.15g%%", 100 * knowledge->length_part);
    else if (knowledge->lengths != KNOWLEDGE_DECLARED)
        snprintf(lengths, sizeof lengths,
                 knowledge->lengths == KNOWLEDGE_EACH ? "/exact" : "/none");
    if (knowledge->volumes == KNOWLEDGE_WITHIN)
        snprintf(buffer, size, "%.15g%%%s", 100 * knowledge->part, lengths);
    else
        snprintf(buffer, size, "%s%s", knowledge->volumes == KNOWLEDGE_MEAN ? "mean" : "exact",
                 lengths);
    return buffer;
}

/* Begins the next clause: the first one of a line says what it is about. */
static void knowledge_add(char *buffer, size_t size, const char *subject, const char *first)
{
    text_append(buffer, size, *buffer ? ", " : "");
    text_append(buffer, size, subject);
    text_append(buffer, size, strncmp(buffer, subject, strlen(subject)) == 0 ? first : "");
}

char *knowledge_describe(const struct knowledge *knowledge, char *buffer, size_t size)
{
    char age[64];
    *buffer = 0;
    if (knowledge->volumes == KNOWLEDGE_WITHIN)
        snprintf(buffer, size, "volumes are known to %.4g %%", 100 * knowledge->part);
    else if (knowledge->volumes == KNOWLEDGE_MEAN)
        snprintf(buffer, size, "volumes are known as the mean of earlier ones");
    if (knowledge->lengths != KNOWLEDGE_DECLARED) {
        char part[64] = "exactly";
        if (knowledge->lengths == KNOWLEDGE_ROUGHLY)
            snprintf(part, sizeof part, "to %.4g %%", 100 * knowledge->length_part);
        knowledge_add(buffer, size, "lengths", " are known");
        text_append(buffer, size, knowledge->lengths == KNOWLEDGE_NONE ? " not at all" : " ");
        text_append(buffer, size, knowledge->lengths == KNOWLEDGE_NONE ? "" : part);
    }
    if (knowledge->age > 0) {
        knowledge_add(buffer, size, "progress", " is known");
        text_append(buffer, size, " up to ");
        text_append(buffer, size, units_print(knowledge->age, UNIT_SECONDS, age, sizeof age));
        text_append(buffer, size, " late");
    }
    return buffer;
}
