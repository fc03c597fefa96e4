/* The stores of a machine: directories whose I/O is controlled. A scenario and a controller's
 * configuration describe them alike, and what follows from the description is computed here for
 * both. */
#ifndef WEIR_MODEL_STORES_H
#define WEIR_MODEL_STORES_H

#include "model/store.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A directory below which I/O is controlled. With a bandwidth of its own, or one for its reads and
 * one for its writes, it has a strategy of its own too; the others share the platform's. */
struct site_store {
    const char *path;     /* absolute, without a colon */
    double bandwidth;     /* bytes/s, 0 = none of its own */
    double least;         /* > 0: a controller estimates it, from this to the bandwidth */
    double reads, writes; /* bytes/s, instead of that; both or neither */
    const char *policy;   /* of its own; NULL = the machine's */
    double pieces; /* bytes of the pieces in which large writes may be made, 0 = they may not */
    const struct store *nature; /* what else it does (model/store.h), NULL = nothing */
};

struct stores {
    const struct site_store *list;
    uint32_t count;
};

static inline bool store_is_split(const struct site_store *store)
{
    return store->reads > 0;
}

static inline bool store_is_own(const struct site_store *store)
{
    return store->bandwidth > 0 || store_is_split(store);
}

/* Whether some store shares the platform's bandwidth, or there are no stores. */
bool stores_share(const struct stores *stores);

/* A bandwidth that a strategy of its own divides: that of a store, of its reads or its writes, or
 * the platform's. */
enum { STORE_CHANNELS = 8, STORE_NAME = 256 };
struct store_channel {
    char name[STORE_NAME]; /* a path, "PATH read" or "PATH write"; of the platform's, the paths of
                              the stores that share it, as far as there is room */
    double bandwidth;
    double least; /* as of the store */
    const char *policy;         /* NULL = the machine's */
    const struct store *nature; /* what else its store does; NULL = nothing */
    bool platform;              /* it is the platform's, whose nature is that of the platform */
};

/* Lists the channels: the platform's first, unless every store has its own; then those of the
 * stores in their order, reads before writes. Returns their number, or STORE_CHANNELS + 1 if there
 * are more than the list has room for. */
uint32_t stores_plan(const struct stores *stores, double platform,
                         struct store_channel list[STORE_CHANNELS]);

/* The number of the channel of a store's reads, or of its writes. */
uint32_t stores_channel(const struct stores *stores, uint32_t store, bool reads);

/* The store that a path is in: the deepest one that holds it. -1 = none. */
int stores_find(const struct stores *stores, const char *path);

/* What an application does to which store: the place of an I/O. `path` is a number in the list of
 * paths that a scenario names, from 1 on; 0 = the first store. */
enum { PLACE_PATHS = 127 };
static inline uint8_t place_of(uint32_t path, bool reads)
{
    return (uint8_t)(path << 1 | reads);
}

static inline uint32_t place_path(uint8_t place)
{
    return place >> 1;
}

static inline bool place_reads(uint8_t place)
{
    return place & 1;
}

#endif
