#include "cli/commands.h"
#include "terminal/progress.h"
#include "store/database.h"
#include <stdlib.h>

struct merge_options {
    struct words operands; /* the database, and those to add */
};

/* All shards, after the database is open. 0 or -1. */
static int merge_add(struct database *database, const struct words *paths, struct err *err)
{
    int status = 0;
    for (size_t i = 1; i < paths->count && status == 0; i++) {
        progress_begin(paths->list[0], paths->list[i]);
        status = database_merge(database, paths->list[i], err);
        progress_end();
    }
    return status;
}

static int merge_run(const void *values, struct err *err)
{
    const struct merge_options *options = values;
    const struct words *paths = &options->operands;
    size_t count = 0;
    for (size_t i = 1; i < paths->count; i++)
        if (database_check_shard(paths->list[i], err) < 0)
            return STATUS_MISUSE;
    struct database *database = database_open_write(paths->list[0], err);
    if (!database)
        return STATUS_MISUSE;
    int status = merge_add(database, paths, err);
    int64_t *ids = status == 0 ? database_identities(database, STORE_ALL, &count, err) : NULL;
    if (!ids) {
        database_abandon(database);
        return STATUS_FAILED;
    }
    printf("%s: %zu run%s\n", paths->list[0], count, count == 1 ? "" : "s");
    free(ids);
    database_close(database);
    return STATUS_DONE;
}

const struct command command_merge = {
    .name = "merge",
    .summary = "join databases of results",
    .operands = "DB SHARD...",
    .least = 2,
    .most = SIZE_MAX,
    .details = "Adds the runs of each SHARD that DB lacks; DB is created if it is missing. A shard "
               "may be of an older weir: 'weir merge NEW OLD' is how an old database is migrated.",
    .example = "weir merge results.sqlite results-*.sqlite",
    .size = sizeof(struct merge_options),
    .run = merge_run,
};
