#include "client/program.h"
#include "client/kernel.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    DEPTH = 5,  /* the interpreter may be a script too: the kernel follows as many */
    NAME = 512, /* bytes of a path that is put together; longer ones are ignored */
    TAIL = 64   /* of the path of a dynamic linker, enough for its name */
};

/* --- the file --------------------------------------------------------------------------------- */

static int program_open_file(int dir, const char *path)
{
    return (int)KERNEL_CALL(SYS_openat, dir, (long)path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static long program_read_at(int fd, void *data, size_t size, off_t at)
{
    return KERNEL_CALL(SYS_pread64, fd, (long)data, (long)size, at);
}

/* glibc's dynamic linkers are ld-linux-x86-64.so.2, ld-linux-aarch64.so.1, ld64.so.2 ... */
static enum program_kind judge_linker(const char *path)
{
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    if (strncmp(name, "ld-linux", 8) == 0 || strncmp(name, "ld64.so", 7) == 0)
        return PROGRAM_ORDINARY;
    return strncmp(name, "ld-musl", 7) == 0 ? PROGRAM_MUSL : PROGRAM_FOREIGN;
}

/* Judges by the dynamic linker that it names. */
static enum program_kind judge_parts(int fd, const ElfW(Ehdr) * head)
{
    for (unsigned i = 0; i < head->e_phnum; i++) {
        ElfW(Phdr) part;
        char tail[TAIL + 1] = "";
        off_t at = (off_t)head->e_phoff + (off_t)i * head->e_phentsize;
        if (program_read_at(fd, &part, sizeof part, at) != sizeof part)
            return PROGRAM_ORDINARY; /* unknown */
        if (part.p_type != PT_INTERP)
            continue;
        size_t size = part.p_filesz < TAIL ? part.p_filesz : TAIL;
        at = (off_t)(part.p_offset + part.p_filesz - size);
        return program_read_at(fd, tail, size, at) > 0 ? judge_linker(tail) : PROGRAM_ORDINARY;
    }
    return PROGRAM_STATIC;
}

/* The dynamic linker preloads nothing into a program with more rights than its user. (Root has all
 * rights already.) */
static enum program_kind judge_rights(int fd)
{
    struct stat file;
    if (KERNEL_CALL(SYS_fstat, fd, (long)&file) != 0)
        return PROGRAM_ORDINARY;
    bool other_user = file.st_mode & S_ISUID && (long)file.st_uid != KERNEL_CALL(SYS_geteuid, 0);
    bool other_group = (file.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) &&
                       (long)file.st_gid != KERNEL_CALL(SYS_getegid, 0);
    if (other_user || other_group)
        return PROGRAM_SET_ID;
    bool capable = KERNEL_CALL(SYS_getuid, 0) != 0 &&
                   KERNEL_CALL(SYS_fgetxattr, fd, (long)"security.capability", 0, 0) > 0;
    return capable ? PROGRAM_CAPABLE : PROGRAM_ORDINARY;
}

static enum program_kind judge_elf(int fd, const ElfW(Ehdr) * head)
{
    enum { OURS = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32 };
#if defined(__x86_64__)
    enum { PROCESSOR = EM_X86_64 };
#elif defined(__aarch64__)
    enum { PROCESSOR = EM_AARCH64 };
#endif
    if (head->e_ident[EI_CLASS] != OURS)
        return PROGRAM_OTHER_SIZE;
    if (head->e_machine != PROCESSOR)
        return PROGRAM_OTHER_PROCESSOR;
    enum program_kind kind = judge_parts(fd, head);
    return kind == PROGRAM_ORDINARY ? judge_rights(fd) : kind;
}

/* "#! /bin/sh -e" -> "/bin/sh", cut out of the text; NULL if it is not a script. */
static const char *find_interpreter(char *head)
{
    if (strncmp(head, "#!", 2) != 0)
        return NULL;
    head += 2 + strspn(head + 2, " \t");
    head[strcspn(head, " \t\n")] = '\0';
    return *head ? head : NULL;
}

enum program_kind program_judge(int dir, const char *path)
{
    union {
        ElfW(Ehdr) elf;
        char text[257]; /* the kernel looks at 256 */
    } head;
    enum program_kind kind = PROGRAM_ORDINARY;
    for (int depth = 0; path && depth < DEPTH; depth++) {
        int fd = program_open_file(dir, path);
        if (fd < 0)
            break;
        long size = program_read_at(fd, head.text, sizeof head.text - 1, 0);
        if (size >= (long)sizeof head.elf && memcmp(head.text, ELFMAG, SELFMAG) == 0)
            kind = judge_elf(fd, &head.elf);
        KERNEL_CALL(SYS_close, fd);
        head.text[size > 0 ? size : 0] = '\0';
        path = find_interpreter(head.text);
        dir = AT_FDCWD;
    }
    return kind;
}

/* --- a command -------------------------------------------------------------------------------- */

/* Puts together the path that execvp would try next; NULL after the last. */
static const char *next_try(const char **list, const char *command, char path[NAME])
{
    if (!*list)
        return NULL;
    size_t length = strcspn(*list, ":"), size = strlen(command);
    const char *directory = *list;
    *list = directory[length] ? directory + length + 1 : NULL;
    if (length + 1 + size >= NAME)
        return "";
    memcpy(path, directory, length);
    if (length > 0)
        path[length++] = '/';
    memcpy(path + length, command, size + 1);
    return path;
}

enum program_kind program_judge_command(const char *command, const char *list)
{
    char path[NAME];
    const char *found;
    if (strchr(command, '/'))
        return program_judge(AT_FDCWD, command);
    if (!list)
        list = "/bin:/usr/bin";
    while ((found = next_try(&list, command, path)))
        if (KERNEL_CALL(SYS_faccessat, AT_FDCWD, (long)found, X_OK) == 0)
            return program_judge(AT_FDCWD, found);
    return PROGRAM_ORDINARY;
}

bool program_rejects(enum program_kind kind)
{
    return kind == PROGRAM_MUSL || kind == PROGRAM_FOREIGN || kind == PROGRAM_OTHER_SIZE ||
           kind == PROGRAM_OTHER_PROCESSOR;
}

const char *program_reason(enum program_kind kind)
{
#define PROGRAM_TEXT(name, reason) [PROGRAM_##name] = reason,
    static const char *const reasons[] = {PROGRAM_KINDS(PROGRAM_TEXT)};
#undef PROGRAM_TEXT
    return reasons[kind];
}
