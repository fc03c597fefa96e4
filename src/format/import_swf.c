/* `swf`: the Standard Workload Format of the Parallel Workloads Archive, 18 numbers per job. */
#include "base/text.h"
#include "format/jobs.h"
#include "format/word.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Those that matter; -1 = unknown. */
enum { JOB, SUBMIT, WAIT, RUN, ALLOCATED, REQUESTED = 7, FIELDS = 18 };

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

/* "; MaxProcs: 100" is the size of the machine, unless the user knows better. */
static void read_comment(struct import *import, const struct lines *lines)
{
    static const char key[] = "; MaxProcs:";
    struct platform *platform = &import->draft.scenario->platform;
    const char *at = lines->at + strlen(key);
    double processors;
    if (lines->end - lines->at < (ptrdiff_t)sizeof key ||
        memcmp(lines->at, key, strlen(key)) != 0 || import->options->platform.nodes > 0)
        return;
    while (at < lines->end && *at == ' ')
        at++;
    if (text_number(&at, lines->end, &processors) == 0 && processors >= 1 && processors < 1e9)
        platform->nodes = fmax(platform->nodes, import_nodes(import, processors));
}

static int swf_read_line(struct import *import, struct jobs *jobs)
{
    struct lines lines = import_fields(import);
    double values[FIELDS];
    char id[32];
    if (lines.at == lines.end)
        return 0;
    if (*lines.at == ';') {
        read_comment(import, &lines);
        return 0;
    }
    for (int i = 0; i < FIELDS; i++)
        if (lines_number(&lines, names[i], -1, &values[i]) != 0)
            return import_skip(import);
    if (lines_finish(&lines) != 0)
        return import_skip(import);
    snprintf(id, sizeof id, "%.15g", values[JOB]);
    double processors = values[ALLOCATED] > 0 ? values[ALLOCATED] : values[REQUESTED];
    double wait = import->options->submit ? 0 : fmax(0, values[WAIT]);
    const struct job job = {.id = id,
                            .release = values[SUBMIT] + wait,
                            .run = values[RUN],
                            .nodes = processors > 0 ? import_nodes(import, processors) : 0};
    return jobs_add(jobs, &job);
}

static int read_swf(struct import *import)
{
    struct jobs jobs;
    int status = jobs_init(&jobs, import), more = 1;
    while (status == 0 && (more = stream_next(&import->stream, import->err)) > 0)
        status = swf_read_line(import, &jobs);
    if (status == 0 && more == 0)
        jobs_note(&jobs);
    jobs_fini(&jobs);
    return status != 0 || more < 0 ? -1 : 0;
}

const struct importer import_swf = {
    .name = "swf",
    .help = "the Standard Workload Format of the Parallel Workloads Archive: an application per "
            "job",
    .uses = IMPORT_IO | IMPORT_ITERATIONS | IMPORT_PROCS | IMPORT_SUBMIT,
    .dated = true,
    .read = read_swf,
};
