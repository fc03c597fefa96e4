/* The note of `weir exec` at the end of a program whose I/O escaped control. */
#ifndef WEIR_CLI_ESCAPE_NOTE_H
#define WEIR_CLI_ESCAPE_NOTE_H

#include <stdint.h>

/* Asks the controller about the application of this id, which must still exist, and says on
 * standard error what escaped, from 1 MiB on. Says nothing if there is no answer. */
void escape_note(const char *socket, uint32_t app);

#endif
