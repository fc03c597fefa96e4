/* The functions behind the hooks. */
#ifndef WEIR_PRELOAD_REAL_H
#define WEIR_PRELOAD_REAL_H

#include "preload/hooks.h"
#include <stdbool.h>

/* One member per hook, of its name: the next definition of it behind this library, which may be
 * libc's or that of another preloaded library. */
#define REAL_MEMBER(type, name, ...) type(*name) HOOKS_FIRST(__VA_ARGS__, );
struct real {
    HOOKS(REAL_MEMBER)
};
#undef REAL_MEMBER

extern struct real real_table;

/* Finds them all. Needed once, which real() sees to: a constructor of another library may call a
 * hook before this library's own ran. */
void real_resolve(void);

static inline const struct real *real(void)
{
    if (__builtin_expect(!real_table.write, 0))
        real_resolve();
    return &real_table;
}

/* Whether there is a real function, for the hooks on other libraries than libc: those may be loaded
 * later than this one, or never. */
#define REAL_HAS(name) (real()->name || real_find(#name))

/* Looks for it in what has been loaded since. Never changes errno. */
bool real_find(const char *name);

/* The next definition of a function or variable of another library than libc, wherever it was
 * loaded; it is looked for until it is found, and then kept. NULL = there is none. Never changes
 * errno. */
void *real_behind(_Atomic(void *) *kept, const char *name);

/* A symbol of the C library that not every version of it has; NULL = it has not. */
void *real_symbol(const char *name);

/* Whether the C library is glibc, whose streams the hooks know. In another one this library must do
 * nothing. */
bool real_is_glibc(void);

/* The dlsym behind this library, also at a time when real() is too much; NULL = there is none. */
typedef void *finder(void *handle, const char *name);
finder *real_finder(void);

/* What a look-up by name that found `found` should answer: the hook, if it found what stands behind
 * one. */
void *real_hook(const char *name, void *found);

/* A function of this library that programs see. */
#define HOOK __attribute__((visibility("default")))

#endif
