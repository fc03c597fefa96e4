/* Hooks on calls that create and close descriptors. */
#include "client/session.h"
#include "preload/call.h"
#include "preload/descriptor.h"
#include "preload/mapping.h"
#include "preload/real.h"
#include "preload/ring.h"
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

/* --- open ------------------------------------------------------------------------------------- */

static int file_end_open(int fd)
{
    if (fd >= 0)
        descriptor_opened(fd);
    return fd;
}

/* Defines the result of a call that creates a descriptor. If the program runs out of descriptors,
 * this library gives up its own. */
#define TRY_TWICE(result, call)                                                                    \
    int result = call;                                                                             \
    if (__builtin_expect(result < 0, 0) && call_make_room())                                       \
        result = call;

/* The mode follows the flags only if a file may be created. */
#define TAKE_MODE(flags)                                                                           \
    mode_t mode = 0;                                                                               \
    if ((flags)&O_CREAT || ((flags)&O_TMPFILE) == O_TMPFILE) {                                     \
        va_list list;                                                                              \
        va_start(list, flags);                                                                     \
        mode = va_arg(list, mode_t);                                                               \
        va_end(list);                                                                              \
    }

HOOK int open(const char *path, int flags, ...)
{
    TAKE_MODE(flags)
    call_operation_at(AT_FDCWD, path);
    TRY_TWICE(fd, real()->open(path, flags, mode))
    return file_end_open(fd);
}

HOOK int open64(const char *path, int flags, ...)
{
    TAKE_MODE(flags)
    call_operation_at(AT_FDCWD, path);
    TRY_TWICE(fd, real()->open64(path, flags, mode))
    return file_end_open(fd);
}

/* Other names of the same functions, which old programs and some libraries use. */
HOOK int __open(const char *path, int flags, ...)
{
    TAKE_MODE(flags)
    return open(path, flags, mode);
}

HOOK int __open64(const char *path, int flags, ...)
{
    TAKE_MODE(flags)
    return open64(path, flags, mode);
}

HOOK int openat(int dir, const char *path, int flags, ...)
{
    TAKE_MODE(flags)
    call_operation_at(dir, path);
    TRY_TWICE(fd, real()->openat(dir, path, flags, mode))
    return file_end_open(fd);
}

HOOK int openat64(int dir, const char *path, int flags, ...)
{
    TAKE_MODE(flags)
    call_operation_at(dir, path);
    TRY_TWICE(fd, real()->openat64(dir, path, flags, mode))
    return file_end_open(fd);
}

#define OPEN(type, name, parameters, arguments, dir)                                               \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        call_operation_at(dir, path);                                                              \
        return file_end_open(real()->name arguments);                                              \
    }
HOOKS_OPEN(OPEN)
#undef OPEN

/* --- close ------------------------------------------------------------------------------------ */

HOOK int close(int fd)
{
    /* A program that closes everything that may be open finds this one closed. */
    if (session_owns(fd)) {
        errno = EBADF;
        return -1;
    }
    int store = descriptor_known(fd);
    descriptor_forget(fd);
    int result = real()->close(fd);
    if (store >= 0)
        call_closed(store);
    return result;
}

HOOK int __close(int fd)
{
    return close(fd);
}

/* libc closes its descriptor by itself. */
HOOK int closedir(DIR *d)
{
    DIR *volatile given = d; /* libc accepts NULL, although its header declares it nonnull */
    if (given)
        descriptor_forget(dirfd(d));
    return real()->closedir(given);
}

HOOK int close_range(unsigned first, unsigned last, int flags)
{
    descriptor_forget_range(first, last);
    return real()->close_range(first, last, flags);
}

HOOK void closefrom(int first)
{
    descriptor_forget_range(first > 0 ? (unsigned)first : 0, DESCRIPTORS);
    real()->closefrom(first);
}

/* --- copies of a descriptor ------------------------------------------------------------------- */

static int end_copy(int fd, int copy)
{
    if (copy >= 0 && copy != fd) {
        descriptor_share(fd);
        descriptor_forget(copy);
    }
    return copy;
}

HOOK int dup2(int fd, int to)
{
    return end_copy(fd, real()->dup2(fd, to));
}

HOOK int __dup2(int fd, int to)
{
    return dup2(fd, to);
}

HOOK int dup3(int fd, int to, int flags)
{
    return end_copy(fd, real()->dup3(fd, to, flags));
}

static int end_control(int fd, int command, int result)
{
    bool copies = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
    return copies ? end_copy(fd, result) : result;
}

/* Whatever the argument is, it fits a pointer. */
#define TAKE_ARGUMENT(last)                                                                        \
    va_list list;                                                                                  \
    va_start(list, last);                                                                          \
    void *argument = va_arg(list, void *);                                                         \
    va_end(list);

HOOK int fcntl(int fd, int command, ...)
{
    TAKE_ARGUMENT(command)
    TRY_TWICE(result, real()->fcntl(fd, command, argument))
    return end_control(fd, command, result);
}

HOOK int fcntl64(int fd, int command, ...)
{
    TAKE_ARGUMENT(command)
    TRY_TWICE(result, real()->fcntl64(fd, command, argument))
    return end_control(fd, command, result);
}

HOOK int __fcntl(int fd, int command, ...)
{
    TAKE_ARGUMENT(command)
    return fcntl(fd, command, argument);
}

HOOK int dup(int fd)
{
    TRY_TWICE(copy, real()->dup(fd))
    return end_copy(fd, copy);
}

/* A file of the same number may have been closed without the hooks. */
static void forget_made(const int *made, int n)
{
    for (int i = 0; i < n; i++)
        descriptor_forget(made[i]);
}

#define MAKE(type, name, parameters, arguments, made, n)                                           \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        TRY_TWICE(result, real()->name arguments)                                                  \
        if (result >= 0)                                                                           \
            forget_made(made, n);                                                                  \
        return result;                                                                             \
    }
HOOKS_MAKE(MAKE)
#undef MAKE

/* --- mappings: what is moved through them is not seen ----------------------------------------- */

struct mapping_call {
    size_t bytes;
    int protection, flags, fd;
    off64_t offset;
};

static void *end_mapping(void *at, struct mapping_call call)
{
    if (at == MAP_FAILED || call.flags & MAP_ANONYMOUS)
        return at;
    if (call.protection != PROT_NONE && descriptor_controlled(call.fd)) {
        call_escaped(call.bytes);
        mapping_add(at, call.bytes);
    }
    ring_mapped(call.fd, call.offset, at);
    return at;
}

HOOK void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
    return end_mapping(real()->mmap(at, n, protection, flags, fd, offset),
                       (struct mapping_call){n, protection, flags, fd, offset});
}

HOOK void *mmap64(void *at, size_t n, int protection, int flags, int fd, off64_t offset)
{
    return end_mapping(real()->mmap64(at, n, protection, flags, fd, offset),
                       (struct mapping_call){n, protection, flags, fd, offset});
}

/* Only what is added counts again. */
HOOK void *mremap(void *at, size_t n, size_t size, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    void *to = flags & MREMAP_FIXED ? va_arg(list, void *) : NULL;
    va_end(list);
    bool counted = mapping_begins(at);
    void *result = real()->mremap(at, n, size, flags, to);
    if (result == MAP_FAILED || !counted)
        return result;
    if (size > n)
        call_escaped(size - n);
    mapping_remove(at, n);
    mapping_add(result, size);
    return result;
}

HOOK int munmap(void *at, size_t n)
{
    int result = real()->munmap(at, n);
    if (result == 0)
        mapping_remove(at, n);
    return result;
}
