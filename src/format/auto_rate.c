/* A bandwidth that may be estimated: a rate, 'auto', or {auto: [LOW, HIGH]}. */
#include "format/kinds.h"
#include "model/stores.h"
#include <string.h>

static int auto_rate_read_platform(struct reader *reader, const struct key *key, void *into);
static int auto_rate_read_store(struct reader *reader, const struct key *key, void *into);
static int auto_rate_read_bounds(struct reader *reader, const struct key *key, void *into);

const struct kind kind_platform_bandwidth = {.value = "a rate such as '2 GB/s', or 'auto'",
                                             .read = auto_rate_read_platform};
const struct kind kind_store_bandwidth = {.value = "a rate such as '2 GB/s', or 'auto'",
                                          .read = auto_rate_read_store};
static const struct kind auto_rate_bounds = {.value = "a list of two rates",
                                             .read = auto_rate_read_bounds};

/* The bounds of one without: less than any store has, and more. */
#define AUTO_LEAST 1e6
#define AUTO_MOST  1e13

struct auto_rate {
    double low, high;
    int count;
};

static const struct key auto_rate_keys[] = {
    {"auto", &auto_rate_bounds, 0, REQUIRED, "the bounds of the estimate"}, {0}};
static const struct key_table auto_rate_table = {"bandwidth", auto_rate_keys};

static int auto_rate_read_bound(struct reader *reader, void *into)
{
    static const struct key key = {.name = "auto", .kind = &kind_rate};
    struct auto_rate *rate = into;
    double ignored;
    rate->count++;
    return kind_rate.read(reader, &key,
                          rate->count == 1   ? &rate->low
                          : rate->count == 2 ? &rate->high
                                             : &ignored);
}

static int auto_rate_read_bounds(struct reader *reader, const struct key *key, void *into)
{
    struct auto_rate *rate = into;
    size_t line = reader_line(reader);
    if (list_read(reader, key, auto_rate_read_bound, into) != 0)
        return -1;
    if (rate->count != 2 || !(rate->low < rate->high))
        return reader_fail(reader, line,
                           "auto has a lower and an upper bound, such as [20 GB/s, 120 GB/s]");
    return 0;
}

/* `bandwidth` and `least` are where the results go. */
static int auto_rate_read(struct reader *reader, const struct key *key, double *bandwidth,
                          double *least)
{
    struct auto_rate rate = {AUTO_LEAST, AUTO_MOST, 0};
    struct key plain = {.name = key->name, .kind = &kind_rate};
    bool word = reader->event.type == YAML_SCALAR_EVENT &&
                strcmp((const char *)reader->event.data.scalar.value, "auto") == 0;
    *least = 0;
    if (!word && reader->event.type != YAML_MAPPING_START_EVENT)
        return kind_rate.read(reader, &plain, bandwidth);
    if (!word && key_table_read(reader, &auto_rate_table, &rate, NULL) != 0)
        return -1;
    *bandwidth = rate.high;
    *least = rate.low;
    return 0;
}

static int auto_rate_read_platform(struct reader *reader, const struct key *key, void *into)
{
    struct platform *platform = into;
    return auto_rate_read(reader, key, &platform->bandwidth, &platform->least);
}

static int auto_rate_read_store(struct reader *reader, const struct key *key, void *into)
{
    struct site_store *store = into;
    return auto_rate_read(reader, key, &store->bandwidth, &store->least);
}
