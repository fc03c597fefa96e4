#include "store/database.h"
#include "base/mem.h"
#include "store/handle.h"
#include "store/place.h"
#include "store/schema.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DATABASE_PATIENCE_MS = 10000 };

/* --- statements --------------------------------------------------------------------------------
 */

int database_fail(const struct database *database, struct err *err)
{
    const char *path = database->path;
    switch (sqlite3_errcode(database->handle)) {
    case SQLITE_NOMEM:
        return err_memory(err);
    case SQLITE_FULL:
        return err_set(err,
                       "%s: disk full; what was stored before is safe: free some space and run the "
                       "same command again",
                       path);
    case SQLITE_READONLY:
        return err_set(err, "%s: read-only", path);
    case SQLITE_NOTADB:
        return err_set(err, "%s: not a database", path);
    case SQLITE_CORRUPT:
        return err_set(err, "%s: damaged", path);
    case SQLITE_BUSY:
        return err_set(err, "%s: in use by another program", path);
    case SQLITE_CANTOPEN: {
        int number = sqlite3_system_errno(database->handle);
        return err_set(err, "cannot open %s%s%s", path, number ? ": " : "",
                       number ? strerror(number) : "");
    }
    default:
        return err_set(err, "%s: %s", path, sqlite3_errmsg(database->handle));
    }
}

int database_do(struct database *database, const char *sql, struct err *err)
{
    if (sqlite3_exec(database->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
        return database_fail(database, err);
    return 0;
}

int database_number(struct database *database, const char *sql, int64_t *number, struct err *err)
{
    sqlite3_stmt *statement = NULL;
    int status = -1;
    if (sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        *number = sqlite3_column_int64(statement, 0);
        status = 0;
    }
    if (status < 0)
        database_fail(database, err);
    sqlite3_finalize(statement);
    return status;
}

/* --- opening -----------------------------------------------------------------------------------
 */

static struct database *database_open(const char *path, int flags, struct err *err)
{
    char *place = place_resolve(path, err);
    if (!place)
        return NULL;
    struct database *database = mem_alloc(1, sizeof *database);
    if (!database || !(database->path = mem_alloc(strlen(path) + 1, 1))) {
        free(database);
        free(place);
        err_memory(err);
        return NULL;
    }
    strcpy(database->path, path);
    database->place = place;
    int code = sqlite3_open_v2(place, &database->handle, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (code == SQLITE_OK) {
        sqlite3_busy_timeout(database->handle, DATABASE_PATIENCE_MS);
        return database;
    }
    if (!database->handle)
        err_memory(err);
    else
        database_fail(database, err);
    database_close(database);
    return NULL;
}

int database_check(struct database *database, int oldest, struct err *err)
{
    int64_t application, schema;
    if (database_number(database, "PRAGMA application_id", &application, err) < 0 ||
        database_number(database, "PRAGMA user_version", &schema, err) < 0)
        return -1;
    if (application != STORE_APPLICATION)
        return err_set(err, "%s: a database of something else, not of 'weir campaign'",
                       database->path);
    if (schema > STORE_SCHEMA)
        return err_set(err, "%s: has schema %d of a newer weir, this one has %d", database->path,
                       (int)schema, STORE_SCHEMA);
    if (schema < oldest)
        return err_set(err,
                       "%s: has schema %d of an older weir, this one has %d; 'weir merge NEW %s' "
                       "copies it into a new database",
                       database->path, (int)schema, STORE_SCHEMA, database->path);
    return 0;
}

/* In one transaction, so that a process that ends here leaves an empty file, or all. */
static int database_create(struct database *database, struct err *err)
{
    char tables[STORE_SQL_SIZE], sql[STORE_SQL_SIZE + 200];
    snprintf(sql, sizeof sql,
             "BEGIN IMMEDIATE; PRAGMA application_id = %d; PRAGMA user_version = %d; %s COMMIT",
             STORE_APPLICATION, STORE_SCHEMA, schema_create(tables));
    return database_do(database, sql, err);
}

/* Creates the tables in an empty database, and checks any other. */
static int database_prepare(struct database *database, struct err *err)
{
    int64_t objects;
    if (database_number(database, "SELECT count(*) FROM sqlite_master", &objects, err) < 0)
        return -1;
    if ((objects == 0 ? database_create(database, err)
                      : database_check(database, STORE_SCHEMA, err)) < 0)
        return -1;
    /* NORMAL: commits survive the end of the process, not always that of the machine's power. */
    return database_do(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", err);
}

struct database *database_open_write(const char *path, struct err *err)
{
    struct store_lock lock = {0};
    char *place = place_resolve(path, err);
    bool missing = place && access(place, F_OK) != 0;
    int locked = place ? store_lock_take(&lock, place, path, err) : -1;
    free(place);
    if (locked < 0)
        return NULL;
    struct database *database =
        database_open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
    if (!database) {
        store_lock_release(&lock);
        return NULL;
    }
    database->lock = lock;
    database->created = missing;
    if (database_prepare(database, err) == 0)
        return database;
    database_abandon(database);
    return NULL;
}

struct database *database_open_read(const char *path, struct err *err)
{
    struct database *database = database_open(path, SQLITE_OPEN_READONLY, err);
    if (database && database_check(database, STORE_SCHEMA, err) < 0) {
        database_close(database);
        return NULL;
    }
    return database;
}

/* Before the lock is given up. */
static void database_shut(struct database *database)
{
    sqlite3_finalize(database->insert_run);
    sqlite3_finalize(database->delete_failed);
    sqlite3_finalize(database->insert_app);
    sqlite3_finalize(database->insert_apps);
    /* One plain file, which can be read where nothing can be written; unless others read it now. */
    if (database->lock.path) {
        sqlite3_busy_timeout(database->handle, 0);
        database_do(database, "PRAGMA journal_mode = DELETE", NULL);
    }
    sqlite3_close(database->handle);
}

static void database_free(struct database *database)
{
    store_lock_release(&database->lock);
    free(database->path);
    free(database->place);
    free(database);
}

void database_close(struct database *database)
{
    if (!database)
        return;
    database_shut(database);
    database_free(database);
}

void database_abandon(struct database *database)
{
    if (!database)
        return;
    database_shut(database);
    if (database->created)
        unlink(database->place);
    database_free(database);
}
