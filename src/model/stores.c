#include "model/stores.h"
#include <stdio.h>
#include <string.h>

bool stores_share(const struct stores *stores)
{
    bool shared = stores->count == 0;
    for (uint32_t i = 0; i < stores->count; i++)
        shared |= !store_is_own(&stores->list[i]);
    return shared;
}

static void store_name_platform(const struct stores *stores, char name[STORE_NAME])
{
    size_t used = 0;
    for (uint32_t i = 0; i < stores->count; i++) {
        const char *path = stores->list[i].path;
        if (store_is_own(&stores->list[i]))
            continue;
        if (used + strlen(path) + 1 >= STORE_NAME)
            return;
        used += (size_t)snprintf(name + used, STORE_NAME - used, "%s%s", used ? "," : "", path);
    }
}

uint32_t stores_plan(const struct stores *stores, double platform,
                         struct store_channel list[STORE_CHANNELS])
{
    uint32_t count = 0;
    if (stores_share(stores)) {
        list[count] = (struct store_channel){.bandwidth = platform, .platform = true};
        store_name_platform(stores, list[count++].name);
    }
    for (uint32_t i = 0; i < stores->count; i++) {
        const struct site_store *store = &stores->list[i];
        const struct {
            const char *suffix;
            double bandwidth;
        } parts[] = {{"", store->bandwidth}, {" read", store->reads}, {" write", store->writes}};
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            if (!(parts[k].bandwidth > 0))
                continue;
            if (count == STORE_CHANNELS)
                return STORE_CHANNELS + 1;
            struct store_channel *channel = &list[count++];
            *channel = (struct store_channel){.bandwidth = parts[k].bandwidth,
                                              .least = store->least,
                                              .policy = store->policy,
                                              .nature = store->nature};
            snprintf(channel->name, STORE_NAME, "%s%s", store->path, parts[k].suffix);
        }
    }
    return count;
}

uint32_t stores_channel(const struct stores *stores, uint32_t store, bool reads)
{
    uint32_t next = stores_share(stores);
    if (stores->count == 0 || !store_is_own(&stores->list[store]))
        return 0;
    for (uint32_t i = 0; i < store; i++)
        next += store_is_own(&stores->list[i]) + store_is_split(&stores->list[i]);
    return next + (store_is_split(&stores->list[store]) && !reads);
}

/* Whether the path is this directory or below it. */
static bool store_holds(const char *directory, const char *path)
{
    size_t length = strlen(directory);
    while (length > 1 && directory[length - 1] == '/')
        length--;
    if (strncmp(directory, path, length) != 0)
        return false;
    return length == 1 || path[length] == '/' || path[length] == '\0';
}

int stores_find(const struct stores *stores, const char *path)
{
    int found = -1;
    size_t deepest = 0;
    for (uint32_t i = 0; i < stores->count; i++) {
        size_t length = strlen(stores->list[i].path);
        if (length > deepest && store_holds(stores->list[i].path, path)) {
            deepest = length;
            found = (int)i;
        }
    }
    return found;
}
