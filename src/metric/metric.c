#include "metric/metric.h"
#include "base/maths.h"

/* The time up to which an application is measured. */
static double last_time(const struct outcome *outcome, uint32_t id)
{
    double completion = outcome->apps[id].completion;
    return isnan(completion) ? outcome->end : completion;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

/* Makes `largest` at least `value`; it has no meaning if either has none. */
static void metric_raise(double *largest, double value)
{
    *largest = isnan(*largest) || isnan(value) ? NAN : fmax(*largest, value);
}

/* A time in multiples of the same time alone, which is never shorter: below 1 is rounding. */
static double metric_multiple(double age, double alone)
{
    double multiple = ratio(age, alone);
    return multiple < 1 && multiple > 1 - 1e-9 ? 1 : multiple;
}

void metrics_compute_app(const struct workload *workload, const struct outcome *outcome,
                         uint32_t id, struct weir_app_metrics *metrics)
{
    const struct app *app = &workload->apps[id];
    const struct app_outcome *result = &outcome->apps[id];
    double end = last_time(outcome, id), age = end - app->facts.release;
    metrics->nodes = workload->nodes_known ? app->facts.nodes : NAN;
    metrics->completion = result->completion;
    metrics->yield = age > 0 ? 1 - result->lost / age : NAN;
    metrics->efficiency = ratio(result->done_work, age);
    /* rho / rho~ = (done_work / done_ideal) / (done_work / age) */
    metrics->dilation = metric_multiple(age, result->done_ideal);
    metrics->stretch = isnan(result->completion)
                           ? NAN
                           : metric_multiple(age, app->facts.progress + app_ideal(app));
}

/* Whether it was there between the start and the end, for longer than an instant. */
static bool metric_present(const struct workload *workload, const struct outcome *outcome,
                           uint32_t id)
{
    double release = workload->apps[id].facts.release, last = last_time(outcome, id);
    return release < outcome->end && last > fmax(release, outcome->start);
}

/* Node time between the start and the end of the run, in seconds. */
struct node_time {
    double length;         /* end - start */
    double nodes;          /* of all applications that were there */
    double in_use;         /* nodes in use at once */
    double held;           /* while an application was there */
    double progress, work; /* and what it was used for */
};

/* The papers sum over all applications, which are there all the time. What they mean by it are the
 * nodes in use at once: the largest number there would be if each application were alone, so that
 * it does not depend on the strategy; or, as delays may keep more in use, the mean number. */
static double metric_in_use(const struct workload *workload, const struct node_time *time)
{
    double alone = workload->occupancy.nodes, mean = time->held / time->length;
    return mean > alone * (1 + 1e-9) ? mean : alone; /* not because of rounding */
}

static struct node_time metric_node_time(const struct workload *workload,
                                         const struct outcome *outcome)
{
    struct node_time time = {.length = outcome->end - outcome->start};
    for (uint32_t id = 0; id < workload->count; id++) {
        const struct weir_app *facts = &workload->apps[id].facts;
        const struct app_span *span = &outcome->spans[id];
        if (!metric_present(workload, outcome, id))
            continue;
        double present = last_time(outcome, id) - fmax(outcome->start, facts->release);
        time.nodes += facts->nodes;
        time.held += facts->nodes * present;
        time.progress += facts->nodes * (present - span->lost);
        time.work += facts->nodes * span->work;
    }
    time.in_use = metric_in_use(workload, &time);
    return time;
}

/* Geometric mean over the applications of (time in I/O or waiting for it) / (that I/O alone). */
static double io_slowdown(const struct workload *workload, const struct outcome *outcome)
{
    double logs = 0;
    uint32_t count = 0;
    for (uint32_t id = 0; id < workload->count; id++) {
        const struct app_span *span = &outcome->spans[id];
        double from = fmax(outcome->start, workload->apps[id].facts.release);
        double present = last_time(outcome, id) - from;
        double spent = present - span->work;
        double alone = spent - span->lost;
        if (present > 0 && alone > 1e-9 * present) {
            logs += maths_log(spent / alone);
            count++;
        }
    }
    return count ? maths_exp(logs / count) : NAN;
}

/* Turns the sums and extremes over `count` applications into measures. */
static void metric_finish(struct weir_metrics *metrics, const struct node_time *time,
                          double machine, double count)
{
    if (count == 0) {
        metrics->min_yield = metrics->dilation = metrics->max_stretch = NAN;
        metrics->weighted_dilation = metrics->weighted_stretch = NAN;
    }
    metrics->mean_yield /= count;
    metrics->mean_stretch /= count;
    /* From the nodes of all applications to those in use at once; exactly 1 if these are all. */
    double at_once = time->in_use / time->nodes, nodes = fmax(machine, time->in_use);
    metrics->sys_efficiency = metrics->sys_efficiency * at_once / nodes;
    metrics->weighted_sys_efficiency = metrics->weighted_sys_efficiency * at_once / nodes;
    metrics->sys_efficiency_bound = metrics->sys_efficiency_bound * at_once / nodes;
}

/* Over all applications that have been there. */
static void measure_apps(const struct workload *workload, const struct outcome *outcome,
                         const struct node_time *time, struct weir_metrics *metrics)
{
    double count = 0;
    metrics->min_yield = INFINITY;
    for (uint32_t id = 0; id < workload->count; id++) {
        const struct weir_app *facts = &workload->apps[id].facts;
        struct weir_app_metrics app;
        if (!metric_present(workload, outcome, id))
            continue;
        metrics_compute_app(workload, outcome, id, &app);
        count++;
        metrics->mean_yield += app.yield;
        metrics->mean_stretch += app.stretch;
        metrics->min_yield = fmin(metrics->min_yield, app.yield);
        metric_raise(&metrics->dilation, app.dilation);
        metric_raise(&metrics->weighted_dilation, facts->weight * app.dilation);
        metric_raise(&metrics->max_stretch, app.stretch);
        metric_raise(&metrics->weighted_stretch, facts->weight * app.stretch);
        metrics->sys_efficiency += facts->nodes * app.efficiency;
        metrics->weighted_sys_efficiency += facts->nodes * facts->weight * app.efficiency;
        metrics->sys_efficiency_bound +=
            facts->nodes * facts->total_work / (facts->total_work + facts->total_io);
    }
    metric_finish(metrics, time, workload->platform.nodes, count);
}

void metrics_compute(const struct workload *workload, const struct outcome *outcome,
                     struct weir_metrics *metrics)
{
    bool windowed = workload->window.kind == WINDOW_FIXED;
    struct node_time time = metric_node_time(workload, outcome);
    *metrics = (struct weir_metrics){.makespan = windowed ? NAN : outcome->end,
                                     .efficiency = ratio(time.progress, time.in_use * time.length),
                                     .utilization = ratio(time.work, time.in_use * time.length),
                                     .io_slowdown = io_slowdown(workload, outcome),
                                     .io_pressure = workload->io_pressure,
                                     .events = (double)outcome->events,
                                     .decisions = (double)outcome->decisions};
    measure_apps(workload, outcome, &time, metrics);
}

/* --- stores ------------------------------------------------------------------------------------ */

void metrics_compute_stores(const struct workload *workload, const struct outcome *outcome,
                            struct weir_store_metrics *list)
{
    double length = outcome->end - outcome->start;
    for (uint32_t s = 0; s < workload->channel_count; s++) {
        const struct app_channel_span *spans = &outcome->channels[s * (size_t)workload->count];
        double bytes = 0, logs = 0, count = 0;
        for (uint32_t id = 0; id < workload->count; id++) {
            bytes += spans[id].bytes;
            if (!(spans[id].alone > 1e-9 * length))
                continue;
            logs += maths_log(metric_multiple(spans[id].alone + spans[id].lost, spans[id].alone));
            count++;
        }
        list[s] = (struct weir_store_metrics){
            .name = workload->channels[s].name,
            .bytes = bytes,
            .busy = ratio(bytes, workload->channels[s].bandwidth * length),
            .io_pressure = workload->pressures[s],
            .io_slowdown = count > 0 ? maths_exp(logs / count) : NAN};
    }
}

/* --- users and accounts ----------------------------------------------------------------------- */

/* Bytes that an application moved between the start and the end: progress that is not work. */
static double metric_bytes(const struct workload *workload, const struct outcome *outcome,
                           uint32_t id)
{
    const struct weir_app *facts = &workload->apps[id].facts;
    const struct app_span *span = &outcome->spans[id];
    double there = last_time(outcome, id) - fmax(outcome->start, facts->release), bytes = 0;
    for (uint32_t s = 0; s < outcome->channel_count; s++)
        bytes += outcome->channels[s * (size_t)workload->count + id].bytes;
    if (outcome->channel_count > 0)
        return bytes;
    return fmax(0, there - span->lost - span->work) * facts->bmax;
}

void metrics_compute_parties(const struct workload *workload, const struct outcome *outcome,
                             enum party_kind kind, struct weir_party_metrics *list)
{
    uint32_t count = workload->parties[kind].count;
    double bandwidth = 0;
    for (uint32_t s = 0; s < workload_channels(workload); s++)
        bandwidth += workload_bandwidth(workload, s);
    for (uint32_t i = 0; i < count; i++)
        list[i] = (struct weir_party_metrics){.name = workload->parties[kind].names[i]};
    for (uint32_t id = 0; id < workload->count; id++) {
        uint32_t number = workload_party(workload, kind, id);
        struct weir_app_metrics app;
        if (number == 0 || !metric_present(workload, outcome, id))
            continue;
        struct weir_party_metrics *party = &list[number - 1];
        metrics_compute_app(workload, outcome, id, &app);
        party->applications++;
        party->mean_stretch += app.stretch;
        metric_raise(&party->max_stretch, app.stretch);
        party->bytes += metric_bytes(workload, outcome, id);
    }
    for (uint32_t i = 0; i < count; i++) {
        list[i].mean_stretch = ratio(list[i].mean_stretch, list[i].applications);
        if (list[i].applications == 0)
            list[i].max_stretch = NAN;
        list[i].io_time = outcome->wanting[kind] ? outcome->wanting[kind][i] : NAN;
        list[i].bandwidth_share = ratio(list[i].bytes, list[i].io_time * bandwidth);
    }
}
