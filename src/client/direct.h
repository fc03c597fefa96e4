/* System calls past libc, and past whatever stands in front of its functions, which may be the
 * preload itself. Nothing here touches errno. */
#ifndef WEIR_CLIENT_DIRECT_H
#define WEIR_CLIENT_DIRECT_H

#include <sys/syscall.h>

/* The call's result, or -errno. */
static inline long direct_call(long number, long a, long b, long c, long d)
{
#if defined(__x86_64__)
    long result;
    register long fourth __asm__("r10") = d;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long eighth __asm__("x8") = number;
    register long first __asm__("x0") = a;
    register long second __asm__("x1") = b;
    register long third __asm__("x2") = c;
    register long fourth __asm__("x3") = d;
    __asm__ volatile("svc 0"
                     : "+r"(first)
                     : "r"(eighth), "r"(second), "r"(third), "r"(fourth)
                     : "memory");
    return first;
#else
#error "a system call needs an instruction of this processor"
#endif
}

#endif
