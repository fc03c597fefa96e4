/* Every function that the preload stands in front of: the one list. All are libc's but io_submit
 * (libaio) and HOOKS_RING (liburing), which may be missing (REAL_HAS). From it come the table
 * of the real functions (real.h), the hooks that are all alike, and the names that the library
 * exports (cmake/products.cmake reads the lines that begin with X).
 *
 * X(type, name, parameters, ...) where the rest tells a group's hooks apart. */
#ifndef WEIR_PRELOAD_HOOKS_H
#define WEIR_PRELOAD_HOOKS_H

/* libc's headers would give fscanf and its like the names of their newer versions, which are hooked
 * besides. stdio.c, which defines them, includes this before stdio.h. */
#include <features.h>
#undef __GLIBC_USE_DEPRECATED_SCANF
#define __GLIBC_USE_DEPRECATED_SCANF 1

#include <aio.h>
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <linux/aio_abi.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <utime.h>
#include <wchar.h>

struct passwd;
struct group;
struct spwd;
struct mntent;
struct io_uring; /* as liburing has it */
struct io_uring_cqe;
struct __kernel_timespec;

/* What a walk does with a file. */
typedef int ftw_visit(const char *path, const struct stat *status, int kind);
typedef int ftw64_visit(const char *path, const struct stat64 *status, int kind);
typedef int nftw_visit(const char *path, const struct stat *status, int kind, struct FTW *where);
typedef int nftw64_visit(const char *path, const struct stat64 *status, int kind,
                         struct FTW *where);

/* clang-format off */

