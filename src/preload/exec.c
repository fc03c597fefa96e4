/* Hooks on what starts another program. One that could not load this library, because its C
 * library, word size or processor is another, or because the library is not there (any more, after
 * a chroot), gets an environment without it: it would complain, or not start at all.
 *
 * All of it may run in the child of a vfork: nothing is allocated, and nothing but the stack is
 * written. */
#include "preload/exec.h"
#include "client/environment.h"
#include "client/kernel.h"
#include "client/program.h"
#include "preload/call.h"
#include "preload/descriptor.h"
#include "preload/memory.h"
#include "preload/real.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The lists have as many places as the program's: libc puts them on the stack too. */
#pragma GCC diagnostic ignored "-Wvla"

static const char variable[] = "LD_PRELOAD=";

/* What has to change in an environment. */
struct removal {
    char *const *from;
    size_t entries; /* of the new one; 0 = nothing changes */
    size_t room;    /* bytes of the new texts in it */
};

/* --- the variable ----------------------------------------------------------------------------- */

/* The item that is this library; NULL if it has none. */
static const char *preload_exec_find_library(const char *list, size_t *length)
{
    for (bool ours; *list; list += *list ? 1 : 0) {
        *length = environment_item(list, &ours);
        if (ours)
            return list;
        list += *length;
    }
    return NULL;
}

/* Copies an entry without the library; returns its size, or 0 if nothing is left of it. */
static size_t copy_without(const char *entry, char *to)
{
    size_t head = sizeof variable - 1;
    memmove(to, entry, head);
    size_t length = environment_without(entry + head, to + head);
    return length > 0 ? head + length + 1 : 0;
}

static bool is_preload(const char *entry)
{
    return strncmp(entry, variable, sizeof variable - 1) == 0;
}

/* --- the environment -------------------------------------------------------------------------- */

/* Whether it can be read; if not, the kernel reports it. */
static bool exec_readable(char *const *envp)
{
    if (!envp || call_sealed())
        return envp;
    for (;; envp++)
        if (!memory_readable(envp, sizeof *envp) || (*envp && !memory_has_text(*envp)))
            return false;
        else if (!*envp)
            return true;
}

/* What removing the library takes; nothing if it is not there. */
static struct removal find_removal(char *const *envp)
{
    struct removal removal = {.from = envp};
    size_t entries = 1, length;
    if (!exec_readable(envp))
        return removal;
    for (; *envp; envp++, entries++)
        if (is_preload(*envp) && preload_exec_find_library(*envp + sizeof variable - 1, &length))
            removal.room += strlen(*envp) + 1;
    removal.entries = removal.room > 0 ? entries : 0;
    return removal;
}

/* The path of the library in it, where the dynamic linker would look. */
static bool is_there(const struct removal *removal)
{
    for (char *const *envp = removal->from; *envp; envp++) {
        size_t length;
        const char *path = is_preload(*envp)
                               ? preload_exec_find_library(*envp + sizeof variable - 1, &length)
                               : NULL;
        if (!path || *path != '/')
            continue;
        char name[length + 1];
        memcpy(name, path, length);
        name[length] = '\0';
        if (KERNEL_CALL(SYS_faccessat, AT_FDCWD, (long)name, R_OK) != 0)
            return false;
    }
    return true;
}

/* The environment for the program: the old one, or a new one made of `list` and `text`. */
static char *const *exec_apply(const struct removal *removal, char **list, char *text)
{
    size_t n = 0;
    if (removal->entries == 0)
        return removal->from;
    for (char *const *envp = removal->from; *envp; envp++) {
        size_t length, size;
        if (!is_preload(*envp) ||
            !preload_exec_find_library(*envp + sizeof variable - 1, &length)) {
            list[n++] = *envp;
        } else if ((size = copy_without(*envp, text)) > 0) {
            list[n++] = text;
            text += size;
        }
    }
    list[n] = NULL;
    return list;
}

void exec_hide(void)
{
    size_t length;
    for (char **entry = environ; entry && *entry; entry++)
        if (is_preload(*entry) && preload_exec_find_library(*entry + sizeof variable - 1, &length))
            copy_without(*entry, *entry);
}

