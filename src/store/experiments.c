#include "store/experiments.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

/* While the columns are found. */
struct experiments_search {
    struct experiments *found;
    struct database *database;
    int64_t versions, platforms;
    int64_t mixed; /* groups of which a test says that they are several experiments */
};

static int experiments_head(void *context, const char *const *names, int count, struct err *err)
{
    (void)context;
    (void)names;
    (void)count;
    (void)err;
    return 0;
}

/* `name` and `sql` are copied. */
static int experiments_add(struct experiments *found, enum experiment_part part, const char *name,
                           const char *sql, struct err *err)
{
    struct experiment_column *list =
        mem_reserve(found->list, &found->capacity, found->count + 1, sizeof *list);
    if (!list)
        return err_memory(err);
    found->list = list;
    list[found->count] =
        (struct experiment_column){.sql = arena_strndup(&found->arena, sql, strlen(sql)),
                                   .name = arena_strndup(&found->arena, name, strlen(name)),
                                   .part = part};
    if (!list[found->count].sql || !list[found->count].name)
        return err_memory(err);
    found->count++;
    return 0;
}

static void experiments_quote(FILE *out, const char *text, char quote)
{
    fputc(quote, out);
    for (; *text; text++) {
        if (*text == quote)
            fputc(quote, out);
        fputc(*text, out);
    }
    fputc(quote, out);
}

/* --- names ------------------------------------------------------------------------------------ */

static int experiments_count(void *context, const struct store_cell *cells, int count,
                             struct err *err)
{
    (void)count;
    (void)err;
    struct experiments_search *search = context;
    search->versions = cells[0].integer;
    search->platforms = cells[1].integer;
    return 0;
}

/* One column for every key of the parameters; `file` is the content of the strategy's. */
static int experiments_parameter(void *context, const struct store_cell *cells, int count,
                                 struct err *err)
{
    (void)count;
    struct experiments_search *search = context;
    bool file = strcmp(cells[0].text, "file") == 0;
    char *text = NULL;
    size_t size;
    FILE *sql = open_memstream(&text, &size);
    if (!sql)
        return err_memory(err);
    fputs("(SELECT value FROM json_each(parameters) WHERE key = ", sql);
    experiments_quote(sql, cells[0].text, '\'');
    fputc(')', sql);
    int status =
        fclose(sql) == 0
            ? experiments_add(search->found, file ? EXPERIMENT_STRATEGY : EXPERIMENT_PARAMETER,
                              cells[0].text, text, err)
            : err_memory(err);
    free(text);
    return status;
}

/* --- experiments of the same names ------------------------------------------------------------ */

static int experiments_mixed(void *context, const struct store_cell *cells, int count,
                             struct err *err)
{
    (void)count;
    (void)err;
    ((struct experiments_search *)context)->mixed = cells[0].integer;
    return 0;
}

/* Counts the groups of runs that the columns so far put together though they differ in `column`. A
 * family may draw its platform, so its runs are compared seed by seed. */
static void experiments_write_test(const struct experiments *found, const char *column, FILE *sql)
{
    fputs("SELECT count(*) FROM (SELECT 1 FROM run GROUP BY ", sql);
    for (size_t i = 0; i < found->count; i++)
        if (found->list[i].part != EXPERIMENT_STRATEGY)
            fprintf(sql, "%s, ", found->list[i].sql);
    fprintf(sql,
            "CASE WHEN family IS NULL THEN NULL ELSE seed END "
            "HAVING count(DISTINCT %s) > 1 OR (count(%s) > 0 AND count(%s) < count(hash)))",
            column, column, column);
}

static int experiments_tell_apart(struct experiments_search *search, const char *name,
                                  const char *column, struct err *err)
{
    const struct store_reader reader = {experiments_head, experiments_mixed, search};
    char *text = NULL;
    size_t size;
    FILE *sql = open_memstream(&text, &size);
    if (!sql)
        return err_memory(err);
    experiments_write_test(search->found, column, sql);
    int status =
        fclose(sql) == 0 ? database_query(search->database, text, &reader, err) : err_memory(err);
    free(text);
    if (status == 0 && search->mixed > 0)
        status = experiments_add(search->found, EXPERIMENT_APART, name, column, err);
    return status;
}

/* A platform that was edited, then any other content of files. 0 or -1. */
static int experiments_separate(struct experiments_search *search, struct err *err)
{
    static const char *const contents[][2] = {
        {"platform.nodes", "nodes"},
        {"platform.node_bandwidth", "node_bandwidth"},
        {"platform.bandwidth", "bandwidth"},
        {"hash", "CASE WHEN family IS NULL THEN hash END"},
    };
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++)
        if (experiments_tell_apart(search, contents[i][0], contents[i][1], err) < 0)
            return -1;
    return 0;
}

/* --- the whole -------------------------------------------------------------------------------- */

int experiments_init(struct experiments *experiments, struct database *database, struct err *err)
{
    struct experiments_search search = {.found = experiments, .database = database};
    const struct store_reader counts = {experiments_head, experiments_count, &search};
    const struct store_reader keys = {experiments_head, experiments_parameter, &search};
    *experiments = (struct experiments){0};
    if (database_query(database,
                       "SELECT count(DISTINCT version), count(DISTINCT platform) FROM run", &counts,
                       err) < 0)
        return -1;
    if (search.versions > 1 &&
        experiments_add(experiments, EXPERIMENT_APART, "version", "version", err) < 0)
        return -1;
    if (experiments_add(experiments, EXPERIMENT_WORKLOAD, "workload", "coalesce(family, scenario)",
                        err) < 0 ||
        database_query(database,
                       "SELECT key FROM run, json_each(parameters) GROUP BY key "
                       "ORDER BY max(json_each.id), key",
                       &keys, err) < 0)
        return -1;
    if (search.platforms > 0 &&
        experiments_add(experiments, EXPERIMENT_PLATFORM, "platform", "platform", err) < 0)
        return -1;
    if (experiments_separate(&search, err) < 0)
        return -1;
    return experiments_add(experiments, EXPERIMENT_STRATEGY, "strategy", "strategy", err);
}

void experiments_fini(struct experiments *experiments)
{
    free(experiments->list);
    arena_fini(&experiments->arena);
    *experiments = (struct experiments){0};
}

void experiments_select(const struct experiments *experiments, FILE *sql)
{
    for (size_t i = 0; i < experiments->count; i++) {
        fprintf(sql, "%s%s AS ", i ? ", " : "", experiments->list[i].sql);
        experiments_quote(sql, experiments->list[i].name, '"');
    }
}
