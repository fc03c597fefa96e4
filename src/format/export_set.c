/* `set` as format/set.c reads it, which counts the iterations itself. */
#include "base/text.h"
#include "format/exporter.h"

static bool is_periodic(const struct app *app)
{
    struct iteration first = app_iteration(app, 0);
    for (uint32_t k = 1; k < app->facts.iterations; k++) {
        struct iteration iteration = app_iteration(app, k);
        if (iteration.work != first.work || iteration.volume != first.volume)
            return false;
        if (app->stride == 0 && k + 1 < app->facts.iterations)
            k = app->facts.iterations - 2; /* only the last one may differ */
    }
    return true;
}

static const char *find_fault(const struct app *app)
{
    if (!is_periodic(app))
        return "has iterations that differ";
    if (app->facts.release != 0)
        return "does not start at time 0";
    return NULL;
}

static int write_set(FILE *out, const struct export_input *input, struct err *err)
{
    const struct workload *workload = input->workload;
    char label[EXPORT_LABEL_SIZE];
    if (!workload->nodes_known)
        return err_set(err, "a set needs the number of nodes of every application");
    for (uint32_t i = 0; i < workload->count; i++) {
        const struct app *app = &workload->apps[i];
        struct iteration first = app_iteration(app, 0);
        const double row[] = {first.work, first.volume / 1e9, app->facts.nodes};
        const char *fault = find_fault(app);
        if (fault)
            return err_set(err, "application '%s' %s, which a set cannot express",
                           app_label(app, label, sizeof label), fault);
        for (int k = 0; k < 3; k++) {
            char text[TEXT_NUMBER_SIZE];
            fprintf(out, "%s%s", k ? " " : "", text_print_number(row[k], text));
        }
        fputc('\n', out);
    }
    return 0;
}

const struct exporter export_set = {
    .name = "set",
    .help = "a line per application: work in s, I/O volume in GB, nodes",
    .write = write_set,
};
