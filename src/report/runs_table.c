#include "base/mem.h"
#include "base/text.h"
#include "report/runs.h"
#include "report/table.h"
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 5, SCREEN = 80 };

static struct table_column column_of(const struct measure *measure)
{
    return (struct table_column){
        .heading = measure->name, .unit = measure->unit, .sense = measure->sense, .digits = DIGITS};
}

/* The values of one row of the table. */
static void runs_fill(const struct selection *selection, const struct weir_metrics *metrics,
                      double *values)
{
    for (size_t i = 0; i < selection->count; i++)
        values[i] = measure_of(selection->measures[i], metrics);
}

int runs_print_table(const struct rows *rows, const struct selection *selection, bool colour,
                     FILE *out)
{
    struct table_column columns[MEASURE_COUNT];
    size_t lines = rows->count + (rows->bounds ? 1 : 0);
    const char **names = mem_alloc(lines, sizeof *names);
    double *values = mem_alloc(lines, sizeof *values * MEASURE_COUNT);
    int status = names && values ? 0 : -1;
    if (status == 0) {
        for (size_t i = 0; i < selection->count; i++)
            columns[i] = column_of(selection->measures[i]);
        for (size_t k = 0; k < lines; k++) {
            bool bound = k == rows->count;
            names[k] = bound ? RUNS_BOUND : rows->list[k].policy;
            runs_fill(selection, bound ? rows->bounds : &rows->list[k].metrics,
                      &values[k * selection->count]);
        }
        table_print(&(struct table){.corner = "strategy",
                                    .names = names,
                                    .rows = lines,
                                    .bounds = lines - rows->count,
                                    .columns = columns,
                                    .count = selection->count,
                                    .values = values,
                                    .width = selection->chosen ? 0 : SCREEN,
                                    .colour = colour,
                                    .legend = true},
                    out);
    }
    free(names);
    free(values);
    return status;
}

enum { LABEL_SIZE = 64, APP_COLUMNS = APP_MEASURE_COUNT + 1 };

/* What a table of applications is made of; they are too many for the stack. */
struct app_lines {
    char (*labels)[LABEL_SIZE];
    const char **names;
    double *values;
};

/* A name that is too long is cut, the number of a replica is not. */
static const char *runs_table_label(const char *name, char label[LABEL_SIZE])
{
    const char *number = strrchr(name, '.');
    if (!number || !number[1] || number[1 + strspn(number + 1, "0123456789")])
        number = name + strlen(name);
    size_t most = LABEL_SIZE - 1, length = strlen(number);
    if (strlen(name) <= most)
        return name;
    size_t kept = text_cut(name, (size_t)(number - name), length < most ? most - length : 0);
    snprintf(label, LABEL_SIZE, "%.*s%s", (int)kept, name, number);
    return label;
}

static void fill_apps(const struct row *row, struct app_lines *lines)
{
    for (uint32_t i = 0; i < row->count; i++) {
        double *value = &lines->values[(size_t)i * APP_COLUMNS];
        lines->names[i] = runs_table_label(row->apps[i].name, lines->labels[i]);
        *value++ = row->apps[i].nodes;
        for (size_t k = 0; k < APP_MEASURE_COUNT; k++)
            *value++ = measure_of_app(&app_measures[k], &row->apps[i]);
    }
}

int run_print_apps(const struct row *row, bool colour, FILE *out)
{
    struct table_column columns[APP_COLUMNS] = {{.heading = "nodes", .digits = DIGITS}};
    columns[0].sense = METRIC_INFO;
    for (size_t k = 0; k < APP_MEASURE_COUNT; k++)
        columns[k + 1] = column_of(&app_measures[k]);

    struct app_lines lines = {.labels = mem_alloc(row->count, LABEL_SIZE),
                              .names = mem_alloc(row->count, sizeof *lines.names),
                              .values = mem_alloc(row->count, sizeof *lines.values * APP_COLUMNS)};
    int status = lines.labels && lines.names && lines.values ? 0 : -1;
    if (status == 0) {
        fill_apps(row, &lines);
        table_print(&(struct table){.corner = "application",
                                    .names = lines.names,
                                    .rows = row->count,
                                    .columns = columns,
                                    .count = APP_COLUMNS,
                                    .values = lines.values,
                                    .width = SCREEN,
                                    .colour = colour},
                    out);
    }
    free(lines.labels);
    free(lines.names);
    free(lines.values);
    return status;
}

void run_print_stores(const struct row *row, bool colour, FILE *out)
{
    struct table_column columns[STORE_MEASURE_COUNT];
    const char *names[STORE_CHANNELS];
    double values[STORE_CHANNELS * STORE_MEASURE_COUNT];
    for (size_t k = 0; k < STORE_MEASURE_COUNT; k++)
        columns[k] = column_of(&store_measures[k]);
    for (uint32_t i = 0; i < row->store_count; i++) {
        names[i] = row->stores[i].name;
        for (size_t k = 0; k < STORE_MEASURE_COUNT; k++)
            values[i * STORE_MEASURE_COUNT + k] =
                measure_of_store(&store_measures[k], &row->stores[i]);
    }
    table_print(&(struct table){.corner = "store",
                                .names = names,
                                .rows = row->store_count,
                                .columns = columns,
                                .count = STORE_MEASURE_COUNT,
                                .values = values,
                                .width = SCREEN,
                                .colour = colour},
                out);
}

int run_print_parties(const struct row *row, enum party_kind kind, bool colour, FILE *out)
{
    const struct row_parties *parties = &row->parties[kind];
    struct table_column columns[PARTY_MEASURE_COUNT];
    const char **names = mem_alloc(parties->count, sizeof *names);
    double *values = mem_alloc(parties->count, sizeof *values * PARTY_MEASURE_COUNT);
    int status = names && values ? 0 : -1;
    for (size_t k = 0; k < PARTY_MEASURE_COUNT; k++)
        columns[k] = column_of(&party_measures[k]);
    if (status == 0) {
        for (uint32_t i = 0; i < parties->count; i++) {
            names[i] = parties->list[i].name;
            for (size_t k = 0; k < PARTY_MEASURE_COUNT; k++)
                values[(size_t)i * PARTY_MEASURE_COUNT + k] =
                    measure_of_party(&party_measures[k], &parties->list[i]);
        }
        table_print(&(struct table){.corner = party_kind_names[kind],
                                    .names = names,
                                    .rows = parties->count,
                                    .columns = columns,
                                    .count = PARTY_MEASURE_COUNT,
                                    .values = values,
                                    .width = SCREEN,
                                    .colour = colour},
                    out);
    }
    free(names);
    free(values);
    return status;
}
