#include "escape/proc.h"
#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { PROC_PATH = 64, MOST_DESCRIPTORS = 1024 };

static const char preload[] = "libweir-preload.so";
static const char token_key[] = "WEIR_TOKEN=";

/* --- stores ----------------------------------------------------------------------------------- */

/* What a configured path is. False if it is nothing. */
static bool proc_find_store(struct proc_store *store)
{
    char name[PATH_MAX], above[PATH_MAX + 4];
    struct stat here, there;
    if (!realpath(store->path, name) || strlen(name) >= sizeof store->path ||
        stat(name, &here) != 0)
        return false;
    snprintf(above, sizeof above, "%s/..", name);
    memcpy(store->path, name, strlen(name) + 1);
    store->length = strcmp(name, "/") == 0 ? 0 : strlen(name);
    store->device = here.st_dev;
    store->whole = stat(above, &there) == 0 && there.st_dev != here.st_dev;
    return true;
}

void proc_stores_init(struct proc_stores *stores, const struct service *service)
{
    *stores = (struct proc_stores){0};
    for (uint32_t i = 0; i < service->stores.count && stores->count < PROC_STORES; i++) {
        const char *path = service->stores.list[i].path;
        if (strlen(path) < sizeof stores->list->path)
            strcpy(stores->list[stores->count++].path, path);
    }
}

void proc_stores_find(struct proc_stores *stores)
{
    uint32_t count = stores->count;
    if (stores->found)
        return;
    stores->found = true;
    stores->count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (proc_find_store(&stores->list[i]))
            stores->list[stores->count++] = stores->list[i];
}

