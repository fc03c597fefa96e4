#include "client/mounts.h"
#include "client/kernel.h"
#include "wire/message.h"
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the list --------------------------------------------------------------------------------- */

/* Static: too large for a signal handler's stack. Longer lines are skipped. */
static char list[16384];
static atomic_flag reading = ATOMIC_FLAG_INIT;

/* Splits off a word, in which the kernel writes blanks and the like as \ooo. */
static char *mount_word(char **rest)
{
    char *word = *rest, *end = strchr(word, ' ');
    if (!end)
        return NULL;
    *end = '\0';
    *rest = end + 1;
    char *to = word;
    for (const char *from = word; *from; to++)
        if (from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] && from[3]) {
            *to = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
            from += 4;
        } else
            *to = *from++;
    *to = '\0';
    return word;
}

/* number, number of the mount that it is on, device, root, point, and what is of no use here. */
static bool mount_parse(char *line, struct mount *mount)
{
    if (!mount_word(&line) || !mount_word(&line))
        return false;
    char *device = mount_word(&line), *colon = device ? strchr(device, ':') : NULL;
    mount->root = device ? mount_word(&line) : NULL;
    mount->point = mount->root ? mount_word(&line) : NULL;
    if (!colon || !mount->point || *mount->root != '/' || *mount->point != '/')
        return false;
    mount->device = (uint64_t)strtoul(device, NULL, 10) << 32 | strtoul(colon + 1, NULL, 10);
    return true;
}

/* Visits the complete lines in the first `used` bytes, and returns how many bytes are left at their
 * front. */
static size_t mounts_show(size_t used, void (*visit)(const struct mount *, void *), void *context)
{
    struct mount mount;
    char *line = list, *end;
    while ((end = memchr(line, '\n', used - (size_t)(line - list)))) {
        *end = '\0';
        if (mount_parse(line, &mount))
            visit(&mount, context);
        line = end + 1;
    }
    size_t left = used - (size_t)(line - list);
    memmove(list, line, left);
    return left < sizeof list ? left : 0;
}

bool mounts_each(void (*visit)(const struct mount *mount, void *context), void *context)
{
    if (atomic_flag_test_and_set(&reading))
        return false;
    int fd =
        (int)KERNEL_CALL(SYS_openat, AT_FDCWD, (long)"/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    size_t used = 0;
    ssize_t more = -1;
    while (fd >= 0 &&
           (more = KERNEL_CALL(SYS_read, fd, (long)(list + used), (long)(sizeof list - used))) > 0)
        used = mounts_show(used + (size_t)more, visit, context);
    if (fd >= 0)
        KERNEL_CALL(SYS_close, fd);
    atomic_flag_clear(&reading);
    return more == 0;
}

bool mounts_inside(const char *path, const char *directory)
{
    size_t length = strlen(directory);
    while (length > 0 && directory[length - 1] == '/')
        length--;
    return strncmp(path, directory, length) == 0 && (path[length] == '/' || !path[length]);
}

/* --- origins ---------------------------------------------------------------------------------- */

struct origin {
    const char *path;  /* of a directory */
    size_t length;     /* of the longest name of a mount above it */
    uint64_t device;   /* and that mount's */
    char at[PATH_MAX]; /* where it is there; empty = not known */
};

static void origin_visit(const struct mount *mount, void *context)
{
    struct origin *origin = context;
    size_t length = strlen(mount->point);
    if (!mounts_inside(origin->path, mount->point) || length < origin->length)
        return;
    const char *rest = origin->path + (length > 1 ? length : 0);
    const char *root = strcmp(mount->root, "/") == 0 ? "" : mount->root;
    int size = snprintf(origin->at, sizeof origin->at, "%s%s", root,
                        *root && strcmp(rest, "/") == 0 ? "" : rest);
    if (size == 0)
        strcpy(origin->at, "/");
    if (size >= (int)sizeof origin->at || strchr(origin->at, ':'))
        *origin->at = '\0';
    origin->length = length;
    origin->device = mount->device;
}

/* Prints one entry, and returns its length; 0 if it is unknown. */
static size_t origin_print(const char *store, char *text, size_t size)
{
    char path[PATH_MAX];
    struct stat status;
    struct origin origin = {.path = path};
    if (!realpath(store, path) || stat(path, &status) != 0 || !mounts_each(origin_visit, &origin) ||
        !*origin.at)
        return 0;
    int length = snprintf(text, size, "%" PRIu64 ".%" PRIu64 "%s", (uint64_t)status.st_dev,
                          origin.device, origin.at);
    return length > 0 && (size_t)length < size ? (size_t)length : 0;
}

void mounts_origins(const char *stores, char *text, size_t size)
{
    size_t used = 0;
    struct wire_terms terms;
    for (;;) {
        char store[PATH_MAX];
        size_t length = strcspn(stores, ":");
        if (length < sizeof store) {
            memcpy(store, stores, length);
            store[length] = '\0';
            const char *path = wire_read_terms(store, &terms);
            used += path ? origin_print(path, text + used, size - used) : 0;
        }
        stores += length;
        if (!*stores++ || used + 1 >= size)
            break;
        text[used++] = ':';
    }
    text[used] = '\0';
}

bool mounts_origin(const char *text, uint64_t *files, uint64_t *system, const char **path)
{
    char *end;
    *files = strtoull(text, &end, 10);
    if (end == text || *end != '.')
        return false;
    text = end + 1;
    *system = strtoull(text, &end, 10);
    *path = end;
    return end != text && *end == '/';
}
