/* The environment of programs that this one starts. */
#ifndef WEIR_PRELOAD_EXEC_H
#define WEIR_PRELOAD_EXEC_H

/* Takes this library out of the process's environment, where it stands. */
void exec_hide(void);

#endif
