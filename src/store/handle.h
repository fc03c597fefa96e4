/* The insides of a database, for the files of this room. */
#ifndef WEIR_STORE_HANDLE_H
#define WEIR_STORE_HANDLE_H

#include "store/database.h"
#include "store/lock.h"
#include <sqlite3.h>

struct database {
    sqlite3 *handle;
    /* NULL until they are needed: */
    sqlite3_stmt *insert_run, *insert_app, *insert_apps, *delete_failed;
    struct store_lock lock;
    char *path;   /* as the user wrote it */
    char *place;  /* where it is: place_resolve */
    bool created; /* by the call that opened it */
};

/* States why the last call failed; returns -1. */
int database_fail(const struct database *database, struct err *err);

/* Runs statements without results. 0 or -1. */
int database_do(struct database *database, const char *sql, struct err *err);

/* The one number that a statement gives. 0 or -1. */
int database_number(struct database *database, const char *sql, int64_t *number, struct err *err);

/* Whether it is of this program, and its schema is at least `oldest`. 0 or -1. */
int database_check(struct database *database, int oldest, struct err *err);

#endif
