/* Results into a database. */
#include "metric/measure.h"
#include "store/handle.h"
#include "store/schema.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

void result_fini(struct run_result *result)
{
    row_fini(&result->row);
    *result = (struct run_result){0};
}

/* --- one result: parameters of a statement count from 1 --------------------------------------- */

static void bind_text(sqlite3_stmt *statement, int column, const char *text)
{
    sqlite3_bind_text(statement, column + 1, text, -1, SQLITE_STATIC); /* NULL -> NULL */
}

static void bind_real(sqlite3_stmt *statement, int column, double value)
{
    if (isfinite(value))
        sqlite3_bind_double(statement, column + 1, value);
    else
        sqlite3_bind_null(statement, column + 1);
}

/* A statement without results, to be used again. */
static int write_step(struct database *database, sqlite3_stmt *statement, struct err *err)
{
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? 0 : database_fail(database, err);
}

static void bind_platform(sqlite3_stmt *run, const struct row *row)
{
    const struct platform *platform = &row->made.platform;
    bool fixed = row->window.kind == WINDOW_FIXED;
    bind_real(run, STORE_RUN_nodes, platform->nodes > 0 ? platform->nodes : NAN);
    bind_real(run, STORE_RUN_node_bandwidth,
              platform->node_bandwidth > 0 ? platform->node_bandwidth : NAN);
    bind_real(run, STORE_RUN_bandwidth, platform->bandwidth > 0 ? platform->bandwidth : NAN);
    bind_real(run, STORE_RUN_window_start, fixed ? row->window.start : NAN);
    bind_real(run, STORE_RUN_window_end, fixed ? row->window.end : NAN);
}

static int write_run(struct database *database, const struct run_result *result, struct err *err)
{
    sqlite3_stmt *run = database->insert_run;
    const struct row *row = &result->row;
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, row->hash);
    sqlite3_bind_null(run, STORE_RUN_id + 1); /* the next number */
    sqlite3_bind_int64(run, STORE_RUN_identity + 1, result->identity);
    bind_text(run, STORE_RUN_version, row->made.version);
    bind_text(run, STORE_RUN_scenario, row->made.scenario);
    bind_text(run, STORE_RUN_hash, row->hash ? hash : NULL);
    bind_text(run, STORE_RUN_family, result->family);
    bind_text(run, STORE_RUN_parameters, result->parameters);
    bind_text(run, STORE_RUN_platform, result->platform);
    bind_platform(run, row);
    sqlite3_bind_int64(run, STORE_RUN_seed + 1, (int64_t)row->made.seed);
    bind_text(run, STORE_RUN_strategy, row->policy);
    bind_text(run, STORE_RUN_error, result->error);
    for (int i = 0; i < MEASURE_COUNT; i++)
        bind_real(run, STORE_RUN_FIXED + i,
                  result->error ? NAN : measure_of(&measures[i], &row->metrics));
    return write_step(database, run, err);
}

/* The `row`th of those that the statement inserts. */
static void bind_app(sqlite3_stmt *apps, int row, int64_t run, const struct run_result *result,
                     uint32_t index)
{
    const struct weir_app_metrics *metrics = &result->row.apps[index];
    int first = row * (STORE_APP_FIXED + APP_MEASURE_COUNT);
    sqlite3_bind_int64(apps, first + STORE_APP_run + 1, run);
    sqlite3_bind_int64(apps, first + STORE_APP_number + 1, (int64_t)index + 1);
    bind_text(apps, first + STORE_APP_name, metrics->name);
    bind_real(apps, first + STORE_APP_nodes, metrics->nodes);
    for (int i = 0; i < APP_MEASURE_COUNT; i++)
        bind_real(apps, first + STORE_APP_FIXED + i, measure_of_app(&app_measures[i], metrics));
}

static int write_apps(struct database *database, const struct run_result *result, struct err *err)
{
    int64_t run = sqlite3_last_insert_rowid(database->handle);
    for (uint32_t next = 0; next < result->row.count;) {
        bool many = result->row.count - next >= STORE_APP_ROWS;
        sqlite3_stmt *apps = many ? database->insert_apps : database->insert_app;
        for (int row = 0; row < (many ? STORE_APP_ROWS : 1); row++)
            bind_app(apps, row, run, result, next++);
        if (write_step(database, apps, err) < 0)
            return -1;
    }
    return 0;
}

/* Makes room for a run that is there and failed, which has no applications. */
static int write_forget_failed(struct database *database, int64_t identity, struct err *err)
{
    sqlite3_bind_int64(database->delete_failed, 1, identity);
    return write_step(database, database->delete_failed, err);
}

static int write_result(struct database *database, const struct run_result *result, struct err *err)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        if (write_run(database, result, err) < 0)
            return -1;
        if (sqlite3_changes(database->handle) > 0)
            return write_apps(database, result, err);
        /* It is there. */
        if (write_forget_failed(database, result->identity, err) < 0)
            return -1;
        if (sqlite3_changes(database->handle) == 0)
            return 0;
    }
    return 0;
}

/* --- transactions ------------------------------------------------------------------------------
 */

/* A statement that is used again and again. 0 or -1. */
static int write_prepare(struct database *database, const char *sql, sqlite3_stmt **statement,
                         struct err *err)
{
    if (*statement)
        return 0;
    int code =
        sqlite3_prepare_v3(database->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
    return code == SQLITE_OK ? 0 : database_fail(database, err);
}

static int write_begin(struct database *database, struct err *err)
{
    char sql[STORE_SQL_SIZE];
    if (write_prepare(database, schema_insert_run(sql), &database->insert_run, err) < 0 ||
        write_prepare(database, schema_insert_apps(sql, 1), &database->insert_app, err) < 0 ||
        write_prepare(database, schema_insert_apps(sql, STORE_APP_ROWS), &database->insert_apps,
                      err) < 0 ||
        write_prepare(database, "DELETE FROM run WHERE identity = ? AND error IS NOT NULL",
                      &database->delete_failed, err) < 0)
        return -1;
    return database_do(database, "BEGIN", err);
}

/* Ends a transaction: keeps what it did if that is complete, and else undoes it. */
static int write_end(struct database *database, int status, struct err *err)
{
    if (status == 0)
        status = database_do(database, "COMMIT", err);
    if (status < 0 && !sqlite3_get_autocommit(database->handle))
        database_do(database, "ROLLBACK", NULL);
    return status;
}

int database_store(struct database *database, const struct run_result *results, size_t count,
                   struct err *err)
{
    int status = 0;
    if (write_begin(database, err) < 0)
        return -1;
    for (size_t i = 0; i < count && status == 0; i++)
        status = write_result(database, &results[i], err);
    return write_end(database, status, err);
}
