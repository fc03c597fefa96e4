#include "format/format.h"
#include "base/text.h"
#include "format/registry.h"
#include "format/word.h"
#include <stdlib.h>
#include <string.h>

#define X(name) &format_##name,
const struct format *const format_registry[] = {FORMATS(X) NULL};
#undef X

const struct format *format_find(const char *name, struct err *err)
{
    const char *names[sizeof format_registry / sizeof *format_registry] = {NULL};
    for (size_t i = 0; format_registry[i]; i++) {
        names[i] = format_registry[i]->name;
        if (strcmp(names[i], name) == 0)
            return format_registry[i];
    }
    word_unknown("format", name, names, err);
    return NULL;
}

struct scenario *format_load(const char *path, const struct format *format,
                             const struct format_defaults *defaults, struct err *err)
{
    size_t length;
    char *text = text_load(path, &length, err);
    if (!text)
        return NULL;
    if (!format)
        format = format_registry[0];
    const char *where = strcmp(path, "-") == 0 ? "stdin" : path;
    struct scenario *scenario = format->parse(text, length, where, defaults, err);
    free(text);
    return scenario;
}
