#include "preload/place.h"
#include "client/hot.h"
#include "client/kernel.h"
#include "client/mounts.h"
#include "client/wait.h"
#include "preload/descriptor.h"
#include "preload/real.h"
#include "wire/message.h"
#include "wire/page.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MOST_STORES = WIRE_STORES / 2, /* a path takes two bytes of the list */
    MOST_NAMES = 2 * MOST_STORES,
    NAME_SIZE = WIRE_STORES + 1, /* enough of a name to compare with a store's */
    ROOMS = 16
};

/* A directory in which files are controlled, and its place on its file system, which identifies it
 * and its files wherever they are visible, also by a name without symbolic links. The store itself
 * is not asked: it may hang. */
struct place_store {
    bool there;
    struct wire_terms terms;
    dev_t device;     /* of its files */
    uint64_t system;  /* of the file system, as mounts_each has it */
    const char *path; /* there; NULL = not known */
};

/* A path where a store is visible. */
struct name {
    const char *path;
    size_t length; /* without a slash at the end: "/" has none */
    int store;
};

static struct place_store stores[MOST_STORES];
static int store_count;
static struct name names[MOST_NAMES];
static _Atomic int name_count; /* only grows */
static char given[WIRE_STORES], origins[4 * WIRE_STORES];
static char texts[8 * WIRE_STORES]; /* of the names that were found */
static size_t texts_used;
static bool active;

/* --- the names of stores ---------------------------------------------------------------------- */

/* The store of a path, by its longest name; -1 = none. */
static int store_of(const char *path)
{
    int count = atomic_load_explicit(&name_count, memory_order_acquire), best = -1;
    for (int i = 0; i < count; i++)
        if (strncmp(path, names[i].path, names[i].length) == 0 &&
            (path[names[i].length] == '/' || !path[names[i].length]) &&
            (best < 0 || names[i].length > names[best].length))
            best = i;
    return best < 0 ? -1 : names[best].store;
}

static void add_name(const char *path, int store)
{
    int count = atomic_load_explicit(&name_count, memory_order_relaxed);
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] == '/')
        length--;
    if (count == MOST_NAMES)
        return;
    names[count] = (struct name){path, length, store};
    atomic_store_explicit(&name_count, count + 1, memory_order_release);
}

/* A store that was found: `directory` followed by `rest`. */
static void add_found(const char *directory, const char *rest, int store)
{
    size_t room = sizeof texts - texts_used;
    char *path = texts + texts_used;
    int length = snprintf(path, room, "%s%s", directory, rest);
    if (length >= NAME_SIZE || (size_t)length >= room || store_of(path) == store)
        return;
    texts_used += (size_t)length + 1;
    add_name(path, store);
}

/* A mount of a directory in a store, or of one above it. */
static void add_mount(const struct mount *mount, void *unused)
{
    (void)unused;
    for (int i = 0; i < store_count; i++) {
        const struct place_store *store = &stores[i];
        if (!store->path || store->system != mount->device)
            continue;
        if (mounts_inside(mount->root, store->path))
            add_found(mount->point, "", i);
        else if (mounts_inside(store->path, mount->root))
            add_found(strcmp(mount->point, "/") == 0 ? "" : mount->point,
                      store->path + (strcmp(mount->root, "/") == 0 ? 0 : strlen(mount->root)), i);
    }
}

/* A program may mount a store while it runs. */
static void look_again(void)
{
    static _Atomic uint64_t next;
    uint64_t now = wait_now_coarse(), due = atomic_load(&next);
    if (now >= due && atomic_compare_exchange_strong(&next, &due, now + 1000 * WAIT_MS))
        mounts_each(add_mount, NULL);
}

static void add_store(const char *path, const struct wire_terms *terms, const char *origin)
{
    struct place_store *store = &stores[store_count];
    uint64_t files;
    store->terms = *terms;
    store->there = origin && mounts_origin(origin, &files, &store->system, &store->path);
    if (store->there)
        store->device = files;
    else
        store->path = NULL;
    add_name(path, store_count++);
}

void place_init(void)
{
    const char *socket = getenv(WIRE_ENV_SOCKET), *list = getenv(WIRE_ENV_STORES);
    const char *where = getenv(WIRE_ENV_ORIGINS);
    active = socket && *socket;
    if (!list || strlen(list) >= sizeof given)
        return;
    strcpy(given, list);
    if (where && strlen(where) < sizeof origins)
        strcpy(origins, where);
    char *rest = given, *path, *rest_origins = origins;
    while ((path = strsep(&rest, ":"))) {
        const char *origin = strsep(&rest_origins, ":");
        struct wire_terms terms;
        const char *start = wire_read_terms(path, &terms);
        if (start)
            add_store(start, &terms, origin);
    }
    mounts_each(add_mount, NULL);
}

HOT const struct wire_terms *place_terms(int store)
{
    static const struct wire_terms usual;
    return store >= 0 && store < store_count ? &stores[store].terms : &usual;
}

uint32_t place_channels(void)
{
    uint32_t count = 1;
    for (int i = 0; i < store_count; i++) {
        const struct wire_terms *terms = &stores[i].terms;
        uint32_t last = terms->reads > terms->writes ? terms->reads : terms->writes;
        count = last >= count ? last + 1 : count;
    }
    return count;
}

