/* What is noted about input, one line each, on stderr after the name of the program. */
#ifndef WEIR_TERMINAL_NOTES_H
#define WEIR_TERMINAL_NOTES_H

void notes_tell(const char *program, const char *notes);

#endif
