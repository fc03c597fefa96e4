/* System calls by instructions of our own, bypassing whatever replaces libc's functions. That may
 * be the preload itself; and some libraries replace the functions for memory mappings (UCX, and so
 * MPICH, to track buffers) by incomplete ones: UCX's mremap drops the new address. Nothing here
 * changes errno or is a cancellation point. */
#ifndef WEIR_CLIENT_KERNEL_H
#define WEIR_CLIENT_KERNEL_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A system call of at most six arguments: its result, or -errno. */
static inline long kernel_call(long number, const long a[6])
{
#if defined __x86_64__ && defined __LP64__
    long result;
    register long fourth __asm__("r10") = a[3];
    register long fifth __asm__("r8") = a[4];
    register long sixth __asm__("r9") = a[5];
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(fourth), "r"(fifth),
                       "r"(sixth)
                     : "rcx", "r11", "memory");
    return result;
#elif defined __aarch64__ && defined __LP64__
    register long first __asm__("x0") = a[0];
    register long second __asm__("x1") = a[1];
    register long third __asm__("x2") = a[2];
    register long fourth __asm__("x3") = a[3];
    register long fifth __asm__("x4") = a[4];
    register long sixth __asm__("x5") = a[5];
    register long which __asm__("x8") = number;
    __asm__ volatile("svc 0"
                     : "+r"(first)
                     : "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth), "r"(which)
                     : "memory");
    return first;
#else
    int fault = errno;
    long result = syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (result == -1)
        result = -errno;
    errno = fault;
    return result;
#endif
}

/* The same with listed arguments: at least one, even if the call takes none. */
#define KERNEL_CALL(number, ...) kernel_call(number, (const long[6]){__VA_ARGS__})

/* Maps `size` bytes from the start of a file, or of empty memory (fd = -1), at the address `at`,
 * replacing what is mapped there, or anywhere (NULL). 0, or -errno and *place is unchanged. */
static inline int kernel_map(void **place, void *at, size_t size, int protection, int fd)
{
#ifdef SYS_mmap2
    const long number = SYS_mmap2; /* counts the offset in pages: 0 all the same */
#else
    const long number = SYS_mmap;
#endif
    int flags = (fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED) | (at ? MAP_FIXED : 0);
    long result = KERNEL_CALL(number, (long)at, (long)size, protection, flags, fd, 0);
    /* Addresses reach up to the errors, which are the last page. */
    if ((unsigned long)result > -4096UL)
        return (int)result;
    *place = (void *)result;
    return 0;
}

/* Moves a mapping to the address of another one, which it replaces. 0 or -errno. */
static inline int kernel_move(void *from, void *to, size_t size)
{
    long result = KERNEL_CALL(SYS_mremap, (long)from, (long)size, (long)size,
                              MREMAP_MAYMOVE | MREMAP_FIXED, (long)to);
    return result == (long)to ? 0 : (unsigned long)result > -4096UL ? (int)result : -EFAULT;
}

/* Maps what is mapped there, which is shared, at another place as well. 0, or -errno and *place is
 * unchanged. */
static inline int kernel_double(void **place, void *at, size_t size)
{
    long result = KERNEL_CALL(SYS_mremap, (long)at, 0, (long)size, MREMAP_MAYMOVE);
    if ((unsigned long)result > -4096UL)
        return (int)result;
    *place = (void *)result;
    return 0;
}

static inline void kernel_unmap(void *at, size_t size)
{
    if (at)
        KERNEL_CALL(SYS_munmap, (long)at, (long)size);
}

/* Makes every kind of fork fill the child's copy with zeros. 0 or -errno. */
static inline int kernel_wipe_on_fork(void *at, size_t size)
{
    return (int)KERNEL_CALL(SYS_madvise, (long)at, (long)size, MADV_WIPEONFORK);
}

#endif
