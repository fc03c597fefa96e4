/* Results in a SQLite database, see docs/reference/campaign.md. While it is written it is in WAL mode, so
 * that others can read it; closed, it is one plain file. A transaction that was committed survives
 * the end of the process, however that ends. */
#ifndef WEIR_STORE_DATABASE_H
#define WEIR_STORE_DATABASE_H

#include "base/err.h"
#include "store/result.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct database;

/* To write, it is created if it is missing, and locked against other writers, whatever name they
 * have for it. NULL with err: it is not a file (place.h), it has hard links, it cannot be opened or
 * created, it is of something else, its schema is another one, or another process writes to it. */
struct database *database_open_write(const char *path, struct err *err);
struct database *database_open_read(const char *path, struct err *err);

/* Gives up the lock. NULL is fine. */
void database_close(struct database *database);

/* The same, and removes the file if database_open_write has created it. */
void database_abandon(struct database *database);

/* The identities of stored runs, ascending: of all, or those that failed, or the others. free()
 * frees. NULL with err. */
enum store_runs { STORE_ALL, STORE_FAILED, STORE_DONE };
int64_t *database_identities(struct database *database, enum store_runs which, size_t *count,
                             struct err *err);

/* Stores results in one transaction: all, or none and -1 with err. One that is already there is
 * left as it is, unless it failed: then the new one replaces it. */
int database_store(struct database *database, const struct run_result *results, size_t count,
                   struct err *err);

/* Whether a database can be merged: it is there, of this program, and not of a newer one. 0 or -1.
 */
int database_check_shard(const char *path, struct err *err);

/* Adds the results of another database that are not here, and those that failed only here. Its
 * schema may be older: then what it lacks is NULL. 0 or -1, and nothing has changed. */
int database_merge(struct database *database, const char *path, struct err *err);

/* --- reading -----------------------------------------------------------------------------------
 */

enum store_cell_kind { STORE_NULL, STORE_INTEGER, STORE_REAL, STORE_TEXT, STORE_BLOB };

struct store_cell {
    enum store_cell_kind kind;
    int64_t integer;
    double real;
    const char *text; /* of a text or a blob, until the next row; a text ends with a 0 byte */
    size_t length;    /* of that; a text may have 0 bytes inside */
};

struct store_reader {
    /* Both return 0 to go on, or -1 with err. */
    int (*head)(void *context, const char *const *names, int count, struct err *err);
    int (*row)(void *context, const struct store_cell *cells, int count, struct err *err);
    void *context;
};

/* Runs one SQL statement that only reads; calls `head` once the first row is there, or the end. 0,
 * or -1 with err, also for a statement that would change anything. */
int database_query(struct database *database, const char *sql, const struct store_reader *reader,
                   struct err *err);

#endif
