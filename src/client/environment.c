#include "client/environment.h"
#include "client/mounts.h"
#include "wire/page.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char missing_library[] = "needs libweir-preload.so, which is not installed";
static const char library_name[] = "libweir-preload.so";
static const char preload_variable[] = "LD_PRELOAD";

/* --- who it is -------------------------------------------------------------------------------- */

/* What stands in an identity. The others are WIRE_ENV_TOKEN, WIRE_ENV_STORES, WIRE_ENV_ORIGINS. */
static const struct environment_fact {
    const char *variable;
    bool number; /* a double, not set if it is 0; else a text */
    size_t at;   /* in struct identity */
} facts[] = {
    {WIRE_ENV_SOCKET, false, offsetof(struct identity, socket)},
    {WIRE_ENV_NAME, false, offsetof(struct identity, attach.name)},
    {WIRE_ENV_JOB, false, offsetof(struct identity, attach.job)},
    {WIRE_ENV_ACCOUNT, false, offsetof(struct identity, attach.account)},
    {WIRE_ENV_PARTITION, false, offsetof(struct identity, attach.partition)},
    {WIRE_ENV_NODES, true, offsetof(struct identity, attach.nodes)},
    {WIRE_ENV_WEIGHT, true, offsetof(struct identity, attach.weight)},
    {WIRE_ENV_HINT, true, offsetof(struct identity, attach.volume_hint)},
};
enum { FACTS = sizeof facts / sizeof *facts };

static int environment_set(const struct environment *environment, const char *variable,
                           const char *value)
{
    return environment->set(environment->context, variable, value && *value ? value : NULL);
}

static int environment_set_fact(const struct environment *environment,
                                const struct environment_fact *fact,
                                const struct identity *identity)
{
    const char *at = (const char *)identity + fact->at;
    char text[32];
    double value;
    if (!fact->number)
        return environment_set(environment, fact->variable, at);
    memcpy(&value, at, sizeof value);
    snprintf(text, sizeof text, "%.17g", value);
    return environment_set(environment, fact->variable, value > 0 ? text : NULL);
}

/* --- the library ------------------------------------------------------------------------------ */

size_t environment_item(const char *list, bool *is_library)
{
    size_t length = strcspn(list, ": "), size = sizeof library_name - 1;
    *is_library = length >= size && memcmp(list + length - size, library_name, size) == 0 &&
                  (length == size || list[length - size - 1] == '/');
    return length;
}

size_t environment_without(const char *list, char *copy)
{
    size_t size = 0;
    while (*list) {
        bool ours;
        size_t length = environment_item(list, &ours);
        size_t whole = length + (list[length] != '\0');
        if (!ours) {
            memmove(copy + size, list, whole);
            size += whole;
        }
        list += whole;
    }
    copy[size] = '\0';
    return size;
}

/* A list of libraries or options. */
enum { LIST = 4 * PATH_MAX };

static int environment_get_list(const struct environment *environment, const char *variable,
                                char list[LIST])
{
    return environment->get(environment->context, variable, list, LIST);
}

/* Behind what is there: libraries that are preloaded already stay in front. */
static int environment_append(const struct environment *environment, const char *variable,
                              const char *item, char list[LIST])
{
    size_t length = strlen(list), more = strlen(item);
    bool separate = length > 0 && list[length - 1] != ':';
    if (length + separate + more >= LIST)
        return -1;
    list[length] = ':';
    memcpy(list + length + separate, item, more + 1);
    return environment_set(environment, variable, list);
}

static int environment_load(const struct environment *environment, const char *library)
{
    char list[LIST];
    if (environment_get_list(environment, preload_variable, list) != 0)
        return -1;
    environment_without(list, list);
    return environment_append(environment, preload_variable, library, list);
}

void environment_unload(const struct environment *environment)
{
    char list[LIST], without[LIST];
    if (environment_get_list(environment, preload_variable, list) != 0)
        return;
    if (environment_without(list, without) < strlen(list))
        environment_set(environment, preload_variable, without);
}

const char *environment_check_library(const char *path)
{
    if (*path != '/' || access(path, R_OK) != 0)
        return missing_library;
    return strpbrk(path, ": ") ? "needs libweir-preload.so in a path without blanks and colons"
                               : NULL;
}

const char *environment_find_library(const char *file, const char *directory, char path[PATH_MAX])
{
    const char *slash = strrchr(file, '/');
    int length = slash ? (int)(slash + 1 - file) : 0;
    const char *const places[] = {".", directory};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char place[PATH_MAX];
        int size =
            snprintf(place, sizeof place, "%.*s%s/%s", length, file, places[i], library_name);
        if (size < (int)sizeof place && realpath(place, path))
            return environment_check_library(path);
    }
    return missing_library;
}

/* --- both ------------------------------------------------------------------------------------- */

static int environment_write(const struct environment *environment, const struct identity *identity,
                             const char *stores)
{
    char token[IDENTITY_TOKEN], origins[4 * WIRE_STORES];
    int fault = 0;
    identity_print_token(identity->attach.token, token);
    mounts_origins(stores, origins, sizeof origins);
    for (size_t i = 0; i < FACTS; i++)
        fault |= environment_set_fact(environment, &facts[i], identity);
    return fault | environment_set(environment, WIRE_ENV_TOKEN, token) |
           environment_set(environment, WIRE_ENV_STORES, stores) |
           environment_set(environment, WIRE_ENV_ORIGINS, origins);
}

static void environment_remove(const struct environment *environment)
{
    for (size_t i = 0; i < FACTS; i++)
        environment_set(environment, facts[i].variable, NULL);
    environment_set(environment, WIRE_ENV_TOKEN, NULL);
    environment_set(environment, WIRE_ENV_STORES, NULL);
    environment_set(environment, WIRE_ENV_ORIGINS, NULL);
    environment_unload(environment);
}

const char *environment_prepare(const struct environment *environment,
                                const struct identity *identity, const char *stores,
                                const char *library)
{
    if (environment_write(environment, identity, stores) == 0 &&
        (!library || environment_load(environment, library) == 0))
        return NULL;
    environment_remove(environment);
    return "has no room in its environment";
}

static void environment_adopt_one(const struct environment *environment, const char *variable)
{
    char value[4 * WIRE_STORES];
    if (environment->get(environment->context, variable, value, sizeof value) == 0 && *value)
        setenv(variable, value, 1);
}

void environment_adopt(const struct environment *environment)
{
    for (size_t i = 0; i < FACTS; i++)
        environment_adopt_one(environment, facts[i].variable);
    environment_adopt_one(environment, WIRE_ENV_TOKEN);
    environment_adopt_one(environment, WIRE_ENV_STORES);
    environment_adopt_one(environment, WIRE_ENV_ORIGINS);
}

void environment_clear(const struct environment *environment)
{
    char token[2 * IDENTITY_TOKEN];
    bool belongs = environment->get(environment->context, WIRE_ENV_TOKEN, token, sizeof token) != 0;
    if (belongs || *token)
        environment_remove(environment);
    else
        environment_unload(environment);
}
