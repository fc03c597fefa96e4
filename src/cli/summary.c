#include "cli/summary.h"
#include "store/experiments.h"
#include <stdio.h>
#include <stdlib.h>

/* What is in the database, besides experiments. */
struct query_summary {
    int64_t failed, windows;
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
    *(struct query_summary *)context =
        (struct query_summary){.failed = cells[0].integer, .windows = cells[1].integer};
    return 0;
}

static void summary_measures(const struct query_summary *summary, const struct selection *selection,
                             FILE *sql)
{
    const struct window window = {.kind = summary->windows > 0 ? WINDOW_FIXED : WINDOW_NONE};
    const struct selection usual = selection_default(&window);
    selection = selection->count > 0 ? selection : &usual;
    for (size_t i = 0; i < selection->count; i++)
        fprintf(sql, ", avg(%s) AS %s", selection->measures[i]->name, selection->measures[i]->name);
}

static void summary_write(const struct experiments *experiments,
                          const struct query_summary *summary, const struct selection *selection,
                          FILE *sql)
{
    fputs("SELECT ", sql);
    experiments_select(experiments, sql);
    fputs(", count(*) AS runs", sql);
    if (summary->failed > 0)
        fputs(", count(error) AS failed", sql);
    summary_measures(summary, selection, sql);
    fputs(" FROM run GROUP BY 1", sql);
    for (size_t i = 2; i <= experiments->count; i++)
        fprintf(sql, ", %zu", i);
}

static char *summary_make(const struct experiments *experiments,
                          const struct query_summary *summary, const struct selection *selection,
                          struct err *err)
{
    char *text = NULL;
    size_t size;
    FILE *sql = open_memstream(&text, &size);
    if (sql)
        summary_write(experiments, summary, selection, sql);
    if (sql && fclose(sql) == 0)
        return text;
    free(text);
    err_memory(err);
    return NULL;
}

char *summary_sql(struct database *database, const struct selection *selection, struct err *err)
{
    struct query_summary summary = {0};
    const struct store_reader counts = {summary_head, summary_counts, &summary};
    struct experiments experiments;
    char *text = NULL;
    if (experiments_init(&experiments, database, err) == 0 &&
        database_query(database, "SELECT count(error), count(window_end) FROM run", &counts, err) ==
            0)
        text = summary_make(&experiments, &summary, selection, err);
    experiments_fini(&experiments);
    return text;
}
