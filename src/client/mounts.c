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

/* number, number of the mount that it is on, device, root, point, options, any number of fields, a
 * dash, type, and what is of no use here. */
static bool mount_parse(char *line, struct mount *mount)
{
    if (!mount_word(&line) || !mount_word(&line))
        return false;
    char *device = mount_word(&line), *colon = device ? strchr(device, ':') : NULL;
    mount->root = device ? mount_word(&line) : NULL;
    mount->point = mount->root ? mount_word(&line) : NULL;
    const char *field = mount->point;
    while (field && strcmp(field, "-") != 0)
        field = mount_word(&line);
    mount->type = field ? mount_word(&line) : NULL;
    if (!colon || !mount->type || *mount->root != '/' || *mount->point != '/')
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

uint64_t mounts_number(uint64_t major, uint64_t minor)
{
    return (major & 0xfffff000) << 32 | (major & 0xfff) << 8 | (minor & 0xffffff00) << 12 |
           (minor & 0xff);
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
    bool local;        /* its file system answers */
    bool later;        /* it is mounted only when it is used */
    char at[PATH_MAX]; /* where it is there; empty = not known */
};

static bool origin_is_local(const char *type)
{
    static const char *const types[] = {
        "bcachefs", "btrfs",   "devtmpfs", "erofs",  "exfat",    "ext2",  "ext3", "ext4", "f2fs",
        "jfs",      "overlay", "ramfs",    "rootfs", "squashfs", "tmpfs", "vfat", "xfs",  "zfs"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i]) == 0)
            return true;
    return false;
}

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
    origin->local = origin_is_local(mount->type);
    origin->later = strcmp(mount->type, "autofs") == 0;
}

/* Finds the mount of a path, of which the last one counts where there are several. */
static bool origin_find(struct origin *origin, const char *path)
{
    *origin = (struct origin){.path = path};
    return mounts_each(origin_visit, origin) && *origin->at && !origin->later;
}

/* Splits off the first part of a path; NULL if there is none. */
static char *origin_part(char **rest)
{
    char *part = *rest + strspn(*rest, "/");
    size_t length = strcspn(part, "/");
    *rest = part + length + (part[length] == '/');
    part[length] = '\0';
    return length > 0 ? part : NULL;
}

static void origin_leave(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
}

/* Puts the target of a link in front of the rest of a path. False if it is too long. */
static bool origin_follow(char *path, char rest[PATH_MAX], char **at, const char *target)
{
    char joined[PATH_MAX];
    int size = snprintf(joined, sizeof joined, "%s/%s", target, *at);
    if (size >= (int)sizeof joined)
        return false;
    memcpy(rest, joined, (size_t)size + 1);
    *at = rest;
    if (*target == '/')
        *path = '\0';
    else
        origin_leave(path);
    return true;
}

/* As realpath, up to the first directory that is not on a local file system: what follows is taken
 * as it is. */
static bool origin_resolve(struct origin *origin, const char *store, char path[PATH_MAX])
{
    enum { LINKS = 40 };
    char rest[PATH_MAX], target[PATH_MAX], *at = rest, *part;
    if (snprintf(rest, sizeof rest, "%s", store) >= (int)sizeof rest)
        return false;
    bool answers = true; /* all file systems on the way do */
    *path = '\0';
    for (int links = 0; (part = origin_part(&at));) {
        size_t length = strlen(path);
        if (strcmp(part, "..") == 0)
            origin_leave(path);
        if (*part == '.' && (!part[1] || strcmp(part, "..") == 0))
            continue;
        if (snprintf(path + length, PATH_MAX - length, "/%s", part) >= (int)(PATH_MAX - length) ||
            !origin_find(origin, path))
            return false;
        answers &= origin->local;
        ssize_t size = answers ? readlink(path, target, sizeof target - 1) : -1;
        if (size < 0)
            continue;
        target[size] = '\0';
        if (++links == LINKS || !origin_follow(path, rest, &at, target))
            return false;
    }
    bool found = origin_find(origin, *path ? path : "/");
    origin->local &= answers;
    return found;
}

/* Prints one entry, and returns its length; 0 if it is unknown. The files of some local file
 * systems have devices of their own. */
static size_t origin_print(const char *store, char *text, size_t size)
{
    char path[PATH_MAX];
    struct stat status;
    struct origin origin;
    if (!origin_resolve(&origin, store, path))
        return 0;
    if (!origin.local)
        status.st_dev = mounts_number(origin.device >> 32, origin.device & UINT32_MAX);
    else if (stat(*path ? path : "/", &status) != 0)
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
