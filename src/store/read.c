/* What a database has. */
#include "base/mem.h"
#include "store/handle.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The identities of the runs of a condition, ascending. */
static int64_t *read_identities(struct database *database, const char *condition, size_t *count,
                                struct err *err)
{
    int64_t rows, *list = NULL;
    sqlite3_stmt *statement = NULL;
    int code = SQLITE_ERROR;
    char sql[128];
    *count = 0;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM run WHERE %s", condition);
    if (database_number(database, sql, &rows, err) < 0)
        return NULL;
    list = mem_alloc((size_t)rows, sizeof *list);
    if (!list) {
        err_memory(err);
        return NULL;
    }
    snprintf(sql, sizeof sql, "SELECT identity FROM run WHERE %s ORDER BY identity", condition);
    if (sqlite3_prepare_v2(database->handle, sql, -1, &statement, NULL) == SQLITE_OK)
        while ((code = sqlite3_step(statement)) == SQLITE_ROW && *count < (size_t)rows)
            list[(*count)++] = sqlite3_column_int64(statement, 0);
    if (code != SQLITE_DONE && code != SQLITE_ROW) {
        database_fail(database, err);
        free(list);
        list = NULL;
    }
    sqlite3_finalize(statement);
    return list;
}

int64_t *database_identities(struct database *database, enum store_runs which, size_t *count,
                             struct err *err)
{
    static const char *const conditions[] = {
        [STORE_ALL] = "true", [STORE_FAILED] = "error IS NOT NULL", [STORE_DONE] = "error IS NULL"};
    return read_identities(database, conditions[which], count, err);
}

/* --- queries -----------------------------------------------------------------------------------
 */

/* 0, or -1 when memory is out. */
static int read_cells(sqlite3_stmt *statement, struct store_cell *cells, int count)
{
    for (int i = 0; i < count; i++) {
        struct store_cell *cell = &cells[i];
        *cell = (struct store_cell){.kind = STORE_NULL};
        switch (sqlite3_column_type(statement, i)) {
        case SQLITE_INTEGER:
            cell->kind = STORE_INTEGER;
            cell->integer = sqlite3_column_int64(statement, i);
            break;
        case SQLITE_FLOAT:
            cell->kind = STORE_REAL;
            cell->real = sqlite3_column_double(statement, i);
            break;
        case SQLITE_TEXT:
            cell->kind = STORE_TEXT;
            cell->text = (const char *)sqlite3_column_text(statement, i);
            cell->length = (size_t)sqlite3_column_bytes(statement, i);
            break;
        case SQLITE_BLOB:
            cell->kind = STORE_BLOB;
            cell->text = sqlite3_column_blob(statement, i);
            cell->length = (size_t)sqlite3_column_bytes(statement, i);
            break;
        default:
            break;
        }
        if (!cell->text && (cell->kind == STORE_TEXT || cell->length > 0))
            return -1;
    }
    return 0;
}

static int read_rows(struct database *database, sqlite3_stmt *statement,
                     const struct store_reader *reader, struct err *err)
{
    int count = sqlite3_column_count(statement), status = -1, code;
    struct store_cell *cells = mem_alloc((size_t)count, sizeof *cells);
    const char **names = mem_alloc((size_t)count, sizeof *names);
    if (!cells || !names) {
        err_memory(err);
    } else {
        for (int i = 0; i < count; i++)
            names[i] = sqlite3_column_name(statement, i);
        code = sqlite3_step(statement); /* before anything is printed */
        if (code == SQLITE_ROW || code == SQLITE_DONE)
            status = reader->head(reader->context, names, count, err);
        for (; status == 0 && code == SQLITE_ROW; code = sqlite3_step(statement)) {
            status = read_cells(statement, cells, count) < 0
                         ? err_memory(err)
                         : reader->row(reader->context, cells, count, err);
            if (status < 0)
                break;
        }
        if (code != SQLITE_ROW && code != SQLITE_DONE)
            status = database_fail(database, err);
    }
    free(names);
    free(cells);
    return status;
}

int database_query(struct database *database, const char *sql, const struct store_reader *reader,
                   struct err *err)
{
    sqlite3_stmt *statement = NULL;
    const char *rest = "";
    int status = -1;
    if (sqlite3_prepare_v2(database->handle, sql, -1, &statement, &rest) != SQLITE_OK)
        err_set(err, "%s", sqlite3_errmsg(database->handle));
    else if (!statement)
        err_set(err, "an empty statement");
    else if (!sqlite3_stmt_readonly(statement) || sqlite3_column_count(statement) == 0)
        err_set(err, "only SELECT statements are allowed, such as 'SELECT * FROM run'");
    else if (rest[strspn(rest, " \t\r\n;")])
        err_set(err, "only one statement is possible");
    else
        status = read_rows(database, statement, reader, err);
    sqlite3_finalize(statement);
    return status;
}