/* Metadata by name: arguments, the directory and the path that say where. */
#define HOOKS_PATH(X)                                                                              \
    X(int, stat, (const char *path, struct stat *s), (path, s), AT_FDCWD, path)                    \
    X(int, stat64, (const char *path, struct stat64 *s), (path, s), AT_FDCWD, path)                \
    X(int, lstat, (const char *path, struct stat *s), (path, s), AT_FDCWD, path)                   \
    X(int, lstat64, (const char *path, struct stat64 *s), (path, s), AT_FDCWD, path)               \
    X(int, fstatat, (int dir, const char *path, struct stat *s, int f), (dir, path, s, f), dir,    \
      path)                                                                                        \
    X(int, fstatat64, (int dir, const char *path, struct stat64 *s, int f), (dir, path, s, f),     \
      dir, path)                                                                                   \
    X(int, __xstat, (int v, const char *path, struct stat *s), (v, path, s), AT_FDCWD, path)       \
    X(int, __xstat64, (int v, const char *path, struct stat64 *s), (v, path, s), AT_FDCWD, path)   \
    X(int, __lxstat, (int v, const char *path, struct stat *s), (v, path, s), AT_FDCWD, path)      \
    X(int, __lxstat64, (int v, const char *path, struct stat64 *s), (v, path, s), AT_FDCWD, path)  \
    X(int, __fxstatat, (int v, int dir, const char *path, struct stat *s, int f),                  \
      (v, dir, path, s, f), dir, path)                                                             \
    X(int, __fxstatat64, (int v, int dir, const char *path, struct stat64 *s, int f),              \
      (v, dir, path, s, f), dir, path)                                                             \
    X(int, statx, (int dir, const char *path, int f, unsigned m, struct statx *s),                 \
      (dir, path, f, m, s), dir, path)                                                             \
    X(int, access, (const char *path, int m), (path, m), AT_FDCWD, path)                           \
    X(int, faccessat, (int dir, const char *path, int m, int f), (dir, path, m, f), dir, path)     \
    X(int, chmod, (const char *path, mode_t m), (path, m), AT_FDCWD, path)                         \
    X(int, fchmodat, (int dir, const char *path, mode_t m, int f), (dir, path, m, f), dir, path)   \
    X(int, chown, (const char *path, uid_t u, gid_t g), (path, u, g), AT_FDCWD, path)              \
    X(int, lchown, (const char *path, uid_t u, gid_t g), (path, u, g), AT_FDCWD, path)             \
    X(int, fchownat, (int dir, const char *path, uid_t u, gid_t g, int f), (dir, path, u, g, f),   \
      dir, path)                                                                                   \
    X(int, utime, (const char *path, const struct utimbuf *t), (path, t), AT_FDCWD, path)          \
    X(int, utimes, (const char *path, const struct timeval t[2]), (path, t), AT_FDCWD, path)       \
    X(int, utimensat, (int dir, const char *path, const struct timespec t[2], int f),              \
      (dir, path, t, f), dir, path)                                                                \
    X(int, truncate, (const char *path, off_t n), (path, n), AT_FDCWD, path)                       \
    X(int, truncate64, (const char *path, off64_t n), (path, n), AT_FDCWD, path)                   \
    X(int, unlink, (const char *path), (path), AT_FDCWD, path)                                     \
    X(int, unlinkat, (int dir, const char *path, int f), (dir, path, f), dir, path)                \
    X(int, remove, (const char *path), (path), AT_FDCWD, path)                                     \
    X(int, rmdir, (const char *path), (path), AT_FDCWD, path)                                      \
    X(int, mkdir, (const char *path, mode_t m), (path, m), AT_FDCWD, path)                         \
    X(int, mkdirat, (int dir, const char *path, mode_t m), (dir, path, m), dir, path)              \
    X(int, mknod, (const char *path, mode_t m, dev_t d), (path, m, d), AT_FDCWD, path)             \
    X(int, mknodat, (int dir, const char *path, mode_t m, dev_t d), (dir, path, m, d), dir, path)  \
    X(int, rename, (const char *old, const char *path), (old, path), AT_FDCWD, path)               \
    X(int, renameat, (int from, const char *old, int dir, const char *path),                       \
      (from, old, dir, path), dir, path)                                                           \
    X(int, renameat2, (int from, const char *old, int dir, const char *path, unsigned f),          \
      (from, old, dir, path, f), dir, path)                                                        \
    X(int, link, (const char *old, const char *path), (old, path), AT_FDCWD, path)                 \
    X(int, linkat, (int from, const char *old, int dir, const char *path, int f),                  \
      (from, old, dir, path, f), dir, path)                                                        \
    X(int, symlink, (const char *to, const char *path), (to, path), AT_FDCWD, path)                \
    X(int, symlinkat, (const char *to, int dir, const char *path), (to, dir, path), dir, path)     \
    X(ssize_t, readlink, (const char *path, char *text, size_t n), (path, text, n), AT_FDCWD,      \
      path)                                                                                        \
    X(ssize_t, readlinkat, (int dir, const char *path, char *text, size_t n),                      \
      (dir, path, text, n), dir, path)                                                             \
    X(ssize_t, getxattr, (const char *path, const char *name, void *value, size_t n), (path,       \
      name, value, n), AT_FDCWD, path)                                                             \
    X(int, setxattr, (const char *path, const char *name, const void *value, size_t n, int f),     \
      (path, name, value, n, f), AT_FDCWD, path)                                                   \
    X(ssize_t, listxattr, (const char *path, char *list, size_t n), (path, list, n), AT_FDCWD,     \
      path)                                                                                        \
    X(int, removexattr, (const char *path, const char *name), (path, name), AT_FDCWD, path)        \
    X(ssize_t, lgetxattr, (const char *path, const char *name, void *value, size_t n), (path,      \
      name, value, n), AT_FDCWD, path)                                                             \
    X(int, lsetxattr, (const char *path, const char *name, const void *value, size_t n, int f),    \
      (path, name, value, n, f), AT_FDCWD, path)                                                   \
    X(ssize_t, llistxattr, (const char *path, char *list, size_t n), (path, list, n), AT_FDCWD,    \
      path)                                                                                        \
    X(int, lremovexattr, (const char *path, const char *name), (path, name), AT_FDCWD, path)       \
    X(int, statvfs, (const char *path, struct statvfs *s), (path, s), AT_FDCWD, path)              \
    X(int, statvfs64, (const char *path, struct statvfs64 *s), (path, s), AT_FDCWD, path)          \
    X(int, statfs, (const char *path, struct statfs *s), (path, s), AT_FDCWD, path)                \
    X(int, statfs64, (const char *path, struct statfs64 *s), (path, s), AT_FDCWD, path)            \
    X(int, euidaccess, (const char *path, int m), (path, m), AT_FDCWD, path)                       \
    X(int, eaccess, (const char *path, int m), (path, m), AT_FDCWD, path)                          \
    X(char *, realpath, (const char *path, char *to), (path, to), AT_FDCWD, path)                  \
    X(char *, __realpath_chk, (const char *path, char *to, size_t n), (path, to, n), AT_FDCWD,     \
      path)                                                                                        \
    X(char *, canonicalize_file_name, (const char *path), (path), AT_FDCWD, path)                  \
    X(int, scandir, (const char *path, struct dirent ***list, int (*is)(const struct dirent *),    \
      int (*order)(const struct dirent **, const struct dirent **)), (path, list, is, order),      \
      AT_FDCWD, path)                                                                              \
    X(int, scandir64, (const char *path, struct dirent64 ***list, int (*is)(const struct           \
      dirent64 *), int (*order)(const struct dirent64 **, const struct dirent64 **)), (path, list, \
      is, order), AT_FDCWD, path)                                                                  \
    X(int, scandirat, (int dir, const char *path, struct dirent ***list, int (*is)(const struct    \
      dirent *), int (*order)(const struct dirent **, const struct dirent **)), (dir, path, list,  \
      is, order), dir, path)                                                                       \
    X(int, scandirat64, (int dir, const char *path, struct dirent64 ***list, int (*is)(const       \
      struct dirent64 *), int (*order)(const struct dirent64 **, const struct dirent64 **)), (dir, \
      path, list, is, order), dir, path)                                                           \
    X(int, glob, (const char *path, int f, int (*fails)(const char *, int), glob_t *g), (path,     \
      f, fails, g), AT_FDCWD, path)                                                                \
    X(int, glob64, (const char *path, int f, int (*fails)(const char *, int), glob64_t *g),        \
      (path, f, fails, g), AT_FDCWD, path)                                                         \
    X(DIR *, opendir, (const char *path), (path), AT_FDCWD, path)

/* Walks, which look at every file on their way. */
#define HOOKS_WALK(X)                                                                              \
    X(int, ftw, (const char *path, ftw_visit *visit, int n))                                       \
    X(int, ftw64, (const char *path, ftw64_visit *visit, int n))                                   \
    X(int, nftw, (const char *path, nftw_visit *visit, int n, int f))                              \
    X(int, nftw64, (const char *path, nftw64_visit *visit, int n, int f))