/* --- hooks ------------------------------------------------------------------------------------ */

/* Defines `environment` for a program of the kind that `judgement` finds out if need be. */
#define CHOOSE_ENVIRONMENT(envp, judgement)                                                        \
    struct removal removal = find_removal(envp);                                                   \
    if (removal.entries > 0 && !call_sealed() && !program_rejects(judgement) &&                    \
        is_there(&removal))                                                                        \
        removal = (struct removal){.from = removal.from};                                          \
    char *list[removal.entries + 1], text[removal.room + 1];                                       \
    char *const *environment = exec_apply(&removal, list, text);

static enum program_kind judge_command(const char *command)
{
    return memory_has_text(command) ? program_judge_command(command, getenv("PATH"))
                                    : PROGRAM_ORDINARY;
}

static enum program_kind judge_descriptor(int fd)
{
    char path[DESCRIPTOR_LINK];
    descriptor_link(fd, path);
    return program_judge(AT_FDCWD, path);
}

HOOK int execve(const char *path, char *const argv[], char *const envp[])
{
    CHOOSE_ENVIRONMENT(envp, program_judge(AT_FDCWD, path))
    return real()->execve(path, argv, environment);
}

HOOK int execv(const char *path, char *const argv[])
{
    return execve(path, argv, environ);
}

HOOK int execvpe(const char *file, char *const argv[], char *const envp[])
{
    CHOOSE_ENVIRONMENT(envp, judge_command(file))
    return real()->execvpe(file, argv, environment);
}

HOOK int execvp(const char *file, char *const argv[])
{
    return execvpe(file, argv, environ);
}

HOOK int fexecve(int fd, char *const argv[], char *const envp[])
{
    CHOOSE_ENVIRONMENT(envp, judge_descriptor(fd))
    return real()->fexecve(fd, argv, environment);
}

HOOK int execveat(int dir, const char *path, char *const argv[], char *const envp[], int flags)
{
    bool itself = flags & AT_EMPTY_PATH && memory_has_text(path) && !*path;
    CHOOSE_ENVIRONMENT(envp, itself ? judge_descriptor(dir) : program_judge(dir, path))
    return real()->execveat(dir, path, argv, environment, flags);
}

/* Arguments up to a NULL, of which the first stands before `more`. */
static size_t count_arguments(const char *first, va_list more)
{
    size_t n = 0;
    for (const char *argument = first; argument; argument = va_arg(more, const char *))
        n++;
    return n;
}

/* What follows the NULL, in execle, is left to the caller. */
static void take_arguments(char **argv, const char *first, va_list more)
{
    argv[0] = (char *)(uintptr_t)first;
    for (size_t i = 0; argv[i]; i++)
        argv[i + 1] = va_arg(more, char *);
}

#define LISTED(name, before, run)                                                                  \
    HOOK int name(const char *before, const char *first, ...)                                      \
    {                                                                                              \
        va_list more;                                                                              \
        va_start(more, first);                                                                     \
        char *argv[count_arguments(first, more) + 1];                                              \
        va_end(more);                                                                              \
        va_start(more, first);                                                                     \
        take_arguments(argv, first, more);                                                         \
        int result = run;                                                                          \
        va_end(more);                                                                              \
        return result;                                                                             \
    }
LISTED(execl, path, execve(path, argv, environ))
LISTED(execlp, file, execvpe(file, argv, environ))
LISTED(execle, path, execve(path, argv, va_arg(more, char **)))
#undef LISTED

HOOK int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *fa,
                     const posix_spawnattr_t *at, char *const argv[], char *const envp[])
{
    descriptor_share_all();
    CHOOSE_ENVIRONMENT(envp, program_judge(AT_FDCWD, path))
    return real()->posix_spawn(pid, path, fa, at, argv, environment);
}

HOOK int posix_spawnp(pid_t *pid, const char *path, const posix_spawn_file_actions_t *fa,
                      const posix_spawnattr_t *at, char *const argv[], char *const envp[])
{
    descriptor_share_all();
    CHOOSE_ENVIRONMENT(envp, judge_command(path))
    return real()->posix_spawnp(pid, path, fa, at, argv, environment);
}
