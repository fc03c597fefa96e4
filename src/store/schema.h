/* The tables of a database of results, in one list: what is created, written, documented and
 * compared with docs/reference/campaign.md. A change to it is another STORE_SCHEMA. */
#ifndef WEIR_STORE_SCHEMA_H
#define WEIR_STORE_SCHEMA_H

#include "base/err.h"

enum {
    STORE_SCHEMA = 1,              /* PRAGMA user_version */
    STORE_APPLICATION = 0x57656972 /* PRAGMA application_id: "Weir" */
};

/* X(column, type, meaning); the measures of weir/metrics.h follow as REAL columns. */
#define STORE_RUN_COLUMNS(X)                                                                       \
    X(id, "INTEGER PRIMARY KEY", "its number in this database, in the order of arrival")           \
    X(identity, "INTEGER NOT NULL UNIQUE", "a hash of all that determines the result")             \
    X(version, "TEXT NOT NULL", "of the program")                                                  \
    X(scenario, "TEXT NOT NULL", "its name")                                                       \
    X(hash, "TEXT", "of its content, 16 hexadecimal digits")                                       \
    X(family, "TEXT", "that it is drawn from; NULL if it is a file")                               \
    X(parameters, "TEXT NOT NULL",                                                                 \
      "a JSON object: the family's parameters that the campaign gives, the values of its sweep, "  \
      "and as file a hash of the file that the strategy names, or of the plug-in")                                    \
    X(platform, "TEXT", "its name in the campaign; NULL if it has none")                           \
    X(nodes, "REAL", "of the platform; NULL if unknown")                                           \
    X(node_bandwidth, "REAL", "of each node, bytes/s; NULL if unlimited")                          \
    X(bandwidth, "REAL", "of the file system, bytes/s")                                            \
    X(window_start, "REAL", "of the window that is measured, s; NULL if it is the whole run")      \
    X(window_end, "REAL", "the same")                                                              \
    X(seed, "INTEGER NOT NULL", "of all randomness")                                               \
    X(strategy, "TEXT NOT NULL", "as the campaign names it")                                       \
    X(error, "TEXT", "why it failed; NULL if it did not")

#define STORE_APP_COLUMNS(X)                                                                       \
    X(run, "INTEGER", "the id of its run")                                                         \
    X(number, "INTEGER", "of the application in the run, from 1 on")                               \
    X(name, "TEXT", "of the third of several replicas: name.3")                                    \
    X(nodes, "REAL", "NULL if unknown")

enum {
#define X(name, type, help) STORE_RUN_##name,
    STORE_RUN_COLUMNS(X)
#undef X
        STORE_RUN_FIXED, /* their number; the measures follow */
};

enum {
#define X(name, type, help) STORE_APP_##name,
    STORE_APP_COLUMNS(X)
#undef X
        STORE_APP_FIXED,
};

/* The most applications that one statement inserts: one for each would cost half as much again. */
enum { STORE_APP_ROWS = 20 };

enum { STORE_SQL_SIZE = 4096 };

/* "CREATE TABLE run (...); CREATE TABLE application (...)". Returns `buffer`. */
char *schema_create(char buffer[STORE_SQL_SIZE]);

/* "INSERT INTO run VALUES (?, ...)": a run that is there already changes nothing. Of applications,
 * this many rows at once. Return `buffer`. */
char *schema_insert_run(char buffer[STORE_SQL_SIZE]);
char *schema_insert_apps(char buffer[STORE_SQL_SIZE], int rows);

/* The manual's section on it: calls `row` for every column of both tables in order. */
void schema_document(void (*row)(void *context, const char *table, const char *column,
                                 const char *type, const char *help),
                     void *context);

#endif
