#include "format/store_keys.h"
#include "base/stream.h"
#include "format/cells.h"
#include "format/kinds.h"
#include "format/word.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Values of a table or a series: more than anybody has measured. */
enum { STORE_KEYS_MOST = 1 << 20 };

static int contention_read(struct reader *reader, const struct key *key, void *into);
static int health_read(struct reader *reader, const struct key *key, void *into);
static int health_read_quantiles(struct reader *reader, const struct key *key, void *into);

const struct kind kind_contention = {.value = "a ratio such as '5 %', or a list of ratios",
                                     .read = contention_read};
const struct kind kind_health = {.value = "a CSV file, a list of mappings, or a mapping",
                                 .read = health_read};
static const struct kind quantiles = {.value = "a list of five ratios",
                                      .read = health_read_quantiles};

static const struct key health_change_keys[] = {
    {"at", &kind_seconds, offsetof(struct health_change, at), REQUIRED, "when it changes"},
    {"factor", &kind_multiple, offsetof(struct health_change, factor), REQUIRED,
     "of the bandwidth from then on; 0 = an outage"},
    {0}};

static const struct key health_keys[] = {
    {"quantiles", &quantiles, offsetof(struct health, quantiles), REQUIRED,
     "of the factors that are drawn: the smallest, 5 %, the median, 95 % and the largest"},
    {"every", &kind_span, offsetof(struct health, every), REQUIRED, "how long each of them lasts"},
    {0}};

static const struct key_table health_change_table = {"platform: health, one change",
                                                     health_change_keys};
static const struct key_table health_table = {"platform: health, drawn", health_keys};

const struct key_table *const store_tables[] = {&health_change_table, &health_table, NULL};

/* The store that is read, which only this room may still change; NULL when memory is out. */
static struct store *store_keys_target(struct reader *reader, void *into)
{
    const struct store **store = into;
    if (!*store)
        *store = arena_alloc(&reader->draft->scenario->arena, 1, sizeof **store);
    if (!*store)
        err_memory(reader->err);
    return (struct store *)*store;
}

/* --- ratios ----------------------------------------------------------------------------------- */

/* A list of numbers while it is read. */
struct ratio_list {
    double *values;
    uint32_t count;
    const struct key *key; /* whose value it is */
};

static int ratio_list_add(struct reader *reader, void *into)
{
    struct ratio_list *list = into;
    struct key key = {.name = list->key->name, .kind = &kind_multiple};
    if (list->count == STORE_KEYS_MOST)
        return reader_fail(reader, reader_line(reader), "%s: more than %d values", key.name,
                           STORE_KEYS_MOST);
    double *grown = list_extend(reader, list->values, list->count, sizeof *grown);
    if (!grown)
        return -1;
    list->values = grown;
    if (kind_multiple.read(reader, &key, &grown[list->count]) != 0)
        return -1;
    list->count++;
    return 0;
}

static int contention_read(struct reader *reader, const struct key *key, void *into)
{
    struct store *store = store_keys_target(reader, into);
    struct ratio_list list = {.key = key};
    size_t line = reader_line(reader);
    struct err fault;
    if (!store)
        return -1;
    if (!reader_is_list(reader)) {
        const struct key slope = {.name = key->name, .kind = &kind_multiple};
        return kind_multiple.read(reader, &slope, &store->curve.slope);
    }
    if (list_read(reader, key, ratio_list_add, &list) != 0)
        return -1;
    store->curve = (struct curve){.factors = list.values, .count = list.count};
    const struct store alone = {.curve = store->curve};
    if (list.count == 0)
        return reader_fail(reader, line, "%s: an empty list, expected ratios", key->name);
    if (store_validate(&alone, &fault) != 0)
        return reader_fail(reader, line, "%s", fault.text);
    return 0;
}

static int health_read_quantiles(struct reader *reader, const struct key *key, void *into)
{
    struct ratio_list list = {.key = key};
    size_t line = reader_line(reader);
    if (list_read(reader, key, ratio_list_add, &list) != 0)
        return -1;
    if (list.count != HEALTH_QUANTILES)
        return reader_fail(reader, line, "quantiles has %u ratios, expected %d", list.count,
                           HEALTH_QUANTILES);
    *(const double **)into = list.values;
    return 0;
}

