#include "preload/place.h"
#include "preload/descriptor.h"
#include "preload/real.h"
#include "wire/message.h"
#include "wire/page.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MOST_STORES = WIRE_STORES,  /* a path takes two bytes of the list, and may be here twice */
    NAME_SIZE = WIRE_STORES + 1 /* enough of a name to compare with a store's; signal handlers may
                                   have little stack */
};

/* A directory below which files are controlled, and where it was mounted: what is left to go by
 * when /proc is not there. */
struct store {
    const char *path;
    size_t length; /* without a slash at the end: "/" has none */
    dev_t device;
    bool there;
};

static char given[WIRE_STORES], resolved[2 * WIRE_STORES];
static struct store stores[MOST_STORES];
static size_t store_count;
static bool active;

static void add_store(const char *path)
{
    struct stat status = {0};
    size_t length = strlen(path);
    bool there = real()->stat(path, &status) == 0;
    while (length > 0 && path[length - 1] == '/')
        length--;
    if (store_count < MOST_STORES)
        stores[store_count++] = (struct store){path, length, status.st_dev, there};
}

/* Descriptors go by the name without symbolic links. Returns the bytes used at `at`. */
static size_t add_resolved(const char *path, char *at, size_t room)
{
    char name[PATH_MAX];
    if (!realpath(path, name) || strcmp(path, name) == 0 || strlen(name) >= room)
        return 0;
    strcpy(at, name);
    add_store(at);
    return strlen(name) + 1;
}

void place_init(void)
{
    const char *socket = getenv(WIRE_ENV_SOCKET), *list = getenv(WIRE_ENV_STORES);
    active = socket && *socket;
    if (!list || strlen(list) >= sizeof given)
        return;
    strcpy(given, list);
    char *rest = given, *path;
    size_t used = 0;
    while ((path = strsep(&rest, ":")))
        if (*path == '/') {
            add_store(path);
            used += add_resolved(path, resolved + used, sizeof resolved - used);
        }
}

bool place_active(void)
{
    return active;
}

/* Without stores everything is controlled but what the kernel makes up. */
static bool is_real(const char *path)
{
    static const char *const made_up[] = {"/proc/", "/sys/", "/memfd:", "/dev/mqueue/"};
    for (size_t i = 0; i < sizeof made_up / sizeof *made_up; i++)
        if (strncmp(path, made_up[i], strlen(made_up[i])) == 0)
            return false;
    return *path == '/';
}

static bool holds(const char *path)
{
    for (size_t i = 0; i < store_count; i++)
        if (strncmp(path, stores[i].path, stores[i].length) == 0 &&
            (path[stores[i].length] == '/' || !path[stores[i].length]))
            return true;
    return store_count == 0 && is_real(path);
}

/* The beginning of what the kernel calls an open descriptor. 0, or -1 without /proc. */
static int name_of(int fd, char *path, size_t size)
{
    char link[DESCRIPTOR_LINK];
    descriptor_link(fd, link);
    ssize_t length = real()->readlink(link, path, size - 1);
    if (length < 0)
        return -1;
    path[length] = '\0';
    return 0;
}

/* Appends `path` to the directory in `full`, with "." and ".." taken out. */
static int append(char *full, const char *path)
{
    size_t length = strlen(full);
    while (*path) {
        size_t part = strcspn(path, "/");
        if (part == 2 && path[0] == '.' && path[1] == '.') {
            while (length > 0 && full[--length] != '/')
                ;
        } else if (part > 0 && !(part == 1 && *path == '.')) {
            if (length + part + 2 > PATH_MAX)
                return -1;
            full[length++] = '/';
            memcpy(full + length, path, part);
            length += part;
        }
        path += part + (path[part] == '/');
    }
    full[length] = '\0';
    return 0;
}

/* A path that has to be put together first. */
static bool holds_relative(int dir, const char *path)
{
    int fault = errno;
    char full[PATH_MAX] = "";
    bool known = true;
    if (*path != '/')
        known = dir == AT_FDCWD ? getcwd(full, sizeof full) != NULL
                                : name_of(dir, full, sizeof full) == 0;
    if (strcmp(full, "/") == 0)
        *full = '\0';
    bool inside = known && append(full, path) == 0 && holds(full);
    errno = fault;
    return inside;
}

bool place_has_path(int dir, const char *path)
{
    if (!active || !path)
        return false;
    if (*path == '/' && !strstr(path, "/.") && !strstr(path, "//"))
        return holds(path);
    return holds_relative(dir, path);
}

static bool on_device(dev_t device)
{
    for (size_t i = 0; i < store_count; i++)
        if (stores[i].there && stores[i].device == device)
            return true;
    return store_count == 0;
}

bool place_has_file(int fd)
{
    if (!active)
        return false;
    int fault = errno;
    struct stat status;
    char path[NAME_SIZE];
    bool inside = real()->fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    if (inside)
        inside = name_of(fd, path, sizeof path) == 0 ? holds(path) : on_device(status.st_dev);
    errno = fault;
    return inside;
}
