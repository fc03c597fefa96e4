#include "answer/fit_model.h"
#include "answer/lengths.h"
#include "base/maths.h"
#include "base/mem.h"
#include "format/own.h"
#include "gen/gen.h"
#include "trial/trial.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int fit_model_compare(const void *a, const void *b)
{
    const struct fit_pair *x = a, *y = b;
    if (x->error != y->error)
        return x->error < y->error ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* The error that a part of the time of I/O does not exceed. */
static double fit_model_quantile(const struct fit_model *model, double part, bool disturbed)
{
    double all = 0, below = 0;
    for (uint64_t i = 0; i < model->ios; i++)
        if (!disturbed || model->pairs[i].disturbed)
            all += model->pairs[i].logged;
    for (uint64_t i = 0; i < model->ios; i++) {
        const struct fit_pair *pair = &model->pairs[i];
        if (disturbed && !pair->disturbed)
            continue;
        below += pair->logged;
        if (below >= part * all)
            return pair->error;
    }
    return NAN;
}

/* Pearson's, between the delays. */
static double fit_model_correlate(const struct fit_model *model)
{
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0, n = (double)model->ios;
    for (uint64_t i = 0; i < model->ios; i++) {
        const struct fit_pair *pair = &model->pairs[i];
        x += (pair->logged - pair->alone) / n;
        y += (pair->simulated - pair->alone) / n;
    }
    for (uint64_t i = 0; i < model->ios; i++) {
        const struct fit_pair *pair = &model->pairs[i];
        double a = pair->logged - pair->alone - x, b = pair->simulated - pair->alone - y;
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

static void fit_model_judge(struct fit_model *model)
{
    struct fit_error *error = &model->error;
    double weighted = 0;
    *error = (struct fit_error){0};
    for (uint64_t i = 0; i < model->ios; i++) {
        const struct fit_pair *pair = &model->pairs[i];
        error->logged += pair->logged;
        error->simulated += pair->simulated;
        error->lost += maths_max(0, pair->simulated - pair->alone);
        if (pair->disturbed)
            error->lost_logged += maths_max(0, pair->logged - pair->alone);
        /* Symmetric, so that a bandwidth that is far too small is as bad as one too large. */
        weighted += fabs(pair->logged - pair->simulated) * pair->logged /
                    maths_max(pair->logged, pair->simulated);
    }
    if (model->ios)
        qsort(model->pairs, model->ios, sizeof *model->pairs, fit_model_compare);
    error->mean = error->logged > 0 ? weighted / error->logged : NAN;
    error->median = fit_model_quantile(model, 0.5, false);
    error->p90 = fit_model_quantile(model, 0.9, false);
    error->disturbed_median = fit_model_quantile(model, 0.5, true);
    error->disturbed_p90 = fit_model_quantile(model, 0.9, true);
    error->correlation = fit_model_correlate(model);
}

/* Whether an I/O goes on with the next of the list. */
static bool fit_model_continues(const struct observed *observed, size_t i)
{
    const struct observed_io *io = &observed->list[i], *last = io - 1;
    return i > 0 && last->app == io->app && last->iteration == io->iteration && !io->totals;
}

static int fit_model_pair(struct fit_model *model, const struct observed *observed,
                          const struct lengths *lengths, const struct workload *workload)
{
    struct fit_pair *pairs = model->pairs = mem_alloc(observed->count, sizeof *model->pairs);
    uint64_t count = 0;
    if (!pairs)
        return -1;
    for (size_t i = 0; i < observed->count; i++) {
        const struct observed_io *io = &observed->list[i];
        if (!fit_model_continues(observed, i))
            pairs[count++] = (struct fit_pair){.simulated = lengths_of(lengths, io), .index = i};
        struct fit_pair *pair = &pairs[count - 1];
        pair->logged += io->busy;
        pair->alone += io->volume / workload->apps[io->app].facts.bmax;
        pair->disturbed |= io->disturbed;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!(pairs[i].logged > 0) || !(pairs[i].simulated > 0))
            continue;
        pairs[i].error = fabs(pairs[i].simulated - pairs[i].logged) / pairs[i].logged;
        model->disturbed += pairs[i].disturbed;
        pairs[model->ios++] = pairs[i];
    }
    return 0;
}

/* A copy of the applications with phases of their own; names are shared. 0 or -1. */
static int fit_model_copy(const struct scenario *scenario, struct scenario *copy)
{
    *copy = *scenario;
    copy->arena = (struct arena){0};
    copy->drawn_last = NULL;
    copy->apps = mem_alloc(scenario->count, sizeof *copy->apps);
    if (!copy->apps)
        return -1;
    memcpy(copy->apps, scenario->apps, scenario->count * sizeof *copy->apps);
    for (uint32_t i = 0; i < copy->count; i++) {
        struct app_spec *app = &copy->apps[i];
        if (!app->explicit_iterations)
            continue;
        size_t size = app->iterations * sizeof *app->explicit_iterations;
        struct iteration *phases = arena_alloc(&copy->arena, 1, size);
        if (!phases)
            return -1;
        app->explicit_iterations = memcpy(phases, app->explicit_iterations, size);
    }
    return 0;
}

/* Gives the applications of the copy their bandwidths. 0, -1 when memory is out. */
static int fit_model_own(const struct fit_logs *logs, struct fit_model *model,
                         struct scenario *copy, struct observed *observed)
{
    struct own_bandwidth *own = mem_alloc(copy->count, sizeof *own);
    const struct own_task task = {.apps = copy->apps,
                                  .count = copy->count,
                                  .platform = &copy->platform,
                                  .observed = observed};
    int status = own ? 0 : -1;
    if (status == 0 && logs->rates)
        status = own_apply(&task, own);
    else if (status == 0)
        status = observed_judge(observed, copy->platform.bandwidth);
    for (uint32_t i = 0; status == 0 && logs->rates && i < copy->count; i++) {
        model->applications += own[i].mean > 0;
        model->unknown += own[i].mean > 0 && own[i].source == OWN_UNKNOWN;
    }
    free(own);
    return status;
}

/* The copy has everything but a run. */
static int fit_model_run(const struct fit_logs *logs, struct fit_model *model,
                         const struct scenario *copy, const struct observed *observed,
                         struct err *err)
{
    struct workload *workload = workload_realise(copy, err);
    struct lengths *lengths = workload ? lengths_new(workload, err) : NULL;
    struct row row = {0};
    int status = -1;
    if (lengths) {
        const struct watcher watcher = lengths_watcher(lengths);
        const struct trial trial = {
            .workload = workload,
            .policy = logs->policy,
            .knowledge = logs->knowledge,
            .options = {.watcher = &watcher, .release_latency = logs->latency}};
        status = trial_run(&trial, &row, err);
        if (status == 0 && fit_model_pair(model, observed, lengths, workload) != 0)
            status = err_memory(err);
    }
    if (status == 0)
        fit_model_judge(model);
    row_fini(&row);
    lengths_free(lengths);
    workload_free(workload);
    return status;
}

int fit_model_try(const struct fit_logs *logs, struct fit_model *model, struct err *err)
{
    struct scenario copy = {0};
    struct observed observed = {.list = mem_alloc(logs->observed->count, sizeof *observed.list),
                                .count = logs->observed->count};
    int status = -1;
    *model = (struct fit_model){.platform = model->platform};
    if (!observed.list || fit_model_copy(logs->scenario, &copy) != 0) {
        err_memory(err);
    } else {
        if (observed.count)
            memcpy(observed.list, logs->observed->list, observed.count * sizeof *observed.list);
        copy.platform = model->platform;
        status = fit_model_own(logs, model, &copy, &observed) == 0
                     ? fit_model_run(logs, model, &copy, &observed, err)
                     : err_memory(err);
    }
    free(copy.apps);
    arena_fini(&copy.arena);
    free(observed.list);
    return status;
}

void fit_model_fini(struct fit_model *model)
{
    free(model->pairs);
    model->pairs = NULL;
}
