/* Where the files of several runs go that the user named once. */
#ifndef WEIR_CLI_ARTEFACT_H
#define WEIR_CLI_ARTEFACT_H

/* The path with "-scenario-policy" before its extension; either may be NULL. What a file name
 * should not hold becomes '-'; "-", standard output, stays as it is. NULL when memory is out;
 * free() frees. */
char *artefact_place(const char *path, const char *scenario, const char *policy);

/* Tells on stderr where a file went, if that is not as the user named it. */
void artefact_tell(const char *path, const char *place);

#endif
