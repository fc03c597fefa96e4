/* Moves 24 MiB to a file of the store in a way that is given by name, exactly once, and then stays
 * long enough to be looked at: kinds.sh asks what the controller knows of it. With PLAIN it has
 * only the ways that a statically linked program has. */
#define _GNU_SOURCE
#include <aio.h>
#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#ifndef PLAIN
#include <error.h>
#endif
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

enum { PIECE = 1 << 18, PIECES = 96, ALL = PIECE * PIECES };
static char data[PIECE + 1];
static const char *path;
typedef ssize_t putter(int fd, const void *from, size_t size);

static int fail(const char *what)
{
    fprintf(stdout, "%s: %s\n", what, strerror(errno));
    return 1;
}

static int make(void)
{
    return open(path, O_CREAT | O_RDWR | O_TRUNC, 0666);
}

static int put_all(putter *put)
{
    int fd = make();
    for (int i = 0; i < PIECES; i++)
        if (put(fd, data, PIECE) != PIECE)
            return fail("write");
    return 0;
}

/* By instructions: `syscall`, and that of 32-bit programs, for which addresses must be small. */
static long direct(long number, long a, long b, long c)
{
    long result;
#ifdef __x86_64__
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
#else
    result = syscall(number, a, b, c);
#endif
    return result;
}

static ssize_t put_directly(int fd, const void *from, size_t size)
{
    return direct(SYS_write, fd, (long)from, (long)size);
}

static ssize_t put_small(int fd, const void *from, size_t size)
{
    long result = -1;
#ifdef __x86_64__
    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "0"(4L), "b"((long)fd), "c"(from), "d"(size)
                     : "r8", "r9", "r10", "r11", "memory");
#endif
    return result;
}

static ssize_t put_by_number(int fd, const void *from, size_t size)
{
    return syscall(SYS_write, fd, from, size);
}

static int libc_calls(void)
{
    return put_all(write);
}

static int vectors(void)
{
    struct iovec parts[2] = {{data, 1000}, {data + 1000, PIECE - 1000}};
    int fd = make();
    for (int i = 0; i < PIECES; i++)
        if (pwritev(fd, parts, 2, (off_t)i * PIECE) != PIECE)
            return fail("pwritev");
    return 0;
}

static int reads(void)
{
    int fd = make();
    if (ftruncate(fd, ALL) != 0)
        return fail("ftruncate");
    for (int i = 0; i < PIECES; i++)
        if (read(fd, data, PIECE) != PIECE)
            return fail("read");
    return 0;
}

static int streams(void)
{
    FILE *file = fopen(path, "w");
    for (int i = 0; i < PIECES; i++)
        if (fwrite(data, 1, PIECE, file) != PIECE)
            return fail("fwrite");
    return fflush(file);
}

/* libc passes it on in pieces of 16 bytes: 1 MiB is enough. */
static int wide_streams(void)
{
    enum { LINE = 512 };
    static wchar_t text[LINE + 1];
    FILE *file = fopen(path, "w");
    wmemset(text, L'x', LINE);
    for (int i = 0; i < (1 << 20) / LINE; i++)
        if (fputws(text, file) < 0)
            return fail("fputws");
    return fflush(file);
}

static int copies(void)
{
    FILE *from = tmpfile();
    int fd = make();
    if (ftruncate(fileno(from), ALL) != 0)
        return fail("ftruncate");
    for (off_t done = 0; done < ALL; done += PIECE)
        if (sendfile(fd, fileno(from), NULL, PIECE) != PIECE)
            return fail("sendfile");
    return 0;
}

static int asynchronous(void)
{
    int fd = make();
    for (int i = 0; i < PIECES; i++) {
        struct aiocb block = {
            .aio_fildes = fd, .aio_buf = data, .aio_nbytes = PIECE, .aio_offset = (off_t)i * PIECE};
        const struct aiocb *list[] = {&block};
        if (aio_write(&block) != 0 || aio_suspend(list, 1, NULL) != 0 ||
            aio_return(&block) != PIECE)
            return fail("aio_write");
    }
    return 0;
}

static int by_number(void)
{
    return put_all(put_by_number);
}

static int by_instructions(void)
{
    return put_all(put_directly);
}

static int small_instructions(void)
{
    return put_all(put_small);
}