/* Metadata by descriptor. */
#define HOOKS_STATE(X)                                                                             \
    X(int, fstat, (int fd, struct stat *s), (fd, s))                                               \
    X(int, fstat64, (int fd, struct stat64 *s), (fd, s))                                           \
    X(int, __fxstat, (int v, int fd, struct stat *s), (v, fd, s))                                  \
    X(int, __fxstat64, (int v, int fd, struct stat64 *s), (v, fd, s))                              \
    X(ssize_t, fgetxattr, (int fd, const char *name, void *value, size_t n), (fd, name, value,     \
      n))                                                                                          \
    X(int, fsetxattr, (int fd, const char *name, const void *value, size_t n, int f), (fd, name,   \
      value, n, f))                                                                                \
    X(ssize_t, flistxattr, (int fd, char *list, size_t n), (fd, list, n))                          \
    X(int, fremovexattr, (int fd, const char *name), (fd, name))                                   \
    X(int, fstatvfs, (int fd, struct statvfs *s), (fd, s))                                         \
    X(int, fstatvfs64, (int fd, struct statvfs64 *s), (fd, s))                                     \
    X(int, fstatfs, (int fd, struct statfs *s), (fd, s))                                           \
    X(int, fstatfs64, (int fd, struct statfs64 *s), (fd, s))                                       \
    X(int, ftruncate, (int fd, off_t n), (fd, n))                                                  \
    X(int, ftruncate64, (int fd, off64_t n), (fd, n))                                              \
    X(int, fchmod, (int fd, mode_t m), (fd, m))                                                    \
    X(int, fchown, (int fd, uid_t u, gid_t g), (fd, u, g))                                         \
    X(int, futimens, (int fd, const struct timespec t[2]), (fd, t))                                \
    X(int, fallocate, (int fd, int m, off_t at, off_t n), (fd, m, at, n))                          \
    X(int, fallocate64, (int fd, int m, off64_t at, off64_t n), (fd, m, at, n))                    \
    X(int, posix_fallocate, (int fd, off_t at, off_t n), (fd, at, n))                              \
    X(int, posix_fallocate64, (int fd, off64_t at, off64_t n), (fd, at, n))

/* I/O on `fd` that is charged as a whole before it: arguments, bytes, where they are (-1: at the
 * file's own offset), and whether they are read. Those that sync have no bytes, but are I/O. */
#define HOOKS_WHOLE(X)                                                                             \
    X(ssize_t, read, (int fd, void *data, size_t n), (fd, data, n), n, -1, CALL_READS)                   \
    X(ssize_t, __read, (int fd, void *data, size_t n), (fd, data, n), n, -1, CALL_READS)                 \
    X(ssize_t, __pread64, (int fd, void *data, size_t n, off64_t at), (fd, data, n, at), n, at,    \
      CALL_READS)                                                                                        \
    X(ssize_t, __read_chk, (int fd, void *data, size_t n, size_t most), (fd, data, n, most), n,    \
      -1, CALL_READS)                                                                                    \
    X(ssize_t, pread, (int fd, void *data, size_t n, off_t at), (fd, data, n, at), n, at, CALL_READS)    \
    X(ssize_t, pread64, (int fd, void *data, size_t n, off64_t at), (fd, data, n, at), n, at,      \
      CALL_READS)                                                                                        \
    X(ssize_t, __pread_chk, (int fd, void *data, size_t n, off_t at, size_t most),                 \
      (fd, data, n, at, most), n, at, CALL_READS)                                                        \
    X(ssize_t, __pread64_chk, (int fd, void *data, size_t n, off64_t at, size_t most),             \
      (fd, data, n, at, most), n, at, CALL_READS)                                                        \
    X(ssize_t, readv, (int fd, const struct iovec *v, int k), (fd, v, k), vector_bytes(v, k), -1,  \
      CALL_READS)                                                                                        \
    X(ssize_t, preadv, (int fd, const struct iovec *v, int k, off_t at), (fd, v, k, at),           \
      vector_bytes(v, k), at, CALL_READS)                                                                \
    X(ssize_t, preadv64, (int fd, const struct iovec *v, int k, off64_t at), (fd, v, k, at),       \
      vector_bytes(v, k), at, CALL_READS)                                                                \
    X(ssize_t, preadv2, (int fd, const struct iovec *v, int k, off_t at, int f),                   \
      (fd, v, k, at, f), vector_bytes(v, k), at, CALL_READS)                                             \
    X(ssize_t, preadv64v2, (int fd, const struct iovec *v, int k, off64_t at, int f),              \
      (fd, v, k, at, f), vector_bytes(v, k), at, CALL_READS)                                             \
    X(ssize_t, writev, (int fd, const struct iovec *v, int k), (fd, v, k), vector_bytes(v, k), -1, \
      CALL_WRITES)                                                                                       \
    X(ssize_t, pwritev, (int fd, const struct iovec *v, int k, off_t at), (fd, v, k, at),          \
      vector_bytes(v, k), at, CALL_WRITES)                                                               \
    X(ssize_t, pwritev64, (int fd, const struct iovec *v, int k, off64_t at), (fd, v, k, at),      \
      vector_bytes(v, k), at, CALL_WRITES)                                                               \
    X(ssize_t, pwritev2, (int fd, const struct iovec *v, int k, off_t at, int f),                  \
      (fd, v, k, at, f), vector_bytes(v, k), at, CALL_WRITES)                                            \
    X(ssize_t, pwritev64v2, (int fd, const struct iovec *v, int k, off64_t at, int f),             \
      (fd, v, k, at, f), vector_bytes(v, k), at, CALL_WRITES)                                            \
    X(int, fsync, (int fd), (fd), 0, -1, CALL_WRITES)                                                    \
    X(int, fdatasync, (int fd), (fd), 0, -1, CALL_WRITES)                                                \
    X(int, syncfs, (int fd), (fd), 0, -1, CALL_WRITES)                                                   \
    X(int, sync_file_range, (int fd, off64_t at, off64_t n, unsigned f), (fd, at, n, f), 0, -1,    \
      CALL_WRITES)

