#include "cli/artefact.h"
#include "base/mem.h"
#include "base/output.h"
#include <stdio.h>
#include <string.h>

char *artefact_place(const char *path, const char *scenario, const char *policy)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.'),
               *extension = dot && dot > base ? dot : base + strlen(base);
    size_t stem = (size_t)(extension - path);
    size_t size = strlen(path) + (scenario ? strlen(scenario) : 0) + (policy ? strlen(policy) : 0);
    char *place = mem_alloc(size + 3, 1);
    if (!place)
        return NULL;
    if (output_is_stdout(path))
        return strcpy(place, path);
    snprintf(place, size + 3, "%.*s%s%s%s%s%s", (int)stem, path, scenario ? "-" : "",
             scenario ? scenario : "", policy ? "-" : "", policy ? policy : "", extension);
    size_t end = strlen(place) - strlen(extension);
    for (size_t i = stem; i < end; i++)
        if (strchr("/:=, ", place[i]))
            place[i] = '-';
    return place;
}

void artefact_tell(const char *path, const char *place)
{
    if (strcmp(place, path) != 0)
        fprintf(stderr, "weir: wrote %s\n", place);
}
