/* `instance` as format/instance.c reads it. Node counts and weights cannot be said. */
#include "base/text.h"
#include "format/exporter.h"
#include <math.h>

static void export_instance_write_number(FILE *out, double value)
{
    char text[TEXT_NUMBER_SIZE];
    fprintf(out, " %s", text_print_number(value, text));
}

/* A name is one word there, and a comment begins with '#'. */
static void export_instance_write_name(FILE *out, const struct app *app)
{
    char name[EXPORT_LABEL_SIZE];
    for (const char *at = app_label(app, name, sizeof name); *at; at++)
        fputc(*at == ' ' || *at == '#' ? '_' : *at, out);
}

/* n, omega, the kind of the first phase, and the n phases. */
static void export_instance_write_phases(FILE *out, const struct app *app)
{
    uint32_t last = app->facts.iterations - 1;
    struct iteration first = app_iteration(app, 0);
    bool io_first = first.work == 0 && first.volume > 0;
    bool work_last = app_iteration(app, last).volume == 0;
    fprintf(out, " %llu", 2ULL * app->facts.iterations - io_first - work_last);
    export_instance_write_number(out, app->facts.period);
    fputs(io_first ? " C" : " W", out);
    for (uint32_t k = 0; k <= last; k++) {
        struct iteration iteration = app_iteration(app, k);
        if (k > 0 || !io_first)
            export_instance_write_number(out, iteration.work);
        if (k < last || !work_last)
            export_instance_write_number(out, iteration.volume);
    }
    fputc('\n', out);
}

static int export_instance_write_instance(FILE *out, const struct export_input *input,
                                          struct err *err)
{
    const struct workload *workload = input->workload;
    for (uint32_t i = 0; i < workload->count; i++) {
        const struct app *app = &workload->apps[i];
        char label[EXPORT_LABEL_SIZE];
        if (app->facts.release > 0)
            return err_set(err,
                           "application '%s' is released at %g s: an instance has only those "
                           "that run at time 0",
                           app_label(app, label, sizeof label), app->facts.release);
        export_instance_write_name(out, app);
        export_instance_write_number(out, app->facts.bmax);
        export_instance_write_number(out, 0 - app->facts.release);
        export_instance_write_number(out, app->facts.progress);
        export_instance_write_number(out, workload_rare(workload, i).waiting);
        export_instance_write_phases(out, app);
    }
    return 0;
}

const struct exporter export_instance = {
    .name = "instance",
    .help = "a line per application: name bmax age progress age_of_phase n omega W|C x1 ... xn",
    .write = export_instance_write_instance,
};
