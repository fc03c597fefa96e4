#include "supervise/filter.h"
#include "client/kernel.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#if defined __x86_64__
#define FILTER_NATIVE AUDIT_ARCH_X86_64
#define FILTER_SMALL  AUDIT_ARCH_I386
#elif defined __aarch64__
#define FILTER_NATIVE AUDIT_ARCH_AARCH64
#endif

enum { FILTER_URING = 425 }; /* io_uring_setup, on all processors */

/* While a call waits, signals wait too: else one without SA_RESTART would make it fail with EINTR,
 * which files never do. Without the last, some kernels slow the program down. */
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif
static const unsigned long filter_flags = SECCOMP_FILTER_FLAG_NEW_LISTENER |
                                          SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV |
                                          SECCOMP_FILTER_FLAG_SPEC_ALLOW;

/* --- the program of the filter ---------------------------------------------------------------- */

#define FILTER_LOAD(member)                                                                        \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define FILTER_RETURN(value)       BPF_STMT(BPF_RET | BPF_K, (value))
#define FILTER_UNLESS(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skip))

struct filter_program {
    struct sock_filter steps[128];
    unsigned short count;
};

static void filter_add(struct filter_program *program, struct sock_filter step)
{
    program->steps[program->count++] = step;
}

/* A mapping without a file is memory. The flags are in the lower half of the argument, which comes
 * first on these processors. */
static void filter_add_call(struct filter_program *program, uint32_t number, bool map)
{
    filter_add(program, (struct sock_filter)FILTER_UNLESS(number, map ? 4 : 1));
    if (map) {
        filter_add(program, (struct sock_filter)FILTER_LOAD(args[3]));
        filter_add(program,
                   (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 0, 1));
        filter_add(program, (struct sock_filter)FILTER_RETURN(SECCOMP_RET_ALLOW));
    }
    filter_add(program, (struct sock_filter)FILTER_RETURN(SECCOMP_RET_USER_NOTIF));
}

/* All that follows from a program's kind of calls. */
static void filter_add_calls(struct filter_program *program, uint32_t arch, bool small)
{
    unsigned short start = program->count;
    filter_add(program, (struct sock_filter)FILTER_UNLESS(arch, 0));
    filter_add(program, (struct sock_filter)FILTER_LOAD(nr));
    filter_add(program, (struct sock_filter)FILTER_UNLESS(FILTER_URING, 1));
    filter_add(program, (struct sock_filter)FILTER_RETURN(SECCOMP_RET_ERRNO | ENOSYS));
#define FILTER_STEP(kind, number, old)                                                             \
    filter_add_call(program, small ? (old) : (uint32_t)(number), (kind) == FILTER_MAP);
    FILTER_CALLS(FILTER_STEP)
#undef FILTER_STEP
    filter_add(program, (struct sock_filter)FILTER_RETURN(SECCOMP_RET_ALLOW));
    program->steps[start].jf = (unsigned char)(program->count - start - 1);
}

static void filter_write(struct filter_program *program)
{
    program->count = 0;
    filter_add(program, (struct sock_filter)FILTER_LOAD(arch));
    filter_add_calls(program, FILTER_NATIVE, false);
#ifdef FILTER_SMALL
    filter_add_calls(program, FILTER_SMALL, true);
#endif
    filter_add(program, (struct sock_filter)FILTER_RETURN(SECCOMP_RET_ALLOW));
}

/* --- setting it ------------------------------------------------------------------------------- */

static long filter_seccomp(unsigned operation, unsigned long flags, const void *argument)
{
    return KERNEL_CALL(SYS_seccomp, operation, (long)flags, (long)argument);
}

const char *filter_check(void)
{
    /* Without a filter it fails in any case: it is refused as invalid if a flag is unknown. */
    if (filter_seccomp(SECCOMP_SET_MODE_FILTER, filter_flags, NULL) != -EFAULT)
        return "cannot be supervised: this needs Linux 5.19 and its seccomp filters";
    return NULL;
}

int filter_set(void)
{
    struct filter_program program;
    filter_write(&program);
    struct sock_fprog code = {.len = program.count, .filter = program.steps};
    long listener = filter_seccomp(SECCOMP_SET_MODE_FILTER, filter_flags, &code);
    if (listener == -EACCES && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        listener = filter_seccomp(SECCOMP_SET_MODE_FILTER, filter_flags, &code);
    return (int)listener;
}

enum filter_kind filter_judge(uint32_t arch, int number, bool *small)
{
    static const struct {
        enum filter_kind kind;
        int number, old;
    } calls[] = {
#define FILTER_ROW(kind, number, old) {kind, number, old},
        FILTER_CALLS(FILTER_ROW)
#undef FILTER_ROW
    };
    *small = arch != FILTER_NATIVE;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if ((*small ? calls[i].old : calls[i].number) == number)
            return calls[i].kind;
    return FILTER_NONE;
}
