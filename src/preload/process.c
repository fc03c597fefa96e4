/* Hooks on calls that show this process's descriptors to another process or thread, and on jumps.
 */
#include "preload/async.h"
#include "preload/call.h"
#include "preload/descriptor.h"
#include "preload/exec.h"
#include "preload/real.h"
#include "preload/ring.h"
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SHARE(type, name, parameters, arguments)                                                   \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        descriptor_share_all();                                                                    \
        return real()->name arguments;                                                             \
    }
HOOKS_SHARE(SHARE)
#undef SHARE

/* A function that calls vfork must not return before the child is gone. So this one jumps there
 * instead. */
__attribute__((used)) static pid_t (*prepare_vfork(void))(void)
{
    descriptor_share_all();
    return real()->vfork;
}

#if defined(__x86_64__)
__asm__(".text\n"
        ".globl vfork\n"
        ".type vfork, @function\n"
        "vfork:\n"
        "    endbr64\n"
        "    subq $8, %rsp\n"
        "    call prepare_vfork\n"
        "    addq $8, %rsp\n"
        "    jmp *%rax\n"
        ".size vfork, .-vfork\n");
#elif defined(__aarch64__)
__asm__(".text\n"
        ".globl vfork\n"
        ".type vfork, %function\n"
        "vfork:\n"
        "    stp x29, x30, [sp, #-16]!\n"
        "    bl prepare_vfork\n"
        "    mov x16, x0\n"
        "    ldp x29, x30, [sp], #16\n"
        "    br x16\n"
        ".size vfork, .-vfork\n");
#else
#error "vfork needs a few instructions of this processor"
#endif

HOOK int clone(int (*run)(void *), void *stack, int flags, void *argument, ...)
{
    va_list list;
    va_start(list, argument);
    void *parent = va_arg(list, void *);
    void *tls = va_arg(list, void *);
    void *child = va_arg(list, void *);
    va_end(list);
    descriptor_distrust();
    return real()->clone(run, stack, flags, argument, parent, tls, child);
}

/* --- descriptors in messages ------------------------------------------------------------------ */

HOOK ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    ssize_t result = real()->sendmsg(fd, message, flags);
    if (result >= 0 && message->msg_control) /* before that, it may not be readable */
        descriptor_share_all();
    return result;
}

HOOK int sendmmsg(int fd, struct mmsghdr *list, unsigned n, int flags)
{
    descriptor_share_all();
    return real()->sendmmsg(fd, list, n, flags);
}

/* --- system calls without a function ---------------------------------------------------------- */

static void note_transfer(int fd, long moved)
{
    call_passed(moved); /* escapes of a kind of its own: counted as seen */
    if (moved > 0 && descriptor_controlled(fd))
        call_escaped((size_t)moved);
}

/* Returns the bytes that bypass control if the call succeeds. */
static size_t note_before(long number, const long *a)
{
    switch (number) {
    case SYS_close:
        descriptor_forget((int)a[0]);
        break;
    case SYS_io_submit:
        return async_bytes(a[1], (struct iocb **)a[2]);
    case SYS_io_uring_enter:
        ring_entered((int)a[0], (unsigned)a[1], (unsigned)a[3]);
        break;
    case SYS_clone:
#ifdef SYS_fork
    case SYS_fork:
#endif
#ifdef SYS_clone3
    case SYS_clone3:
#endif
        descriptor_distrust();
        break;
    default:
        break;
    }
    return 0;
}

static void note_after(long number, const long *a, long result)
{
    switch (number) {
    case SYS_read:
    case SYS_write:
    case SYS_readv:
    case SYS_writev:
    case SYS_pread64:
    case SYS_pwrite64:
    case SYS_preadv:
    case SYS_pwritev:
        note_transfer((int)a[0], result);
        break;
    case SYS_io_uring_setup:
        if (result >= 0)
            ring_made((int)result, (const struct io_uring_params *)a[1]);
        break;
    default:
        break;
    }
}

/* Whether the call restricts the calls to come: nothing may be done after it, unless it fails. */
static bool restricts(long number, const long *a)
{
    return number == SYS_prctl ? a[0] == PR_SET_SECCOMP
                               : number == SYS_seccomp && (a[0] == SECCOMP_SET_MODE_STRICT ||
                                                           a[0] == SECCOMP_SET_MODE_FILTER);
}

static void end_seal(bool sealed, long result)
{
    if (sealed && result < 0)
        call_unseal();
    else if (sealed)
        exec_hide();
}

HOOK long syscall(long number, ...)
{
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    size_t asked = note_before(number, a);
    bool sealed = restricts(number, a) && call_seal();
    long result = real()->syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (number == SYS_io_submit && result > 0 && result < a[1]) /* the rest will be asked again */
        asked = async_bytes(result, (struct iocb **)a[2]);
    if (asked > 0 && result > 0)
        call_escaped(asked);
    note_after(number, a, result);
    end_seal(sealed, result);
    return result;
}

/* --- filters of system calls ------------------------------------------------------------------ */

HOOK int prctl(int option, ...)
{
    unsigned long a[4];
    va_list list;
    va_start(list, option);
    for (int i = 0; i < 4; i++)
        a[i] = va_arg(list, unsigned long);
    va_end(list);
    bool sealed = option == PR_SET_SECCOMP && call_seal();
    int result = real()->prctl(option, a[0], a[1], a[2], a[3]);
    end_seal(sealed, result);
    return result;
}

/* --- jumps ------------------------------------------------------------------------------------ */

#define JUMP(type, name, parameters, arguments)                                                    \
    HOOK __attribute__((noreturn)) type name parameters                                            \
    {                                                                                              \
        call_abandon();                                                                            \
        real()->name arguments;                                                                    \
        __builtin_unreachable();                                                                   \
    }
HOOKS_JUMP(JUMP)
#undef JUMP
