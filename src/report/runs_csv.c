#include "report/csv.h"
#include "report/runs.h"

static void runs_csv_begin(const struct row *row, const char *policy, FILE *out)
{
    csv_text(row->made.scenario, out);
    fputc(',', out);
    csv_text(policy, out);
}

void runs_csv_header(const struct selection *selection, FILE *out)
{
    fputs("scenario,policy", out);
    for (size_t i = 0; i < selection->count; i++)
        fprintf(out, ",%s", selection->measures[i]->name);
    fputc('\n', out);
}

static void runs_csv_measures(const struct weir_metrics *metrics, const struct selection *selection,
                              FILE *out)
{
    for (size_t k = 0; k < selection->count; k++)
        csv_number(measure_of(selection->measures[k], metrics), out);
    fputc('\n', out);
}

void runs_csv(const struct rows *rows, const struct selection *selection, FILE *out)
{
    for (size_t i = 0; i < rows->count; i++) {
        runs_csv_begin(&rows->list[i], rows->list[i].policy, out);
        runs_csv_measures(&rows->list[i].metrics, selection, out);
    }
    if (rows->bounds && rows->count > 0) {
        runs_csv_begin(&rows->list[0], RUNS_BOUND, out);
        runs_csv_measures(rows->bounds, selection, out);
    }
}

void runs_csv_apps_header(FILE *out)
{
    fputs("scenario,policy,name,nodes", out);
    for (size_t k = 0; k < APP_MEASURE_COUNT; k++)
        fprintf(out, ",%s", app_measures[k].name);
    fputc('\n', out);
}

static void runs_csv_write_app(const struct row *row, const struct weir_app_metrics *app, FILE *out)
{
    runs_csv_begin(row, row->policy, out);
    fputc(',', out);
    csv_text(app->name, out);
    csv_number(app->nodes, out);
    for (size_t k = 0; k < APP_MEASURE_COUNT; k++)
        csv_number(measure_of_app(&app_measures[k], app), out);
    fputc('\n', out);
}

void runs_csv_apps(const struct rows *rows, FILE *out)
{
    for (size_t i = 0; i < rows->count; i++)
        for (uint32_t id = 0; id < rows->list[i].count; id++)
            runs_csv_write_app(&rows->list[i], &rows->list[i].apps[id], out);
}

void runs_csv_parties_header(FILE *out)
{
    fputs("scenario,policy,name", out);
    for (size_t k = 0; k < PARTY_MEASURE_COUNT; k++)
        fprintf(out, ",%s", party_measures[k].name);
    fputc('\n', out);
}

static void runs_csv_write_party(const struct row *row, const struct weir_party_metrics *party,
                                 FILE *out)
{
    runs_csv_begin(row, row->policy, out);
    fputc(',', out);
    csv_text(party->name, out);
    for (size_t k = 0; k < PARTY_MEASURE_COUNT; k++)
        csv_number(measure_of_party(&party_measures[k], party), out);
    fputc('\n', out);
}

void runs_csv_parties(const struct rows *rows, enum party_kind kind, FILE *out)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct row_parties *parties = &rows->list[i].parties[kind];
        for (uint32_t k = 0; k < parties->count; k++)
            runs_csv_write_party(&rows->list[i], &parties->list[k], out);
    }
}
