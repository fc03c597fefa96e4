/* Files that a run leaves behind besides its measures: pictures, traces. */
#ifndef WEIR_CLI_ARTEFACT_H
#define WEIR_CLI_ARTEFACT_H

#include "base/err.h"
#include "base/output.h"
#include "cli/study.h"

/* One of them; a table of them ends with write = NULL. */
struct artefact {
    const char *path; /* as the user gave it, NULL = not wanted */
    study_writer *write;
    char *place; /* where it really goes */
    struct output output;
};

/* The path with "-scenario-policy" before its extension; either may be NULL. What a file name
 * should not hold becomes '-'; "-", standard output, stays as it is. NULL when memory is out;
 * free() frees. */
char *artefact_place(const char *path, const char *scenario, const char *policy);

/* Opens the files before the run, so that a path that cannot be written is known early; writes
 * and commits them after it, telling on stderr where they went if that is not as given. 0 or -1.
 */
int artefacts_open(struct artefact *artefacts, const char *scenario, const char *policy,
                   struct err *err);
int artefacts_write(struct artefact *artefacts, const struct study *study,
                    const struct timeline *timeline, struct err *err);

/* Frees, and removes what was not committed. */
void artefacts_close(struct artefact *artefacts);

#endif