/* --- changes ---------------------------------------------------------------------------------- */

static int health_add(struct reader *reader, struct health *health, struct health_change change)
{
    if (health->count == STORE_KEYS_MOST)
        return reader_fail(reader, reader_line(reader), "health: more than %d changes",
                           STORE_KEYS_MOST);
    struct health_change *grown =
        list_extend(reader, health->changes, health->count, sizeof *grown);
    if (!grown)
        return -1;
    grown[health->count++] = change;
    health->changes = grown;
    return 0;
}

static int health_read_change(struct reader *reader, void *into)
{
    struct health_change change = {0};
    if (key_table_read(reader, &health_change_table, &change, NULL) != 0)
        return -1;
    return health_add(reader, into, change);
}

/* A line `seconds,factor`; the first one may be a heading. */
static int health_read_row(struct reader *reader, struct stream *stream, struct cells *cells,
                           struct health *health)
{
    struct health_change change;
    struct err fault;
    const char *what;
    if (cells_split(cells, stream->line, stream->length, ',', &what) != 0)
        return err_memory(reader->err);
    if (what || cells->count != 2) {
        err_set(reader->err, "%s", what ? what : "expected 'seconds,factor'");
        return err_prepend(reader->err, "%s:%zu", stream->where, stream->number);
    }
    if (stream->number == 1 && strcmp(cells->list[0], "seconds") == 0)
        return 0;
    if (units_parse(cells->list[0], UNIT_SECONDS, &change.at, &fault) != 0 ||
        units_parse(cells->list[1], UNIT_RATIO, &change.factor, &fault) != 0) {
        err_set(reader->err, "%s", fault.text);
        return err_prepend(reader->err, "%s:%zu", stream->where, stream->number);
    }
    return health_add(reader, health, change);
}

/* The path of a file that is named in another one: beside that, unless it is absolute. */
static int health_find(struct reader *reader, const char *name, char *path, size_t size)
{
    const char *where = reader->draft->where, *slash = strrchr(where, '/');
    int folder = *name == '/' || !slash ? 0 : (int)(slash - where) + 1;
    /* "./-", as "-" alone is standard input. */
    if (snprintf(path, size, "%.*s%s%s", folder, where, *name == '-' ? "./" : "", name) < (int)size)
        return 0;
    return reader_fail(reader, reader_line(reader), "health: the path is too long");
}

static int health_read_file(struct reader *reader, const struct key *key, struct health *health)
{
    char path[4096];
    const char *name = reader_scalar(reader, key->name, kind_value(key->kind));
    if (!name || health_find(reader, name, path, sizeof path) != 0)
        return -1;
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) /* one could wait for its end */
        return reader_fail(reader, reader_line(reader), "health: '%s' is not a regular file",
                           quote_text(name, strlen(name)).text);
    struct stream stream;
    struct cells cells = {0};
    int status = stream_open(&stream, path, reader->err), more = 0;
    while (status == 0 && (more = stream_next(&stream, reader->err)) > 0)
        if (stream.length > 0)
            status = health_read_row(reader, &stream, &cells, health);
    stream_close(&stream);
    cells_fini(&cells);
    return more < 0 ? -1 : status;
}

static int health_read(struct reader *reader, const struct key *key, void *into)
{
    struct store *store = store_keys_target(reader, into);
    size_t line = reader_line(reader);
    struct err fault;
    if (!store)
        return -1;
    int status = reader_is_list(reader) ? list_read(reader, key, health_read_change, &store->health)
                 : reader->event.type == YAML_SCALAR_EVENT
                     ? health_read_file(reader, key, &store->health)
                     : key_table_read(reader, &health_table, &store->health, NULL);
    if (status != 0)
        return -1;
    const struct store alone = {.health = store->health};
    if (store_validate(&alone, &fault) != 0)
        return reader_fail(reader, line, "%s", fault.text);
    return 0;
}
