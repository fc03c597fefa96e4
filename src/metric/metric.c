#include "metric/metric.h"
#include "base/maths.h"

/* The date up to which an application is measured. */
static double last_date(const struct outcome *outcome, uint32_t id)
{
    double completion = outcome->apps[id].completion;
    return isnan(completion) ? outcome->end : completion;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

/* The larger, or NAN if either has no meaning. */
static double metric_larger(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

void metrics_compute_app(const struct workload *workload, const struct outcome *outcome,
                         uint32_t id, struct app_metrics *metrics)
{
    const struct app *app = &workload->apps[id];
    const struct app_outcome *result = &outcome->apps[id];
    double end = last_date(outcome, id), age = end - app->facts.release;
    metrics->completion = result->completion;
    metrics->yield = age > 0 ? 1 - result->lost / age : NAN;
    metrics->efficiency = ratio(result->done_work, age);
    /* rho / rho~ = (done_work / done_ideal) / (done_work / age) */
    metrics->dilation = ratio(age, result->done_ideal);
    metrics->stretch =
        isnan(result->completion) ? NAN : ratio(age, app->facts.progress + app_ideal(app));
}

/* Progress, or work, per node and second between the start and the end of the run. */
static void measure_window(const struct workload *workload, const struct outcome *outcome,
                           struct metrics *metrics)
{
    double nodes = 0, progress = 0, work = 0, length = outcome->end - outcome->start;
    for (uint32_t id = 0; id < workload->count; id++) {
        const struct weir_app *facts = &workload->apps[id].facts;
        const struct app_span *span = &outcome->spans[id];
        double from = fmax(outcome->start, facts->release);
        double present = fmax(0, last_date(outcome, id) - from);
        nodes += facts->nodes;
        progress += facts->nodes * (present - span->lost);
        work += facts->nodes * span->work;
    }
    metrics->efficiency = ratio(progress, nodes * length);
    metrics->utilization = ratio(work, nodes * length);
}

/* Geometric mean over the applications of (time in I/O or waiting for it) / (that I/O alone). */
static double io_slowdown(const struct workload *workload, const struct outcome *outcome)
{
    double logs = 0;
    uint32_t count = 0;
    for (uint32_t id = 0; id < workload->count; id++) {
        const struct app_span *span = &outcome->spans[id];
        double from = fmax(outcome->start, workload->apps[id].facts.release);
        double present = last_date(outcome, id) - from;
        double spent = present - span->work;
        double alone = spent - span->lost;
        if (present > 0 && alone > 1e-9 * present) {
            logs += maths_log(spent / alone);
            count++;
        }
    }
    return count ? maths_exp(logs / count) : NAN;
}

/* Over all applications that have been there: one released behind the end of the window has no
 * values and is left out. */
static void measure_apps(const struct workload *workload, const struct outcome *outcome,
                         struct metrics *metrics)
{
    double yields = 0, stretches = 0, bound = 0, count = 0, nodes = workload->platform.nodes;
    metrics->min_yield = INFINITY;
    metrics->dilation = metrics->max_stretch = metrics->sys_efficiency = 0;
    for (uint32_t id = 0; id < workload->count; id++) {
        const struct weir_app *facts = &workload->apps[id].facts;
        struct app_metrics app;
        if (facts->release >= outcome->end)
            continue;
        metrics_compute_app(workload, outcome, id, &app);
        count++;
        yields += app.yield;
        stretches += app.stretch;
        metrics->min_yield = fmin(metrics->min_yield, app.yield);
        metrics->dilation = metric_larger(metrics->dilation, app.dilation);
        metrics->max_stretch = metric_larger(metrics->max_stretch, app.stretch);
        metrics->sys_efficiency += facts->nodes * app.efficiency;
        bound += facts->nodes * facts->total_work / (facts->total_work + facts->total_io);
    }
    if (count == 0) {
        metrics->min_yield = metrics->dilation = metrics->max_stretch = NAN;
        metrics->sys_efficiency = bound = NAN;
    }
    metrics->mean_yield = yields / count;
    metrics->mean_stretch = stretches / count;
    metrics->sys_efficiency /= nodes;
    metrics->sys_efficiency_bound = bound / nodes;
}

void metrics_compute(const struct workload *workload, const struct outcome *outcome,
                     struct metrics *metrics)
{
    bool windowed = workload->window.kind == WINDOW_FIXED;
    metrics->makespan = windowed ? NAN : outcome->end;
    measure_apps(workload, outcome, metrics);
    measure_window(workload, outcome, metrics);
    metrics->io_slowdown = io_slowdown(workload, outcome);
    metrics->io_pressure = workload->io_pressure;
    metrics->events = (double)outcome->events;
    metrics->decisions = (double)outcome->decisions;
}
