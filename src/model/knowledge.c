#include "model/knowledge.h"
#include "base/text.h"
#include "base/units.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int knowledge_parse(struct knowledge *knowledge, const char *text, struct err *err)
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

char *knowledge_print(const struct knowledge *knowledge, char *buffer, size_t size)
{
    if (knowledge->volumes == KNOWLEDGE_WITHIN)
        snprintf(buffer, size, "%.15g%%", 100 * knowledge->part);
    else
        snprintf(buffer, size, knowledge->volumes == KNOWLEDGE_MEAN ? "mean" : "exact");
    return buffer;
}

char *knowledge_describe(const struct knowledge *knowledge, char *buffer, size_t size)
{
    char age[64];
    *buffer = 0;
    if (knowledge->volumes == KNOWLEDGE_WITHIN)
        snprintf(buffer, size, "volumes are known to %.4g %%", 100 * knowledge->part);
    else if (knowledge->volumes == KNOWLEDGE_MEAN)
        snprintf(buffer, size, "volumes are known as the mean of earlier ones");
    if (knowledge->age > 0) {
        text_append(buffer, size, *buffer ? ", progress up to " : "progress is known up to ");
        text_append(buffer, size, units_print(knowledge->age, UNIT_SECONDS, age, sizeof age));
        text_append(buffer, size, " late");
    }
    return buffer;
}
