#include "store/schema.h"
#include "base/text.h"
#include "metric/measure.h"
#include <stdio.h>

struct schema_column {
    const char *name, *type, *help;
};

static const struct schema_column run_columns[] = {
#define X(name, type, help) {#name, type, help},
    STORE_RUN_COLUMNS(X)
#undef X
};

static const struct schema_column app_columns[] = {
#define X(name, type, help) {#name, type, help},
    STORE_APP_COLUMNS(X)
#undef X
};

/* A table: its own columns, and the measures that follow. */
struct schema_table {
    const char *name;
    const struct schema_column *columns;
    int count;
    const struct measure *measures;
    int measure_count;
};

static const struct schema_table run_table = {"run", run_columns, STORE_RUN_FIXED, measures,
                                              MEASURE_COUNT};
/* Without a key: rows are only ever added at the end, those of a run together with it, and a key
 * would double what an application costs. */
static const struct schema_table app_table = {"application", app_columns, STORE_APP_FIXED,
                                              app_measures, APP_MEASURE_COUNT};

static void schema_append_table(char *buffer, const struct schema_table *table)
{
    char text[128];
    snprintf(text, sizeof text, "CREATE TABLE %s (", table->name);
    text_append(buffer, STORE_SQL_SIZE, text);
    for (int i = 0; i < table->count; i++) {
        snprintf(text, sizeof text, "%s%s %s", i ? ", " : "", table->columns[i].name,
                 table->columns[i].type);
        text_append(buffer, STORE_SQL_SIZE, text);
    }
    for (int i = 0; i < table->measure_count; i++) {
        snprintf(text, sizeof text, ", %s REAL", table->measures[i].name);
        text_append(buffer, STORE_SQL_SIZE, text);
    }
    text_append(buffer, STORE_SQL_SIZE, ");\n");
}

char *schema_create(char buffer[STORE_SQL_SIZE])
{
    *buffer = 0;
    schema_append_table(buffer, &run_table);
    schema_append_table(buffer, &app_table);
    return buffer;
}

static char *schema_insert(char buffer[STORE_SQL_SIZE], const struct schema_table *table, int rows)
{
    snprintf(buffer, STORE_SQL_SIZE, "INSERT INTO %s VALUES ", table->name);
    for (int row = 0; row < rows; row++) {
        text_append(buffer, STORE_SQL_SIZE, row ? ",(?" : "(?");
        for (int i = 1; i < table->count + table->measure_count; i++)
            text_append(buffer, STORE_SQL_SIZE, ",?");
        text_append(buffer, STORE_SQL_SIZE, ")");
    }
    return buffer;
}

char *schema_insert_run(char buffer[STORE_SQL_SIZE])
{
    schema_insert(buffer, &run_table, 1);
    text_append(buffer, STORE_SQL_SIZE, " ON CONFLICT (identity) DO NOTHING");
    return buffer;
}

char *schema_insert_apps(char buffer[STORE_SQL_SIZE], int rows)
{
    return schema_insert(buffer, &app_table, rows);
}

static void schema_document_table(const struct schema_table *table,
                                  void (*row)(void *context, const char *table, const char *column,
                                              const char *type, const char *help),
                                  void *context)
{
    for (int i = 0; i < table->count; i++)
        row(context, table->name, table->columns[i].name, table->columns[i].type,
            table->columns[i].help);
    for (int i = 0; i < table->measure_count; i++)
        row(context, table->name, table->measures[i].name, "REAL", table->measures[i].help);
}

void schema_document(void (*row)(void *context, const char *table, const char *column,
                                 const char *type, const char *help),
                     void *context)
{
    schema_document_table(&run_table, row, context);
    schema_document_table(&app_table, row, context);
}
