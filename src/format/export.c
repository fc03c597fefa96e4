#include "format/export.h"
#include "format/exporter.h"
#include "format/word.h"
#include <string.h>

#define X(name) &export_##name,
const struct exporter *const export_registry[] = {EXPORTERS(X) NULL};
#undef X

const struct exporter *export_find(const char *name, struct err *err)
{
    const char *names[sizeof export_registry / sizeof *export_registry] = {NULL};
    for (size_t i = 0; export_registry[i]; i++) {
        names[i] = export_registry[i]->name;
        if (strcmp(names[i], name) == 0)
            return export_registry[i];
    }
    word_unknown("format", name, names, err);
    return NULL;
}
