#include "serve/terms.h"
#include "base/little.h"
#include "base/maths.h"
#include "wire/message.h"
#include <string.h>

/* The numbers of the configuration, and those of each store, in their order: member, bounds. Of a
 * bandwidth only its existence is told: it may change, and is the controller's to know. */
#define TERMS_NUMBERS(X)                                                                           \
    X(cluster.lease, SERVICE_LEAST_LEASE, SERVICE_MOST_LEASE)                                      \
    X(cluster.floor, 0, 1e15)                                                                      \
    X(soft_release, 0, SERVICE_MOST_PAUSE)                                                         \
    X(phase_gap, 0, SERVICE_MOST_PAUSE)                                                            \
    X(max_wait, 0, SERVICE_MOST_WAIT)

#define TERMS_STORE_NUMBERS(X) X(bandwidth, 0, 1) X(reads, 0, 1) X(writes, 0, 1) X(pieces, 0, 1e15)

/* The bytes that are written, or read, from `at` on. */
struct terms_cursor {
    unsigned char *write;
    const unsigned char *read;
    size_t left;
    bool bad; /* there is no room, or a member is out of its bounds */
};

static bool terms_take(struct terms_cursor *cursor, size_t size)
{
    cursor->bad |= cursor->left < size;
    if (cursor->bad)
        return false;
    cursor->left -= size;
    return true;
}

static void terms_put_number(struct terms_cursor *cursor, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    if (!terms_take(cursor, sizeof bits))
        return;
    little_put(cursor->write, bits, sizeof bits);
    cursor->write += sizeof bits;
}

static double terms_get_number(struct terms_cursor *cursor, double least, double most)
{
    double number;
    uint64_t bits;
    if (!terms_take(cursor, sizeof bits))
        return least;
    bits = little_get(cursor->read, sizeof bits);
    cursor->read += sizeof bits;
    memcpy(&number, &bits, sizeof number);
    cursor->bad |= !(number >= least && number <= most);
    return number;
}

/* A path, with its length before it. */
static void terms_put_path(struct terms_cursor *cursor, const char *path)
{
    size_t length = strlen(path);
    cursor->bad |= length >= WIRE_STORES;
    if (!terms_take(cursor, 2 + length))
        return;
    little_put(cursor->write, length, 2);
    memcpy(cursor->write + 2, path, length);
    cursor->write += 2 + length;
}

/* NULL when memory is out; what is wrong is noted. */
static const char *terms_get_path(struct terms_cursor *cursor, struct arena *arena)
{
    if (!terms_take(cursor, 2))
        return "";
    size_t length = little_get(cursor->read, 2);
    cursor->read += 2;
    if (!terms_take(cursor, length))
        return "";
    char *path = arena_strndup(arena, (const char *)cursor->read, length);
    cursor->read += length;
    if (path)
        cursor->bad |= length >= WIRE_STORES || strlen(path) != length || *path != '/' ||
                       strchr(path, ':') || wire_check_text(path, length + 1, false);
    return path;
}

size_t terms_write(const struct service *service, unsigned char *bytes, struct err *err)
{
    struct terms_cursor cursor = {.write = bytes, .left = TERMS_MOST};
#define X(member, least, most) terms_put_number(&cursor, service->member);
    TERMS_NUMBERS(X)
#undef X
    terms_put_number(&cursor, service->stores.count);
    for (uint32_t i = 0; i < service->stores.count; i++) {
        const struct site_store *store = &service->stores.list[i];
        terms_put_path(&cursor, store->path);
#define X(member, least, most) terms_put_number(&cursor, maths_min(store->member, most));
        TERMS_STORE_NUMBERS(X)
#undef X
    }
    if (!cursor.bad && service->stores.count <= TERMS_STORES)
        return TERMS_MOST - cursor.left;
    err_set(err, "the stores' paths are too long together for agents");
    return 0;
}

static int terms_read_stores(struct terms_cursor *cursor, struct service *service, uint32_t count,
                             struct err *err)
{
    struct site_store *stores = arena_alloc(&service->arena, count, sizeof *stores);
    if (!stores)
        return err_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        struct site_store *store = &stores[i];
        *store = (struct site_store){.path = terms_get_path(cursor, &service->arena)};
        if (!store->path)
            return err_memory(err);
#define X(member, least, most) store->member = terms_get_number(cursor, least, most);
        TERMS_STORE_NUMBERS(X)
#undef X
        cursor->bad |=
            (store->reads > 0) != (store->writes > 0) || (store->reads > 0 && store->bandwidth > 0);
    }
    service->stores = (struct stores){stores, count};
    return 0;
}

int terms_read(const void *bytes, size_t size, struct service *service, struct err *err)
{
    struct terms_cursor cursor = {.read = bytes, .left = size};
    struct service read = *service;
#define X(member, least, most) read.member = terms_get_number(&cursor, least, most);
    TERMS_NUMBERS(X)
#undef X
    double count = terms_get_number(&cursor, 0, TERMS_STORES);
    if (!cursor.bad && terms_read_stores(&cursor, &read, (uint32_t)count, err) != 0) {
        service->arena = read.arena;
        return -1;
    }
    service->arena = read.arena;
    if (cursor.bad)
        return err_set(err, "the controller's terms are malformed");
    *service = read; /* a later controller may add members */
    return 0;
}
