/* What kind of program a file is, with regard to loading a library into it. Needs no memory and
 * little stack, and keeps errno: the child of a vfork may use it. */
#ifndef WEIR_CLIENT_PROGRAM_H
#define WEIR_CLIENT_PROGRAM_H

#include <stdbool.h>

/* Kind, and the reason why such a program is not controlled. */
#define PROGRAM_KINDS(X)                                                                           \
    X(ORDINARY, NULL) /* nothing is known against it */                                            \
    X(STATIC, "is statically linked")                                                              \
    X(MUSL, "uses another C library (musl)")                                                       \
    X(FOREIGN, "uses another C library")                                                           \
    X(OTHER_SIZE, "is of another word size")                                                       \
    X(OTHER_PROCESSOR, "is for another processor")                                                 \
    X(SET_ID, "runs as another user or group")                                                     \
    X(CAPABLE, "has file capabilities")

#define PROGRAM_ENUM(name, reason) PROGRAM_##name,
enum program_kind { PROGRAM_KINDS(PROGRAM_ENUM) };
#undef PROGRAM_ENUM

/* The kind of a file, whose path is relative to the directory `dir`; of a script, the kind of its
 * interpreter. A file that cannot be read is ordinary. */
enum program_kind program_judge(int dir, const char *path);

/* The kind of a command, found as execvp would in `list`, the value of PATH (NULL = not set). */
enum program_kind program_judge_command(const char *command, const char *list);

/* Whether the program must not be given a library of glibc: its dynamic linker would complain or
 * fail. */
bool program_rejects(enum program_kind kind);

/* A constant text; NULL = it is ordinary. */
const char *program_reason(enum program_kind kind);

#endif