/* I/O that may be paced in pieces. */
#define HOOKS_PIECES(X)                                                                            \
    X(ssize_t, write, (int fd, const void *data, size_t n))                                        \
    X(ssize_t, pwrite, (int fd, const void *data, size_t n, off_t at))                             \
    X(ssize_t, pwrite64, (int fd, const void *data, size_t n, off64_t at))                         \
    X(ssize_t, __write, (int fd, const void *data, size_t n))                                      \
    X(ssize_t, __pwrite64, (int fd, const void *data, size_t n, off64_t at))                       \
    X(ssize_t, sendfile, (int out, int in, off_t *at, size_t n))                                   \
    X(ssize_t, sendfile64, (int out, int in, off64_t *at, size_t n))                               \
    X(ssize_t, copy_file_range,                                                                    \
      (int in, off64_t *in_at, int out, off64_t *out_at, size_t n, unsigned f))                    \
    X(ssize_t, splice, (int in, off64_t *in_at, int out, off64_t *out_at, size_t n, unsigned f))

/* I/O that goes on behind the caller: the control block, and what it does with bytes. */
#define HOOKS_ASYNC(X)                                                                             \
    X(int, aio_read, (struct aiocb *b), (b), b, LIO_READ)                                          \
    X(int, aio_read64, (struct aiocb64 *b), (b), b, LIO_READ)                                      \
    X(int, aio_write, (struct aiocb *b), (b), b, LIO_WRITE)                                        \
    X(int, aio_write64, (struct aiocb64 *b), (b), b, LIO_WRITE)                                    \
    X(int, aio_fsync, (int op, struct aiocb *b), (op, b), b, LIO_NOP)                              \
    X(int, aio_fsync64, (int op, struct aiocb64 *b), (op, b), b, LIO_NOP)
#define HOOKS_BATCH(X)                                                                             \
    X(int, lio_listio, (int mode, struct aiocb *const list[], int n, struct sigevent *e))          \
    X(int, lio_listio64, (int mode, struct aiocb64 *const list[], int n, struct sigevent *e))      \
    X(int, io_submit, (aio_context_t context, long n, struct iocb **list))

/* Requests that liburing hands to the kernel: arguments. */
#define HOOKS_RING(X)                                                                              \
    X(int, io_uring_submit, (struct io_uring *ring), (ring))                                       \
    X(int, io_uring_submit_and_wait, (struct io_uring *ring, unsigned n), (ring, n))               \
    X(int, io_uring_submit_and_get_events, (struct io_uring *ring), (ring))                        \
    X(int, io_uring_submit_and_wait_timeout, (struct io_uring *ring, struct io_uring_cqe **c,      \
      unsigned n, struct __kernel_timespec *t, sigset_t *m), (ring, c, n, t, m))

/* A stream's output: arguments, stream, and bytes. */
#define HOOKS_PUT(X)                                                                               \
    X(size_t, fwrite, (const void *data, size_t n, size_t k, FILE *f), (data, n, k, f), f, n * k)  \
    X(size_t, fwrite_unlocked, (const void *data, size_t n, size_t k, FILE *f), (data, n, k, f),   \
      f, n * k)                                                                                    \
    X(int, fputs, (const char *text, FILE *f), (text, f), f, strlen(text))                         \
    X(int, fputs_unlocked, (const char *text, FILE *f), (text, f), f, strlen(text))                \
    X(int, puts, (const char *text), (text), stdout, strlen(text) + 1)                             \
    X(int, fputc, (int c, FILE *f), (c, f), f, 1)                                                  \
    X(int, putc, (int c, FILE *f), (c, f), f, 1)                                                   \
    X(int, _IO_putc, (int c, FILE *f), (c, f), f, 1)                                               \
    X(int, fputc_unlocked, (int c, FILE *f), (c, f), f, 1)                                         \
    X(int, putc_unlocked, (int c, FILE *f), (c, f), f, 1)                                          \
    X(int, __overflow, (FILE *f, int c), (f, c), f, 1)                                             \
    X(int, putw, (int word, FILE *f), (word, f), f, sizeof word)                                   \
    X(int, putchar, (int c), (c), stdout, 1)                                                       \
    X(int, putchar_unlocked, (int c), (c), stdout, 1)

/* ... whose bytes are known only by printing them. */
#define HOOKS_FORMAT(X)                                                                            \
    X(int, vfprintf, (FILE *f, const char *format, va_list list), (f, format, list), f)            \
    X(int, __vfprintf_chk, (FILE *f, int level, const char *format, va_list list),                 \
      (f, level, format, list), f)                                                                 \
    X(int, vprintf, (const char *format, va_list list), (format, list), stdout)                    \
    X(int, __vprintf_chk, (int level, const char *format, va_list list), (level, format, list),    \
      stdout)

/* ... with `...` behind the format: the function above that takes a list instead. */
#define HOOKS_PRINT(X)                                                                             \
    X(int, fprintf, (FILE *f, const char *format, ...), vfprintf, (f, format, list))               \
    X(int, __fprintf_chk, (FILE *f, int level, const char *format, ...), __vfprintf_chk,           \
      (f, level, format, list))                                                                    \
    X(int, printf, (const char *format, ...), vprintf, (format, list))                             \
    X(int, __printf_chk, (int level, const char *format, ...), __vprintf_chk,                      \
      (level, format, list))                                                                       \
    X(int, fwprintf, (FILE *f, const wchar_t *format, ...), vfwprintf, (f, format, list))          \
    X(int, __fwprintf_chk, (FILE *f, int level, const wchar_t *format, ...), __vfwprintf_chk,      \
      (f, level, format, list))                                                                    \
    X(int, wprintf, (const wchar_t *format, ...), vwprintf, (format, list))                        \
    X(int, __wprintf_chk, (int level, const wchar_t *format, ...), __vwprintf_chk, (level,         \
      format, list))                                                                               \
    X(int, dprintf, (int fd, const char *format, ...), vdprintf, (fd, format, list))               \
    X(int, __dprintf_chk, (int fd, int level, const char *format, ...), __vdprintf_chk,            \
      (fd, level, format, list))
