/* The environment of programs that this one starts. */
#ifndef WEIR_PRELOAD_EXEC_H
#define WEIR_PRELOAD_EXEC_H

/* Removes this library from the process's environment, in place. */
void exec_hide(void);

#endif
