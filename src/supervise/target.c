#include "supervise/target.h"
#include "client/kernel.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

enum { TARGET_PATH = 64, TARGET_TEXT = 512 };

/* Reads the beginning of a file of the thread as a text. */
static bool target_text(pid_t thread, const char *name, char text[TARGET_TEXT])
{
    char path[TARGET_PATH];
    snprintf(path, sizeof path, "/proc/%d/%s", thread, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, TARGET_TEXT - 1);
    if (fd >= 0)
        close(fd);
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/* A number of such a text; 0 if it is missing. */
static uint64_t target_number(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

bool target_name(pid_t thread, int fd, char *path, size_t size)
{
    char link[TARGET_PATH];
    snprintf(link, sizeof link, "/proc/%d/fd/%d", thread, fd);
    ssize_t length = readlink(link, path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/* No server is asked: this happens at every call. */
bool target_file(pid_t thread, int fd, struct target_file *file)
{
    char link[TARGET_PATH];
    struct statx status;
    snprintf(link, sizeof link, "/proc/%d/fd/%d", thread, fd);
    if (statx(AT_FDCWD, link, AT_STATX_DONT_SYNC, STATX_TYPE | STATX_NLINK | STATX_SIZE, &status) !=
            0 ||
        !S_ISREG(status.stx_mode))
        return false;
    file->device = makedev(status.stx_dev_major, status.stx_dev_minor);
    file->names = status.stx_nlink;
    file->size = status.stx_size;
    return true;
}

uint64_t target_offset(pid_t thread, int fd)
{
    char name[TARGET_PATH], text[TARGET_TEXT];
    snprintf(name, sizeof name, "fdinfo/%d", fd);
    return target_text(thread, name, text) ? target_number(text, "pos:") : 0;
}

/* A line of the list: first and last address, rights, offset, device, number and name. */
bool target_mapping(pid_t thread, uint64_t address, struct target_file *file, char *path,
                    size_t size)
{
    char list[TARGET_PATH], line[4096 + 128], name[4096];
    unsigned long long first, last;
    unsigned major, minor;
    bool found = false;
    snprintf(list, sizeof list, "/proc/%d/maps", thread);
    FILE *maps = fopen(list, "re");
    while (maps && !found && fgets(line, sizeof line, maps))
        found = sscanf(line, "%llx-%llx %*s %*s %x:%x %*s %4095[^\n]", &first, &last, &major,
                       &minor, name) == 5 &&
                first <= address && address < last && *name == '/' && strlen(name) < size;
    if (maps)
        fclose(maps);
    if (!found)
        return false;
    *file = (struct target_file){.path = strcpy(path, name), .device = makedev(major, minor)};
    return true;
}

/* --- pipes ------------------------------------------------------------------------------------ */

/* A copy of the descriptor: to open a pipe would be to add an end to it. */
static int target_copy(pid_t thread, int fd)
{
    enum { THREAD = O_EXCL }; /* PIDFD_THREAD; older kernels know first threads only */
    long process = KERNEL_CALL(SYS_pidfd_open, thread, THREAD);
    if (process < 0)
        process = KERNEL_CALL(SYS_pidfd_open, thread, 0);
    if (process < 0)
        return -1;
    long copy = KERNEL_CALL(SYS_pidfd_getfd, process, fd, 0);
    close((int)process);
    return (int)copy;
}

size_t target_pipe(pid_t thread, int fd)
{
    int copy = target_copy(thread, fd), waiting = 0;
    int size = copy < 0 ? -1 : fcntl(copy, F_GETPIPE_SZ);
    if (size > 0 && ioctl(copy, FIONREAD, &waiting) != 0)
        waiting = 0;
    if (copy >= 0)
        close(copy);
    return size <= 0 ? SIZE_MAX : waiting > 0 ? (size_t)waiting : (size_t)size;
}

/* --- memory, counts --------------------------------------------------------------------------- */

bool target_read(pid_t thread, uint64_t address, void *data, size_t size)
{
    struct iovec here = {data, size}, there = {(void *)(uintptr_t)address, size};
    return process_vm_readv(thread, &here, 1, &there, 1, 0) == (ssize_t)size;
}

bool target_counts(pid_t thread, struct target_count *count)
{
    char name[TARGET_PATH], text[TARGET_TEXT];
    snprintf(name, sizeof name, "task/%d/io", thread); /* of the thread, not of its process */
    if (!target_text(thread, name, text))
        return false;
    count->read = target_number(text, "rchar: ");
    count->written = target_number(text, "wchar: ");
    count->calls = target_number(text, "syscr: ") + target_number(text, "syscw: ");
    return true;
}

enum target_place target_where(pid_t thread, int number)
{
    char text[TARGET_TEXT];
    if (!target_text(thread, "syscall", text))
        return TARGET_ELSEWHERE;
    if (strncmp(text, "running", 7) == 0)
        return TARGET_RUNS;
    return strtol(text, NULL, 10) == number ? TARGET_INSIDE : TARGET_ELSEWHERE;
}
