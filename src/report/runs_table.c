#include "base/mem.h"
#include "report/runs.h"
#include "report/table.h"
#include <math.h>
#include <stdlib.h>

enum { DIGITS = 5, SCREEN = 80 };

static struct table_column column_of(const struct measure *measure)
{
    return (struct table_column){
        .heading = measure->name, .unit = measure->unit, .sense = measure->sense, .digits = DIGITS};
}

int runs_print_table(const struct runs *runs, const struct selection *selection, bool colour,
                     FILE *out)
{
    struct table_column columns[MEASURE_COUNT];
    const char **names = mem_alloc(runs->count, sizeof *names);
    double *values = mem_alloc(runs->count, sizeof *values * MEASURE_COUNT);
    int status = names && values ? 0 : -1;
    if (status == 0) {
        for (size_t i = 0; i < selection->count; i++)
            columns[i] = column_of(selection->measures[i]);
        for (size_t row = 0; row < runs->count; row++) {
            names[row] = runs->list[row].policy;
            for (size_t i = 0; i < selection->count; i++)
                values[row * selection->count + i] =
                    measure_of(selection->measures[i], &runs->list[row].metrics);
        }
        table_print(&(struct table){.corner = "strategy",
                                    .names = names,
                                    .rows = runs->count,
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
struct app_rows {
    char (*labels)[LABEL_SIZE];
    const char **names;
    double *values;
};

static void fill_apps(const struct workload *workload, const struct run *run, struct app_rows *rows)
{
    for (uint32_t i = 0; i < workload->count; i++) {
        const struct app *app = &workload->apps[i];
        double *value = &rows->values[(size_t)i * APP_COLUMNS];
        rows->names[i] = app_label(app, rows->labels[i], LABEL_SIZE);
        *value++ = workload->nodes_known ? app->facts.nodes : NAN;
        for (size_t k = 0; k < APP_MEASURE_COUNT; k++)
            *value++ = measure_of_app(&app_measures[k], &run->apps[i]);
    }
}

int run_print_apps(const struct workload *workload, const struct run *run, bool colour, FILE *out)
{
    struct table_column columns[APP_COLUMNS] = {{.heading = "nodes", .digits = DIGITS}};
    columns[0].sense = METRIC_INFO;
    for (size_t k = 0; k < APP_MEASURE_COUNT; k++)
        columns[k + 1] = column_of(&app_measures[k]);

    struct app_rows rows = {.labels = mem_alloc(workload->count, LABEL_SIZE),
                            .names = mem_alloc(workload->count, sizeof *rows.names),
                            .values =
                                mem_alloc(workload->count, sizeof *rows.values * APP_COLUMNS)};
    int status = rows.labels && rows.names && rows.values ? 0 : -1;
    if (status == 0) {
        fill_apps(workload, run, &rows);
        table_print(&(struct table){.corner = "application",
                                    .names = rows.names,
                                    .rows = workload->count,
                                    .columns = columns,
                                    .count = APP_COLUMNS,
                                    .values = rows.values,
                                    .width = SCREEN,
                                    .colour = colour},
                    out);
    }
    free(rows.labels);
    free(rows.names);
    free(rows.values);
    return status;
}

int run_print_parties(const struct workload *workload, const struct run *run, enum party_kind kind,
                      bool colour, FILE *out)
{
    const struct parties *parties = &workload->parties[kind];
    struct table_column columns[PARTY_MEASURE_COUNT];
    double *values = mem_alloc(parties->count, sizeof *values * PARTY_MEASURE_COUNT);
    if (!values)
        return -1;
    for (size_t k = 0; k < PARTY_MEASURE_COUNT; k++) {
        columns[k] = column_of(&party_measures[k]);
        for (uint32_t i = 0; i < parties->count; i++)
            values[(size_t)i * PARTY_MEASURE_COUNT + k] =
                measure_of_party(&party_measures[k], &run->parties[kind][i]);
    }
    table_print(&(struct table){.corner = party_kind_names[kind],
                                .names = parties->names,
                                .rows = parties->count,
                                .columns = columns,
                                .count = PARTY_MEASURE_COUNT,
                                .values = values,
                                .width = SCREEN,
                                .colour = colour},
                out);
    free(values);
    return 0;
}
