/* Control of programs that cannot load the preload, or do not call libc: statically linked ones,
 * those in Go or of another C library, system calls by a program's own instructions. A seccomp
 * filter stops their data calls until a supervisor lets them go (supervise/supervisor.h). */
#ifndef WEIR_SUPERVISE_SUPERVISE_H
#define WEIR_SUPERVISE_SUPERVISE_H

/* Returns NULL, or why no program can be supervised here: a constant text. */
const char *supervise_check(void);

/* Puts this process, which has one thread and is about to become the program, under supervision by
 * a process that it starts beside itself. The environment must hold the identity and the stores.
 * Returns NULL; or why not, a constant text, and the process is as before. If it is under the
 * filter and has no supervisor, it has no way to run: that ends it with status 126. */
const char *supervise_enter(void);

#endif