/* --- paths ------------------------------------------------------------------------------------ */

/* Without stores everything is controlled except the kernel's virtual files. */
static bool is_real(const char *path)
{
    static const char *const made_up[] = {"/proc/", "/sys/", "/memfd:", "/dev/mqueue/"};
    for (size_t i = 0; i < sizeof made_up / sizeof *made_up; i++)
        if (strncmp(path, made_up[i], strlen(made_up[i])) == 0)
            return false;
    return *path == '/';
}

static int holds(const char *path)
{
    return store_count > 0 ? store_of(path) : is_real(path) ? 0 : -1;
}

/* The beginning of the kernel's name for an open descriptor. 0, or -1 without /proc. */
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

/* Appends `path` to the directory in `full`, resolving "." and "..". */
static int place_append(char *full, const char *path)
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

/* A question that takes a path of PATH_MAX bytes to answer. */
struct place_question {
    int fd;           /* a file, or a directory, */
    const char *path; /* and a path there */
};
typedef int place_answer(const struct place_question *question, char *full);

/* Without room, which only many threads at once have not: on the stack. */
__attribute__((noinline)) static int place_ask_on_stack(place_answer *answer,
                                                        const struct place_question *question)
{
    char full[PATH_MAX];
    return answer(question, full);
}

/* Signal handlers may have little stack. Never changes errno. */
static int place_ask(place_answer *answer, const struct place_question *question)
{
    static struct {
        atomic_flag taken;
        char full[PATH_MAX];
    } rooms[ROOMS];
    int fault = errno, i = 0;
    while (i < ROOMS && atomic_flag_test_and_set(&rooms[i].taken))
        i++;
    int store = i < ROOMS ? answer(question, rooms[i].full) : place_ask_on_stack(answer, question);
    if (i < ROOMS)
        atomic_flag_clear(&rooms[i].taken);
    errno = fault;
    return store;
}

/* A path that is first put together. */
static int holds_relative(const struct place_question *question, char *full)
{
    bool known = true;
    *full = '\0';
    if (*question->path != '/')
        known = question->fd == AT_FDCWD ? KERNEL_CALL(SYS_getcwd, (long)full, PATH_MAX) > 0
                                         : name_of(question->fd, full, PATH_MAX) == 0;
    if (strcmp(full, "/") == 0)
        *full = '\0';
    return known && place_append(full, question->path) == 0 ? holds(full) : -1;
}

int place_of_path(int dir, const char *path)
{
    if (!active || !path)
        return -1;
    if (*path == '/' && !strstr(path, "/.") && !strstr(path, "//"))
        return holds(path);
    return place_ask(holds_relative, &(struct place_question){dir, path});
}

/* --- files ------------------------------------------------------------------------------------ */

static int on_device(dev_t device)
{
    for (int i = 0; i < store_count; i++)
        if (stores[i].there && stores[i].device == device)
            return i;
    return -1;
}

bool place_look(int fd, bool sized, struct place_file *file)
{
    union {
        struct statx new;
        struct stat old;
    } status;
    unsigned mask = STATX_TYPE | STATX_NLINK | (sized ? STATX_SIZE : 0);
    long fault = KERNEL_CALL(SYS_statx, fd, (long)"", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, mask,
                             (long)&status.new);
    if (fault == 0) {
        *file =
            (struct place_file){mounts_number(status.new.stx_dev_major, status.new.stx_dev_minor),
                                status.new.stx_nlink, (off64_t)status.new.stx_size};
        return S_ISREG(status.new.stx_mode);
    }
    if (fault != -ENOSYS && fault != -EPERM) /* an older kernel, or a container's filter */
        return false;
    if (KERNEL_CALL(SYS_fstat, fd, (long)&status.old) != 0)
        return false;
    *file =
        (struct place_file){status.old.st_dev, (uint32_t)status.old.st_nlink, status.old.st_size};
    return S_ISREG(status.old.st_mode);
}

/* A file with a name outside all stores, or without a name if `path` is NULL: it is on a store that
 * is a whole file system, and may be on another one if it has several names. */
static int holds_file(const struct place_file *file, const char *path)
{
    int store = on_device(file->device);
    if (store < 0 || !path || file->names > 1)
        return store;
    for (int i = store; i < store_count; i++)
        if (stores[i].there && stores[i].device == file->device && stores[i].path &&
            strcmp(stores[i].path, "/") == 0)
            return i;
    look_again();
    return holds(path);
}

static int holds_open(const struct place_question *question, char *path)
{
    struct place_file file;
    if (!place_look(question->fd, false, &file))
        return -1;
    bool named = name_of(question->fd, path, NAME_SIZE) == 0;
    int store = named ? holds(path) : -1;
    if (store < 0 && store_count > 0)
        store = holds_file(&file, named ? path : NULL);
    else if (store < 0 && !named)
        store = 0;
    return store;
}

int place_of_file(int fd)
{
    return active ? place_ask(holds_open, &(struct place_question){.fd = fd}) : -1;
}
