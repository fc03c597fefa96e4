/* Hooks on dlsym and dlvsym: a program that asks libc itself for a function finds the hook, as it
 * does by linking.
 *
 * What RTLD_NEXT means depends on where the call comes from, so such calls, and those that need
 * nothing done, are not made from here: the hook jumps to the function behind it. */
#include "preload/real.h"
#include <dlfcn.h>
#include <stdint.h>

/* What the hooks below are told: where to jump, or NULL and what to answer. */
struct symbol_answer {
    void *jump, *found;
};

static bool symbol_is_asked_of_one(const void *handle)
{
    return handle != RTLD_NEXT && handle != RTLD_DEFAULT;
}

typedef void *symbol_finder(void *handle, const char *name);
typedef void *symbol_version_finder(void *handle, const char *name, const char *version);

__attribute__((used)) static struct symbol_answer symbol_find(void *handle, const char *name)
{
    static _Atomic(void *) kept;
    void *behind = real_behind("dlsym", &kept);
    if (!behind || !symbol_is_asked_of_one(handle))
        return (struct symbol_answer){.jump = behind};
    symbol_finder *find = (symbol_finder *)(uintptr_t)behind;
    return (struct symbol_answer){.found = real_hook(name, find(handle, name))};
}

__attribute__((used)) static struct symbol_answer symbol_find_version(void *handle,
                                                                      const char *name,
                                                                      const char *version)
{
    static _Atomic(void *) kept;
    void *behind = real_behind("dlvsym", &kept);
    if (!behind || !symbol_is_asked_of_one(handle))
        return (struct symbol_answer){.jump = behind};
    symbol_version_finder *find = (symbol_version_finder *)(uintptr_t)behind;
    return (struct symbol_answer){.found = real_hook(name, find(handle, name, version))};
}

/* A struct of two pointers comes back in two registers. */
#if defined(__x86_64__)
#define SYMBOL_HOOK(name, finder)                                                                  \
    __asm__(".text\n"                                                                              \
            ".globl " name "\n"                                                                    \
            ".type " name ", @function\n" name ":\n"                                               \
            "    endbr64\n"                                                                        \
            "    subq $40, %rsp\n"                                                                 \
            "    movq %rdi, 8(%rsp)\n"                                                             \
            "    movq %rsi, 16(%rsp)\n"                                                            \
            "    movq %rdx, 24(%rsp)\n"                                                            \
            "    call " finder "\n"                                                                \
            "    movq %rax, %rcx\n"                                                                \
            "    movq %rdx, %rax\n"                                                                \
            "    movq 8(%rsp), %rdi\n"                                                             \
            "    movq 16(%rsp), %rsi\n"                                                            \
            "    movq 24(%rsp), %rdx\n"                                                            \
            "    addq $40, %rsp\n"                                                                 \
            "    testq %rcx, %rcx\n"                                                               \
            "    je 1f\n"                                                                          \
            "    jmp *%rcx\n"                                                                      \
            "1:  ret\n"                                                                            \
            ".size " name ", .-" name "\n")
#elif defined(__aarch64__)
#define SYMBOL_HOOK(name, finder)                                                                  \
    __asm__(".text\n"                                                                              \
            ".globl " name "\n"                                                                    \
            ".type " name ", %function\n" name ":\n"                                               \
            "    stp x29, x30, [sp, #-48]!\n"                                                      \
            "    stp x0, x1, [sp, #16]\n"                                                          \
            "    str x2, [sp, #32]\n"                                                              \
            "    bl " finder "\n"                                                                  \
            "    mov x16, x0\n"                                                                    \
            "    mov x17, x1\n"                                                                    \
            "    ldp x0, x1, [sp, #16]\n"                                                          \
            "    ldr x2, [sp, #32]\n"                                                              \
            "    ldp x29, x30, [sp], #48\n"                                                        \
            "    cbz x16, 1f\n"                                                                    \
            "    br x16\n"                                                                         \
            "1:  mov x0, x17\n"                                                                    \
            "    ret\n"                                                                            \
            ".size " name ", .-" name "\n")
#else
#error "dlsym needs a few instructions of this processor"
#endif

SYMBOL_HOOK("dlsym", "symbol_find");
SYMBOL_HOOK("dlvsym", "symbol_find_version");