static bool proc_on_store(const struct proc_stores *stores, const char *path, dev_t device)
{
    for (uint32_t i = 0; i < stores->count; i++)
        if ((stores->list[i].whole && stores->list[i].device == device) ||
            (strncmp(path, stores->list[i].path, stores->list[i].length) == 0 &&
             path[stores->list[i].length] == '/'))
            return true;
    return stores->count == 0 && *path == '/' && strncmp(path, "/proc/", 6) != 0 &&
           strncmp(path, "/sys/", 5) != 0 && strncmp(path, "/memfd:", 7) != 0;
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* Reads the beginning of a file of a process. Returns the bytes read, 0 if there are none. */
static size_t proc_read(int32_t pid, const char *file, char *text, size_t size)
{
    char path[PROC_PATH];
    snprintf(path, sizeof path, "/proc/%" PRId32 "/%s", pid, file);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    ssize_t part = 1;
    while (fd >= 0 && part > 0 && length < size - 1)
        if ((part = read(fd, text + length, size - 1 - length)) > 0)
            length += (size_t)part;
    if (fd >= 0)
        close(fd);
    text[length] = '\0';
    return length;
}

bool proc_find(int32_t pid, struct escape_look *look)
{
    char text[1024], state;
    *look = (struct escape_look){.pid = pid};
    proc_read(pid, "stat", text, sizeof text);
    /* Its name, in brackets, may be anything. Children that it has waited for all had page faults
     * (cminflt). */
    const char *name = strrchr(text, ')');
    return name && sscanf(name + 1,
                          " %c %" SCNd32 " %*d %*d %*d %*d %*u %*u %" SCNu64
                          " %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %" SCNu64,
                          &state, &look->parent, &look->reaped, &look->start) == 4;
}

static uint64_t proc_number(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

/* Whether it sleeps after it was counted. */
static void proc_look_again(struct escape_look *look)
{
    char text[1024], state = 0;
    proc_read(look->pid, "stat", text, sizeof text);
    const char *name = strrchr(text, ')');
    bool there = name && sscanf(name + 1,
                                " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d "
                                "%*d %" SCNu32,
                                &state, &look->threads) == 2;
    look->asleep = there && (state == 'S' || state == 'D');
}

bool proc_count(struct escape_look *look)
{
    char text[512];
    if (proc_read(look->pid, "io", text, sizeof text) == 0)
        return false;
    look->read = proc_number(text, "rchar: ");
    look->written = proc_number(text, "wchar: ");
    look->block = proc_number(text, "\nread_bytes: ") + proc_number(text, "\nwrite_bytes: ");
    look->calls = proc_number(text, "syscr: ") + proc_number(text, "syscw: ");
    proc_look_again(look);
    return true;
}

bool proc_token(int32_t pid, uint64_t token[2])
{
    char text[32768];
    size_t size = proc_read(pid, "environ", text, sizeof text);
    for (const char *at = text; at < text + size; at += strlen(at) + 1)
        if (strncmp(at, token_key, sizeof token_key - 1) == 0)
            return sscanf(at + sizeof token_key - 1, "%16" SCNx64 "%16" SCNx64, &token[0],
                          &token[1]) == 2;
    return false;
}

/* --- descriptors ------------------------------------------------------------------------------ */

/* What a descriptor is, by what this machine knows: a store that hangs is not asked. */
static bool proc_identify(int dir, const char *number, struct statx *file)
{
    return statx(dir, number, AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO, file) == 0;
}

/* Whether the parent has the same file under the same descriptor: then it may be inherited. */
static bool proc_inherited(const struct escape_look *look, const char *number,
                           const struct statx *file)
{
    char path[PROC_PATH];
    struct statx other;
    snprintf(path, sizeof path, "/proc/%" PRId32 "/fd/%.10s", look->parent, number);
    return strlen(number) == 1 && *number <= '2'
               ? true
               : proc_identify(AT_FDCWD, path, &other) && other.stx_ino == file->stx_ino &&
                     other.stx_dev_major == file->stx_dev_major &&
                     other.stx_dev_minor == file->stx_dev_minor;
}

/* How it was opened, from the permissions of the link. */
static unsigned proc_ways(int dir, const char *number)
{
    struct stat link;
    if (fstatat(dir, number, &link, AT_SYMLINK_NOFOLLOW) != 0)
        return 0;
    return (link.st_mode & S_IRUSR ? ESCAPE_READS : 0) |
           (link.st_mode & S_IWUSR ? ESCAPE_WRITES : 0);
}

static void proc_look_at(struct escape_look *look, const struct proc_stores *stores, int dir,
                         const char *number)
{
    char target[PATH_MAX];
    struct statx file;
    ssize_t length = readlinkat(dir, number, target, sizeof target - 1);
    if (length <= 0)
        return;
    target[length] = '\0';
    if (strcmp(target, "anon_inode:[io_uring]") == 0)
        look->ring = true;
    if (*target != '/' || !proc_identify(dir, number, &file) || !S_ISREG(file.stx_mode) ||
        !proc_on_store(stores, target, makedev(file.stx_dev_major, file.stx_dev_minor)))
        return;
    unsigned ways = proc_ways(dir, number);
    look->holds |= ways;
    if (!proc_inherited(look, number, &file))
        look->own |= ways;
}

static bool proc_look_at_all(struct escape_look *look, const struct proc_stores *stores)
{
    char path[PROC_PATH];
    snprintf(path, sizeof path, "/proc/%" PRId32 "/fd", look->pid);
    DIR *dir = opendir(path);
    if (!dir)
        return false;
    struct dirent *entry;
    uint64_t count = 0;
    while (count < MOST_DESCRIPTORS && (entry = readdir(dir)))
        if (*entry->d_name != '.') {
            proc_look_at(look, stores, dirfd(dir), entry->d_name);
            count++;
        }
    closedir(dir);
    char text[4096];
    proc_read(look->pid, "limits", text, sizeof text);
    look->full = count >= proc_number(text, "\nMax open files");
    return true;
}

/* --- why there is no preload ------------------------------------------------------------------ */

static bool proc_preloaded(int32_t pid)
{
    char path[PROC_PATH], line[PATH_MAX + 128];
    snprintf(path, sizeof path, "/proc/%" PRId32 "/maps", pid);
    FILE *maps = fopen(path, "re");
    bool found = false;
    while (maps && !found && fgets(line, sizeof line, maps))
        found = strstr(line, preload) != NULL;
    if (maps)
        fclose(maps);
    return found;
}

/* How a program is linked; NONE if dynamically with this C library. */
static enum wire_escape proc_linkage(int fd)
{
    ElfW(Ehdr) head;
    ElfW(Phdr) part;
    char loader[PATH_MAX];
    enum { OURS = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32 };
    if (pread(fd, &head, sizeof head, 0) != sizeof head)
        return WIRE_ESCAPE_NONE;
    if (head.e_ident[EI_CLASS] != OURS)
        return WIRE_ESCAPE_SIZE;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        off_t at = (off_t)head.e_phoff + (off_t)i * head.e_phentsize;
        if (pread(fd, &part, sizeof part, at) != sizeof part)
            return WIRE_ESCAPE_NONE;
        if (part.p_type != PT_INTERP)
            continue;
        ssize_t length = pread(fd, loader, sizeof loader - 1, (off_t)part.p_offset);
        loader[length > 0 ? length : 0] = '\0';
        return strstr(loader, "musl") ? WIRE_ESCAPE_LIBRARY : WIRE_ESCAPE_NONE;
    }
    return WIRE_ESCAPE_STATIC;
}

static bool proc_has_rights(int fd)
{
    char rights[256];
    struct stat file;
    return (fstat(fd, &file) == 0 && file.st_mode & (S_ISUID | S_ISGID)) ||
           fgetxattr(fd, "security.capability", rights, sizeof rights) > 0;
}

static enum wire_escape proc_reason(int32_t pid)
{
    char path[PROC_PATH];
    snprintf(path, sizeof path, "/proc/%" PRId32 "/exe", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    enum wire_escape why = fd < 0 ? WIRE_ESCAPE_NONE : proc_linkage(fd);
    if (fd >= 0 && why == WIRE_ESCAPE_NONE && proc_has_rights(fd))
        why = WIRE_ESCAPE_RIGHTS;
    if (fd >= 0)
        close(fd);
    return why == WIRE_ESCAPE_NONE ? WIRE_ESCAPE_ENVIRONMENT : why;
}

/* Its filter, and who may look into it: of a process with other rights than its user, only root. */
static void proc_look_at_filter(struct escape_look *look)
{
    char text[4096], path[PROC_PATH];
    struct stat directory;
    snprintf(path, sizeof path, "/proc/%" PRId32, look->pid);
    proc_read(look->pid, "status", text, sizeof text);
    look->filtered = proc_number(text, "\nSeccomp:") == 2;
    look->owner = stat(path, &directory) == 0 ? directory.st_uid : 0;
}

bool proc_look_closely(struct escape_look *look, const struct proc_stores *stores)
{
    if (!proc_look_at_all(look, stores))
        return false;
    look->preloaded = proc_preloaded(look->pid);
    look->why = look->preloaded ? WIRE_ESCAPE_NONE : proc_reason(look->pid);
    proc_look_at_filter(look);
    look->close = true;
    return true;
}
