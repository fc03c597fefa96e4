#include "preload/real.h"
#include "preload/lookup.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

/* The oldest version, so that this library loads into programs of any glibc since 2.17. Before 2.34
 * it is libdl's, which many programs do not load, so it may be missing. */
#if defined(__x86_64__)
__asm__(".symver dlopen, dlopen@GLIBC_2.2.5\n");
#elif defined(__aarch64__)
__asm__(".symver dlopen, dlopen@GLIBC_2.17\n");
#else
#error "which is the oldest version of this processor's symbols?"
#endif
#pragma weak dlopen

/* The first ones, which programs use most, are in one line of the cache with what real() looks at.
 */
_Alignas(64) struct real real_table;

typedef void function(void);

#define FIND(type, name, ...) {#name, &real_table.name, (function *)name},
static const struct {
    const char *name;
    void *member;
    function *hook;
} places[] = {HOOKS(FIND)};
#undef FIND

/* Nothing else of libc's is called, not even real(): a sanitizer that looks for functions has not
 * found its own yet. */
finder *real_finder(void)
{
    static _Atomic(void *) kept;
    void *found = atomic_load_explicit(&kept, memory_order_relaxed);
    if (!found)
        found = lookup_symbol("dlsym", true, NULL);
    atomic_store_explicit(&kept, found, memory_order_relaxed);
    return (finder *)(uintptr_t)found;
}

/* --- what an older libc has not --------------------------------------------------------------- */

static long missing(void)
{
    errno = ENOSYS;
    return -1;
}

static int stat_directly(const char *path, struct stat *status)
{
    return (int)real_table.syscall(SYS_newfstatat, AT_FDCWD, path, status, 0);
}

static int lstat_directly(const char *path, struct stat *status)
{
    return (int)real_table.syscall(SYS_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

static int fstat_directly(int fd, struct stat *status)
{
    return (int)real_table.syscall(SYS_fstat, fd, status);
}

static int fstatat_directly(int dir, const char *path, struct stat *status, int flags)
{
    return (int)real_table.syscall(SYS_newfstatat, dir, path, status, flags);
}

/* A program may ask for a function by name that it finds here only: it fails as it would on an
 * older kernel. What this library itself needs is asked of the kernel (whose struct stat is
 * libc's). Those of other libraries, by name "io_...", may come later, and libdl's never. */
static void *replacement(const char *name)
{
    static const struct {
        const char *name;
        function *function;
    } list[] = {
        {"stat", (function *)stat_directly},       {"stat64", (function *)stat_directly},
        {"lstat", (function *)lstat_directly},     {"lstat64", (function *)lstat_directly},
        {"fstat", (function *)fstat_directly},     {"fstat64", (function *)fstat_directly},
        {"fstatat", (function *)fstatat_directly}, {"fstatat64", (function *)fstatat_directly},
    };
    bool optional = strncmp(name, "io_", 3) == 0 || strncmp(name, "dl", 2) == 0;
    function *found = optional ? NULL : (function *)missing;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(list[i].name, name) == 0)
            found = list[i].function;
    void *address;
    memcpy(&address, &found, sizeof address);
    return address;
}

void *real_symbol(const char *name)
{
    return lookup_symbol(name, false, NULL);
}

bool real_is_glibc(void)
{
    return real_symbol("_IO_2_1_stdin_") != NULL;
}

void real_resolve(void)
{
    int saved = errno;
    /* The last to be stored is write, by which real() knows that all are there. Two threads may do
     * it at once: they store the same. */
    void *write = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        void *found = lookup_symbol(places[i].name, true, NULL);
        found = found ? found : replacement(places[i].name);
        if (places[i].member == (void *)&real_table.write)
            write = found;
        else
            __atomic_store_n((void **)places[i].member, found, __ATOMIC_RELAXED);
    }
    __atomic_store_n((void **)(void *)&real_table.write, write, __ATOMIC_RELEASE);
    errno = saved;
}

/* --- libraries that come later ---------------------------------------------------------------- */

/* The object that has the function stays loaded: its address is kept. No allocator calls a function
 * of these libraries, so here, and only here, the dynamic linker may be called. */
static void *real_search(const char *name)
{
    const char *object;
    void *found = lookup_symbol(name, true, &object);
    if (found && dlopen && *object)
        dlopen(object, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    return found;
}

void *real_behind(_Atomic(void *) *kept, const char *name)
{
    void *found = atomic_load_explicit(kept, memory_order_relaxed);
    if (__builtin_expect(found != NULL, 1))
        return found;
    int saved = errno;
    found = real_search(name);
    atomic_store_explicit(kept, found, memory_order_relaxed);
    errno = saved;
    return found;
}

bool real_find(const char *name)
{
    int saved = errno;
    void *found = real_search(name);
    for (size_t i = 0; found && i < sizeof places / sizeof *places; i++)
        if (strcmp(places[i].name, name) == 0)
            __atomic_store_n((void **)places[i].member, found, __ATOMIC_RELAXED);
    errno = saved;
    return found;
}

/* --- functions that programs look for --------------------------------------------------------- */

void *real_hook(const char *name, void *found)
{
    real(); /* so that the table is filled */
    for (size_t i = 0; found && i < sizeof places / sizeof *places; i++)
        if (*(void *const *)places[i].member == found && strcmp(places[i].name, name) == 0)
            memcpy(&found, &places[i].hook, sizeof found);
    return found;
}
