#include "supervise/stores.h"
#include "client/mounts.h"
#include "client/wait.h"
#include "wire/page.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { STORES_MOST = WIRE_STORES / 2 };

struct stores_entry {
    const char *path; /* as the controller names it */
    struct wire_terms terms;
    bool found;       /* the rest is known: */
    uint64_t device;  /* of its files, */
    uint64_t system;  /* of its file system, */
    const char *root; /* and where it is there */
};

static struct {
    struct stores_entry list[STORES_MOST];
    size_t count;
    char given[WIRE_STORES], origins[4 * WIRE_STORES];
} stores;

static void stores_copy(char *text, size_t size, const char *variable)
{
    const char *value = getenv(variable);
    if (value && strlen(value) < size)
        strcpy(text, value);
}

void stores_init(void)
{
    stores_copy(stores.given, sizeof stores.given, WIRE_ENV_STORES);
    stores_copy(stores.origins, sizeof stores.origins, WIRE_ENV_ORIGINS);
    char *rest = *stores.given ? stores.given : NULL, *others = stores.origins, *item;
    while ((item = strsep(&rest, ":")) && stores.count < STORES_MOST) {
        struct stores_entry *entry = &stores.list[stores.count];
        const char *origin = strsep(&others, ":");
        entry->path = wire_read_terms(item, &entry->terms);
        entry->found =
            origin && mounts_origin(origin, &entry->device, &entry->system, &entry->root);
        stores.count += entry->path != NULL;
    }
}

uint32_t stores_channels(void)
{
    uint32_t most = 0;
    for (size_t i = 0; i < stores.count; i++) {
        const struct wire_terms *terms = &stores.list[i].terms;
        most = terms->reads > most ? terms->reads : most;
        most = terms->writes > most ? terms->writes : most;
    }
    return most + 1;
}

bool stores_may_hold(const char *path)
{
    static const char *const made_up[] = {"/dev/", "/proc/", "/sys/", "/memfd:"};
    for (size_t i = 0; i < sizeof made_up / sizeof *made_up; i++)
        if (strncmp(path, made_up[i], strlen(made_up[i])) == 0)
            /* A store may be below /dev, as /dev/shm is. */
            return i == 0 && stores.count > 0 && strchr(path + 5, '/');
    return *path == '/';
}

/* The store with the longest name that the path begins with. */
static const struct stores_entry *stores_by_name(const char *path)
{
    const struct stores_entry *best = NULL;
    for (size_t i = 0; i < stores.count; i++)
        if (mounts_inside(path, stores.list[i].path) &&
            (!best || strlen(stores.list[i].path) > strlen(best->path)))
            best = &stores.list[i];
    return best;
}

/* --- other names of stores -------------------------------------------------------------------- */

/* Where a file is on its file system: that of the longest mount above it, the latest of equals. */
struct stores_search {
    const char *path;
    size_t length; /* of that mount's name */
    const struct stores_entry *entry;
};

static bool stores_covers(const struct stores_entry *entry, const struct mount *mount,
                          const char *rest)
{
    char place[PATH_MAX];
    size_t length = strlen(mount->root), more = strlen(rest);
    if (!entry->found || entry->system != mount->device || length + more >= sizeof place)
        return false;
    if (strcmp(mount->root, "/") == 0)
        length = 0;
    memcpy(place, mount->root, length);
    memcpy(place + length, rest, more + 1);
    return mounts_inside(place, entry->root);
}

static void stores_visit(const struct mount *mount, void *context)
{
    struct stores_search *search = context;
    size_t length = strcmp(mount->point, "/") == 0 ? 0 : strlen(mount->point);
    if (!mounts_inside(search->path, mount->point) || length < search->length)
        return;
    search->length = length;
    search->entry = NULL;
    for (size_t i = 0; i < stores.count && !search->entry; i++)
        if (stores_covers(&stores.list[i], mount, search->path + length))
            search->entry = &stores.list[i];
}

/* By the list of mounts, which is long; it is read by one thread at a time. */
static const struct stores_entry *stores_by_mount(const char *path)
{
    struct stores_search search = {.path = path};
    enum { TRIES = 100 }; /* without /proc there is none */
    for (int i = 0; i < TRIES && !mounts_each(stores_visit, &search); i++) {
        wait_nap(WAIT_MS / 10);
        search = (struct stores_search){.path = path};
    }
    return search.entry;
}

const struct wire_terms *stores_terms(const struct target_file *file)
{
    static const struct wire_terms usual;
    if (stores.count == 0)
        return &usual;
    const struct stores_entry *entry = stores_by_name(file->path);
    bool near = false;
    for (size_t i = 0; i < stores.count && !entry; i++) {
        const struct stores_entry *other = &stores.list[i];
        if (!other->found || other->device != file->device)
            continue;
        near = true;
        /* Of a file with several names, one may be in the store. */
        if (strcmp(other->root, "/") == 0 || file->names > 1)
            entry = other;
    }
    if (!entry && near)
        entry = stores_by_mount(file->path);
    return entry ? &entry->terms : NULL;
}
