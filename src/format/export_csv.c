/* `csv` as format/import_csv.c reads it. */
#include "base/text.h"
#include "format/exporter.h"
#include <string.h>

/* Lines of one application. */
struct writer {
    FILE *out;
    const char *name;
    unsigned long long phase;
};

static void export_csv_write_name(const struct writer *writer)
{
    const char *name = writer->name;
    bool plain = !strpbrk(name, ",\"") && *name != '#' && *name != ' ' && *name != '\t' && *name &&
                 name[strlen(name) - 1] != ' ';
    if (plain) {
        fputs(name, writer->out);
        return;
    }
    fputc('"', writer->out);
    for (; *name; name++)
        fprintf(writer->out, *name == '"' ? "\"\"" : "%c", *name);
    fputc('"', writer->out);
}

static void write_property(const struct writer *writer, const char *kind, double value,
                           double usual)
{
    char text[TEXT_NUMBER_SIZE];
    if (value == usual)
        return;
    export_csv_write_name(writer);
    fprintf(writer->out, ",,%s,%s\n", kind, text_print_number(value, text));
}

static void write_phase(struct writer *writer, const char *kind, double amount)
{
    char text[TEXT_NUMBER_SIZE];
    export_csv_write_name(writer);
    fprintf(writer->out, ",%llu,%s,%s\n", ++writer->phase, kind, text_print_number(amount, text));
}

static void export_csv_write_phases(struct writer *writer, const struct app *app)
{
    uint32_t count = app->facts.iterations;
    struct iteration last = app_iteration(app, count - 1);
    bool periodic = app->stride == 0 && count > 1 && last.work == app->iterations->work &&
                    last.volume == app->iterations->volume;
    if (periodic)
        write_property(writer, "repeat", count, 1);
    for (uint32_t k = 0; k < (periodic ? 1 : count); k++) {
        struct iteration iteration = app_iteration(app, k);
        if (iteration.work > 0)
            write_phase(writer, "work", iteration.work);
        if (iteration.volume > 0)
            write_phase(writer, "io", iteration.volume);
    }
}

static int write_csv(FILE *out, const struct export_input *input, struct err *err)
{
    const struct workload *workload = input->workload;
    (void)err;
    fputs("app,phase,kind,amount\n", out);
    for (uint32_t i = 0; i < workload->count; i++) {
        const struct app *app = &workload->apps[i];
        const struct weir_app *facts = &app->facts;
        char label[EXPORT_LABEL_SIZE];
        struct writer writer = {out, app_label(app, label, sizeof label), 0};
        write_property(&writer, "nodes", workload->nodes_known ? facts->nodes : 0, 0);
        write_property(&writer, "bandwidth", facts->bmax, workload->platform.bandwidth);
        write_property(&writer, "release", facts->release, 0);
        write_property(&writer, "weight", facts->weight, 1);
        write_property(&writer, "progress", app->facts.progress, 0);
        write_property(&writer, "waiting", workload_rare(workload, i).waiting, 0);
        write_property(&writer, "period", facts->period, 0);
        write_property(&writer, "calls", workload_rare(workload, i).calls, 0);
        export_csv_write_phases(&writer, app);
    }
    return 0;
}

const struct exporter export_csv = {
    .name = "csv",
    .help = "a line per phase: app, phase, kind (work or io), amount",
    .write = write_csv,
};
