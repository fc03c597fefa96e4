#include "experiment/parcel.h"
#include "base/mem.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* One walk through a result serves both ways: packing copies what it meets to the end of the bytes,
 * unpacking from their beginning. */
struct parcel {
    char *data;
    size_t size;         /* of what there is */
    size_t capacity;     /* packing: of the memory for it */
    size_t at;           /* unpacking: what was read so far */
    struct arena *arena; /* of what is unpacked; NULL = packing */
    bool failed, torn;   /* memory is out; the bytes end early */
};

static void parcel_bytes(struct parcel *parcel, void *bytes, size_t size)
{
    if (parcel->failed || parcel->torn)
        return;
    if (parcel->arena) {
        parcel->torn = parcel->size - parcel->at < size;
        if (!parcel->torn && size > 0)
            memcpy(bytes, parcel->data + parcel->at, size);
        parcel->at += parcel->torn ? 0 : size;
        return;
    }
    char *data = mem_reserve(parcel->data, &parcel->capacity, parcel->size + size, 1);
    parcel->failed = !data;
    if (!data)
        return;
    parcel->data = data;
    if (size > 0)
        memcpy(data + parcel->size, bytes, size);
    parcel->size += size;
}

/* How many bytes are still to be read: a count beyond that is wrong. */
static bool parcel_fits(struct parcel *parcel, size_t size)
{
    if (parcel->arena && parcel->size - parcel->at < size)
        parcel->torn = true;
    return !parcel->torn && !parcel->failed;
}

/* Its length + 1, 0 = NULL; and the characters. */
static void parcel_text(struct parcel *parcel, const char **text)
{
    uint32_t length = *text ? (uint32_t)strlen(*text) + 1 : 0;
    parcel_bytes(parcel, &length, sizeof length);
    if (length == 0 || !parcel_fits(parcel, length - 1))
        return;
    if (!parcel->arena) {
        parcel_bytes(parcel, (void *)(uintptr_t)*text, length - 1);
        return;
    }
    *text = arena_strndup(parcel->arena, parcel->data + parcel->at, length - 1);
    parcel->failed = !*text;
    parcel->at += length - 1;
}

/* Texts are missing in what is copied of an application, and follow. */
static void parcel_apps(struct parcel *parcel, struct row *row)
{
    parcel_bytes(parcel, &row->count, sizeof row->count);
    if (!parcel_fits(parcel, row->count * sizeof *row->apps)) {
        row->count = 0;
        return;
    }
    if (parcel->arena) {
        row->apps = arena_alloc(parcel->arena, row->count, sizeof *row->apps);
        parcel->failed = !row->apps;
    }
    for (uint32_t i = 0; i < row->count && !parcel->failed; i++) {
        struct weir_app_metrics app = parcel->arena ? (struct weir_app_metrics){0} : row->apps[i];
        const char *name = app.name;
        parcel_bytes(parcel, &app, sizeof app);
        app.name = parcel->arena ? NULL : name;
        parcel_text(parcel, &app.name);
        if (parcel->arena && !app.name)
            parcel->torn = true;
        row->apps[i] = app;
    }
}

static void parcel_walk(struct parcel *parcel, struct run_result *result)
{
    struct row *row = &result->row;
    parcel_bytes(parcel, &result->identity, sizeof result->identity);
    parcel_text(parcel, &result->family);
    parcel_text(parcel, &result->parameters);
    parcel_text(parcel, &result->platform);
    parcel_text(parcel, &result->error);
    parcel_text(parcel, &row->made.version);
    parcel_text(parcel, &row->made.scenario);
    parcel_text(parcel, &row->policy);
    parcel_bytes(parcel, &row->made.seed, sizeof row->made.seed);
    parcel_bytes(parcel, &row->made.platform, sizeof row->made.platform);
    parcel_bytes(parcel, &row->hash, sizeof row->hash);
    parcel_bytes(parcel, &row->window, sizeof row->window);
    parcel_bytes(parcel, &row->metrics, sizeof row->metrics);
    parcel_apps(parcel, row);
}

char *parcel_pack(const struct run_result *result, size_t *size, struct err *err)
{
    struct run_result copy = *result; /* the walk only reads it */
    struct parcel parcel = {0};
    parcel_walk(&parcel, &copy);
    *size = parcel.size;
    if (!parcel.failed)
        return parcel.data;
    err_memory(err);
    free(parcel.data);
    return NULL;
}

int parcel_unpack(const char *data, size_t size, struct run_result *result, struct err *err)
{
    *result = (struct run_result){0};
    struct parcel parcel = {.data = (char *)(uintptr_t)data, .size = size};
    parcel.arena = &result->row.arena;
    parcel_walk(&parcel, result);
    const struct row *row = &result->row;
    bool whole = parcel.at == size && result->parameters && row->made.version &&
                 row->made.scenario && row->policy;
    if (!parcel.failed && !parcel.torn && whole)
        return 0;
    result_fini(result);
    return parcel.failed ? err_memory(err)
                         : err_set(err, "a result that another process sent is damaged");
}