#define HOOKS_PRINT_FD(X)                                                                          \
    X(int, vdprintf, (int fd, const char *format, va_list list), (fd, format, list))               \
    X(int, __vdprintf_chk, (int fd, int level, const char *format, va_list list),                  \
      (fd, level, format, list))

/* What sends out the bytes that wait in a stream. */
#define HOOKS_FLUSH(X)                                                                             \
    X(int, fseek, (FILE *f, long at, int whence), (f, at, whence))                                 \
    X(int, fseeko, (FILE *f, off_t at, int whence), (f, at, whence))                               \
    X(int, fseeko64, (FILE *f, off64_t at, int whence), (f, at, whence))                           \
    X(int, fsetpos, (FILE *f, const fpos_t *at), (f, at))                                          \
    X(int, fsetpos64, (FILE *f, const fpos64_t *at), (f, at))

/* A stream's input: arguments, stream, the bytes wanted (0: a line of unknown length that ends
 * with `end`), `end`. */
#define HOOKS_GET(X)                                                                               \
    X(size_t, fread, (void *data, size_t n, size_t k, FILE *f), (data, n, k, f), f, n * k, 0)      \
    X(size_t, fread_unlocked, (void *data, size_t n, size_t k, FILE *f), (data, n, k, f), f,       \
      n * k, 0)                                                                                    \
    X(size_t, __fread_chk, (void *data, size_t most, size_t n, size_t k, FILE *f),                 \
      (data, most, n, k, f), f, n * k, 0)                                                          \
    X(size_t, __fread_unlocked_chk, (void *data, size_t most, size_t n, size_t k, FILE *f),        \
      (data, most, n, k, f), f, n * k, 0)                                                          \
    X(char *, fgets, (char *text, int n, FILE *f), (text, n, f), f, 0, '\n')                       \
    X(char *, fgets_unlocked, (char *text, int n, FILE *f), (text, n, f), f, 0, '\n')              \
    X(char *, __fgets_chk, (char *text, size_t most, int n, FILE *f), (text, most, n, f), f, 0,    \
      '\n')                                                                                        \
    X(char *, __fgets_unlocked_chk, (char *text, size_t most, int n, FILE *f), (text, most, n, f), \
      f, 0, '\n')                                                                                  \
    X(ssize_t, getline, (char **text, size_t *n, FILE *f), (text, n, f), f, 0, '\n')               \
    X(ssize_t, getdelim, (char **text, size_t *n, int end, FILE *f), (text, n, end, f), f, 0, end) \
    X(ssize_t, __getdelim, (char **text, size_t *n, int end, FILE *f), (text, n, end, f), f, 0,    \
      end)                                                                                         \
    X(int, fgetc, (FILE *f), (f), f, 1, 0)                                                         \
    X(int, getc, (FILE *f), (f), f, 1, 0)                                                          \
    X(int, _IO_getc, (FILE *f), (f), f, 1, 0)                                                      \
    X(int, fgetc_unlocked, (FILE *f), (f), f, 1, 0)                                                \
    X(int, getc_unlocked, (FILE *f), (f), f, 1, 0)                                                 \
    X(int, __uflow, (FILE *f), (f), f, 1, 0)                                                       \
    X(int, __underflow, (FILE *f), (f), f, 1, 0)                                                   \
    X(int, getchar, (void), (), stdin, 1, 0)                                                       \
    X(int, getchar_unlocked, (void), (), stdin, 1, 0)                                              \
    X(int, getw, (FILE *f), (f), f, sizeof(int), 0)

/* What of it reaches the file, or comes from there, is seen only afterwards: arguments, stream. */
#define HOOKS_WATCHED(X)                                                                           \
    X(int, vfscanf, (FILE *f, const char *format, va_list list), (f, format, list), f)             \
    X(int, vscanf, (const char *format, va_list list), (format, list), stdin)                      \
    X(int, vfwscanf, (FILE *f, const wchar_t *format, va_list list), (f, format, list), f)         \
    X(int, vwscanf, (const wchar_t *format, va_list list), (format, list), stdin)                  \
    X(int, __isoc99_vfscanf, (FILE *f, const char *format, va_list list), (f, format, list), f)    \
    X(int, __isoc99_vscanf, (const char *format, va_list list), (format, list), stdin)             \
    X(int, __isoc99_vfwscanf, (FILE *f, const wchar_t *format, va_list list), (f, format, list),   \
      f)                                                                                           \
    X(int, __isoc99_vwscanf, (const wchar_t *format, va_list list), (format, list), stdin)         \
    X(int, __isoc23_vfscanf, (FILE *f, const char *format, va_list list), (f, format, list), f)    \
    X(int, __isoc23_vscanf, (const char *format, va_list list), (format, list), stdin)             \
    X(int, __isoc23_vfwscanf, (FILE *f, const wchar_t *format, va_list list), (f, format, list),   \
      f)                                                                                           \
    X(int, __isoc23_vwscanf, (const wchar_t *format, va_list list), (format, list), stdin)         \
    X(wint_t, fgetwc, (FILE *f), (f), f)                                                           \
    X(wint_t, getwc, (FILE *f), (f), f)                                                            \
    X(wint_t, fgetwc_unlocked, (FILE *f), (f), f)                                                  \
    X(wint_t, getwc_unlocked, (FILE *f), (f), f)                                                   \
    X(wint_t, getwchar, (void), (), stdin)                                                         \
    X(wint_t, getwchar_unlocked, (void), (), stdin)                                                \
    X(wchar_t *, fgetws, (wchar_t *text, int n, FILE *f), (text, n, f), f)                         \
    X(wchar_t *, fgetws_unlocked, (wchar_t *text, int n, FILE *f), (text, n, f), f)                \
    X(wchar_t *, __fgetws_chk, (wchar_t *text, size_t most, int n, FILE *f), (text, most, n, f),   \
      f)                                                                                           \
    X(wchar_t *, __fgetws_unlocked_chk, (wchar_t *text, size_t most, int n, FILE *f), (text,       \
      most, n, f), f)

