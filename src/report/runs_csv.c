#include "report/csv.h"
#include "report/runs.h"
#include <math.h>
#include <string.h>

enum { LABEL_SIZE = 256 };

static void begin_row(const struct runs *runs, const struct run *run, FILE *out)
{
    csv_text(runs->workload->name, out);
    fputc(',', out);
    csv_text(run->policy, out);
}

void runs_csv_header(const struct selection *selection, FILE *out)
{
    fputs("scenario,policy", out);
    for (size_t i = 0; i < selection->count; i++)
        fprintf(out, ",%s", selection->measures[i]->name);
    fputc('\n', out);
}

void runs_csv(const struct runs *runs, const struct selection *selection, FILE *out)
{
    for (size_t row = 0; row < runs->count; row++) {
        const struct run *run = &runs->list[row];
        begin_row(runs, run, out);
        for (size_t i = 0; i < selection->count; i++)
            csv_number(measure_of(selection->measures[i], &run->metrics), out);
        fputc('\n', out);
    }
}

void runs_csv_apps_header(FILE *out)
{
    fputs("scenario,policy,name,nodes", out);
    for (size_t k = 0; k < APP_MEASURE_COUNT; k++)
        fprintf(out, ",%s", app_measures[k].name);
    fputc('\n', out);
}

static void runs_csv_write_app(const struct runs *runs, const struct run *run, uint32_t index,
                               FILE *out)
{
    const struct app *app = &runs->workload->apps[index];
    char label[LABEL_SIZE];
    begin_row(runs, run, out);
    fputc(',', out);
    csv_text(app_label(app, label, sizeof label), out);
    csv_number(runs->workload->nodes_known ? app->facts.nodes : NAN, out);
    for (size_t k = 0; k < APP_MEASURE_COUNT; k++)
        csv_number(measure_of_app(&app_measures[k], &run->apps[index]), out);
    fputc('\n', out);
}

void runs_csv_apps(const struct runs *runs, FILE *out)
{
    for (size_t row = 0; row < runs->count; row++)
        for (uint32_t i = 0; i < runs->workload->count; i++)
            runs_csv_write_app(runs, &runs->list[row], i, out);
}

void runs_csv_parties_header(FILE *out)
{
    fputs("scenario,policy,name", out);
    for (size_t k = 0; k < PARTY_MEASURE_COUNT; k++)
        fprintf(out, ",%s", party_measures[k].name);
    fputc('\n', out);
}

void runs_csv_parties(const struct runs *runs, enum party_kind kind, FILE *out)
{
    const struct parties *parties = &runs->workload->parties[kind];
    for (size_t row = 0; row < runs->count; row++) {
        for (uint32_t i = 0; i < parties->count; i++) {
            begin_row(runs, &runs->list[row], out);
            fputc(',', out);
            csv_text(parties->names[i], out);
            for (size_t k = 0; k < PARTY_MEASURE_COUNT; k++)
                csv_number(measure_of_party(&party_measures[k], &runs->list[row].parties[kind][i]),
                           out);
            fputc('\n', out);
        }
    }
}
