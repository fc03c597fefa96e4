/* The results of one database into another. */
#include "base/text.h"
#include "store/handle.h"
#include "store/place.h"
#include "store/schema.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The columns of a table that both databases have, with commas, but those that number its runs. 0
 * or -1. */
static int merge_columns(struct database *database, const char *table, char list[STORE_SQL_SIZE],
                         struct err *err)
{
    char sql[256];
    sqlite3_stmt *statement = NULL;
    snprintf(sql, sizeof sql,
             "SELECT name FROM pragma_table_info('%s', 'main') WHERE name IN "
             "(SELECT name FROM pragma_table_info('%s', 'shard')) AND name NOT IN ('id', 'run')",
             table, table);
    *list = 0;
    if (sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL) != SQLITE_OK)
        return database_fail(database, err);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        text_append(list, STORE_SQL_SIZE, *list ? ", " : "");
        text_append(list, STORE_SQL_SIZE, (const char *)sqlite3_column_text(statement, 0));
    }
    sqlite3_finalize(statement);
    return 0;
}

/* Runs get numbers of this database, by which their applications follow. */
static int merge_runs(struct database *database, struct err *err)
{
    char columns[STORE_SQL_SIZE], sql[2 * STORE_SQL_SIZE + 200];
    if (merge_columns(database, "run", columns, err) < 0)
        return -1;
    snprintf(sql, sizeof sql,
             "INSERT INTO main.run (%s) SELECT %s FROM shard.run WHERE true ORDER BY id "
             "ON CONFLICT (identity) DO NOTHING",
             columns, columns);
    return database_do(database, sql, err);
}

/* Of the runs that are new here, those after the last from before. */
static int merge_apps(struct database *database, int64_t last, struct err *err)
{
    char columns[STORE_SQL_SIZE], sql[2 * STORE_SQL_SIZE + 300];
    if (merge_columns(database, "application", columns, err) < 0)
        return -1;
    snprintf(sql, sizeof sql,
             "INSERT INTO main.application (run, %s) SELECT here, %s FROM shard.application JOIN "
             "(SELECT old.id AS there, new.id AS here FROM shard.run AS old JOIN main.run AS new "
             "USING (identity) WHERE new.id > %lld) ON run = there ORDER BY here, number",
             columns, columns, (long long)last);
    return database_do(database, sql, err);
}

/* A run that failed here and not there, for want of memory perhaps, gives way. */
static int merge_attached(struct database *database, struct err *err)
{
    if (database_do(database,
                    "BEGIN; DELETE FROM main.run WHERE error IS NOT NULL AND identity IN "
                    "(SELECT identity FROM shard.run WHERE error IS NULL)",
                    err) < 0)
        return -1;
    int64_t last;
    int status = database_number(database, "SELECT coalesce(max(id), 0) FROM main.run", &last, err);
    if (status == 0)
        status = merge_runs(database, err);
    if (status == 0)
        status = merge_apps(database, last, err);
    if (status == 0)
        status = database_do(database, "COMMIT", err);
    if (status < 0)
        database_do(database, "ROLLBACK", NULL);
    return status;
}

/* Whether a pragma that checks a database says that it is well. */
static bool merge_is_sound(struct database *shard)
{
    sqlite3_stmt *check = NULL;
    bool sound =
        sqlite3_prepare_v2(shard->handle, "PRAGMA quick_check(1)", -1, &check, NULL) == SQLITE_OK &&
        sqlite3_step(check) == SQLITE_ROW &&
        strcmp((const char *)sqlite3_column_text(check, 0), "ok") == 0;
    sqlite3_finalize(check);
    return sound;
}

/* It is opened on its own before: ATTACH would create what is missing. `thorough`: reads it all. */
static int merge_check(const char *path, bool thorough, struct err *err)
{
    char *place = place_resolve(path, err);
    if (!place)
        return -1;
    struct database shard = {.path = (char *)path, .place = place};
    int status = -1;
    if (sqlite3_open_v2(place, &shard.handle, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
        database_fail(&shard, err);
    else if (thorough)
        status = merge_is_sound(&shard) ? 0 : err_set(err, "%s: damaged", path);
    else
        status = database_check(&shard, 0, err);
    sqlite3_close(shard.handle);
    free(place);
    return status;
}

int database_check_shard(const char *path, struct err *err)
{
    return merge_check(path, false, err);
}

static int merge_attach(struct database *database, const char *path, struct err *err)
{
    char *place = place_resolve(path, err);
    if (!place)
        return -1;
    sqlite3_stmt *attach = NULL;
    int status = -1;
    if (sqlite3_prepare_v2(database->handle, "ATTACH ? AS shard", -1, &attach, NULL) == SQLITE_OK) {
        sqlite3_bind_text(attach, 1, place, -1, SQLITE_STATIC);
        status = sqlite3_step(attach) == SQLITE_DONE ? 0 : -1;
    }
    if (status < 0)
        database_fail(database, err);
    sqlite3_finalize(attach);
    free(place);
    return status;
}

int database_merge(struct database *database, const char *path, struct err *err)
{
    if (merge_check(path, false, err) < 0 || merge_attach(database, path, err) < 0)
        return -1;
    int status = merge_attached(database, err);
    database_do(database, "DETACH shard", NULL);
    /* What SQLite complains of may be in either file. */
    struct err fault;
    if (status < 0 && merge_check(path, true, &fault) < 0 && err)
        *err = fault;
    return status;
}
