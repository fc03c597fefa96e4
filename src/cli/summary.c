#include "cli/summary.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a database has, and the statement while it is written. */
struct query_summary {
    FILE *sql;
    char *text; /* what is written of it */
    int64_t versions, platforms, failed, windows;
    int64_t mixed; /* groups of which a test says that they are several experiments */
    int columns;   /* by which runs are grouped */
};

static int summary_head(void *context, const char *const *names, int count, struct err *err)
{
    (void)context;
    (void)names;
    (void)count;
    (void)err;
    return 0;
}

static int summary_counts(void *context, const struct store_cell *cells, int count, struct err *err)
{
    (void)count;
    (void)err;
    struct query_summary *summary = context;
    summary->versions = cells[0].integer;
    summary->platforms = cells[1].integer;
    summary->failed = cells[2].integer;
    summary->windows = cells[3].integer;
    return 0;
}

static void summary_quote(FILE *out, const char *text, char quote)
{
    fputc(quote, out);
    for (; *text; text++) {
        if (*text == quote)
            fputc(quote, out);
        fputc(*text, out);
    }
    fputc(quote, out);
}

static void summary_column(struct query_summary *summary, const char *text)
{
    fprintf(summary->sql, "%s%s", summary->columns++ ? ", " : "SELECT ", text);
}

/* One column for every key of the parameters. */
static int summary_parameter(void *context, const struct store_cell *cells, int count,
                             struct err *err)
{
    (void)count;
    (void)err;
    struct query_summary *summary = context;
    summary_column(summary, "(SELECT value FROM json_each(parameters) WHERE key = ");
    summary_quote(summary->sql, cells[0].text, '\'');
    fputs(") AS ", summary->sql);
    summary_quote(summary->sql, cells[0].text, '"');
    return 0;
}

/* --- experiments of the same names --------------------------------------------------------------
 */

static int summary_mixed(void *context, const struct store_cell *cells, int count, struct err *err)
{
    (void)count;
    (void)err;
    ((struct query_summary *)context)->mixed = cells[0].integer;
    return 0;
}

static void summary_group(FILE *sql, int columns)
{
    fputs(" FROM run GROUP BY 1", sql);
    for (int i = 2; i <= columns; i++)
        fprintf(sql, ", %d", i);
}

/* Adds the column `name` if runs that the columns so far put together differ in it. A family may
 * draw its platform, so its runs are compared seed by seed. 0 or -1. */
static int summary_tell_apart(struct query_summary *summary, struct database *database,
                              const char *column, const char *name, struct err *err)
{
    const struct store_reader reader = {summary_head, summary_mixed, summary};
    char *text = NULL, shown[64];
    size_t size;
    FILE *sql = open_memstream(&text, &size);
    if (!sql || fflush(summary->sql) != 0) {
        if (sql)
            fclose(sql);
        free(text);
        return err_memory(err);
    }
    fprintf(sql, "SELECT count(*) FROM (%s", summary->text);
    summary_group(sql, summary->columns);
    fprintf(sql,
            ", CASE WHEN family IS NULL THEN NULL ELSE seed END "
            "HAVING count(DISTINCT %s) > 1 OR (count(%s) > 0 AND count(%s) < count(hash)))",
            column, column, column);
    int status = fclose(sql) == 0 ? database_query(database, text, &reader, err) : err_memory(err);
    free(text);
    if (status == 0 && summary->mixed > 0) {
        snprintf(shown, sizeof shown, "%s AS \"%s\"", column, name);
        summary_column(summary, shown);
    }
    return status;
}

/* A platform that was edited, then any other content of files. 0 or -1. */
static int summary_separate(struct query_summary *summary, struct database *database,
                            struct err *err)
{
    static const char *const platform[][2] = {{"nodes", "platform.nodes"},
                                              {"node_bandwidth", "platform.node_bandwidth"},
                                              {"bandwidth", "platform.bandwidth"}};
    for (size_t i = 0; i < sizeof platform / sizeof *platform; i++)
        if (summary_tell_apart(summary, database, platform[i][0], platform[i][1], err) < 0)
            return -1;
    return summary_tell_apart(summary, database, "CASE WHEN family IS NULL THEN hash END", "hash",
                              err);
}

/* --- the statement ------------------------------------------------------------------------------
 */

static void summary_measures(struct query_summary *summary, const struct selection *selection)
{
    const struct window window = {.kind = summary->windows > 0 ? WINDOW_FIXED : WINDOW_NONE};
    const struct selection usual = selection_default(&window);
    selection = selection->count > 0 ? selection : &usual;
    for (size_t i = 0; i < selection->count; i++)
        fprintf(summary->sql, ", avg(%s) AS %s", selection->measures[i]->name,
                selection->measures[i]->name);
}

static int summary_write(struct query_summary *summary, struct database *database,
                         const struct selection *selection, struct err *err)
{
    struct store_reader counts = {summary_head, summary_counts, summary};
    struct store_reader keys = {summary_head, summary_parameter, summary};
    if (database_query(database,
                       "SELECT count(DISTINCT version), count(DISTINCT platform), count(error), "
                       "count(window_end) FROM run",
                       &counts, err) < 0)
        return -1;
    if (summary->versions > 1)
        summary_column(summary, "version");
    summary_column(summary, "coalesce(family, scenario) AS workload");
    if (database_query(database,
                       "SELECT key FROM run, json_each(parameters) GROUP BY key "
                       "ORDER BY max(json_each.id), key",
                       &keys, err) < 0)
        return -1;
    if (summary->platforms > 0)
        summary_column(summary, "platform");
    if (summary_separate(summary, database, err) < 0)
        return -1;
    summary_column(summary, "strategy");
    fputs(", count(*) AS runs", summary->sql);
    if (summary->failed > 0)
        fputs(", count(error) AS failed", summary->sql);
    summary_measures(summary, selection);
    summary_group(summary->sql, summary->columns);
    return 0;
}

char *summary_sql(struct database *database, const struct selection *selection, struct err *err)
{
    struct query_summary summary = {0};
    size_t size;
    summary.sql = open_memstream(&summary.text, &size);
    if (!summary.sql) {
        err_memory(err);
        return NULL;
    }
    int status = summary_write(&summary, database, selection, err);
    if (fclose(summary.sql) != 0 && status == 0)
        status = err_memory(err);
    if (status == 0)
        return summary.text;
    free(summary.text);
    return NULL;
}
