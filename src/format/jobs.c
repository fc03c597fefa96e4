#include "format/jobs.h"
#include "base/mem.h"
#include "base/units.h"
#include "format/cells.h"
#include "format/word.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- volumes by job -------------------------------------------------------------------------- */

static int compare_ids(const void *a, const void *b)
{
    const struct job_volume *x = a, *y = b;
    return strcmp(x->id, y->id);
}

static int add_volume(struct jobs *jobs, const struct cells *cells)
{
    struct job_volume *list =
        mem_reserve(jobs->volumes, &jobs->capacity, jobs->count + 1, sizeof *list);
    if (!list)
        return err_memory(jobs->import->err);
    jobs->volumes = list;
    struct job_volume *volume = &list[jobs->count];
    if (units_parse(cells->list[1], UNIT_BYTES, &volume->bytes, jobs->import->err) != 0)
        return -1;
    if (volume->bytes < 0)
        return err_set(jobs->import->err, "volume '%s' is below 0",
                       quote_text(cells->list[1], strlen(cells->list[1])).text);
    volume->id = import_keep(jobs->import, cells->list[0], strlen(cells->list[0]));
    if (!volume->id)
        return -1;
    jobs->count++;
    return 0;
}

/* 0, or -1 with a text that does not say where. */
static int jobs_read_volume(struct jobs *jobs, const struct stream *stream, struct cells *cells)
{
    const char *fault;
    if (cells_split(cells, stream->line, stream->length, ',', &fault) != 0)
        return err_memory(jobs->import->err);
    bool blank = !fault && cells->count == 1 && !*cells->list[0];
    if (blank || (stream->length && *stream->line == '#'))
        return 0;
    if (!fault && cells->count != 2)
        fault = "expected two columns: job, volume";
    if (fault)
        return err_set(jobs->import->err, "%s", fault);
    if (stream->number == 1 && strcmp(cells->list[1], "volume") == 0)
        return 0;
    return add_volume(jobs, cells);
}

static int jobs_read_volumes(struct jobs *jobs, const char *path)
{
    struct err *err = jobs->import->err;
    struct stream stream;
    struct cells cells = {0};
    int status = stream_open(&stream, path, err), more = 1;
    while (status == 0 && (more = stream_next(&stream, err)) > 0)
        if (jobs_read_volume(jobs, &stream, &cells) != 0)
            status = err_prepend(err, "%s:%zu", stream.where, stream.number);
    stream_close(&stream);
    cells_fini(&cells);
    if (status != 0 || more < 0)
        return -1;
    if (jobs->count)
        qsort(jobs->volumes, jobs->count, sizeof *jobs->volumes, compare_ids);
    for (size_t i = 1; i < jobs->count; i++)
        if (strcmp(jobs->volumes[i].id, jobs->volumes[i - 1].id) == 0)
            return err_set(err, "%s: job '%s' is listed twice", path, jobs->volumes[i].id);
    return 0;
}

int jobs_init(struct jobs *jobs, struct import *import)
{
    *jobs = (struct jobs){.import = import};
    return import->options->io_csv ? jobs_read_volumes(jobs, import->options->io_csv) : 0;
}

void jobs_fini(struct jobs *jobs)
{
    free(jobs->volumes);
    *jobs = (struct jobs){0};
}

/* --- jobs ------------------------------------------------------------------------------------ */

/* What the file of volumes says of a job; NAN = nothing. */
static double jobs_find_volume(const struct jobs *jobs, const char *id)
{
    const struct job_volume key = {.id = id};
    const struct job_volume *found =
        jobs->count ? bsearch(&key, jobs->volumes, jobs->count, sizeof key, compare_ids) : NULL;
    return found ? found->bytes : NAN;
}

/* Sets work and I/O of the whole run. */
static void jobs_model(struct jobs *jobs, const struct job *job, struct app_spec *app)
{
    const struct import_options *options = jobs->import->options;
    const struct platform *platform = &jobs->import->draft.scenario->platform;
    double bmax = platform_bmax(platform, job->nodes);
    if (options->io_ratio > 0) {
        app->work.mean = job->run * (1 - options->io_ratio);
        app->io.mean = job->run * options->io_ratio * bmax;
        return;
    }
    double bytes = options->io_csv ? jobs_find_volume(jobs, job->id) : job->bytes;
    app->io.mean = isnan(bytes) ? 0 : bytes;
    app->work.mean = fmax(0, job->run - app->io.mean / bmax);
    jobs->known += !isnan(bytes);
    jobs->cut += app->io.mean / bmax > job->run;
}

