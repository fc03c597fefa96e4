/* Hooks on metadata: each call is one operation. */
#include "preload/call.h"
#include "preload/descriptor.h"
#include "preload/real.h"

#define PATH(type, name, parameters, arguments, directory, where)                                  \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        call_operation_at(directory, where);                                                       \
        return real()->name arguments;                                                             \
    }
HOOKS_PATH(PATH)
#undef PATH

#define STATE(type, name, parameters, arguments)                                                   \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        if (descriptor_controlled(fd))                                                             \
            call_operation(descriptor_store(fd));                                                  \
        return real()->name arguments;                                                             \
    }
HOOKS_STATE(STATE)
#undef STATE

/* --- walks: an operation for each file -------------------------------------------------------- */

/* The walk that this thread is on. A visit may begin another, and jump out of it. */
static _Thread_local struct tree_walk {
    int store;           /* plus 1; 0 = none */
    void (*visit)(void); /* of some type */
} walk __attribute__((tls_model("initial-exec")));

static void walk_step(void)
{
    if (walk.store > 0)
        call_operation(walk.store - 1);
}

/* Only the path tells where it leads: whether an entry is on the store is decided by its root. */
#define WALK(name, kind, more, pass, step_parameters, step_arguments)                              \
    static int step_##name step_parameters                                                         \
    {                                                                                              \
        struct tree_walk outer = walk;                                                             \
        walk_step();                                                                               \
        int result = ((kind *)outer.visit)step_arguments;                                          \
        walk = outer;                                                                              \
        return result;                                                                             \
    }                                                                                              \
    HOOK int name(const char *path, kind *visit, int n more)                                       \
    {                                                                                              \
        struct tree_walk outer = walk;                                                             \
        walk = (struct tree_walk){call_store(AT_FDCWD, path) + 1, (void (*)(void))visit};          \
        int result = real()->name(path, step_##name, n pass);                                      \
        walk = outer;                                                                              \
        return result;                                                                             \
    }
#define AND ,
WALK(ftw, ftw_visit, , , (const char *p, const struct stat *s, int k), (p, s, k))
WALK(ftw64, ftw64_visit, , , (const char *p, const struct stat64 *s, int k), (p, s, k))
WALK(nftw, nftw_visit, AND int f, AND f,
     (const char *p, const struct stat *s, int k, struct FTW *w), (p, s, k, w))
WALK(nftw64, nftw64_visit, AND int f, AND f,
     (const char *p, const struct stat64 *s, int k, struct FTW *w), (p, s, k, w))
#undef AND
#undef WALK
