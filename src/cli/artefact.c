#include "cli/artefact.h"
#include "base/mem.h"
#include <stdio.h>
#include <stdlib.h>
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

int artefacts_open(struct artefact *artefacts, const char *scenario, const char *policy,
                   struct err *err)
{
    for (struct artefact *a = artefacts; a->write; a++) {
        if (!a->path)
            continue;
        a->place = artefact_place(a->path, scenario, policy);
        if (!a->place)
            return err_memory(err);
        if (output_open(&a->output, a->place, err) < 0)
            return -1;
    }
    return 0;
}

int artefacts_write(struct artefact *artefacts, const struct study *study,
                    const struct timeline *timeline, struct err *err)
{
    for (struct artefact *a = artefacts; a->write; a++) {
        if (!a->path)
            continue;
        if (a->write(a->output.file, study, timeline, err) < 0 ||
            output_commit(&a->output, err) < 0)
            return -1;
        if (strcmp(a->place, a->path) != 0)
            fprintf(stderr, "weir: wrote %s\n", a->place);
    }
    return 0;
}

void artefacts_close(struct artefact *artefacts)
{
    for (struct artefact *a = artefacts; a->write; a++) {
        output_discard(&a->output);
        free(a->place);
    }
}
