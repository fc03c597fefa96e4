/* What an importer notes about its input, one line each, on stderr. */
#ifndef WEIR_CLI_NOTES_H
#define WEIR_CLI_NOTES_H

void notes_tell(const char *notes);

#endif
