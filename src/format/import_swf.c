/* `swf`: the Standard Workload Format of the Parallel Workloads Archive, 18 numbers per job. */
#include "base/text.h"
#include "format/jobs.h"
#include "format/word.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Those that matter; -1 = unknown. */
enum { JOB, SUBMIT, WAIT, RUN, ALLOCATED, REQUESTED = 7, USER = 11, GROUP, FIELDS = 18 };

static const char *const names[FIELDS] = {"job number",
                                          "submit time",
                                          "wait time",
                                          "run time",
                                          "allocated processors",
                                          "cpu time",
                                          "memory",
                                          "requested processors",
                                          "requested time",
                                          "requested memory",
                                          "status",
                                          "user",
                                          "group",
                                          "executable",
                                          "queue",
                                          "partition",
                                          "preceding job",
                                          "think time"};

struct swf {
    struct import *import;
    struct jobs jobs;
    double processors, nodes; /* of the machine; 0 = not said */
    double before;            /* nodes that other files have said */
};

/* "; MaxProcs: 100" is the size of the machine, unless the user knows better. Where jobs are given
 * whole nodes, there may be "; MaxNodes: 100" instead. */
static void swf_read_comment(struct swf *swf, const struct lines *lines)
{
    static const char *const keys[] = {"; MaxProcs:", "; MaxNodes:"};
    double *const sizes[] = {&swf->processors, &swf->nodes};
    for (int i = 0; i < 2; i++) {
        const char *at = lines->at + strlen(keys[i]);
        double size;
        if (lines->end - lines->at <= (ptrdiff_t)strlen(keys[i]) ||
            memcmp(lines->at, keys[i], strlen(keys[i])) != 0)
            continue;
        while (at < lines->end && *at == ' ')
            at++;
        if (text_number(&at, lines->end, &size) == 0 && size >= 1 && size < 1e9)
            *sizes[i] = fmax(*sizes[i], size);
    }
}

static void swf_set_nodes(const struct swf *swf)
{
    struct platform *platform = &swf->import->draft.scenario->platform;
    double nodes = swf->processors > 0 ? import_nodes(swf->import, swf->processors) : swf->nodes;
    if (swf->import->options->platform.nodes == 0 && nodes > 0)
        platform->nodes = fmax(swf->before, nodes);
}

/* The number of a user or a group as a name; "" = unknown. */
static void swf_print_owner(double number, char name[32])
{
    snprintf(name, 32, "%.15g", number);
    if (number < 0)
        *name = 0;
}

static int swf_read_line(struct swf *swf)
{
    struct import *import = swf->import;
    struct lines lines = import_fields(import);
    double values[FIELDS];
    char id[32], user[32], group[32];
    if (lines.at == lines.end)
        return 0;
    if (*lines.at == ';') {
        swf_read_comment(swf, &lines);
        swf_set_nodes(swf);
        return 0;
    }
    for (int i = 0; i < FIELDS; i++)
        if (lines_number(&lines, names[i], -1, &values[i]) != 0)
            return import_skip(import);
    if (lines_finish(&lines) != 0)
        return import_skip(import);
    snprintf(id, sizeof id, "%.15g", values[JOB]);
    swf_print_owner(values[USER], user);
    swf_print_owner(values[GROUP], group);
    double processors = values[ALLOCATED] > 0 ? values[ALLOCATED] : values[REQUESTED];
    double wait = import_by_submission(import->options) ? 0 : fmax(0, values[WAIT]);
    const struct job job = {.id = id,
                            .user = user,
                            .account = group,
                            .release = values[SUBMIT] + wait,
                            .run = values[RUN],
                            .nodes = processors > 0 ? import_nodes(import, processors) : 0,
                            .bytes = NAN,
                            .line = lines.number};
    return jobs_add(&swf->jobs, &job);
}

static int read_swf(struct import *import)
{
    struct swf swf = {.import = import, .before = import->draft.scenario->platform.nodes};
    int status = jobs_init(&swf.jobs, import), more = 1;
    while (status == 0 && (more = stream_next(&import->stream, import->err)) > 0)
        status = swf_read_line(&swf);
    if (status == 0 && more == 0)
        status = jobs_note(&swf.jobs);
    jobs_fini(&swf.jobs);
    return status != 0 || more < 0 ? -1 : 0;
}

const struct importer import_swf = {
    .name = "swf",
    .help = "the Standard Workload Format of the Parallel Workloads Archive: an application per "
            "job",
    .uses = IMPORT_IO | IMPORT_ITERATIONS | IMPORT_PROCS | IMPORT_SUBMIT,
    .dated = true,
    .read = read_swf,
    .finish = jobs_note_twins,
};