/* ... and that libc writes by itself, or reads: records of databases. */
#define HOOKS_RECORD(X)                                                                            \
    X(int, malloc_info, (int options, FILE *f), (options, f), f)                                   \
    X(int, putpwent, (const struct passwd *entry, FILE *f), (entry, f), f)                         \
    X(int, putgrent, (const struct group *entry, FILE *f), (entry, f), f)                          \
    X(int, putspent, (const struct spwd *entry, FILE *f), (entry, f), f)                           \
    X(int, addmntent, (FILE *f, const struct mntent *entry), (f, entry), f)                        \
    X(struct passwd *, fgetpwent, (FILE *f), (f), f)                                               \
    X(struct group *, fgetgrent, (FILE *f), (f), f)                                                \
    X(struct spwd *, fgetspent, (FILE *f), (f), f)                                                 \
    X(struct mntent *, getmntent, (FILE *f), (f), f)

/* Messages to standard error: arguments, and the most bytes. Those that end the program (err, errx)
 * are not hooked: there is only one. */
#define HOOKS_MESSAGE(X)                                                                           \
    X(void, vwarn, (const char *format, va_list list), (format, list),                             \
      MESSAGE_MORE + stream_printed(format, list))                                                                 \
    X(void, vwarnx, (const char *format, va_list list), (format, list),                            \
      MESSAGE_MORE + stream_printed(format, list))                                                                 \
    X(void, perror, (const char *text), (text), MESSAGE_MORE + (text ? strlen(text) : 0))          \
    X(void, psignal, (int number, const char *text), (number, text),                               \
      MESSAGE_MORE + (text ? strlen(text) : 0))                                                    \
    X(void, psiginfo, (const siginfo_t *info, const char *text), (info, text),                     \
      MESSAGE_MORE + (text ? strlen(text) : 0))                                                    \
    X(void, malloc_stats, (void), (), 64 * MESSAGE_MORE)                                           \
    X(void, vsyslog, (int priority, const char *format, va_list list), (priority, format, list),   \
      MESSAGE_MORE + stream_printed(format, list))                                                                 \
    X(void, __vsyslog_chk, (int priority, int level, const char *format, va_list list),            \
      (priority, level, format, list), MESSAGE_MORE + stream_printed(format, list))

/* ... with `...` behind the format. */
#define HOOKS_MESSAGE_LIST(X)                                                                      \
    X(void, warn, (const char *format, ...), vwarn, (format, list))                                \
    X(void, warnx, (const char *format, ...), vwarnx, (format, list))                              \
    X(void, syslog, (int priority, const char *format, ...), vsyslog, (priority, format, list))    \
    X(void, __syslog_chk, (int priority, int level, const char *format, ...), __vsyslog_chk,       \
      (priority, level, format, list))

/* ... for which no function takes a list; and one that writes to a descriptor. */
#define HOOKS_ERROR(X)                                                                             \
    X(void, error, (int status, int fault, const char *format, ...))                               \
    X(void, error_at_line, (int status, int fault, const char *file, unsigned line,                \
      const char *format, ...))                                                                    \
    X(void, backtrace_symbols_fd, (void *const *list, int n, int fd))

/* ... and at most this many wide characters are written: arguments, stream, characters. */
#define HOOKS_WIDE_PUT(X)                                                                          \
    X(wint_t, fputwc, (wchar_t c, FILE *f), (c, f), f, 1)                                          \
    X(wint_t, putwc, (wchar_t c, FILE *f), (c, f), f, 1)                                           \
    X(wint_t, fputwc_unlocked, (wchar_t c, FILE *f), (c, f), f, 1)                                 \
    X(wint_t, putwc_unlocked, (wchar_t c, FILE *f), (c, f), f, 1)                                  \
    X(wint_t, putwchar, (wchar_t c), (c), stdout, 1)                                               \
    X(wint_t, putwchar_unlocked, (wchar_t c), (c), stdout, 1)                                      \
    X(int, fputws, (const wchar_t *text, FILE *f), (text, f), f, wcslen(text))                     \
    X(int, fputws_unlocked, (const wchar_t *text, FILE *f), (text, f), f, wcslen(text))            \
    X(int, vfwprintf, (FILE *f, const wchar_t *format, va_list list), (f, format, list), f, result)\
    X(int, __vfwprintf_chk, (FILE *f, int level, const wchar_t *format, va_list list),             \
      (f, level, format, list), f, result)                                                         \
    X(int, vwprintf, (const wchar_t *format, va_list list), (format, list), stdout, result)        \
    X(int, __vwprintf_chk, (int level, const wchar_t *format, va_list list),                       \
      (level, format, list), stdout, result)