#ifndef PLAIN
extern ssize_t __write(int fd, const void *from, size_t size);
static int other_name(void)
{
    return put_all(__write);
}

static int by_symbol(void)
{
    return put_all((putter *)dlsym(dlopen("libc.so.6", RTLD_NOW), "write"));
}

static int by_version(void)
{
    return put_all((putter *)dlvsym(RTLD_DEFAULT, "write", "GLIBC_2.2.5"));
}

static int other_namespace(void)
{
    void *library = dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW);
    return library ? put_all((putter *)dlsym(library, "write")) : 77;
}
#endif

/* Standard error becomes the file; all lines together have the bytes. */
static int to_error(void)
{
    int fd = make();
    return dup2(fd, 2) == 2 ? close(fd) : -1;
}

static int warnings(void)
{
    char *name = program_invocation_short_name;
    size_t more = strlen(name) + 3;
    memset(data, 'w', PIECE);
    data[PIECE - more] = '\0';
    for (int i = to_error(); i < PIECES; i++)
        warnx("%s", data);
    return 0;
}

#ifndef PLAIN
static int errors(void)
{
    size_t more = strlen(program_invocation_name) + 3;
    memset(data, 'e', PIECE);
    data[PIECE - more] = '\0';
    for (int i = to_error(); i < PIECES; i++)
        error(0, 0, "%s", data);
    return 0;
}
#endif

static int complaints(void)
{
    memset(data, 'p', PIECE);
    errno = 0;
    data[PIECE - strlen(strerror(0)) - 3] = '\0';
    for (int i = to_error(); i < PIECES; i++) {
        errno = 0;
        perror(data);
    }
    return 0;
}

/* A descriptor that libc's functions have used is replaced behind their back. */
static int moved_descriptor(void)
{
    int fd = make(), other = open("/dev/null", O_WRONLY);
    if (write(other, data, 1) != 1 || direct(SYS_dup2, fd, other, 0) != other)
        return fail("dup2");
    for (int i = 0; i < PIECES; i++)
        if (write(other, data, PIECE) != PIECE)
            return fail("write");
    return 0;
}

static int mapping(void)
{
    int fd = make();
    if (ftruncate(fd, ALL) != 0)
        return fail("ftruncate");
    char *at = mmap(NULL, ALL, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED)
        return fail("mmap");
    memset(at, 'm', ALL);
    return 0;
}

static int grown_mapping(void)
{
    int fd = make();
    if (ftruncate(fd, ALL) != 0)
        return fail("ftruncate");
    char *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    at = mremap(at, 4096, ALL, MREMAP_MAYMOVE);
    if (at == MAP_FAILED)
        return fail("mremap");
    memset(at, 'g', ALL);
    return 0;
}

static int children(void)
{
    char *arguments[] = {"kinds", "write", (char *)path, NULL};
    extern char **environ;
    pid_t child;
    int status = 1;
    if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, environ) != 0)
        return fail("posix_spawn");
    waitpid(child, &status, 0);
    return status;
}

static int filtered(void)
{
    struct sock_filter steps[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog filter = {1, steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &filter))
        return fail("seccomp");
    return put_all(write);
}

static const struct {
    const char *name;
    int (*run)(void);
} kinds[] = {
    {"write", libc_calls},
    {"read", reads},
    {"vectors", vectors},
    {"streams", streams},
    {"wide", wide_streams},
    {"sendfile", copies},
    {"aio", asynchronous},
    {"syscall", by_number},
    {"instructions", by_instructions},
    {"small", small_instructions},
#ifndef PLAIN
    {"alias", other_name},
    {"dlsym", by_symbol},
    {"dlvsym", by_version},
    {"dlmopen", other_namespace},
#endif
    {"warnx", warnings},
#ifndef PLAIN
    {"error", errors},
#endif
    {"perror", complaints},
    {"dup2", moved_descriptor},
    {"mmap", mapping},
    {"mremap", grown_mapping},
    {"spawn", children},
    {"filter", filtered},
};

int main(int count, char **words)
{
    int result = 99;
    memset(data, 'x', PIECE);
    path = count == 3 ? words[2] : "";
    for (size_t i = 0; count == 3 && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(words[1], kinds[i].name) == 0)
            result = kinds[i].run();
    usleep(2500000); /* until it was looked at several times */
    return result;
}
