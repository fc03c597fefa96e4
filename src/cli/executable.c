#include "cli/executable.h"
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Puts together the path that execvp would try next; NULL after the last. */
static const char *next_try(const char **list, const char *command, char path[PATH_MAX])
{
    if (!*list)
        return NULL;
    size_t length = strcspn(*list, ":");
    int size = snprintf(path, PATH_MAX, "%.*s%s%s", (int)length, *list, length ? "/" : "", command);
    *list = (*list)[length] ? *list + length + 1 : NULL;
    return size < PATH_MAX ? path : "";
}

static int open_command(const char *command)
{
    char path[PATH_MAX];
    const char *list = getenv("PATH"), *found;
    if (strchr(command, '/'))
        return open(command, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    while ((found = next_try(&list, command, path)))
        if (access(found, X_OK) == 0)
            return open(found, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    return -1;
}

static bool has_interpreter(int fd, const ElfW(Ehdr) * head)
{
    for (unsigned i = 0; i < head->e_phnum; i++) {
        ElfW(Phdr) part;
        off_t at = (off_t)head->e_phoff + (off_t)i * head->e_phentsize;
        if (pread(fd, &part, sizeof part, at) != sizeof part)
            return true; /* not for us to judge */
        if (part.p_type == PT_INTERP)
            return true;
    }
    return false;
}

static const char *judge(int fd, const ElfW(Ehdr) * head)
{
    enum { OURS = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32 };
    struct stat file;
    if (head->e_ident[EI_CLASS] != OURS)
        return "is of another word size";
    if (!has_interpreter(fd, head))
        return "is statically linked";
    bool secure = fstat(fd, &file) == 0 && file.st_mode & (S_ISUID | S_ISGID);
    return secure && geteuid() != file.st_uid ? "runs as another user" : NULL;
}

/* "#! /bin/sh -e" -> "/bin/sh"; returns whether there is one. */
static bool read_interpreter(const char *head, char path[PATH_MAX])
{
    if (strncmp(head, "#!", 2) != 0)
        return false;
    head += 2 + strspn(head + 2, " \t");
    snprintf(path, PATH_MAX, "%.*s", (int)strcspn(head, " \t\n"), head);
    return *path == '/';
}

const char *executable_refuses(const char *command)
{
    union {
        ElfW(Ehdr) elf;
        char text[256];
    } head = {.text = ""};
    char path[PATH_MAX];
    const char *reason = NULL;
    for (int depth = 0; depth < 4; depth++) { /* the interpreter may be a script too */
        int fd = open_command(command);
        ssize_t size = fd < 0 ? -1 : pread(fd, head.text, sizeof head.text - 1, 0);
        if (size >= (ssize_t)sizeof head.elf && memcmp(head.text, ELFMAG, SELFMAG) == 0)
            reason = judge(fd, &head.elf);
        if (fd >= 0)
            close(fd);
        head.text[size > 0 ? size : 0] = '\0';
        if (!read_interpreter(head.text, path))
            break;
        command = path;
    }
    return reason;
}
