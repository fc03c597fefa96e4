/* A hook on dlsym: a program that asks libc itself for a function finds the hook, as it does by
 * linking.
 *
 * What RTLD_NEXT means depends on where the call comes from, so such calls, and those that need
 * nothing done, are not made from here: the hook jumps to the function behind it. */
#include "preload/real.h"
#include <dlfcn.h>
#include <stdint.h>

/* The result for the hook below: where to jump, or NULL and what to return. */
struct symbol_answer {
    void *jump, *found;
};

static bool symbol_is_asked_of_one(const void *handle)
{
    return handle != RTLD_NEXT && handle != RTLD_DEFAULT;
}

__attribute__((used)) static struct symbol_answer symbol_find(void *handle, const char *name)
{
    finder *find = real_finder();
    if (!find || !symbol_is_asked_of_one(handle))
        return (struct symbol_answer){.jump = (void *)(uintptr_t)find};
    return (struct symbol_answer){.found = real_hook(name, find(handle, name))};
}

/* A struct of two pointers comes back in two registers. */
#if defined(__x86_64__)
__asm__(".text\n"
        ".globl dlsym\n"
        ".type dlsym, @function\n"
        "dlsym:\n"
        "    endbr64\n"
        "    subq $24, %rsp\n"
        "    movq %rdi, (%rsp)\n"
        "    movq %rsi, 8(%rsp)\n"
        "    call symbol_find\n"
        "    movq %rax, %rcx\n"
        "    movq %rdx, %rax\n"
        "    movq (%rsp), %rdi\n"
        "    movq 8(%rsp), %rsi\n"
        "    addq $24, %rsp\n"
        "    testq %rcx, %rcx\n"
        "    je 1f\n"
        "    jmp *%rcx\n"
        "1:  ret\n"
        ".size dlsym, .-dlsym\n");
#elif defined(__aarch64__)
__asm__(".text\n"
        ".globl dlsym\n"
        ".type dlsym, %function\n"
        "dlsym:\n"
        "    stp x29, x30, [sp, #-32]!\n"
        "    stp x0, x1, [sp, #16]\n"
        "    bl symbol_find\n"
        "    mov x16, x0\n"
        "    mov x17, x1\n"
        "    ldp x0, x1, [sp, #16]\n"
        "    ldp x29, x30, [sp], #32\n"
        "    cbz x16, 1f\n"
        "    br x16\n"
        "1:  mov x0, x17\n"
        "    ret\n"
        ".size dlsym, .-dlsym\n");
#else
#error "dlsym needs a few instructions of this processor"
#endif