int jobs_add(struct jobs *jobs, const struct job *job)
{
    struct import *import = jobs->import;
    struct app_spec app = app_spec_defaults;
    if (!(job->run > 0 && job->nodes > 0)) {
        *(job->run > 0 ? &jobs->unsized : &jobs->idle) += 1;
        return 0;
    }
    if (import->options->iterations)
        app.iterations = import->options->iterations;
    app.name = import_keep(import, job->id, strlen(job->id));
    if (!app.name)
        return -1;
    if ((job->user && import_own(import, &app, PARTY_USER, job->user) != 0) ||
        (job->account && import_own(import, &app, PARTY_ACCOUNT, job->account) != 0) ||
        (job->program && import_own(import, &app, PARTY_PROGRAM, job->program) != 0))
        return -1;
    app.nodes = job->nodes;
    app.release = job->release;
    jobs_model(jobs, job, &app);
    app.work.mean /= app.iterations;
    app.io.mean /= app.iterations;
    size_t before = import->draft.count;
    int status = import_add(import, &app, job->line);
    jobs->added += import->draft.count - before; /* none if it was skipped */
    return status;
}

int jobs_note(const struct jobs *jobs)
{
    struct import *import = jobs->import;
    const struct import_options *options = import->options;
    const char *where = import->stream.where;
    char ratio[32];
    char idle[64] = "", cut[64] = "";
    if (jobs->idle > 0)
        snprintf(idle, sizeof idle, ", not counting %llu that never ran",
                 (unsigned long long)jobs->idle);
    import_note(import, "%s: %llu job%s%s", where, (unsigned long long)jobs->added,
                jobs->added == 1 ? "" : "s", idle);
    if (jobs->unsized > 0)
        import_note(import, "%s: jobs that ran on an unknown number of processors, left out: %llu",
                    where, (unsigned long long)jobs->unsized);
    if (options->io_ratio > 0) {
        import_note(import, "I/O at full bandwidth is assumed to be %s of each run",
                    units_print(options->io_ratio, UNIT_RATIO, ratio, sizeof ratio));
        return 0;
    }
    if (!options->io_csv && jobs->added > 0 && jobs->known == 0)
        return err_set(import->err,
                       "%s: no job has a volume of I/O: ask sacct for steps (without -X), or give "
                       "--io-ratio or --io-csv",
                       where);
    if (jobs->cut > 0)
        snprintf(cut, sizeof cut, "; the I/O of %llu takes longer than the run",
                 (unsigned long long)jobs->cut);
    import_note(import, "%s has the I/O volume of %llu of them%s",
                options->io_csv ? options->io_csv : "the log", (unsigned long long)jobs->known,
                cut);
    return 0;
}

static int jobs_compare_twins(const void *a, const void *b)
{
    const struct app_spec *const *x = a, *const *y = b;
    int order = strcmp((*x)->name, (*y)->name);
    return order ? order : ((*x)->release > (*y)->release) - ((*x)->release < (*y)->release);
}

int jobs_note_twins(struct import *import)
{
    struct draft *draft = &import->draft;
    const struct app_spec **apps = mem_alloc(draft->count, sizeof(const struct app_spec *));
    uint64_t twins = 0;
    if (!apps)
        return err_memory(import->err);
    for (size_t i = 0; i < draft->count; i++)
        apps[i] = &draft->apps[i];
    if (draft->count)
        qsort(apps, draft->count, sizeof(const struct app_spec *), jobs_compare_twins);
    for (size_t i = 1; i < draft->count; i++)
        twins += jobs_compare_twins(&apps[i - 1], &apps[i]) == 0;
    free(apps);
    if (twins > 0)
        import_note(import,
                    "%llu job%s the id and the release of another: a job that is listed twice "
                    "counts twice",
                    (unsigned long long)twins, twins == 1 ? " repeats" : "s repeat");
    return 0;
}
