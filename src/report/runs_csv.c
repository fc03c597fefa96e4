#include "base/text.h"
#include "report/runs.h"
#include <math.h>
#include <string.h>

enum { LABEL_SIZE = 256 };

/* RFC 4180: quoted only where it must be. */
static void write_text(const char *text, FILE *out)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void write_number(double value, FILE *out)
{
    char buffer[TEXT_NUMBER_SIZE];
    fputc(',', out);
    if (isfinite(value))
        fputs(text_print_number(value, buffer), out);
}

static void begin_row(const struct runs *runs, const struct run *run, FILE *out)
{
    write_text(runs->workload->name, out);
    fputc(',', out);
    write_text(run->policy, out);
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
            write_number(measure_of(selection->measures[i], &run->metrics), out);
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

static void write_app(const struct runs *runs, const struct run *run, uint32_t index, FILE *out)
{
    const struct app *app = &runs->workload->apps[index];
    char label[LABEL_SIZE];
    begin_row(runs, run, out);
    fputc(',', out);
    write_text(app_label(app, label, sizeof label), out);
    write_number(runs->workload->nodes_known ? app->facts.nodes : NAN, out);
    for (size_t k = 0; k < APP_MEASURE_COUNT; k++)
        write_number(measure_of_app(&app_measures[k], &run->apps[index]), out);
    fputc('\n', out);
}

void runs_csv_apps(const struct runs *runs, FILE *out)
{
    for (size_t row = 0; row < runs->count; row++)
        for (uint32_t i = 0; i < runs->workload->count; i++)
            write_app(runs, &runs->list[row], i, out);
}
