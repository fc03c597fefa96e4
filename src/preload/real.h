/* The real functions that the hooks call. */
#ifndef WEIR_PRELOAD_REAL_H
#define WEIR_PRELOAD_REAL_H

#include "preload/hooks.h"
#include <stdbool.h>

/* One member per hook, of its name: the next definition after this library, in libc or another
 * preloaded library. */
#define REAL_MEMBER(type, name, ...) type(*name) HOOKS_FIRST(__VA_ARGS__, );
struct real {
    HOOKS(REAL_MEMBER)
};
#undef REAL_MEMBER

extern struct real real_table;

/* Finds them all. real() calls it once: a constructor of another library may call a hook before
 * this library's own has run. */
void real_resolve(void);

static inline const struct real *real(void)
{
    if (__builtin_expect(!real_table.write, 0))
        real_resolve();
    return &real_table;
}

/* Whether there is a real function, for hooks on libraries other than libc: those may be loaded
 * later, or never. */
#define REAL_HAS(name) (real()->name || real_find(#name))

/* Searches the objects loaded since. Never changes errno. */
bool real_find(const char *name);

/* The next definition of a function or variable of another library than libc, wherever it was
 * loaded; it is looked for until it is found, and then kept. NULL = there is none. Never changes
 * errno. */
void *real_behind(_Atomic(void *) *kept, const char *name);

/* A symbol that not every version of the C library has; NULL = this one has not. */
void *real_symbol(const char *name);

/* Whether the C library is glibc, whose streams the hooks know. In any other, this library must do
 * nothing. */
bool real_is_glibc(void);

/* The dlsym after this library, available even before real(); NULL = there is none. */
typedef void *finder(void *handle, const char *name);
finder *real_finder(void);

/* The result for a look-up by name that found `found`: the hook, if `found` is the function that a
 * hook stands for. */
void *real_hook(const char *name, void *found);

/* A function of this library that programs see. */
#define HOOK __attribute__((visibility("default")))

#endif