/* ... with `...` behind the format. */
#define HOOKS_SCAN(X)                                                                              \
    X(int, fscanf, (FILE *f, const char *format, ...), vfscanf, (f, format, list))                 \
    X(int, scanf, (const char *format, ...), vscanf, (format, list))                               \
    X(int, fwscanf, (FILE *f, const wchar_t *format, ...), vfwscanf, (f, format, list))            \
    X(int, wscanf, (const wchar_t *format, ...), vwscanf, (format, list))                          \
    X(int, __isoc99_fscanf, (FILE *f, const char *format, ...), __isoc99_vfscanf, (f, format,      \
      list))                                                                                       \
    X(int, __isoc99_scanf, (const char *format, ...), __isoc99_vscanf, (format, list))             \
    X(int, __isoc99_fwscanf, (FILE *f, const wchar_t *format, ...), __isoc99_vfwscanf, (f,         \
      format, list))                                                                               \
    X(int, __isoc99_wscanf, (const wchar_t *format, ...), __isoc99_vwscanf, (format, list))        \
    X(int, __isoc23_fscanf, (FILE *f, const char *format, ...), __isoc23_vfscanf, (f, format,      \
      list))                                                                                       \
    X(int, __isoc23_scanf, (const char *format, ...), __isoc23_vscanf, (format, list))             \
    X(int, __isoc23_fwscanf, (FILE *f, const wchar_t *format, ...), __isoc23_vfwscanf, (f,         \
      format, list))                                                                               \
    X(int, __isoc23_wscanf, (const wchar_t *format, ...), __isoc23_vwscanf, (format, list))

/* Streams come and go. */
#define HOOKS_STREAM(X)                                                                            \
    X(FILE *, fopen, (const char *path, const char *mode))                                         \
    X(FILE *, fopen64, (const char *path, const char *mode))                                       \
    X(FILE *, freopen, (const char *path, const char *mode, FILE *f))                              \
    X(FILE *, freopen64, (const char *path, const char *mode, FILE *f))                            \
    X(FILE *, fdopen, (int fd, const char *mode))                                                  \
    X(int, fclose, (FILE *f))                                                                      \
    X(int, fflush, (FILE *f))                                                                      \
    X(int, fflush_unlocked, (FILE *f))                                                             \
    X(void, rewind, (FILE *f))                                                                     \
    X(int, pclose, (FILE *f))                                                                      \
    X(int, fcloseall, (void))

/* ... with a fixed number of arguments, and the directory. */
#define HOOKS_OPEN(X)                                                                              \
    X(int, __open_2, (const char *path, int flags), (path, flags), AT_FDCWD)                       \
    X(int, __open64_2, (const char *path, int flags), (path, flags), AT_FDCWD)                     \
    X(int, __openat_2, (int dir, const char *path, int flags), (dir, path, flags), dir)            \
    X(int, __openat64_2, (int dir, const char *path, int flags), (dir, path, flags), dir)          \
    X(int, creat, (const char *path, mode_t mode), (path, mode), AT_FDCWD)                         \
    X(int, creat64, (const char *path, mode_t mode), (path, mode), AT_FDCWD)                       \
    X(int, mkstemp, (char *path), (path), AT_FDCWD)                                                \
    X(int, mkstemp64, (char *path), (path), AT_FDCWD)                                              \
    X(int, mkostemp, (char *path, int flags), (path, flags), AT_FDCWD)                             \
    X(int, mkostemp64, (char *path, int flags), (path, flags), AT_FDCWD)                           \
    X(int, mkstemps, (char *path, int suffix), (path, suffix), AT_FDCWD)                           \
    X(int, mkstemps64, (char *path, int suffix), (path, suffix), AT_FDCWD)                         \
    X(int, mkostemps, (char *path, int suffix, int flags), (path, suffix, flags), AT_FDCWD)        \
    X(int, mkostemps64, (char *path, int suffix, int flags), (path, suffix, flags), AT_FDCWD)

/* Descriptors come and go. */
#define HOOKS_DESCRIPTOR(X)                                                                        \
    X(int, open, (const char *path, int flags, ...))                                               \
    X(int, open64, (const char *path, int flags, ...))                                             \
    X(int, openat, (int dir, const char *path, int flags, ...))                                    \
    X(int, openat64, (int dir, const char *path, int flags, ...))                                  \
    X(int, __open, (const char *path, int flags, ...))                                             \
    X(int, __open64, (const char *path, int flags, ...))                                           \
    X(int, __close, (int fd))                                                                      \
    X(int, __dup2, (int fd, int to))                                                               \
    X(int, __fcntl, (int fd, int command, ...))                                                    \
    X(int, closedir, (DIR *d))                                                                     \
    X(int, close, (int fd))                                                                        \
    X(int, close_range, (unsigned first, unsigned last, int flags))                                \
    X(void, closefrom, (int first))                                                                \
    X(int, dup, (int fd))                                                                          \
    X(int, dup2, (int fd, int to))                                                                 \
    X(int, dup3, (int fd, int to, int flags))                                                      \
    X(int, fcntl, (int fd, int command, ...))                                                      \
    X(int, fcntl64, (int fd, int command, ...))                                                    \
    X(void *, mmap, (void *at, size_t n, int protection, int flags, int fd, off_t offset))         \
    X(void *, mmap64, (void *at, size_t n, int protection, int flags, int fd, off64_t offset))     \
    X(void *, mremap, (void *at, size_t n, size_t size, int flags, ...))                           \
    X(int, munmap, (void *at, size_t n))

