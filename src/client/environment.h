/* What a program finds in its environment, so that its processes are one application under control:
 * the variables of wire/page.h and the library that is preloaded. Everything
 * that starts programs takes it from here. */
#ifndef WEIR_CLIENT_ENVIRONMENT_H
#define WEIR_CLIENT_ENVIRONMENT_H

#include "client/identity.h"
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Where the variables are: those of this process, or of a job that it will start. */
struct environment {
    /* Copies a value of less than `size` bytes; one that is not set is empty. 0, or -1 if it is
     * longer. */
    int (*get)(void *context, const char *variable, char *value, size_t size);
    /* Sets it, or removes it if the value is NULL. 0 or -1. */
    int (*set)(void *context, const char *variable, const char *value);
    void *context;
};

/* Puts in all that belongs to this application. `stores` are those of a WELCOME. The library goes
 * behind others that are preloaded, instead of any that is there already; NULL = none is. Returns
 * NULL, or why the program runs without control: a text that never changes. Then nothing is left of
 * it. */
const char *environment_prepare(const struct environment *environment,
                                const struct identity *identity, const char *stores,
                                const char *library);

/* Takes all of it out, also that of another application. Where there is none, variables that a user
 * has set for other reasons stay. */
void environment_clear(const struct environment *environment);

/* Sets in this process what is there of an application, so that a session of its own belongs to
 * it. */
void environment_adopt(const struct environment *environment);

/* Takes out the library only: for a program that cannot load it. */
void environment_unload(const struct environment *environment);

/* The path of the library: in the directory of this file, or in one that is named relative to that.
 * Returns NULL, or why there is none: a text that never changes. */
const char *environment_find_library(const char *file, const char *directory, char path[PATH_MAX]);

/* Whether it can be preloaded from this path; NULL, or why not. */
const char *environment_check_library(const char *path);

/* Of a list as LD_PRELOAD has it: the length of its first item, and whether that is the library;
 * and a copy without it, which may be in the same place. Returns the copy's length. Nothing else is
 * written: both may be used in the child of a vfork. */
size_t environment_item(const char *list, bool *is_library);
size_t environment_without(const char *list, char *copy);

#endif
