/* What kind of program a file is, as far as loading a library into it goes. */
#ifndef WEIR_CLI_EXECUTABLE_H
#define WEIR_CLI_EXECUTABLE_H

/* Why no library can be loaded into the command, as a text that never changes; NULL when nothing is
 * known against it. Looks where execvp would; of a script it looks at the interpreter. */
const char *executable_refuses(const char *command);

#endif