/* Other descriptors are made: arguments, where they are, and how many. */
#define HOOKS_MAKE(X)                                                                              \
    X(int, socket, (int domain, int type, int protocol), (domain, type, protocol), &result, 1)     \
    X(int, socketpair, (int domain, int type, int protocol, int ends[2]),                          \
      (domain, type, protocol, ends), ends, 2)                                                     \
    X(int, accept, (int fd, __SOCKADDR_ARG at, socklen_t *n), (fd, at, n), &result, 1)             \
    X(int, accept4, (int fd, __SOCKADDR_ARG at, socklen_t *n, int flags), (fd, at, n, flags),      \
      &result, 1)                                                                                  \
    X(int, pipe, (int ends[2]), (ends), ends, 2)                                                   \
    X(int, pipe2, (int ends[2], int flags), (ends, flags), ends, 2)                                \
    X(int, epoll_create, (int size), (size), &result, 1)                                           \
    X(int, epoll_create1, (int flags), (flags), &result, 1)                                        \
    X(int, eventfd, (unsigned value, int flags), (value, flags), &result, 1)                       \
    X(int, timerfd_create, (clockid_t clock, int flags), (clock, flags), &result, 1)               \
    X(int, signalfd, (int fd, const sigset_t *mask, int flags), (fd, mask, flags), &result, 1)     \
    X(int, inotify_init1, (int flags), (flags), &result, 1)                                        \
    X(int, memfd_create, (const char *path, unsigned flags), (path, flags), &result, 1)

/* Processes come, and share what is open: arguments. */
#define HOOKS_SHARE(X)                                                                             \
    X(pid_t, fork, (void), ())                                                                     \
    X(pid_t, _Fork, (void), ())                                                                    \
    X(FILE *, popen, (const char *command, const char *mode), (command, mode))                     \
    X(int, system, (const char *command), (command))
/* Another program is started. */
#define HOOKS_EXEC(X)                                                                              \
    X(int, execve, (const char *path, char *const argv[], char *const envp[]))                     \
    X(int, execv, (const char *path, char *const argv[]))                                          \
    X(int, execvpe, (const char *file, char *const argv[], char *const envp[]))                    \
    X(int, execvp, (const char *file, char *const argv[]))                                         \
    X(int, fexecve, (int fd, char *const argv[], char *const envp[]))                              \
    X(int, execveat, (int dir, const char *path, char *const argv[], char *const envp[], int f))   \
    X(int, execl, (const char *path, const char *first, ...))                                      \
    X(int, execlp, (const char *file, const char *first, ...))                                     \
    X(int, execle, (const char *path, const char *first, ...))                                     \
    X(int, posix_spawn, (pid_t *pid, const char *path, const posix_spawn_file_actions_t *fa,       \
      const posix_spawnattr_t *at, char *const argv[], char *const envp[]))                        \
    X(int, posix_spawnp, (pid_t *pid, const char *path, const posix_spawn_file_actions_t *fa,      \
      const posix_spawnattr_t *at, char *const argv[], char *const envp[]))
#define HOOKS_PROCESS(X)                                                                           \
    X(pid_t, vfork, (void))                                                                        \
    X(int, clone, (int (*run)(void *), void *stack, int flags, void *argument, ...))               \
    X(int, prctl, (int option, ...))                                                               \
    X(long, syscall, (long number, ...))                                                           \
    X(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags))                         \
    X(int, sendmmsg, (int fd, struct mmsghdr *list, unsigned n, int flags))

/* Functions that are looked for by name. */
#define HOOKS_SYMBOL(X)                                                                            \
    X(void *, dlsym, (void *handle, const char *name))

/* Ways out of a call that waits: arguments. */
#define HOOKS_JUMP(X)                                                                              \
    X(void, longjmp, (jmp_buf to, int value), (to, value))                                         \
    X(void, _longjmp, (jmp_buf to, int value), (to, value))                                        \
    X(void, siglongjmp, (jmp_buf to, int value), (to, value))                                      \
    X(void, __longjmp_chk, (jmp_buf to, int value), (to, value))

/* clang-format on */

#define HOOKS(X)                                                                                   \
    HOOKS_PIECES(X)                                                                                \
    HOOKS_PATH(X)                                                                                  \
    HOOKS_WALK(X)                                                                                  \
    HOOKS_STATE(X)                                                                                 \
    HOOKS_WHOLE(X)                                                                                 \
    HOOKS_ASYNC(X)                                                                                 \
    HOOKS_BATCH(X)                                                                                 \
    HOOKS_RING(X)                                                                                  \
    HOOKS_PUT(X)                                                                                   \
    HOOKS_FORMAT(X)                                                                                \
    HOOKS_PRINT(X)                                                                                 \
    HOOKS_PRINT_FD(X)                                                                              \
    HOOKS_FLUSH(X)                                                                                 \
    HOOKS_GET(X)                                                                                   \
    HOOKS_WATCHED(X)                                                                               \
    HOOKS_WIDE_PUT(X)                                                                              \
    HOOKS_RECORD(X)                                                                                \
    HOOKS_MESSAGE(X)                                                                               \
    HOOKS_MESSAGE_LIST(X)                                                                          \
    HOOKS_ERROR(X)                                                                                 \
    HOOKS_SCAN(X)                                                                                  \
    HOOKS_STREAM(X)                                                                                \
    HOOKS_OPEN(X)                                                                                  \
    HOOKS_DESCRIPTOR(X)                                                                            \
    HOOKS_MAKE(X)                                                                                  \
    HOOKS_SHARE(X)                                                                                 \
    HOOKS_EXEC(X)                                                                                  \
    HOOKS_PROCESS(X)                                                                               \
    HOOKS_SYMBOL(X)                                                                                \
    HOOKS_JUMP(X)

/* The first of several. */
#define HOOKS_FIRST(first, ...) first

/* Not all of them have a prototype in libc's headers. */
#define HOOKS_PROTOTYPE(type, name, ...) type name HOOKS_FIRST(__VA_ARGS__, );
HOOKS(HOOKS_PROTOTYPE)
#undef HOOKS_PROTOTYPE

#endif
